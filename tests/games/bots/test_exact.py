"""Worths over all ways the hidden cards may lie, against a naive count: the deal dealt anew with the cards that a seat
hasn't seen in every order, played again move by move, and kept where the seat has seen the very same."""

from dataclasses import replace
from itertools import permutations
from math import comb
from random import Random
from typing import Any

import pytest

from bench.mirrored import decks, single_deal
from bench.open_deals import list_plays
from games.bots.exact import ExactStudy, weigh_all_ways
from games.bots.memory import Memory, remember
from games.bots.open_cards import count_points
from games.bots.tricks.player import PLAIN_PAYOFFS
from games.bots.worlds import Hidden, Room
from games.engine.cards import FULL, make_mask
from games.engine.game import GameMove, IllegalMove, View
from games.engine.record import write_move
from games.engine.tricks import Tricks
from games.lessons.steps import Layout
from games.lessons.tutor import plant, read_cards
from games.rules import RULESETS
from games.rules.briscola import BriscolaState
from tests.support.thorough import tries

WITHOUT_BOUND = {"most_ways": 10_000, "nodes": 10_000_000}
PLIES = {  # played before the question: what is hidden then can lie in few ways
    ("scopa", 2): 32, ("scopa", 4): 29, ("asso-piglia-tutto", 2): 31, ("scopone", 4): 34, ("tresette", 2): 33,
    ("tresette", 4): 34, ("tresette-a-perdere", 2): 34, ("tresette-a-perdere", 4): 33, ("briscola", 2): 35,
    ("briscola", 4): 35,
}  # fmt: skip


class Told:
    """A deal played by the dice, told from the start: the deck, the moves, what a seat saw."""

    def __init__(self, ruleset: str, players: int, seed: int, plies: int) -> None:
        self.ruleset, self.rules = ruleset, RULESETS[ruleset]
        self.setup = single_deal(ruleset, players)
        self.deck, self.dealer = next(decks(self.setup, seed))
        self.moves: list[GameMove] = []
        dice, state = Random(seed), self._deal(self.deck)
        while sum(move.verb == "play" for move in self.moves) < plies:
            plays = list_plays(ruleset, state)
            self.moves.append(dice.choice(plays) if plays else self.rules.legal(state)[-1])
            state = self.rules.play(state, self.moves[-1])
        self.state = state
        self.seat = self.rules.turn(state)
        views = self.see(self.deck)
        assert views is not None
        self.views: list[View] = views[0]

    def _deal(self, deck: list[int]) -> Any:
        return self.rules.deal(self.setup, deck, self.dealer)

    def see(self, deck: list[int]) -> tuple[list[View], Any] | None:
        """Return what the seat sees of the same moves with another deck, and the state reached; None where they
        can't be made."""
        state = self._deal(deck)
        views = [self.rules.view(state, self.seat)]
        for move in self.moves:
            try:
                state = self.rules.play(state, move)
            except IllegalMove:
                return None
            views.append(self.rules.view(state, self.seat))
        return views, state

    def study(self) -> ExactStudy | None:
        plays = list_plays(self.ruleset, self.state)
        return weigh_all_ways(self.ruleset, self.views[-1], remember(self.views), plays, **WITHOUT_BOUND)

    def list_worlds(self) -> list[Any]:
        """Every state that fits what the seat has seen."""
        view = self.views[-1]
        seen = remember(self.views).seen | make_mask(view.hands[self.seat].cards)
        seen |= make_mask(card for hand in view.hands for card in hand.cards)
        hidden = [place for place, card in enumerate(self.deck) if not seen >> card & 1 and card != view.turned]
        worlds = {}
        for order in permutations(self.deck[place] for place in hidden):
            deck = list(self.deck)
            for place, card in zip(hidden, order, strict=True):
                deck[place] = card
            told = self.see(deck)
            if told is not None and told[0] == self.views:
                worlds[told[1].hands, told[1].stock] = told[1]
        return list(worlds.values())


def search(ruleset: str, state: Any) -> float:
    """The points of line 0 less those of line 1 if everybody plays best, by trying every play to the end."""
    rules = RULESETS[ruleset]
    turn = rules.turn(state)
    if turn is None:
        return count(ruleset, state)
    plays = list_plays(ruleset, state)
    values = [search(ruleset, rules.play(state, move)) for move in plays or rules.legal(state)[-1:]]
    return max(values) if turn % 2 == 0 else min(values)


def count(ruleset: str, state: Any) -> float:
    if isinstance(state, Tricks):
        value = sum(state.thirds[0::2]) + (3 if state.taker % 2 == 0 else 0)
        return -PLAIN_PAYOFFS[value] if ruleset == "tresette-a-perdere" else PLAIN_PAYOFFS[value]
    if isinstance(state, BriscolaState):
        return 2 * count_points(state) - 120
    ours, theirs = RULESETS[ruleset].tally(state).points
    return ours - theirs


@pytest.mark.rule("HP7")
@pytest.mark.parametrize(("ruleset", "players"), PLIES)
def test_worths_are_those_of_a_naive_count_of_all_ways(ruleset: str, players: int) -> None:
    several = 0
    for seed in range(tries(3, 60)):
        told = Told(ruleset, players, seed, PLIES[ruleset, players])
        if told.seat is None or len(list_plays(ruleset, told.state)) < 2:
            continue
        study, worlds = told.study(), told.list_worlds()
        assert study is not None
        assert study.ways == len(worlds)
        sign = -1 if told.seat % 2 else 1
        values = [
            {play.move: sign * search(ruleset, told.rules.play(world, play.move)) for play in study.plays}
            for world in worlds
        ]
        for play in study.plays:
            assert play.points == pytest.approx(sum(value[play.move] for value in values) / len(values))
            assert play.best_in == sum(value[play.move] == max(value.values()) for value in values)
            assert play.ahead_in == sum(value[play.move] > 0 for value in values)
        assert [play.points for play in study.plays] == sorted((play.points for play in study.plays), reverse=True)
        several += len(worlds) > 1
    assert several or players == 2, "where two play all may be known"


@pytest.mark.rule("HP7")
@pytest.mark.parametrize(("ruleset", "players"), [("scopa", 2), ("tresette", 2), ("briscola", 2)])
def test_where_all_is_known_the_line_told_brings_what_it_is_said_to(ruleset: str, players: int) -> None:
    followed = 0
    for seed in range(6):
        told = Told(ruleset, players, seed, 34)
        study = told.study()
        if told.seat is None or study is None or study.ways > 1:
            continue
        for play in study.plays:
            state = told.state
            for move in (play.move, *play.line):
                state = told.rules.play(state, move)
            assert told.rules.turn(state) is None
            assert play.points == (-1 if told.seat % 2 else 1) * count(ruleset, state)
            followed += 1
    assert followed


def test_every_way_of_dealing_is_listed_once() -> None:
    cards = make_mask([3, 7, 12, 13, 25, 30])
    hidden = Hidden(cards, [Room(2, FULL), Room(1, FULL & ~(1 << 3)), Room(3, FULL & ~(1 << 7))])
    ways = [tuple(way) for way in hidden.list_deals()]
    assert len(ways) == len(set(ways)) == hidden.ways
    assert all(way[0] | way[1] | way[2] == cards and way[0].bit_count() == 2 for way in ways)
    assert not any(way[1] >> 3 & 1 or way[2] >> 7 & 1 for way in ways)
    assert Hidden(cards, [Room(2, FULL), Room(4, FULL)]).ways == comb(6, 2)


def test_more_ways_than_are_wanted_and_a_search_too_long_give_no_answer() -> None:
    told = Told("scopone", 4, 1, 30)
    plays = list_plays("scopone", told.state)
    memory = remember(told.views)
    assert weigh_all_ways("scopone", told.views[-1], memory, plays, most_ways=5, nodes=10_000_000) is None
    assert weigh_all_ways("scopone", told.views[-1], memory, plays, most_ways=10_000, nodes=50) is None


def test_no_log_shows_a_card_of_a_study() -> None:
    told = Told("scopa", 2, 1, 33)
    assert "GameMove" not in repr(told.study())


def ask(ruleset: str, layout: Layout) -> str:
    """The best play of a planted position of two, in which the seat has seen every card but the other's hand."""
    rules = RULESETS[ruleset]
    setup = single_deal(ruleset, 2)
    state = plant(rules.deal(setup, list(range(40)), 1), layout)
    hidden = make_mask(read_cards(layout.hands[1]))
    memory = Memory(seen=FULL & ~hidden & ~make_mask(read_cards(layout.hands[0])))
    view = rules.view(state, 0)
    view = replace(view, piles=tuple(pile._replace(tricks=0) for pile in view.piles))
    plays = list_plays(ruleset, state)
    study = weigh_all_ways(ruleset, view, memory, plays, **WITHOUT_BOUND)
    assert study is not None
    assert study.ways == 1
    assert study.margin > 0
    worths = {play.move: search(ruleset, rules.play(state, play.move)) for play in study.plays}
    assert study.plays[0].move == max(worths, key=lambda move: worths[move])
    return write_move(study.plays[0].move).partition(" ")[2]


@pytest.mark.rule("HP7")
@pytest.mark.parametrize(
    ("ruleset", "layout", "best"),
    [
        # The settebello lies, and who comes next has a seven too: the king may wait.
        ("scopa", Layout(hands=("7c Rd", "7b 5b"), table="7d Rc"), "play 7c x 7d"),
        # Give the low coppe away: the ace of denari must be led under the three, which then takes the last trick too.
        ("tresette", Layout(hands=("3d 4c", "Ad 5c")), "play 4c"),
        # To lose it is the other way round: the ace comes anyway, the last trick need not.
        ("tresette-a-perdere", Layout(hands=("3d 4c", "Ad 5c")), "play 3d"),
        # A two of the trumps takes the three that was led; the ace of another suit would be thrown after it.
        ("briscola", Layout(hands=("Ad 2b", "4c"), table="3s", turned="4b"), "play 2b"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_best_card_of_a_position_made_by_hand_is_the_known_one(ruleset: str, layout: Layout, best: str) -> None:
    assert ask(ruleset, layout) == best
