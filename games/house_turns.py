"""Turns of the house's players thought about before their pause is over, so that nobody's deadline waits for thinking.

One process of the whole site thinks (HP0): of all workers the one that holds the lease plans, and every worker's sweep
moves. A plan belongs to a version of a table and is made of what its seat may know; the guarded service drops one that
came too late. Where no plan came, because nobody plans or too many wait, the move is made by rules of thumb: at once
where the planner says so, else after HOUSE_PATIENCE.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from secrets import token_hex

from django.db import DEFAULT_DB_ALIAS, DatabaseError, IntegrityError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q
from django.utils import timezone

from games import match_cache, metrics, selectors
from games.clocks import HOUSE_PATIENCE
from games.engine.game import controlling_seat
from games.models import Lease
from games.outages import tidy_connections
from games.selectors import HouseTurn
from games.site_rest import HORIZON, SiteRest, worker_rest
from games.thinking import HousePlan, Thinker, make_question
from players.caps import SWEEP_LOCK_SECONDS, SWEEP_STATEMENT_SECONDS, SWEEP_WRITER_SECONDS
from players.db_limits import open_own_connection

logger = logging.getLogger(__name__)

ROUND_SECONDS = 0.1
LONGEST_ROUND_SECONDS = 0.3  # then the turns are listed anew: others may be due sooner
ANSWER_SECONDS = 1.0
RETRY_SECONDS = 1.0  # after a fault, the database's mostly
PROCESSOR_SHARE = 0.5  # of one, for all the house's players together (HP0)
CREDIT_SECONDS = 0.25  # of processor that an idle house may use at once
HORIZON_SECONDS = 0.9  # in which all who wait should be thought about: the shortest pause
MOST_HALVINGS = 5
MAX_TURNS = 1000  # looked at in one round
LEASE = "house"
LEASE_TIME, LEASE_RENEWED = timedelta(seconds=3), timedelta(seconds=1)


_plans: dict[int, HousePlan] = {}  # by match, of this process


def find_plan(match_id: int) -> HousePlan | None:
    """Return what this process has planned for the table; it may be for another version."""
    return _plans.get(match_id)


def list_due(now: datetime) -> Iterable[int]:
    """List the matches in which the house moves now: those planned here, those with nothing to think about, and those
    for which nobody had a plan in time."""
    waited = now - HOUSE_PATIENCE
    for turn in selectors.list_house_turns(until=now, unwatched=worker_rest.is_quiet):
        if turn.opening or turn.due_at <= waited or _is_planned(turn):
            yield turn.match_id


def _is_planned(turn: HouseTurn) -> bool:
    plan = _plans.get(turn.match_id)
    return plan is not None and plan.version == turn.version


class HouseLease:
    """The right to think for the house, of one process of the site at a time."""

    def __init__(self) -> None:
        self.holder = token_hex(8)
        self._held = False
        self._asks_at: datetime | None = None

    def hold(self, now: datetime) -> bool:
        """Take the lease, or renew it in time; False while another process has it. It asks once in LEASE_RENEWED."""
        if self._asks_at is not None and now < self._asks_at:
            return self._held
        until = now + LEASE_TIME
        own_or_over = Q(holder=self.holder) | Q(until__lte=now)
        taken = Lease.objects.filter(own_or_over, name=LEASE).update(holder=self.holder, until=until)
        self._held = bool(taken) or self._create(until)
        self._asks_at = now + LEASE_RENEWED
        return self._held

    def _create(self, until: datetime) -> bool:
        if Lease.objects.filter(name=LEASE).exists():
            return False
        try:
            with transaction.atomic():
                Lease.objects.create(name=LEASE, holder=self.holder, until=until)
        except IntegrityError:
            return False
        return True

    def release(self) -> None:
        """Let another process have it at once."""
        if self._held:
            Lease.objects.filter(name=LEASE, holder=self.holder).delete()
            self._held, self._asks_at = False, None


class Budget:
    """Half a processor: what was used is waited for, but for a small credit."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._free_at = seconds() - CREDIT_SECONDS / PROCESSOR_SHARE
        self.mean = 0.01  # seconds of processor that a decision takes in full, lately

    def spend(self, used: float, halvings: int) -> None:
        """Charge the seconds of processor of a decision halved so often."""
        self.charge(used)
        self.mean += (used * 2**halvings - self.mean) / 20

    def charge(self, used: float) -> None:
        """Charge seconds of processor."""
        earliest = self._seconds() - CREDIT_SECONDS / PROCESSOR_SHARE
        self._free_at = max(self._free_at, earliest) + used / PROCESSOR_SHARE

    def compute_wait(self) -> float:
        """Return the seconds until processor may be used again."""
        return max(0.0, self._free_at - self._seconds())

    def choose_halvings(self, waiting: int) -> int:
        """Return how often samples are halved so that so many turns are thought about in time."""
        needed = waiting * self.mean / PROCESSOR_SHARE
        halvings = 0
        while needed > HORIZON_SECONDS and halvings < MOST_HALVINGS:
            needed /= 2
            halvings += 1
        return halvings


class HousePlanner(threading.Thread):
    """Thinks about the house's turns until stopped, on a connection of its own; the turns that are due first."""

    def __init__(self, clock: Callable[[], datetime] = timezone.now, rest: SiteRest = worker_rest) -> None:
        super().__init__(name="house-planner", daemon=True)
        self.clock, self.rest = clock, rest
        self.ended = threading.Event()
        self.lease = HouseLease()
        self.budget = Budget()
        self.thinker = Thinker()
        self._connection: BaseDatabaseWrapper | None = None

    def run(self) -> None:
        while not self.ended.is_set():
            try:
                self._connect()
                calls = self.rest.calls
                if self.may_rest():
                    self.thinker.stop()
                    self.rest.wait(self.ended, since=calls)
                    continue
                self.plan_round()
            except Exception:
                logger.exception("the house's turns could not be planned")
                tidy_connections()
                self.ended.wait(RETRY_SECONDS)
            self.ended.wait(ROUND_SECONDS)
        self._close()

    def may_rest(self) -> bool:
        """Tell if nobody is on the site and no turn of the house is near but those that wait for somebody to come."""
        return self.rest.is_quiet and not selectors.list_house_turns(
            until=self.clock() + HORIZON, most=1, unwatched=True
        )

    def plan_round(self) -> None:
        """Think about every turn that nobody has thought about, if it is ours to think."""
        if not self.lease.hold(self.clock()):
            _plans.clear()
            return
        turns = [
            turn
            for turn in selectors.list_house_turns(most=MAX_TURNS, unwatched=self.rest.is_quiet)
            if not turn.opening
        ]
        running = {turn.match_id for turn in turns}
        for match_id in [match_id for match_id in _plans if match_id not in running]:
            _plans.pop(match_id, None)
        unplanned = [turn for turn in turns if not _is_planned(turn)]
        metrics.HOUSE_WAITING.set(len(unplanned))
        began = time.monotonic()
        for place, turn in enumerate(unplanned):
            if self.clock() >= turn.due_at:
                _plans[turn.match_id] = HousePlan(turn.version, ())
                continue
            self.ended.wait(self.budget.compute_wait())
            if self.ended.is_set() or not self.lease.hold(self.clock()):
                return
            try:
                plan = self._plan(turn, self.budget.choose_halvings(len(unplanned) - place))
            except DatabaseError:
                raise
            except Exception:  # of this table alone
                logger.exception("a turn of the house could not be planned: match %s", turn.match_id)
                plan = HousePlan(turn.version, ())
            if plan is not None:
                _plans[turn.match_id] = plan
            if time.monotonic() - began > LONGEST_ROUND_SECONDS:
                return

    def _plan(self, turn: HouseTurn, halvings: int) -> HousePlan | None:
        """Return what the house does at this turn, by rules of thumb if no answer came; None where the table is
        elsewhere by now."""
        began = time.thread_time()
        match, position = match_cache.read_match(turn.match_id)
        if position is None or match.version != turn.version or match.turn_seat is None:
            return None
        views = match_cache.read_views(match, position, controlling_seat(match.turn_seat, match.players))
        if views is None:
            return None
        question = make_question(match.ruleset, views, match.strength, halvings=halvings)
        asked = time.monotonic()
        answer = self.thinker.ask(question, ANSWER_SECONDS)
        if answer is None:
            busy = min(time.monotonic() - asked, ANSWER_SECONDS)  # perhaps all the time
            self.budget.charge(time.thread_time() - began + busy)
            return HousePlan(turn.version, ())
        self.budget.spend(time.thread_time() - began + answer.seconds, halvings)
        metrics.HOUSE_THINKING_SECONDS.observe(answer.seconds)
        return HousePlan(turn.version, answer.moves, halvings)

    def stop(self) -> None:
        """End the thread, after the turn that it thinks about now, and the process aside."""
        self.ended.set()
        self.rest.call()
        if self.is_alive():
            self.join(timeout=5)

    def _connect(self) -> None:
        if self._connection is None or connections[DEFAULT_DB_ALIAS] is not self._connection:
            self._connection = open_own_connection(
                lock_seconds=SWEEP_LOCK_SECONDS,
                statement_seconds=SWEEP_STATEMENT_SECONDS,
                writer_seconds=SWEEP_WRITER_SECONDS,
            )

    def _close(self) -> None:
        _plans.clear()
        self.thinker.stop()
        try:
            self.lease.release()
        except Exception:
            logger.exception("the lease of the house's planner could not be given up")
        connections.close_all()
