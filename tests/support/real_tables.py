"""Tournaments at real tables in tests: names typed, present, drawn."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from tests.support.tournaments import GIRONE, Opened
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, set_result
from tournaments.entries import checkin, typed_names
from tournaments.formats import FORMATS
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Entry, Fixture, Tournament
from tournaments.organise.settings import Settings
from tournaments.rounds import drafts
from tournaments.venues import HALL

NAMES = ("Ada", "Bice", "Ciro", "Dora", "Elio", "Fede", "Gino", "Ines", "Lino", "Mara", "Nora", "Otto")


def type_names(
    tournament: Tournament, names: Sequence[str | tuple[str, str]], now: datetime, *, another: bool = False
) -> list[Entry]:
    """Enter these names, two together for a pair, as the organiser; ``another``: of others than those who are in."""
    rows = [
        TypedEntry(number, tuple(map(TypedPerson, (name,) if isinstance(name, str) else name)), another=another)
        for number, name in enumerate(names, start=1)
    ]
    return typed_names.type_entries(tournament_id=tournament.pk, by=tournament.organiser, rows=rows, now=now)


def type_teams(tournament: Tournament, teams: Mapping[str, Sequence[str]], now: datetime) -> list[Entry]:
    """Enter these teams, the people of each by its name, as the organiser."""
    rows = [
        TypedEntry(number, tuple(map(TypedPerson, people)), team=team)
        for number, (team, people) in enumerate(teams.items(), start=1)
    ]
    return typed_names.type_entries(tournament_id=tournament.pk, by=tournament.organiser, rows=rows, now=now)


def open_real(opened: Opened, base: Settings = GIRONE, **changed: Any) -> Tournament:
    """A tournament at real tables whose entries are open."""
    return opened(base, **{"venue": HALL, "max_entries": 64, **changed})


def draw_real(opened: Opened, size: int, now: datetime, base: Settings = GIRONE, **changed: Any) -> Tournament:
    """A tournament at real tables, drawn among so many who are all present, in the order of ``NAMES``."""
    tournament = open_real(opened, base, **{"seeding": "organiser", **changed})
    type_names(tournament, [f"{NAMES[n % 12]} {'ABCDEF'[n // 12]}" for n in range(size)], now)
    draw_present(tournament, now)
    return tournament


def draw_present(tournament: Tournament, now: datetime) -> None:
    """Tick everybody as present, and publish the first round."""
    checkin.check_in_everybody(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    publish_next(tournament, now)


def publish_next(tournament: Tournament, now: datetime) -> None:
    """Draw the next round, where one is drawn, and publish it."""
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    number = drafts.find_next_round(tournament)
    assert number is not None
    if number == 1 or FORMATS[tournament.format].keeps_rounds:
        drafts.draw_round(**about)
    drafts.publish_round(number=number, **about)
    tournament.refresh_from_db()


def list_round(tournament: Tournament, number: int) -> list[Fixture]:
    """The fixtures of a round that two meet in, by board."""
    fixtures = Fixture.objects.of(tournament).filter(round__number=number, second__isnull=False)
    return list(fixtures.select_related("first", "second", "round").order_by("board"))


def enter_deals(tournament: Tournament, fixture: Fixture, deals: tuple[tuple[int, int], ...], now: datetime) -> None:
    """Enter a result with the points of each deal, as the organiser does."""
    points = (sum(deal[0] for deal in deals), sum(deal[1] for deal in deals))
    winner = None if points[0] == points[1] else int(points[1] > points[0])
    set_result(
        tournament_id=tournament.pk,
        fixture_id=fixture.pk,
        decision=Decision(points=points, winner=winner, deals=deals),
        act=Act(tournament.organiser, "", now),
    )
