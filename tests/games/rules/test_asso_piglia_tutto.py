"""Captures by an ace at asso piglia tutto (P1-P4), and where that meets the rules of Scopa (S2, S4-S10)."""

import pytest

from games.engine import match
from games.engine.game import HeaderError, Length
from games.rules import RULESETS
from tests.games.rules.positions import cards, listed, mask, names, on_table, play, refusal, setup, stacked

ASSO = RULESETS["asso-piglia-tutto"]
SCOPA = RULESETS["scopa"]


def test_two_play_it_or_two_pairs():
    assert ASSO.players == (2, 4)


@pytest.mark.rule("P1")
def test_p1_the_only_card_on_the_table_is_an_ace_the_ace_takes_it_and_that_is_a_scopa():
    state = on_table(["Ad 2d", "Rb Cb"], "As")
    assert listed(ASSO, state) == {"Ad x As", "2d"}
    state = play(ASSO, state, "0 play Ad x As")
    assert state.scope == (1, 0)
    assert ASSO.last(state).scopa
    assert names(state.piles[0]) == {"Ad", "As"}


@pytest.mark.rule("P1", "S5")
def test_p1_s5_on_the_deals_last_play_the_ace_on_an_ace_is_a_capture_and_no_scopa():
    state = play(ASSO, on_table(["Ad", ""], "As"), "0 play Ad x As")
    assert state.scope == (0, 0)
    assert not ASSO.last(state).scopa
    assert names(state.piles[0]) == {"Ad", "As"}
    state = play(ASSO, on_table(["Ad", "2b"], "As"), "0 play Ad x As")
    assert state.scope == (1, 0)


@pytest.mark.rule("P2")
@pytest.mark.parametrize(
    ("table", "plays"),
    [
        ("As 7c", {"Ad x As"}),
        ("As Ac", {"Ad x As", "Ad x Ac"}),
        ("As Ac Ab Rd", {"Ad x As", "Ad x Ac", "Ad x Ab"}),
    ],
)
def test_p2_with_aces_and_other_cards_or_several_aces_the_ace_takes_one_ace_and_no_more(table, plays):
    state = on_table(["Ad", "Rb Cb"], table)
    assert {play.replace(" x ", " ") for play in listed(ASSO, state)} == {play.replace(" x ", " ") for play in plays}
    after = play(ASSO, state, "0 play Ad x As")
    assert after.scope == (0, 0)
    assert names(after.piles[0]) == {"Ad", "As"}
    assert names(after.table) == set(table.split()) - {"As"}
    assert refusal(ASSO, state, f"0 play Ad x {table}") == "must_take_single"
    assert refusal(ASSO, state, "0 play Ad") == "must_take"


@pytest.mark.rule("P3")
@pytest.mark.parametrize("table", ["7c", "7c 4s", "2d 3d 4d 5d 6d 7d Fd Cd Rd", "Rc Rb"])
def test_p3_without_an_ace_on_the_table_the_ace_takes_everything_and_that_is_no_scopa(table):
    state = on_table(["Ad Rs", "Rb Cb"], table)
    before = state.table
    assert ASSO.turn(state) == 0
    assert [move.takes for move in ASSO.legal(state) if move.card == cards("Ad")[0]] == [before]
    after = play(ASSO, state, f"0 play Ad x {table}")
    assert after.table == 0
    assert after.piles[0] == before | mask("Ad")
    assert after.scope == (0, 0)
    assert not ASSO.last(after).scopa
    assert ASSO.last(after).taker == 0


@pytest.mark.rule("P3")
@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("0 play Ad", "must_take"),
        ("0 play Ad x 7c", "ace_takes_all"),
        ("0 play Ad x 7c 4s As", "not_on_table"),
        ("0 play Ad x 7c 4s 2b", None),
        ("0 play 6d x 4s 2b", None),
        ("0 play 6d x 7c 4s 2b", "wrong_sum"),
        ("0 play 6d", "must_take"),
        ("1 play Ab x 7c 4s 2b", "not_your_turn"),
        ("0 play Ac x 7c 4s 2b", "card_not_in_hand"),
        ("0 out", "unknown_move"),
    ],
)
def test_p3_an_ace_takes_all_or_is_refused(move, code):
    assert refusal(ASSO, on_table(["Ad 6d", "Ab Cb"], "7c 4s 2b"), move) == code


@pytest.mark.rule("P3", "S6", "G7")
def test_p3_is_a_capture_for_what_is_left_on_the_table_and_for_the_last_capture():
    state = on_table(["Ad", "3b", "Rc", "Cb"], "7c 4s")
    state = play(ASSO, state, "0 play Ad x 7c 4s", "1 play 3b", "2 play Rc", "3 play Cb")
    assert names(state.piles[0]) == {"Ad", "7c", "4s", "3b", "Rc", "Cb"}
    assert ASSO.tally(state).last_taker == 0


@pytest.mark.rule("P3", "S5")
def test_p3_on_the_deals_last_play_takes_everything():
    state = play(ASSO, on_table(["Ad", ""], "7c 4s"), "0 play Ad x 7c 4s")
    assert names(state.piles[0]) == {"Ad", "7c", "4s"}
    assert (state.scope, ASSO.turn(state)) == ((0, 0), None)


@pytest.mark.rule("P4")
def test_p4_on_an_empty_table_the_ace_is_laid_down():
    state = on_table(["Ad 2d", "Rb As"], "")
    assert listed(ASSO, state) == {"Ad", "2d"}
    state = play(ASSO, state, "0 play Ad")
    assert names(state.table) == {"Ad"}
    assert state.piles == (0, 0)
    assert play(ASSO, state, "1 play As x Ad").scope == (0, 1)  # and then it is P1


@pytest.mark.rule("P4", "S6")
def test_p4_the_ace_laid_down_as_the_deals_last_card_goes_to_whoever_captured_last():
    state = play(ASSO, on_table(["3d", "Ac"], "3c"), "0 play 3d x 3c", "1 play Ac")
    assert names(state.piles[0]) == {"3d", "3c", "Ac"}
    assert state.scope == (1, 0)


@pytest.mark.rule("S4", "S5")
def test_s4_every_other_card_takes_as_in_scopa_aces_included():
    for card in ("2c", "4c", "Rc"):
        state = on_table([card, "Rb Cb"], "As Ab 3d 7s")
        assert ASSO.legal(state) == SCOPA.legal(state)
    state = on_table(["4c 2c", "Rb Cb"], "Ab 3d")
    assert play(ASSO, state, "0 play 4c x Ab 3d").scope == (1, 0)


@pytest.mark.rule("S2")
def test_s2_three_kings_make_the_deal_void_though_an_ace_could_take_them():
    state = ASSO.deal(setup("asso-piglia-tutto"), stacked("", {6: "Rd Rc Rb 7d"}), 0)
    assert ASSO.void(state)
    assert not ASSO.void(ASSO.deal(setup("asso-piglia-tutto"), stacked("", {6: "Rd Rc 7b 7d"}), 0))


@pytest.mark.rule("S7", "S8")
def test_s7_s8_the_deal_is_counted_as_in_scopa():
    state = on_table(["", ""], "", piles=("7d 7c Ab As", "6d 6c 6b 6s"))._replace(scope=(2, 1), taker=1)
    assert ASSO.tally(state) == SCOPA.tally(state)
    assert ASSO.tally(state).points == (4, 1)


@pytest.mark.rule("S9")
def test_s9_a_deal_broken_off_is_settled_as_in_scopa():
    state = on_table(["Ad", "2b"], "", piles=("7d", ""))._replace(scope=(1, 0))
    assert ASSO.tally_forfeit(state, 0).points == (2, 4)


@pytest.mark.rule("S10", "G11")
def test_s10_g11_what_is_shown_is_as_in_scopa():
    options = {"carte_viste": True, "carte_scoperte": True}
    state = ASSO.deal(setup("asso-piglia-tutto", 4, options=options), stacked("Ad", {12: "2d 3d 4d 5d"}), 3)
    first = play(ASSO, state, "0 play Ad x 2d 3d 4d 5d")
    assert [len(hand.cards) for hand in ASSO.view(first, 0).hands] == [2, 0, 3, 0]
    assert ASSO.view(first, 0).seen == ()
    while first.turn != 0 or first.hands[0].bit_count() < 3:
        first = ASSO.play(first, ASSO.legal(first)[0])
    assert {"Ad", "2d", "3d", "4d", "5d"} <= names(sum(1 << card for card in ASSO.view(first, 1).seen))
    with pytest.raises(HeaderError, match="option_not_for_two"):
        match.check(setup("asso-piglia-tutto", 2, options={"carte_scoperte": True}))


@pytest.mark.rule("P3")
def test_the_seat_to_move_is_offered_what_the_ace_takes():
    state = on_table(["Ad", "Rb"], "7c 4s")
    assert ASSO.view(state, 0).legal == ASSO.legal(state)
    assert ASSO.view(state, 1).legal == ASSO.view(state, None).legal == ()


@pytest.mark.rule("G7")
@pytest.mark.parametrize(("context", "level"), [("free", "draw"), ("round_robin", "draw"), ("ko", "tie_breaks")])
def test_g7_a_level_match_is_a_draw_or_goes_to_tie_break_deals(context, level):
    made = setup("asso-piglia-tutto", context=context, length=Length("points", 13))
    assert match.start(made).terms.level == level
