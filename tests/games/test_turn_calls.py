"""Turns whose player looks at no page: their devices are told, once a turn, where there is time to come back (U4)."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.urls import reverse

from games.models import Match
from games.services import referee, seating, settlement
from games.turn_calls import build_key, call_last, call_turns, find_awaited_tables, find_awaited_turns
from players import caps, presence
from players.models import Player, PushMessage, User
from tests.support.push import add_browser
from tests.support.tables import CONTROLS, again, begin_three, opened, play, seated

pytestmark = [pytest.mark.django_db, pytest.mark.rule("U4")]

ENDPOINT = "https://push.example.org/send/"


@pytest.fixture(autouse=True)
def _nobody_looks() -> Iterator[None]:
    presence.forget_here()
    yield
    presence.forget_here()


def after(now: datetime, seconds: float) -> datetime:
    return now + timedelta(seconds=seconds)


def own_devices(now: datetime, *players: Player) -> None:
    for player in players:
        add_browser(player, f"{ENDPOINT}{player.name}", now)


def told() -> list[str]:
    """The players who were told that it is their turn, in order."""
    rows = PushMessage.objects.filter(kind="turn").order_by("pk")
    return list(rows.values_list("device__user__player__name", flat=True))


def test_whose_turn_it_is_and_who_looks_at_no_page_is_told_once(anna: Player, bruno: Player, now: datetime) -> None:
    own_devices(now, anna, bruno)
    match = seated([anna, bruno], now, turn_timeout=60)  # Bruno leads
    assert call_turns(now=after(now, 9)) == 0
    assert call_turns(now=after(now, 10)) == 1
    assert call_turns(now=after(now, 15)) == 0
    row = PushMessage.objects.get(kind="turn")
    assert (told(), row.title, row.path) == (["Bruno"], "Finale", reverse("table", args=[match.public_id]))
    assert row.until == again(match).deadline_at
    assert not any(card in row.key.replace(match.public_id, "") for card in ("7d", "play"))


def test_each_turn_is_another(anna: Player, bruno: Player, now: datetime) -> None:
    own_devices(now, anna, bruno)
    match = seated([anna, bruno], now, turn_timeout=60)
    hour = now
    for _ in range(4):
        hour = after(hour, 20)
        assert call_turns(now=hour) == 1
        play(match, hour)
    assert told() == ["Bruno", "Anna", "Bruno", "Anna"]


def test_who_looks_at_a_page_is_told_by_the_page(anna: Player, bruno: Player, now: datetime) -> None:
    own_devices(now, anna, bruno)
    seated([anna, bruno], now, turn_timeout=60)
    presence.mark_watching([bruno.pk], after(now, 10))
    assert call_turns(now=after(now, 10)) == 0
    presence.mark_here([bruno.pk], after(now, 15))  # the page is open, behind others
    assert call_turns(now=after(now, 15)) == 1


def test_while_nobody_knows_who_looks_at_a_page_nobody_is_told(
    anna: Player, bruno: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_devices(now, anna, bruno)
    seated([anna, bruno], now, turn_timeout=60)
    monkeypatch.setattr(presence, "find_watching", lambda _now: None)
    assert call_turns(now=after(now, 10)) == 0


@pytest.mark.parametrize(("timeout", "seconds", "calls"), [(15, 10, 0), (30, 10, 1), (30, 15, 1), (30, 16, 0)])
def test_nobody_is_called_to_a_turn_that_is_as_good_as_over(
    anna: Player, bruno: Player, now: datetime, timeout: int, seconds: int, calls: int
) -> None:
    own_devices(now, anna, bruno)
    seated([anna, bruno], now, turn_timeout=timeout)
    assert call_turns(now=after(now, seconds)) == calls


def test_a_turn_without_a_clock_is_told_and_is_stale_after_an_hour(anna: Player, bruno: Player, now: datetime) -> None:
    own_devices(now, anna, bruno)
    seated([anna, bruno], now, turn_timeout=None, match_clock=None)
    hour = after(now, 3600)
    assert call_turns(now=hour) == 1
    assert PushMessage.objects.get(kind="turn").until == hour + caps.PUSH_TURN_HOLDS


@pytest.mark.parametrize("case", ["no wish", "no device", "paused", "training"])
def test_nobody_else_is_told(anna: Player, bruno: Player, now: datetime, case: str) -> None:
    if case != "no device":
        own_devices(now, anna, bruno)
    User.objects.filter(pk=bruno.user_id).update(push_turns=case != "no wish")
    match = seated([anna, bruno], now, turn_timeout=60, context="free" if case == "training" else "ko")
    if case == "paused":
        referee.pause(match_id=match.pk, now=after(now, 5))
    if case == "training":
        Match.objects.filter(pk=match.pk).update(training=True)
    assert call_turns(now=after(now, 10)) == 0


def test_a_turn_that_the_house_plays_is_nobodys(anna: Player, bruno: Player, now: datetime) -> None:
    own_devices(now, anna, bruno)
    match = seated([anna, bruno], now, context="free", absence=Match.Absence.HOUSE)
    settlement.expire_overdue(match_id=match.pk, now=after(now, 31))
    assert again(match).taken_over
    assert call_turns(now=after(now, 60)) == 0


def test_where_three_play_the_mortos_turn_is_its_players(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    people = [anna, bruno, carla]
    own_devices(now, *people)
    match = begin_three(people, now, turn_timeout=60)
    seen, hour = [], now
    for _ in range(8):
        current = again(match)
        assert current.turn_from is not None
        hour = max(hour, current.turn_from) + timedelta(seconds=10)
        seen.append(current.turn_seat)
        assert call_turns(now=hour) == 1
        seat = current.turn_seat
        assert seat is not None
        player = 0 if seat == 2 else seat
        play(match, hour, seat=player, control=CONTROLS[player])
        assert told()[-1] == {0: "Anna", 1: "Bruno", 3: "Carla"}[player]
    assert 2 in seen


def test_a_message_is_dropped_once_the_turn_is_over_or_the_player_has_come(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, turn_timeout=60)
    asked = {(bruno.pk, build_key(match)), (anna.pk, build_key(match)), (bruno.pk, "nowhere:1")}
    assert set(find_awaited_turns(asked)) & asked == {(bruno.pk, build_key(match))}
    play(match, after(now, 20))
    assert not set(find_awaited_turns(asked)) & asked


def test_a_table_awaits_who_has_not_come_to_it(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    asked = {(player.pk, match.public_id) for player in (anna, bruno)}
    assert set(find_awaited_tables(asked)) == asked
    settlement.expire_overdue(match_id=match.pk, now=after(now, 301))
    assert not find_awaited_tables(asked), "it is over without them"


@pytest.mark.rule("G8")
def test_whoever_is_still_awaited_is_called_once_more_half_a_minute_before_they_lose(
    anna: Player, bruno: Player, now: datetime
) -> None:
    own_devices(now, anna, bruno)
    match = opened([anna, bruno], now, noshow_after=120)
    seating.sit_down(match_id=match.pk, player_id=bruno.pk, token="", now=now)
    calls = PushMessage.objects.filter(key__startswith=f"{match.public_id}:")
    assert (call_last(now=after(now, 89)), calls.count()) == (0, 0)
    for second in (91, 96):
        assert call_last(now=after(now, second)) == 1
    row = calls.get()
    assert (row.device.user.player, row.until) == (anna, match.noshow_at)
    assert find_awaited_tables({(anna.pk, row.key), (bruno.pk, row.key)}) == {(anna.pk, row.key)}
    assert call_last(now=after(now, 120)) == 0, "they have lost"
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token="", now=after(now, 97))
    assert call_last(now=after(now, 98)) == 0
