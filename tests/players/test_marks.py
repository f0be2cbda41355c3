"""Marks of addresses and browsers (U3): keyed digests, one a day, forgotten after 30 days, and no address anywhere."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players import caps
from players.models import ConnectionMark, Player, User
from players.services.close_account import close_account
from players.services.housekeeping import keep_house
from players.services.marks import compute_mark, forget_marks, note_marks
from tests.support.people import log_in

pytestmark = pytest.mark.django_db
ADDRESS = "203.0.113.9"


def note(player: Player, now: datetime, address: str = ADDRESS, browser: str = "a" * 32) -> None:
    note_marks(player=player, address=address, browser=browser, now=now)


@pytest.mark.rule("U3")
def test_what_is_kept_is_a_keyed_digest_of_each_once_a_day(
    anna: Player, now: datetime, settings: pytest.FixtureRequest
) -> None:
    for _twice in range(2):
        note(anna, now)
    note(anna, now + timedelta(days=1))
    rows = ConnectionMark.objects.all()
    assert sorted(rows.values_list("kind", flat=True)) == ["address", "address", "browser", "browser"]
    kept = str(list(rows.values()))
    assert ADDRESS not in kept
    assert "a" * 32 not in kept
    before = compute_mark("address", ADDRESS)
    settings.SECRET_KEY = "another"  # type: ignore[attr-defined]
    assert compute_mark("address", ADDRESS) != before
    assert compute_mark("browser", "x") != compute_mark("address", "x")


@pytest.mark.rule("U3")
def test_marks_are_deleted_after_thirty_days(anna: Player, now: datetime) -> None:
    assert timedelta(days=30) == caps.MARKS_KEPT
    note(anna, now - caps.MARKS_KEPT - timedelta(days=1))
    note(anna, now)
    assert keep_house(now=now)["marks"] == 2
    assert forget_marks(now) == 0
    assert ConnectionMark.objects.filter(day=now.date()).count() == 2


def test_an_address_that_is_not_known_is_none(anna: Player, now: datetime) -> None:
    note(anna, now, address="")
    assert list(ConnectionMark.objects.values_list("kind", flat=True)) == ["browser"]


@pytest.mark.rule("U3")
def test_who_logs_in_leaves_marks_by_which_two_accounts_of_one_browser_are_alike(anna: Player, bruno: Player) -> None:
    client = Client()
    for player in (anna, bruno):
        log_in(client, player.user.username)
        client.get(reverse("home"))
        client.post(reverse("account_logout"))
    digests = {
        player.pk: set(ConnectionMark.objects.filter(player=player).values_list("kind", "digest"))
        for player in (anna, bruno)
    }
    assert digests[anna.pk] == digests[bruno.pk] != set()
    assert {kind for kind, _digest in digests[anna.pk]} == {"address", "browser"}
    other = Client(REMOTE_ADDR="198.51.100.7")
    log_in(other, anna.user.username)
    assert ConnectionMark.objects.filter(player=anna).count() == 4


def test_the_cookie_is_random_and_no_script_reads_it(anna: Player) -> None:
    client = Client()
    log_in(client, anna.user.username)
    cookie = client.cookies["browser"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert len(cookie.value) == 32


def test_a_closed_account_leaves_no_marks(anna: Player, now: datetime) -> None:
    note(anna, now)
    close_account(player_id=anna.pk, now=now)
    assert not ConnectionMark.objects.exists()
    assert not User.objects.filter(pk=anna.user_id).exists()
