"""The rules of Scopa one by one (S1-S10), and those it shares (G1, G2, G4, G11)."""

import pytest

from games.engine import match
from games.engine.cards import NAMES, SUIT_MASKS
from games.engine.game import HeaderError, View
from games.rules import RULESETS
from tests.games.rules.positions import cards, listed, mask, names, on_table, play, refusal, setup, stacked

SCOPA = RULESETS["scopa"]


@pytest.mark.rule("G1")
def test_g1_the_deck_has_forty_cards_of_four_suits():
    assert len(set(NAMES)) == 40
    assert names(SUIT_MASKS[1]) == {f"{rank}c" for rank in "A234567FCR"}


@pytest.mark.rule("G4", "S1", "S3")
def test_g4_s1_s3_two_players_get_three_cards_one_at_a_time_from_the_dealers_right_then_four_lie_open():
    state = SCOPA.deal(setup("scopa"), cards("Ad 2d 3d 4d 5d 6d 7d Fd Cd Rd *c *b *s"), 1)
    assert [names(hand) for hand in state.hands] == [{"Ad", "3d", "5d"}, {"2d", "4d", "6d"}]
    assert names(state.table) == {"7d", "Fd", "Cd", "Rd"}
    assert len(state.stock) == 30
    assert SCOPA.turn(state) == 0


@pytest.mark.rule("G4")
def test_g4_four_players_are_dealt_anticlockwise_from_the_dealers_right():
    state = SCOPA.deal(setup("scopa", 4), cards("Ad 2d 3d 4d 5d 6d 7d Fd Cd Rd *c *b *s"), 2)
    assert [names(hand) for hand in state.hands] == [
        {"2d", "6d", "Rd"}, {"3d", "7d", "Ac"}, {"4d", "Fd", "2c"}, {"Ad", "5d", "Cd"},
    ]  # fmt: skip
    assert names(state.table) == {"3c", "4c", "5c", "6c"}
    assert SCOPA.turn(state) == 3


@pytest.mark.rule("S1")
def test_s1_three_more_cards_are_dealt_when_all_have_played_theirs_and_none_to_the_table():
    state = on_table(["4d", "Ac"], "7c", stock="2d 2c 2b 2s 3d 3c 3b 3s")
    state = play(SCOPA, state, "0 play 4d", "1 play Ac")
    assert [names(hand) for hand in state.hands] == [{"2d", "2b", "3d"}, {"2c", "2s", "3c"}]
    assert names(state.table) == {"7c", "4d", "Ac"}
    assert [NAMES[card] for card in state.stock] == ["3b", "3s"]
    assert SCOPA.turn(state) == 0


@pytest.mark.rule("S2")
@pytest.mark.parametrize(
    ("table", "void"),
    [
        ("Rd Rc Rb 7d", True),
        ("Rd Rc Rb Rs", True),
        ("Ad Rc Rs Rb", True),
        ("Rd Rc 7b 7d", False),
        ("Cd Cc Cb Rd", False),
    ],
)
def test_s2_three_kings_or_more_on_the_table_make_the_deal_void(table, void):
    state = SCOPA.deal(setup("scopa"), stacked("", {6: table}), 0)
    assert names(state.table) == set(table.split())
    assert SCOPA.void(state) is void


@pytest.mark.rule("S2")
def test_s2_kings_that_come_to_the_table_later_void_nothing():
    state = play(SCOPA, on_table(["Rc Ad", "2d"], "Rd Rb 3c", stock=""), "0 play Rc x Rd")
    assert not SCOPA.void(state)
    state = play(SCOPA, on_table(["Rc Ad", "2d"], "7d"), "0 play Rc")
    assert not SCOPA.void(state._replace(table=mask("Rd Rc Rb")))


@pytest.mark.rule("S3")
def test_s3_play_goes_round_anticlockwise():
    state = on_table(["Ad 2d", "3d 4d", "5d 6d", "7d Fd"], "Rc", turn=2)
    state = play(SCOPA, state, "2 play 5d", "3 play 7d", "0 play Ad")
    assert SCOPA.turn(state) == 1
    assert refusal(SCOPA, state, "0 play 2d") == "not_your_turn"


@pytest.mark.rule("S4")
@pytest.mark.parametrize(
    ("card", "table", "plays"),
    [
        ("Fd", "3c 5c Fs", {"Fd x Fs"}),  # rulebook 001's first example
        ("Cd", "Ac 3c 4c 5c", {"Cd x 4c 5c", "Cd x Ac 3c 5c"}),  # and its second
        ("7d", "7c 7s 4d 3d", {"7d x 7c", "7d x 7s"}),
        ("Ad", "2c 3c", {"Ad"}),
        ("Ad", "Ac As 2c", {"Ad x Ac", "Ad x As"}),
        ("Rd", "5c 5b 3c 2c", {"Rd x 5c 5b", "Rd x 3c 2c 5c", "Rd x 3c 2c 5b"}),
        ("6d", "Ac 2c 3c 4c", {"6d x 2c 4c", "6d x Ac 2c 3c"}),
        ("4d", "", {"4d"}),
        ("Cd", "Fc Rc", {"Cd"}),
    ],
)
def test_s4_a_card_takes_one_of_its_value_or_else_any_set_that_adds_up_to_it_and_must_take(card, table, plays):
    state = on_table([card, "Rb"], table)
    assert listed(SCOPA, state) == {" ".join(_sorted(text)) for text in plays}


def _sorted(play_text: str) -> list[str]:
    card, _, takes = play_text.partition(" x ")
    return [card, *(["x", *sorted(takes.split(), key=NAMES.index)] if takes else [])]


@pytest.mark.rule("S4", "G10")
@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("0 play 7d", "must_take"),
        ("0 play 7d x 4c 3c", "must_take_single"),
        ("0 play 7d x 7c 7s", "must_take_single"),
        ("0 play 7d x 7b", "not_on_table"),
        ("0 play 7d x 7d", "not_on_table"),
        ("0 play Rd x 7c 4c", "wrong_sum"),
        ("0 play Rd x 4c", "wrong_sum"),
        ("0 play Rd", "must_take"),
        ("0 play Fd", "card_not_in_hand"),
        ("1 play Rb", "not_your_turn"),
        ("0 out", "unknown_move"),
        ("0 play 7d x 7s", None),
        ("0 play Rd x 3c 7s", None),
        ("0 play Ad", None),
    ],
)
def test_s4_g10_what_may_not_be_taken_is_refused_with_its_reason(move, code):
    state = on_table(["7d Rd Ad", "Rb Cb Fb"], "7c 7s 4c 3c")
    assert refusal(SCOPA, state, move) == code


@pytest.mark.rule("S5")
def test_s5_taking_the_whole_table_is_a_scopa():
    state = play(SCOPA, on_table(["7d 2d", "Rb Cb"], "4c 3c"), "0 play 7d x 3c 4c")
    assert state.scope == (1, 0)
    assert SCOPA.last(state).scopa
    state = play(SCOPA, on_table(["7d 2d", "Rb Cb"], "4c 3c As"), "0 play 7d x 3c 4c")
    assert state.scope == (0, 0)


@pytest.mark.rule("S5")
def test_s5_the_very_last_play_of_the_deal_makes_no_scopa_but_the_one_before_does():
    state = play(SCOPA, on_table(["7d", "2b"], "4c 3c"), "0 play 7d x 3c 4c")
    assert state.scope == (1, 0)
    state = play(SCOPA, on_table(["7d", ""], "4c 3c"), "0 play 7d x 3c 4c")
    assert state.scope == (0, 0)
    assert not SCOPA.last(state).scopa
    assert SCOPA.turn(state) is None


@pytest.mark.rule("S6")
def test_s6_what_is_left_goes_to_the_line_that_captured_last_and_is_no_scopa():
    state = on_table(["", "3d", "", "Rb"], "3c 5c 6c", turn=1)
    state = play(SCOPA, state._replace(hands=(0, mask("3d"), mask("Cb"), 0)), "1 play 3d x 3c", "2 play Cb")
    assert names(state.piles[1]) == {"3d", "3c", "5c", "6c", "Cb"}
    assert state.piles[0] == state.table == 0
    assert state.scope == (0, 0)
    assert SCOPA.tally(state).last_taker == 1


@pytest.mark.rule("S7")
@pytest.mark.parametrize(
    ("ours", "theirs", "code", "points"),
    [
        ("7d", "6d", "settebello", (1, 0)),
        ("Ad 2d 3d 4d 5d 6d", "7d", "denari", (1, 0)),
        ("Ad 2d 3d 4d 5d", "6d 7d Fd Cd Rd", "denari", (0, 0)),
        ("*c *b", "*s *d", "cards", (0, 0)),
        ("*c", "*b *s Ad", "cards", (0, 1)),
        ("*c *b", "*s", "cards", (0, 0)),
    ],
)
def test_s7_settebello_six_denari_and_twenty_one_cards_are_a_point_each(ours, theirs, code, points):
    tally = SCOPA.tally(on_table(["", ""], "", piles=(ours, theirs)))
    assert next(row.points for row in tally.rows if row.code == code) == points


@pytest.mark.rule("S7")
def test_s7_each_scopa_is_a_point_and_the_rows_add_up():
    state = on_table(["", ""], "", piles=("*d *c As", "*b 2s"))._replace(scope=(2, 3), taker=0)
    tally = SCOPA.tally(state)
    assert [(row.code, row.values, row.points) for row in tally.rows] == [
        ("scope", (2, 3), (2, 3)), ("settebello", (1, 0), (1, 0)), ("denari", (10, 0), (1, 0)),
        ("cards", (21, 11), (1, 0)), ("primiera", (0, 0), (0, 0)),
    ]  # fmt: skip
    assert tally.points == (5, 3)


@pytest.mark.rule("S8")
@pytest.mark.parametrize(
    ("ours", "theirs", "points", "values"),
    [
        ("7d 7c 7b 7s", "6d 6c 6b 6s", (1, 0), (84, 72)),
        ("7d 7c Fb Fs", "6d 6c 6b 6s", (0, 1), (62, 72)),
        ("Ad 5c 4b 3s", "6d 2c Cb Rs", (1, 0), (58, 50)),
        ("Fd Cc Rb Fs", "Cd Rc", (1, 0), (40, 0)),
        ("7d 7c 7b 6d 6c 6b", "Fd Fc Fb Fs", (0, 1), (0, 40)),
        ("Ad Ac Ab", "7d 7c 7b", (0, 0), (0, 0)),
        ("7d Ac 5b 4s", "6d 6c Ab 5s", (0, 1), (66, 67)),
        ("Ad Ac Ab As", "6d 6c 4b 4s", (0, 0), (64, 64)),
        ("2d 3d 4d 5d 2c 2b 2s", "3c 3b 3s Fd", (1, 0), (51, 49)),
    ],
)
def test_s8_the_best_card_of_each_suit_counts_for_the_primiera_and_all_four_suits_are_needed(
    ours, theirs, points, values
):
    row = SCOPA.tally(on_table(["", ""], "", piles=(ours, theirs))).rows[-1]
    assert row.code == "primiera"
    assert row.values == values
    assert row.points == points


@pytest.mark.rule("S9")
@pytest.mark.parametrize(
    ("piles", "scope", "offender", "points"),
    [
        (("", ""), (0, 0), 0, (0, 5)),  # between deals: 4 + 1
        (("", ""), (0, 0), 1, (5, 0)),
        (("7d", ""), (1, 0), 0, (2, 4)),
        (("7d", ""), (1, 0), 1, (6, 0)),
        (("*d *c As", "2s"), (0, 2), 0, (3, 4)),  # settebello, denari and cards secured: primiera and one more
        (("*d *c As", "2s"), (0, 2), 1, (5, 2)),
        (("7d 7c 7b 7s", "Ad"), (0, 0), 0, (1, 4)),  # a primiera is never secured before the end
        (("Ad 2d 3d 4d 5d", "6d 7d Fd Cd Rd"), (0, 0), 1, (4, 1)),  # five denari each: secured by nobody
    ],
)
def test_s9_what_no_line_has_secured_goes_to_the_other_line_with_one_point_as_for_a_scopa(
    piles, scope, offender, points
):
    tally = SCOPA.tally_forfeit(on_table(["2c", "3c"], "", piles=piles)._replace(scope=scope), offender)
    assert tally.points == points
    assert not tally.whole
    rows = {row.code: row.points for row in tally.rows}
    assert rows["one_scopa"][1 - offender] == 1
    assert "primiera" not in rows
    secured = sum(sum(rows[code]) for code in ("settebello", "denari", "cards"))
    assert (rows["unsecured"][offender], rows["unsecured"][1 - offender]) == (0, 4 - secured)


def test_the_view_of_a_seat_shows_its_hand_the_table_and_counts():
    state = on_table(["7d 2d", "Rb Cb"], "4c 3c As", stock="5d 5c 5b 5s 6d 6c")
    view: View = SCOPA.view(play(SCOPA, state, "0 play 7d x 3c 4c"), 1)
    assert [hand.count for hand in view.hands] == [1, 2]
    assert {NAMES[card] for card in view.hands[1].cards} == {"Rb", "Cb"}
    assert view.hands[0].cards == ()
    assert [(NAMES[card.card], card.seat) for card in view.table] == [("As", None)]
    assert (view.piles[0].cards, view.stock, view.turn) == (3, 6, 1)
    assert (view.last.taker, {NAMES[card] for card in view.last.takes}) == (0, {"3c", "4c"})
    assert [(NAMES[card.card], card.seat) for card in view.last.cards] == [("7d", 0)]
    assert (view.last.scopa, view.last.drawn) == (False, ())


VISTE = {"carte_viste": True}


def hands_seen(view: View) -> list[set[str]]:
    return [{NAMES[card] for card in hand.cards} for hand in view.hands]


@pytest.mark.rule("S10")
def test_s10_what_was_captured_in_earlier_hands_is_seen_by_everybody_and_the_running_hand_is_not():
    state = SCOPA.deal(setup("scopa", options=VISTE), stacked("3d 4c 7d Rc Fd Cs 3c 4b Fc Rd"), 1)
    state = play(SCOPA, state, "0 play 3d x 3c", "1 play 4c x 4b")
    assert [SCOPA.view(state, seat).seen for seat in (0, 1, None)] == [(), (), ()]
    state = play(SCOPA, state, "0 play 7d", "1 play Rc x Rd", "0 play Fd x Fc", "1 play Cs")
    for seat in (0, 1, None):
        view = SCOPA.view(state, seat)
        assert {NAMES[card] for card in view.seen} == {"3d", "3c", "4c", "4b", "Rc", "Rd", "Fd", "Fc"}
        assert {NAMES[table.card] for table in view.table} == {"7d", "Cs"}


@pytest.mark.rule("S10")
def test_s10_without_the_option_nothing_captured_earlier_is_seen():
    state = SCOPA.deal(setup("scopa"), stacked("3d 4c 7d Rc Fd Cs 3c 4b Fc Rd"), 1)
    state = play(SCOPA, state, "0 play 3d x 3c", "1 play 4c x 4b", "0 play 7d")
    state = play(SCOPA, state, "1 play Rc x Rd", "0 play Fd x Fc", "1 play Cs")
    assert SCOPA.view(state, 0).seen == ()


def last_hand(players: int, **options: bool):
    """A deal of which only the last three cards each are left to play."""
    state = SCOPA.deal(setup("scopa", players, options=options), stacked(""), 0)
    while state.stock:
        state = SCOPA.play(state, SCOPA.legal(state)[0])
    return state


@pytest.mark.rule("S10")
def test_s10_two_players_play_the_last_hand_of_the_deal_face_up():
    state = last_hand(2, carte_viste=True)
    both = [names(hand) for hand in state.hands]
    assert [len(hand) for hand in both] == [3, 3]
    assert [hands_seen(SCOPA.view(state, seat)) for seat in (0, 1, None)] == [both] * 3
    closed = last_hand(2)
    assert hands_seen(SCOPA.view(closed, 0)) == [names(closed.hands[0]), set()]


@pytest.mark.rule("S10")
def test_s10_only_the_last_hand_is_open_and_only_for_two():
    state = SCOPA.deal(setup("scopa", options=VISTE), stacked(""), 0)
    assert hands_seen(SCOPA.view(state, 0)) == [names(state.hands[0]), set()]
    state = last_hand(4, carte_viste=True)
    assert hands_seen(SCOPA.view(state, 0)) == [names(state.hands[0]), set(), set(), set()]
    assert hands_seen(SCOPA.view(state, None)) == [set()] * 4


@pytest.mark.rule("G11")
def test_g11_partners_see_each_others_cards_and_nobody_else_does():
    state = SCOPA.deal(setup("scopa", 4, options={"carte_scoperte": True}), stacked(""), 0)
    hands = [names(hand) for hand in state.hands]
    assert hands_seen(SCOPA.view(state, 0)) == [hands[0], set(), hands[2], set()]
    assert hands_seen(SCOPA.view(state, 3)) == [set(), hands[1], set(), hands[3]]
    assert hands_seen(SCOPA.view(state, None)) == [set()] * 4
    closed = SCOPA.deal(setup("scopa", 4), stacked(""), 0)
    assert hands_seen(SCOPA.view(closed, 0)) == [hands[0], set(), set(), set()]


@pytest.mark.rule("G11")
def test_g11_open_hands_are_for_pairs():
    match.check(setup("scopa", 4, options={"carte_scoperte": True}))
    match.check(setup("scopa", 2, options={"carte_scoperte": False, "carte_viste": True}))
    with pytest.raises(HeaderError, match="option_not_for_two"):
        match.check(setup("scopa", 2, options={"carte_scoperte": True}))
