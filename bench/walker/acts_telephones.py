"""Acts by telephones and score slips, and of the clocks: of a round, of everybody, of time itself."""

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from games import selectors
from games.engine.scores import CUT_SHORT
from games.services import settlement
from tournaments import sweep
from tournaments.desk import clocks, results
from tournaments.desk.results import Decision
from tournaments.hall import phone_results, slip_codes
from tournaments.hall.phone_results import TypedResult
from tournaments.models import (
    RoundClock,
    ScoreSlip,
)
from tournaments.running import (
    round_clocks,
)
from tournaments.running.round_clocks import ClockPlace

if TYPE_CHECKING:
    from bench.walker.walk import Walk
from bench.walker.kinds import (
    Call,
    act,
    draw_decision,
    draw_lines,
    make_act,
    name,
    pick,
    pick_fixture,
    place,
    staff,
)


@act(running=5, only=lambda modes: modes.in_hall)
def print_slips(walk: "Walk", dice: Random) -> Call | None:
    by, anew = staff(walk, dice), dice.random() < 0.2
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now, "anew": anew}

    def run() -> None:
        for slip in slip_codes.print_slips(**about):
            walk.codes[slip.fixture.pk] = slip.codes

    return Call(f"{name(walk, by)} prints slips", run)


@act(running=8, only=lambda modes: modes.in_hall)
def use_telephone(walk: "Walk", dice: Random) -> Call | None:
    """A side types its result, confirms the other's, or objects to it."""
    slips = ScoreSlip.objects.filter(fixture__round__tournament=walk.tournament, fixture__in=walk.codes)
    slip = pick(dice, slips.select_related("fixture__round").order_by("fixture"))
    if slip is None:
        return None
    fixture, side = slip.fixture, dice.randrange(2)
    code = walk.codes[fixture.pk][side] if dice.random() < 0.95 else "WWWWWWWW"
    digest = slip_codes.compute_code_digest(walk.tournament, code)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "digest": digest, "now": walk.now}
    other = phone_results.read_typed(slip, 1 - side)
    who, draw = f"telephone {side + 1} of {place(fixture)}", dice.random()
    if other is not None and draw < 0.5:
        return Call(f"{who} confirms", lambda: phone_results.confirm_result(seen=other, **about))
    if other is not None and draw < 0.65:
        return Call(f"{who} objects", lambda: phone_results.object_to_result(**about))
    if draw > 0.9:
        beside = walk.codes[fixture.pk][1 - side]
        return Call(f"{who} takes the other's code", lambda: phone_results.confirm_beside(code=beside, **about))
    forfeits = draw_lines(dice) if dice.random() < 0.1 else ()
    decision = None if forfeits else draw_decision(walk, dice, fixture)
    typed = TypedResult(forfeits, decision)
    words = f"{who} types {forfeits or (decision and decision.points)}"
    return Call(words, lambda: phone_results.type_result(typed=typed, **about))


@act(running=3, only=lambda modes: modes["clock"] != "none")
def use_clock(walk: "Walk", dice: Random) -> Call | None:
    rows = round_clocks.read_clocks(walk.tournament, walk.now)
    at = pick(dice, [row.place for row in rows]) or ClockPlace(1, 1)
    by = staff(walk, dice)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now, "place": at}
    started = RoundClock.objects.filter(round__tournament=walk.tournament).exists()
    service = dice.choice(
        [round_clocks.start_clock] * (1 if started else 4) + [round_clocks.pause_clock, round_clocks.resume_clock]
    )
    if dice.random() < 0.2:
        minutes, table = dice.randint(0, 20), dice.choice((None, 1, 2))
        words = f"{name(walk, by)} gives {minutes} minutes to {at}, table {table}"
        return Call(words, lambda: round_clocks.give_more(minutes=minutes, table=table, **about))
    return Call(f"{name(walk, by)} {service.__name__} {at}", lambda: service(**about))


@act(running=2, over=1)
def hold_everything(walk: "Walk", dice: Random) -> Call | None:
    by = staff(walk, dice)
    held = walk.tournament.paused_at is not None
    service = clocks.resume_clocks if held else clocks.hold_clocks
    if dice.random() < 0.1:
        service = clocks.hold_clocks
    own = make_act(walk, by, dice)
    words = f"{name(walk, by)} {service.__name__} of all"
    return Call(words, lambda: service(tournament_id=walk.tournament.pk, fixture_id=None, act=own))


@act(running=2, only=lambda modes: modes["clock"] != "none")
def cut_short(walk: "Walk", dice: Random) -> Call | None:
    """The time of the round is up, and the points as they are are entered."""
    fixture = pick_fixture(walk, dice, open_=20)
    if fixture is None:
        return None
    first, second = dice.randint(0, 6), dice.randint(0, 6)
    winner = None if first == second else int(first < second)
    way = CUT_SHORT if dice.random() < 0.5 else ""
    decision = Decision(points=(first, second), winner=winner, decided_by=way)
    if walk.modes.has_games and dice.random() < 0.8:  # some of its games, and the running one as it stands
        whole = draw_decision(walk, dice, fixture)
        games = (*whole.games[:1], *whole.games[1:][: dice.randint(0, 1)])
        decision = replace(whole, games=games, decided_by=way, points=(whole.points[0] // 2, whole.points[1]))
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "fixture_id": fixture.pk, "decision": decision}
    own = make_act(walk, walk.world.organiser, dice, fixture)
    words = f"organiser enters {first}-{second} {way} for {place(fixture)}"
    return Call(words, lambda: results.set_result(act=own, **about))


@act(entering=2, running=4, over=1)
def wait(walk: "Walk", dice: Random) -> Call | None:
    """Time passes, and the clock does what is due."""
    minutes = dice.choice((1, 5, 15, 45, 90))
    return Call(f"{minutes} minutes pass", lambda: pass_time(walk, timedelta(minutes=minutes)))


def pass_time(walk: "Walk", time: timedelta) -> None:
    """Let time pass, and do what the sweep does for tables and tournaments."""
    walk.now += time
    for list_due in (selectors.list_due_noshows, selectors.list_due_deadlines):
        for match_id in list(list_due(walk.now)):
            settlement.expire_overdue(match_id=match_id, now=walk.now)
    for fixture_id in list(sweep.list_due_slips(walk.now)):
        sweep.enter_unconfirmed(fixture_id, walk.now)
    for tournament_id in list(sweep.list_overdue_pairs(walk.now)):
        sweep.expire_holds(tournament_id, walk.now)
    for tournament_id in list(sweep.list_overdue_invitations(walk.now)):
        sweep.expire_invitations(tournament_id, walk.now)
    for tournament_id in list(sweep.list_due_starts(walk.now)):
        sweep.start_tournament(tournament_id, walk.now)
    for fixture_id in list(sweep.list_due_fixtures(walk.now)):
        sweep.open_fixture(fixture_id, walk.now)
