"""Play-offs for a rank (EV11), as the desk holds them at real tables, and the mark after which there are none.

A play-off is opened among all who share a rank, its results are typed, and the standings are recomputed from them, as
after any result (F3). What ranks become of it is ``scoring.play_offs``'.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from games.engine.game import Length, Setup
from games.options import list_lengths
from players.models import Player
from scoring.play_offs import LEAST, MOST
from tournaments.core.circuit_marks import mark_circuits
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import LoggedResult, PlayOffDetail
from tournaments.core.permissions import may_judge_between, require_organiser
from tournaments.core.play_offs import PlayOffPlan, draw_play_off, read_play_offs
from tournaments.core.reasons import read_reason
from tournaments.core.result import FORFEIT, NO_RESULT, FixtureResult, ResultTerms
from tournaments.desk.act import Act, begin_act
from tournaments.desk.results import Decision, make_result_by, recompute_after
from tournaments.formats.protocol import Slot
from tournaments.models import PlayOff, PlayOffEntry, PlayOffResult, Tournament

State = Tournament.State


def open_play_off(*, tournament_id: int, entry_ids: Collection[int], length: Length, act: Act) -> int | None:
    """Open a play-off among these entries, all who share a rank. Return its number; None where it was opened already.

    TournamentError: those of ``begin_act``; play_offs_elsewhere, play_offs_two_tables, play_off_not_over,
    play_off_closed; play_off_size, play_off_rank, play_off_running, play_off_length.
    """
    with transaction.atomic():
        tournament = _begin(tournament_id, act)
        if tournament is None:
            return None
        rank, seeds = _read_shared_rank(tournament, entry_ids)
        if any(not one.over and seeds.keys() & set(one.entries) for one in read_play_offs(tournament)):
            raise TournamentError("play_off_running")
        _require_length(tournament, length)
        tournament.play_offs_opened += 1
        row = PlayOff.objects.create(
            tournament=tournament,
            number=tournament.play_offs_opened,
            rank=rank,
            length_kind=length.kind,
            length_value=length.value,
            opened_at=act.now,
        )
        order = draw_play_off(tournament, seeds)
        PlayOffEntry.objects.bulk_create(
            PlayOffEntry(play_off=row, entry_id=pk, number=number) for number, pk in enumerate(order, start=1)
        )
        detail = PlayOffDetail(
            number=row.number, rank=rank, entries=order, reason=read_reason(act.reason, required=False), act=act.key
        )
        write_log(tournament, "play_off_opened", act.now, act.by, detail)
        store_version(tournament)
        return row.number


def set_result(*, tournament_id: int, number: int, slot: Slot, decision: Decision, act: Act) -> None:
    """Give a match of a play-off this result. Its first one needs no reason, a change does (F2).

    TournamentError: those of ``begin_act`` and of ``desk.results.make_result_by``; no_such_play_off,
    no_such_play_off_match, plays_there; play_off_depended_on.
    """
    with transaction.atomic():
        tournament = _begin(tournament_id, act)
        if tournament is not None:
            play_off = _find_match(tournament, number, slot, act)
            result = make_result_by(make_terms(tournament, play_off.length), decision)
            _decide(tournament, play_off, slot, result, act)


def declare_forfeit(*, tournament_id: int, number: int, slot: Slot, sides: tuple[int, ...], act: Act) -> None:
    """Declare that a side of a match of a play-off forfeits it, or both: then nobody goes on (K5)."""
    if sides not in ((0,), (1,), (0, 1)):
        raise TournamentError("no_such_line")
    with transaction.atomic():
        tournament = _begin(tournament_id, act)
        if tournament is not None:
            play_off = _find_match(tournament, number, slot, act)
            result = FixtureResult.from_forfeit(make_terms(tournament, play_off.length), sides, FORFEIT)
            _decide(tournament, play_off, slot, result, act)


def take_result_back(*, tournament_id: int, number: int, slot: Slot, act: Act) -> None:
    """Take the result of a match of a play-off back, with a reason: it is to be played."""
    with transaction.atomic():
        tournament = _begin(tournament_id, act)
        if tournament is not None:
            play_off = _find_match(tournament, number, slot, act)
            if slot not in play_off.results:
                raise TournamentError("no_such_play_off_match")
            _decide(tournament, play_off, slot, None, act)


def drop_play_off(*, tournament_id: int, number: int, act: Act) -> None:
    """Take a whole play-off away, with a reason; the log keeps that there was one."""
    with transaction.atomic():
        tournament = _begin(tournament_id, act)
        if tournament is None:
            return
        read_reason(act.reason)
        play_off = _find_play_off(tournament, number)
        if not all(_may_judge_match(tournament, play_off, slot, act) for slot in play_off.results):
            raise TournamentError("plays_there")
        PlayOff.objects.filter(tournament=tournament, number=number).delete()
        _write(tournament, "play_off_dropped", play_off, act)
        recompute_after(tournament, act.now)


@transaction.atomic
def close_tournament(*, tournament_id: int, by: Player, now: datetime) -> None:
    """Mark a tournament that is over as closed: no play-off is opened or changed any more (EV11).

    TournamentError: not_organiser; close_not_over, closed_already, play_off_running.
    """
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state != State.FINISHED:
        raise TournamentError("close_not_over")
    if tournament.closed_at is not None:
        raise TournamentError("closed_already")
    if any(not one.over for one in read_play_offs(tournament)):
        raise TournamentError("play_off_running")
    tournament.closed_at = now
    _store_mark(tournament, "closed", by, now)


@transaction.atomic
def reopen_tournament(*, tournament_id: int, by: Player, now: datetime) -> None:
    """Take the mark away again. TournamentError: not_organiser; not_closed."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.closed_at is None:
        raise TournamentError("not_closed")
    tournament.closed_at = None
    _store_mark(tournament, "closed_not", by, now)


def make_terms(tournament: Tournament, length: Length) -> ResultTerms:
    """Return the terms of a match of a play-off of this length: it has a winner (K3), and no VP."""
    setup = Setup(
        ruleset=tournament.ruleset,
        players=tournament.entry_kind.players,
        length=length,
        context="ko",
        options=tournament.options,
        first_dealer=0,
    )
    return ResultTerms(setup, has_vp=False)


def list_play_off_lengths(tournament: Tournament) -> tuple[Length, ...]:
    """Return the lengths that a match of a play-off may have."""
    own = Length("deals", 1)
    return list_lengths(make_terms(tournament, own).setup)


def require_open(tournament: Tournament) -> None:
    """Raise TournamentError where no play-off may be opened or changed now."""
    if not tournament.venue.plays_off:
        raise TournamentError("play_offs_elsewhere")
    if tournament.entry_kind.has_parts:
        raise TournamentError("play_offs_two_tables")
    if tournament.state != State.FINISHED:
        raise TournamentError("play_off_not_over")
    if tournament.closed_at is not None:
        raise TournamentError("play_off_closed")


def _begin(tournament_id: int, act: Act) -> Tournament | None:
    tournament = begin_act(tournament_id, act, needs_reason=False)
    if tournament is not None:
        require_open(tournament)
    return tournament


def _read_shared_rank(tournament: Tournament, entry_ids: Collection[int]) -> tuple[int, dict[int, int]]:
    """Return the rank that these entries share, and nobody else does, and their seeds by id."""
    drawn = tournament.entries.drawn()
    own = list(drawn.filter(pk__in=entry_ids))
    ranks = {entry.rank for entry in own}
    rank = own[0].rank if len(ranks) == 1 else None
    if rank is None or len(own) != len(set(entry_ids)) or drawn.filter(rank=rank).count() != len(own):
        raise TournamentError("play_off_rank")
    if not LEAST <= len(own) <= MOST:
        raise TournamentError("play_off_size", least=LEAST, most=MOST)
    return rank, {entry.pk: entry.seed or 0 for entry in own}


def _require_length(tournament: Tournament, length: Length) -> None:
    allowed = list_play_off_lengths(tournament)
    if length not in allowed:
        raise TournamentError("play_off_length", allowed=allowed)


def _find_play_off(tournament: Tournament, number: int) -> PlayOffPlan:
    play_off = next((one for one in read_play_offs(tournament) if one.number == number), None)
    if play_off is None:
        raise TournamentError("no_such_play_off")
    return play_off


def _find_match(tournament: Tournament, number: int, slot: Slot, act: Act) -> PlayOffPlan:
    """Return the play-off with a match at this slot that both sides are known of, and that isn't the referee's (F1)."""
    play_off = _find_play_off(tournament, number)
    if play_off.find_pairing(slot) is None:
        raise TournamentError("no_such_play_off_match")
    if not _may_judge_match(tournament, play_off, slot, act):
        raise TournamentError("plays_there")
    return play_off


def _may_judge_match(tournament: Tournament, play_off: PlayOffPlan, slot: Slot, act: Act) -> bool:
    pairing = play_off.find_pairing(slot)
    return pairing is not None and may_judge_between(tournament, act.by, play_off.name_sides(pairing))


def _decide(tournament: Tournament, play_off: PlayOffPlan, slot: Slot, result: FixtureResult | None, act: Act) -> None:
    """Store a result in place of the one there was, None: of none, and recompute the standings."""
    before = play_off.results.get(slot)
    read_reason(act.reason, required=before is not None)
    if play_off.list_dependents(slot, result):
        raise TournamentError("play_off_depended_on")
    row = PlayOff.objects.get(tournament=tournament, number=play_off.number)
    place = {"play_off": row, "round": slot.round, "board": slot.board}
    PlayOffResult.objects.filter(**place).delete()
    if result is not None:
        points = result.points or (None, None)
        PlayOffResult.objects.create(
            **place,
            winner=result.winner,
            double_forfeit=result.double_forfeit,
            forfeit_by=result.forfeit_by,
            points_0=points[0],
            points_1=points[1],
            decided_by=result.decided_by,
            result_at=act.now,
        )
    code = "play_off_result" if before is None else "play_off_changed"
    _write(tournament, code, play_off, act, slot, (before, result))
    recompute_after(tournament, act.now)


def _write(
    tournament: Tournament,
    code: str,
    play_off: PlayOffPlan,
    act: Act,
    slot: Slot | None = None,
    results: tuple[FixtureResult | None, FixtureResult | None] = (None, None),
) -> None:
    """Log an act on a play-off: of one of its matches with its two sides."""
    pairing = None if slot is None else play_off.find_pairing(slot)
    detail = PlayOffDetail(
        number=play_off.number,
        rank=play_off.rank,
        entries=play_off.entries if pairing is None else play_off.name_sides(pairing),
        reason=read_reason(act.reason, required=False),
        act=act.key,
        slot=(0, 0) if slot is None else (slot.round, slot.board),
        before=None if slot is None else _log_result(results[0]),
        after=None if slot is None else _log_result(results[1]),
    )
    write_log(tournament, code, act.now, act.by, detail)


def _log_result(result: FixtureResult | None) -> LoggedResult:
    return LoggedResult(over=result is not None, playing=False, annulled=False, result=result or NO_RESULT)


def _store_mark(tournament: Tournament, code: str, by: Player, now: datetime) -> None:
    write_log(tournament, code, now, by)
    mark_circuits(tournament, now)
    store_version(tournament)
