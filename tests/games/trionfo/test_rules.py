"""Trionfo's own rules, and whole deals of it beside the naive game."""

import random

import pytest

from games.engine.cards import NAMES
from tests.games.rules.positions import listed, names, play, refusal, setup, stacked
from tests.games.trionfo.naive import Trionfo as Naive
from tests.games.trionfo.offer import RULES


def dealt(top: str):
    """A deal with these cards on top of the deck; seat 0 leads."""
    return RULES.deal(setup("trionfo"), stacked(top), 1)


def led(ours: str, theirs: str, turned: str = "Rs"):
    """A deal in which seat 0 has the first of these cards and seat 1 the second; neither has another of their suits."""
    rest = iter(name for name in ("7b", "6b", "5b", "4b", "3b", "2b", "Ab", "Fb"))
    return dealt(f"{ours} {theirs} {' '.join(next(rest) for _ in range(8))} {turned}")


def test_each_gets_five_cards_and_the_next_one_is_turned_up():
    state = dealt("3d 4c Ad 5c Fb 6c 7d Fs 2d 2s Rs")
    assert [names(hand) for hand in state.hands] == [{"3d", "Ad", "Fb", "7d", "2d"}, {"4c", "5c", "6c", "Fs", "2s"}]
    assert NAMES[state.turned] == NAMES[state.stock[-1]] == "Rs"
    assert RULES.turn(state) == 0
    assert listed(RULES, state) == {"3d", "Ad", "Fb", "7d", "2d"}


@pytest.mark.parametrize(
    ("led_card", "answer", "taker"),
    [("4d", "2d", 0), ("Fd", "Cd", 1), ("Ad", "Fd", 1), ("2c", "Rd", 0), ("Rd", "2s", 1), ("2s", "4s", 1)],
)
def test_the_highest_trump_takes_and_without_one_the_highest_of_the_suit_led(led_card, answer, taker):
    state = play(RULES, led(led_card, answer), f"0 play {led_card}", f"1 play {answer}")
    assert RULES.turn(state) == state.taker == taker
    assert state.tricks[taker] == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0 play 4d", "not_your_turn"),
        ("1 play 4d", "card_not_in_hand"),
        ("1 play 6b", "must_follow_suit"),
        ("1 play 2d x 4d", "unknown_move"),
        ("1 out", "unknown_move"),
    ],
)
def test_what_isnt_listed_is_refused(text, code):
    assert refusal(RULES, play(RULES, led("4d", "2d"), "0 play 4d"), text) == code


@pytest.mark.parametrize("seed", range(40))
def test_a_whole_deal_goes_as_the_naive_game_says(seed):
    dice = random.Random(seed)
    deck, dealer = dice.sample(range(40), 40), dice.randrange(2)
    state = RULES.deal(setup("trionfo", dealer=dealer), deck, dealer)
    naive = Naive(2, dealer, [NAMES[card] for card in deck])
    while (seat := RULES.turn(state)) is not None:
        assert seat == naive.turn
        assert listed(RULES, state) == {card for card, _ in naive.moves()}
        move = dice.choice(RULES.legal(state))
        state = RULES.play(state, move)
        naive.play(NAMES[move.card], frozenset())
    tally = RULES.tally(state)
    assert naive.over
    assert list(tally.points) == naive.points()
    assert tally.last_taker == naive.last_taker()
