"""Rehearsal of an act before it is confirmed (F5): it is carried out, the difference is read, and all is rolled back.

There is no second way of knowing: whatever the act refuses is refused here, what it changes is read from the database.
What waits for a commit (signals, hints, mails) is forgotten with it. It locks what the act locks, in the same order.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from games.withheld import require_withheld
from players.models import Player
from tournaments.core import notify
from tournaments.core.locking import lock_tournament
from tournaments.core.log_details import ACT, PLAIN_ENTRIES, LoggedResult, ResultActDetail, UndoDetail
from tournaments.core.reads import read_entries_of
from tournaments.core.result import COLUMNS
from tournaments.core.rows import EntryRow
from tournaments.desk.act import hide_result, read_result
from tournaments.desk.rulings import Ruling, list_rulings
from tournaments.entries.open_invitations import lock_inviter
from tournaments.models import Entry, Fixture, LogEntry, Tournament

AT_ONCE = 12  # of the changes of each kind that a page lists; the others are counted
READ = ("first_id", "second_id", "state", "match_id", "annulled", "ruled", "result_at", *COLUMNS)
State = Fixture.State
UNRANKED = (None, 0, 0)  # the standing before of an entry that comes in by the act


@dataclass(frozen=True, slots=True)
class FixtureChange:
    """A fixture whose result or pairing an act changes, with its result before and after."""

    fixture: Fixture
    first: EntryRow | None
    second: EntryRow | None
    before: LoggedResult
    after: LoggedResult


@dataclass(frozen=True, slots=True)
class StandingChange:
    """An entry whose stored standing an act changes: rank, VP and MP before and after."""

    entry: EntryRow
    before: tuple[int | None, int, int]
    after: tuple[int | None, int, int]


@dataclass(frozen=True, slots=True)
class Consequences:
    """Consequences of an act. ``recipients``: how many people are told; ``stays``: codes of what it doesn't undo."""

    ruling: Ruling | None  # as the log would have it
    results: tuple[FixtureChange, ...]
    pairings: tuple[FixtureChange, ...]
    standings: tuple[StandingChange, ...]
    closed: tuple[FixtureChange, ...]  # tables in play that it ends
    recipients: int
    asked: bool  # somebody has to accept first: until then nothing changes
    ends_round: bool  # whose results are withheld (J12): what they make of standings and pairings isn't told before
    stays: tuple[str, ...]
    stuck: int | None  # the round that can't be paired any more after it (D1)
    ends: bool  # the tournament is over by it

    @property
    def lists(self) -> dict[str, tuple[Sequence[Any], int]]:
        """Return the first changes of each kind, and how many more there are."""
        kinds = ("results", "pairings", "standings", "closed")
        return {kind: (getattr(self, kind)[:AT_ONCE], len(getattr(self, kind)[AT_ONCE:])) for kind in kinds}


@dataclass(frozen=True, slots=True)
class _Snapshot:
    fixtures: dict[int, tuple[Any, ...]]
    standings: dict[int, tuple[int | None, int, int]]
    withheld: frozenset[int]  # fixtures
    stuck: int | None
    over: bool


def rehearse(tournament: Tournament, by: Player, act: Callable[[], object]) -> Consequences:
    """Return the consequences of a referee's act, done now. Raise TournamentError where it would be refused."""
    with transaction.atomic():
        lock_inviter(by)
        lock_tournament(tournament.pk)
        before = _take_snapshot(tournament)
        logged = LogEntry.objects.filter(tournament=tournament).order_by("-pk").values_list("pk", flat=True).first()
        asked = act() is False
        consequences = _read_consequences(tournament, before, logged or 0, asked=asked)
        transaction.set_rollback(True)
    return consequences


def _take_snapshot(tournament: Tournament) -> _Snapshot:
    fixtures = Fixture.objects.with_results().of(tournament).order_by("round__number", "board").values_list("pk", *READ)
    standings = tournament.entries.drawn().values_list("pk", "rank", "vp", "mp")
    withheld = Fixture.objects.of(tournament).filter(require_withheld("round__")) if tournament.equal_deals else None
    stuck, state = Tournament.objects.filter(pk=tournament.pk).values_list("stuck_round", "state").get()
    return _Snapshot(
        {pk: values for pk, *values in fixtures},
        {pk: (rank, vp, mp) for pk, rank, vp, mp in standings},
        frozenset() if withheld is None else frozenset(withheld.values_list("pk", flat=True)),
        stuck,
        state == Tournament.State.FINISHED,
    )


def _read_consequences(tournament: Tournament, before: _Snapshot, logged: int, *, asked: bool) -> Consequences:
    after = _take_snapshot(tournament)
    changed = [pk for pk in after.fixtures if before.fixtures.get(pk) != after.fixtures[pk]]
    moved = [pk for pk, standing in after.standings.items() if before.standings.get(pk) != standing]
    moved.sort(key=lambda pk: (after.standings[pk][0] or 0, pk))
    fixtures = Fixture.objects.with_results().select_related("round").in_bulk(changed)
    former = {pk: _rebuild(before.fixtures.get(pk)) for pk in changed}
    pairs = [(one.first_id, one.second_id) for one in (*fixtures.values(), *former.values())]
    sides = {side for pair in pairs for side in pair if side is not None}
    rows = read_entries_of(Entry.objects.filter(tournament=tournament, pk__in={*moved, *sides}))
    changes = [_make_change(former[pk], fixtures[pk], rows) for pk in changed]
    acts = LogEntry.objects.filter(tournament=tournament, code__startswith=ACT, pk__gt=logged)
    acts = acts.exclude(code__in=[f"{ACT}{what}" for what in PLAIN_ENTRIES])  # a first result is no ruling
    ruling = list_rulings(tournament, rows.values(), latest=1, before_reveal=True)[0] if acts.exists() else None
    paired = [
        (former[pk].first_id, former[pk].second_id) != (fixtures[pk].first_id, fixtures[pk].second_id) for pk in changed
    ]
    ends_round = not before.withheld <= after.withheld

    def show(shown: Iterable[FixtureChange]) -> tuple[FixtureChange, ...]:
        return tuple(_hide_results(one) if one.fixture.pk in before.withheld else one for one in shown)

    return Consequences(
        ruling=_hide_withheld(ruling, before.withheld),
        results=show(one for one in changes if _has_other_result(one) and not _is_own(one, ruling)),
        pairings=() if ends_round else show(one for one, other in zip(changes, paired, strict=True) if other),
        standings=()
        if ends_round
        else tuple(StandingChange(rows[pk], before.standings.get(pk, UNRANKED), after.standings[pk]) for pk in moved),
        closed=show(one for pk, one in zip(changed, changes, strict=True) if former[pk].state == State.PLAYING),
        recipients=len(notify.list_told()),
        asked=asked,
        ends_round=ends_round,
        stays=_list_what_stays(tournament, ruling, moved),
        stuck=None if after.stuck == before.stuck else after.stuck,
        ends=after.over and not before.over,
    )


def _rebuild(values: Sequence[Any] | None) -> Fixture:
    """Return a fixture in memory with these values of ``READ``; an empty one for None."""
    return Fixture(**dict(zip(READ, values or (), strict=bool(values))))


def _make_change(former: Fixture, fixture: Fixture, rows: dict[int, EntryRow]) -> FixtureChange:
    first, second = (None if pk is None else rows[pk] for pk in (fixture.first_id, fixture.second_id))
    return FixtureChange(fixture, first, second, _read_shown(former), _read_shown(fixture))


def _read_shown(fixture: Fixture) -> LoggedResult:
    """Return a fixture's result as it counts: annulled also where its entry left (R5)."""
    logged = read_result(fixture)
    annulled = logged.annulled or fixture.state == State.ANNULLED
    return LoggedResult(logged.over, logged.playing, annulled, logged.result)


def _hide_results(change: FixtureChange) -> FixtureChange:
    return replace(change, before=hide_result(change.before), after=hide_result(change.after))


def _hide_withheld(ruling: Ruling | None, withheld: Collection[int]) -> Ruling | None:
    """Return an act without the results that are withheld (J12), but for the one that it sets itself."""
    place = None if ruling is None else ruling.detail.place
    if ruling is None or place is None or place.fixture not in withheld:
        return ruling
    detail = ruling.detail
    if not isinstance(detail, ResultActDetail) or detail.before is None:
        return ruling
    after = detail.after if ruling.code == "result" or detail.after is None else hide_result(detail.after)
    return replace(ruling, detail=replace(detail, before=hide_result(detail.before), after=after))


def _has_other_result(change: FixtureChange) -> bool:
    return (change.before.over, change.before.annulled, change.before.result) != (
        change.after.over, change.after.annulled, change.after.result,
    )  # fmt: skip


def _is_own(change: FixtureChange, ruling: Ruling | None) -> bool:
    """Tell if it is the fixture that the act is about: the act itself says what becomes of it."""
    place = None if ruling is None else ruling.detail.place
    return place is not None and place.fixture == change.fixture.pk


def _list_what_stays(tournament: Tournament, ruling: Ruling | None, moved: Collection[int]) -> tuple[str, ...]:
    """Return the codes of what a correction doesn't undo."""
    if ruling is None or not isinstance(ruling.detail, ResultActDetail | UndoDetail) or not ruling.detail.before.over:
        return ()
    kept = [
        ("notices", True),
        ("pairings", ruling.detail.pairings_kept),
        ("prints", bool(moved)),
        ("prizes", tournament.state == Tournament.State.FINISHED),
    ]
    return tuple(code for code, applies in kept if applies)
