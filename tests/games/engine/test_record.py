"""The record: moves and decks as text, the header, where faults lie, and the golden records of every ruleset."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import record
from games.engine.game import GameMove, IllegalMove, Length
from games.engine.record import RecordError
from games.rules import RULESETS
from records.results import replay_record
from tests.games import naive, naive_replay
from tests.games.rules.positions import cards, mask
from tests.support.thorough import tries

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.json"))
DECK = " ".join(naive.DECK)
VOID_TOP = ["2d", "3d", "4d", "5d", "6d", "7d", "Rd", "Rc", "Rb", "Ad"]
VOID = " ".join(VOID_TOP + [card for card in naive.DECK if card not in VOID_TOP])


def base(**changes: object) -> dict[str, object]:
    return {
        "verbale": 1, "ruleset": "scopa", "players": 2, "length": {"deals": 3}, "context": "free", "first_dealer": 0,
        "deals": [], **changes,
    }  # fmt: skip


def deal(*moves: object, deck: object = DECK) -> dict[str, object]:
    return {"deck": deck, "moves": list(moves)}


def fault(entry: object) -> tuple[int | None, int | None, str]:
    with pytest.raises(RecordError) as refused:
        replay_record(entry)
    return refused.value.deal, refused.value.move, refused.value.code


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_record_comes_to_the_result_on_file(path):
    entry = json.loads(path.read_text())
    assert replay_record(entry) == entry["result"]
    assert naive_replay.replay(entry) == entry["result"]


def test_the_golden_records_hold_every_ruleset_and_every_way_to_end_a_match():
    entries = [json.loads(path.read_text()) for path in GOLDEN]
    tables = {(entry["ruleset"], entry["players"]) for entry in entries}
    assert tables == {(ruleset.id, players) for ruleset in RULESETS.values() for players in ruleset.players}
    assert {entry["result"]["decided_by"] for entry in entries} == {
        "points", "draw", "last_trick", "tie_break_1", "tie_break_2", "tie_break_3", "tie_break_last_trick",
        "noshow", "timeout", "clock", "abandon", "called_out", "cappotto", "cappottone", "stramazzo", "stramazzone",
        "collatondrione",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("0 play 3d", GameMove(0, "play", 2)),
        ("3 play 7c x 4d 3s", GameMove(3, "play", 16, mask("4d 3s"))),
        ("3 play 7c x 3s 4d", GameMove(3, "play", 16, mask("4d 3s"))),
        ("1 accuso napoletana:d+4xA", GameMove(1, "accuso", arg="4xA+napoletana:d")),
        ("0 accuso 3x3", GameMove(0, "accuso", arg="3x3")),
        ("2 declare d per-te+ho", GameMove(2, "declare", arg="d per-te+ho")),
        *[
            (f"1 declare {suit} {what}", GameMove(1, "declare", arg=f"{suit} {what}"))
            for suit in "dcbs"
            for what in ("ho", "busso", "per-te", "per-te+ho", "per-te+busso")
        ],
        *[(f"0 signal {signal}", GameMove(0, "signal", arg=signal)) for signal in ("busso", "volo", "striscio")],
        *[(f"3 {verb}", GameMove(3, verb)) for verb in ("buongioco", "collatondrione", "redeal", "timeout", "clock")],
        ("0 noshow", GameMove(0, "noshow")),
        ("1 abandon", GameMove(1, "abandon")),
        ("1 out", GameMove(1, "out")),
    ],
)
def test_a_moves_text_is_read(text, move):
    assert record.parse_move(text) == move
    assert record.parse_move(record.write_move(move)) == move


def test_captured_cards_are_written_in_the_decks_order():
    assert record.write_move(record.parse_move("0 play Rs x 4s 5c Ad")) == "0 play Rs x Ad 5c 4s"


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "0", "play 3d", "0 play", "4 play 3d", "-1 play 3d", "00 play 3d", "0 play 3D", "0 play 8d",
        "0 play d3", "0  play 3d", "0 play 3d ", " 0 play 3d", "0\tplay 3d", "0 play 3d x", "0 play 3d x 3c 3c",
        "0 play 3d y 3c",
        "0 play 3d 3c", "0 Play 3d", "0 sing", "0 timeout now", "0 abandon 1", "0 accuso", "0 out x", "٠ play 3d",
        "0 play 3d x 3c x 3b", "\ud800",
        "0 accuso 3x3+3x3", "0 accuso 3x3 3x2", "0 accuso 3x4", "0 accuso 5x3", "0 accuso napoletana",
        "0 accuso napoletana:", "0 accuso napoletana:dc", "0 accuso 3x3+", "0 accuso +", "0 accuso 3X3",
        "0 declare", "0 declare d", "0 declare ho", "0 declare ho d", "0 declare dc ho", "0 declare d ho+per-te",
        "0 declare d ho+busso", "0 declare d per-te+ho+busso", "0 declare d per te", "0 declare d Ho",
        "0 declare d  ho", "0 declare d ho busso", "0 signal", "0 signal ho", "0 signal busso volo", "0 signal per-te",
        "0 buongioco 3x3",
        "0 collatondrione d", "0 redeal now", "0 redeal ",
    ],
)  # fmt: skip
def test_a_text_that_is_no_move_is_refused(text):
    with pytest.raises(IllegalMove, match="unreadable_move"):
        record.parse_move(text)


def test_a_deck_is_written_with_spaces_in_a_record_and_without_in_the_store():
    deck = cards("*s *d *b *c")
    assert record.parse_deck(record.write_deck(deck)) == tuple(deck)
    assert record.parse_stored_deck(record.write_stored_deck(deck)) == tuple(deck)
    assert len(record.write_stored_deck(deck)) == 80


@pytest.mark.parametrize(
    ("deck", "code"),
    [
        (DECK.replace("3d", "3c"), "not_a_whole_deck"),
        (DECK[:-3], "not_a_whole_deck"),
        (DECK + " 3d", "not_a_whole_deck"),
        ("", "not_a_whole_deck"),
        (DECK.replace("3d", "3D"), "unreadable_deck"),
        (DECK.replace(" ", ""), "unreadable_deck"),
        (None, "unreadable_deck"),
        (naive.DECK, "unreadable_deck"),
    ],
)
def test_a_fault_in_the_deck_lies_at_its_deal_without_a_move(deck, code):
    assert fault(base(deals=[deal(deck=VOID), deal("0 abandon", deck=deck)])) == (1, None, code)


@pytest.mark.parametrize(
    "change",
    [
        {"verbale": 2}, {"verbale": "1"}, {"verbale": True}, {"verbale": 1.0}, {"ruleset": "Scopa"}, {"ruleset": None},
        {"ruleset": "burraco"}, {"players": 3}, {"players": "2"}, {"players": 2.0}, {"players": True},
        {"length": 3}, {"length": {}}, {"length": {"deals": 0}}, {"length": {"deals": 21}}, {"length": {"deals": True}},
        {"length": {"points": 102}}, {"length": {"points": 11.0}}, {"length": {"deals": 1, "points": 11}},
        {"length": {"hands": 3}}, {"length": {"points": 12}, "context": "round_robin"},
        {"length": {"deals": 6}, "context": "round_robin"}, {"context": "KO"}, {"context": None}, {"context": []},
        {"first_dealer": 2}, {"first_dealer": -1}, {"first_dealer": "0"}, {"first_dealer": False}, {"options": None},
        {"options": []}, {"options": {"accuso": False}}, {"options": {"ko_tie": "deals"}},
        {"options": {"carte_viste": 0}}, {"options": {"carte_viste": []}},
        {"about": "Anna"}, {"notes": {}}, {"deals": {}}, {"deals": None}, {"deals": [None]}, {"deals": [[]]},
        {"deals": [{"deck": DECK}]}, {"deals": [{"moves": []}]}, {"deals": [{**deal(), "x": 1}]},
        {"deals": [{"deck": DECK, "moves": "0 abandon"}]}, {"deals": [deal("0 abandon"), {**deal(), "x": 1}]},
    ],
)  # fmt: skip
def test_a_fault_in_the_header_or_in_a_field_has_no_position(change):
    assert fault(base(**change))[:2] == (None, None)


@pytest.mark.parametrize("name", ["verbale", "ruleset", "players", "length", "context", "first_dealer", "deals"])
def test_every_field_but_options_about_and_result_is_required(name):
    entry = base()
    del entry[name]
    assert fault(entry) == (None, None, "missing_field")
    assert replay_record(base())["ok"]
    assert replay_record(base(options={}, about={"players": ["Anna", "Bruno"]}, result=[1]))["ok"]


@pytest.mark.parametrize("entry", [None, 1, "x", [], [base()], True])
def test_a_record_is_an_object(entry):
    assert fault(entry) == (None, None, "wrong_type")


def test_options_on_offer_may_be_given_their_default_and_ko_tie_may_stand_anywhere():
    assert replay_record(base(options={"carte_viste": False, "carte_scoperte": False}))["ok"]
    for length in ({"deals": 2}, {"points": 21}):
        for context in ("free", "ko", "round_robin"):
            entry = base(ruleset="tresette", length=length, context=context, options={"ko_tie": "deals"})
            assert replay_record(entry)["ok"]


@pytest.mark.rule("S2")
def test_s2_a_void_deal_stands_by_itself_and_a_move_in_it_is_an_error():
    assert replay_record(base(deals=[deal(deck=VOID)]))["deals"] == [{"dealer": 0, "void": True, "points": [0, 0]}]
    assert fault(base(deals=[deal("0 abandon", deck=VOID)])) == (0, 0, "deal_over")


def test_a_deal_after_the_end_or_after_an_unfinished_one_is_an_error_without_a_move():
    assert fault(base(deals=[deal("0 abandon"), deal()])) == (1, None, "deal_after_end")
    assert fault(base(deals=[deal(), deal("0 abandon")])) == (1, None, "deal_unfinished")
    assert fault(base(deals=[deal("1 play 3d", "1 play 3d"), deal(deck=None)])) == (0, 1, "not_your_turn")


def test_a_move_after_the_end_of_its_deal_or_of_the_match_is_an_error_at_that_move():
    assert fault(base(deals=[deal("0 abandon", "1 abandon")])) == (0, 1, "match_over")
    entry = json.loads(next(path for path in GOLDEN if path.stem == "scopa-2-points").read_text())
    moves = entry["deals"][0]["moves"]
    spoiled = copy.deepcopy(entry)
    spoiled["deals"][0]["moves"].append("0 abandon")
    assert fault(spoiled) == (0, len(moves), "deal_over")
    spoiled = copy.deepcopy(entry)
    spoiled["deals"][-1]["moves"] += ["nonsense", "1 abandon"]
    assert fault(spoiled) == (len(entry["deals"]) - 1, 36, "unreadable_move")


@pytest.mark.parametrize("odd", [None, 7, True, [], {}, ["0 abandon"], "", "\ud800", "x" * 100_000])
def test_a_move_that_is_no_move_is_an_error_at_its_place(odd):
    assert fault(base(deals=[deal("1 play Ad", odd)])) == (0, 1, "unreadable_move")


def test_an_incomplete_match_has_the_score_of_its_finished_deals_and_nothing_else():
    entry = json.loads(next(path for path in GOLDEN if path.stem == "scopa-2-points").read_text())
    points = entry["result"]["deals"][0]
    entry["deals"] = [entry["deals"][0], {**entry["deals"][1], "moves": entry["deals"][1]["moves"][:5]}]
    assert replay_record(entry) == {
        "ok": True, "complete": False, "deals": [points], "score": points["points"], "winner": None,
        "decided_by": None, "margin": None, "mp": None, "vp": None, "stakes": [0, 0],
    }  # fmt: skip


def test_what_is_dumped_is_read_again():
    parsed = record.parse(base(ruleset="tresette", options={"ko_tie": "deals"}, deals=[deal("1 play Ad")]))
    dumped = record.dump(parsed.setup, [(record.parse_deck(DECK), ["1 play Ad"])], about={"event": "Torneo"})
    assert dumped["about"] == {"event": "Torneo"}
    assert record.parse(dumped) == parsed
    assert parsed.setup.length == Length("deals", 3)
    assert json.loads(json.dumps(dumped)) == dumped


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None, max_examples=tries(40, 300), derandomize=True)
@given(
    name=st.sampled_from(
        [*base(), "options", "shuffle", "about", "result", "deck", "moves", "move", "deals", "option"]
    ),
    value=json_values,
)
def test_no_value_in_any_place_is_more_than_an_error(name, value):
    places = {
        "deck": {"deals": [deal(deck=value)]},
        "moves": {"deals": [{"deck": DECK, "moves": value}]},
        "move": {"deals": [deal(value)]},
        "option": {"options": {"carte_viste": value}},
    }
    entry = base(**places.get(name, {name: value}))
    assert answer(entry) == naive_replay.replay(entry)


def answer(entry: object) -> dict[str, object]:
    try:
        return replay_record(entry)
    except RecordError as refused:
        return {"ok": False, "deal": refused.deal, "move": refused.move}
