"""Players of the house that think: legal moves only, from what their seat has seen, and the right card where one is."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bench.house import SIZES, SPOKEN, house, quick, silent
from bench.mirrored import Played, compare, decks, play_deal, single_deal
from games import bots
from games.bots.effort import Effort
from games.bots.memory import Memory, remember
from games.bots.strengths import BEGINNER, CLUB, MASTER, STRENGTHS, find_effort
from games.engine.captures import CLOSED, Captures
from games.engine.cards import CARDS, FULL, NAMES, list_cards, make_mask
from games.engine.game import HandView, View, controlling_seat
from games.engine.tricks import Tricks
from games.models import Strength
from games.rules import RULESETS
from tests.games import setups
from tests.support.thorough import tries

SEED = 11
DICE = range(8)
WHO_THINK = [size for size in SIZES if size[0] in bots.THINKERS]


def test_there_are_three_strengths_and_every_game_on_offer_has_them() -> None:
    assert tuple(Strength.values) == STRENGTHS
    assert set(bots.THINKERS) == set(RULESETS)


@pytest.fixture
def little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask what may be played and seen of players who think in the same way, but not for long."""

    def find_less(*about: Any) -> Effort:
        effort = find_effort(*about)
        worlds, exact_worlds = min(effort.worlds, tries(12, 1000)), min(effort.exact_worlds, tries(3, 1000))
        return effort._replace(worlds=worlds, exact_worlds=exact_worlds, nodes=min(effort.nodes, tries(1000, 10**6)))

    monkeypatch.setattr(bots, "find_effort", find_less)


@pytest.mark.rule("HP2")
@pytest.mark.usefixtures("little_effort")
@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize(("ruleset", "players"), WHO_THINK)
def test_a_player_that_thinks_does_nothing_the_rules_refuse(ruleset: str, players: int, strength: str) -> None:
    """Under some options of the game; what the rules refuse raises."""
    dice = Random(SEED)
    ways = setups.chosen(ruleset, players)
    for setup in dice.sample(ways, min(len(ways), tries(1, 12))):
        deck, dealer = next(decks(setup, SEED))
        play_deal(setup, deck, dealer, (house(ruleset, strength), quick(ruleset)), dice)


@pytest.mark.rule("HP1")
@pytest.mark.usefixtures("little_effort")
@pytest.mark.parametrize("strength", [CLUB, MASTER])
@pytest.mark.parametrize(("ruleset", "players"), WHO_THINK)
def test_hidden_cards_change_no_choice_of_a_player_that_thinks(ruleset: str, players: int, strength: str) -> None:
    """The same Views and the same dice, the cards nobody has seen lying elsewhere."""
    setup, dice = single_deal(ruleset, players), Random(SEED)
    compared = 0
    for (deck, dealer), _ in zip(decks(setup, SEED), range(tries(2, 40)), strict=False):
        one = Played(setup, deck, dealer)
        seat = controlling_seat(one.rules.turn(one.state), players)
        seen = {card for hand in one.seen[seat][0].hands for card in hand.cards}
        seen |= {lying.card for lying in one.seen[seat][0].table} | {one.seen[seat][0].turned}
        hidden = [place for place, card in enumerate(deck) if card not in seen]
        other = list(deck)
        for place, source in zip(hidden, dice.sample(hidden, len(hidden)), strict=True):
            other[place] = deck[source]
        twin = Played(setup, other, dealer)
        if twin.seen[seat] == one.seen[seat]:
            chosen = [bots.choose(ruleset, played.seen[seat], strength, Random(SEED)) for played in (one, twin)]
            assert chosen[0] == chosen[1]
            compared += other != deck
    assert compared > 0


def cards(names: str) -> list[int]:
    return [CARDS[name] for name in names.split()]


def ask(ruleset: str, view: View, seen: str, strength: str, seed: int) -> str:
    """Return the card played by whoever has seen these cards, beside those in sight."""
    memory = remember([view])
    memory = Memory(memory.plays, memory.drawn, memory.calls, memory.seen | make_mask(cards(seen)))
    return NAMES[bots.decide(ruleset, view, memory, strength, Random(seed))[-1].card]


SURE_TRICKS = [
    # in hand, gone of other suits
    pytest.param("As Fs Rs 4d 5c 6b", "4c 6c 7c Fc 5d 6d 7d 4b 5b 7b Fb Cb 2d", id="in the middle"),
    pytest.param("As Fs Rs 4d", "4c 5c 6c 7c Fc Cc 5d 6d 7d 4b 5b 6b 7b Fb Cb 2d Rd Fd 3c 2b Rb", id="near the end"),
]


def ask_for_lead(hand: str, gone: str, strength: str, seed: int) -> str:
    """Return the card led from this hand at tresette in pairs, everybody holding as many cards, the stock used up."""
    held, nothing = cards(hand), (0,) * 4
    state = Tricks((make_mask(held), *nothing[1:]), 0, (), (), nothing, nothing, (), -1, -1, ())
    view = show_counts(RULESETS["tresette"].view(state, 0), [len(held)] * 4)
    return ask("tresette", view, gone, strength, seed)


@pytest.mark.rule("HP2")
@pytest.mark.parametrize(("strength", "always"), [(CLUB, 0.75), (MASTER, 1.0)])
@pytest.mark.parametrize(("hand", "gone"), SURE_TRICKS)
def test_three_sure_tricks_are_led(hand: str, gone: str, strength: str, always: float) -> None:
    """Ace, king and fante of spade; the 3, the 2 and the cavallo are gone: nobody can take any of them (T3)."""
    led = [ask_for_lead(hand, f"{gone} 3s 2s Cs", strength, seed) for seed in DICE]
    assert sum(card in {"As", "Rs", "Fs"} for card in led) >= always * len(DICE)


@pytest.mark.rule("HP2")
@pytest.mark.parametrize("gone", ["6b", "6c"])
@pytest.mark.parametrize(("strength", "always"), [(CLUB, 0.75), (MASTER, 1.0)])
def test_a_table_that_an_unseen_six_sweeps_is_not_left(strength: str, always: float, gone: str) -> None:
    """On the 4 a 2 would make six, and two of the nine cards unseen are sixes; with a fante no card sweeps (S4)."""
    state = Captures(
        (make_mask(cards("2d 6d Fc")), 0), 0, make_mask(cards("4s")), (), (0, 0), (0, 0), -1, None, False, 0, CLOSED
    )
    view = show_counts(RULESETS["scopa"].view(state, 0), [3, 3], stock=6)
    unseen = make_mask(cards("6s 6b 6c Ab 5d 7c Fs Cb Rd Rs")) & ~make_mask(cards(gone))
    seen = " ".join(NAMES[card] for card in list_cards(FULL & ~unseen & ~make_mask(cards("2d 6d Fc 4s"))))
    left = [ask("scopa", view, seen, strength, seed) for seed in DICE]
    assert left.count("Fc") >= always * len(DICE)


def show_counts(view: View, counts: Sequence[int], stock: int = 0) -> View:
    """Return the View with the others holding so many cards."""
    others = [HandView(count, ()) for count in counts[1:]]
    return replace(view, hands=(view.hands[0], *others), stock=stock)


GATE = [("tresette", 2), ("tresette", 4), ("tresette-a-perdere", 2), ("tresette-a-perdere", 4), ("scopa", 2)]


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.rule("HP3")
@pytest.mark.parametrize(("better", "worse"), [(MASTER, CLUB), (CLUB, BEGINNER)])
@pytest.mark.parametrize(("ruleset", "players"), GATE)
def test_over_mirrored_deals_each_strength_is_not_clearly_worse_than_the_one_below(
    ruleset: str, players: int, better: str, worse: str
) -> None:
    """The full measure is `make bench ONLY=HOUSE`; here as many deals as catch a strength that has been lost."""
    setup = single_deal(ruleset, players)
    score = compare(setup, house(ruleset, better), house(ruleset, worse), deals=60, seed=SEED)
    assert score.high > 0, f"{score.mean:+.2f} points a deal, at most {score.high:+.2f}"


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.rule("HP3")
@pytest.mark.parametrize(("ruleset", "players"), SIZES)
def test_over_mirrored_deals_a_master_beats_rules_of_thumb(ruleset: str, players: int) -> None:
    for deals in (20, 80):  # as many as it takes to tell
        score = compare(single_deal(ruleset, players), house(ruleset, MASTER), quick(ruleset), deals=deals, seed=SEED)
        if score.low > 0:
            break
    assert score.low > 0, f"{score.mean:+.2f} points a deal, at least {score.low:+.2f}"


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("ruleset", "options"), SPOKEN)
def test_a_pair_that_speaks_is_not_clearly_worse_than_one_in_silence(
    ruleset: str, options: dict[str, bool | str]
) -> None:
    setup = single_deal(ruleset, 4, **options)
    score = compare(setup, house(ruleset, CLUB), silent(ruleset, CLUB), deals=40, seed=SEED)
    assert score.high > 0, f"{score.mean:+.2f} points a deal, at most {score.high:+.2f}"


@pytest.mark.rule("HP2")
@pytest.mark.usefixtures("little_effort")
def test_at_briscola_nobody_leads_a_load_early_who_has_a_plain_card_of_nothing() -> None:
    rules, setup, leads = RULESETS["briscola"], single_deal("briscola", 2), 0
    for (deck, dealer), number in zip(decks(setup, SEED), range(60), strict=False):
        state = rules.deal(setup, deck, dealer)
        leader = rules.turn(state)
        assert leader is not None
        view = rules.view(state, leader)
        assert view.turned is not None
        plain = [card for card in view.hands[leader].cards if card // 10 != view.turned // 10]
        loads = {card for card in plain if NAMES[card][0] in "A3"}
        if loads and len(loads) < len(plain):
            leads += 1
            (move,) = bots.choose("briscola", [view], CLUB, Random(number))
            assert move.card not in loads
    assert leads >= 10
