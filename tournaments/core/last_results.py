"""Outcomes of the latest matches of people, for the dots beside their names. It never writes."""

from collections.abc import Collection, Mapping

from django.db.models import OuterRef, QuerySet, Subquery

from games.models import SeatFacts
from players.models import Player
from tournaments.core.results_in_force import annotate_facts, find_annulled

CODES = {"won": "won", "lost": "lost", "drawn": "even"}  # of an outcome, as pages draw it


def read_last_outcomes(player_ids: Collection[int], count: int, ruleset: str = "") -> Mapping[int, tuple[str, ...]]:
    """Return how the last ``count`` matches of each of these players ended (won, lost or even), the latest last; in
    two queries for any number of players. What was annulled counts for nobody."""
    latest = _choose_latest(ruleset)
    picked = {f"match_{number}": Subquery(latest[number : number + 1]) for number in range(count)}
    rows = Player.objects.filter(pk__in=player_ids).annotate(**picked).values_list("pk", *picked)
    sat = {pk: [seat for seat in reversed(seats) if seat is not None] for pk, *seats in rows}
    own = SeatFacts.objects.filter(pk__in=[seat for seats in sat.values() for seat in seats])
    outcomes = {
        facts.pk: CODES[facts.counted_outcome]  # type: ignore[attr-defined]  # annotated
        for facts in annotate_facts(own)
    }
    return {pk: tuple(outcomes[seat] for seat in seats if seat in outcomes) for pk, seats in sat.items()}


def _choose_latest(ruleset: str) -> QuerySet[SeatFacts, int]:
    """Return the seats that a player (the outer query's) sat in, the latest first."""
    own = SeatFacts.objects.filter(player=OuterRef("pk")).exclude(find_annulled("match__"))
    if ruleset:
        own = own.filter(ruleset=ruleset)
    return own.order_by("-finished_at", "-pk").values_list("pk", flat=True)
