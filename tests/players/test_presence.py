"""Presence of people (B1, U4): here, and looking, for as long as it is said; unknown while Redis is away."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from redis import RedisError

from players import presence


@pytest.fixture(autouse=True)
def _nobody_here() -> Iterator[None]:
    presence.forget_here()
    yield
    presence.forget_here()


@pytest.mark.rule("B1")
def test_who_is_not_heard_of_any_more_is_gone_within_seconds(now: datetime) -> None:
    presence.mark_here([1, 2], now)
    presence.mark_here([2], now + timedelta(seconds=2))
    assert presence.find_here(now + timedelta(seconds=4)) == {1, 2}
    assert presence.find_here(now + timedelta(seconds=5)) == {2}
    assert presence.find_here(now + timedelta(seconds=7)) == set()


@pytest.mark.rule("U4")
def test_who_has_a_page_open_does_not_look_at_it_until_that_is_said_too(now: datetime) -> None:
    presence.mark_here([1, 2], now)
    presence.mark_watching([2], now)
    assert (presence.find_here(now), presence.find_watching(now)) == ({1, 2}, {2})
    assert presence.find_watching(now + timedelta(seconds=5)) == set()


def test_while_redis_is_away_nobody_knows_who_is_here_and_nothing_fails(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> Any:
        raise RedisError

    monkeypatch.setattr(presence, "_connect", fail)
    monkeypatch.setattr(presence, "_away_until", 0.0)
    presence.mark_here([1], now)
    assert presence.find_here(now) is None
    assert presence.find_watching(now) is None
    monkeypatch.setattr(presence, "_away_until", 0.0)
