"""The page of one's friends (B6): who is here, who calls, and whom one may call to a table, a tournament, a pair."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.lobby.actions import leave
from players import caps, presence
from players.models import FriendCall, Player, User
from players.services.audience import choose_audience
from players.services.blocks import block_player
from players.services.calls import CallRefused, call_friend, forget_calls, list_calls
from players.services.close_account import close_account
from players.services.follows import follow_player
from tests.support.html import read_attribute, read_hooks
from tests.support.lobby import begin_at, open_free_table, sit_down_at
from tests.support.people import create_person, sign_in
from tests.support.tournaments import GIRONE, PAIRS, Opened
from tournaments.entries.pairs import enter_pair
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
PAGE = "/amici/"


@pytest.fixture(autouse=True)
def nobody_stays() -> Iterator[None]:
    """Redis outlives a test, and the next one's people have the same keys."""
    yield
    presence.forget_here()


def befriend(player: Player, other: Player) -> None:
    follow_player(player=player, followed=other, now=timezone.now())


def call(by: Player, friend: Player, now: datetime, key: str = "2222222222") -> Player:
    values = {"kind": "table", "key": key, "title": "Scopa", "path": "/tavoli/libero/2222222222/"}
    return call_friend(by=by, public_id=friend.public_id, now=now, **values)


@pytest.mark.rule("B6")
def test_one_sees_which_friends_are_here_if_they_show_it(
    anna: Player, bruno: Player, carla: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "KEEP_SECONDS", 600)  # however slow the machine
    for friend in (bruno, carla):
        befriend(anna, friend)
    presence.mark_here([bruno.pk, carla.pk], timezone.now())
    choose_audience(player=bruno, readers={"presence": "everybody"}, indexed=False)
    choose_audience(player=carla, readers={"presence": "nobody"}, indexed=False)
    page = sign_in(anna).get(PAGE)
    assert read_hooks(page, "friend") == [bruno.public_id, carla.public_id]
    assert read_hooks(page, "here") == ["yes", "no"]
    assert "call" not in read_hooks(page, "action"), "there is nothing to call to"


@pytest.mark.rule("B6")
def test_a_friend_is_called_to_the_table_one_waits_at(anna: Player, bruno: Player, carla: Player) -> None:
    befriend(anna, bruno)
    table = open_free_table(anna, timezone.now())
    client = sign_in(anna)
    assert "call" in read_hooks(client.get(PAGE), "action")
    answer = client.post(reverse("friends-call"), {"chi": bruno.public_id}, follow=True)
    assert "called" in read_hooks(answer, "notice")  # type: ignore[arg-type]
    brunos = sign_in(bruno).get(PAGE)
    assert read_hooks(brunos, "call") == ["table"]
    assert reverse("free-table", args=[table.public_id]) in read_attribute(brunos, "href")
    strangers = client.post(reverse("friends-call"), {"chi": carla.public_id}, follow=True)
    assert "nobody_to_call" in read_hooks(strangers, "notice")  # type: ignore[arg-type]


@pytest.mark.rule("B6")
def test_a_friend_is_called_to_a_listed_tournament_and_asked_as_partner(
    opened: Opened, anna: Player, bruno: Player
) -> None:
    befriend(anna, bruno)
    client = sign_in(anna)
    tournament = opened(GIRONE, name="Coppa di maggio")
    about = {"chi": bruno.public_id, "torneo": tournament.public_id}
    assert "called" in read_hooks(client.post(reverse("friends-call"), about, follow=True), "notice")  # type: ignore[arg-type]
    assert FriendCall.objects.get().title == "Coppa di maggio"
    about["torneo"] = "nobodyhere"
    refused = client.post(reverse("friends-call"), about, follow=True)
    assert "nothing_to_call_to" in read_hooks(refused, "notice")  # type: ignore[arg-type]
    doubles = opened(PAIRS, name="Coppa di coppie")
    enter_pair(tournament_id=doubles.pk, player=anna, partner=None, now=timezone.now())
    page = client.get(f"{PAGE}?torneo={doubles.public_id}")
    assert "ask-partner" in read_hooks(page, "action")
    client.post(reverse("pair", args=[doubles.public_id]), {"partner": "Bruno"})
    assert doubles.entries.get().invited == bruno


@pytest.mark.rule("B6")
def test_a_call_is_gone_as_soon_as_nobody_waits_there_any_more(
    opened: Opened, anna: Player, bruno: Player, carla: Player
) -> None:
    befriend(anna, bruno)
    tournament = opened(GIRONE)
    table = open_free_table(anna, timezone.now(), players=4)
    client, brunos = sign_in(anna), sign_in(bruno)
    client.post(reverse("friends-call"), {"chi": bruno.public_id})
    client.post(reverse("friends-call"), {"chi": bruno.public_id, "torneo": tournament.public_id})
    assert set(read_hooks(brunos.get(PAGE), "call")) == {"table", "tournament"}
    sit_down_at(table, carla, 1, timezone.now())
    leave(table_id=table.pk, player=anna, now=timezone.now())
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.RUNNING)
    assert FriendCall.objects.count() == 2
    assert read_hooks(brunos.get(PAGE), "call") == [], "Anna is gone from that table, and the tournament runs"


@pytest.mark.rule("B6")
def test_nobody_is_called_across_a_block(anna: Player, bruno: Player, now: datetime) -> None:
    befriend(anna, bruno)
    call(anna, bruno, now)
    block_player(player=bruno, blocked=anna, now=now)
    assert list_calls(bruno, now) == []
    assert call(anna, bruno, now) == bruno, "and nobody learns of one by calling"
    assert list_calls(bruno, now) == []


@pytest.mark.rule("B6")
@pytest.mark.parametrize("why", ["blocks", "suspended", "neither"])
def test_who_blocks_the_caller_or_is_suspended_hears_nothing_and_the_caller_does_not_know(
    anna: Player,
    bruno: Player,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    told: list[int] = []
    monkeypatch.setattr("players.services.calls.notify", lambda player_id, frame: told.append(player_id))
    befriend(anna, bruno)
    open_free_table(anna, timezone.now())
    if why == "blocks":
        block_player(player=bruno, blocked=anna, now=timezone.now())
    elif why == "suspended":
        User.objects.filter(player=bruno).update(suspended_until=timezone.now() + timedelta(days=1))
    with django_capture_on_commit_callbacks(execute=True):
        answer = sign_in(anna).post(reverse("friends-call"), {"chi": bruno.public_id}, follow=True)
    assert "called" in read_hooks(answer, "notice")
    assert told == ([bruno.pk] if why == "neither" else [])


@pytest.mark.rule("B1", "B6")
def test_who_blocks_the_reader_is_not_here_for_them(
    anna: Player, bruno: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "KEEP_SECONDS", 600)  # however slow the machine
    befriend(anna, bruno)
    presence.mark_here([bruno.pk], timezone.now())
    assert read_hooks(sign_in(anna).get(PAGE), "here") == ["yes"]
    block_player(player=bruno, blocked=anna, now=timezone.now())
    page = sign_in(anna).get(PAGE)
    assert read_hooks(page, "friend") == [bruno.public_id], "followed still: nothing tells"
    assert read_hooks(page, "here") == ["no"], "as in the lobby"


@pytest.mark.rule("B6")
def test_nobody_is_led_to_a_friend_s_table_that_only_its_link_leads_to(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    befriend(anna, bruno)
    befriend(anna, dino)
    hidden = begin_at([bruno, carla], now, public=False)
    shown = begin_at([dino, create_person("Elio", now)], now)
    page = sign_in(anna).get(PAGE)
    assert reverse("table", args=[hidden.public_id]) not in read_attribute(page, "href")
    assert reverse("table", args=[shown.public_id]) in read_attribute(page, "href")
    assert read_hooks(page, "here") == ["yes", "yes"], "that they play is no secret"


def test_calls_have_a_cap_and_are_soon_gone(anna: Player, bruno: Player, now: datetime) -> None:
    befriend(anna, bruno)
    for _time in range(caps.FRIEND_CALLS_BY_ONE_TO_ONE[0].most):
        call(anna, bruno, now)
    assert FriendCall.objects.count() == 1, "to the same table: told again, stored once"
    with pytest.raises(CallRefused, match="too_many_calls") as refused:
        call(anna, bruno, now)
    assert refused.value.wait > timedelta()
    assert len(list_calls(bruno, now)) == 1
    assert list_calls(bruno, now + caps.FRIEND_CALL_HOLDS) == []
    assert forget_calls(now) == 0
    assert forget_calls(now + caps.FRIEND_CALLS_KEPT) == 1


def test_a_closed_account_neither_calls_nor_is_called(anna: Player, bruno: Player, now: datetime) -> None:
    befriend(anna, bruno)
    call(anna, bruno, now)
    close_account(player_id=anna.pk, now=now)
    assert not FriendCall.objects.exists()


def test_many_friends_cost_no_more_queries_than_few(anna: Player, bruno: Player, now: datetime) -> None:
    befriend(anna, bruno)
    client = sign_in(anna)
    client.get(PAGE)
    with CaptureQueriesContext(connection) as few:
        client.get(PAGE)
    for number in range(10):
        befriend(anna, create_person(f"Amico {'abcdefghij'[number]}", now))
    with CaptureQueriesContext(connection) as many:
        client.get(PAGE)
    assert len(many) <= len(few)


def test_a_visitor_is_led_to_the_login(db: None) -> None:
    assert sign_in(None).get(PAGE)["Location"].startswith(reverse("account_login"))
