"""Acts at the tables of the site, and about the tournament as a whole."""

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from games.models import Match, Seat
from games.services import playing, seating
from players.models import Player
from tournaments.desk import (
    real_table_acts,
)
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


@act(running=8, only=lambda modes: not modes.in_hall)
def abandon(walk: "Walk", dice: Random) -> Call | None:
    """Have those at a table sit down, and one of them give it up."""
    match = pick(dice, _list_tables(walk))
    seat = None if match is None else pick(dice, Seat.objects.filter(match=match, player__kind__in=("guest", "member")))
    if match is None or seat is None:
        return None
    return Call(f"{name(walk, seat.player)} gives their table up", lambda: give_up(walk, match, seat.number))


def give_up(walk: "Walk", match: Match, number: int) -> None:
    """Have everybody sit down at a table, and the player of a seat lose it by giving up."""
    for seat in Seat.objects.filter(match=match).exclude(player__kind=Player.Kind.HOUSE).order_by("number"):
        token = f"window {seat.number}"
        seating.sit_down(match_id=match.pk, player_id=seat.player_id, token="", now=walk.now)
        seating.sit_down(match_id=match.pk, player_id=seat.player_id, token=token, now=walk.now)
    at: dict[str, Any] = {"seat": number, "control": f"window {number}", "client_id": None, "now": walk.now}
    playing.abandon(match_id=match.pk, confirm=True, **at)


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
    changed: Sequence[dict[str, Any]] = (
        {"name": "Un altro nome"}, {"max_entries": dice.randint(2, 16)}, {"min_entries": dice.randint(2, 5)},
        {"hall_tables": dice.choice((None, 1, 2, 3))}, {"tie_break": dice.choice(("standard", "rete", "club"))},
    )  # fmt: skip
    more = dice.choice(changed)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    new = replace(settings, **more)
    return Call(f"organiser edits {more}", lambda: lifecycle.edit_tournament(settings=new, **about))
