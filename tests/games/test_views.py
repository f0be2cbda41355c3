"""Nothing hidden is in a view: two laws for every ruleset, option and number of players.

The naive games work out from the moves what a seat may know. The second law swaps two cards a seat can't know in the
deck, plays the same moves again where they are still legal and tell everybody the same, and finds that seat seeing the
same. Last, cards are put where they don't belong, to see that both laws can fail.
"""

import itertools
import random
from dataclasses import replace

import pytest

from games.engine import match, record
from games.engine.cards import CARDS, NAMES, list_cards
from games.engine.game import HandView, HeardCall, IllegalMove, Setup, TableCard, View, controlling_seat
from games.engine.match import Progress
from games.rules import RULESETS
from tests.games import naive, setups
from tests.games.random_matches import RandomMatch, choose_setups

pytestmark = pytest.mark.usefixtures("trionfo")
every_table = pytest.mark.parametrize(("ruleset", "players"), [*setups.TABLES, setups.TRIONFO])


def viewers(setup: Setup) -> list[int | None]:
    """The players' seats, and a spectator."""
    return [0, 1, 3, None] if setup.players == 3 else [*range(setup.players), None]


def cards_of(view: View) -> set[str]:
    """Every card that is anywhere in a view."""
    cards = [card for hand in view.hands for card in hand.cards]
    cards += [card.card for card in view.table]
    cards += [card for move in view.legal for card in (move.card, *list_cards(move.takes)) if card >= 0]
    cards += [card for call in view.calls for card in call.cards]
    cards += view.seen
    if view.turned is not None:
        cards.append(view.turned)
    if view.last is not None:
        cards += [card.card for card in (*view.last.cards, *view.last.drawn)] + list(view.last.takes)
    return {NAMES[card] for card in cards}


def check_view(view: View, game, viewer: int | None) -> None:
    """The first law: what is in a view is what the naive game says may be known, and no more."""
    assert cards_of(view) <= game.known(viewer)
    for owner, hand in enumerate(view.hands):
        assert hand.count == len(game.hands[owner])
        assert {NAMES[card] for card in hand.cards} == game.shown_in_hand(owner, viewer)
    assert view.turn == game.turn
    assert view.stock == len(game.stock)
    assert [pile.cards for pile in view.piles] == [len(pile) for pile in game.taken]
    mine = [text for text in naive.listed(game) if controlling_seat(int(text[0]), game.players) == viewer]
    assert {record.write_move(move) for move in view.legal} == set(mine)
    assert {NAMES[card] for card in view.seen} == game.seen_before()
    if hasattr(game, "to_read"):
        calls = [
            (call.seat, call.verb, call.arg, {NAMES[card] for card in call.cards}, *call[4:]) for call in view.calls
        ]
        assert calls == game.to_read()
        assert list(view.credited) == (game.credited() if game.credits_at_once else [0, 0])
    else:
        assert (view.calls, view.credited) == ((), (0, 0))


@pytest.mark.rule("G11", "T12", "S10", "M3")
@every_table
def test_a_view_holds_what_the_seat_may_know_and_nothing_else(ruleset, players):
    for setup in choose_setups(ruleset, players):
        match_ = RandomMatch(setup, "views")
        for progress, _ in itertools.islice(match_.moments(), 90):
            for viewer in viewers(setup):
                check_view(match.view(progress, viewer), match_.game, viewer)


def hidden_from(game, viewer: int | None) -> list[str]:
    """The cards a viewer can't know."""
    return sorted(set(naive.DECK) - game.known(viewer))


def other_world(progress: Progress, match_: RandomMatch, swap: list[str]) -> Progress | None:
    """The running deal with two cards of its deck swapped and the same moves made.

    None if it can't have gone so, or if everybody would have heard another *Ho* (T10) or seen another lead (M2).
    """
    names = [swap[1 - swap.index(name)] if name in swap else name for name in match_.names]
    before, game = match.start(progress.setup, progress.deals), match_.new_game(names)
    try:
        after = match.deal(before, [CARDS[name] for name in names])
        for text in match_.deals[-1][1]:
            after = match.play(after, record.parse_move(text))
            naive.do(game, text)
    except IllegalMove:
        return None
    same = game.turn == match_.game.turn and getattr(game, "heard", []) == getattr(match_.game, "heard", [])
    return after if same else None


@pytest.mark.rule("G11", "T12", "S10", "M3")
@every_table
def test_two_deals_that_differ_only_in_cards_a_seat_cannot_know_look_the_same_to_it(ruleset, players):
    compared = 0
    for setup in choose_setups(ruleset, players):
        match_ = RandomMatch(setup, "hidden")
        for progress, _ in itertools.islice(match_.moments(), 0, 90, 2):
            viewer = match_.rng.choice(viewers(setup))
            hidden = hidden_from(match_.game, viewer)
            if len(hidden) < 2:
                continue
            other = other_world(progress, match_, match_.rng.sample(hidden, 2))
            if other is None or other == progress:
                continue
            compared += 1
            assert match.view(other, viewer) == match.view(progress, viewer)
            for at, once in ((other, progress), (other.deal, progress.deal)):
                assert repr(at) == repr(once), "a log would show a card (N2)"
            assert repr(match.view(other, viewer)) == repr(match.view(progress, viewer))
    assert compared > 50


@every_table
def test_all_but_the_hands_and_what_may_be_played_is_the_same_for_every_seat(ruleset, players):
    """One part of a frame is encoded for everybody (docs/hot-path.md): it may be made of any seat's view."""
    for setup in choose_setups(ruleset, players):
        match_ = RandomMatch(setup, "common")
        for progress, _ in itertools.islice(match_.moments(), 0, 60, 3):
            everybody = match.view(progress, None)
            for viewer in viewers(setup):
                view = match.view(progress, viewer)
                assert replace(view, seat=None, hands=everybody.hands, legal=()) == everybody
                assert [hand.count for hand in view.hands] == [hand.count for hand in everybody.hands]


# A card that does show is noticed


def leaks(view: View, foreign: int) -> list[View]:
    """The same view with a foreign card in each place a card can be."""
    hand, *others = view.hands
    shown = replace(hand, cards=(*hand.cards, foreign))
    call = HeardCall(1, "declare", "d ho", (foreign,), 1)
    last = view.last and view.last._replace(cards=(*view.last.cards, TableCard(foreign, 1)))
    cards = [
        replace(view, hands=(shown, *others)),
        replace(view, hands=(hand, HandView(others[0].count, (foreign,)), *others[1:])),
        replace(view, table=(*view.table, TableCard(foreign, None))),
        replace(view, calls=(*view.calls, call)),
        replace(view, seen=(*view.seen, foreign)),
        replace(view, turned=foreign),
        replace(view, legal=(*view.legal, view.legal[0]._replace(card=foreign))) if view.legal else None,
        replace(view, last=last) if last else None,
    ]
    return [leak for leak in cards if leak is not None]


@every_table
def test_a_hidden_card_that_does_show_is_noticed_wherever_it_stands(ruleset, players):
    for setup in choose_setups(ruleset, players)[:3]:
        match_ = RandomMatch(setup, "leaks")
        noticed = 0
        for progress, _ in itertools.islice(match_.moments(), 30):
            view, game = match.view(progress, 0), match_.game
            check_view(view, game, 0)
            for foreign in hidden_from(game, 0)[:1]:
                for leak in leaks(view, CARDS[foreign]):
                    with pytest.raises(AssertionError):
                        check_view(leak, game, 0)
                    noticed += 1
        assert noticed > 50


class Leaky:
    """A ruleset whose views show what is asked for of the state."""

    def __init__(self, inner, leak) -> None:
        self.inner, self.leak = inner, leak

    def __getattr__(self, name: str):
        return getattr(self.inner, name)

    def view(self, state, seat):
        return replace(self.inner.view(state, seat), turned=self.leak(state))


@pytest.mark.parametrize(
    "leak",
    [
        lambda state: state.hands[1] % 16,  # which of four certain cards seat 1 holds
        lambda state: sum(state.hands[1:]) % 3,
        lambda state: state.stock[0] if state.stock else None,
    ],
)
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_view_that_depends_on_a_hidden_card_breaks_the_second_law(ruleset, leak, monkeypatch):
    players = RULESETS[ruleset].players[0]
    if players == 4 and leak.__code__.co_names == ("stock",):
        return  # four hold all the cards
    monkeypatch.setitem(match._offered, ruleset, Leaky(RULESETS[ruleset], leak))
    with pytest.raises(AssertionError):
        test_two_deals_that_differ_only_in_cards_a_seat_cannot_know_look_the_same_to_it(ruleset, players)


def test_the_random_numbers_of_a_match_are_its_own():
    setup = setups.chosen("scopa", 2)[0]
    random.seed(1)
    first = [move for _, move in RandomMatch(setup, 1).moments()]
    random.seed(2)
    assert [move for _, move in RandomMatch(setup, 1).moments()] == first
