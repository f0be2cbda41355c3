"""Levels as they are written: each new or changed result is taken in, and what follows it is rated anew (L6).

Whoever writes levels holds the one row of ``LevelBook``. Little is done at once; more is a run, computed in the
background: its steps are written in parts, and the levels that everybody reads at its very end. A run that died is
begun again. Nothing here decides what counts, or what it is worth.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TypeVar

from celery import current_app
from django.db import transaction
from django.db.models import QuerySet

from games.clocks import Now, read_instant
from scoring import counted_matches
from scoring.counted_matches import Place, follow
from scoring.models import Level, LevelBook, LevelChange, LevelStep
from scoring.ratings import Rating
from scoring.replayed_levels import EQUAL, LevelKey, RatedStep, ReplayedLevels, Standing

logger = logging.getLogger(__name__)

TASK = "scoring.recompute_levels"
AT_ONCE = 200  # matches that are rated anew in one transaction
PART = 1000  # steps that a run writes in one
BEAT_FOR = timedelta(minutes=2)  # a run that gave no sign for so long has died
KEY = "levels"
BEGINNING = Place(datetime(2000, 1, 1, tzinfo=UTC), 0)
Row = TypeVar("Row")
Levels = dict[LevelKey, Standing | None]
REPLACED = [name for name in RatedStep._fields if name not in ("match_id", "player_id")]


@dataclass(slots=True)
class Rewriting:
    """The steps that aren't what the results give: gone, other ones and new ones; and the levels at the end."""

    gone: dict[int, RatedStep] = field(default_factory=dict)  # by id
    other: dict[int, tuple[RatedStep, RatedStep]] = field(default_factory=dict)  # by id: what was and what is
    new: list[RatedStep] = field(default_factory=list)
    levels: Levels = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.gone) + len(self.other) + len(self.new)


class RunLost(Exception):
    """Somebody else does the run by now: this one gave no sign for too long, and must write nothing more."""


@dataclass(slots=True)
class RunPulse:
    """Signs of life of a run, by which also whoever does it knows that it is still theirs. ``last``: the last one."""

    now: Now
    last: datetime

    def beat(self, done: int | None = None) -> None:
        """Say that the run goes on, and how far it is. RunLost where somebody else has taken it over."""
        at, values = read_instant(self.now), {} if done is None else {"done": done}
        if not LevelBook.objects.filter(key=KEY, beat_at=self.last).update(beat_at=at, **values):
            raise RunLost
        self.last = at

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Open a transaction for a part of the run, in which nobody can take it over."""
        with transaction.atomic():
            self.beat()
            yield


def note_changes(*, match_ids: Collection[int], now: datetime) -> None:
    """Note that the results of these matches are new or have changed; the sweep has levels follow them."""
    LevelChange.objects.bulk_create([LevelChange(match_id=match_id, at=now) for match_id in match_ids])


def begin_whole_run(*, now: datetime) -> None:
    """Have everything rated anew from the very first match on; ``run`` does it."""
    with transaction.atomic():
        _begin_run(_lock_book(), BEGINNING, now)


def is_due() -> bool:
    """Tell if there is a result that levels don't follow, and no run that will see to it."""
    running = LevelBook.objects.filter(started_at__isnull=False)
    return LevelChange.objects.exists() and not running.exists()


def find_waiting() -> Place | None:
    """Return the first place from which levels don't follow the results yet; None where they all do."""
    places = [Place(row.run_from, row.run_match) for row in LevelBook.objects.all() if row.run_from is not None]
    _changes, since = _read_changes()
    return min([*places, *([since] if since is not None else [])], default=None)


def settle(*, now: datetime) -> int:
    """Have levels follow the results that are new or have changed; return how many steps that wrote.

    What would take long becomes a run; while there is one, changes wait for its end.
    """
    with transaction.atomic():
        book = _lock_book()
        if book.started_at is not None:
            return 0
        changes, since = _read_changes()
        written = 0
        if since is not None:
            if counted_matches.count_from(since) > AT_ONCE:
                _begin_run(book, since, now)
                return 0
            rewriting = compute_rewriting(since)
            written = _write_steps(rewriting, nullcontext)
            _write_levels(rewriting.levels)
        LevelChange.objects.filter(pk__in=changes).delete()
        return written


def run(*, now: Now) -> bool:
    """Do the run that waits to be done, or that died; False where there is none, or somebody is at it."""
    with transaction.atomic():
        book = _lock_book()
        at = read_instant(now)
        if book.run_from is None or (book.beat_at is not None and book.beat_at > at - BEAT_FOR):
            return False
        since = Place(book.run_from, book.run_match)
        changes, _since = _read_changes(since)
        LevelBook.objects.filter(key=KEY).update(beat_at=at, done=0)
    pulse = RunPulse(now, at)
    try:
        rewriting = compute_rewriting(since, pulse.beat)
        _write_steps(rewriting, pulse.hold)
        with pulse.hold():
            _write_levels(rewriting.levels)
            LevelChange.objects.filter(pk__in=changes).delete()
            idle = {"run_from": None, "run_match": 0, "started_at": None, "beat_at": None, "done": 0, "total": 0}
            LevelBook.objects.filter(key=KEY).update(**idle)
    except RunLost:
        logger.warning("a run of levels was taken for dead: another one has begun it again")
        return False
    return True


def compute_rewriting(since: Place, tell: Callable[[int], None] = lambda done: None) -> Rewriting:
    """Replay everything from a place on, and compare it with what is stored. ``tell`` is told how many matches are
    done."""
    replayed, given, done = ReplayedLevels(since if since > BEGINNING else None), dict[tuple[int, int], RatedStep](), 0
    for batch in counted_matches.list_counted(since):
        given |= {(step.match_id, step.player_id): step for step in replayed.rate(batch)}
        done += len(batch)
        tell(done)
    rewriting = Rewriting()
    for pk, stored in _list_stored(LevelStep.objects.filter(follow(since, "match_id"))):
        step = given.pop((stored.match_id, stored.player_id), None)
        if step is None:
            rewriting.gone[pk] = stored
        elif step.differs(stored):
            rewriting.other[pk] = (stored, step)
    rewriting.new = list(given.values())
    replayed.look_up({LevelKey(step.player_id, step.ruleset, step.form) for step in rewriting.gone.values()})
    rewriting.levels = replayed.standings
    return rewriting


def list_wrong_levels(
    levels: dict[LevelKey, Standing | None],
) -> list[tuple[LevelKey, Standing | None, Standing | None]]:
    """Return the levels that aren't these, with what is stored and what should be; of those named here alone."""
    stored = {
        LevelKey(level.player_id, level.ruleset, level.form): _read_standing(level)
        for level in Level.objects.iterator()
    }
    pairs = ((kind, stored.get(kind), standing) for kind, standing in levels.items())
    return [(kind, own, standing) for kind, own, standing in pairs if _are_different(own, standing)]


def _lock_book() -> LevelBook:
    LevelBook.objects.get_or_create(key=KEY)
    return LevelBook.objects.select_for_update().get(key=KEY)


def _read_changes(since: Place | None = None) -> tuple[list[int], Place | None]:
    """Return the changes that wait, from a place on, and the first place among them."""
    rows = LevelChange.objects.filter(match__finished_at__isnull=False).order_by("pk")
    asked = rows.values_list("pk", "match__finished_at", "match_id")
    places = {pk: Place(at, match) for pk, at, match in asked if at is not None}
    taken = {pk: place for pk, place in places.items() if since is None or place >= since}
    return list(taken), min(taken.values(), default=None)


def _begin_run(book: LevelBook, since: Place, now: datetime) -> None:
    if book.run_from is not None:
        since = min(since, Place(book.run_from, book.run_match))
    book.run_from, book.run_match = since
    book.started_at, book.beat_at = now, None
    book.done, book.total = 0, counted_matches.count_from(since)
    book.save()
    transaction.on_commit(_wake)


def _wake() -> None:
    try:
        current_app.send_task(TASK, ignore_result=True, retry=False)
    except Exception as error:
        logger.info("levels wait for the beat: %r", error)


def _list_stored(rows: QuerySet[LevelStep]) -> Iterator[tuple[int, RatedStep]]:
    values = rows.order_by("finished_at", "match_id").values_list("pk", *RatedStep._fields)
    for pk, *stored in values.iterator(chunk_size=PART):
        yield pk, RatedStep._make(stored)


def _write_steps(rewriting: Rewriting, hold: Callable[[], AbstractContextManager[None]]) -> int:
    """Write what differs, each part inside what ``hold`` opens; return how many steps that were."""
    for part in _cut(rewriting.gone):
        with hold():
            LevelStep.objects.filter(pk__in=part).delete()
    for steps in _cut([*(step for _was, step in rewriting.other.values()), *rewriting.new]):
        with hold():
            LevelStep.objects.bulk_create(
                [LevelStep(**step._asdict()) for step in steps],
                update_conflicts=True,
                unique_fields=["match", "player"],
                update_fields=REPLACED,
            )
    return len(rewriting)


def _cut(rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(rows)
    while part := list(islice(left, PART)):
        yield part


def _write_levels(levels: Levels) -> None:
    """Write the levels that differ from these."""
    rows = Level.objects.all()
    if len(levels) <= PART:
        rows = rows.filter(player__in={kind.player_id for kind in levels})
    stored = {_read_key(level): level for level in rows.iterator()}
    wrong = {kind: own for kind, own in levels.items() if _are_different(_find_standing(stored.get(kind)), own)}
    for empty in _cut(stored[kind].pk for kind, standing in wrong.items() if standing is None):
        Level.objects.filter(pk__in=empty).delete()
    written = [
        Level(
            player_id=kind.player_id,
            ruleset=kind.ruleset,
            form=kind.form,
            mu=standing.rating.mu,
            sigma=standing.rating.sigma,
            matches=standing.matches,
            rated_at=standing.rated_at,
        )
        for kind, standing in wrong.items()
        if standing is not None
    ]
    Level.objects.bulk_create(
        written,
        update_conflicts=True,
        unique_fields=["player", "ruleset", "form"],
        update_fields=["mu", "sigma", "matches", "rated_at"],
        batch_size=PART,
    )


def _read_key(level: Level) -> LevelKey:
    return LevelKey(level.player_id, level.ruleset, level.form)


def _find_standing(level: Level | None) -> Standing | None:
    return None if level is None else _read_standing(level)


def _read_standing(level: Level) -> Standing:
    return Standing(Rating(level.mu, level.sigma), level.matches, level.rated_at)


def _are_different(own: Standing | None, other: Standing | None) -> bool:
    if own is None or other is None:
        return own is not other
    same = abs(own.rating.mu - other.rating.mu) <= EQUAL and abs(own.rating.sigma - other.rating.sigma) <= EQUAL
    return not same or own[1:] != other[1:]
