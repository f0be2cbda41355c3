"""Free tables, checked records and the account of a match in brackets; the rules are prose and say their language."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games import wording as games
from games.engine.game import Length
from games.rules import RULESETS
from players.models import Player
from records import match_narrative
from records.templatetags import rulebook
from records.views.rules import LANGUAGES
from scoring import vp
from tests.languages import pseudo
from tests.languages.extraction import ROOT
from tests.languages.pages import has_errors, read_raw
from tests.languages.pseudo import raw_words
from tests.support.people import sign_in

pytestmark = pytest.mark.django_db

GOLDEN = sorted((ROOT / "tests" / "games" / "golden").glob("*.json"))
LETTERS = {"A", "B", "R", "C", "F"}  # lines, seats and ranks, as in a record
NEW = {
    "ruleset": "tresette", "players": "4", "length_kind": "points", "length_value": "21",
    "turn_timeout": "60", "match_clock": "", "public": "on",
}  # fmt: skip


def told(path: Path) -> dict[str, Any]:
    """A finished match as the file has it, with nobody's name in it."""
    record = json.loads(path.read_text())
    return {name: value for name, value in record.items() if name != "about"}


def test_setting_up_a_free_table_speaks_the_readers_language(brackets: None, anna: Player) -> None:
    names = {anna.name, anna.name[0]}
    client = sign_in(anna)
    for ruleset, rules in RULESETS.items():
        for players in rules.players:
            chosen = {**NEW, "ruleset": ruleset, "players": str(players), "mostra": "1"}
            assert read_raw(client.post(reverse("free-table-new"), chosen), names) == set(), (ruleset, players)
    for changed in (
        {"length_value": "999"},
        {"length_value": ""},
        {"ruleset": "tressette-accusa", "length_kind": "deals"},
        {"ruleset": "tressette-classico", "players": "3"},
        {"ruleset": "burraco", "turn_timeout": "x"},
        {},  # whoever sits at a table opens no other
    ):
        if not changed:
            assert client.post(reverse("free-table-new"), NEW).status_code == 302
        answer = client.post(reverse("free-table-new"), {**NEW, **changed})
        assert has_errors(answer), changed
        assert read_raw(answer, names) == set(), changed


def test_the_check_of_a_record_speaks_the_readers_language(brackets: None) -> None:
    record = told(GOLDEN[0])
    spoiled = json.dumps({**record, "deals": [{"deck": "x", "moves": []}]})
    deal, *rest = record["deals"]
    wrong = json.dumps({**record, "deals": [{**deal, "moves": [*deal["moves"][:3], "play 7d"]}, *rest]})
    for text in (json.dumps(record), spoiled, wrong, "{", "[]", "", "x" * 300_000):
        answer = Client().post(reverse("records"), {"text": text})
        assert read_raw(answer, LETTERS) == set(), text[:40]


def test_the_account_of_a_match_speaks_the_readers_language(brackets: None) -> None:
    with translation.override(pseudo.CODE):
        for path in GOLDEN:
            lines = match_narrative.write_lines(match_narrative.narrate_record(told(path)))
            assert raw_words(lines, LETTERS) == set(), path.stem


def test_what_may_be_set_up_is_said_in_the_readers_language(brackets: None) -> None:
    with translation.override(pseudo.CODE):
        texts = [games.describe_lengths([Length("points", 11), Length("points", 21), Length("deals", 3)])]
        texts += [
            games.describe_lengths([Length("deals", value) for value in range(1, 21)]),
            games.describe_duration(90),
        ]
        texts += [text for key in games.OPTIONS for text in games.describe_option("", key)]
        texts += [render_to_string("records/rules/_vp_table.html", rulebook.draw_vp_table(game)) for game in vp.TABLES]
        assert all(pseudo.OPEN in text for text in texts)
        assert raw_words(texts[: -len(vp.TABLES)]) == set()
        assert [pseudo.read(text)[0] for text in texts[-len(vp.TABLES) :]] == [set()] * len(vp.TABLES)


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_the_rules_of_a_game_are_written_in_every_language_and_say_which(brackets: None, ruleset: str) -> None:
    for language in LANGUAGES:
        page = Client().get(reverse("rules-of", args=[ruleset]), headers={"accept-language": language}).content.decode()
        assert f'<div lang="{language}">' in page
    assert '<div lang="it">' in Client().get(reverse("rules-of", args=[ruleset])).content.decode()
