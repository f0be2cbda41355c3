"""What a referee decides about a fixture (F2): its result, a forfeit, that it counts for nobody, a replay.

The results are changed; standings and bracket are recomputed from them (F3). What others already depend on is refused.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from games.models import Match, Seat
from games.services import errors, referee
from scoring import vp
from tournaments.models import Fixture, LogEntry, Tournament
from tournaments.services import dependants, ruling
from tournaments.services.errors import TournamentError
from tournaments.services.picture import context_of, has_vp, length_of
from tournaments.services.ruling import Act
from tournaments.services.running import advance, record_result

Pair = tuple[int, int]
State = Fixture.State

MOST_POINTS = 999
MOST_VP = 20  # of both lines together (V2, V3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A result as a referee writes it; by line. ``winner`` None: a draw. ``vp`` None: as the table gives them (V1-V4);
    ``mp`` None: the difference of the points."""

    points: Pair
    winner: int | None
    mp: Pair | None = None
    vp: Pair | None = None


def set_result(*, tournament_id: int, fixture_id: int, decision: Decision, act: Act) -> None:
    """Give a fixture this result, whatever it had; its match is stopped if it is being played."""
    with transaction.atomic():
        tournament = ruling.begin(tournament_id, act)
        if tournament is None:
            return
        fixture = ruling.fixture_for(tournament, fixture_id, act)
        in_vp, context = counts_as(tournament, fixture)
        _check(decision, context)
        before = ruling.picture(fixture)
        _stop(fixture, act.now)
        clear(fixture)
        fixture.winner = decision.winner
        fixture.points_0, fixture.points_1 = decision.points
        if in_vp:
            (fixture.mp_0, fixture.mp_1), (fixture.vp_0, fixture.vp_1) = _worth(tournament, decision)
        _decide(tournament, fixture, "result", before, act)


def annul(*, tournament_id: int, fixture_id: int, act: Act) -> None:
    """It counts for nobody and stays visible; never in a KO, where somebody must go on."""
    with transaction.atomic():
        tournament = ruling.begin(tournament_id, act)
        if tournament is None:
            return
        fixture = ruling.fixture_for(tournament, fixture_id, act)
        if counts_as(tournament, fixture)[1] == "ko":
            raise TournamentError("ko_not_annulled")
        before = ruling.picture(fixture)
        _stop(fixture, act.now)
        clear(fixture)
        fixture.annulled = True
        _decide(tournament, fixture, "annulled", before, act)


def reinstate(*, tournament_id: int, fixture_id: int, act: Act) -> None:
    """Take an annulment back: the result there was stands again; what wasn't over is played anew, with new cards."""
    with transaction.atomic():
        tournament = ruling.begin(tournament_id, act)
        if tournament is None:
            return
        fixture = ruling.fixture_for(tournament, fixture_id, act)
        if not fixture.annulled:
            raise TournamentError("not_annulled")
        acts = LogEntry.objects.filter(tournament=tournament, code="ruling_annulled", detail__fixture=fixture.pk)
        seen = next(each["before"] for each in acts.order_by("-pk").values_list("detail", flat=True))
        before = ruling.picture(fixture)
        clear(fixture)
        if seen["over"]:
            _restore(fixture, seen)
            _decide(tournament, fixture, "reinstated", before, act)
        else:
            _play_again(tournament, fixture, "reinstated", before, act)


def declare_forfeit(*, tournament_id: int, fixture_id: int, lines: tuple[int, ...], act: Act) -> None:
    """One line loses by forfeit (V5), or both (R4, K5), whether it is being played, was played, or is still to come."""
    if lines not in ((0,), (1,), (0, 1)):
        raise TournamentError("no_such_line")
    with transaction.atomic():
        tournament = ruling.begin(tournament_id, act)
        if tournament is None:
            return
        fixture = ruling.fixture_for(tournament, fixture_id, act)
        before = ruling.picture(fixture)
        if len(lines) == 1 and _running(fixture):
            _forfeit_at_table(tournament, fixture, lines[0], before, act)
            return
        _stop(fixture, act.now)
        points = (fixture.points_0 or 0, fixture.points_1 or 0)
        clear(fixture)
        fixture.points_0, fixture.points_1 = points
        _forfeited(tournament, fixture, lines)
        _decide(tournament, fixture, "forfeit", before, act)


def order_replay(*, tournament_id: int, fixture_id: int, act: Act) -> None:
    """It is played again with new cards; the match there was is kept, and named in the log."""
    with transaction.atomic():
        tournament = ruling.begin(tournament_id, act)
        if tournament is None:
            return
        fixture = ruling.fixture_for(tournament, fixture_id, act)
        if fixture.result_at is None and fixture.match is None:
            raise TournamentError("not_played_yet")
        before = ruling.picture(fixture)
        _stop(fixture, act.now)
        table = None if fixture.match is None else fixture.match.public_id
        clear(fixture)
        _play_again(tournament, fixture, "replay", before, act, table=table)


# --- The result ------------------------------------------------------------------------------------------------------


def _decide(tournament: Tournament, fixture: Fixture, what: str, before: ruling.Json, act: Act) -> None:
    """Store what a referee decided, if nothing depends on what was, and recompute everything from it (F3)."""
    fixture.ruled = True
    fixture.result_at = act.now
    fixture.opens_at = None
    fixture.state = State.ANNULLED if fixture.annulled else State.DONE
    dependants.require_none(tournament, fixture)
    fixture.save()
    after = ruling.picture(fixture)
    ruling.write_down(tournament, what, act, before=before, after=after, **ruling.where(fixture))
    recompute_after(tournament, act.now)
    ruling.tell(tournament, [fixture.first_id, fixture.second_id], act)


def _play_again(
    tournament: Tournament, fixture: Fixture, what: str, before: ruling.Json, act: Act, **detail: str | None
) -> None:
    """As if nobody had sat down to it yet, if nothing depends on what was (F3)."""
    fixture.match = None
    fixture.ruled = False
    fixture.result_at = None
    fixture.state = State.WAITING
    dependants.require_none(tournament, fixture)
    fixture.save()
    ruling.write_down(tournament, what, act, before=before, **detail, **ruling.where(fixture))
    recompute_after(tournament, act.now)
    ruling.tell(tournament, [fixture.first_id, fixture.second_id], act)


def _restore(fixture: Fixture, seen: ruling.Json) -> None:
    """The result that the log has kept (``ruling.picture``)."""
    fixture.winner = seen["winner"]
    fixture.double_forfeit = len(seen["forfeits"]) == 2
    fixture.forfeit_by = seen["forfeits"][0] if len(seen["forfeits"]) == 1 else None
    for name in ("points", "mp", "vp"):
        for line, value in enumerate(seen[name] or (None, None)):
            setattr(fixture, f"{name}_{line}", value)
    if fixture.match is not None and fixture.match.stopped_at is None:
        fixture.decided_by = fixture.match.decided_by
    elif seen["forfeits"]:
        fixture.decided_by = "forfeit"


def clear(fixture: Fixture) -> None:
    """Without any result."""
    fixture.winner = fixture.forfeit_by = None
    fixture.points_0 = fixture.points_1 = fixture.mp_0 = fixture.mp_1 = fixture.vp_0 = fixture.vp_1 = None
    fixture.double_forfeit = fixture.annulled = False
    fixture.decided_by = ""


def recompute_after(tournament: Tournament, now: datetime) -> None:
    """Everything below the draw from the results as they are now, also after the end."""
    if tournament.state == Tournament.State.FINISHED:
        tournament.state = Tournament.State.RUNNING
        tournament.finished_at = None
        tournament.save(update_fields=["state", "finished_at"])
    advance(tournament_id=tournament.pk, now=now)


def _check(decision: Decision, context: str) -> None:
    """TournamentError for a result that can't be."""
    points, winner = decision.points, decision.winner
    if not all(0 <= each <= MOST_POINTS for each in points) or winner not in (None, 0, 1):
        raise TournamentError("no_such_result")
    if winner is None and context == "ko":
        raise TournamentError("ko_needs_winner")
    if winner is None and points[0] != points[1]:
        raise TournamentError("draw_uneven")
    if decision.mp is not None and not all(abs(each) <= MOST_POINTS for each in decision.mp):
        raise TournamentError("no_such_result")
    if decision.vp is None:
        return
    if min(decision.vp) < 0 or sum(decision.vp) > MOST_VP:
        raise TournamentError("vp_range", most=MOST_VP)
    if winner is not None and decision.vp[winner] < decision.vp[1 - winner]:
        raise TournamentError("vp_to_the_loser")


def _worth(tournament: Tournament, decision: Decision) -> tuple[Pair, Pair]:
    """The MP and VP of a decision: as written, else by the points (V1-V4)."""
    margin = abs(decision.points[0] - decision.points[1])
    worth = vp.worth(tournament.ruleset, length_of(tournament), decision.winner, margin)
    if worth is None:  # refused when it was created (V4)
        raise ValueError(f"a length without VP: {tournament.pk}")
    return decision.mp or worth.mp, decision.vp or worth.vp


def _forfeited(tournament: Tournament, fixture: Fixture, lines: tuple[int, ...]) -> None:
    """The result of a forfeit that no match tells of: V5 by the points there are, R4 for both."""
    fixture.decided_by = "forfeit"
    if len(lines) == 2:
        fixture.double_forfeit = True
        worth = vp.both_forfeit(tournament.ruleset, length_of(tournament))
    else:
        (offender,) = lines
        fixture.forfeit_by, fixture.winner = offender, 1 - offender
        ahead = (fixture.points_0 or 0) - (fixture.points_1 or 0)
        margin = max(0, ahead if offender else -ahead)
        worth = vp.worth(tournament.ruleset, length_of(tournament), 1 - offender, margin, offender)
    if counts_as(tournament, fixture)[0] and worth is not None:
        fixture.mp_0, fixture.mp_1 = worth.mp
        fixture.vp_0, fixture.vp_1 = worth.vp


def _forfeit_at_table(tournament: Tournament, fixture: Fixture, line: int, before: ruling.Json, act: Act) -> None:
    """The match itself ends by it, and its record says so; the result is the match's (V5)."""
    assert fixture.match_id is not None
    seats = Seat.objects.filter(match=fixture.match_id).order_by("number")
    seat = next(number for number in seats.values_list("number", flat=True) if number % 2 == line)
    try:
        referee.forfeit(match_id=fixture.match_id, seat=seat, now=act.now)
    except errors.Finished:
        raise TournamentError("table_over") from None
    record_result(match_id=fixture.match_id, now=act.now)
    Fixture.objects.filter(pk=fixture.pk).update(ruled=True)
    fixture.refresh_from_db()
    after = ruling.picture(fixture)
    ruling.write_down(tournament, "forfeit", act, before=before, after=after, **ruling.where(fixture))
    ruling.tell(tournament, [fixture.first_id, fixture.second_id], act)


# --- Its match -------------------------------------------------------------------------------------------------------


def _running(fixture: Fixture) -> bool:
    return fixture.match is not None and fixture.match.status != Match.Status.FINISHED


def _stop(fixture: Fixture, now: datetime) -> None:
    """A match in play ends without a result; one that has just ended by itself has one to look at first."""
    if fixture.match is None or fixture.result_at is not None:
        return
    try:
        referee.stop(match_id=fixture.match.pk, now=now)
    except errors.Finished:
        raise TournamentError("table_over") from None


def counts_as(tournament: Tournament, fixture: Fixture) -> tuple[bool, str]:
    """Whether its result is worth VP, and the context of its match (K3, D1)."""
    context = context_of(tournament, fixture)
    return has_vp(tournament, context), context
