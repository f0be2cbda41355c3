"""Calls in Tresette: accuso (T5), calling out (T9), declarations (T10), and what is called by itself (X1)."""

import pytest

from games.engine import calls, match
from games.engine.cards import NAMES
from games.engine.game import DealEnding, GameMove, HeardCall, IllegalMove, Length
from games.engine.match import DealPoints
from games.engine.record import parse_move, write_move
from games.rules import RULESETS
from tests.games.rules.positions import cards, dealing, in_trick, mask, names, play, refusal, setup

TRESETTE = RULESETS["tresette"]
NOBODY = (frozenset(),) * 4
EVERYBODY = (frozenset({"out", "accuso", "declare"}),) * 4
# Seat 0: 3x3, 4xA, napoletana of denari; seat 1: 4x2 but the 2 of denari: 3x2; seats 2 and 3: nothing.
RICH = ["3d 3c 3b 2d Ad Ac Ab As 4d 5d", "2c 2b 2s 4c 5c 6c 7c Fc Cc Rc", "3s 6d 7d Fd Cd Rd 4b 5b 6b 7b"]


def opened(hands=RICH, *, options=("accuso",), dealer=3, score=(0, 0), points=11):
    """A deal for four in which these options are on; seat ``dealer + 1`` leads."""
    on = dict.fromkeys(options, True)
    four = setup("tresette", 4, dealer, length=Length("points", points), options=on)
    hands = [*hands, *[""] * (4 - len(hands))]
    return TRESETTE.deal(four, dealing(hands, dealer=dealer), dealer, score)


def calling(state, *allowed, needs=None):
    """A position in which these options are on."""
    return calls.allow_calls(state, allowed, needs)


def texts(moves) -> list[str]:
    return [write_move(move) for move in moves]


def called(state, verb="accuso") -> set[str]:
    """Return what may be called now, as the record writes it."""
    return {move.arg for move in TRESETTE.legal(state) if move.verb == verb}


@pytest.mark.rule("T5", "M4")
@pytest.mark.parametrize(
    ("hand", "combinations", "points"),
    [
        ("3d 2d Ad 3c 2c Ac", "napoletana:d napoletana:c", 6),
        ("3d 3c 3b 2d", "3x3", 3),
        ("2d 2c 2b 3d", "3x2", 3),
        ("Ad Ac As 3d", "3xA", 3),
        ("3d 3c 3b 3s", "4x3", 4),  # who holds four can't call three
        ("2d 2c 2b 2s Rd Rc Rb", "4x2", 4),
        ("Ad Ac Ab As", "4xA", 4),
        ("3d 3c 3b 2d 2c 2b Ad Ac Ab", "3x3 3x2 3xA napoletana:d napoletana:c napoletana:b", 18),
        ("3d 3c 3b 3s 2d 2c 2b 2s Ad Ac", "4x3 4x2 napoletana:d napoletana:c", 14),
        ("3s 2s As 3d 3c", "3x3 napoletana:s", 6),
        ("3b 2b Ab", "napoletana:b", 3),
        ("3d 2d Ac 3c Rd Rc Rb Rs", "", 0),
    ],
)
def test_t5_m4_three_or_four_of_a_rank_and_the_napoletana(hand, combinations, points):
    assert calls.list_combinations(mask(hand)) == tuple(combinations.split())
    assert calls.add_up_combinations(combinations.split()) == points


def test_combinations_are_read_in_any_order_and_told_in_one():
    assert calls.parse_combinations("napoletana:s+4x2+3xA+napoletana:d+3x3") == (
        "3x3",
        "3xA",
        "4x2",
        "napoletana:d",
        "napoletana:s",
    )
    for text in ("", "3x3+3x3", "3x4", "3x3+", "napoletana:x", "3x3,3x2"):
        with pytest.raises(ValueError, match="combinations"):
            calls.parse_combinations(text)


@pytest.mark.rule("T5")
def test_t5_the_leader_may_call_any_of_what_they_hold_before_playing_and_the_points_count_at_once():
    state = opened()
    assert called(state) == {
        "3x3", "4xA", "napoletana:d", "3x3+4xA", "3x3+napoletana:d", "4xA+napoletana:d", "3x3+4xA+napoletana:d",
    }  # fmt: skip
    state = play(TRESETTE, state, "0 accuso napoletana:d+4xA")
    assert TRESETTE.turn(state) == 0
    for seat in (0, 1, None):
        view = TRESETTE.view(state, seat)
        assert (view.credited, view.calls) == ((7, 0), (HeardCall(0, "accuso", "4xA+napoletana:d"),))
    assert TRESETTE.tally_forfeit(state, 0).points == (7, 6)


@pytest.mark.rule("T5")
def test_t5_several_calls_add_up_and_none_is_made_twice():
    state = play(TRESETTE, opened(), "0 accuso 3x3", "0 accuso 4xA")
    assert called(state) == {"napoletana:d"}
    assert refusal(TRESETTE, state, "0 accuso 3x3") == "already_called"
    assert refusal(TRESETTE, state, "0 accuso napoletana:d+4xA") == "already_called"
    state = play(TRESETTE, state, "0 accuso napoletana:d", "0 play 4d", "1 accuso 3x2")
    assert TRESETTE.view(state, 2).credited == (10, 3)
    assert called(state) == set()


@pytest.mark.rule("T5")
@pytest.mark.parametrize(
    ("moves", "code"),
    [
        (["0 accuso 3xA"], "combination_not_held"),  # who holds four can't call three
        (["0 accuso 4x3"], "combination_not_held"),
        (["0 accuso 3x3+napoletana:c"], "combination_not_held"),
        (["1 accuso 3x2"], "not_your_turn"),  # only on one's own turn
        (["0 play 4d", "0 accuso 3x3"], "not_your_turn"),  # before playing
        (["0 play 4d", "2 accuso 3x3"], "not_your_turn"),
        (["0 play 3d", "1 play 2c", "2 play 6d", "3 play Cb", "0 accuso 3x3"], "not_first_trick"),
        (["0 play 4d", "1 accuso 3x2"], None),
    ],
)
def test_t5_only_what_is_held_in_the_first_trick_on_ones_turn_before_playing(moves, code):
    *before, last = moves
    assert refusal(TRESETTE, play(TRESETTE, opened(), *before), last) == code


@pytest.mark.rule("T5", "X1")
def test_t5_x1_what_was_not_called_in_the_first_trick_is_lost():
    state = play(TRESETTE, opened(), "0 play 3d", "1 play 2c", "2 play 6d", "3 play Cb")
    assert TRESETTE.turn(state) == 0
    assert called(state) == set()
    assert TRESETTE.automatic(state, EVERYBODY) == ()


@pytest.mark.rule("T5")
def test_t5_after_the_first_trick_nothing_is_called_even_with_a_card_drawn_since():
    two = setup("tresette", 2, options={"accuso": True})
    deck = dealing(["3d 3c Ad 4d 5d 6d 7d 4c 5c 6c", "3s 2d 2c 4b 5b 6b 7b 4s 5s 6s"], dealer=1, stock="3b 2b")
    state = play(TRESETTE, TRESETTE.deal(two, deck, 1), "0 play 3d", "1 play 2d")
    assert names(state.hands[0]) >= {"3c", "3b"}
    assert called(state) == set()
    assert called(play(TRESETTE, TRESETTE.deal(two, deck, 1), "0 play 4d")) == set()


@pytest.mark.rule("T5")
def test_t5_without_the_option_there_is_no_accuso():
    for options in ((), ("dichiarazioni",)):
        state = opened(options=options)
        assert called(state) == set()
        assert refusal(TRESETTE, state, "0 accuso 3x3") == "unknown_move"
        assert TRESETTE.automatic(state, EVERYBODY) == ()


@pytest.mark.rule("T5", "X1")
def test_t5_x1_the_system_calls_all_that_is_left_for_who_has_it_on_and_nothing_for_others():
    state = opened()
    assert texts(TRESETTE.automatic(state, EVERYBODY)) == ["0 accuso 3x3+4xA+napoletana:d"]
    assert TRESETTE.automatic(state, NOBODY) == ()
    assert TRESETTE.automatic(state, (frozenset({"out", "declare"}),) * 4) == ()
    state = play(TRESETTE, state, "0 accuso 4xA")
    assert texts(TRESETTE.automatic(state, EVERYBODY)) == ["0 accuso 3x3+napoletana:d"]
    state = play(TRESETTE, state, "0 play 4d")
    assert texts(TRESETTE.automatic(state, EVERYBODY)) == ["1 accuso 3x2"]
    assert TRESETTE.automatic(play(TRESETTE, state, "1 accuso 3x2"), EVERYBODY) == ()


@pytest.mark.rule("T5")
def test_t5_a_call_can_only_be_written_in_the_lists_own_way():
    with pytest.raises(IllegalMove, match="unreadable_move"):
        TRESETTE.play(opened(), GameMove(0, "accuso", arg="4xA+3x3"))
    with pytest.raises(IllegalMove, match="unreadable_move"):
        TRESETTE.play(opened(), GameMove(0, "accuso", card=3, arg="3x3"))


# Calling out


def after_a_trick(needs, *, credited=(0, 0), allowed=("vinco_subito",)):
    """Seat 0 has just taken 5 thirds, all its line has; the other line has 10. Two cards are left to each."""
    state = in_trick(["3d 4c 4s", "Ad 5c 5s", "4d 6c 6s", "2d 7c 7s"], thirds=(0, 10, 0, 0))
    state = calling(state, *allowed, needs=needs)
    state = state._replace(calls=state.calls._replace(credited=credited))
    return play(TRESETTE, state, "0 play 3d", "1 play Ad", "2 play 4d", "3 play 2d")


def outs(state) -> list[str]:
    return [write_move(move) for move in TRESETTE.legal(state) if move.verb == "out"]


@pytest.mark.rule("T9")
@pytest.mark.parametrize(
    ("needs", "credited", "code"),
    [
        ((1, 9), (0, 0), None),  # 5 thirds: 1 point
        ((2, 9), (0, 0), "target_not_reached"),  # rounded down; no last trick yet
        ((2, 1), (0, 0), "target_not_reached"),  # the other line has it, and hasn't taken the trick
        ((4, 9), (3, 0), None),  # accuso counts
        ((5, 9), (3, 0), "target_not_reached"),
        ((1, 1), (0, 8), None),  # even if the other line has more
    ],
)
def test_t9_who_has_just_taken_a_trick_calls_out_if_their_line_has_the_target(needs, credited, code):
    state = after_a_trick(needs, credited=credited)
    assert refusal(TRESETTE, state, "0 out") == code
    assert outs(state) == ([] if code else ["0 out"])
    assert texts(TRESETTE.automatic(state, EVERYBODY)) == ([] if code else ["0 out"])
    assert TRESETTE.automatic(state, NOBODY) == ()
    assert refusal(TRESETTE, state, "1 out") == refusal(TRESETTE, state, "2 out") == "not_just_taken"


@pytest.mark.rule("T9")
def test_t9_the_button_is_good_from_their_trick_until_they_lead():
    state = after_a_trick((1, 1), allowed=("vinco_subito", "dichiarazioni"))
    declared = play(TRESETTE, state, "0 declare c ho")
    assert outs(declared) == ["0 out"]
    over = play(TRESETTE, declared, "0 out")
    assert TRESETTE.legal(over) == TRESETTE.legal(play(TRESETTE, state, "0 out")) == ()
    assert TRESETTE.view(over, 0).legal == TRESETTE.view(over, None).legal == ()
    led = play(TRESETTE, state, "0 play 4c")
    assert outs(led) == []
    assert refusal(TRESETTE, led, "0 out") == refusal(TRESETTE, led, "1 out") == "not_just_taken"
    following = play(TRESETTE, led, "1 play 5c", "2 play 6c", "3 play 7c")
    assert outs(following) == ["3 out"]  # now it is the taker of this trick, of the other line


@pytest.mark.rule("T9")
def test_t9_calling_out_is_said_and_nothing_more():
    for move in (GameMove(0, "out", card=3), GameMove(0, "out", arg="3x3"), GameMove(0, "out", takes=1)):
        with pytest.raises(IllegalMove, match="unknown_move"):
            TRESETTE.play(after_a_trick((1, 9)), move)


@pytest.mark.rule("T9")
def test_t9_nobody_calls_out_before_the_first_trick_is_taken():
    state = calling(in_trick(["3d 4c", "Ad 5c"]), "vinco_subito", needs=(0, 0))
    assert outs(state) == []
    assert refusal(TRESETTE, state, "0 out") == "not_just_taken"


@pytest.mark.rule("T9")
def test_t9_the_deal_called_out_counts_what_each_had_then_and_ends_the_match():
    state = play(TRESETTE, after_a_trick((1, 9), credited=(0, 3)), "0 out")
    assert TRESETTE.turn(state) is None
    assert TRESETTE.legal(state) == TRESETTE.automatic(state, EVERYBODY) == ()
    tally = TRESETTE.tally(state)
    assert (tally.points, tally.whole, tally.ending) == ((1, 6), False, DealEnding(0, "called_out"))
    assert [call[:2] for call in tally.calls] == [(0, "out")]
    assert {row.code: row.points for row in tally.rows} == {"thirds": (1, 3), "accuso": (0, 3)}


@pytest.mark.rule("T9")
def test_t9_earlier_deals_count_and_in_tie_break_deals_nobody_calls_out():
    assert opened(options=["vinco_subito"], score=(5, 9), points=21).calls.needs == (16, 12)
    tie_break = opened(options=["vinco_subito"], score=None)
    assert tie_break.calls.needs is None
    state = after_a_trick(None)
    assert outs(state) == []
    assert refusal(TRESETTE, state, "0 out") == "unknown_move"
    last = play(TRESETTE, in_last_trick(None), "0 play 3d", "1 play Ad")
    assert TRESETTE.tally(last).ending is None


@pytest.mark.rule("T9")
def test_t9_without_the_option_nobody_calls_out():
    state = opened(options=["accuso"], score=(10, 10))
    assert state.calls.needs is None
    assert refusal(TRESETTE, after_a_trick(None, allowed=("accuso",)), "0 out") == "unknown_move"


def in_last_trick(needs, *, credited=(0, 0)):
    """Return a position with one card in each of two hands; the lines have 13 and 15 thirds, seat 0 takes 4 more."""
    state = calling(in_trick(["3d", "Ad"], thirds=(13, 15)), "vinco_subito", needs=needs)
    return state._replace(calls=state.calls._replace(credited=credited))


@pytest.mark.rule("T9")
@pytest.mark.parametrize(
    ("needs", "credited", "ending"),
    [
        ((6, 30), (0, 0), DealEnding(0, "called_out")),  # 17 thirds: 5, and the last trick's point
        ((7, 30), (0, 0), None),
        ((7, 5), (0, 0), None),  # only the other line has it, and hasn't taken the trick: points decide
        ((6, 5), (0, 9), DealEnding(0, "called_out")),  # even if the other line has more
        ((9, 30), (3, 0), DealEnding(0, "called_out")),
    ],
)
def test_t9_at_the_last_trick_it_is_called_out_without_anybody_saying_so(needs, credited, ending):
    state = play(TRESETTE, in_last_trick(needs, credited=credited), "0 play 3d", "1 play Ad")
    assert TRESETTE.turn(state) is None
    assert TRESETTE.legal(state) == TRESETTE.automatic(state, EVERYBODY) == ()
    tally = TRESETTE.tally(state)
    assert (tally.ending, tally.whole) == (ending, True)
    assert tally.points == (6 + credited[0], 5 + credited[1])
    assert {row.code for row in tally.rows} >= {"thirds", "last_trick"}


@pytest.mark.rule("T9", "V1")
@pytest.mark.parametrize(("earlier", "score", "margin"), [((20, 4), (21, 7), 14), ((20, 20), (21, 23), 0)])
def test_t9_v1_who_calls_out_wins_even_behind_then_without_margin(earlier, score, margin):
    four = setup("tresette", 4, length=Length("points", 21), options={"vinco_subito": True})
    progress = match.deal(match.start(four, [DealPoints(0, False, earlier)]), dealing([""] * 4))
    assert progress.deal.calls.needs == (21 - earlier[0], 21 - earlier[1])
    progress = progress._replace(deal=after_a_trick(progress.deal.calls.needs))
    assert match.turn(progress) == 0
    progress = match.play(progress, parse_move("0 out"))
    assert (progress.score, progress.stakes) == (score, (1, 0))
    assert progress.outcome == match.Outcome(0, "called_out", margin, None)


@pytest.mark.rule("T9", "G6")
def test_t9_g6_a_target_reached_and_not_called_is_judged_at_the_end_of_the_deal():
    four = setup("tresette", 2, length=Length("points", 7), options={"vinco_subito": True})
    progress = match.deal(match.start(four), dealing(["", ""]))
    progress = progress._replace(deal=in_last_trick((7, 5)))
    for text in ("0 play 3d", "1 play Ad"):
        progress = match.play(progress, parse_move(text))
    assert (progress.score, progress.outcome) == ((6, 5), None)  # nobody has seven
    progress = match.deal(match.start(four), dealing(["", ""]))
    progress = progress._replace(deal=in_last_trick((7, 7), credited=(0, 3)))
    for text in ("0 play 3d", "1 play Ad"):
        progress = match.play(progress, parse_move(text))
    assert progress.outcome == match.Outcome(1, "points", 2, None)  # 6-8: who took the last trick hasn't the target


# Declarations

LEADS = ["3d Ad 5d 6d 4c 5c 2b 3s 2s As", "4d Cd Fd Rd 6c 7c Ac 3c 2c Cc"]
HO = ("dichiarazioni",)


@pytest.mark.rule("T10")
def test_t10_the_leader_may_declare_about_each_suit_they_hold():
    state = opened(LEADS, options=HO)
    expected = {f"{suit} {what}" for suit in "dcbs" for what in ("ho", "busso", "per-te", "per-te+ho", "per-te+busso")}
    assert called(state, "declare") == expected
    state = opened(["3d Ad 5d 6d 4d 7d Rd 3s 2s As"], options=HO)
    assert {arg[0] for arg in called(state, "declare")} == {"d", "s"}
    assert (
        refusal(TRESETTE, state, "0 declare c ho") == refusal(TRESETTE, state, "0 declare b busso") == "suit_not_held"
    )


@pytest.mark.rule("T10")
@pytest.mark.parametrize(
    ("declared", "honours", "held"),
    [
        ("d ho", "3d Ad", 4),  # "Ho il 3 e l'asso quarti"
        ("c ho", "", 2),  # "Ho 2 carte"
        ("b ho", "2b", 1),
        ("s per-te+ho", "3s 2s As", 3),
        ("d busso", "", 0),  # tells nothing
        ("d per-te", "", 0),
        ("d per-te+busso", "", 0),
    ],
)
def test_t10_what_ho_tells_is_worked_out_the_others_tell_nothing(declared, honours, held):
    state = play(TRESETTE, opened(LEADS, options=HO), f"0 declare {declared}")
    for seat in (0, 1, 2, None):
        view = TRESETTE.view(state, seat)
        assert view.calls == (HeardCall(0, "declare", declared, tuple(cards(honours)), held),)
        assert view.credited == (0, 0)


@pytest.mark.rule("T10")
def test_t10_they_must_lead_the_suit_declared():
    state = play(TRESETTE, opened(LEADS, options=HO), "0 declare d busso")
    assert {NAMES[move.card] for move in TRESETTE.legal(state)} == {"3d", "Ad", "5d", "6d"}
    assert refusal(TRESETTE, state, "0 play 4c") == "must_lead_declared"
    assert refusal(TRESETTE, state, "0 play 4d") == "card_not_in_hand"
    assert refusal(TRESETTE, state, "0 play 3d") is None


@pytest.mark.rule("T10", "T2")
def test_t10_a_declaration_binds_the_leader_alone():
    state = calling(in_trick(["3d 4c", "5c", "6d 6c", "7d"]), "dichiarazioni")
    state = play(TRESETTE, state, "0 declare d ho", "0 play 3d")
    assert TRESETTE.legal(state) == (parse_move("1 play 5c"),)
    assert refusal(TRESETTE, state, "1 play 5c") is None
    assert refusal(TRESETTE, play(TRESETTE, state, "1 play 5c"), "2 play 6c") == "must_follow_suit"


@pytest.mark.rule("T10")
@pytest.mark.parametrize("arg", ["", "d", "ho", "ho d", "dc ho", "d volo", "d ho+per-te", "x ho", " ho"])
def test_t10_there_are_no_other_declarations(arg):
    with pytest.raises(IllegalMove, match="unreadable_move"):
        TRESETTE.play(opened(LEADS, options=HO), GameMove(0, "declare", arg=arg))
    with pytest.raises(IllegalMove, match="unreadable_move"):
        TRESETTE.play(opened(LEADS, options=HO), GameMove(0, "declare", card=2, arg="d ho"))


@pytest.mark.rule("T10")
def test_t10_once_a_lead_by_the_leader_before_playing():
    start = opened(LEADS, options=HO)
    assert refusal(TRESETTE, start, "1 declare c ho") == "not_your_turn"
    declared = play(TRESETTE, start, "0 declare d ho")
    assert called(declared, "declare") == set()
    for again in ("0 declare d ho", "0 declare d busso", "0 declare c ho"):
        assert refusal(TRESETTE, declared, again) == "already_declared"
    led = play(TRESETTE, declared, "0 play 3d")
    assert called(led, "declare") == set()
    assert refusal(TRESETTE, led, "1 declare d ho") == "not_leading"
    assert refusal(TRESETTE, led, "0 declare d ho") == "not_your_turn"


@pytest.mark.rule("T10")
def test_t10_at_the_next_trick_its_leader_declares_again_and_the_call_is_read_for_two_tricks():
    state = in_trick(["3d 4c 4s", "4d 5c 5s", "5d 6c 6s", "6d 7c 7s"])
    state = calling(state, "dichiarazioni")
    state = play(TRESETTE, state, "0 declare d ho", "0 play 3d", "1 play 4d", "2 play 5d", "3 play 6d")
    assert [call.arg for call in TRESETTE.view(state, 2).calls] == ["d ho"]
    assert {NAMES[move.card] for move in TRESETTE.legal(state) if move.verb == "play"} == {"4c", "4s"}
    state = play(TRESETTE, state, "0 declare c busso", "0 play 4c")
    assert [call.arg for call in TRESETTE.view(state, None).calls] == ["d ho", "c busso"]
    state = play(TRESETTE, state, "1 play 5c", "2 play 6c", "3 play 7c")
    assert [call.arg for call in TRESETTE.view(state, 0).calls] == ["c busso"]
    assert called(state, "declare") == {f"s {what}" for what in calls.DECLARED}


@pytest.mark.rule("T10")
def test_t10_without_the_option_nobody_declares():
    for state in (opened(LEADS, options=("accuso",)), opened(LEADS, options=())):
        assert called(state, "declare") == set()
        assert refusal(TRESETTE, state, "0 declare d ho") == "unknown_move"
        assert TRESETTE.automatic(state, EVERYBODY, parse_move("0 play 3d")) == ()


@pytest.mark.rule("T10", "X1")
def test_t10_x1_only_ho_goes_out_by_itself_and_only_with_the_card_led():
    state = opened(LEADS, options=HO)
    assert TRESETTE.automatic(state, EVERYBODY) == ()  # never before the card
    assert texts(TRESETTE.automatic(state, EVERYBODY, parse_move("0 play 3s"))) == ["0 declare s ho"]
    assert TRESETTE.automatic(state, NOBODY, parse_move("0 play 3s")) == ()
    assert TRESETTE.automatic(state, (frozenset({"accuso"}),) * 4, parse_move("0 play 3s")) == ()
    assert TRESETTE.automatic(state, EVERYBODY, parse_move("1 play 4d")) == ()
    declared = play(TRESETTE, state, "0 declare s busso")
    assert TRESETTE.automatic(declared, EVERYBODY, parse_move("0 play 3s")) == ()
    led = play(TRESETTE, state, "0 play 3d")
    assert TRESETTE.automatic(led, EVERYBODY, parse_move("1 play 4d")) == ()


@pytest.mark.rule("T5", "T10")
@pytest.mark.parametrize("first", [["0 accuso 3x3", "0 declare d ho"], ["0 declare d ho", "0 accuso 3x3"]])
def test_t5_t10_before_the_first_card_one_may_accuse_and_declare_in_either_order(first):
    state = play(TRESETTE, opened(options=("accuso", "dichiarazioni")), *first)
    assert TRESETTE.view(state, 1).credited == (3, 0)
    assert refusal(TRESETTE, state, "0 play 3c") == "must_lead_declared"
    assert called(state) == {"4xA", "napoletana:d", "4xA+napoletana:d"}
    state = play(TRESETTE, state, "0 play 4d")
    assert [call.verb for call in TRESETTE.view(state, 1).calls] == [text.split()[1] for text in first]


@pytest.mark.rule("T5", "T9", "T10")
def test_calls_are_listed_after_the_cards_and_every_listed_move_is_played():
    state = opened(options=("accuso", "dichiarazioni", "vinco_subito"))
    moves = TRESETTE.legal(state)
    assert [move.verb for move in moves] == sorted(
        [move.verb for move in moves], key=["play", "accuso", "declare", "out"].index
    )
    for move in moves:
        assert TRESETTE.play(state, move) != state
