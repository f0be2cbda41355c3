"""Decks: each reader sees the cards they chose, wherever cards are drawn, and nobody else sees the choice (G1)."""

import gzip
import json
import re
from datetime import datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client
from django.urls import reverse

from games import decks, table_views, wording
from games.engine.cards import CARDS, NAMES
from games.rules import RULESETS
from games.templatetags.cards import draw_mark, draw_motif
from players.models import Player, User
from tests.support.html import read_ways
from tests.support.tables import seated

pytestmark = pytest.mark.django_db

DRAWN = re.compile(r'<use href="[^"]*/cards/([a-z]+)[^"#]*\.svg#([^"]+)"')


def browser(player: Player) -> Client:
    client = Client()
    client.force_login(player.user)
    return client


def given(client: Client, path: str) -> dict[str, dict[str, object]]:
    """Return what the table's page gives its script."""
    page = client.get(path).content.decode()
    hit = re.search(r'<script id="table-words" type="application/json">(.+?)</script>', page)
    assert hit is not None
    return dict(json.loads(hit[1]))


def choose(player: Player, **looks: object) -> None:
    User.objects.filter(pk=player.user_id).update(**looks)


@pytest.mark.rule("G1")
def test_a_player_chooses_their_cards_and_it_changes_nothing_for_the_others(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)
    path = f"/tavoli/{match.public_id}/"
    before = [table_views.build_table_view(match, seat, now) for seat in (0, 1, None)]
    theirs = {key: value for key, value in given(browser(bruno), path).items() if key != "words"}

    for deck in ("piacentine", "trevisane", "francesi"):
        choice = {"deck": deck, "indices": "on"}
        assert browser(anna).post(reverse("looks"), choice, headers={"accept": "application/json"}).status_code == 204
        hers = given(browser(anna), path)
        assert hers["preferences"]["deck"] == deck
        sprite = hers["decks"][deck]["sprite"]  # type: ignore[index]
        assert sprite == staticfiles_storage.url(f"cards/{deck}.svg")

    table_views.clear_caches()
    assert [table_views.build_table_view(match, seat, now) for seat in (0, 1, None)] == before
    assert {key: value for key, value in given(browser(bruno), path).items() if key != "words"} == theirs
    assert theirs["preferences"]["deck"] == "napoletane"


def test_with_french_cards_the_script_says_their_names(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    decks = given(browser(anna), f"/tavoli/{match.public_id}/")["decks"]
    assert {deck: data["words"] for deck, data in decks.items()} == {  # type: ignore[index]
        "napoletane": {},
        "piacentine": {},
        "trevisane": {},
        "francesi": {
            "rank-C": "Donna", "suit-d": "quadri", "suit-c": "cuori", "suit-b": "fiori", "suit-s": "picche",
            "tally-denari": "Quadri", "why-settebello": "Un punto a chi ha preso il sette di quadri.",
            "tally-knights": "Donne", "why-knights": "Una donna vale 3.",
        },
    }  # fmt: skip


def test_each_deck_is_small_enough_to_be_sent_and_there_is_no_drawing_that_nobody_can_choose() -> None:
    files = [Path(settings.BASE_DIR) / "static" / "cards" / f"{deck}.svg" for deck in User.Deck.values]
    assert max(len(gzip.compress(file.read_bytes())) for file in files) <= 50_000  # a browser loads one
    assert sorted(files) == sorted(files[0].parent.iterdir())


@pytest.mark.parametrize("deck", User.Deck.values)
def test_no_two_courts_of_a_deck_have_the_same_face(deck: str) -> None:
    drawing = (Path(settings.BASE_DIR) / "static" / "cards" / f"{deck}.svg").read_text()
    courts = re.findall(r'^<(?:g id="h[dcbs][FCR]"|symbol id="f-[FCR][dcbs]").*', drawing, re.MULTILINE)
    face = re.compile(r'<path d="M-7\.4-3\.6[^>]*>(?:<[^>]+/>){9}')  # its outline, then cheeks, eyes, brows and nose
    faces = [re.sub(r' (fill|stroke)="[^"]*"', "", hit[0]) for court in courts if (hit := face.search(court))]
    assert len(faces) >= 10  # two are seen from the side
    assert len(set(faces)) == len(faces)


@pytest.mark.rule("G1")
@pytest.mark.parametrize(
    ("card", "name", "french"),
    [
        ("Ad", "Asso di denari", "Asso di quadri"),
        ("7c", "Sette di coppe", "Sette di cuori"),
        ("Fb", "Fante di bastoni", "Fante di fiori"),
        ("Cs", "Cavallo di spade", "Donna di picche"),
        ("Rc", "Re di coppe", "Re di cuori"),
    ],
)
def test_a_french_card_stands_for_an_italian_one(card: str, name: str, french: str) -> None:
    assert wording.name_card(CARDS[card]) == wording.name_card(CARDS[card], "piacentine") == name
    assert wording.name_card(CARDS[card], "francesi") == french


def test_preferences_reach_the_script_of_the_table(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    path = f"/tavoli/{match.public_id}/"
    plain = {
        "deck": "napoletane", "indices": True, "one_click": False, "second_tap": "device", "sound": True,
        "vibration": False, "theme": "auto",
    }  # fmt: skip
    assert given(browser(anna), path)["preferences"] == given(Client(), path)["preferences"] == plain
    choose(
        anna,
        deck="piacentine",
        indices=False,
        one_click=True,
        second_tap="plays",
        table_sound=True,
        vibration=True,
        theme="light",
    )
    assert given(browser(anna), path)["preferences"] == {
        "deck": "piacentine", "indices": False, "one_click": True, "second_tap": "plays", "sound": True,
        "vibration": True, "theme": "light",
    }  # fmt: skip
    assert 'id="looks"' in browser(anna).get(path).content.decode()
    assert 'id="looks"' not in Client().get(path).content.decode()


def test_the_page_of_the_decks_shows_every_card_and_the_back_of_each(client: Client) -> None:
    page = client.get(reverse("decks")).content.decode()
    shown = DRAWN.findall(page)
    for deck in User.Deck.values:
        assert [card for deck_shown, card in shown if deck_shown == deck] == [*NAMES, "back"]
    assert "Cavallo di spade" in page
    assert "Donna di picche" in page
    assert reverse("looks") not in read_ways(page), "a visitor has nowhere to keep it"


def test_on_that_page_a_player_takes_a_deck_and_keeps_the_rest_as_it_was(anna: Player) -> None:
    choose(anna, indices=False, one_click=True, second_tap="back", vibration=True, theme="dark")
    client = browser(anna)
    page = client.get(reverse("decks")).content.decode()
    forms = re.findall(rf'<form method="post" action="{reverse("looks")}">(.+?)</form>', page, re.DOTALL)
    assert len(forms) == len(User.Deck.values) - 1  # the reader's own is marked
    posted = dict(re.findall(r'name="(\w+)" value="([^"]*)"', forms[-1]))
    assert (posted["deck"], posted["next"]) == ("francesi", "/mazzi/#francesi")
    client.post(reverse("looks"), posted)
    user = User.objects.get(pk=anna.user_id)
    assert (user.deck, user.indices, user.one_click, user.second_tap, user.table_sound, user.vibration, user.theme) == (
        "francesi", False, True, "back", True, True, "dark",
    )  # fmt: skip


@pytest.mark.parametrize("address", ["/regole/", "/regole/scopa/"])
def test_wherever_cards_are_drawn_they_are_the_readers_own(anna: Player, address: str) -> None:
    assert {deck for deck, _card in DRAWN.findall(Client().get(address).content.decode())} == {"napoletane"}
    choose(anna, deck="piacentine", indices=False)
    shown = DRAWN.findall(browser(anna).get(address).content.decode())
    assert {deck for deck, _card in shown} == {"piacentine"}
    assert all(card.startswith("f-") for _deck, card in shown)


def test_the_page_of_the_decks_is_reached_from_preferences_rules_and_foot(anna: Player) -> None:
    client = browser(anna)
    for address in (reverse("preferences"), reverse("rules"), "/regole/scopa/"):
        main, _foot, foot = client.get(address).content.decode().partition("<footer")
        assert 'href="/mazzi/"' in main
        assert 'href="/mazzi/"' in foot


def test_every_game_has_a_card_of_its_own_and_its_suit_for_a_mark() -> None:
    assert set(decks.MOTIFS) == set(RULESETS)
    assert len(set(decks.MOTIFS.values())) == len(RULESETS)
    assert set(decks.MOTIFS.values()) <= set(CARDS)
    mark = draw_mark("briscola", 28)
    assert 'class="mark mark-s"' in mark
    assert 'width="28" height="28"' in mark
    assert re.search(r'href="[^"]*suits[^"]*#s"', mark)
    assert re.search(r'href="[^"]*motifs[^"]*#7d"', draw_motif("scopa"))


def test_the_motif_cards_are_those_of_the_napoletane_line_by_line() -> None:
    deck, motifs = (
        (settings.BASE_DIR / "static" / name).read_text().splitlines()
        for name in ("cards/napoletane.svg", "img/motifs.svg")
    )
    drawn = [line for line in motifs if re.match(r'<\w+ id="', line)]
    assert set(drawn) <= set(deck)
    named = {match[1] for line in drawn if (match := re.match(r'<\w+ id="([^"]+)"', line))}
    assert named >= set(decks.MOTIFS.values()) | {
        name for line in drawn for name in re.findall(r'href="#([^"]+)"', line)
    }
