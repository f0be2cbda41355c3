"""Nothing hidden is in a view: two laws for every ruleset, what is known worked out by the naive games."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import match
from games.engine.cards import NAMES, cards_in, mask_of
from games.engine.game import Length, Setup, View
from games.rules import RULESETS
from tests.games import naive

TABLES = [(ruleset.id, players) for ruleset in RULESETS.values() for players in ruleset.players] + [("briscola", 2)]
pytestmark = pytest.mark.usefixtures("briscola")
every_table = pytest.mark.parametrize(("ruleset", "players"), TABLES)
seeds = st.integers(min_value=0, max_value=2**32)


def deal(ruleset: str, players: int, rng: random.Random):
    """A deal played at random, in the product and in the naive game side by side."""
    progress, game = None, None
    while progress is None or progress.needs_deck:
        deck = rng.sample(range(40), 40)
        dealer = rng.randrange(players)
        setup = Setup(ruleset, players, Length("deals", 1), "free", {}, dealer)
        progress = match.deal(match.start(setup), deck)
        game = naive.GAMES[ruleset](players, dealer, [NAMES[card] for card in deck])
    while progress.deal is not None:
        yield progress, game
        move = rng.choice(match.legal(progress))
        progress = match.play(progress, move)
        game.play(NAMES[move.card], frozenset(NAMES[card] for card in cards_in(move.takes)))


def cards_of(view: View) -> set[str]:
    """Every card that is anywhere in a view."""
    found = [card for hand in view.hands for card in hand.cards]
    found += [card.card for card in view.table]
    found += [card for move in view.legal for card in (move.card, *cards_in(move.takes))]
    if view.turned is not None:
        found.append(view.turned)
    if view.last is not None:
        found += [card.card for card in (*view.last.cards, *view.last.drawn)] + list(view.last.takes)
    return {NAMES[card] for card in found}


@every_table
@settings(deadline=None, max_examples=12, derandomize=True)
@given(seed=seeds)
def test_a_view_holds_the_own_hand_and_otherwise_only_cards_that_have_been_face_up(ruleset, players, seed):
    for progress, game in deal(ruleset, players, random.Random(seed)):
        for seat in (*range(players), None):
            view = match.view(progress, seat)
            assert cards_of(view) <= game.known(seat)
            assert view.turn == game.turn
            assert [hand.count for hand in view.hands] == [len(hand) for hand in game.hands]
            assert view.stock == len(game.stock)
            assert [pile.cards for pile in view.piles] == [len(pile) for pile in game.taken]
            for owner, hand in enumerate(view.hands):
                shown = {NAMES[card] for card in hand.cards}
                assert shown == (set(game.hands[owner]) if owner == seat else game.open_in_hand(owner))
            if seat == game.turn:
                legal = {(NAMES[move.card], frozenset(NAMES[c] for c in cards_in(move.takes))) for move in view.legal}
                assert legal == set(game.moves())
            else:
                assert view.legal == ()


@every_table
@settings(deadline=None, max_examples=12, derandomize=True)
@given(seed=seeds)
def test_two_states_that_differ_only_in_hidden_cards_give_equal_views(ruleset, players, seed):
    rng = random.Random(seed)
    changed = 0
    for progress, _ in deal(ruleset, players, rng):
        state = progress.deal
        for seat in (*range(players), None):
            view = match.view(progress, seat)
            shown = {card for hand in view.hands for card in hand.cards} | {view.turned}
            somewhere = [*(card for hand in state.hands for card in cards_in(hand)), *state.stock]
            hidden = [card for card in somewhere if card not in shown]
            mixed = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
            hands = [mask_of(mixed.get(card, card) for card in cards_in(hand)) for hand in state.hands]
            stock = tuple(mixed.get(card, card) for card in state.stock)
            other = progress._replace(deal=state._replace(hands=tuple(hands), stock=stock))
            changed += other != progress
            assert match.view(other, seat) == view
            for at, once in ((other, progress), (other.deal, state), (match.view(other, 0), match.view(progress, 0))):
                assert repr(at) == repr(once), "a log would show a card (N2)"
    assert changed > 20


@every_table
def test_a_hidden_card_that_does_show_is_noticed(ruleset, players):
    """The two laws above can fail: a view in which one foreign card was put breaks both."""
    progress, game = next(deal(ruleset, players, random.Random(1)))
    view = match.view(progress, 0)
    foreign = next(cards_in(progress.deal.hands[1]))
    assert NAMES[foreign] not in game.known(0)
    from dataclasses import replace

    leak = replace(view, hands=(view.hands[0], replace(view.hands[1], cards=(foreign,)), *view.hands[2:]))
    assert not cards_of(leak) <= game.known(0)
    assert leak != view
