"""The rematch on pages (B5): asked for from the table by a script, from the result's page without one."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from games.lobby import rematches
from games.lobby.wording import describe_rematch
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
    assert (told["open"], told["asked"], told["url"]) == (True, False, None)
    told = ask(sign_in(anna), match, **json).json()
    assert told["asked"]
    assert "Bruno" in told["words"]
    told = ask(sign_in(bruno), match, **json).json()
    assert told["url"] == reverse("table", args=[FreeTable.objects.latest("pk").match.public_id])  # type: ignore[union-attr]
    assert (told["won"], told["drawn"], told["refused"], told["words"]) == ([0, 1], 0, "", "")
    assert ask(Client(), match, **json).json()["refused"] == "not_here"


NAMES = ("Anna", "Bruno", "Carla", "Dino")


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize(
    ("asking", "reader", "said"),
    [
        ((), "Anna", ()),
        (("Anna",), "Anna", ("Bruno", "Carla", "Dino")),
        (("Anna", "Bruno", "Carla"), "Anna", ("Dino",)),
        (("Anna",), "Bruno", ("Anna", "Carla", "Dino")),
        (("Anna", "Carla"), "Bruno", ("Anna", "Carla", "Dino")),
        (("Anna", "Carla", "Dino"), "Bruno", ("Anna", "Carla", "Dino")),
    ],
)
def test_who_has_asked_and_who_has_not_is_said_to_each_by_the_others_names(
    asking: tuple[str, ...], reader: str, said: tuple[str, ...], language: str
) -> None:
    with translation.override(language):
        words = describe_rematch(reader, asking, [name for name in NAMES if name not in asking])
    assert tuple(sorted(name for name in NAMES if name in words)) == said


def test_who_wants_a_rematch_is_named_before_who_has_not_asked_yet() -> None:
    assert describe_rematch("Bruno", ["Anna", "Carla"], ["Bruno", "Dino"]) == (
        "Anna e Carla vogliono la rivincita. Oltre a te non l'ha ancora chiesta Dino."
    )
    assert describe_rematch("Bruno", [], ["Bruno"]) == "Se entro un minuto chiedi la rivincita, comincia subito."


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
