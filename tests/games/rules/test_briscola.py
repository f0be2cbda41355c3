"""The rules of Briscola one by one (BR1-BR5), and where they meet those of a match (G6, G7, V1)."""

from itertools import pairwise

import pytest

from games.engine import match
from games.engine.cards import CARDS, NAMES
from games.engine.game import GameMove, HeaderError, Length
from games.engine.scores import list_ways_to_end
from games.rules import RULESETS
from games.rules.briscola import BriscolaState
from tests.games.rules.positions import cards, listed, mask, names, play, refusal, setup, stacked

BRISCOLA = RULESETS["briscola"]
FOUR = "3d 4c 5b 6s Ad 5c 6b 7s Fb 6c 7b Fs"  # seat by seat from seat 0, which leads


def dealt(top, players=2, **options):
    """A deal with these cards on top of the deck; seat 0 leads."""
    return BRISCOLA.deal(setup("briscola", players, options=options), stacked(top), players - 1)


def in_hand(hands, trick="", *, turn=0, turned="Rs", stock="", piles=("", ""), shows=False):
    """A position with these cards; the turned card lies under the stock while there is one."""
    held, taken = tuple(mask(hand) for hand in hands), (mask(piles[0]), mask(piles[1]))
    left = (*cards(stock), CARDS[turned]) if stock else ()
    return BriscolaState(held, turn, tuple(cards(trick)), left, CARDS[turned], taken, (0, 0), (), -1, -1, -1, shows)


def finished(ours, theirs):
    """The count of a deal in which line 0 has taken the first cards and line 1 the others."""
    return BRISCOLA.tally(in_hand(["", ""], piles=(ours, theirs), turn=-1))


@pytest.mark.rule("BR1")
def test_br1_two_play_it_or_two_pairs():
    assert BRISCOLA.players == (2, 4)


@pytest.mark.rule("BR1", "G4")
@pytest.mark.parametrize(
    ("players", "top", "hands", "left"),
    [
        (2, "3d 4c Ad 5c Fb 6c Rs", [{"3d", "Ad", "Fb"}, {"4c", "5c", "6c"}], 34),
        (4, f"{FOUR} Rs", [{"3d", "Ad", "Fb"}, {"4c", "5c", "6c"}, {"5b", "6b", "7b"}, {"6s", "7s", "Fs"}], 28),
    ],
)
def test_br1_each_gets_three_cards_one_at_a_time_and_the_next_is_turned_up_and_lies_under_the_stock(
    players, top, hands, left
):
    state = dealt(top, players)
    assert [names(hand) for hand in state.hands] == hands
    assert BRISCOLA.turn(state) == 0, "the dealer's right leads"
    assert len(state.stock) == left
    assert NAMES[state.turned] == NAMES[state.stock[-1]] == "Rs"
    assert NAMES[state.stock[0]] == NAMES[stacked(top)[3 * players + 1]], "the card after it is the first to be drawn"
    view = BRISCOLA.view(state, None)
    assert (view.turned, view.stock) == (CARDS["Rs"], left)


@pytest.mark.rule("BR1")
def test_br1_the_turned_card_is_not_exchanged():
    state = dealt("7s 4c Ad 5c Fb 6c Rs")
    assert all(move.verb == "play" and not move.takes for move in BRISCOLA.legal(state))
    assert refusal(BRISCOLA, state, "0 play 7s x Rs") == "unknown_move"


@pytest.mark.rule("BR2")
def test_br2_nobody_has_to_follow():
    state = in_hand(["3d Ad Fb", "4d 5c 6s"])
    assert listed(BRISCOLA, state) == {"3d", "Ad", "Fb"}
    assert listed(BRISCOLA, play(BRISCOLA, state, "0 play 3d")) == {"4d", "5c", "6s"}


@pytest.mark.rule("BR2")
def test_br2_in_a_suit_the_order_is_ace_three_king_knight_jack_seven_to_four_and_two():
    order = "A3RCF76542"
    for high, low in pairwise(order):
        for led, answer, taker in ((high, low, 0), (low, high, 1)):
            state = in_hand([f"{led}d 4c", f"{answer}d 5c"])
            assert BRISCOLA.turn(play(BRISCOLA, state, f"0 play {led}d", f"1 play {answer}d")) == taker


@pytest.mark.rule("BR2")
@pytest.mark.parametrize(
    ("trick", "taker"),
    [
        ("4d Ac 3b Rd", 3),  # the highest of the suit led, whatever the others are worth
        ("4d Ac 3b 2s", 3),  # the lowest trump takes
        ("Ad 2s 4s 3d", 2),  # and the highest of several
        ("2s Ad Ac Ab", 0),
    ],
)
def test_br2_the_highest_trump_takes_or_else_the_highest_of_the_suit_led_and_the_taker_leads(trick, taker):
    played = trick.split()
    state = in_hand([f"{card} {other}" for card, other in zip(played, ("5d", "5c", "5b", "6b"), strict=True)])
    state = play(BRISCOLA, state, *(f"{seat} play {card}" for seat, card in enumerate(played)))
    assert BRISCOLA.turn(state) == state.taker == taker
    assert names(state.piles[taker % 2]) == set(played)
    assert state.tricks[taker % 2] == 1


@pytest.mark.rule("BR3")
def test_br3_after_a_trick_each_draws_one_the_taker_first_and_then_anticlockwise():
    state = in_hand(["4d 5d", "Rd 5c", "6d 5b", "7d 6b"], stock="Ac Ab 3c 3b Fc")
    state = play(BRISCOLA, state, "0 play 4d", "1 play Rd", "2 play 6d", "3 play 7d")
    assert [names(hand) for hand in state.hands] == [{"5d", "3b"}, {"5c", "Ac"}, {"5b", "Ab"}, {"6b", "3c"}]
    assert [NAMES[card] for card in state.stock] == ["Fc", "Rs"]


@pytest.mark.rule("BR3")
def test_br3_what_is_drawn_is_unseen_by_the_others():
    state = dealt("3d 4c Ad 5c Fb 6c Rs 7s 6s")
    state = play(BRISCOLA, state, "0 play 3d", "1 play 4c")
    assert names(state.hands[0]) == {"Ad", "Fb", "7s"}
    for seat in (1, None):
        view = BRISCOLA.view(state, seat)
        assert view.hands[0].cards == ()
        assert view.last.drawn == ()


@pytest.mark.rule("BR3")
@pytest.mark.parametrize("players", [2, 4])
def test_br3_the_last_to_draw_takes_the_turned_card_which_everybody_saw(players):
    state = dealt(f"{FOUR} Rs" if players == 4 else "3d 4c Ad 5c Fb 6c Rs", players)
    while state.stock:
        state = BRISCOLA.play(state, BRISCOLA.legal(state)[0])
    owner = (state.taker - 1) % players
    assert "Rs" in names(state.hands[owner])
    for seat in (*range(players), None):
        view = BRISCOLA.view(state, seat)
        assert CARDS["Rs"] in view.hands[owner].cards
        assert [(NAMES[card.card], card.seat) for card in view.last.drawn] == [("Rs", owner)]
        assert all(hand.cards == () for other, hand in enumerate(view.hands) if other not in (owner, seat))
        assert view.turned == CARDS["Rs"]


@pytest.mark.rule("BR4")
def test_br4_an_ace_is_eleven_a_three_ten_a_king_four_a_knight_three_a_jack_two_120_in_all():
    tally = finished("*d Ac", "3c Rc Cc Fc 7c 6c 5c 4c 2c *b *s")
    assert [(row.code, row.values, row.points) for row in tally.rows] == [
        ("aces", (22, 22), (0, 0)),
        ("threes", (10, 30), (0, 0)),
        ("kings", (4, 12), (0, 0)),
        ("knights", (3, 9), (0, 0)),
        ("jacks", (2, 6), (0, 0)),
        ("card_points", (41, 79), (0, 1)),
    ]


@pytest.mark.rule("BR4")
@pytest.mark.parametrize(
    ("ours", "values", "points"),
    [
        ("*d *c", (60, 60), (0, 0)),
        ("*d Ac 3c Rc Cc Fc 4d Fb", (62, 58), (1, 0)),
        ("*d Ac 3c Rc Cc 4c", (58, 62), (0, 1)),
    ],
)
def test_br4_more_than_sixty_win_the_deal_and_sixty_all_is_nobodys(ours, values, points):
    theirs = " ".join(name for name in NAMES if CARDS[name] not in cards(ours))
    tally = finished(ours, theirs)
    assert tally.rows[-1].values == values
    assert tally.points == points


@pytest.mark.rule("BR4", "G6")
def test_br4_g6_a_match_to_three_points_is_won_with_three_deals_and_a_level_one_counts_for_nobody():
    deals = [match.DealPoints(1, False, (1, 0)), match.DealPoints(0, False, (0, 0)), match.DealPoints(1, False, (1, 0))]
    running = match.start(setup("briscola", dealer=1, length=Length("points", 3)), deals)
    assert (running.score, running.outcome) == ((2, 0), None)
    with pytest.raises(ValueError, match="end the match"):
        match.start(running.setup, [*deals, match.DealPoints(0, False, (1, 0))])


@pytest.mark.rule("BR4")
@pytest.mark.parametrize("length", [("deals", 1), ("deals", 20), ("points", 1), ("points", 3), ("points", 101)])
def test_br4_any_length_may_be_played(length):
    match.check(setup("briscola", length=Length(*length)))


@pytest.mark.rule("BR4", "G7")
def test_br4_g7_level_is_a_draw_and_in_a_ko_goes_to_tie_break_deals_never_to_the_last_trick():
    assert BRISCOLA.terms(setup("briscola")).level == "draw"
    assert BRISCOLA.terms(setup("briscola", context="ko")).level == "tie_breaks"
    level = setup("briscola", context="ko", length=Length("deals", 1))
    assert list_ways_to_end(level, (0, 0), 1) == ("tie_break_last_trick",)
    assert list_ways_to_end(level, (1, 0), 0) == ("points", "tie_break_1", "tie_break_2", "tie_break_3")


@pytest.mark.rule("BR4", "V1")
@pytest.mark.parametrize("verb", ["timeout", "clock", "abandon"])
def test_br4_v1_who_breaks_a_deal_off_loses_it_whatever_was_taken_and_the_match(verb):
    before = [match.DealPoints(0, False, (1, 0)), match.DealPoints(1, False, (1, 0))]
    begun = match.deal(match.start(setup("briscola", length=Length("points", 3)), before), stacked(""))
    running = begun._replace(deal=in_hand(["2d 4c", "2c 5c"], piles=("*d Ac 3c Rc Cc Fc Fb", "")))
    lost = match.play(running, GameMove(0, verb))
    assert lost.deals[-1].points == (0, 1)
    assert (lost.score, lost.outcome.winner, lost.outcome.margin) == ((2, 1), 1, 0)
    won = match.play(running._replace(deal=running.deal._replace(turn=1)), GameMove(1, verb))
    assert (won.score, won.outcome.winner, won.outcome.margin) == ((3, 0), 0, 3)


@pytest.mark.rule("BR4")
def test_br4_who_does_not_come_loses_the_first_deal():
    lost = match.forfeit_unplayed(setup("briscola", length=Length("points", 3)), 0)
    assert (lost.score, lost.outcome.decided_by) == ((0, 1), "noshow")


@pytest.mark.rule("BR5")
def test_br5_partners_see_each_others_hands_once_the_stock_is_used_up_and_opponents_and_spectators_do_not():
    state = dealt(f"{FOUR} Rs", 4, mostra_compagno=True)
    while state.stock:
        assert all(BRISCOLA.view(state, seat).hands[(seat + 2) % 4].cards == () for seat in range(4))
        state = BRISCOLA.play(state, BRISCOLA.legal(state)[0])
    assert state.cards == (), "before the next card"
    for _ in range(11):
        for seat in (*range(4), None):
            for owner, hand in enumerate(BRISCOLA.view(state, seat).hands):
                open_to_seat = seat is not None and seat % 2 == owner % 2
                shown = names(state.hands[owner]) if open_to_seat else names(state.hands[owner]) & {"Rs"}
                assert {NAMES[card] for card in hand.cards} == shown
        state = BRISCOLA.play(state, BRISCOLA.legal(state)[0])


@pytest.mark.rule("BR5")
def test_br5_without_the_option_they_do_not():
    state = dealt(f"{FOUR} Rs", 4)
    while state.stock:
        state = BRISCOLA.play(state, BRISCOLA.legal(state)[0])
    assert all(set(BRISCOLA.view(state, seat).hands[(seat + 2) % 4].cards) <= {CARDS["Rs"]} for seat in range(4))


@pytest.mark.rule("BR5")
def test_br5_it_is_an_option_of_pairs():
    match.check(setup("briscola", 4, options={"mostra_compagno": True}))
    match.check(setup("briscola", 2, options={"mostra_compagno": False}))
    with pytest.raises(HeaderError, match="option_not_for_two"):
        match.check(setup("briscola", 2, options={"mostra_compagno": True}))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1 play 4c", "not_your_turn"),
        ("0 play 4c", "card_not_in_hand"),
        ("0 out", "unknown_move"),
        ("0 declare d busso", "unknown_move"),
    ],
)
def test_what_is_not_listed_is_refused(text, code):
    assert refusal(BRISCOLA, dealt("3d 4c Ad 5c Fb 6c Rs"), text) == code
