"""Parts of the export about tournaments: entries, results without a match, clubs, what is organised; statistics
and levels, which follow what a referee ruled."""

from collections.abc import Iterator

from django.db.models import F

from games.facts.store import COUNTED
from games.models import SeatFacts
from players.models import Player
from players.services.own_data import Row, register_part
from scoring.models import Level, LevelStep
from tournaments.core.results_in_force import annotate_facts
from tournaments.models import ClubMember, EntryMember, NameClaim, Tournament, TournamentPoints
from tournaments.profiles.history import list_fixtures_without_match, list_own_persons


def read_entries(player: Player) -> Iterator[Row]:
    """Yield the entries of a player, with rank and points where the tournament is over."""
    persons = list_own_persons(player)
    points = {row.entry_id: row for row in TournamentPoints.objects.filter(person__in=persons)}
    members = EntryMember.objects.filter(person__in=persons).select_related("tournament", "entry")
    for member in members.order_by("pk").iterator():
        row = points.get(member.entry_id)
        yield {
            "tournament": member.tournament.public_id,
            "name": member.tournament.name,
            "state": member.tournament.state,
            "entered_at": member.entry.created_at,
            "checked_in_at": member.checked_in_at,
            "rank": None if row is None else row.rank,
            "field": None if row is None else row.field,
            "points": None if row is None else row.points,
        }


def read_results(player: Player) -> Iterator[Row]:
    """Yield the results that have no match: of real tables, and forfeits before the first card."""
    own = list_fixtures_without_match(list_own_persons(player)).select_related("round__tournament")
    for fixture in own.order_by("result_at", "pk").iterator():
        yield {
            "tournament": fixture.round.tournament.public_id,
            "round": fixture.round.number,
            "board": fixture.board,
            "points": [fixture.points_0, fixture.points_1],
            "games": [] if fixture.games is None else [game["points"] for game in fixture.games],
            "winner": fixture.winner,
            "at": fixture.result_at,
        }


def read_statistics(player: Player) -> Iterator[Row]:
    """Yield what the site has counted of each match, with the result that holds, or that it is annulled."""
    rows = SeatFacts.objects.filter(player=player).order_by("finished_at", "pk")
    held = {
        "outcome": F("counted_outcome"),
        "points_for": F("counted_for"),
        "points_against": F("counted_against"),
        "table": F("match__public_id"),
    }
    kept = annotate_facts(rows).values("ruleset", "finished_at", "deals", *COUNTED)
    yield from kept.annotate(**held).iterator()


def read_memberships(player: Player) -> Iterator[Row]:
    """Yield the clubs of a player, and the names that they claim in tournaments."""
    for club in ClubMember.objects.filter(player=player).select_related("club").order_by("pk").iterator():
        yield {"what": "club", "name": club.club.name, "role": club.role, "confirmed": club.confirmed}
    claims = NameClaim.objects.filter(player=player).select_related("tournament", "person")
    for claim in claims.order_by("pk").iterator():
        name, tournament = claim.person.public_name, claim.tournament.public_id
        yield {"what": "claim", "name": name, "tournament": tournament, "state": claim.state}


def read_organised(player: Player) -> Iterator[Row]:
    """Yield the tournaments that a player organises."""
    own = Tournament.objects.filter(organiser=player).order_by("pk")
    yield from own.values("public_id", "name", "state", "created_at").iterator()


def read_level_steps(player: Player) -> Iterator[Row]:
    """Yield the levels of a player, and each match that changed one."""
    levels = Level.objects.filter(player=player).order_by("pk")
    yield from levels.values("ruleset", "form", "mu", "sigma", "matches").iterator()
    steps = LevelStep.objects.filter(player=player).order_by("finished_at", "match_id")
    yield from (
        steps.annotate(table=F("match__public_id"))
        .values("ruleset", "form", "table", "finished_at", "mu_after", "sigma_after")
        .iterator()
    )


def register_parts() -> None:
    """Add these parts, at start."""
    register_part("entries", read_entries)
    register_part("results", read_results)
    register_part("statistics", read_statistics)
    register_part("memberships", read_memberships)
    register_part("organised", read_organised)
    register_part("levels", read_level_steps)
