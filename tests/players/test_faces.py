"""Faces beside names: chosen or given, the same everywhere and for good, and telling nothing else."""

import re
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.test import Client

from bench.faces import DECK, FACES, draw_faces
from players.faces import FACES as CODES
from players.faces import find_face, name_drawing
from players.models import FORGOTTEN_NAME, Person, Player
from players.services.own_data import read_part
from players.services.players import create_guest
from players.templatetags.people import draw_face
from tests.support.pages import PREFERENCES_FORM, PREFERENCES_URL
from tests.support.people import take_house

pytestmark = pytest.mark.django_db

USED = re.compile(r'href="([^"#]+)#([^"]+)"')


def read_drawing(drawn: str) -> str:
    """Return the id of the drawing that a face uses; empty: none."""
    used = USED.search(drawn)
    return used[2] if used else ""


def test_the_twelve_and_the_back_are_cut_from_the_deck() -> None:
    """Run ``python -m bench.faces`` whenever the deck was changed."""
    text = FACES.read_text()
    assert text == draw_faces(DECK.read_text())
    symbols = [element.get("id") for element in ElementTree.fromstring(text)]
    assert symbols == [*(name_drawing(f"{rank}{suit}") for rank in "FCR" for suit in "dcbs"), "back"]
    assert len(set(symbols)) == len(CODES) + 1


def test_a_given_face_hangs_on_the_public_id_alone() -> None:
    given = {
        find_face(Player(public_id=public_id, name=name, pk=number))
        for public_id, name, number in (("abcdefghjk", "Anna", 1), ("abcdefghjk", "Un'altra", 99))
    }
    assert given == {"Fc"}
    spread = [find_face(Player(public_id=f"{number:010}")) for number in range(1200)]
    assert set(spread) == set(CODES)
    assert max(spread.count(code) for code in CODES) < 200


def test_the_house_is_square_and_the_others_are_round(anna: Player, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    [house] = take_house(count=1, now=now)
    assert read_drawing(draw_face(house)) == "back"
    assert "portrait-house" in draw_face(house)
    for player in (anna, guest):
        drawn = draw_face(player, 32)
        assert read_drawing(drawn) == name_drawing(find_face(player))
        assert drawn == draw_face(player.person, 32) == draw_face(find_face(player), 32)
        assert 'width="32" height="32"' in drawn
        assert "portrait-house" not in drawn
        assert player.name not in drawn
        assert player.public_id not in drawn


def test_who_has_no_account_has_a_letter_and_who_is_forgotten_or_gone_nothing() -> None:
    assert ">M</text>" in draw_face(Person(typed_name="Maria Rossi", initials=True))
    assert "&lt;" in draw_face(Person(typed_name="<b>"))
    gone = Player(public_id="abcdefghjk", face=Player.NO_FACE)
    for nobody in (Person(typed_name=FORGOTTEN_NAME), gone, None, ""):
        drawn = draw_face(nobody)
        assert "portrait-none" in drawn
        assert "<text" not in drawn
        assert not read_drawing(drawn)


def test_a_face_is_chosen_among_the_preferences_and_seen_in_the_header(client: Client, anna: Player) -> None:
    client.force_login(anna.user)
    page = client.get(PREFERENCES_URL).content.decode()
    assert re.findall(r'name="face" value="(\w+)"', page) == list(CODES)
    assert re.search(rf'name="face" value="{find_face(anna)}"[^>]* checked', page)
    other = next(code for code in CODES if code != find_face(anna))
    client.post(PREFERENCES_URL, {**PREFERENCES_FORM, "face": other})
    anna.refresh_from_db()
    assert find_face(anna) == anna.face == other
    header = client.get(PREFERENCES_URL).content.decode().split('class="who"')[1]
    assert read_drawing(header) == name_drawing(other)
    assert next(iter(read_part("account", anna)))["face"] == other


@pytest.mark.parametrize("face", ["", "back", "-", "Xx"])
def test_a_choice_left_out_or_not_offered_changes_no_face(client: Client, anna: Player, face: str) -> None:
    client.force_login(anna.user)
    client.post(PREFERENCES_URL, {**PREFERENCES_FORM, "face": face})
    client.post(PREFERENCES_URL, {**PREFERENCES_FORM, "face": find_face(anna)})
    anna.refresh_from_db()
    assert anna.face == ""


def test_a_face_offered_no_longer_is_as_if_none_was_chosen(anna: Player) -> None:
    given = find_face(anna)
    anna.face = "Xx"
    assert find_face(anna) == given


def test_the_drawings_are_a_file_of_the_site() -> None:
    used = USED.search(draw_face("Rd"))
    assert used is not None
    assert Path(used[1]).name.startswith("faces")
    assert FACES.stat().st_size < 64_000
