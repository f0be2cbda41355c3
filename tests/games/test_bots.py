"""House players: legal moves only, better than simple players, and nothing in a choice that the View doesn't hold."""

from dataclasses import replace
from random import Random

import pytest

from games import bots
from games.engine import record
from games.engine.captures import Captures
from games.engine.cards import CARDS, mask_of
from games.engine.game import HandView, Move, View
from games.engine.tricks import Tricks
from games.rules import RULESETS
from tests.bench.mirrored import compare, decks, play_deal, single_deal
from tests.bench.rivals import at_random, rivals

SEED = 7
SIZES = [(ruleset, players) for ruleset, rules in RULESETS.items() for players in rules.players]
RIVALS = [(*size, name) for size in SIZES for name in ("random", "greedy")]


@pytest.mark.parametrize(("ruleset", "players"), SIZES)
def test_the_house_plays_whole_deals_with_legal_moves_only(ruleset: str, players: int) -> None:
    rules = RULESETS[ruleset]
    rng = Random(SEED)
    for (deck, dealer), _ in zip(decks(ruleset, players, SEED), range(40), strict=False):
        state = rules.deal(single_deal(ruleset, players), deck, dealer)
        while (seat := rules.turn(state)) is not None:
            legal = rules.legal(state)
            move = bots.choose(ruleset, rules.view(state, seat))
            assert move in legal
            state = rules.play(state, move if rng.random() < 0.7 else rng.choice(legal))


@pytest.mark.parametrize(("ruleset", "players"), SIZES)
def test_a_game_without_a_strategy_still_gets_legal_moves(ruleset: str, players: int) -> None:
    for (deck, dealer), _ in zip(decks(ruleset, players, SEED), range(10), strict=False):
        play_deal(ruleset, players, deck, dealer, (bots.modest, at_random(Random(SEED))))


@pytest.mark.parametrize(("ruleset", "players", "rival"), RIVALS)
def test_over_mirrored_deals_the_house_beats_simple_players(ruleset: str, players: int, rival: str) -> None:
    def house(view: View) -> Move:
        return bots.choose(ruleset, view)

    score = compare(ruleset, players, house, rivals(ruleset, Random(SEED))[rival], deals=80, seed=SEED)
    assert score.low > 0, f"{score.mean:+.2f} points a deal, at least {score.low:+.2f}"


@pytest.mark.parametrize(("ruleset", "players"), SIZES)
def test_the_measure_finds_nothing_between_equals(ruleset: str, players: int) -> None:
    dice = [at_random(Random(seed)) for seed in (1, 2)]
    score = compare(ruleset, players, dice[0], dice[1], deals=80, seed=SEED)
    assert score.low < 0 < score.high


@pytest.mark.parametrize(("ruleset", "players"), SIZES)
def test_hidden_cards_change_no_choice(ruleset: str, players: int) -> None:
    """The same deal with the unseen cards in other places: equal views, equal choices."""
    rules, rng, compared = RULESETS[ruleset], Random(SEED), 0
    setup = single_deal(ruleset, players)
    for (deck, dealer), _ in zip(decks(ruleset, players, SEED), range(60), strict=False):
        seat = rules.turn(rules.deal(setup, deck, dealer))
        assert seat is not None
        view = rules.view(rules.deal(setup, deck, dealer), seat)
        seen = mask_of([*view.hands[seat].cards, *(lying.card for lying in view.table)])
        hidden = [place for place, card in enumerate(deck) if not seen >> card & 1]
        moved = rng.sample(hidden, len(hidden))
        other = list(deck)
        for place, source in zip(hidden, moved, strict=True):
            other[place] = deck[source]
        twin = rules.view(rules.deal(setup, other, dealer), seat)
        assert other != deck
        assert twin == view
        assert bots.choose(ruleset, twin) == bots.choose(ruleset, replace(view))
        compared += 1
    assert compared == 60


SCOPA = [
    # in hand, on the table, what is played
    pytest.param("7c 2s Rb", "7d 4s 5b Fc", "7c x 7d", id="the settebello is taken"),
    pytest.param("5c Ab Rs", "3d 2s", "5c x 3d 2s", id="a scopa is made"),
    pytest.param("7b Fs Rs", "7c 7d Rb", "7b x 7d", id="the settebello rather than another seven"),
    pytest.param("7b Ac As", "5s 2b 4d 3d", "7b x 4d 3d", id="two denari rather than two others"),
    pytest.param("7d Rs Rb", "Cs Fc 5b 4d", "Rb", id="the settebello is kept while it takes nothing"),
    pytest.param("As 6b Fc", "4d", "Fc", id="nothing is added that leaves an easy scopa"),
    pytest.param("3c Cs Rb", "7s 2d Fb", "Cs x 7s 2d", id="a seven and a denaro rather than a lone discard"),
]

TRESETTE = [
    # seats, in hand, the trick so far (its leader's card first), what is played
    pytest.param(2, "3d 2d Ad 4d 5c", "Rd", "Ad", id="the last to play brings his ace home"),
    pytest.param(2, "3d 7d 5c 6c", "4d", "7d", id="no three on a worthless trick"),
    pytest.param(2, "Ad 5d Rd 6c", "3d", "5d", id="the poorest card on a lost trick"),
    pytest.param(2, "3c 2c 4c 5d", "Ac", "2c", id="the ace taken by the cheapest winner"),
    pytest.param(2, "Ad 4b Rs 3b", "7c", "4b", id="a worthless card when there is none to follow with"),
    pytest.param(4, "As Rs 4s 5c", "6s 3s 5s", "As", id="an ace for the partner's sure trick"),
    pytest.param(4, "As Rs 4s 5c", "3s 6s 5s", "4s", id="nothing for the opponents' sure trick"),
    pytest.param(4, "3s As 4s 5c", "6s 2s 5s", "As", id="no three over the partner's two"),
    pytest.param(2, "3d 2d Ad 4c 5b 6b 7b Fs Cs 5s", "", "Ad", id="an ace is led that nothing can beat"),
    pytest.param(4, "Ac 4c 5b 6b 7b Fs Cs 5s 6s 4d", "", "5s", id="no ace is led that can be beaten, nor its guard"),
]


@pytest.mark.parametrize(("hand", "table", "expected"), SCOPA)
def test_a_house_player_at_scopa_knows_what_counts(hand: str, table: str, expected: str) -> None:
    view = scopa_view(hand, table)
    assert bots.choose("scopa", view) == record.parse_move(f"0 play {expected}")


@pytest.mark.parametrize(("players", "hand", "trick", "expected"), TRESETTE)
def test_a_house_player_at_tresette_wastes_nothing(players: int, hand: str, trick: str, expected: str) -> None:
    view = tresette_view(players, hand, trick)
    assert bots.choose("tresette", view) == record.parse_move(f"0 play {expected}")


def test_without_a_move_to_make_there_is_nothing_to_choose() -> None:
    with pytest.raises(ValueError, match="no legal move"):
        bots.choose("scopa", replace(scopa_view("7d 4c Rs", "3d"), legal=()))


def cards(names: str) -> list[int]:
    return [CARDS[name] for name in names.split()]


def scopa_view(hand: str, table: str) -> View:
    """What Anna at seat 0 sees on her turn, with cards left in the stock; Bruno holds as many as she."""
    held = cards(hand)
    state = Captures((mask_of(held), 0), 0, mask_of(cards(table)), (), (0, 0), (0, 0), -1, None, False)
    view = RULESETS["scopa"].view(state, 0)
    return replace(view, stock=18, hands=(view.hands[0], HandView(len(held), ())))


def tresette_view(players: int, hand: str, trick: str) -> View:
    """What Anna at seat 0 sees on her turn, the others holding as many cards as they would."""
    held, played = cards(hand), tuple(cards(trick))
    nothing = (0,) * players
    state = Tricks((mask_of(held), *nothing[1:]), 0, played, (), nothing, nothing, (), -1, -1, ())
    view = RULESETS["tresette"].view(state, 0)
    counts = [len(held) - (players - seat <= len(played)) for seat in range(1, players)]
    return replace(view, hands=(view.hands[0], *(HandView(count, ()) for count in counts)))
