"""The hub of one process: who is told what, without a socket in between."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.models import Match
from games.realtime.hub import Hub
from games.selectors import Shown
from players.models import Player
from players.realtime import executor
from tests.games.tables import again, play, seated

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@dataclass(eq=False)
class Window:
    """An open window as the hub sees it: what it was offered, and whether it was told that another took its seat."""

    match_id: int
    public_id: str
    seat: int | None
    token: str
    claimed: bool
    offered: list[Shown] = field(default_factory=list)
    lost: bool = False

    def offer(self, shown: Shown) -> None:
        self.offered.append(shown)

    def lose_seat(self) -> None:
        self.lost = True


@pytest.fixture
def match(transactional_db: None, anna: Player, bruno: Player, now: datetime) -> Match:
    return seated([anna, bruno], now, turn_timeout=None, match_clock=None)


def aside(func: Callable[..., Any], *args: Any) -> Any:
    return sync_to_async(func, thread_sensitive=True)(*args)


async def test_a_poll_never_turns_out_a_window_that_is_just_sitting_down(match: Match) -> None:
    hub, window = Hub(), Window(match.pk, match.public_id, 0, "the newest window", claimed=False)
    hub.enter(window)
    await hub.poll()
    assert not window.lost, "another window still controls the seat, but this one hasn't claimed it yet"
    window.claimed = True
    await hub.poll()
    assert window.lost, "this one had claimed it: whoever controls it now is newer"
    executor.shutdown()


async def test_a_picture_taken_with_a_move_is_as_one_that_is_read(match: Match, now: datetime) -> None:
    from games import positions, selectors

    def moved() -> tuple[Shown, Shown]:
        ack = play(match, now)
        standing = positions.committed(match.public_id, ack.version)
        assert standing is not None
        kept = selectors.encoded_views(match.pk, [0, 1, None], standing)
        selectors.forget()
        return kept, selectors.encoded_views(match.pk, [0, 1, None])

    def playing() -> bool:
        return again(match).status == Match.Status.PLAYING

    while await aside(playing):
        kept, read = await aside(moved)
        assert kept == read


async def test_an_older_picture_never_takes_the_place_of_a_newer(match: Match, now: datetime) -> None:
    from games import selectors

    hub, window = Hub(), Window(match.pk, match.public_id, 0, "a window", claimed=True)
    hub.enter(window)
    older = await aside(selectors.encoded_views, match.pk, [0])
    await aside(play, match, now)
    newer = await aside(selectors.encoded_views, match.pk, [0])
    hub.show(match.pk, newer)
    hub.show(match.pk, older)
    assert window.offered == [newer]
