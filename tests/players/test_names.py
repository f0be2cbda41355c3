"""Names that a player may have, and those refused."""

import re
from pathlib import Path

import pytest

from players.models import Player
from players.names import (
    MAX_NAME_CHARACTERS,
    BadName,
    clean_carried_name,
    clean_name,
    clean_typed_name,
    make_initials,
    make_look_key,
    make_name_key,
)
from players.services.house import HOUSE_NAMES


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Anna", "Anna"),
        ("  Anna   Rossi ", "Anna Rossi"),
        ("Nicolò D'Amico", "Nicolò D'Amico"),
        ("Jean-Luc 2", "Jean-Luc 2"),
        ("Łukasz", "Łukasz"),
        ("Casagrande", "Casagrande"),
        ("Stefania Staffelli", "Stefania Staffelli"),
        ("Botticelli", "Botticelli"),
        ("Ștefan Ţurcan", "Ștefan Ţurcan"),
        ("Nguyễn Ánh", "Nguyễn Ánh"),
        ("Giudice", "Giudice"),
        ("Antonio Lo Giudice", "Antonio Lo Giudice"),
        ("Maria Del Giudice", "Maria Del Giudice"),
        ("Casa", "Casa"),
        ("Giovanni Della Casa", "Giovanni Della Casa"),
        ("Anna Casa", "Anna Casa"),
        ("Rossana Banco", "Rossana Banco"),
        ("La Casa", "La Casa"),
        ("Gregory House", "Gregory House"),
        ("Joe Root", "Joe Root"),
        ("Emma Guest", "Emma Guest"),
        ("Mo D'Angelo", "Mo D'Angelo"),
        (
            "Maria Antonietta Pignatelli Aragona Cortes di Terranova",
            "Maria Antonietta Pignatelli Aragona Cortes di Terranova",
        ),
        ("A" * 60, "A" * 60),
        ("Анна Иванова", "Анна Иванова"),
        ("Ελένη", "Ελένη"),
        ("محمد علي", "محمد علي"),
        ("王伟", "王伟"),
        ("佐々木 アンナ", "佐々木 アンナ"),
        ("김민수", "김민수"),
        ("राम कुमार", "राम कुमार"),
        ("สมชาย", "สมชาย"),
        ("אננה", "אננה"),
    ],
)
def test_an_ordinary_name_is_kept(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "short"),
        ("Al", "short"),
        ("A" * 61, "long"),
        ("1234", "letters"),
        ("anna\u202eorre", "characters"),  # turns the text round
        ("an\u200bna", "characters"),  # nothing to see
        ("an\x00na", "characters"),
        ("an\nna", "characters"),
        ("an\tna", "characters"),
        ("<b>Anna</b>", "characters"),
        ("anna@example.org", "characters"),
        ("\u0410nna", "characters"),  # a Cyrillic A
        ("Anna \U0001f0a1", "characters"),
        ("Root", "reserved"),
        ("Giudice di gara", "reserved"),
        ("Anna, giudice", "characters"),
        ("Giudice arbitro Anna", "reserved"),
        ("Lo staff", "reserved"),
        ("St4ff", "reserved"),
        ("Mod Anna", "reserved"),
        ("Anna (staff)", "characters"),
        ("Supporto tecnico", "reserved"),
        ("Direttrice Anna", "reserved"),
        ("Organizzatore", "reserved"),
        ("Adm1n", "reserved"),
        ("a.d.m.i.n", "reserved"),
        ("Ospite 12", "reserved"),
        ("Guest 12", "reserved"),
        ("Àrbitro", "reserved"),
        ("AdminAnna", "reserved"),
        ("ad min", "reserved"),
        ("Staff 2", "reserved"),
        ("S.t.a.f.f", "reserved"),
        ("Moderatore1", "reserved"),
        ("Ex socio 77", "reserved"),
        ("Giulia Smazzata", "reserved"),
        ("Ann\u0251", "characters"),  # a Latin alpha of the phonetic alphabet
        ("\u01c0nna", "characters"),  # a click that looks like a stroke
        ("Ni\u0138o", "characters"),  # passes for a k
        ("Anna Иванова", "characters"),  # of two scripts
        ("\u0455\u043e\u0441\u0456\u043e", "reserved"),  # "socio", all in Cyrillic letters
        ("\ua4e5\ua4f3\ua4d0", "characters"),  # Lisu: every letter looks like a Latin one
        ("\u3164\u3164\u3164", "characters"),  # letters to Unicode, and nothing to see
        ("राम\ufe0f", "characters"),
        ("م\u064b\u064c\u064d\u064eحمد", "characters"),  # a heap of marks
        ("مـــحمد", "characters"),  # stretched
        ("王", "short"),
        ("Wu", "short"),
        ("Anna (Arci)", "characters"),
    ],
)
def test_a_name_that_deceives_or_breaks_is_refused(typed: str, code: str) -> None:
    with pytest.raises(BadName) as refused:
        clean_name(typed)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Wu", "Wu"),
        ("Anna (Arci)", "Anna (Arci)"),
        ('Gianni "Il Moro" Bo', 'Gianni "Il Moro" Bo'),
        ("Gianni «Il Moro» Bo", "Gianni «Il Moro» Bo"),
        ("Bruno & Carla", "Bruno & Carla"),
        ("Bruno + Carla", "Bruno + Carla"),
        ("D´Angelo", "D'Angelo"),
        ("Ada – Ivo", "Ada - Ivo"),
        ("Bar Sport!", "Bar Sport!"),
        ("Ivan Иван", "Ivan Иван"),
        ("王伟 (Li)", "王伟 (Li)"),
        ("علی\u200cرضا", "علیرضا"),
        ("Ẹ́niọlá", "Ẹ́niọlá"),
        ("an\u202ena", "anna"),
    ],
)
@pytest.mark.rule("O2")
def test_what_people_write_on_a_list_is_a_name(typed: str, kept: str) -> None:
    assert clean_typed_name(typed) == clean_carried_name(kept) == kept


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("X", "short"),
        ("12", "letters"),
        ("(!)", "letters"),
        ("\u0640\u0640", "letters"),  # they stretch letters, and are none
        ("<b>Anna</b>", "characters"),
        ("=1+1", "characters"),
        ("Ada, Bo", "characters"),
        ("Ada/Bo", "characters"),
        ("anna@example.org", "characters"),
        ("Anna \U0001f0a1", "characters"),
        ("a" + "\u0300\u0301\u0302\u0303" + "nna", "characters"),
        ("\u0301 anna", "characters"),
        ("Anna (staff)", "reserved"),
        ('"Admin"', "reserved"),
        ("\u0410dmin", "reserved"),  # a Cyrillic A
        ("A" * 61, "long"),
    ],
)
@pytest.mark.rule("O2")
def test_what_is_no_name_on_a_list_is_refused(typed: str, code: str) -> None:
    with pytest.raises(BadName) as refused:
        clean_typed_name(typed)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "given", ["Ospite 4821", "Guest 4821", "Ospite 23abcdefgh", "Ex socio 123456", "Socio 23abcdefgh", *HOUSE_NAMES]
)
def test_names_that_the_house_gives_come_from_another_site_too(given: str) -> None:
    assert clean_carried_name(given) == given


@pytest.mark.parametrize("name", ["Ospite", "Ospite Anna", "Socio moderatore", "Ospite staff12345", "ospite 4821"])
def test_no_other_name_of_the_house_comes_from_another_site(name: str) -> None:
    with pytest.raises(BadName, match="reserved"):
        clean_carried_name(name)


@pytest.mark.parametrize(("one", "other"), [("Anna", "ANNA"), ("Nicolò", "nicolo"), ("Anna Rossi", "anna-rossi")])
def test_case_accents_and_separators_make_no_other_name(one: str, other: str) -> None:
    assert make_name_key(one) == make_name_key(other)


def test_two_people_may_have_names_that_only_resemble_each_other() -> None:
    assert make_name_key("Mario") != make_name_key("Marlo")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ilaria", "lIaria"),
        ("Anna 1", "Anna l"),
        ("Otto", "0tto"),
        ("Bernardo", "Bemardo"),
        ("Walter", "VValter"),
        ("Зоя", "3оя"),
        ("Ірина", "Iрина"),
        ("ヘレン", "へレン"),
        ("カズ", "力ズ"),
        ("علي", "علی"),
        ("Сосо", "Coco"),
        ("ΒΙΚΑ", "BIKA"),
    ],
)
def test_names_that_look_the_same_on_the_screen_are_the_same(one: str, other: str) -> None:
    assert make_look_key(one) == make_look_key(other)


@pytest.mark.parametrize(("one", "other"), [("Łukasz", "Lukasz"), ("Bjørn", "bjorn"), ("Œdipe", "oedipe")])
def test_letters_that_take_no_accent_are_still_the_plain_one(one: str, other: str) -> None:
    assert make_name_key(one) == make_name_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Анна", "Anna"), ("Вера", "Бера"), ("राम", "रमा"), ("カズ", "ガズ"), ("김민수", "김민서")]
)
def test_names_of_other_scripts_are_told_apart(one: str, other: str) -> None:
    assert make_name_key(one) != make_name_key(other)
    assert make_look_key(one) != make_look_key(other)


def test_initials_are_letters() -> None:
    assert make_initials('Gianni "Il Moro" & Bo') == "G. I. M. B."


def test_a_key_fits_its_column_and_tells_small_i_from_small_l() -> None:
    assert make_look_key("Mario") != make_look_key("Marlo")
    assert len(make_name_key("Œ" * 60)) == len(make_look_key("ß" * 60)) == 120
    assert len(make_name_key("각" * 60)) == 60
    columns = [Player._meta.get_field(name).max_length for name in ("name", "name_key", "look_key")]
    assert columns == [60, 120, 120]


def test_every_field_for_a_name_written_by_hand_takes_the_longest() -> None:
    templates = Path(__file__).parents[2] / "templates"
    fields = [
        (path.name, field)
        for path in sorted(templates.rglob("*.html"))
        for field in re.findall(r"<input[^>]*name=\"nome\"[^>]*>", path.read_text())
    ]
    assert len(fields) >= 4
    assert [name for name, field in fields if f'maxlength="{MAX_NAME_CHARACTERS}"' not in field] == []
