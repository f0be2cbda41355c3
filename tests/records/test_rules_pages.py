"""The rules on the site: a page a ruleset, in two languages that say the same, every rule with its number."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from games.engine.cards import CARDS
from games.engine.game import Length
from games.rules import RULESETS
from games.services import seating, settlement
from records.views.rules import GAMES, LANGUAGES
from scoring import vp
from tests.support.html import drop_layout
from tests.support.tables import opened, play_out, seated

pytestmark = pytest.mark.django_db

TRESETTE = {f"T{number}" for number in range(1, 13)}
SCOPA = {f"S{number}" for number in range(1, 12)}
COMMON = {"G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "G10", *(f"V{number}" for number in range(1, 7))}
# What each page must state: rules of other rulebooks that hold in it too have their numbers there.
STATED = {
    "tresette": COMMON | TRESETTE | {"G11", "X1", "X2"},
    "tresette-a-perdere": COMMON | {"A1", "A2", "A3", "T1", "T2", "T3", "T4", "T10", "T11", "T12", "G11", "X1", "X2"},
    "scopa": COMMON | SCOPA | {"G11"},
    "asso-piglia-tutto": COMMON | SCOPA | {"G11", "P1", "P2", "P3", "P4"},
    "scopone": COMMON | SCOPA - {"S1"} | {"G11", "SC1", "SC2"},
    "briscola": COMMON | {"BR1", "BR2", "BR3", "BR4", "BR5", "X2"},
    "tressette-accusa": COMMON | {f"M{number}" for number in range(1, 9)} | {"T1", "T2", "T3", "T4", "T11", "X1", "X2"},
    "tressette-classico": COMMON
    | {f"C{number}" for number in range(1, 9)}
    | {"T2", "T3", "T4", "T9", "T11", "X1", "X2"},
}
LINKED_RULE = re.compile(r'href="#([A-Z]+\d+)"')
OPTIONS = {
    "vinco_subito": "vinco-subito",
    "accuso": "accuso",
    "cappotto": "cappotto",
    "dichiarazioni": "dichiarazioni",
    "carte_viste": "carte-viste",
    "carte_scoperte": "carte-scoperte",
    "ko_tie": "parita",
    "accusa": "accusa",
    "onori": "onori",
    "segnali": "segnali",
    "mostra_compagno": "mostra-compagno",
    "quattro_a_terra": "quattro-a-terra",
}


def page(ruleset: str, language: str = "it") -> str:
    answer = Client().get(f"/regole/{ruleset}/", headers={"accept-language": language})
    assert answer.status_code == 200
    return drop_layout(answer.content.decode())


def text_of(html: str) -> str:
    return html[html.index('<article class="rules-text">') : html.index("</article>")]


def sections(html: str) -> dict[str, str]:
    parts = re.split(r'<section class="rule-part" id="([^"]+)"', text_of(html))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def figures(section: str) -> list[str]:
    """Return the numbers in a section's text, without drawn cards and rules."""
    text = re.sub(r"<svg.*?</svg>|<[^>]*>", " ", section, flags=re.S)
    return sorted(re.findall(r"\b\d+", text), key=int)


def drawn(section: str) -> list[str]:
    return re.findall(r'#(\w\w)"/></svg>', section)


def test_there_is_a_page_for_every_ruleset_on_offer(client):
    assert set(RULESETS) <= set(GAMES) == set(vp.TABLES)
    index = client.get("/regole/").content.decode()
    for ruleset in GAMES:
        assert f'href="/regole/{ruleset}/"' in index
    assert client.get("/regole/poker/").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", GAMES)
def test_every_rule_stands_on_the_page_once_with_its_number(ruleset, language):
    ids = re.findall(r'\bid="([^"]+)"', page(ruleset, language))
    assert len(ids) == len(set(ids))
    assert STATED[ruleset] == {anchor for anchor in ids if re.fullmatch(r"[A-Z]+\d+", anchor)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", GAMES)
def test_every_link_inside_a_page_leads_somewhere_on_it(ruleset, language):
    html = page(ruleset, language)
    ids = set(re.findall(r'\bid="([^"]+)"', html))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= ids
    assert {"punti", "parita", "tempo", "vp", "silenzi"} <= ids


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_two_languages_keep_in_step(ruleset):
    italian, english = sections(page(ruleset, "it")), sections(page(ruleset, "en"))
    assert list(italian) == list(english)
    for anchor, section in italian.items():
        assert drawn(section) == drawn(english[anchor]), anchor
        assert figures(section) == figures(english[anchor]), anchor
        assert re.findall(LINKED_RULE, section) == re.findall(LINKED_RULE, english[anchor]), anchor


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_signals_of_tressette_classico_have_the_words_of_a_real_table_too(language):
    signals = sections(page("tressette-classico", language))["segnali"]
    assert all(f"<em>{word}</em>" in re.sub(r"\s+>", ">", signals) for word in ("la meglio", "piombo", "liscio"))


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_every_option_has_a_section_to_link_to(ruleset):
    assert {OPTIONS[name] for name in RULESETS[ruleset].options} <= set(sections(page(ruleset)))


@pytest.mark.parametrize("ruleset", GAMES)
def test_only_cards_of_the_deck_are_drawn(ruleset):
    assert set(drawn(text_of(page(ruleset)))) <= set(CARDS)


@pytest.mark.rule("V3")
@pytest.mark.parametrize("ruleset", GAMES)
def test_v3_the_table_of_vp_is_the_one_results_are_worked_out_with(ruleset):
    section = sections(page(ruleset))["vp"]
    rows = [re.findall(r"<td>(\d+|<span)", row) for row in re.findall(r"<tr><th scope=\"row\">.*?</tr>", section)]
    columns = vp.TABLES[ruleset].columns
    if not columns:
        assert rows == [["20"], ["10"], ["0"]]
    for number, column in enumerate(columns):
        bounds = [row[number] for row in rows]
        assert [int(bound) for bound in bounds if bound != "<span"] == list(column.bounds)


def test_the_rules_are_linked_from_every_page_and_from_a_finished_match(client, anna, bruno, now):
    home = client.get("/").content.decode()
    assert home.count('href="/regole/"') >= 2
    assert 'href="/verbali/"' in home
    match = seated([anna, bruno], now)
    assert f'href="/regole/{match.ruleset}/"' in client.get(f"/tavoli/{match.public_id}/").content.decode()
    play_out(match, now)
    assert f'href="/regole/{match.ruleset}/"' in client.get(f"/partite/{match.public_id}/").content.decode()


def test_a_finished_match_of_three_shows_its_deals_the_mortos_included(client, anna, bruno, carla, now):
    people = [anna, bruno, carla]
    match = opened(people, now, ruleset="tressette-accusa", length=Length("points", 11), context="free", first_dealer=2)
    for player in people:
        seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now)
    settlement.expire_overdue(match_id=match.pk, now=now + timedelta(hours=1))
    page = client.get(f"/partite/{match.public_id}/").content.decode()
    assert "mazziere il morto" in page
    assert "il morto ha in mano" in page
