"""Decisions looked back at (HP6): by the players' own thinking, never with what was hidden."""

import json
from typing import Any

import pytest

from games.bots import study
from games.bots.memory import remember
from games.bots.reasons import CODES, find_reason
from games.engine import match as engine
from games.engine import record as verbale
from games.engine.cards import CARDS, make_mask
from games.engine.game import GameMove
from games.rules import RULESETS
from records.analysis.decisions import list_decisions
from records.analysis.run import write_result
from tests.support.analysis import make_record
from tests.support.thorough import tries

pytestmark = pytest.mark.rule("HP6")
GAMES = [(ruleset, players) for ruleset, rules in RULESETS.items() for players in rules.players]


def analyse(record: dict[str, Any], seat: int, most: int = 100) -> list[dict[str, Any]]:
    decisions = list(list_decisions(record, seat))[:most]
    return [write_result(decision, study.weigh_decision(decision.question)) for decision in decisions]


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.bots.strengths.STUDY_WORLDS", 40)


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_every_legal_card_of_every_decision_has_its_worth(ruleset: str, players: int) -> None:
    record = make_record(ruleset, players, seed=3)
    results = analyse(record, 0, most=tries(2, 4))
    assert results
    for result, decision in zip(results, list_decisions(record, 0), strict=False):
        legal = study.list_plays(decision.question.view, decision.question.played.seat)
        assert len(result["moves"]) == len(legal) == len(result["open"])
        assert result["played"] in dict(result["moves"])
        assert result["loss"] == pytest.approx(
            result["moves"][0][1] - dict(result["moves"])[result["played"]], abs=0.002
        )
        assert result["reason"] is None or result["reason"]["code"] in CODES
    assert json.dumps(results), "it is stored as it is"


def test_the_same_record_gives_the_same_figures() -> None:
    record = make_record("tresette", 4, seed=5)
    assert analyse(record, 2, most=5) == analyse(record, 2, most=5)


def swap_hidden(record: dict[str, Any], step: int) -> dict[str, Any]:
    """Return the record with the two last cards of the stock exchanged: nobody had seen them at the decision."""
    deal = record["deals"][0]
    deck = deal["deck"].split()
    deck[-1], deck[-2] = deck[-2], deck[-1]
    return {**record, "deals": [{"deck": " ".join(deck), "moves": deal["moves"][:step]}]}


def test_figures_are_the_same_whatever_was_hidden_then() -> None:
    whole = make_record("scopa", 2, seed=9)
    seen = {decision.step: decision for decision in list_decisions(whole, 0)}
    step = next(iter(seen))
    other = next(decision for decision in list_decisions(swap_hidden(whole, step), 0) if decision.step == step)
    one, two = study.weigh_decision(seen[step].question), study.weigh_decision(other.question)
    assert one is not None
    assert two is not None
    assert seen[step].question.state != other.question.state, "what was hidden differs"
    assert (one.moves, one.reason) == (two.moves, two.reason)


def test_figures_are_the_same_whatever_the_others_held() -> None:
    """Another hand of the opponents is another deal to them, and the same decision to whoever leads the first card."""
    whole = make_record("tresette", 4, seed=11)
    first = next(iter(list_decisions(whole, 1)))
    assert first.step == 1, "seat 1 leads"
    deck = whole["deals"][0]["deck"].split()
    mine = set(deck[0:40:4])
    others = [place for place in range(40) if deck[place] not in mine]
    moved = deck[:]
    for place, source in zip(others, others[1:] + others[:1], strict=True):
        moved[place] = deck[source]
    other = next(
        iter(
            list_decisions({**whole, "deals": [{"deck": " ".join(moved), "moves": whole["deals"][0]["moves"][:1]}]}, 1)
        )
    )
    one, two = study.weigh_decision(first.question), study.weigh_decision(other.question)
    assert one is not None
    assert two is not None
    assert first.question.state.hands != other.question.state.hands
    assert first.question.view == other.question.view
    assert (one.moves, one.reason) == (two.moves, two.reason)
    assert one.openly != two.openly, "with open cards it is another deal, and stands apart"


def ask_why(hands: str, table: str, played: str, best: str) -> str:
    """Return why ``best`` was better at Scopa: the own hand, what lies, and two plays."""
    setup = verbale.parse(make_record("scopa", 2, seed=1)).setup
    wanted = [CARDS[name] for name in hands.split()]
    lying = [CARDS[name] for name in table.split()]
    rest = [card for card in range(40) if card not in {*wanted, *lying}]
    deck = [rest[0], wanted[0], rest[1], wanted[1], rest[2], wanted[2]]
    for order in ([*wanted, *rest[:3], *lying, *rest[3:]], [*rest[:3], *wanted, *lying, *rest[3:]]):
        progress = engine.deal(engine.start(setup), order)
        seat = engine.turn(progress)
        assert seat is not None
        view = engine.view(progress, seat)
        if set(view.hands[seat].cards) == set(wanted):
            break
    else:
        progress = engine.deal(engine.start(setup), [*deck, *lying, *rest[3:]])
        seat = engine.turn(progress)
        assert seat is not None
        view = engine.view(progress, seat)
    moves = [_read_play(text, seat) for text in (played, best)]
    return find_reason("scopa", view, remember([view]), *moves).code


def _read_play(text: str, seat: int) -> GameMove:
    card, _x, taken = text.partition(" x ")
    return GameMove(seat, "play", CARDS[card], make_mask(CARDS[name] for name in taken.split()))


@pytest.mark.parametrize(
    ("hand", "table", "played", "best", "code"),
    [
        ("7c 2d Fb", "4d 3s Rc Cd", "2d", "7c x 4d 3s", "missed_capture"),
        ("7c 4s Fb", "7d Cc Rc Cd", "4s", "7c x 7d", "missed_settebello"),
        ("7d 4s Fb", "Cb Cc Rc Cd", "7d", "4s", "left_settebello"),
        ("6b 4s Fb", "6d 6c Rc Cd", "6b x 6c", "6b x 6d", "missed_denari"),
    ],
)
def test_a_reason_is_what_was_to_be_seen(hand: str, table: str, played: str, best: str, code: str) -> None:
    assert ask_why(hand, table, played, best) == code


def ask_why_few_points_win(hand: str, led: str, played: str, best: str) -> str:
    """Return why ``best`` was better at a perdere in two: the own hand of ten, what the other led, and two plays."""
    setup = verbale.parse(make_record("tresette-a-perdere", 2, seed=1)).setup
    own, lead = [CARDS[name] for name in hand.split()], [CARDS[name] for name in led.split()]
    rest = [card for card in range(40) if card not in {*own, *lead}]
    others, stock = [*lead, *rest][:10], [*lead, *rest][10:]
    for hands in ((own, others), (others, own)):
        progress = engine.deal(
            engine.start(setup), [card for pair in zip(*hands, strict=True) for card in pair] + stock
        )
        for card in lead:
            leader = engine.turn(progress)
            assert leader is not None
            if GameMove(leader, "play", card) in engine.legal(progress):
                progress = engine.play(progress, GameMove(leader, "play", card))
        seat = engine.turn(progress)
        assert seat is not None
        view = engine.view(progress, seat)
        if set(view.hands[seat].cards) == set(own) and [lying.card for lying in view.table] == lead:
            moves = [_read_play(text, seat) for text in (played, best)]
            return find_reason("tresette-a-perdere", view, remember([view]), *moves).code
    raise AssertionError("the hand is nobody's")


@pytest.mark.parametrize(
    ("hand", "led", "played", "best", "code"),
    [
        ("4b 2b 5c 6c 7c Fc Cc Rc 4s 5s", "Fb", "4b", "2b", "worth_taking"),
        ("4b 2b 5c 6c 7c Fc Cc Rc 4s 5s", "Fb", "2b", "4b", "took_trick"),
        ("4b 5b 5c 6c 7c Fc Cc Rc 4s 5s", "Fb", "4b", "5b", "unload"),
        ("4b 5b 5c 6c 7c Fc Cc Rc 4s 5s", "", "Rc", "5b", "easier_left"),
        ("3b 2b 5c 6c 7c Fc Cc Rc 4s 5s", "", "3b", "5c", "took_trick"),
        ("4b 5b 5c 6c 7c Fc Cc Rc 4s 5s", "", "4b", "5b", "unload"),
    ],
)
def test_a_reason_at_a_perdere_is_what_a_lead_or_a_trick_costs(
    hand: str, led: str, played: str, best: str, code: str
) -> None:
    assert ask_why_few_points_win(hand, led, played, best) == code
