"""The rules of Tresette one by one (T1-T4, T8's choice, T11), alone against one and in pairs."""

import pytest

from games.engine.cards import NAMES
from games.engine.game import Length
from games.rules import RULESETS
from tests.games.rules.positions import cards, in_trick, listed, names, play, refusal, setup

TRESETTE = RULESETS["tresette"]


def test_t1_g4_four_players_get_ten_cards_one_at_a_time_from_the_dealers_right():
    state = TRESETTE.deal(setup("tresette", 4), cards("*d *c *b *s"), 3)
    assert names(state.hands[0]) == {"Ad", "5d", "Cd", "3c", "7c", "Ab", "5b", "Cb", "3s", "7s"}
    assert [hand.bit_count() for hand in state.hands] == [10, 10, 10, 10]
    assert state.stock == ()


def test_t1_two_players_get_ten_cards_and_twenty_are_the_stock():
    state = TRESETTE.deal(setup("tresette", 2), cards("*d *c *b *s"), 0)
    assert names(state.hands[1]) == {"Ad", "3d", "5d", "7d", "Cd", "Ac", "3c", "5c", "7c", "Cc"}
    assert [NAMES[card] for card in state.stock] == [NAMES[card] for card in cards("*b *s")]
    assert TRESETTE.turn(state) == 1


def test_t1_after_a_trick_each_draws_one_card_and_shows_it_the_winner_first():
    state = play(TRESETTE, in_trick(["4d 5c", "3d 6c"], stock="Ab Rb 2b 7b"), "0 play 4d", "1 play 3d")
    assert [names(hand) for hand in state.hands] == [{"5c", "Rb"}, {"6c", "Ab"}]
    assert [NAMES[card] for card in state.stock] == ["2b", "7b"]
    drawn = TRESETTE.view(state, None).last.drawn
    assert [(NAMES[card.card], card.seat) for card in drawn] == [("Ab", 1), ("Rb", 0)]
    assert refusal(TRESETTE, state, "1 play Ab") is None


def test_t1_nothing_is_drawn_once_the_stock_is_gone():
    state = play(TRESETTE, in_trick(["4d 5c", "3d 6c"]), "0 play 4d", "1 play 3d")
    assert [names(hand) for hand in state.hands] == [{"5c"}, {"6c"}]
    assert TRESETTE.view(state, 0).last.drawn == ()


def test_t2_the_dealers_right_leads_the_first_trick_with_any_card():
    state = TRESETTE.deal(setup("tresette", 4), cards("*d *c *b *s"), 1)
    assert TRESETTE.turn(state) == 2
    assert listed(TRESETTE, state) == names(state.hands[2])


@pytest.mark.parametrize(
    ("trick", "hand", "plays"),
    [
        ("4d", "3d 5d Ac", {"3d", "5d"}),  # no duty to beat
        ("3d", "4d 5d Ac", {"4d", "5d"}),
        ("4d", "Ac 3b", {"Ac", "3b"}),
        ("", "4d Ac 3b", {"4d", "Ac", "3b"}),
        ("Ac 4d", "2d 7b 4c", {"4c"}),
    ],
)
def test_t2_who_follows_plays_the_suit_led_if_he_has_it_otherwise_any_card(trick, hand, plays):
    state = in_trick([hand, "Fs", "Cs", "Rs"], trick)
    assert listed(TRESETTE, state) == plays
    for name in set(hand.split()) - plays:
        assert refusal(TRESETTE, state, f"0 play {name}") == "must_follow_suit"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("1 play Fs", "not_your_turn"),
        ("0 play Fs", "card_not_in_hand"),
        ("0 play Ac x 4d", "unknown_move"),
        ("0 accuso 3x3", "unknown_move"),
        ("0 out", "unknown_move"),
        ("0 play Ac", None),
    ],
)
def test_g10_other_moves_are_refused_with_their_reason(move, code):
    assert refusal(TRESETTE, in_trick(["Ac", "Fs"]), move) == code


@pytest.mark.parametrize(
    ("trick", "taker"),
    [
        ("2d 3d Ad Rd", 1), ("2d Ad Rd Cd", 0), ("Fd Cd Rd Ad", 3), ("4d 5d 6d 7d", 3), ("7d Fd 6d 5d", 1),
        ("4d 3c 3b 3s", 0), ("4d 3c 5d Ab", 2), ("Rd Ad 2d 3d", 3), ("Cd Fd 7d 4d", 0), ("Ad 2d Rd 7d", 1),
    ],
)  # fmt: skip
def test_t3_the_highest_card_of_the_suit_led_takes_the_trick_and_its_owner_leads(trick, taker):
    played = trick.split()
    state = in_trick([f"{card} {low}" for card, low in zip(played, ("4c", "5c", "6c", "7c"), strict=True)])
    for seat, card in enumerate(played):
        state = TRESETTE.play(state, TRESETTE.legal(state)[0]._replace(seat=seat, card=cards(card)[0]))
    assert TRESETTE.turn(state) == taker
    assert TRESETTE.last(state).taker == taker
    assert [card.seat for card in TRESETTE.last(state).cards] == [0, 1, 2, 3]


def test_t4_aces_are_a_point_and_three_two_and_figures_a_third_rounded_down_plus_one_for_the_last_trick():
    tally = TRESETTE.tally(in_trick(["", ""], thirds=(17, 15))._replace(taker=1))
    assert tally.points == (5, 6)
    assert {row.code: row.points for row in tally.rows} == {"thirds": (5, 5), "last_trick": (0, 1)}
    assert tally.last_taker == 1


@pytest.mark.parametrize(("trick", "thirds"), [("3d Ad", 4), ("3d 2d", 2), ("3d Rd", 2), ("3d 7d", 1), ("7d 4d", 0)])
def test_t4_what_each_card_is_worth(trick, thirds):
    first, second = trick.split()
    state = play(TRESETTE, in_trick([f"{first} 4c", f"{second} 5c"]), f"0 play {first}", f"1 play {second}")
    assert state.thirds == (thirds, 0)


def test_t4_g2_partners_count_their_thirds_together():
    tally = TRESETTE.tally(in_trick(["", "", "", ""], thirds=(5, 8, 4, 15))._replace(taker=2))
    assert tally.points == (3 + 1, 7)


@pytest.mark.parametrize(
    ("thirds", "offender", "points"),
    [
        ((0, 0), 0, (0, 6)),  # at most six, of eleven
        ((0, 0), 1, (6, 0)),
        ((9, 10), 0, (3, 8)),  # 11 - 3 - 3 = 5
        ((17, 13), 1, (7, 4)),  # 11 - 5 - 4 = 2
        ((15, 0), 0, (5, 6)),
    ],
)
def test_t11_what_neither_line_has_goes_to_the_other_line_at_most_six_points(thirds, offender, points):
    assert TRESETTE.forfeited(in_trick(["4c", "5c"], thirds=thirds), offender) == points


@pytest.mark.parametrize(
    ("context", "length", "ko_tie", "level"),
    [
        ("ko", Length("deals", 4), None, "last_trick"),
        ("ko", Length("deals", 4), "rulebook", "last_trick"),
        ("ko", Length("deals", 4), "deals", "tie_breaks"),
        ("ko", Length("points", 21), None, "tie_breaks"),
        ("ko", Length("points", 21), "rulebook", "tie_breaks"),
        ("free", Length("deals", 4), None, "draw"),
        ("round_robin", Length("deals", 4), "deals", "draw"),
    ],
)
def test_t8_g7_a_level_match_ends_by_the_last_trick_by_tie_break_deals_or_in_a_draw(context, length, ko_tie, level):
    options = {} if ko_tie is None else {"ko_tie": ko_tie}
    assert TRESETTE.level(setup("tresette", context=context, length=length, options=options)) == level


def test_the_view_shows_the_trick_with_who_played_what_and_the_trick_before():
    state = in_trick(["4d 5c", "3d 6c", "7d 7c", "Fd Fc"])
    view = TRESETTE.view(play(TRESETTE, state, "0 play 4d", "1 play 3d"), 2)
    assert [(NAMES[card.card], card.seat) for card in view.table] == [("4d", 0), ("3d", 1)]
    assert view.last is None
    assert [NAMES[move.card] for move in view.legal] == ["7d"]
    view = TRESETTE.view(play(TRESETTE, state, "0 play 4d", "1 play 3d", "2 play 7d", "3 play Fd", "1 play 6c"), None)
    assert [(NAMES[card.card], card.seat) for card in view.table] == [("6c", 1)]
    assert (view.last.taker, view.piles[1].tricks, view.piles[1].cards) == (1, 1, 4)
    assert view.legal == ()
