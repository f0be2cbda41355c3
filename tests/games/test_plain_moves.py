"""The short way of a plain move beside the long one: the same rows, or nothing written and the long way taken (H1).

Both are one piece of rules. Here the same move is made by each of them from the same rows, and what they wrote is
compared (H8); and what stops a batch is tried: another's write, an id that was used, a plan that waited too long.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games import clocks, match_cache, selectors, table_views
from games.engine import match as engine
from games.engine.game import Length, Setup, controlling_seat
from games.engine.record import write_move
from games.models import Deal, Match, Move
from games.plain_moves import batch, writer
from games.plain_moves.plan import CHANGED, MovePlan, MoveRequest, plan_move
from games.services import playing, referee, seating
from players.models import Player
from tests.games import setups
from tests.support.tables import CONTROLS, again, legal, play, seated
from tests.support.thorough import tries
from tests.support.threads import run_at_once

pytestmark = pytest.mark.django_db


def asked(match: Match, text: str | None = None, **changed: Any) -> MoveRequest:
    """The seat to move asks for ``text``, or the first legal move."""
    current = again(match)
    assert current.turn_seat is not None
    seat = controlling_seat(current.turn_seat, current.players)
    request = MoveRequest(
        match.public_id,
        match.pk,
        seat,
        CONTROLS[seat],
        text or legal(match)[0],
        f"id-{current.version}",
        current.version,
    )
    return request._replace(**changed)


def take_long_way(request: MoveRequest, now: clocks.Now) -> playing.Ack:
    _, *arguments = request
    names = MoveRequest._fields[1:]
    return playing.play_move(**dict(zip(names, arguments, strict=True)), now=now)


def plan(match: Match, now: datetime, **changed: Any) -> MovePlan:
    made = plan_move(asked(match, **changed), now)
    assert made is not None
    return made


def commit(*plans: MovePlan, now: datetime) -> list[bool]:
    """Commit them as the writer does; which of them it wrote."""
    return [written is not None for written in writer.commit_plans([(made, now) for made in plans])]


def rows(match: Match) -> tuple[Any, ...]:
    return (
        Match.objects.filter(pk=match.pk).with_results().values().get(),
        list(Deal.objects.filter(match=match).with_results().values().order_by("pk")),
        list(
            Move.objects.filter(match=match)
            .order_by("version")
            .with_results()
            .values_list("deal", "ply", "version", "text", "client_id", "played_at")
        ),
    )


class Undone(Exception):
    """Ends a transaction without a trace."""


def find_written_rows(match: Match, act: Callable[[], object]) -> tuple[Any, ...]:
    """Return what the rows of the match would be after this act, of which nothing stays."""
    outcome: list[tuple[Any, ...]] = []
    try:
        with transaction.atomic():
            act()
            outcome.append(rows(match))
            raise Undone
    except Undone:
        return outcome[0]


ON_BOTH = {("scopa", 2), ("briscola", 4), ("tressette-accusa", 3)}  # another game's rows are written no otherwise
SETUPS = [
    pytest.param(setup, marks=[pytest.mark.both_databases] if table in ON_BOTH else [])
    for table in setups.KINDS
    for setup in setups.chosen(*table)[: tries(1, 20)]
]


@pytest.fixture
def same_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """House players pause by dice: here always as long."""
    monkeypatch.setattr(clocks, "choose_house_due", lambda turn_from: turn_from + timedelta(seconds=1))


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: f"{setup.ruleset}-{setup.players}-{setup.context}")
def test_both_ways_write_the_same_rows(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, setup: Setup, same_pauses: None
) -> None:
    dice = random.Random(str(setup))
    Player.objects.filter(pk=bruno.pk).update(kind=Player.Kind.HOUSE)
    bruno.refresh_from_db()
    match = begin([anna, bruno, carla, dino], setup, now)
    ways: Counter[str] = Counter()
    at = now
    while again(match).status == Match.Status.PLAYING and sum(ways.values()) < tries(42, 200):
        current = again(match)
        at = max(at, current.turn_from or at, current.opening_until or at) + timedelta(
            milliseconds=dice.randrange(3000)
        )
        moves = [move for move in engine.legal(selectors.load_progress(current)) if move.seat == current.turn_seat]
        plays = [move for move in moves if move.verb == "play"]
        move = dice.choice(plays or moves)
        seat = controlling_seat(move.seat, current.players)
        text = write_move(move).partition(" ")[2]
        request = asked(match, text, seat=seat, control=current.controls[seat])
        made = plan_move(request, at)
        if made is None:
            ways["long"] += 1
            take_long_way(request, at)
            continue
        ways["short"] += 1
        expected = find_written_rows(match, lambda: take_long_way(request, at))  # noqa: B023
        assert commit(made, now=at) == [True]
        assert rows(match) == expected
        known = match_cache.find_committed(match.public_id)
        assert known is not None
        assert known.match.__dict__ | {"_state": None} == again(match).with_results().__dict__ | {"_state": None}
        table_views.clear_caches()
        read = match_cache.read_match(match.pk).position
        assert read == known.position
    if sum(ways.values()) > 20:  # a match may be won by a call after a few cards
        assert ways["short"] > 2 * ways["long"], ways


def begin(players: list[Player], setup: Setup, now: datetime) -> Match:
    places = (0, 1, 3) if setup.players == 3 else range(setup.players)
    match = seating.open_match(
        ruleset=setup.ruleset,
        length=setup.length,
        context=setup.context,
        options=setup.options,
        players=players[: setup.players],
        turn_timeout=30,
        match_clock=600,
        noshow_after=None,
        first_dealer=setup.first_dealer,
        title="",
        now=now,
    )
    for seat, player in zip(places, players, strict=False):
        if not player.is_house:
            seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now)
        seating.sit_down(match_id=match.pk, player_id=player.pk, token=CONTROLS[seat], now=now)
    return again(match)


@pytest.fixture(autouse=True)
def plans_stay_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine makes no plan too old: a test that wants one says so."""
    monkeypatch.setattr(writer, "FRESH_SECONDS", 600.0)


@pytest.fixture
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    return seated([anna, bruno], now)


@pytest.fixture
def another(carla: Player, dino: Player, now: datetime) -> Match:
    return seated([carla, dino], now)


def test_a_plan_writes_nothing_and_changes_nothing_that_is_known(match: Match, now: datetime) -> None:
    before, known = rows(match), match_cache.find_committed(match.public_id)
    assert known is not None
    row = dict(known.match.__dict__)
    plan(match, now)
    assert rows(match) == before
    assert match_cache.find_committed(match.public_id) is known
    assert known.match.__dict__ == row


def test_only_the_columns_of_a_plain_move_change(match: Match, now: datetime) -> None:
    before = again(match).__dict__
    after = plan(match, now + timedelta(seconds=2)).match.__dict__
    assert {name for name, value in after.items() if not name.startswith("_") and before[name] != value} <= set(CHANGED)


def changed_since(match: Match, how: str, now: datetime) -> None:
    if how == "timeout":
        assert playing is not None
        from games.services import settlement

        settlement.expire_overdue(match_id=match.pk, now=now + timedelta(seconds=31))
    elif how == "pause":
        referee.pause(match_id=match.pk, now=now)
    elif how == "window":
        seating.sit_down(match_id=match.pk, player_id=match.seats.get(number=1).player_id, token="newer", now=now)
    elif how == "outage":
        Match.objects.filter(pk=match.pk).update(deadline_at=now + timedelta(minutes=1), extension_ms=30_000)
    else:
        play(match, now)


@pytest.mark.both_databases
@pytest.mark.parametrize("how", ["timeout", "pause", "window", "outage", "move"])
def test_a_plan_is_not_written_once_anybody_has_written_the_match(match: Match, now: datetime, how: str) -> None:
    """A turn has one outcome, whichever came first (point 1)."""
    made = plan(match, now)
    changed_since(match, how, now)
    before = rows(match)
    assert commit(made, now=now) == [False]
    assert rows(match) == before


@pytest.mark.both_databases
def test_without_its_guard_a_plan_would_undo_a_pause(
    match: Match, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin of the test above: the guard is what holds it."""
    made = plan(match, now)
    referee.pause(match_id=match.pk, now=now)
    now_at = again(match).revision
    monkeypatch.setattr(MovePlan, "revision_before", property(lambda _: now_at))
    moves = Move.objects.count()
    try:
        commit(made, now=now)
    finally:
        assert again(match).paused_at is not None
    assert Move.objects.count() == moves + 1, "a card was played at a table that is held"


@pytest.mark.both_databases
def test_a_plan_that_no_longer_holds_spoils_no_other(match: Match, another: Match, now: datetime) -> None:
    made, other = plan(match, now), plan(another, now)
    referee.pause(match_id=match.pk, now=now)
    assert commit(made, other, now=now) == [False, True]
    assert Move.objects.get().match == another


@pytest.mark.both_databases
def test_an_id_that_was_used_spoils_no_other_and_gets_its_first_answer(
    match: Match, another: Match, now: datetime
) -> None:
    first = play(match, now, client_id="twice")
    again_sent, other = plan(match, now, client_id="twice"), plan(another, now)
    assert commit(again_sent, other, now=now) == [False, True]
    assert take_long_way(again_sent.request, now) == first
    assert Move.objects.filter(match=match).count() == 1


@pytest.mark.both_databases
def test_of_two_plans_at_one_match_one_is_written(match: Match, now: datetime) -> None:
    assert commit(plan(match, now, client_id="a"), plan(match, now, client_id="b"), now=now) == [True, False]
    assert Move.objects.get().client_id == "a"


def test_a_plan_that_waited_is_made_anew_with_the_instant_of_then(match: Match, another: Match, now: datetime) -> None:
    """The decision takes one instant, near its commit (point 2)."""
    late = now + timedelta(seconds=2)
    made, fresh = plan(match, now), plan(another, now)
    made.made_at -= 1000
    assert [kept is not None for kept in writer.commit_plans([(made, lambda: late), (fresh, now)])] == [True, True]
    assert Move.objects.get(match=match).played_at == late
    assert Move.objects.get(match=another).played_at == now


def test_a_plan_that_waited_until_its_turn_was_over_is_not_written(match: Match, now: datetime) -> None:
    made = plan(match, now)
    made.made_at -= 1000
    late = now + timedelta(seconds=31)
    assert [kept is not None for kept in writer.commit_plans([(made, late)])] == [False]
    assert not Move.objects.exists()


@pytest.mark.parametrize(
    "changed",
    [
        {"version": 1},
        {"control": "an older window"},
        {"text": "play zz"},
        {"text": "abandon"},
        {"text": "redeal"},
        {"calls": ("declare d ho",)},
    ],
)
def test_what_is_not_plain_is_not_planned(match: Match, now: datetime, changed: dict[str, Any]) -> None:
    assert plan_move(asked(match, **changed), now) is None


def test_an_overdue_move_is_not_planned(match: Match, now: datetime) -> None:
    request, end = asked(match), again(match).deadline_at
    assert end is not None
    assert plan_move(request, end + clocks.GRACE - timedelta(milliseconds=1)) is not None
    assert plan_move(request, end + clocks.GRACE) is None


def test_a_table_that_is_held_or_unknown_is_not_planned_for(match: Match, now: datetime) -> None:
    request = asked(match)
    referee.pause(match_id=match.pk, now=now)
    assert plan_move(request._replace(version=again(match).version), now) is None
    referee.resume(match_id=match.pk, now=now)
    request = asked(match)
    assert plan_move(request, now) is not None
    table_views.clear_caches()
    assert plan_move(request, now) is None


def test_the_last_card_of_a_deal_goes_the_long_way(match: Match, now: datetime) -> None:
    while True:
        request = asked(match)
        made = plan_move(request, now)
        if made is None:
            break
        assert commit(made, now=now) == [True]
    assert Move.objects.filter(match=match).count() == 35
    take_long_way(request, now)
    assert Deal.objects.get(match=match, number=0).finished


@pytest.mark.both_databases
@pytest.mark.parametrize("error", [OperationalError, IntegrityError])
def test_a_batch_that_fails_answers_every_plan(
    match: Match, another: Match, now: datetime, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    """Each alone, then the long way: the first attempt of all fails, the second of one."""
    tried: list[int] = []

    def write(plans: Any) -> None:
        tried.append(len(plans))
        if len(plans) > 1 or plans[0].move.match_id == match.pk:
            raise error
        batch.write_plans(plans)

    monkeypatch.setattr(writer, "write_plans", write)
    assert commit(plan(match, now), plan(another, now), now=now) == [False, True]
    assert tried == [2, 1, 1]


@pytest.mark.both_databases
def test_nothing_that_was_not_committed_is_known(match: Match, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commit before ack and before any view (point 6)."""
    known = match_cache.find_committed(match.public_id)

    def crash(plans: Any) -> None:
        batch.write_plans(plans)
        raise OperationalError

    monkeypatch.setattr(writer, "write_plans", crash)
    assert commit(plan(match, now), now=now) == [False]
    assert match_cache.find_committed(match.public_id) == known
    assert not Move.objects.exists()


@pytest.mark.both_databases
def test_a_batch_takes_as_many_statements_however_many_moves_are_in_it(
    match: Match, another: Match, now: datetime
) -> None:
    for plans in ([plan(match, now)], [plan(match, now), plan(another, now)]):
        with CaptureQueriesContext(connection) as captured, transaction.atomic():
            batch.write_plans(plans)
            transaction.set_rollback(True)
        written = [query["sql"] for query in captured.captured_queries if "games_" in query["sql"]]
        assert len(written) == (0 if connection.vendor == "postgresql" else 2), (
            "PostgreSQL's go in one pipeline, unseen"
        )


@pytest.fixture
def writing() -> Iterator[None]:
    yield
    writer.shut_down()


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
class TestThread:
    """The thread itself, over rows that are really committed."""

    def test_moves_of_many_sockets_are_committed_and_answered(
        self, match: Match, another: Match, now: datetime, writing: None
    ) -> None:
        plans = [plan(match, now), plan(another, now), plan(match, now, client_id="late")]

        async def send() -> list[Any]:
            answers: list[Any] = await asyncio.gather(*(writer.commit(made, now) for made in plans))
            return answers

        answers = asyncio.run(send())
        assert [answer is not None for answer in answers] == [True, True, False]
        assert answers[0].match.version == again(match).version
        assert Move.objects.count() == 2

    def test_other_writes_keep_their_order_and_their_errors(self, match: Match, now: datetime, writing: None) -> None:
        made = plan(match, now)

        async def send() -> tuple[Any, Any]:
            plain = asyncio.create_task(writer.commit(made, now))
            await asyncio.sleep(0)
            with pytest.raises(playing.Stale):
                await writer.run_write(take_long_way, made.request._replace(version=0, client_id="other"), now)
            return await plain, await writer.run_write(again, match)

        committed, row = asyncio.run(send())
        assert committed.match.version == row.version

    def test_of_both_ways_at_once_one_counts(self, match: Match, now: datetime) -> None:
        for _ in range(tries(5, 15)):
            request = asked(match)
            made = plan(match, now)
            answers = run_at_once(
                lambda made=made: writer.commit_plans([(made, now)])[0] is not None,  # type: ignore[misc]
                lambda request=request: take_long_way(request._replace(client_id=f"other {request.version}"), now),  # type: ignore[misc]
                lambda: connection.vendor == "sqlite" or referee.pause(match_id=match.pk, now=now) is None,
            )
            counted = (answers[0] is True) + isinstance(answers[1], playing.Ack)
            assert counted <= 1, answers
            referee.resume(match_id=match.pk, now=now)
        versions = list(Move.objects.filter(match=match).values_list("version", flat=True))
        assert len(versions) == len(set(versions))


class Elsewhere:
    """Another process: what it commits isn't known here."""

    def __enter__(self) -> None:
        self.known = [dict(cache._values) for cache in (match_cache._positions, match_cache._committed)]

    def __exit__(self, *_: object) -> None:
        for cache, values in zip((match_cache._positions, match_cache._committed), self.known, strict=True):
            cache.clear()
            cache._values.update(values)


def count_reads(match: Match) -> tuple[match_cache.CommittedMatch, list[str]]:
    with CaptureQueriesContext(connection) as captured:
        standing = match_cache.read_match(match.pk)
    return standing, [query["sql"].split(" FROM ")[1].split()[0].strip('"') for query in captured.captured_queries]


@pytest.mark.both_databases
def test_moves_of_another_process_are_caught_up_with_by_one_short_query(match: Match, now: datetime) -> None:
    dice = random.Random(7)
    short = 0
    match_cache.read_match(match.pk)
    while again(match).status == Match.Status.PLAYING:
        with Elsewhere():
            for _ in range(dice.choice([1, 1, 2, 3])):
                if again(match).status == Match.Status.PLAYING:
                    play(match, now)
        standing, tables = count_reads(match)
        short += tables == ["games_match", "games_move"]
        table_views.clear_caches()
        fresh = match_cache.read_match(match.pk)
        assert (standing.position, standing.match.revision) == (fresh.position, fresh.match.revision)
    assert short > 12


@pytest.mark.parametrize("how", ["a referee's act", "another deal"])
def test_what_is_not_only_moves_of_the_deal_is_read_whole(anna: Player, bruno: Player, now: datetime, how: str) -> None:
    match = seated([anna, bruno], now, length=Length("deals", 2))
    match_cache.read_match(match.pk)
    with Elsewhere():
        if how == "another deal":
            for _ in range(37):
                play(match, now)
        else:
            play(match, now)
            referee.pause(match_id=match.pk, now=now)
    standing, tables = count_reads(match)
    assert "games_deal" in tables
    table_views.clear_caches()
    assert standing.position == match_cache.read_match(match.pk).position
