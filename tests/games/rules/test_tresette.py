"""The rules of Tresette one by one, alone against one and in pairs; what is called is in ``test_calls.py``."""

import pytest

from games.engine import calls, match
from games.engine.cards import NAMES
from games.engine.game import HeaderError, Length
from games.engine.record import parse_move
from games.rules import RULESETS
from tests.games.rules.positions import cards, dealing, in_trick, listed, names, play, refusal, setup

TRESETTE = RULESETS["tresette"]


@pytest.mark.rule("T1", "G4")
def test_t1_g4_four_players_get_ten_cards_one_at_a_time_from_the_dealers_right():
    state = TRESETTE.deal(setup("tresette", 4), cards("*d *c *b *s"), 3)
    assert names(state.hands[0]) == {"Ad", "5d", "Cd", "3c", "7c", "Ab", "5b", "Cb", "3s", "7s"}
    assert [hand.bit_count() for hand in state.hands] == [10, 10, 10, 10]
    assert state.stock == ()


@pytest.mark.rule("T1")
def test_t1_two_players_get_ten_cards_and_twenty_are_the_stock():
    state = TRESETTE.deal(setup("tresette", 2), cards("*d *c *b *s"), 0)
    assert names(state.hands[1]) == {"Ad", "3d", "5d", "7d", "Cd", "Ac", "3c", "5c", "7c", "Cc"}
    assert [NAMES[card] for card in state.stock] == [NAMES[card] for card in cards("*b *s")]
    assert TRESETTE.turn(state) == 1


@pytest.mark.rule("T1")
def test_t1_after_a_trick_each_draws_one_card_and_shows_it_the_winner_first():
    state = play(TRESETTE, in_trick(["4d 5c", "3d 6c"], stock="Ab Rb 2b 7b"), "0 play 4d", "1 play 3d")
    assert [names(hand) for hand in state.hands] == [{"5c", "Rb"}, {"6c", "Ab"}]
    assert [NAMES[card] for card in state.stock] == ["2b", "7b"]
    drawn = TRESETTE.view(state, None).last.drawn
    assert [(NAMES[card.card], card.seat) for card in drawn] == [("Ab", 1), ("Rb", 0)]
    assert refusal(TRESETTE, state, "1 play Ab") is None


@pytest.mark.rule("T1")
def test_t1_nothing_is_drawn_once_the_stock_is_gone():
    state = play(TRESETTE, in_trick(["4d 5c", "3d 6c"]), "0 play 4d", "1 play 3d")
    assert [names(hand) for hand in state.hands] == [{"5c"}, {"6c"}]
    assert TRESETTE.view(state, 0).last.drawn == ()


@pytest.mark.rule("T2")
def test_t2_the_dealers_right_leads_the_first_trick_with_any_card():
    state = TRESETTE.deal(setup("tresette", 4), cards("*d *c *b *s"), 1)
    assert TRESETTE.turn(state) == 2
    assert listed(TRESETTE, state) == names(state.hands[2])


@pytest.mark.rule("T2")
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
def test_t2_who_follows_plays_the_suit_led_if_they_have_it_otherwise_any_card(trick, hand, plays):
    state = in_trick([hand, "Fs", "Cs", "Rs"], trick)
    assert listed(TRESETTE, state) == plays
    for name in set(hand.split()) - plays:
        assert refusal(TRESETTE, state, f"0 play {name}") == "must_follow_suit"


@pytest.mark.rule("G10")
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
    assert refusal(TRESETTE, in_trick(["Ac", "Fs"], turn=-1), "0 play Ac") == "deal_over"


@pytest.mark.rule("T3")
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
    last = TRESETTE.last(state)
    assert [(NAMES[card.card], card.seat) for card in last.cards] == list(zip(played, range(4), strict=True))
    assert (last.takes, last.scopa) == ((), False)


@pytest.mark.rule("T4")
def test_t4_aces_are_a_point_and_three_two_and_figures_a_third_rounded_down_plus_one_for_the_last_trick():
    tally = TRESETTE.tally(in_trick(["", ""], thirds=(17, 15))._replace(taker=1))
    assert tally.points == (5, 6)
    assert [(row.code, row.values, row.points) for row in tally.rows] == [
        ("thirds", (17, 15), (5, 5)), ("last_trick", (0, 1), (0, 1)),
    ]  # fmt: skip
    assert tally.last_taker == 1


@pytest.mark.rule("T4")
@pytest.mark.parametrize(("trick", "thirds"), [("3d Ad", 4), ("3d 2d", 2), ("3d Rd", 2), ("3d 7d", 1), ("7d 4d", 0)])
def test_t4_what_each_card_is_worth(trick, thirds):
    first, second = trick.split()
    state = play(TRESETTE, in_trick([f"{first} 4c", f"{second} 5c"]), f"0 play {first}", f"1 play {second}")
    assert state.thirds == (thirds, 0)


@pytest.mark.rule("T4", "G2")
def test_t4_g2_partners_count_their_thirds_together():
    tally = TRESETTE.tally(in_trick(["", "", "", ""], thirds=(5, 8, 4, 15))._replace(taker=2))
    assert tally.points == (3 + 1, 7)


@pytest.mark.rule("T11")
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
    assert TRESETTE.tally_forfeit(in_trick(["4c", "5c"], thirds=thirds), offender).points == points


@pytest.mark.rule("T8", "G7")
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
    assert TRESETTE.terms(setup("tresette", context=context, length=length, options=options)).level == level


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


# The options

OPTIONS = ("vinco_subito", "accuso", "cappotto", "dichiarazioni", "carte_viste", "carte_scoperte")


def opened(hands, *options, dealer=0, stock=""):
    """A deal with these options on; seat ``dealer + 1`` leads."""
    table = setup("tresette", len(hands), dealer, options=dict.fromkeys(options, True))
    return TRESETTE.deal(table, dealing(hands, dealer=dealer, stock=stock), dealer)


def known(view) -> list[set[str]]:
    """The cards of each hand that the viewer knows."""
    return [{NAMES[card] for card in hand.cards} for hand in view.hands]


@pytest.mark.rule("T6", "T9", "T10", "G11")
@pytest.mark.parametrize(
    ("options", "players", "length", "context", "code"),
    [
        ("vinco_subito", 4, Length("deals", 4), "free", "option_needs_points"),
        ("vinco_subito", 4, Length("points", 21), "ko", None),
        ("cappotto", 4, Length("points", 21), "ko", "option_only_free"),
        ("cappotto", 4, Length("deals", 4), "round_robin", "option_only_free"),
        ("cappotto", 2, Length("deals", 4), "free", None),
        ("dichiarazioni", 2, Length("deals", 4), "free", "option_not_for_two"),
        ("dichiarazioni", 4, Length("deals", 4), "round_robin", None),
        ("carte_scoperte", 2, Length("deals", 4), "ko", "option_not_for_two"),
        ("carte_scoperte", 4, Length("deals", 4), "ko", None),
        ("carte_viste", 2, Length("deals", 4), "ko", None),
        ("carte_viste", 4, Length("deals", 4), "round_robin", None),
        ("accuso", 2, Length("deals", 4), "round_robin", None),
        (" ".join(OPTIONS), 4, Length("points", 4), "free", None),
    ],
)
def test_an_option_that_cannot_apply_is_refused(options, players, length, context, code):
    chosen = setup("tresette", players, length=length, context=context, options=dict.fromkeys(options.split(), True))
    off = setup("tresette", players, length=length, context=context, options=dict.fromkeys(OPTIONS, False))
    match.check(off)
    if code is None:
        match.check(chosen)
        return
    with pytest.raises(HeaderError) as refused:
        match.check(chosen)
    assert refused.value.code == code


def test_without_options_a_deal_keeps_nothing_more():
    assert opened(["", "", "", ""]).calls is None
    off = setup("tresette", 4, options={**dict.fromkeys(OPTIONS, False), "ko_tie": "deals"})
    assert TRESETTE.deal(off, dealing([""] * 4), 0).calls is None


def last_cards(thirds, credited=(0, 0), *options):
    """Return a position with one card in each of two hands; seat 0 takes the last trick, worth two thirds."""
    state = calls.allow_calls(in_trick(["3d", "2d"], thirds=thirds), options)
    return state._replace(calls=state.calls._replace(credited=credited))


def ended(state):
    return TRESETTE.tally(play(TRESETTE, state, "0 play 3d", "1 play 2d"))


@pytest.mark.rule("T5", "T6")
@pytest.mark.parametrize(
    ("thirds", "credited", "options", "points", "accuso"),
    [
        ((30, 0), (3, 4), ("accuso", "cappotto"), (14, 0), (3, 0)),  # eleven points: the other's accuso is taken back
        ((28, 2), (0, 4), ("accuso", "cappotto"), (11, 0), (0, 0)),  # two thirds are no point
        ((27, 3), (0, 4), ("accuso", "cappotto"), (10, 5), (0, 4)),  # ten points are no cappotto
        ((30, 0), (3, 4), ("accuso",), (14, 4), (3, 4)),  # without the option it stays
    ],
)
def test_t5_t6_the_accuso_counts_unless_the_other_line_takes_all_eleven_points(
    thirds, credited, options, points, accuso
):
    tally = ended(last_cards(thirds, credited, *options))
    assert tally.points == points
    row = next(row for row in tally.rows if row.code == "accuso")
    assert (row.values, row.points) == (credited, accuso)
    assert tally.points == tuple(map(sum, zip(*[row.points for row in tally.rows], strict=True)))


@pytest.mark.rule("T6")
def test_t6_it_takes_back_the_accuso_of_either_line():
    state = last_cards((0, 30), (4, 3), "accuso", "cappotto")._replace(turn=1)
    state = state._replace(hands=state.hands[::-1])  # the last trick is the other line's too
    assert TRESETTE.tally(play(TRESETTE, state, "1 play 3d", "0 play 2d")).points == (0, 14)


@pytest.mark.rule("T5")
def test_t5_where_nobody_has_called_the_count_has_no_row_for_it():
    assert [row.code for row in ended(last_cards((20, 10), (0, 0), "accuso")).rows] == ["thirds", "last_trick"]


def running(options, state, length=None):
    """A free match of two with these options on whose running deal stands so."""
    length = length or Length("deals", 2)
    table = setup("tresette", 2, length=length, options=dict.fromkeys(options, True))
    progress = match.deal(match.start(table), dealing(["", ""]))
    return progress._replace(deal=state)


@pytest.mark.rule("T6")
@pytest.mark.parametrize("options", [("cappotto",), ("cappotto", "accuso")])
def test_t6_a_cappotto_wins_an_extra_stake_and_the_match_goes_on(options):
    progress = running(options, last_cards((30, 0), (0, 0), *options))
    for text in ("0 play 3d", "1 play 2d"):
        progress = match.play(progress, parse_move(text))
    assert (progress.stakes, progress.outcome) == ((1, 0), None)
    progress = match.play(match.deal(progress, dealing(["", ""])), parse_move("0 abandon"))
    assert (progress.stakes, progress.outcome.winner) == ((1, 1), 1)  # whoever wins the match


@pytest.mark.rule("T6")
def test_t6_without_the_option_and_in_a_deal_broken_off_there_is_no_extra_stake():
    progress = running(("accuso",), last_cards((30, 0), (0, 0), "accuso"))
    for text in ("0 play 3d", "1 play 2d"):
        progress = match.play(progress, parse_move(text))
    assert progress.stakes == (0, 0)
    options = ("accuso", "cappotto")
    broken = match.play(running(options, last_cards((30, 0), (0, 4), *options)), parse_move("1 abandon"))
    assert broken.deals[-1].points == (11, 4)  # the accuso stays
    assert broken.stakes == (1, 0)
    state = last_cards((30, 0), (0, 4), "vinco_subito", *options)
    state = state._replace(taker=0, calls=state.calls._replace(needs=(5, 20)))
    out = running(("vinco_subito", *options), state, length=Length("points", 5))
    out = match.play(out, parse_move("0 out"))
    assert (out.deals[-1].points, out.stakes, out.outcome.decided_by) == ((10, 4), (1, 0), "called_out")


@pytest.mark.rule("T6", "G6")
def test_t6_g6_points_taken_back_reach_no_target():
    options = ("accuso", "cappotto")
    progress = running(options, last_cards((30, 0), (0, 4), *options), length=Length("points", 21))
    progress = progress._replace(score=(0, 18))
    for text in ("0 play 3d", "1 play 2d"):
        progress = match.play(progress, parse_move(text))
    assert (progress.score, progress.outcome) == ((11, 18), None)


@pytest.mark.rule("T5", "T11")
@pytest.mark.parametrize(
    ("credited", "offender", "points"),
    [((0, 0), 0, (3, 8)), ((4, 0), 0, (7, 8)), ((0, 3), 0, (3, 11)), ((10, 0), 0, (13, 8)), ((3, 7), 1, (11, 10))],
)
def test_t5_t11_accuso_points_are_not_of_the_eleven_and_stay_in_a_deal_broken_off(credited, offender, points):
    state = last_cards((9, 10), credited, "accuso")
    assert TRESETTE.tally_forfeit(state, offender).points == points


@pytest.mark.rule("T11", "G8", "V1")
def test_t11_an_offender_still_ahead_loses_without_difference():
    progress = running(("accuso",), last_cards((9, 10), (10, 0), "accuso"))
    progress = match.play(progress, parse_move("0 abandon"))
    assert progress.score == (13, 8)
    assert progress.outcome == match.Outcome(1, "abandon", 0, 0)


@pytest.mark.rule("T11", "G8")
def test_t11_g8_between_deals_all_eleven_count_and_six_are_given():
    progress = running(("accuso",), last_cards((20, 10), (3, 0), "accuso"))
    for text in ("0 play 3d", "1 play 2d"):
        progress = match.play(progress, parse_move(text))
    progress = match.play(match.deal(progress, dealing(["", ""])), parse_move("0 timeout"))  # seat 1 has dealt
    assert progress.deals[-1].points == (0, 6)


# Carte viste


@pytest.mark.rule("T12")
def test_t12_everybody_sees_the_cards_of_earlier_tricks_with_carte_viste_only():
    hands = ["3d 4c 4s", "Ad 5c 5s", "4d 6c 6s", "2d 7c 7s"]
    for options, seen in ((("carte_viste",), True), (("accuso",), False)):
        state = opened(hands, *options, dealer=3)
        assert TRESETTE.view(state, 1).seen == ()
        state = play(TRESETTE, state, "0 play 3d", "1 play Ad", "2 play 4d", "3 play 2d", "0 play 4c")
        for seat in (0, 1, 2, 3, None):
            view = TRESETTE.view(state, seat)
            assert [NAMES[card] for card in view.seen] == (["Ad", "2d", "3d", "4d"] if seen else [])
            assert [card.card for card in view.table] == cards("4c")


@pytest.mark.rule("T12")
def test_t12_in_spizzichino_cards_drawn_are_shown_until_they_are_played():
    hands = ["3d 2d 4c 5c 6c 7c Fc Cc Rc Ac", "Ad 4d 4b 5b 6b 7b Fb Cb Rb Ab"]
    state = opened(hands, "carte_viste", dealer=1, stock="3s 2s As 4s")
    assert known(TRESETTE.view(state, 1)) == [set(), names(state.hands[1])]
    state = play(TRESETTE, state, "0 play 3d", "1 play 4d")
    assert known(TRESETTE.view(state, 1)) == [{"3s"}, names(state.hands[1])]
    assert known(TRESETTE.view(state, 0)) == [names(state.hands[0]), {"2s"}]
    assert known(TRESETTE.view(state, None)) == [{"3s"}, {"2s"}]
    state = play(TRESETTE, state, "0 play 2d", "1 play Ad")
    assert known(TRESETTE.view(state, 1))[0] == {"3s", "As"}
    state = play(TRESETTE, state, "0 play As", "1 play 2s")
    assert known(TRESETTE.view(state, 1))[0] == {"3s"} | known(TRESETTE.view(state, None))[0]
    assert "As" not in known(TRESETTE.view(state, 1))[0]
    assert [hand.count for hand in TRESETTE.view(state, 1).hands] == [10, 10]
    plain = play(TRESETTE, opened(hands, dealer=1, stock="3s 2s"), "0 play 3d", "1 play 4d")
    assert known(TRESETTE.view(plain, 1))[0] == set()
    other = play(TRESETTE, opened(hands, "accuso", dealer=1, stock="3s 2s"), "0 play 3d", "1 play 4d")
    assert known(TRESETTE.view(other, 1))[0] == set()


@pytest.mark.rule("T12")
def test_t12_in_spizzichino_both_hands_lie_open_once_the_stock_is_gone():
    state = calls.allow_calls(in_trick(["3d 4c 4s", "Ad 5c 5s"], stock="6c 7c"), ["carte_viste"])
    assert known(TRESETTE.view(state, 0)) == [{"3d", "4c", "4s"}, set()]
    state = play(TRESETTE, state, "0 play 3d", "1 play Ad")
    for seat in (0, 1, None):
        assert known(TRESETTE.view(state, seat)) == [{"4c", "4s", "6c"}, {"5c", "5s", "7c"}]
    closed = calls.allow_calls(in_trick(["3d 4c 4s", "Ad 5c 5s"]), ["accuso"])
    assert known(TRESETTE.view(closed, 0)) == [{"3d", "4c", "4s"}, set()]


@pytest.mark.rule("T10", "T12")
def test_t12_in_pairs_declared_honours_are_shown_until_they_are_played():
    hands = ["3d Ad 4d 4c 4s", "2d 5c 5s", "5d 6c 6s", "6d 7c 7s"]
    for options, shown in ((("dichiarazioni", "carte_viste"), True), (("dichiarazioni",), False)):
        state = play(TRESETTE, opened(hands, *options, dealer=3), "0 declare d ho")
        for seat in (1, 2, None):
            assert known(TRESETTE.view(state, seat))[0] == ({"3d", "Ad"} if shown else set())
        state = play(TRESETTE, state, "0 play 3d")
        assert known(TRESETTE.view(state, 1))[0] == ({"Ad"} if shown else set())
    state = play(TRESETTE, opened(hands, "dichiarazioni", "carte_viste", dealer=3), "0 declare d busso")
    assert known(TRESETTE.view(state, 1))[0] == set()


@pytest.mark.rule("T10", "T12")
def test_t12_declarations_are_read_for_the_whole_deal_with_carte_viste():
    hands = ["3d 4c 4s", "4d 5c 5s", "5d 6c 6s", "6d 7c 7s"]
    for options, tricks in ((("dichiarazioni", "carte_viste"), ["d", "c", "s"]), (("dichiarazioni",), ["s"])):
        state = calls.allow_calls(in_trick(hands), options)
        state = play(TRESETTE, state, "0 declare d ho", "0 play 3d", "1 play 4d", "2 play 5d", "3 play 6d")
        state = play(TRESETTE, state, "0 declare c ho", "0 play 4c", "1 play 5c", "2 play 6c", "3 play 7c")
        state = play(TRESETTE, state, "3 declare s ho", "3 play 7s", "0 play 4s", "1 play 5s")
        suits = [suits.arg[0] for suits in TRESETTE.view(state, 1).calls]
        assert suits == (tricks if len(tricks) == 3 else ["c", "s"])


@pytest.mark.rule("T5", "T12")
def test_t12_an_accuso_opens_the_cards_that_it_tells_until_they_are_played():
    hands = ["3d 2d Ad 3c 3b 4c 4s", "2c 2b 2s 5c 4d", "Ac Ab As 6c 5d", "6d 7c 7s"]
    for options, shown in ((("accuso", "carte_viste"), True), (("accuso",), False)):
        state = play(TRESETTE, opened(hands, *options, dealer=3), "0 accuso 3x3+napoletana:d")
        for seat in (1, 2, 3, None):
            assert known(TRESETTE.view(state, seat))[0] == ({"3d", "2d", "Ad"} if shown else set())
        state = play(TRESETTE, state, "0 play 3d", "1 accuso 3x2")
        assert known(TRESETTE.view(state, 2))[:2] == [{"2d", "Ad"} if shown else set(), set()]
    four = opened(["4d", "2d 2c 2b 2s 5d", "5c", "6c"], "accuso", "carte_viste", dealer=3)
    state = play(TRESETTE, four, "0 play 4d", "1 accuso 4x2", "1 play 2d")
    assert known(TRESETTE.view(state, 0))[1] == {"2c", "2b", "2s"}


@pytest.mark.rule("T5")
def test_t5_an_accuso_is_heard_all_deal_long():
    state = calls.allow_calls(in_trick(["3d 4c 4s", "4d 5c 5s", "5d 6c 6s", "6d 7c 7s"]), ["accuso"])
    state = calls.say(state, parse_move("1 accuso 3x3"), points=3)
    state = play(TRESETTE, state, "0 play 3d", "1 play 4d", "2 play 5d", "3 play 6d")
    state = play(TRESETTE, state, "0 play 4c", "1 play 5c", "2 play 6c", "3 play 7c")
    assert [(call.seat, call.arg) for call in TRESETTE.view(state, None).calls] == [(1, "3x3")]
    assert TRESETTE.view(state, 0).credited == (0, 3)


@pytest.mark.rule("G11")
def test_g11_partners_see_each_others_cards_opponents_and_spectators_dont():
    state = opened(["3d", "Ad", "4d", "2d"], "carte_scoperte", dealer=3)
    state = play(TRESETTE, state, "0 play 3d")
    for seat in range(4):
        hands = known(TRESETTE.view(state, seat))
        for owner in range(4):
            assert hands[owner] == (names(state.hands[owner]) if owner % 2 == seat % 2 else set())
    assert known(TRESETTE.view(state, None)) == [set()] * 4
    closed = opened(["3d", "Ad", "4d", "2d"], "carte_viste", "dichiarazioni", dealer=3)
    assert known(TRESETTE.view(closed, 0))[2] == set()


@pytest.mark.rule("G11", "T10", "T12")
def test_g11_t12_open_to_the_partner_declared_to_the_others():
    hands = ["3d Ad 4d 4c 4s", "2d 5c 5s", "5d 6c 6s", "6d 7c 7s"]
    state = opened(hands, "carte_scoperte", "carte_viste", "dichiarazioni", dealer=3)
    state = play(TRESETTE, state, "0 declare d ho", "0 play 4d")
    assert known(TRESETTE.view(state, 2))[0] == names(state.hands[0])
    assert known(TRESETTE.view(state, 1))[0] == known(TRESETTE.view(state, None))[0] == {"3d", "Ad"}
