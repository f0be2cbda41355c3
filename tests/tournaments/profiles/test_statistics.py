"""Statistics of a person: tables with a plot beside each, by game and period."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Match, SeatFacts
from players.models import Player
from tests.support.html import read_attribute, read_hooks
from tests.support.tables import play_out, seated
from tournaments.profiles.statistics import read_statistics

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime) -> Match:
    pairs = seated([anna, bruno, carla, dino], now, ruleset="tresette", context="free")
    later = play_out(pairs, now)
    alone = seated([anna, bruno], later, ruleset="scopa", context="free")
    play_out(alone, later)
    SeatFacts.objects.filter(match=pairs).update(finished_at=now - timedelta(days=60))
    return alone


def test_each_statistic_is_a_plot_with_a_table_beside(client: Client, anna: Player, played: Match) -> None:
    page = client.get(reverse("person-statistics", args=[anna.public_id]))
    codes = read_hooks(page, "stat")
    assert {"results", "points", "time", "opponents", "partners"} <= set(codes)
    text = page.content.decode()
    assert text.count('class="plot" viewBox') == text.count("<thead>") == len(codes)
    assert text.count('role="img"') == len(codes)
    assert not read_attribute(page, "style")
    assert read_hooks(page, "played") == ["2"]


def test_all_that_is_counted_is_shown(client: Client, anna: Player, played: Match) -> None:
    counted = ("scope", "settebello", "primiera", "accusi", "cappotti", "last_tricks")
    address = reverse("person-statistics", args=[anna.public_id])
    SeatFacts.objects.update(plays=9, thinking_ms=9000, **dict.fromkeys(counted, 2))
    assert {*counted, "time", "results", "points", "opponents", "partners"} == set(
        read_hooks(client.get(address), "stat")
    )
    SeatFacts.objects.update(plays=0, **dict.fromkeys(counted, 0))
    assert {"results", "points", "opponents", "partners"} == set(read_hooks(client.get(address), "stat"))


def test_they_are_of_one_game_and_of_one_period_if_asked(anna: Player, played: Match, now: datetime) -> None:
    def count(ruleset: str, period: str) -> int:
        return read_statistics(anna, ruleset=ruleset, period=period, now=now).sums.matches

    assert [count("", ""), count("scopa", ""), count("tresette", ""), count("", "30"), count("tresette", "30")] == [
        2, 1, 1, 1, 0
    ]  # fmt: skip
    assert count("poker", "7") == 2, "what is unknown is everything"


def test_who_has_played_nothing_is_told_what_to_do(client: Client, anna: Player) -> None:
    client.force_login(anna.user)
    page = client.get(reverse("person-statistics", args=[anna.public_id]))
    assert read_hooks(page, "note") == ["no_matches"]
    assert reverse("home") in read_attribute(page, "href", "a")
