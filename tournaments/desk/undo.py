"""The last entry of a result, taken back by the referee who made it (O13).

The fixture has again what it had before, if it is still as that entry left it and nothing hangs on it (F3). What ended
a table in play can't be taken back: its cards are gone. Afterwards the entry before is the last one.
"""

from dataclasses import dataclass

from django.db import transaction

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.log_details import ACT, REOPENED, ResultActDetail, UndoDetail, read_detail
from tournaments.core.reads import read_fixture_row
from tournaments.core.reasons import read_reason
from tournaments.desk.act import (
    Act,
    begin_act,
    compute_stamp,
    locate_fixture,
    lock_fixture_for,
    make_conflict,
    read_result,
    tell_ruling,
    write_act,
)
from tournaments.desk.results import forget_typed, recompute_after
from tournaments.models import Entry, Fixture, LogEntry, Tournament
from tournaments.running import dependents

ENTRIES = tuple(
    f"{ACT}{what}" for what in ("result", "entered", "forfeit", "annulled", "reinstated", "replay", REOPENED)
)
UNDONE = f"{ACT}undone"


@dataclass(frozen=True, slots=True)
class LastEntry:
    """The last entry of a result by a referee, as their page offers to take it back."""

    log_id: int
    entered: ResultActDetail
    names: tuple[str, str]  # of the sides
    stamp: str


def read_last_entry(tournament: Tournament, by: Player) -> LastEntry | None:
    """Return the referee's last entry of a result; None where nothing can be taken back."""
    last = find_last_entry(tournament, by)
    if last is None:
        return None
    entered = read_detail(last, ResultActDetail)
    assert entered.place is not None
    fixture = Fixture.objects.select_related("round", "match").get(pk=entered.place.fixture)
    row = read_fixture_row(fixture, None)
    first, second = ("" if side is None else side.name for side in (row.first, row.second))
    return LastEntry(last.pk, entered, (first, second), compute_stamp(fixture))


def find_last_entry(tournament: Tournament, by: Player) -> LogEntry | None:
    """Return the log entry of the last result that a referee entered and hasn't taken back; None where none can be."""
    own = LogEntry.objects.filter(tournament=tournament, player=by)
    undone = [read_detail(entry, UndoDetail).undoes for entry in own.filter(code=UNDONE)]
    last = own.filter(code__in=ENTRIES).exclude(pk__in=undone).order_by("-pk").first()
    return None if last is None or not _can_be_undone(read_detail(last, ResultActDetail)) else last


def undo_entry(*, tournament_id: int, entry_id: int, act: Act) -> None:
    """Take back the entry of a result with this log id, the referee's last one.

    A reason is needed where the entry had one. TournamentError: nothing_to_undo, also where another entry is the last
    by now; fixture_changed, where somebody has changed it since; entry_left; depended_on.
    """
    with transaction.atomic():
        tournament = begin_act(tournament_id, act, needs_reason=False)
        if tournament is None:
            return
        last = find_last_entry(tournament, act.by)
        if last is None or last.pk != entry_id:
            raise TournamentError("nothing_to_undo")
        entered = read_detail(last, ResultActDetail)
        read_reason(act.reason, required=bool(entered.reason))
        assert entered.place is not None
        fixture = lock_fixture_for(tournament, entered.place.fixture, act)
        before = read_result(fixture)
        if before != entered.after:
            raise make_conflict(tournament, fixture)
        _restore(fixture, entered)
        dependents.require_no_dependents(tournament, fixture)
        fixture.save()
        detail = UndoDetail(
            place=locate_fixture(fixture),
            before=before,
            after=read_result(fixture),
            pairings_kept=before.over and dependents.were_pairings_kept(tournament, fixture),
            undoes=last.pk,
        )
        write_act(tournament, "undone", act, detail)
        recompute_after(tournament, act.now, [fixture])
        tell_ruling(tournament, fixture, act)


def _can_be_undone(entered: ResultActDetail) -> bool:
    """Tell if what stood before an entry can stand again: a result, or none, but no table that it ended."""
    return entered.after is not None and not entered.before.playing


def _restore(fixture: Fixture, entered: ResultActDetail) -> None:
    """Give the fixture in memory what it had before the entry; nobody plays for an entry that has left since (R5)."""
    former = entered.before
    sides = [pk for pk in (fixture.first_id, fixture.second_id) if pk is not None]
    if not former.over and Entry.objects.filter(pk__in=sides, withdrawn_at__isnull=False).exists():
        raise TournamentError("entry_left")
    former.result.write_to(fixture)
    fixture.annulled, fixture.ruled = former.annulled, former.ruled
    if not former.over:
        fixture.result_at, fixture.state = None, Fixture.State.WAITING
        forget_typed(fixture)
    else:
        fixture.state = Fixture.State.ANNULLED if former.annulled else Fixture.State.DONE
