"""The picture of a result: what its page shows everybody, no card, and nothing where there is no result to send on."""

import re
import xml.etree.ElementTree as ET
from datetime import datetime, timedelta

import pytest
from django.test import Client

from games.engine.game import Length
from games.models import Match
from games.services import settlement
from players.models import Player
from records.views import picture
from tests.support.arrangements import arrange_once
from tests.support.problems import DECK
from tests.support.tables import again, opened, play_out, seated

pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"


@arrange_once
def finished(anna: Player, bruno: Player, now: datetime) -> Match:
    match = seated([anna, bruno], now, length=Length("deals", 2), about_url="/tornei/x/")
    play_out(match, now)
    return again(match)


def draw(client: Client, match: Match) -> ET.Element:
    answer = client.get(f"/partite/{match.public_id}/risultato.svg")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    return ET.fromstring(answer.content)


def read_texts(drawn: ET.Element) -> list[str]:
    return [text.text or "" for text in drawn.iter(f"{SVG}text")]


def test_it_says_who_played_with_what_score_and_which_deal_decided(client: Client, finished: Match) -> None:
    texts = read_texts(draw(client, finished))
    assert {"Finale", "Anna", "Bruno", str(finished.score_0), str(finished.score_1)} <= set(texts)
    assert any("decisiva" in text for text in texts)


def test_of_a_match_of_one_deal_no_deal_is_called_deciding(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, DECK, length=Length("deals", 1))  # a draw would have its tie-break
    play_out(match, now)
    assert again(match).deals.count() == 1
    assert not any("decisiva" in text for text in read_texts(draw(client, again(match))))
    assert "data-deciding" not in client.get(f"/partite/{match.public_id}/").content.decode()


def test_no_card_nor_anything_from_elsewhere_is_drawn_in_it(client: Client, finished: Match) -> None:
    drawn = draw(client, finished)
    assert {element.tag.removeprefix(SVG) for element in drawn.iter()} <= {
        "svg", "title", "defs", "radialGradient", "stop", "rect", "g", "text", "path", "circle",
    }  # fmt: skip
    addresses = re.findall(r"(?:href|url\()[^>]*", ET.tostring(drawn).decode())
    assert all("#felt" in address for address in addresses)


def test_what_people_typed_is_written_as_it_is_and_small_enough(client: Client, finished: Match, anna: Player) -> None:
    name = '<script>alert("Maria & C.")</script>'
    Player.objects.filter(pk=anna.pk).update(name=name)
    drawn = draw(client, finished)
    (written,) = [text for text in drawn.iter(f"{SVG}text") if text.text == name]
    assert int(written.attrib["font-size"]) * picture.LETTER_WIDTH * len(name) <= picture.ROOM


def test_the_crown_stands_over_the_winner_alone_and_over_nobody_in_a_draw(client: Client, finished: Match) -> None:
    crowned = [
        [text.text for text in side.iter(f"{SVG}text")]
        for side in draw(client, finished).iter(f"{SVG}g")
        if side.find(f"{SVG}path") is not None and side.find(f"{SVG}text") is not None
    ]
    assert finished.winner is not None
    assert [names[0] for names in crowned] == [["Anna", "Bruno"][finished.winner]]
    Match.objects.filter(pk=finished.pk).update(winner=None, decided_by="draw", score_0=5, score_1=5)
    assert all(
        side.find(f"{SVG}text") is None or side.find(f"{SVG}path") is None for side in draw(client, finished).iter()
    )


@pytest.mark.rule("B7")
def test_there_is_none_of_training_nor_of_a_match_without_a_result(
    client: Client, finished: Match, anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    path = f"/partite/{finished.public_id}/risultato.svg"
    page = client.get(f"/partite/{finished.public_id}/").content.decode()
    assert path in page
    for wanting, whole in (({"training": True}, {"training": False}), ({"stopped_at": now}, {"stopped_at": None})):
        Match.objects.filter(pk=finished.pk).update(**wanting)
        assert client.get(path).status_code == 404, wanting
        Match.objects.filter(pk=finished.pk).update(**whole)
    running = seated([anna, bruno], now)
    assert client.get(f"/partite/{running.public_id}/risultato.svg").status_code in (302, 404)
    empty = opened([carla, dino], now)
    settlement.expire_overdue(match_id=empty.pk, now=now + timedelta(seconds=301))
    assert client.get(f"/partite/{empty.public_id}/risultato.svg").status_code == 404
    assert "risultato.svg" not in client.get(f"/partite/{empty.public_id}/").content.decode()
