"""Arrangements: what many tests begin with, made once in the database, to which each of them is rolled back.

A fixture under ``@arrange_once`` is made for the first test that asks for it, and stands while the tests of its file
that follow ask for it too. Each test runs in a savepoint over it and is given copies of all that the fixtures returned,
which hang together as those did: what one test does to rows or objects, no other sees.

    @arrange_once
    def girone(opened: Opened, four: list[Player], now: datetime, base: Settings = GIRONE) -> Tournament:
        return enter_all(opened(base), four, now)

It may ask for other arrangements, for ``now``, and for fixtures of a whole module or session; whatever asks for another
fixture (a client, ``settings``) is made anew for each test, as is all in a test that really commits. An argument with a
default is its parameter, which ``pytest.mark.parametrize("girone", [...], indirect=True)`` sets.

What stands follows from the test alone: the last defined of its arrangements with all that it asks for, then the last
but one, each with draws of its own name. So a test finds by itself what it finds among others, and ``sort`` has those
follow each other that begin alike.
"""

import inspect
from collections.abc import Callable
from copy import deepcopy
from itertools import count, groupby, takewhile
from typing import Any, NamedTuple

import pytest
from django.db import connection, transaction
from pytest_django.fixtures import validate_django_db

from games import table_views
from tests.support.commits import commits_at_block_end
from tests.support.draws import draw_from
from tournaments.core.drawn_once import forget_drawn
from tournaments.core.shared_reads import forget_shared_reads

COPIES = pytest.StashKey[dict[str, Any]]()  # of what fixtures returned, for one test
NEXT = pytest.StashKey[pytest.Item | None]()  # test of this process
REALLY_COMMITS = {"transactional_db", "live_server"}

_numbers = count()


class Arrangement:
    """A fixture's function: what it asks for, and the argument that is its parameter."""

    def __init__(self, make: Callable[..., Any]) -> None:
        arguments = inspect.signature(make).parameters.values()
        self.make = make
        self.requests = [argument.name for argument in arguments if argument.default is argument.empty]
        self.parameter = next((argument.name for argument in arguments if argument.default is not argument.empty), "")
        self.number = next(_numbers)


class Step(NamedTuple):
    """An arrangement under a test, by the name of its fixture, with its parameter if it is given one."""

    name: str
    arrangement: Arrangement
    parameter: dict[str, Any]

    def make(self, values: dict[str, Any]) -> Any:
        return self.arrangement.make(**{name: values[name] for name in self.arrangement.requests}, **self.parameter)


class Level(NamedTuple):
    """A step that stands: its savepoint, and all that the steps up to it have returned."""

    step: Step
    block: transaction.Atomic
    values: dict[str, Any]


def arrange_once(make: Callable[..., Any]) -> Any:
    """Make a fixture of what arranges: made once, copied for each test."""
    arrangement = Arrangement(make)

    def give(request: pytest.FixtureRequest, **values: Any) -> Any:
        copies, name = request.node.stash.get(COPIES, {}), str(request.fixturename)
        if name in copies:
            return copies[name]
        parameter = {arrangement.parameter: request.param} if hasattr(request, "param") else {}
        return Step(name, arrangement, parameter).make(values)

    give.__name__, give.__doc__, give.__module__ = make.__name__, make.__doc__, make.__module__
    give.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in ["request", *arrangement.requests]]
    )
    give.arrangement = arrangement  # type: ignore[attr-defined]
    return pytest.fixture(give)


def list_steps(item: pytest.Item) -> list[Step]:
    """Return the arrangements a test begins with, in the order in which they are made."""
    if not isinstance(item, pytest.Function) or really_commits(item):
        return []
    definitions = item._fixtureinfo.name2fixturedefs
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    steps: dict[str, Step | None] = {}

    def find(name: str) -> Step | None:
        if name not in steps:
            steps[name] = None  # whatever overrides a fixture and asks for it is made anew
            arrangement = getattr(definitions[name][-1].func, "arrangement", None) if name in definitions else None
            if arrangement and all(map(outlives_test, arrangement.requests)):
                parameter = {arrangement.parameter: parameters[name]} if name in parameters else {}
                steps[name] = Step(name, arrangement, parameter)
        return steps[name]

    def outlives_test(name: str) -> bool:
        return name == "db" or (name in definitions and (definitions[name][-1].scope != "function" or bool(find(name))))

    all_steps = [step for name in item.fixturenames if (step := find(name))]
    ordered: dict[str, Step] = {}

    def add(step: Step) -> None:
        for name in step.arrangement.requests:
            if (below := steps.get(name)) is not None:
                add(below)
        ordered.setdefault(step.name, step)

    for step in sorted(all_steps, key=lambda step: -step.arrangement.number):  # first what is most of its own
        add(step)
    return list(ordered.values())


def really_commits(item: pytest.Item) -> bool:
    """Return whether a test's changes are committed, not rolled back."""
    mark = item.get_closest_marker("django_db")
    committing, resetting, *_ = validate_django_db(mark) if mark else (False, False)
    return committing or resetting or not REALLY_COMMITS.isdisjoint(getattr(item, "fixturenames", ()))


def sort(items: list[pytest.Item]) -> None:
    """Have the tests of a file that begin alike follow each other, and those that really commit come last."""
    place = 0
    for _parent, group in groupby(list(items), key=lambda item: item.parent):
        siblings = list(group)
        if not any(map(has_wide_parameter, siblings)):  # pytest has put them in order already
            items[place : place + len(siblings)] = sort_siblings(siblings)
        place += len(siblings)


def sort_siblings(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests of one file in that order."""
    places: list[Step] = []  # of steps whose parameters differ: the first seen comes first

    def rank(item: pytest.Item) -> tuple[bool, list[tuple[int, int]]]:
        steps = list_steps(item)
        places.extend(step for step in steps if step not in places)
        return really_commits(item), [(step.arrangement.number, places.index(step)) for step in steps]

    return sorted(items, key=rank)


def has_wide_parameter(item: pytest.Item) -> bool:
    """Return whether a test is one of several for a fixture of its class, module or session."""
    call = getattr(item, "callspec", None)
    return call is not None and any(scope.value != "function" for scope in call._arg2scope.values())


class Stack:
    """Steps that stand in the database of this process, each in the transaction of the one before."""

    def __init__(self) -> None:
        self.levels: list[Level] = []
        self.session: object = None  # the database's connection: when it goes, nothing stands

    def begin(self, request: pytest.FixtureRequest) -> None:
        """Have what this test begins with stand, and nothing else; give it its copies."""
        steps = list_steps(request.node)
        pairs = zip(self.levels if connection.connection is self.session else [], steps, strict=False)
        self.shrink(len(list(takewhile(lambda pair: pair[0].step == pair[1], pairs))))
        for step in steps[len(self.levels) :]:
            self.push(step, request)
        request.node.stash[COPIES] = self.copy()

    def end(self, item: pytest.Item) -> None:
        """Leave nothing to the tests of the next file."""
        other = item.stash.get(NEXT, None)
        if other is None or other.path != item.path:
            self.shrink(0)

    def copy(self) -> dict[str, Any]:
        """Return copies of what the fixtures have returned, which hang together as those do."""
        return deepcopy(self.levels[-1].values) if self.levels else {}

    def push(self, step: Step, request: pytest.FixtureRequest) -> None:
        """Make what a step arranges, on top of what stands."""
        values = self.copy()
        fixtures = {"db": None, **values}
        wide = [name for name in step.arrangement.requests if name not in fixtures]
        fixtures |= {name: request.getfixturevalue(name) for name in wide}
        block = transaction.atomic()
        block._from_testcase = True  # type: ignore[attr-defined] as Django's: a durable block may be opened in it
        block.__enter__()
        self.session = connection.connection
        try:
            forget_keys()
            name = f"{request.config.getoption('draws')} {step.name} {list(step.parameter.values())}"
            with draw_from(name), commits_at_block_end():
                values[step.name] = step.make(fixtures)
        except BaseException:
            roll_back(block)
            raise
        self.levels.append(Level(step, block, values))

    def shrink(self, size: int) -> None:
        """Roll back what stands above that many steps."""
        while len(self.levels) > size:
            roll_back(self.levels.pop().block)


def roll_back(block: transaction.Atomic) -> None:
    transaction.set_rollback(True)
    block.__exit__(None, None, None)


def forget_keys() -> None:
    """Forget what this process keeps of rows: what is rolled back gives its keys to others. And the parts it keeps
    drawn, which a test may draw as nobody else does."""
    forget_shared_reads()
    forget_drawn()
    table_views.clear_caches()
