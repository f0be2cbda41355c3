"""Results by people's telephones (O4): one side types, the other confirms with its own code.

Agreement enters the result as the desk would; disagreement calls the referee. What nobody confirms enters after the
organiser's time, marked, and never in a KO. Each act names its side by a slip's code; no person is known here.
"""

from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import F

from games.engine.scores import CUT_SHORT
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import FixtureDetail
from tournaments.core.result import FixtureResult, GameScore, find_context
from tournaments.desk.deal_points import require_deals
from tournaments.desk.referee_calls import tell_referees
from tournaments.desk.results import Decision, enter_from_phones, make_forfeit, make_result
from tournaments.hall.slip_codes import SlipSide, find_side, find_side_by_code, require_few_wrong
from tournaments.models import Fixture, ScoreSlip, Tournament
from tournaments.running.round_clocks import is_time_up

Call = ScoreSlip.Call
DESK = "desk"  # beside what a side typed: the player by whom, where that was at the desk (O13)
TypedJson = dict[str, Any]  # what a side typed, as the slip keeps it


@dataclass(frozen=True, slots=True)
class TypedResult:
    """A result as a side typed it: the lines that forfeited, or a decision about the points."""

    forfeits: tuple[int, ...] = ()
    decision: Decision | None = None

    def make(self, tournament: Tournament, fixture: Fixture, *, time_is_up: bool = False) -> FixtureResult:
        """Return the result of the fixture; TournamentError for what can't be."""
        if self.decision is None:
            return make_forfeit(tournament, fixture, self.forfeits)
        return make_result(tournament, fixture, self.decision, time_is_up=time_is_up)

    def keep_way(self, result: FixtureResult) -> "TypedResult":
        """Return it with what was found when it came in: cut short (O6), whatever happens to the clock afterwards."""
        if self.decision is None:
            return self
        kept = replace(self.decision, games=result.games)
        return TypedResult(
            self.forfeits, replace(kept, decided_by=CUT_SHORT) if result.decided_by == CUT_SHORT else kept
        )

    def to_json(self) -> TypedJson:
        """Return the row's JSON."""
        return {"forfeits": list(self.forfeits), "decision": self.decision and asdict(self.decision)}

    @classmethod
    def from_json(cls, kept: TypedJson) -> "TypedResult":
        """Return what ``to_json`` wrote."""
        decision = kept["decision"]
        if decision is not None:
            points, deals = tuple(decision["points"]), tuple(map(tuple, decision["deals"]))
            winner, decided_by = decision["winner"], decision["decided_by"]
            games = tuple(map(GameScore.from_json, decision.get("games", ())))
            decision = Decision(points=points, winner=winner, decided_by=decided_by, deals=deals, games=games)
        return cls(tuple(kept["forfeits"]), decision)


def compute_seen(typed: TypedResult | None) -> str:
    """Return the stamp by which a confirmation says what it saw."""
    return sha256(repr(typed).encode()).hexdigest()[:16]


def read_typed(slip: ScoreSlip, side: int) -> TypedResult | None:
    """Return what a side has typed; None for nothing."""
    kept = slip.typed.get(str(side))
    return None if kept is None else TypedResult.from_json(kept)


def is_typed_at_desk(slip: ScoreSlip, side: int) -> bool:
    """Tell if a side's result was typed at the desk, by the organiser who plays for it (O13)."""
    return DESK in slip.typed.get(str(side), {})


def type_result(*, tournament_id: int, digest: str, typed: TypedResult, now: datetime) -> None:
    """Take what a side types: the first waits for the other, the same enters, something else calls the referee.

    TournamentError: as ``find_side``; slip_closed; what can't be, as at the desk.
    """
    with transaction.atomic():
        tournament, at, fixture = _lock_side(tournament_id, digest)
        take_typed(tournament, at, fixture, typed, now)


def confirm_result(*, tournament_id: int, digest: str, seen: TypedResult, now: datetime) -> None:
    """Confirm what the other side typed, as this one was shown it; also where it has entered unconfirmed since.

    TournamentError: as ``find_side``; slip_nothing, slip_changed, slip_closed.
    """
    with transaction.atomic():
        tournament, at, fixture = _lock_side(tournament_id, digest, closed=True)
        typed = read_typed(at.slip, 1 - at.side)
        if typed is None:
            raise TournamentError("slip_nothing")
        if typed != seen:
            raise TournamentError("slip_changed")
        if fixture.result_at is None:
            take_typed(tournament, at, fixture, typed, now)
        elif fixture.unconfirmed and at.slip.typed_by != at.side:
            fixture.unconfirmed = False
            fixture.save(update_fields=["unconfirmed"])
            _end_call(at.slip)
            write_log(tournament, "slip_confirmed", now, detail=FixtureDetail(fixture=fixture.pk))
            store_version(tournament)
        else:
            raise TournamentError("slip_closed")


def confirm_beside(*, tournament_id: int, digest: str, code: str, now: datetime) -> None:
    """Confirm on the telephone of the side that typed, with the other's code. A wrong one is counted at the fixture.

    TournamentError: as ``confirm_result``; slip_code_own, slip_code_elsewhere.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    confirm_with_code(tournament, find_side(tournament, digest), code, now)


def confirm_with_code(tournament: Tournament, own: SlipSide, code: str, now: datetime) -> None:
    """Confirm what a side typed, with the other's code. A wrong one is counted at the fixture."""
    try:
        other = _find_other(tournament, own, code)
    except TournamentError:
        with transaction.atomic():
            lock_tournament(tournament.pk)
            counted = f"wrong_{own.side}"
            ScoreSlip.objects.filter(pk=own.slip.pk).update(**{counted: F(counted) + 1})
        raise
    seen = read_typed(own.slip, own.side)
    if seen is None:
        raise TournamentError("slip_nothing")
    confirm_result(tournament_id=tournament.pk, digest=other.slip.get_digest(other.side), seen=seen, now=now)


def _find_other(tournament: Tournament, own: SlipSide, code: str) -> SlipSide:
    other = find_side_by_code(tournament, code)
    if other.slip.pk != own.slip.pk:
        raise TournamentError("slip_code_elsewhere")
    if other.side == own.side:
        raise TournamentError("slip_code_own")
    return other


def object_to_result(*, tournament_id: int, digest: str, now: datetime) -> None:
    """Call the referee: this side doesn't agree with what the other typed, whether it has entered or not.

    TournamentError: as ``find_side``; slip_nothing.
    """
    with transaction.atomic():
        tournament, at, fixture = _lock_side(tournament_id, digest, closed=True)
        if read_typed(at.slip, 1 - at.side) is None or (fixture.result_at is not None and not fixture.unconfirmed):
            raise TournamentError("slip_nothing")
        _call(tournament, at.slip, fixture, Call.OBJECTED, now)


def enter_unconfirmed(*, slip_id: int, now: datetime) -> bool:
    """Enter what one side typed and nobody confirmed in time; False where there is nothing to do any more."""
    tournament_id = Fixture.objects.values_list("round__tournament_id", flat=True).get(pk=slip_id)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        slip = ScoreSlip.objects.get(pk=slip_id)
        fixture = _lock_fixture(slip)
        typed = None if slip.typed_by is None else read_typed(slip, slip.typed_by)
        running = tournament.state == Tournament.State.RUNNING and tournament.paused_at is None  # F6
        due = running and slip.due_at is not None and slip.due_at <= now
        if not due or typed is None or slip.typed_by is None or fixture.state != Fixture.State.READY:
            return False
        result = typed.make(tournament, fixture)
        more: dict[str, Any] = {"decision": typed.decision, "now": now}
        enter_from_phones(tournament, fixture, result, typed_by=slip.typed_by, agreed=False, **more)
        return True


def _lock_side(tournament_id: int, digest: str, *, closed: bool = False) -> tuple[Tournament, SlipSide, Fixture]:
    """Lock the fixture of a side; with ``closed`` also one that has its result."""
    tournament = lock_tournament(tournament_id)
    at = find_side(tournament, digest)
    fixture = _lock_fixture(at.slip)
    if fixture.state != Fixture.State.READY and not closed:
        raise TournamentError("slip_closed")
    return tournament, at, fixture


def read_fixture_of(slip: ScoreSlip) -> Fixture:
    """Return the fixture of a slip with its result, for whoever holds its code."""
    related = Fixture.objects.with_results().select_related("round__tournament", "match", "first")
    return related.get(pk=slip.pk)


def _lock_fixture(slip: ScoreSlip) -> Fixture:
    fixtures = Fixture.objects.with_results().select_for_update(of=("self",)).select_related("round", "match")
    return fixtures.get(pk=slip.pk)


def take_typed(
    tournament: Tournament,
    at: SlipSide,
    fixture: Fixture,
    typed: TypedResult,
    now: datetime,
    *,
    by: Player | None = None,
) -> None:
    """Take what a side of a locked fixture typed. ``by``: the player who typed it at the desk (O13), where it waits
    for the other side until that confirms; while the tournament is held (F6) no time passes for anybody."""
    slip = at.slip
    require_few_wrong(at)
    if typed.decision is not None:
        require_deals(tournament, fixture, typed.decision)
    result = typed.make(tournament, fixture, time_is_up=is_time_up(fixture, now))
    typed = typed.keep_way(result)
    if read_typed(slip, at.side) == typed:  # sent twice
        return
    slip.typed = {**slip.typed, str(at.side): typed.to_json() | ({} if by is None else {DESK: by.pk})}
    other = read_typed(slip, 1 - at.side)
    if other is None:
        slip.typed_by = at.side
        waits = bool(slip.called) or by is not None or find_context(tournament, fixture) == "ko"
        since = tournament.paused_at or now  # what is held moves on by all of the pause
        slip.due_at = None if waits else since + timedelta(minutes=tournament.confirm_minutes)
        slip.save()
        store_version(tournament)
    elif other.make(tournament, fixture) == result and _agree_on_deals(tournament, typed, other):
        slip.save()
        first = slip.typed_by if slip.typed_by is not None else at.side
        more: dict[str, Any] = {"decision": typed.decision, "now": now, "by": _find_writer(slip)}
        enter_from_phones(tournament, fixture, result, typed_by=first, agreed=True, **more)
    else:
        _call(tournament, slip, fixture, Call.DIFFERENT, now)


def _agree_on_deals(tournament: Tournament, typed: TypedResult, other: TypedResult) -> bool:
    """Tell if two sides typed the same of each deal, where deals are compared (J10)."""
    deals = [None if one.decision is None else one.decision.deals for one in (typed, other)]
    return not tournament.equal_deals or deals[0] == deals[1]


def _find_writer(slip: ScoreSlip) -> Player | None:
    """Return who typed it at the desk, for a side of their own (O13); None for telephones alone."""
    return Player.objects.filter(pk__in=[typed[DESK] for typed in slip.typed.values() if DESK in typed]).first()


def _call(tournament: Tournament, slip: ScoreSlip, fixture: Fixture, why: str, now: datetime) -> None:
    """Call the referees to the table: nothing enters by itself any more. Called already, they aren't called again."""
    again = bool(slip.called)
    slip.called, slip.due_at = why, None
    slip.save()
    if again:  # other words than those the desks show
        store_version(tournament)
    else:
        write_log(tournament, "slip_called", now, detail=FixtureDetail(fixture=fixture.pk))
        tell_referees(tournament, fixture, "referee_called")


def _end_call(slip: ScoreSlip) -> None:
    slip.called, slip.due_at = "", None
    slip.save()
