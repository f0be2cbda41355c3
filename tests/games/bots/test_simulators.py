"""The house's own simulators play by the rules: the same cards may be played, and come to the same."""

from random import Random
from typing import Any

import pytest

from bench.open_deals import deal_rules, list_plays, name_card, play_on
from games.bots.briscola import deal as briscola
from games.bots.briscola.playouts import play_out as play_out_briscola
from games.bots.captures.player import GAMES
from games.bots.captures.playouts import play_out_hand
from games.bots.captures.worth import expect_points
from games.bots.open_cards import copy_briscola, copy_captures, copy_tricks, count_points
from games.bots.tricks.cards import LAST_TRICK, name_cards, order_cards
from games.bots.tricks.playouts import play_to_lose, play_to_win
from games.engine.cards import FULL, list_cards
from games.rules import RULESETS
from tests.support.thorough import tries

TRICKS = [
    (ruleset, players)
    for ruleset in ("tresette", "tresette-a-perdere", "tressette-accusa", "tressette-classico")
    for players in RULESETS[ruleset].players
]
CAPTURES = [(ruleset, players) for ruleset in GAMES for players in RULESETS[ruleset].players]
DEALS = tries(8, 2000)


def test_cards_in_the_order_of_strength_are_the_same_cards() -> None:
    dice = Random(1)
    for _ in range(200):
        cards = dice.getrandbits(40) & FULL
        assert name_cards(order_cards(cards)) == cards
        assert order_cards(cards).bit_count() == cards.bit_count()


@pytest.mark.rule("T2", "T3")
@pytest.mark.parametrize(("ruleset", "players"), TRICKS)
def test_a_deal_of_tricks_is_played_as_the_rules_play_it(ruleset: str, players: int) -> None:
    rules = RULESETS[ruleset]
    for seed in range(DEALS):
        dice, state = Random(seed), deal_rules(ruleset, players, seed)
        deal = copy_tricks(state)
        while rules.turn(state) is not None:
            plays = list_plays(ruleset, state)
            if not plays:  # a call that has to be made first (M4)
                state = rules.play(state, rules.legal(state)[-1])
                continue
            assert deal.turn == rules.turn(state)
            assert sorted(map(name_card, deal.list_legal())) == sorted(move.card for move in plays)
            card = dice.choice(deal.list_legal())
            deal.play(card)
            state = rules.play(state, next(move for move in plays if move.card == name_card(card)))
            assert [name_cards(hand) for hand in deal.hands] == list(state.hands)
        assert deal.is_over
        assert deal.value == _count_value(state)


@pytest.mark.parametrize("play_out", [play_to_win, play_to_lose])
@pytest.mark.parametrize(("ruleset", "players"), TRICKS)
def test_tricks_played_on_as_people_play_are_played_by_the_rules(ruleset: str, players: int, play_out: Any) -> None:
    rules = RULESETS[ruleset]
    for seed in range(DEALS):
        dice = Random(seed)
        state = play_on(ruleset, deal_rules(ruleset, players, seed), dice.randrange(39), dice)
        while not list_plays(ruleset, state):
            state = rules.play(state, rules.legal(state)[-1])
        trail: list[int] = []
        value = play_out(copy_tricks(state), dice, trail)
        for card in trail:
            while not list_plays(ruleset, state):
                state = rules.play(state, rules.legal(state)[-1])
            state = rules.play(state, next(m for m in list_plays(ruleset, state) if m.card == name_card(card)))
        assert rules.turn(state) is None
        assert value == _count_value(state)


def _count_value(state: Any) -> int:
    return sum(state.thirds[0::2]) + (LAST_TRICK if state.taker % 2 == 0 else 0)


@pytest.mark.rule("S4", "S5", "S6", "S7", "S8", "P1", "P2", "P3", "P4")
@pytest.mark.parametrize(("ruleset", "players"), CAPTURES)
def test_a_deal_of_captures_is_played_as_the_rules_play_it(ruleset: str, players: int) -> None:
    rules = RULESETS[ruleset]
    for seed in range(DEALS):
        dice, state = Random(seed), deal_rules(ruleset, players, seed)
        deal = copy_captures(ruleset, state)
        while rules.turn(state) is not None:
            plays = rules.legal(state)
            assert sorted(deal.list_legal()) == sorted((move.card, move.takes) for move in plays)
            move = dice.choice(plays)
            state = rules.play(state, move)
            deal.play(move.card, move.takes)
            assert (deal.hands, deal.table, deal.piles) == (list(state.hands), state.table, list(state.piles))
            assert deal.scope == state.scope[0] - state.scope[1]
        ours, theirs = rules.tally(state).points
        assert deal.is_over
        assert deal.count() == ours - theirs


@pytest.mark.parametrize(("ruleset", "players"), CAPTURES)
def test_captures_played_on_as_people_play_are_played_by_the_rules(ruleset: str, players: int) -> None:
    rules = RULESETS[ruleset]
    for seed in range(DEALS):
        dice = Random(seed)
        state = play_on(ruleset, deal_rules(ruleset, players, seed), dice.randrange(36), dice)
        trail: list[tuple[int, int]] = []
        deal = copy_captures(ruleset, state)
        value = play_out_hand(deal, GAMES[ruleset].glances, dice, trail)
        assert len(trail) == sum(hand.bit_count() for hand in deal.hands)
        for card, takes in trail:
            state = rules.play(state, next(m for m in rules.legal(state) if (m.card, m.takes) == (card, takes)))
        if rules.turn(state) is None:
            ours, theirs = rules.tally(state).points
            assert value == ours - theirs
        else:
            assert value == state.scope[0] - state.scope[1] + expect_points(*state.piles)


@pytest.mark.rule("BR2", "BR3", "BR4")
@pytest.mark.parametrize("players", RULESETS["briscola"].players)
def test_a_deal_of_briscola_is_played_as_the_rules_play_it(players: int) -> None:
    rules, places = RULESETS["briscola"], briscola.ORDERED
    for seed in range(DEALS):
        dice, state = Random(seed), deal_rules("briscola", players, seed)
        deal = copy_briscola(state)
        while rules.turn(state) is not None:
            assert deal.turn == rules.turn(state)
            assert [sorted(hand) for hand in deal.hands] == [
                sorted(places[card] for card in list_cards(hand)) for hand in state.hands
            ]
            move = dice.choice(rules.legal(state))
            deal.play(places[move.card])
            state = rules.play(state, move)
        assert deal.is_over
        assert deal.value == count_points(state)


@pytest.mark.parametrize("players", RULESETS["briscola"].players)
def test_briscola_played_on_as_people_play_is_played_by_the_rules(players: int) -> None:
    rules = RULESETS["briscola"]
    for seed in range(DEALS):
        dice = Random(seed)
        state = play_on("briscola", deal_rules("briscola", players, seed), dice.randrange(39), dice)
        trail: list[int] = []
        value = play_out_briscola(copy_briscola(state), dice, trail)
        for place in trail:
            card = briscola.PLAIN[place]
            state = rules.play(state, next(move for move in rules.legal(state) if move.card == card))
        assert rules.turn(state) is None
        assert value == count_points(state)
