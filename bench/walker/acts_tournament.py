"""Acts at the tables of the site, and about the tournament as a whole."""

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from games.models import Match, Seat
from games.services import playing, seating
from tournaments.hall import real_table_acts
from tournaments.organise import lifecycle

if TYPE_CHECKING:
    from bench.walker.walk import Walk
from bench.walker.acts_telephones import pass_time
from bench.walker.kinds import (
    Call,
    act,
    decide,
    name,
    pick,
)


def _list_tables(walk: "Walk") -> list[Match]:
    playing = Match.objects.filter(fixture__round__tournament=walk.tournament).exclude(status=Match.Status.FINISHED)
    return list(playing.order_by("pk"))


@act(running=8, only=lambda modes: not modes.in_hall)
def open_tables(walk: "Walk", dice: Random) -> Call | None:
    return Call("the tables open", lambda: pass_time(walk, timedelta(seconds=20)))


@act(running=14, only=lambda modes: not modes.in_hall)
def abandon(walk: "Walk", dice: Random) -> Call | None:
    """Have those at a table sit down; where they have, have one of them give it up."""
    match = pick(dice, _list_tables(walk))
    if match is None:
        return None
    seats = Seat.objects.filter(match=match, player__kind__in=("guest", "member")).order_by("number")
    away = seats.filter(arrived_at=None).first()
    if away is not None:
        return Call(f"{name(walk, away.player)} and others sit down", lambda: sit_down(walk, match, list(seats)))
    seat = pick(dice, seats)
    if seat is None:
        return None
    at: dict[str, Any] = {"seat": seat.number, "control": window(seat), "client_id": None}
    return Call(
        f"{name(walk, seat.player)} gives their table up",
        lambda: playing.abandon(match_id=match.pk, confirm=True, now=walk.now, **at),
    )


def sit_down(walk: "Walk", match: Match, seats: Sequence[Seat]) -> None:
    """Seat these players, each at a window of their own."""
    for seat in seats:
        for token in ("", window(seat)):
            seating.sit_down(match_id=match.pk, player_id=seat.player_id, token=token, now=walk.now)


def window(seat: Seat) -> str:
    return f"window {seat.number}"


@act(running=2, only=lambda modes: not modes.in_hall)
def stay_away(walk: "Walk", dice: Random) -> Call | None:
    """Nobody comes to a table until its no-show time is over."""
    match = pick(dice, _list_tables(walk))
    if match is None or match.noshow_at is None:
        return None

    time = max(match.noshow_at - walk.now, timedelta(0)) + timedelta(seconds=10)
    return Call("nobody comes to a table", lambda: pass_time(walk, time))


@act(running=3, only=lambda modes: not modes.in_hall)
def move_table(walk: "Walk", dice: Random) -> Call | None:
    draw = dice.random()
    service = real_table_acts.move_to_real_table if draw < 0.6 else real_table_acts.move_to_site
    more: dict[str, Any] = {"table": dice.choice((None, 1, 2))} if draw < 0.6 else {}
    return decide(walk, dice, service, service.__name__, **more)


@act(entering=1, running=1)
def edit_settings(walk: "Walk", dice: Random) -> Call | None:
    from dataclasses import replace

    from tournaments.organise.settings import read_settings

    settings = read_settings(walk.tournament)
    orders = ("standard", "rete", "club", "svizzero", "wins,direct,sonneborn,lot")
    changed: Sequence[dict[str, Any]] = (
        {"name": "Un altro nome"}, {"max_entries": dice.randint(2, 16)}, {"min_entries": dice.randint(2, 5)},
        {"hall_tables": dice.choice((None, 1, 2, 3))}, {"tie_break": dice.choice(orders)},
    )  # fmt: skip
    more = dice.choice(changed)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    new = replace(settings, **more)
    return Call(f"organiser edits {more}", lambda: lifecycle.edit_tournament(settings=new, **about))
