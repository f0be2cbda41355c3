"""Laws that every ruleset on offer obeys, and Briscola with them, whatever is played and by however many."""

import copy
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import match, record
from games.engine.cards import DECK_SIZE, FULL, cards_in, mask_of
from games.engine.game import IllegalMove, Length, Move, Setup
from games.engine.match import Progress
from games.rules import RULESETS

TABLES = [(ruleset.id, players) for ruleset in RULESETS.values() for players in ruleset.players] + [("briscola", 2)]
DEAL_POINTS = {"tresette": 11, "briscola": 120}  # T4
pytestmark = pytest.mark.usefixtures("briscola")
seeds = st.integers(min_value=0, max_value=2**32)
every_table = pytest.mark.parametrize(("ruleset", "players"), TABLES)


def setup_of(ruleset: str, players: int, rng: random.Random) -> Setup:
    length = rng.choice([Length("deals", 1), Length("deals", 2), Length("points", 11)])
    context = rng.choice(["free", "ko", "round_robin"])
    return Setup(ruleset, players, length, context, {}, rng.randrange(players))


def deck(rng: random.Random) -> list[int]:
    return rng.sample(range(DECK_SIZE), DECK_SIZE)


def moments(ruleset: str, players: int, rng: random.Random):
    """A match played at random: the Progress before each move, and the move."""
    progress = match.start(setup_of(ruleset, players, rng))
    while progress.outcome is None:
        if progress.needs_deck:
            progress = match.deal(progress, deck(rng))
            continue
        move = rng.choice(match.legal(progress))
        yield progress, move
        progress = match.play(progress, move)


@every_table
@settings(deadline=None, max_examples=15, derandomize=True)
@given(seed=seeds)
def test_forty_different_cards_are_there_at_every_moment(ruleset, players, seed):
    for progress, _ in moments(ruleset, players, random.Random(seed)):
        state = progress.deal
        view = match.view(progress, None)
        hands = [match.view(progress, seat).hands[seat].cards for seat in range(players)]
        open_cards = [card.card for card in view.table]
        assert [len(hand) for hand in hands] == [hand.count for hand in view.hands]
        piles = sum(pile.cards for pile in view.piles)
        assert sum(map(len, hands)) + len(open_cards) + view.stock + piles == DECK_SIZE
        somewhere = [*(card for hand in hands for card in hand), *open_cards, *state.stock]
        assert len(set(somewhere)) == len(somewhere) == DECK_SIZE - piles


def candidates(players: int, legal: list[Move], rng: random.Random) -> list[Move]:
    """Moves of every kind, most of them not allowed."""
    found = [Move(seat, "play", card) for seat in range(-1, players + 1) for card in range(-1, DECK_SIZE + 1)]
    for move in legal:
        others = [0, rng.getrandbits(40) & FULL, move.takes | 1 << rng.randrange(40), move.takes & (move.takes - 1)]
        found += [move._replace(takes=takes) for takes in others]
        found += [move._replace(card=rng.randrange(40)), move._replace(seat=(move.seat + 1) % players)]
        found += [move._replace(arg="x"), move._replace(verb="out"), move._replace(verb="accuso")]
    verbs = ("", "redeal", "out", "buongioco", "collatondrione", "signal", "declare", "accuso", "sing")
    return found + [Move(seat, verb) for seat in range(players) for verb in verbs]


@every_table
@settings(deadline=None, max_examples=4, derandomize=True)
@given(seed=seeds)
def test_listed_moves_are_played_and_unlisted_ones_refused_with_nothing_changed_g10(ruleset, players, seed):
    rng = random.Random(seed)
    for progress, _ in moments(ruleset, players, rng):
        legal = match.legal(progress)
        assert legal
        assert len(set(legal)) == len(legal)
        assert {move.seat for move in legal} == {match.turn(progress)}
        before = copy.deepcopy((progress.setup, progress[2:]))  # all but the ruleset, which has no state
        for move in legal:
            match.play(progress, move)
        for move in set(candidates(players, list(legal), rng)) - set(legal):
            with pytest.raises(IllegalMove):
                match.play(progress, move)
        assert (progress.setup, progress[2:]) == before


@every_table
@settings(deadline=None, max_examples=25, derandomize=True)
@given(seed=seeds)
def test_every_match_ends_and_its_record_replays_to_the_same(ruleset, players, seed):
    rng = random.Random(seed)
    progress = match.start(setup_of(ruleset, players, rng))
    deals: list[tuple[list[int], list[str]]] = []
    while progress.outcome is None:
        assert len(progress.deals) < 40
        if progress.needs_deck:
            deals.append((deck(rng), []))
            progress = match.deal(progress, deals[-1][0])
            continue
        if rng.random() < 0.004:
            move = Move(match.turn(progress), rng.choice(["timeout", "clock", "abandon"]))
        else:
            move = rng.choice(match.legal(progress))
        progress = match.play(progress, move)
        deals[-1][1].append(record.move_text(move))
    assert record.replay(record.parse(record.dump(progress.setup, deals))).progress == progress
    assert match.turn(progress) is None
    assert match.legal(progress) == ()


@every_table
@settings(deadline=None, max_examples=15, derandomize=True)
@given(seed=seeds)
def test_a_match_taken_up_from_its_finished_deals_goes_on_the_same(ruleset, players, seed):
    rng = random.Random(seed)
    played: list[Move] = []
    dealt: Progress | None = None
    for progress, move in moments(ruleset, players, rng):
        if dealt is None or len(progress.deals) != len(dealt.deals):
            dealt, played = progress, []
        resumed = match.start(progress.setup, dealt.deals)._replace(deal=dealt.deal)
        for each in played:
            resumed = match.play(resumed, each)
        assert resumed[:9] == progress[:9]  # all but the count of the deal before
        played.append(move)


@every_table
@settings(deadline=None, max_examples=25, derandomize=True)
@given(seed=seeds)
def test_a_deals_points_are_the_sum_of_its_rows_and_of_what_the_rulebook_gives_away(ruleset, players, seed):
    rng = random.Random(seed)
    setup = Setup(ruleset, players, Length("deals", 20), "free", {}, 0)
    progress = match.start(setup)
    while progress.needs_deck:
        progress = match.deal(progress, deck(rng))
    while progress.deal is not None:
        progress = match.play(progress, rng.choice(match.legal(progress)))
    tally = progress.tally
    assert tally is not None
    assert progress.last is not None
    assert tally.points == progress.deals[-1].points
    assert tally.points == tuple(sum(row.points[line] for row in tally.rows) for line in (0, 1))
    assert sum(tally.points) == DEAL_POINTS.get(ruleset, sum(tally.points))
    if ruleset == "scopa":
        scope = sum(row.points[line] for row in tally.rows if row.code == "scope" for line in (0, 1))
        assert 1 <= sum(tally.points) - scope <= 4  # S7: the settebello always goes to somebody


def test_masks_and_cards_are_two_ways_to_write_the_same_set():
    assert list(cards_in(mask_of([3, 17, 39]))) == [3, 17, 39]
