"""Results commit with the last card; receivers are told right after, until they have taken the result in."""

import logging
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from games.models import Match
from games.services import playing, settlement
from games.signals import match_finished
from games.sweep import Sweep
from players.models import Player
from tests.support.tables import FIRST, again, play_out, seated

pytestmark = [pytest.mark.django_db]

Receiver = Callable[..., None]


@pytest.fixture
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    return seated([anna, bruno], now, context="free")


@pytest.fixture
def connect() -> Iterator[Callable[[Receiver], None]]:
    """Connect receivers for one test."""
    connected: list[Receiver] = []

    def add(receiver: Receiver) -> None:
        match_finished.connect(receiver, weak=False)
        connected.append(receiver)

    yield add
    for receiver in connected:
        match_finished.disconnect(receiver)


def test_upstairs_hears_of_a_result_that_is_already_committed(
    match: Match, now: datetime, connect: Callable[[Receiver], None]
) -> None:
    heard: list[tuple[int, datetime, str]] = []

    def receiver(match_id: int, now: datetime, **_: Any) -> None:
        assert connection.in_atomic_block
        heard.append((match_id, now, Match.objects.get(pk=match_id).status))

    connect(receiver)
    last = play_out(match, now)
    assert heard == [(match.pk, last, "finished")]
    assert again(match).settled_at == last


def test_a_fault_upstairs_undoes_no_card_and_the_sweep_tries_again(
    match: Match, now: datetime, connect: Callable[[Receiver], None], caplog: pytest.LogCaptureFixture
) -> None:
    faults = [RuntimeError("the standings are broken")]
    heard: list[int] = []

    def receiver(match_id: int, **_: Any) -> None:
        Match.objects.filter(pk=match_id).update(title="half done")
        if faults:
            raise faults.pop()
        heard.append(match_id)

    connect(receiver)
    with caplog.at_level(logging.ERROR):
        last = play_out(match, now)
    over = again(match)
    assert (over.status, over.settled_at, over.title) == ("finished", None, "Finale")
    assert "the standings are broken" in caplog.text
    Sweep(lambda: last + timedelta(seconds=1)).round()
    assert heard == [match.pk]
    assert again(match).settled_at == last + timedelta(seconds=1)
    Sweep(lambda: last + timedelta(seconds=2)).round()
    assert heard == [match.pk]


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_one_result_that_fails_holds_up_no_other(
    match: Match, now: datetime, connect: Callable[[Receiver], None], carla: Player, dino: Player
) -> None:
    other = seated([carla, dino], now)
    broken = {match.pk, other.pk}

    def receiver(match_id: int, **_: Any) -> None:
        if match_id in broken:
            raise RuntimeError

    connect(receiver)
    playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now)
    playing.abandon(match_id=other.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now)
    broken.remove(other.pk)
    sweep = Sweep(lambda: now, seconds=lambda: 0.0)
    sweep.round()
    assert again(match).settled_at is None
    assert again(other).settled_at == now
    broken.clear()
    sweep.round()
    assert again(match).settled_at is None  # what failed waits a little before it is tried again
    Sweep(lambda: now).round()
    assert again(match).settled_at == now


def test_a_running_match_has_no_result_to_pass_on(
    match: Match, now: datetime, connect: Callable[[Receiver], None]
) -> None:
    heard: list[int] = []
    connect(lambda match_id, **_: heard.append(match_id))
    assert settlement.deliver_result(match_id=match.pk, now=now)
    assert heard == []
    assert again(match).settled_at is None
