"""Rules that Scopone has of its own (SC1, SC2), and that the rest is as in Scopa (S2-S10)."""

import random

import pytest

from games.engine import match
from games.engine.cards import NAMES
from games.engine.game import HeaderError, Length
from games.engine.scores import list_ways_to_end
from games.rules import RULESETS
from tests.games.naive import DECK
from tests.games.naive_decks import void_deck
from tests.games.rules.positions import cards, listed, names, on_table, play, refusal, setup

SCOPONE, SCOPA = RULESETS["scopone"], RULESETS["scopa"]
WHOLE = "*d *c *b *s"


def dealt(deck=WHOLE, dealer=3, **options):
    return SCOPONE.deal(setup("scopone", 4, options=options), cards(deck), dealer)


@pytest.mark.rule("SC1")
def test_sc1_two_pairs_play_it():
    assert SCOPONE.players == (4,)
    with pytest.raises(HeaderError, match="players_not_allowed"):
        match.check(setup("scopone", 2))


@pytest.mark.rule("SC1", "G4", "S3")
def test_sc1_ten_cards_each_one_at_a_time_from_the_dealers_right_who_begins_and_none_on_the_table():
    state = dealt(dealer=1)
    assert [names(hand) for hand in state.hands] == [set(DECK[2::4]), set(DECK[3::4]), set(DECK[0::4]), set(DECK[1::4])]
    assert (state.table, state.stock) == (0, ())
    assert SCOPONE.turn(state) == 2


@pytest.mark.rule("SC1")
def test_sc1_with_quattro_a_terra_nine_each_then_the_next_four_on_the_table():
    state = dealt(quattro_a_terra=True)
    assert [hand.bit_count() for hand in state.hands] == [9] * 4
    assert names(state.hands[0]) == set(DECK[0:36:4])
    assert names(state.table) == set(DECK[36:])
    assert state.stock == ()


@pytest.mark.rule("SC1", "S2")
@pytest.mark.parametrize("kings", [3, 4])
def test_sc1_s2_with_quattro_a_terra_three_kings_on_the_table_make_the_deal_void_and_without_it_nothing_does(kings):
    deck = " ".join(void_deck(random.Random(kings), 4, kings, each=9))
    assert SCOPONE.void(dealt(deck, quattro_a_terra=True))
    assert not SCOPONE.void(dealt(deck))


@pytest.mark.rule("SC1")
def test_sc1_the_leaders_first_card_on_the_empty_table_is_put_down():
    state = dealt()
    assert listed(SCOPONE, state) == set(DECK[0::4])
    assert refusal(SCOPONE, state, "0 play Ad x 2d") == "not_on_table"
    after = play(SCOPONE, state, "0 play Ad")
    assert names(after.table) == {"Ad"}
    assert SCOPONE.turn(after) == 1


@pytest.mark.rule("SC1", "S5")
def test_sc1_s5_from_an_empty_table_nineteen_scope_are_possible_and_with_four_on_it_eighteen():
    pairs = [rank + suit for rank in "A234567FCR" for suit in "dcbs"]  # each card takes the one before it
    state = dealt(" ".join(pairs))
    while (seat := SCOPONE.turn(state)) is not None:
        state = SCOPONE.play(state, SCOPONE.legal(state)[0])
    assert seat is None
    assert sum(state.scope) == 19
    most = {option: _find_most_scope(quattro_a_terra=option) for option in (False, True)}
    assert most == {False: 19, True: 18}


def _find_most_scope(**options):
    chosen = setup("scopone", 4, options=options)
    return max(max(score) for score in SCOPONE.scores(chosen).whole[-1])


@pytest.mark.rule("SC1")
def test_sc1_the_points_of_a_match_are_held_against_what_its_deals_can_give():
    one = setup("scopone", 4)
    assert list_ways_to_end(one, (23, 0), 0) == ("points",), "nineteen scope and the four prizes"
    assert list_ways_to_end(one, (24, 0), 0) == ()
    assert list_ways_to_end(setup("scopone", 4, options={"quattro_a_terra": True}), (23, 0), 0) == ()


@pytest.mark.rule("SC1", "S10")
def test_sc1_s10_carte_viste_show_all_that_was_taken_in_this_deal_and_no_hand():
    state = play(SCOPONE, dealt(carte_viste=True), "0 play Ad", "1 play 2d")
    assert SCOPONE.view(state, None).seen == ()
    state = play(SCOPONE, state, "2 play 3d x Ad 2d")
    assert {NAMES[card] for card in SCOPONE.view(state, None).seen} == {"Ad", "2d", "3d"}
    while any(hand.bit_count() > 1 for hand in state.hands):
        state = SCOPONE.play(state, SCOPONE.legal(state)[0])
    assert all(hand.cards == () for hand in SCOPONE.view(state, None).hands), "the last cards stay closed"
    assert set(SCOPONE.view(state, None).seen) == {card for card in range(40) if (sum(state.piles)) >> card & 1}


@pytest.mark.rule("SC1", "G11")
def test_sc1_g11_with_carte_scoperte_partners_see_each_others_hands():
    view = SCOPONE.view(dealt(carte_scoperte=True), 1)
    assert [len(hand.cards) for hand in view.hands] == [0, 10, 0, 10]


@pytest.mark.rule("SC2")
@pytest.mark.parametrize("value", [11, 21])
def test_sc2_eleven_or_twenty_one_points_may_be_played(value):
    match.check(setup("scopone", 4, length=Length("points", value)))


@pytest.mark.rule("SC2")
@pytest.mark.parametrize("value", [1, 7, 10, 12, 31, 101])
def test_sc2_other_points_may_not(value):
    with pytest.raises(HeaderError, match="length_not_of_game"):
        match.check(setup("scopone", 4, length=Length("points", value)))


@pytest.mark.rule("SC2")
@pytest.mark.parametrize("value", [1, 3, 20])
def test_sc2_any_number_of_deals_may_be_played(value):
    match.check(setup("scopone", 4, length=Length("deals", value)))


@pytest.mark.rule("SC2", "S4")
def test_sc2_s4_a_card_takes_as_in_scopa():
    state = on_table(["Fb 7c", "2b", "3b", "4b"], "3d 5c Fs 4c")
    assert listed(SCOPONE, state) == listed(SCOPA, state) == {"Fb x Fs", "7c x 3d 4c"}
    assert refusal(SCOPONE, state, "0 play Fb x 3d 5c") == "must_take_single"
    assert refusal(SCOPONE, state, "0 play 7c") == "must_take"


@pytest.mark.rule("SC2", "S7", "S8", "S9")
def test_sc2_s7_s9_a_deal_is_counted_and_broken_off_as_in_scopa_with_no_more_points():
    piles = ("*d Rc Ab 2b 3b", "*s Ac 2c 3c 4c")  # ace, two and three of denari, and the king: nothing of their own
    state = on_table(["Rb", "4b", "5b", "6b"], "", piles=piles)
    state = play(SCOPONE, state, "0 play Rb", "1 play 4b", "2 play 5b", "3 play 6b")
    assert [row.code for row in SCOPONE.tally(state).rows] == ["scope", "settebello", "denari", "cards", "primiera"]
    broken = on_table(["Rb", "4b", "5b", "6b"], "", piles=piles)
    assert SCOPONE.tally_forfeit(broken, 0) == SCOPA.tally_forfeit(broken, 0)
    assert SCOPONE.tally_forfeit(broken, 0).points == (2, 3)


@pytest.mark.rule("SC2", "G7")
def test_sc2_g7_level_in_a_ko_goes_to_tie_break_deals():
    assert SCOPONE.terms(setup("scopone", 4)).level == "draw"
    assert SCOPONE.terms(setup("scopone", 4, context="ko")).level == "tie_breaks"


def test_the_options_are_its_own_and_scopas():
    assert set(SCOPONE.options) == {"quattro_a_terra", *SCOPA.options}
