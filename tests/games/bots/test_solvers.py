"""Exact endgames (HP5), checked against a naive search that tries everything by the rules themselves."""

from random import Random
from typing import Any

import pytest

from bench.open_deals import deal_rules, list_plays, name_card, play_on
from games.bots.briscola import deal as briscola
from games.bots.briscola.solver import BriscolaSolver
from games.bots.captures.player import GAMES
from games.bots.captures.solver import CaptureSolver
from games.bots.effort import OutOfNodes
from games.bots.open_cards import copy_briscola, copy_captures, copy_tricks, count_points
from games.bots.tricks.cards import LAST_TRICK
from games.bots.tricks.solver import TrickSolver
from games.engine.captures import CLOSED, Captures
from games.engine.cards import BIT, DECK_SIZE, make_mask
from games.engine.tricks import Tricks
from games.rules import RULESETS
from games.rules.briscola import BriscolaState
from tests.support.thorough import tries

POSITIONS = tries(80, 10_000)
CARDS = {2: (1, 2, 3, 4, 4), 4: (1, 2, 2, 2, 3)}  # in each hand, by the number of hands


def search_everything(ruleset: str, state: Any, fewest: bool) -> int:
    """Return the value of a state for line 0 if everybody plays best, by trying every move to the end."""
    rules = RULESETS[ruleset]
    turn = rules.turn(state)
    if turn is None:
        return value_of(ruleset, state)
    values = [search_everything(ruleset, rules.play(state, move), fewest) for move in list_plays(ruleset, state)]
    return max(values) if (turn % 2 == 0) != fewest else min(values)


def value_of(ruleset: str, state: Any) -> int:
    if isinstance(state, Tricks):
        return sum(state.thirds[0::2]) + (LAST_TRICK if state.taker % 2 == 0 else 0)
    if isinstance(state, BriscolaState):
        return count_points(state)
    ours, theirs = RULESETS[ruleset].tally(state).points
    return ours - theirs


def draw_tricks(players: int, dice: Random) -> Tricks:
    """Return an end of a deal by the dice, some cards of a trick lying."""
    held = dice.choice(CARDS[players])
    cards = dice.sample(range(DECK_SIZE), players * held)
    hands = tuple(make_mask(cards[seat * held : (seat + 1) * held]) for seat in range(players))
    nothing = (0,) * players
    state = Tricks(hands, dice.randrange(players), (), (), nothing, nothing, (), -1, 0, ())
    for _ in range(dice.randrange(players)):
        state = RULESETS["tresette"].play(state, dice.choice(RULESETS["tresette"].legal(state)))
    return state


@pytest.mark.rule("HP5")
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("ruleset", ["tresette", "tresette-a-perdere"])
def test_the_end_of_a_deal_of_tricks_is_worth_what_a_naive_search_finds(ruleset: str, players: int) -> None:
    dice, fewest = Random(players), ruleset == "tresette-a-perdere"
    for _ in range(POSITIONS):
        state = draw_tricks(players, dice)
        deal = copy_tricks(state)
        solver = TrickSolver(players, fewest=fewest)
        worth = solver.solve(deal.hands, deal.leader, deal.trick)
        assert deal.value + worth == search_everything(ruleset, state, fewest)
        if dice.random() < 0.2:
            values = solver.evaluate_plays(deal.hands, deal.leader, deal.trick)
            assert {name_card(card) for card in values} == {move.card for move in list_plays(ruleset, state)}
            for card, value in values.items():
                after = RULESETS[ruleset].play(
                    state, next(move for move in list_plays(ruleset, state) if move.card == name_card(card))
                )
                assert deal.value + value == search_everything(ruleset, after, fewest)


def draw_captures(players: int, dice: Random) -> Captures:
    """Return the last cards of a deal by the dice, the rest taken by one line or the other."""
    held = dice.choice((1, 2, 3) if players == 2 else (1, 1, 2))
    lying = dice.randrange(7)
    cards = dice.sample(range(DECK_SIZE), DECK_SIZE)
    hands = tuple(make_mask(cards[seat * held : (seat + 1) * held]) for seat in range(players))
    rest = cards[players * held + lying :]
    split = dice.randrange(len(rest))
    table = make_mask(cards[players * held : players * held + lying])
    piles = (make_mask(rest[:split]), make_mask(rest[split:]))
    seat = dice.randrange(players)
    return Captures(hands, seat, table, (), piles, (0, 0), dice.randrange(players), None, False, 0, CLOSED)


@pytest.mark.rule("HP5")
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("ruleset", ["scopa", "asso-piglia-tutto", "scopone"])
def test_the_end_of_a_deal_of_captures_is_worth_what_a_naive_search_finds(ruleset: str, players: int) -> None:
    dice = Random(players)
    for _ in range(POSITIONS):
        state = draw_captures(players, dice)
        deal = copy_captures(ruleset, state)
        solver = CaptureSolver(GAMES[ruleset].glances)
        assert solver.solve(deal) == search_everything(ruleset, state, fewest=False)
        if dice.random() < 0.2:
            values = solver.evaluate_plays(deal)
            assert values.keys() == {(move.card, move.takes) for move in RULESETS[ruleset].legal(state)}
            for move in RULESETS[ruleset].legal(state):
                after = RULESETS[ruleset].play(state, move)
                assert values[move.card, move.takes] == search_everything(ruleset, after, fewest=False)


@pytest.mark.rule("HP5")
@pytest.mark.parametrize("players", [2, 4])
def test_the_end_of_a_deal_of_briscola_is_worth_what_a_naive_search_finds(players: int) -> None:
    """The stock, as far as there is one, lies open to both searches."""
    dice, rules = Random(players), RULESETS["briscola"]
    for number in range(tries(30, 10_000)):
        state = play_on("briscola", deal_rules("briscola", players, number), 33 + dice.randrange(6), dice)
        deal, worth = copy_briscola(state), search_everything("briscola", state, fewest=False)
        assert BriscolaSolver().solve(deal) == worth
        if number % 5 == 0:
            values = BriscolaSolver().evaluate_plays(deal)
            for move in rules.legal(state):
                after = rules.play(state, move)
                assert values[briscola.ORDERED[move.card]] == search_everything("briscola", after, fewest=False)


def test_a_search_that_is_used_up_says_so() -> None:
    hands = [make_mask(range(seat, DECK_SIZE, 4)) for seat in range(4)]
    with pytest.raises(OutOfNodes):
        TrickSolver(4, nodes=3).solve(hands, 0)


def test_the_three_sure_tricks_of_a_suit_are_worth_all_they_take() -> None:
    """Seat 0 leads with the ace, the fante and the king of a suit nobody else has: every trick is its line's."""
    top = BIT[7] | BIT[6] | BIT[4]  # ace, king and fante, in the order of strength
    hands = [top, 0b111 << 10, 0b111 << 20, 0b111 << 30]
    assert TrickSolver(4).solve(hands, 0) == 5 + LAST_TRICK
