"""Play-offs in tests (EV11): a tournament at real tables that is over, and what its desk does to a shared rank."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from games.engine.game import Length
from tests.support.desk import build_act
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.core.play_offs import PlayOffPlan, read_play_offs
from tournaments.desk import results
from tournaments.desk.results import Decision
from tournaments.formats.protocol import Slot
from tournaments.models import Entry, Fixture, Tournament
from tournaments.play_offs import actions

FINAL = Slot(1, 1)  # of a play-off of two


def end_ko(opened: Opened, size: int, now: datetime, **changed: Any) -> Tournament:
    """A KO of so many at real tables that is over: the first named won all."""
    tournament = draw_real(opened, size, now, KO, **changed)
    number = 1
    while tournament.state == Tournament.State.RUNNING:
        for fixture in list_round(tournament, number):
            decide(tournament, fixture, now, 7, 4)
        number += 1
        tournament.refresh_from_db()
    return tournament


def end_girone(opened: Opened, size: int, now: datetime, scores: Iterable[tuple[int, int]] = ()) -> Tournament:
    """A girone at real tables that is over; all matches drawn, but those that are given, in their order."""
    tournament = draw_real(opened, size, now, GIRONE, tie_break="rete", ruleset="scopa")
    given = list(scores)
    for fixture in Fixture.objects.of(tournament).filter(second__isnull=False).order_by("round__number", "board"):
        first, second = given.pop(0) if given else (11, 11)
        decide(tournament, fixture, now, first, second)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    return tournament


def decide(tournament: Tournament, fixture: Fixture, now: datetime, first: int, second: int) -> None:
    """Give a fixture of the tournament these points."""
    winner = None if first == second else int(second > first)
    results.set_result(
        tournament_id=tournament.pk,
        fixture_id=fixture.pk,
        decision=Decision(points=(first, second), winner=winner),
        act=build_act(tournament.organiser, now),
    )


def list_sharing(tournament: Tournament, rank: int) -> list[Entry]:
    """The entries of a rank, by seed."""
    return list(tournament.entries.filter(rank=rank).order_by("seed"))


def open_for(tournament: Tournament, rank: int, now: datetime, **more: Any) -> int:
    """Open a play-off of all who share a rank, in matches of the tournament's length; its number."""
    ids = [entry.pk for entry in list_sharing(tournament, rank)]
    length = Length(tournament.length_kind, tournament.length_value)  # type: ignore[arg-type]
    about: dict[str, Any] = {"entry_ids": ids, "length": length, **more}
    act = build_act(tournament.organiser, now, "")
    number = actions.open_play_off(tournament_id=tournament.pk, act=act, **about)
    assert number is not None
    tournament.refresh_from_db()
    return number


def write(
    tournament: Tournament, now: datetime, points: tuple[int, int], slot: Slot = FINAL, number: int = 1, **more: Any
) -> None:
    """Give a match of a play-off these points."""
    act = build_act(more.pop("by", tournament.organiser), now, **{"reason": "", **more})
    decision = Decision(points=points, winner=int(points[1] > points[0]))
    actions.set_result(tournament_id=tournament.pk, number=number, slot=slot, decision=decision, act=act)


def read_one(tournament: Tournament, number: int = 1) -> PlayOffPlan:
    """A play-off as it stands."""
    tournament.refresh_from_db()
    return next(one for one in read_play_offs(tournament) if one.number == number)


def read_ranks(tournament: Tournament) -> dict[int, int | None]:
    """The stored ranks by entry."""
    return dict(tournament.entries.values_list("pk", "rank"))
