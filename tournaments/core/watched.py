"""Tables to watch, the most worthwhile first: a final before others, then the strongest people, then how far into its
bracket a match is; the house's own come last. It never writes, and decides nothing about who may watch.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from games.lobby.seek_queries import WatchedTable, describe_tables, list_watched_tables
from games.models import Match
from tournaments.core.visibility import make_listed_condition, make_showcase_condition
from tournaments.models import Fixture, Tournament


class Purpose(NamedTuple):
    """Purpose of a match, as ``TableToWatch`` has it."""

    stage: str
    listed: bool
    late: bool


FREE = Purpose("", listed=True, late=False)
# Of a bracket, the most important last.
STAGES = ("quarterfinal", "third_place", "lower_final", "semifinal", "upper_final", "final", "decider")
LAST = ("final", "decider")
MOST_READ_OF_TOURNAMENT = 64  # running tables, the latest, of which the page names the best
MOST_NAMED_OF_TOURNAMENT = 8


@dataclass(frozen=True, slots=True)
class TableToWatch(WatchedTable):
    """A running table and what it is played for.

    ``stage``: the code of its round, of a bracket's last ones, else ""; ``listed``: the front page may show it to
    everybody (AT6); ``late``: most see it one deal late (W3).
    """

    stage: str
    listed: bool
    late: bool

    @property
    def worth(self) -> tuple[bool, bool, int, int, int]:
        """Return what tables are ordered by, the greatest first."""
        people, level = not self.only_house, -1 if self.level is None else self.level.value
        importance = STAGES.index(self.stage) if self.stage else -1
        return (people, people and self.stage in LAST, level, importance, self.match.pk)


def list_tables_to_watch(now: datetime) -> list[TableToWatch]:
    """List the running tables that everybody is shown, of the whole site."""
    return _rank(list_watched_tables(now))


def list_tables_of(tournament: Tournament, now: datetime) -> list[TableToWatch]:
    """List the best of the tournament's running tables."""
    running = Match.objects.filter(fixture__round__tournament=tournament, status=Match.Status.PLAYING).in_the_open()
    return _rank(describe_tables(running, MOST_READ_OF_TOURNAMENT, now))[:MOST_NAMED_OF_TOURNAMENT]


def _rank(tables: Iterable[WatchedTable]) -> list[TableToWatch]:
    tables = list(tables)
    purposes = _read_purposes([table.match.pk for table in tables])
    ranked = (
        TableToWatch(table.match, table.sides, table.level, *purposes.get(table.match.pk, FREE)) for table in tables
    )
    return sorted(ranked, key=lambda table: table.worth, reverse=True)


def _read_purposes(match_ids: list[int]) -> Mapping[int, Purpose]:
    """Return what these matches are played for, by id; free tables aren't in it. Three queries."""
    if not match_ids:
        return {}
    fixtures = Fixture.objects.filter(match__in=match_ids)
    rows = list(fixtures.values_list("match_id", "round__name", "round__tournament_id"))
    played = Tournament.objects.filter(pk__in={tournament for *_, tournament in rows})
    listed, showcases = (
        set(played.filter(condition).values_list("pk", flat=True))
        for condition in (make_listed_condition(), make_showcase_condition())
    )
    return {
        match: Purpose(name if name in STAGES else "", tournament in listed, tournament not in showcases)
        for match, name, tournament in rows
        if match is not None
    }
