"""The rematch on pages (B5): asked for from the table by a script, from the result's page without one."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.lobby import rematches
from games.models import FreeTable, Match
from players.models import Player
from tests.support.html import read_hooks, read_ways
from tests.support.lobby import begin_at, finish_by_forfeit
from tests.support.people import sign_in
from tests.support.tables import opened

pytestmark = [pytest.mark.django_db, pytest.mark.rule("B5")]


@pytest.fixture
def match(anna: Player, bruno: Player) -> Match:
    at = timezone.now()
    return finish_by_forfeit(begin_at([anna, bruno], at), 0, at)


def result(client: Client, match: Match) -> str:
    return client.get(reverse("match-result", args=[match.public_id])).content.decode()


def ask(client: Client, match: Match, **headers: str) -> Any:
    return client.post(reverse("rematch", args=[match.public_id]), headers=headers)


def test_without_a_script_it_is_asked_for_on_the_page_of_the_result(
    anna: Player, bruno: Player, carla: Player, match: Match
) -> None:
    first, second = sign_in(anna), sign_in(bruno)
    assert "rematch" in read_hooks(result(first, match), "action")
    assert "rematch" not in read_hooks(result(sign_in(carla), match), "action"), "who only looks on asks for nothing"
    assert ask(first, match).headers["Location"] == reverse("match-result", args=[match.public_id])
    text = result(first, match)
    assert "rematch-waits" in read_hooks(text, "note")
    assert "data-goto-table" in text, "and the page is led to it"
    answer = ask(second, match)
    rematch = FreeTable.objects.get(previous=match.free_table).match
    assert rematch is not None
    table = reverse("table", args=[rematch.public_id])
    assert answer.headers["Location"] == table
    for client in (first, second, sign_in(carla)):
        assert table in read_ways(result(client, match))
    assert ask(first, match).headers["Location"] == table


def test_a_script_is_told_how_far_it_has_come(anna: Player, bruno: Player, match: Match) -> None:
    json = {"accept": "application/json"}
    address = reverse("rematch", args=[match.public_id])
    told = sign_in(bruno).get(address, headers=json).json()
    assert (told["open"], told["asked"], told["missing"], told["url"]) == (True, False, ["Anna", "Bruno"], None)
    assert ask(sign_in(anna), match, **json).json()["missing"] == ["Bruno"]
    told = ask(sign_in(bruno), match, **json).json()
    assert told["url"] == reverse("table", args=[FreeTable.objects.latest("pk").match.public_id])  # type: ignore[union-attr]
    assert (told["won"], told["drawn"], told["refused"]) == ([0, 1], 0, "")
    assert ask(Client(), match, **json).json()["refused"] == "not_here"


def test_too_late_is_said_and_changes_nothing(anna: Player, match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - rematches.ASK_WITHIN)
    client = sign_in(anna)
    assert "rematch" not in read_hooks(result(client, match), "action")
    answer = client.post(reverse("rematch", args=[match.public_id]), follow=True)
    assert "rematch_over" in read_hooks(answer.content.decode(), "notice")
    assert FreeTable.objects.count() == 1


def test_a_match_of_no_free_table_has_none(anna: Player, bruno: Player, now: datetime) -> None:
    other = opened([anna, bruno], now, context="free")
    assert ask(sign_in(anna), other).status_code == 404
    assert 'id="rematch"' not in sign_in(anna).get(reverse("table", args=[other.public_id])).content.decode()


def test_the_score_of_the_evening_is_shown_at_the_table_and_on_the_result(
    anna: Player, bruno: Player, match: Match
) -> None:
    for player in (anna, bruno):
        rematches.ask_rematch(match_id=match.pk, player=player, now=timezone.now())
    rematch = FreeTable.objects.get(previous=match.free_table).match
    assert rematch is not None
    for player, score in ((anna, "0–1"), (bruno, "1–0")):
        text = sign_in(player).get(reverse("table", args=[rematch.public_id])).content.decode()
        assert score in text.partition('id="evening"')[2].partition("</span>")[0], "one's own first"
    finish_by_forfeit(rematch, 0, timezone.now() + timedelta(seconds=1))
    assert read_hooks(result(sign_in(anna), rematch), "evening") == ["0-2"]
    assert read_hooks(result(sign_in(anna), match), "evening") == []
