"""Many commitments drawn at once make one chain; nonces added at once are dealt by once (J1, J2)."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

import pytest
from django.conf import LazySettings
from django.db import transaction

from games import shuffles
from games.engine.shuffling import hash_nonce
from games.models import Commitment, Match
from games.services import nonces, seating
from players.db_limits import limit_lock_wait
from players.models import Player
from tests.support.tables import CONTROLS, again, opened
from tests.support.threads import run_at_once

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def draw_some(first: int, now: datetime) -> None:
    for number in range(first, first + 5):
        with transaction.atomic():
            shuffles.draw(scope=f"match{number}", players=2, dealer_drawn=False, now=now)


@pytest.mark.rule("J1")
def test_commitments_drawn_at_once_stand_in_one_chain_without_a_gap(now: datetime) -> None:
    answers = run_at_once(*(partial(draw_some, 5 * number, now) for number in range(6)))
    assert answers == [None] * 6
    shuffles.list_drawn()
    before = shuffles.REGISTER_START
    for number, row in enumerate(Commitment.objects.order_by("number"), start=1):
        assert (row.number, row.previous) == (number, before)
        before = shuffles.digest_row(row)
    assert Commitment.objects.exclude(number=None).count() == 30


@pytest.mark.rule("J2")
def test_nonces_that_come_at_once_are_dealt_by_once(
    anna: Player, bruno: Player, now: datetime, settings: LazySettings
) -> None:
    settings.MIXING_SECONDS = 5
    match = opened([anna, bruno], now)
    for seat, player in enumerate((anna, bruno)):
        seating.sit_down(match_id=match.pk, player_id=player.pk, token=CONTROLS[seat], now=now)
    own = ["a1" * 16, "b2" * 16]

    def add(service: Callable[..., object], seat: int, **said: str) -> Callable[[], object]:
        return partial(service, match_id=match.pk, seat=seat, control=CONTROLS[seat], client_id="x", now=now, **said)

    for _ in range(2):  # again: each gets its first answer
        run_at_once(*(add(nonces.add_hash, seat, digest=hash_nonce(own[seat])) for seat in (0, 1)))
    answers = run_at_once(*(add(nonces.add_nonce, seat, nonce=own[seat]) for seat in (0, 1, 0, 1)))
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert again(match).status == Match.Status.PLAYING
    assert Commitment.objects.get(matches=match).nonces == own
    assert match.deals.count() == 1


def list_without_waiting() -> int:
    with transaction.atomic():
        limit_lock_wait(0.2)
        return shuffles.list_drawn()


@pytest.mark.only_on("postgres")
@pytest.mark.rule("J1")
def test_nobody_waits_for_whoever_lists(now: datetime) -> None:
    draw_some(0, now)
    with transaction.atomic():
        shuffles.draw(scope="later", players=2, dealer_drawn=False, now=now)
    Commitment.objects.filter(scope="later").update(number=None)  # as if nobody had listed it yet
    with transaction.atomic():
        shuffles.RegisterHead.objects.select_for_update().get(pk=1)
        assert run_at_once(list_without_waiting) == [0], "it is left to the sweep"
