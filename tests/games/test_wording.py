"""The lists of codes are closed: each code the code can give has its words, and no words are left over."""

import ast
import re
from pathlib import Path

import pytest

from games import wording
from games.engine.cards import CARDS
from games.engine.match import FORFEITS, MOST_TIE_BREAKS
from games.engine.record import parse_move
from games.rules import RULESETS

ROOT = Path(__file__).parent.parent.parent
PLACES = [
    "games/engine",
    "games/rules",
    "games/services",
    "scoring/vp.py",
    "records/results.py",
    "records/management",
]
ERRORS = {"IllegalMove", "HeaderError", "RecordError"}


def strings(node: ast.AST) -> set[str]:
    return {child.value for child in ast.walk(node) if isinstance(child, ast.Constant) and isinstance(child.value, str)}


def raised() -> dict[str, set[str]]:
    """Return by exception the codes where it is made; ``_find_fault`` and the decks' ValueErrors add theirs."""
    codes: dict[str, set[str]] = {name: set() for name in (*ERRORS, "_find_fault", "_require_whole_deck")}
    for place in PLACES:
        path = ROOT / place
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in ERRORS
                    and node.args
                ):
                    codes[node.func.id] |= strings(node.args[0])
                if isinstance(node, ast.FunctionDef) and node.name in ("_find_fault", "_require_whole_deck"):
                    returned = [
                        statement for statement in ast.walk(node) if isinstance(statement, ast.Return | ast.Raise)
                    ]
                    codes[node.name] |= {text for statement in returned for text in strings(statement)}
    return codes


def test_every_code_of_a_refused_move_has_words_and_no_words_are_left_over():
    codes = raised()
    assert codes["IllegalMove"] | codes["_find_fault"] == set(wording.ILLEGAL_MOVES)


def test_every_code_of_a_record_has_words_and_no_words_are_left_over():
    codes = raised()
    made = codes["HeaderError"] | codes["RecordError"] | codes["_require_whole_deck"]
    assert made - set(wording.ILLEGAL_MOVES) == set(wording.HEADER_FAULTS) | set(wording.DEAL_FAULTS)
    for code in made | set(wording.ILLEGAL_MOVES):
        assert wording.describe_fault(code)


def test_every_code_of_a_record_is_documented():
    page = (ROOT / "docs/rules/record.md").read_text().partition("## Codes")[2]
    listed = set(re.findall("`([a-z_]+)`", page))
    assert listed == {*wording.ILLEGAL_MOVES, *wording.HEADER_FAULTS, *wording.DEAL_FAULTS}


def test_no_code_stands_in_two_lists():
    lists = [wording.ILLEGAL_MOVES, wording.HEADER_FAULTS, wording.DEAL_FAULTS]
    assert len({code for words in lists for code in words}) == sum(map(len, lists))


def test_every_way_to_end_a_match_has_words():
    ways = {"points", "draw", "last_trick", "tie_break_last_trick", *FORFEITS}
    ways |= {"called_out", "cappotto", "cappottone", "stramazzo", "stramazzone", "collatondrione"}  # T9, C5, C6
    ways |= {f"tie_break_{number}" for number in range(1, MOST_TIE_BREAKS + 1)}
    assert ways == set(wording.DECIDED_BY)
    assert all(wording.describe_decision(code) for code in ways)


def test_every_ruleset_on_offer_and_every_row_of_a_count_has_a_name():
    assert set(wording.RULESET_NAMES) == set(wording.RULESET_LINES) == set(RULESETS)
    files = [*(ROOT / "games/rules").glob("*.py"), *(ROOT / "games/engine").glob("*.py")]
    rows = {text for file in files for text in _row_codes(file)}
    assert rows == set(wording.TALLY_ROWS)


def _row_codes(file: Path) -> set[str]:
    calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    return {
        code for call in calls if isinstance(call.func, ast.Name) and call.func.id == "TallyRow"
        for code in strings(call.args[0])
    }  # fmt: skip


@pytest.mark.parametrize(("card", "name"), [("Ad", "Asso di denari"), ("7c", "Sette di coppe"), ("Rs", "Re di spade")])
def test_a_card_is_said_in_words(card, name):
    assert wording.name_card(CARDS[card]) == name


def test_a_play_is_said_in_words_with_what_it_takes():
    assert wording.describe_play(parse_move("0 play Ac")) == "Gioca Asso di coppe"
    assert (
        wording.describe_play(parse_move("0 play 7c x 3s 4d"))
        == "Gioca Sette di coppe: prende Quattro di denari, Tre di spade"
    )


def test_an_unknown_code_is_loud():
    with pytest.raises(KeyError):
        wording.describe_fault("no_such_code")
