"""Quick players of the house: legal moves, better than simple players, sensible with calls, from the View alone."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bench.house import quick
from bench.mirrored import compare, decks, play_deal, single_deal
from bench.rivals import at_random, rivals
from games import bots
from games.bots.quick import belief, strategies
from games.engine import record
from games.engine.captures import Captures
from games.engine.cards import CARDS, make_mask
from games.engine.game import GameMove, HandView, Setup, View, controlling_seat, count_hands
from games.engine.tricks import Tricks
from games.rules import RULESETS
from tests.games import setups
from tests.games.rules.positions import dealing

SEED = 7
SIZES = [(ruleset, players) for ruleset, rules in RULESETS.items() for players in rules.players]
RIVALS = [(*size, name) for size in SIZES for name in ("random", "greedy")]


@pytest.mark.parametrize(("ruleset", "players"), SIZES)
def test_the_house_does_nothing_the_rules_refuse_whatever_the_options(ruleset: str, players: int) -> None:
    """Every seat is asked at every moment, after plays and calls of its own, of dice, and of others."""
    rules, rng = RULESETS[ruleset], Random(SEED)
    for setup in setups.chosen(ruleset, players):
        for (deck, dealer), _ in zip(decks(setup, SEED), range(2), strict=False):
            state = rules.deal(setup, deck, dealer, (0, 0))
            while (turn := rules.turn(state)) is not None:
                for seat in {controlling_seat(seat, players) for seat in range(count_hands(players))}:
                    meant = bots.choose_quickly(ruleset, rules.view(state, seat))
                    after = follow(setup, state, meant)
                    if seat == controlling_seat(turn, players):
                        assert after is not state
                        followed = after
                state = followed if rng.random() < 0.7 else rules.play(state, rng.choice(rules.legal(state)))


def follow(setup: Setup, state: Any, moves: tuple[GameMove, ...]) -> Any:
    """The state after these moves, as far as the deal goes; each must be legal after those before it."""
    rules = RULESETS[setup.ruleset]
    for move in moves:
        assert move in rules.legal(state)
        state = rules.play(state, move)
        if rules.turn(state) is None:
            break
    return state


def play_modestly(views: Sequence[View], dice: Random, state: Any) -> tuple[GameMove, ...]:
    return strategies.choose_modestly(views[-1])


@pytest.mark.parametrize(("ruleset", "players"), SIZES)
def test_a_game_without_a_strategy_still_gets_legal_moves(ruleset: str, players: int) -> None:
    setup = single_deal(ruleset, players)
    for (deck, dealer), _ in zip(decks(setup, SEED), range(10), strict=False):
        play_deal(setup, deck, dealer, (play_modestly, at_random(Random(SEED))))


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "players", "rival"), RIVALS)
def test_over_mirrored_deals_the_house_beats_simple_players(ruleset: str, players: int, rival: str) -> None:
    other = rivals(ruleset, Random(SEED))[rival]
    for deals in (20, 80):  # as many as it takes to tell
        score = compare(single_deal(ruleset, players), quick(ruleset), other, deals=deals, seed=SEED)
        if score.low > 0:
            break
    assert score.low > 0, f"{score.mean:+.2f} points a deal, at least {score.low:+.2f}"


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "players"), SIZES)
def test_the_measure_finds_nothing_between_equals(ruleset: str, players: int) -> None:
    dice = [at_random(Random(seed)) for seed in (1, 2)]
    setup = single_deal(ruleset, players)
    score = compare(setup, dice[0], dice[1], deals=80, seed=SEED)
    assert abs(score.mean) < 2 * score.half_width


@pytest.mark.parametrize(("ruleset", "players"), SIZES)
def test_hidden_cards_change_no_choice(ruleset: str, players: int) -> None:
    """The same deal with the unseen cards in other places: equal views, equal choices."""
    rules, rng, compared = RULESETS[ruleset], Random(SEED), 0
    setup = single_deal(ruleset, players)
    for (deck, dealer), _ in zip(decks(setup, SEED), range(60), strict=False):
        state = rules.deal(setup, deck, dealer)
        turn = rules.turn(state)
        assert turn is not None
        view = rules.view(state, controlling_seat(turn, players))
        turned = () if view.turned is None else (view.turned,)
        seen = make_mask([*in_sight(view), *(lying.card for lying in view.table), *turned])
        hidden = [place for place, card in enumerate(deck) if not seen >> card & 1]
        other = list(deck)
        for place, source in zip(hidden, rng.sample(hidden, len(hidden)), strict=True):
            other[place] = deck[source]
        twin = rules.view(rules.deal(setup, other, dealer), controlling_seat(turn, players))
        if twin.turn != view.turn:
            continue  # somebody else leads now (M2), and everybody knows
        assert other != deck
        assert twin == view
        assert bots.choose_quickly(ruleset, twin) == bots.choose_quickly(ruleset, replace(view))
        compared += 1
    assert compared > 20


def in_sight(view: View) -> list[int]:
    return [card for hand in view.hands for card in hand.cards]


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
    pytest.param(2, "3d 2d Ad 4d 5c", "Rd", "Ad", id="the last to play brings the ace home"),
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
    assert bots.choose_quickly("scopa", view) == (record.parse_move(f"0 play {expected}"),)


@pytest.mark.parametrize(("players", "hand", "trick", "expected"), TRESETTE)
def test_a_house_player_at_tresette_wastes_nothing(players: int, hand: str, trick: str, expected: str) -> None:
    view = tresette_view(players, hand, trick)
    assert bots.choose_quickly("tresette", view) == (record.parse_move(f"0 play {expected}"),)


ASSO = [
    # in hand, on the table, what is played
    pytest.param("Ac 4b Rs", "6d 5d Fd", "Ac x 5d 6d Fd", id="an ace takes a rich table"),
    pytest.param("Ac 4s Rs", "4c", "4s x 4c", id="an ace isn't spent where a scopa is made without it"),
    pytest.param("Ac Fs Rs", "2c", "Fs", id="an ace isn't spent on a lone two"),
    pytest.param("Ac Fs Rs", "As", "Ac x As", id="a lone ace is a scopa for an ace"),
]

A_PERDERE = [
    # in hand, the trick so far, what is played
    pytest.param("Ad 4b Rs 3b", "7c 5c 3c", "Ad", id="the ace goes to the opponents' trick"),
    pytest.param("Rs 4s 5s 6c", "3s 7s 6s", "Rs", id="points go under the opponents' three"),
    pytest.param("3s 2s 4s 6c", "Rs 6s Fs", "4s", id="a trick is avoided"),
    pytest.param("3s 2s 6c 4c", "6s 7s 5s", "3s", id="if it must be taken, then with the card most in the way"),
    pytest.param("3s 4c 5c 4b 3b Ad", "", "5c", id="a low card is led"),
]


@pytest.mark.parametrize(("hand", "table", "expected"), ASSO)
def test_a_house_player_knows_what_an_ace_is_for(hand: str, table: str, expected: str) -> None:
    view = scopa_view(hand, table, "asso-piglia-tutto")
    assert bots.choose_quickly("asso-piglia-tutto", view) == (record.parse_move(f"0 play {expected}"),)


@pytest.mark.parametrize(("hand", "trick", "expected"), A_PERDERE)
def test_a_house_player_a_perdere_gives_points_away(hand: str, trick: str, expected: str) -> None:
    view = tresette_view(4, hand, trick, "tresette-a-perdere")
    assert bots.choose_quickly("tresette-a-perdere", view) == (record.parse_move(f"0 play {expected}"),)


BRISCOLA = [
    # seats, in hand, the trick so far (its leader's card first), what is played; trumps are spade
    pytest.param(2, "4s 7c 5b", "Ad", "4s", id="a small trump takes an ace"),
    pytest.param(2, "4s 7c 5b", "6d", "5b", id="no trump is spent on nothing"),
    pytest.param(2, "3d 7c 4s", "Rd", "3d", id="a three brings itself home with a king"),
    pytest.param(2, "Ad 3c 5b", "7s", "5b", id="nothing goes to a trick that is lost"),
    pytest.param(2, "Ad 3c 5b", "", "5b", id="no ace is led into an unknown hand"),
    pytest.param(4, "Ac 5b 4s", "Fd 6d 7d", "5b", id="the poorest card on the opponents' trick"),
    pytest.param(4, "Ac 5b 4s", "6d 7d 5d", "Ac", id="an ace for the partner's sure trick"),
    pytest.param(4, "Rs As 5b", "3d 6d Rd", "Rs", id="the cheapest of two trumps takes"),
]


@pytest.mark.parametrize(("players", "hand", "trick", "expected"), BRISCOLA)
def test_a_house_player_at_briscola_spends_trumps_on_points(players: int, hand: str, trick: str, expected: str) -> None:
    rules, mine = RULESETS["briscola"], len(trick.split())
    dealt = rules.deal(single_deal("briscola", players), list(range(40)), 0)
    named = [card for card in CARDS.values() if card not in cards(f"{hand} {trick} Rs")]
    held = [make_mask(named[3 * seat : 3 * seat + 3 - (seat < mine)]) for seat in range(players)]
    held[mine] = make_mask(cards(hand))
    state = dealt._replace(hands=tuple(held), turn=mine, cards=tuple(cards(trick)), turned=CARDS["6s"])
    assert bots.choose_quickly("briscola", rules.view(state, mine)) == (GameMove(mine, "play", CARDS[expected]),)


def test_a_house_player_at_briscola_counts_on_a_partners_hand_that_is_shown() -> None:
    rules = RULESETS["briscola"]
    dealt = rules.deal(single_deal("briscola", 4, mostra_compagno=True), list(range(40)), 0)
    for partners, expected in (("As 4c", "Ad"), ("4b 4c", "4d")):
        held = tuple(make_mask(cards(hand)) for hand in ("Ad 4d", "5c 6c", partners, "5b"))
        state = dealt._replace(hands=held, turn=0, cards=tuple(cards("3b")), stock=(), turned=CARDS["6s"])
        view = rules.view(state, 0)
        assert bots.choose_quickly("briscola", view) == (GameMove(0, "play", CARDS[expected]),)


# Anna (0) asks for spade; Carla (2) is her partner.
SPADES = [
    "As 2s 4s 5s 4d 5d 4c 5c Rb Fb",
    "6s 7s 6d 7d 6c 7c Cd Cc 2b 3b",
    "3s Fs Rd Rc 4b 5b 6b 7b Fd Fc",
    "Cs Rs 3d 2d 3c 2c Ad Ac Ab Cb",
]
DECLARING: dict[str, bool | str] = {"dichiarazioni": True}
SIGNALLING: dict[str, bool | str] = {"segnali": "due"}

CALLS = [
    # ruleset, options, hands from the leader's on, moves so far, who is asked, what it does
    pytest.param(
        "tresette", DECLARING, SPADES, "", 0, "declare s busso; play 4s", id="it knocks with the two and the ace"
    ),
    pytest.param(
        "tresette", DECLARING, SPADES, "0 declare s busso; 0 play 4s; 1 play 6s", 2, "play 3s", id="highest on a busso"
    ),
    pytest.param("tresette", DECLARING, SPADES, "0 play 4s; 1 play 6s", 2, "play Fs", id="unasked, no three"),
    pytest.param(
        "tresette",
        DECLARING,
        SPADES,
        "0 declare s busso; 0 play 4s; 1 play 6s; 2 play 3s; 3 play Cs",
        2,
        "declare s ho; play Fs",
        id="the suit is returned",
    ),
    pytest.param(
        "tresette",
        DECLARING,
        SPADES,
        "0 play 4s; 1 play 6s; 2 play 3s; 3 play Cs",
        2,
        "declare b ho; play 4b",
        id="unasked, it leads something else",
    ),
    pytest.param(
        "tressette-classico",
        SIGNALLING,
        ["3b Ab 4s 5s 4d 5d 4c 5c 6c 7c", "7b", "2b", "6b"],
        "0 play 3b; 1 play 7b; 2 play 2b; 3 play 6b",
        0,
        "signal volo; play Ab",
        id="it says volo with the last of a suit",
    ),
]


def test_without_a_move_to_make_there_is_nothing_to_choose() -> None:
    assert bots.choose_quickly("scopa", replace(scopa_view("7d 4c Rs", "3d"), legal=())) == ()


def after(ruleset: str, options: dict[str, bool | str], hands: list[str], moves: str = "") -> Any:
    """A deal of four in which seat 0 leads, after these moves."""
    rules = RULESETS[ruleset]
    state = rules.deal(single_deal(ruleset, 4, **options), dealing([*hands, "", "", ""][:4], dealer=3), 3)
    for text in filter(None, moves.split("; ")):
        state = rules.play(state, record.parse_move(text))
    return state


def chosen(ruleset: str, state: Any, seat: int) -> str:
    """Return what the house does at a seat, in the record's words without the seat."""
    moves = bots.choose_quickly(ruleset, RULESETS[ruleset].view(state, seat))
    return "; ".join(record.write_move(move).partition(" ")[2] for move in moves)


@pytest.mark.parametrize(("ruleset", "options", "hands", "moves", "seat", "expected"), CALLS)
def test_partners_speak_to_each_other(
    ruleset: str, options: dict[str, bool | str], hands: list[str], moves: str, seat: int, expected: str
) -> None:
    assert chosen(ruleset, after(ruleset, options, hands, moves), seat) == expected


def test_ho_per_te_is_said_by_who_still_owes_the_partner_their_suit() -> None:
    knocked = "0 declare s busso; 0 play 4s; 1 play 6s; 2 play 3s; 3 play Cs"
    state = after("tresette", {**DECLARING, "carte_scoperte": True}, SPADES, knocked)
    view = RULESETS["tresette"].view(state, 2)
    elsewhere = replace(view, legal=tuple(move for move in view.legal if move.card // 10 != 3))
    *calls, card = bots.choose_quickly("tresette", elsewhere)
    assert [move.arg.partition(" ")[2] for move in calls] == ["per-te+ho"]
    assert calls[0].arg[0] == record.write_move(card)[-1]


HONOURS: dict[str, bool | str] = {"onori": True}
BARE = ["4d 5d 6d 7d 4c 5c 6c 7c Fb Fs"]
RICH = ["3d 3c 3b 2d Ad 4c 5c 6c 4b 5b", "4d"]
WHOLE = ["Ad 2d 3d 4d 5d 6d 7d Fd Cd Rd", "Ac"]

ALONE = [
    # ruleset, options, hands, moves so far, who is asked, what it calls before anything else
    pytest.param("tressette-classico", {}, BARE, "", 0, "redeal", id="a worthless hand is dealt again"),
    pytest.param("tressette-classico", {}, ["Ad", *BARE], "", 1, "redeal", id="out of turn too"),
    pytest.param("tressette-classico", HONOURS, RICH, "", 0, "buongioco", id="honours are announced"),
    pytest.param("tressette-classico", HONOURS, RICH[::-1], "", 1, "buongioco", id="out of turn too, honours"),
    pytest.param("tressette-classico", HONOURS, WHOLE, "", 0, "collatondrione", id="a whole suit wins the match"),
    pytest.param(
        "tressette-classico",
        HONOURS,
        RICH,
        "0 buongioco; 0 play 4c; 1 play Ac; 2 play Fc; 3 play As",
        0,
        "accuso 3x3+napoletana:d",
        id="and accused after the first trick",
    ),
    pytest.param("tresette", {"accuso": True}, RICH, "", 0, "accuso 3x3+napoletana:d", id="everything is accused"),
]


@pytest.mark.parametrize(("ruleset", "options", "hands", "moves", "seat", "expected"), ALONE)
def test_what_a_hand_has_to_call_is_called(
    ruleset: str, options: dict[str, bool | str], hands: list[str], moves: str, seat: int, expected: str
) -> None:
    assert chosen(ruleset, after(ruleset, options, hands, moves), seat).split("; ")[0] == expected


def test_the_lone_player_of_three_plays_their_two_hands_as_one() -> None:
    """The morto's three is sure to take the trick: the ace of the lone player's hand goes with it (M3)."""
    rules = RULESETS["tressette-accusa"]
    held = tuple(make_mask(cards(hand)) for hand in ("Ac 4c 5d", "5c 6c", "3c 6d 7d", "Rc 7c"))
    dealt = rules.deal(single_deal("tressette-accusa", 3), list(range(40)), 0)
    state = dealt._replace(hands=held, turn=0, cards=(CARDS["3c"], CARDS["7c"]), taker=2, led=0)
    assert bots.choose_quickly("tressette-accusa", rules.view(state, 0))[-1] == GameMove(0, "play", CARDS["Ac"])
    leading = dealt._replace(hands=held, turn=2, taker=2, led=0)
    assert bots.choose_quickly("tressette-accusa", rules.view(leading, 0))[-1] == GameMove(2, "play", CARDS["3c"])


@pytest.mark.parametrize(
    ("ruleset", "options", "hands", "moves", "viewer", "seat", "held", "missing"),
    [
        pytest.param(
            "tresette",
            DECLARING,
            SPADES,
            "0 declare s ho; 0 play 4s",
            1,
            0,
            "2s As",
            "3s",
            id="a Ho tells the honours held, and those that aren't",
        ),
        pytest.param(
            "tresette",
            {},
            SPADES,
            "0 play 4d; 1 play 6d; 2 play Fd; 3 play 2d",
            0,
            2,
            "",
            "",
            id="else nothing",
        ),
        pytest.param(
            "tresette", {"carte_scoperte": True}, SPADES, "", 0, 2, SPADES[2], "", id="a partner's open cards"
        ),
        pytest.param(
            "tresette",
            {},
            ["4b 5b 6b 7b", "*d", "Fb", "Cb"],
            "0 play 4b; 1 play 4d",
            2,
            1,
            "",
            "Rb 3b",
            id="who doesn't follow has none of the suit",
        ),
    ],
)
def test_what_lies_open_and_what_was_said_is_reckoned_with(
    ruleset: str,
    options: dict[str, bool | str],
    hands: list[str],
    moves: str,
    viewer: int,
    seat: int,
    held: str,
    missing: str,
) -> None:
    view = RULESETS[ruleset].view(after(ruleset, options, hands, moves), viewer)
    assert belief.find_known(view, seat) == make_mask(cards(held))
    assert belief.find_lacking(view, seat) & make_mask(cards(missing)) == make_mask(cards(missing))
    assert not belief.find_unseen(view) & make_mask(cards(held))


def test_with_carte_viste_the_cards_of_earlier_tricks_are_out_of_the_reckoning() -> None:
    tricks = "0 play 4d; 1 play 6d; 2 play Fd; 3 play 3d; 3 play Ab; 0 play Fb; 1 play 2b; 2 play 4b"
    for viste in (False, True):
        view = RULESETS["tresette"].view(after("tresette", {"carte_viste": viste}, SPADES, tricks), 0)
        assert bool(belief.find_unseen(view) & make_mask(cards("6d"))) is not viste


def cards(names: str) -> list[int]:
    return [CARDS[name] for name in names.split()]


def scopa_view(hand: str, table: str, ruleset: str = "scopa") -> View:
    """Return what Anna at seat 0 sees on her turn, with cards left in the stock; Bruno holds as many as she."""
    held = cards(hand)
    state = Captures((make_mask(held), 0), 0, make_mask(cards(table)), (), (0, 0), (0, 0), -1, None, False)
    view = RULESETS[ruleset].view(state, 0)
    return replace(view, stock=18, hands=(view.hands[0], HandView(len(held), ())))


def tresette_view(players: int, hand: str, trick: str, ruleset: str = "tresette") -> View:
    """Return what Anna at seat 0 sees on her turn, the others holding as many cards as they would."""
    held, played = cards(hand), tuple(cards(trick))
    nothing = (0,) * players
    state = Tricks((make_mask(held), *nothing[1:]), 0, played, (), nothing, nothing, (), -1, -1, ())
    view = RULESETS[ruleset].view(state, 0)
    counts = [len(held) - (players - seat <= len(played)) for seat in range(1, players)]
    return replace(view, hands=(view.hands[0], *(HandView(count, ()) for count in counts)))
