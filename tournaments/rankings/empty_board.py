"""Reads for a ranking in which nobody stands yet: the next tournament of its game, and how the house does in it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Q

from games.models import SeatFacts
from players.models import Player
from tournaments.core.results_in_force import annotate_facts, find_annulled
from tournaments.core.shared_reads import SharedRead
from tournaments.core.states import ENTERING
from tournaments.core.visibility import list_tournaments, make_listed_condition
from tournaments.entry_kinds import match_seats
from tournaments.models import Club, Ranking, Tournament

HOUSE_ROWS = 3
HOUSE_DAYS = 30
KEEP_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class HouseRecord:
    """Matches of a house player in a game, of the last thirty days, and those that were won."""

    player: Player
    won: int
    matches: int


def find_next_tournament(ruleset: str, form: str, club: Club | None, now: datetime) -> Tournament | None:
    """Return the tournament of a game and form that begins next and that anybody may enter, of a club if asked; those
    that begin when they are full come last. None where there is none."""
    seats = 2 if form == Ranking.Form.PAIRS else 1
    entering = Q(starts_at=None) | Q(starts_at__gte=now)
    open_ones = list_tournaments().filter(
        entering, make_listed_condition(), match_seats(seats), ruleset=ruleset, state__in=ENTERING,
        registration=Tournament.Registration.OPEN,
    )  # fmt: skip
    if club is not None:
        open_ones = open_ones.filter(club=club)
    return open_ones.order_by(F("starts_at").asc(nulls_last=True), "pk").first()


def list_house_records(ruleset: str, now: datetime) -> list[HouseRecord]:
    """Return the house players who have won the most matches of a game lately."""
    best = _records.read(now).get(ruleset, [])[:HOUSE_ROWS]
    players = Player.objects.in_bulk([pk for pk, _won, _matches in best])
    return [HouseRecord(players[pk], won, matches) for pk, won, matches in best if pk in players]


def _count_house(now: datetime) -> dict[str, list[tuple[int, int, int]]]:
    """Return player, matches won and matches of each house player, by game, who has won the most first."""
    lately = SeatFacts.objects.filter(player__kind=Player.Kind.HOUSE, finished_at__gte=now - timedelta(days=HOUSE_DAYS))
    rows = annotate_facts(lately.exclude(find_annulled("match__"))).order_by().values("ruleset", "player")
    counted = rows.annotate(won=Count("pk", filter=Q(counted_outcome="won")), n=Count("pk")).order_by("-won", "player")
    records: dict[str, list[tuple[int, int, int]]] = {}
    for ruleset, player, won, matches in counted.values_list("ruleset", "player", "won", "n"):
        records.setdefault(ruleset, []).append((player, won, matches))
    return records


_records = SharedRead(_count_house, KEEP_SECONDS)
