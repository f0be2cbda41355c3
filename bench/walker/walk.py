"""A walk: a tournament by some modes, acts drawn from a seed, checks after each of them, and a policy that ends it.

The seed says everything. Each act has dice of its own, by its number, so that a walk with some acts left out does the
others as before, as far as it can: that is how a walk that fails is made short.
"""

import random
import traceback
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any
from unittest.mock import patch

from django.db import transaction
from django.test import Client

from bench.walker import acts, checks, pages, policy
from bench.walker.facts import Facts
from bench.walker.kinds import ANYBODY, Call
from bench.walker.modes import Modes, build_settings, read_modes
from bench.walker.policy import MOST_STEPS, Unended
from bench.walker.world import World
from games.services.errors import ActionRefused
from players.names import BadName
from tests.support.commits import commits_at_block_end
from tournaments.circuits.errors import CircuitError
from tournaments.core.errors import TournamentError
from tournaments.entries import typed_names
from tournaments.models import Referee, Tournament
from tournaments.organise import lifecycle
from tournaments.register.errors import RegisterError

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
REFUSALS = (TournamentError, ActionRefused, CircuitError, RegisterError, BadName, pages.PageRefusal)  # each has a code
MOST_ACTS = 9
BEGUN = 0.75  # of the walks begin with the first round
DRAWS = 5  # kinds of acts that are tried until one can be done
State = Tournament.State
ENTERING = (State.OPEN, State.CHECKIN)


class Fault(Exception):
    """Sentence about what a walk has found, in one line."""


@dataclass
class Walk:
    """``keep``: the numbers of the acts that are done, None for all. ``acts``: what was done, and what came of it."""

    world: World
    seed: str
    modes: Modes
    keep: Collection[int] | None = None
    careful: bool = True  # check after each step of the policy too, not only at the end
    acts: list[str] = field(default_factory=list)
    done: list[int] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    now: datetime = NOW
    keys: list[str] = field(default_factory=list)  # of those who entered by telephone
    others: set[str] = field(default_factory=set)  # names that were said to be another person's
    programs: dict[int, Client] = field(default_factory=dict)  # by their owners
    codes: dict[int, tuple[str, str]] = field(default_factory=dict)  # of slips, by fixture
    facts: Facts | None = None
    dump: checks.Dump = field(default_factory=dict)
    tournament: Tournament = field(init=False)
    last: Call | None = None

    @property
    def length(self) -> int:
        """Return how many acts come before the policy."""
        return Random(f"{self.seed}/length").randint(3, MOST_ACTS)

    def run(self) -> None:
        """Walk to the end. Fault: something is wrong."""
        self._begin()
        for number in range(self.length):
            if self.tournament.state == State.CANCELLED:
                break
            if self.keep is None or number in self.keep:
                self._do(number, Random(f"{self.seed}/{number}"))
        dice = Random(f"{self.seed}/policy")
        for _ in range(MOST_STEPS):
            words, run = self._choose_step(dice)
            if self.tournament.state in (State.FINISHED, State.CANCELLED):
                self._look()
                return
            self._try(Call(f"to end it the organiser {words}", run), must=True)
        raise Fault(f"it doesn't end in {MOST_STEPS} steps")

    def _begin(self) -> None:
        about: dict[str, Any] = {"now": self.now}
        settings = build_settings(self.modes, self.now)
        made = lifecycle.create_tournament(organiser=self.world.organiser, settings=settings, **about)
        for referee in self.world.referees:
            Referee.objects.create(tournament=made, player=referee)
        self.tournament = lifecycle.publish_tournament(tournament_id=made.pk, by=self.world.organiser, **about)
        dice = Random(f"{self.seed}/field")
        self._fill(dice)
        self.tournament.refresh_from_db()
        if dice.random() < BEGUN:
            for _ in range(MOST_STEPS):
                if self.tournament.state not in ENTERING:
                    break
                self._do_call(Call(*self._choose_step(dice)))
                self.tournament.refresh_from_db()
        self.dump = checks.dump()

    def _choose_step(self, dice: Random) -> policy.Step:
        """Return what the policy would do now. Fault: there is nothing."""
        try:
            step = policy.choose_step(self, dice)
        except Unended as sentence:
            raise Fault(f"it can't be ended: {sentence}") from None
        return step or ("nothing", lambda: None)

    def _fill(self, dice: Random) -> None:
        """Enter as many as the modes say, as they say."""
        if self.modes["entry"] == "names":
            rows = policy.make_rows(self.tournament, self.modes.joined * self.modes.size)
            dice.shuffle(rows)
            about: dict[str, Any] = {"tournament_id": self.tournament.pk, "by": self.world.organiser, "now": self.now}
            self._do_call(Call("organiser types all names", lambda: typed_names.type_entries(rows=rows, **about)))
            return
        for _ in range(3 * self.modes.joined * self.modes.size):
            if (
                self.tournament.entries.count() >= self.modes.joined * self.modes.size
                or self.tournament.drawn_at is not None
            ):
                break
            entering = [one for one in acts.KINDS if one.name in ENTERS and one.weigh(self)]
            call = dice.choice(entering).choose(self, dice)
            if call is not None:
                self._do_call(call)
            self.tournament.refresh_from_db()

    def _do(self, number: int, dice: Random) -> None:
        """Do the act of a number: one of the kinds that can be done now."""
        if self.last is not None and dice.random() < 0.06:
            self.counts["again"] += 1
            self.done.append(number)
            self._try(Call(f"again: {self.last.words}", self.last.run))
            return
        for _ in range(DRAWS):
            weights = [kind.weigh(self) for kind in acts.KINDS]
            if not any(weights):
                return
            (kind,) = dice.choices(acts.KINDS, weights)
            call = kind.choose(self, dice)
            if call is not None:
                self.counts[kind.name] += 1
                self.done.append(number)
                self._try(call)
                self.last = call
                return

    def _do_call(self, call: Call) -> str:
        """Do an act. Return the code of its refusal, empty where it is done. Fault: it broke down."""
        try:
            call.run()
        except REFUSALS as refusal:
            code = str(getattr(refusal, "code", refusal))
            self.counts["refused"] += 1
            self.acts.append(f"{call.words}: refused, {code}")
            return code
        except Exception as error:
            self.acts.append(f"{call.words}: {type(error).__name__}")
            where = traceback.format_exc().strip().splitlines()
            raise Fault(f"{type(error).__name__}: {error} ({' '.join(where[-4:-1])})") from error
        self.counts["done"] += 1
        self.acts.append(call.words)
        return ""

    def _try(self, call: Call, *, must: bool = False) -> None:
        """Do an act, and check what it has come to."""
        refused = self._do_call(call)
        if refused and must:
            raise Fault(f"what ends it is refused: {refused}")
        if must and not self.careful:
            self.tournament = Tournament.objects.get(pk=self.tournament.pk)
            return
        before = self.dump
        self._look(refused)
        if refused and (changed := checks.find_changes(before, self.dump)):
            raise Fault(f"refused, and yet changed: {'; '.join(changed)}")

    def _look(self, refused: str = "") -> None:
        """Read all rows anew, and check them where they have changed. Fault: something is wrong."""
        before, self.dump = self.dump, checks.dump()
        if refused or before == self.dump:
            return
        self.tournament = Tournament.objects.get(pk=self.tournament.pk)
        self.facts, faults = checks.find_faults(self.tournament, self.dump, self.facts)
        namesakes = [name for name in checks.list_namesakes(self.dump) if name not in self.others]
        if namesakes and ANYBODY not in self.others:
            faults.append(f"two are called {', '.join(namesakes)}, and nobody said that they are two")
        if faults:
            raise Fault("; ".join(faults[:4]))


ENTERS = {"type_names", "enter_self", "enter_account", "answer_invitation", "enter_house"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """End of a walk: ``fault`` is empty where all was well."""

    seed: str
    modes: Modes
    acts: tuple[str, ...]
    done: tuple[int, ...]
    counts: Counter[str]
    fault: str = ""

    def __str__(self) -> str:
        lines = [f"seed {self.seed}: {self.modes}", *(f"  {n:2} {words}" for n, words in enumerate(self.acts, 1))]
        return "\n".join([*lines, f"  {self.fault}" if self.fault else "  well"])


@contextmanager
def draw_from(seed: str) -> Iterator[None]:
    """Have everything that this process draws (lots, codes, ids) come from a seed."""
    with patch.object(random, "_urandom", Random(seed).randbytes):
        yield


def take_walk(world: World, seed: str, keep: Collection[int] | None = None, *, careful: bool = True) -> Outcome:
    """Take the walk of a seed, and roll everything back."""
    modes = read_modes(seed)
    walk, fault = Walk(world, seed, modes, keep, careful), ""
    with transaction.atomic():
        with draw_from(seed), patch("django.utils.timezone.now", lambda: walk.now), commits_at_block_end():
            try:
                walk.run()
            except Fault as sentence:
                fault = str(sentence)
        transaction.set_rollback(True)
    return Outcome(seed, modes, tuple(walk.acts), tuple(walk.done), walk.counts, fault)


def shorten(world: World, failed: Outcome) -> Outcome:
    """Return the same walk with the fewest acts that still fail, leaving them out one after the other."""
    best = failed
    kept = list(failed.done)
    for number in reversed(failed.done):
        fewer = [one for one in kept if one != number]
        shorter = take_walk(world, failed.seed, fewer)
        if shorter.fault:
            best, kept = shorter, fewer
    return best
