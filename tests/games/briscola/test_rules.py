"""Briscola's own rules, and whole deals of it beside the naive game."""

import random

import pytest

from games.engine.cards import CARDS, NAMES, list_cards
from games.engine.game import Setup
from tests.games.briscola.naive import Briscola as Naive
from tests.games.briscola.offer import RULES
from tests.games.rules.positions import listed, names, play, refusal, setup, stacked


def dealt(top: str, dealer: int = 1):
    """A deal with these cards on top of the deck; seat 0 leads."""
    return RULES.deal(setup("briscola"), stacked(top), dealer)


def test_each_gets_three_cards_and_the_next_one_is_turned_up_and_drawn_last():
    state = dealt("3d 4c Ad 5c Fb 6c Rs")
    assert [names(hand) for hand in state.hands] == [{"3d", "Ad", "Fb"}, {"4c", "5c", "6c"}]
    assert NAMES[state.turned] == NAMES[state.stock[-1]] == "Rs"
    assert len(state.stock) == 34
    assert RULES.turn(state) == 0
    assert listed(RULES, state) == {"3d", "Ad", "Fb"}


@pytest.mark.parametrize(
    ("led", "answer", "turned", "taker"),
    [
        ("4d", "2d", "Rs", 0),
        ("4d", "3d", "Rs", 1),
        ("Rd", "3d", "Rs", 1),
        ("3d", "Ad", "Rs", 1),
        ("2c", "Ad", "Rs", 0),  # another suit takes nothing
        ("Ad", "2s", "Rs", 1),  # but a trump does
        ("2s", "Ad", "Rs", 0),
        ("2s", "4s", "Rs", 1),
    ],
)
def test_the_highest_trump_takes_the_trick_and_without_one_the_highest_of_the_suit_led(led, answer, turned, taker):
    rest = [name for name in ("5b", "6b", "7b", "Fb") if name not in (led, answer)]
    state = play(RULES, dealt(f"{led} {answer} {' '.join(rest)} {turned}"), f"0 play {led}", f"1 play {answer}")
    assert RULES.turn(state) == state.taker == taker
    assert state.tricks[taker] == 1
    assert names(state.piles[taker]) == {led, answer}


def test_who_took_draws_first_and_nobody_is_shown_what_was_drawn():
    state = play(RULES, dealt("3d 4c Ad 5c Fb 6c Rs 7s 6s"), "0 play 3d", "1 play 4c")
    assert {"7s"} < names(state.hands[0])
    assert {"6s"} < names(state.hands[1])
    assert RULES.view(state, 0).last.drawn == ()
    assert RULES.view(state, 0).hands[1].cards == ()


def test_the_turned_card_is_known_in_the_hand_it_goes_to():
    state = dealt("3d 4c Ad 5c Fb 6c Rs")
    while state.stock:
        state = RULES.play(state, RULES.legal(state)[0])
    owner = next(seat for seat, hand in enumerate(state.hands) if "Rs" in names(hand))
    for seat in (1 - owner, None):
        view = RULES.view(state, seat)
        assert [NAMES[card] for card in view.hands[owner].cards] == ["Rs"]
        assert [(NAMES[card.card], card.seat) for card in view.last.drawn] == [("Rs", owner)]
        assert view.turned == CARDS["Rs"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1 play 4c", "not_your_turn"),
        ("0 play 4c", "card_not_in_hand"),
        ("0 play 3d x 4c", "unknown_move"),
        ("0 out", "unknown_move"),
    ],
)
def test_what_isnt_listed_is_refused(text, code):
    assert refusal(RULES, dealt("3d 4c Ad 5c Fb 6c Rs"), text) == code


def test_a_tie_is_a_draw_but_for_a_ko():
    assert RULES.terms(setup("briscola")).level == "draw"
    assert RULES.terms(setup("briscola", context="ko")).level == "tie_breaks"


@pytest.mark.parametrize("seed", range(40))
def test_a_whole_deal_goes_as_the_naive_game_says(seed):
    dice = random.Random(seed)
    deck, dealer = dice.sample(range(40), 40), dice.randrange(2)
    rules_setup: Setup = setup("briscola", dealer=dealer)
    state, naive = RULES.deal(rules_setup, deck, dealer), Naive(2, dealer, [NAMES[card] for card in deck])
    while (seat := RULES.turn(state)) is not None:
        assert seat == naive.turn
        assert listed(RULES, state) == {card for card, _ in naive.moves()}
        assert [list(RULES.tally_forfeit(state, line).points) for line in (0, 1)] == [
            naive.forfeited(line) for line in (0, 1)
        ]
        move = dice.choice(RULES.legal(state))
        state = RULES.play(state, move)
        naive.play(NAMES[move.card], frozenset())
    tally = RULES.tally(state)
    assert naive.over
    assert [{NAMES[card] for card in list_cards(pile)} for pile in state.piles] == [set(pile) for pile in naive.taken]
    assert list(tally.points) == naive.points()
    assert sum(tally.points) == 120
    assert tally.last_taker == naive.last_taker()
