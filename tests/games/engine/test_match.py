"""Deals into a match: who deals, lengths, ties, tie-break deals, forfeits (G3, G5-G8, T8, T11, S9); what is refused.

The deals of these matches are counted, not played: the real ruleset with another count gives each deal the points the
test asks for. Matches played card by card are the golden records.
"""

import random
from collections.abc import Sequence
from types import MappingProxyType

import pytest

from games.engine import match
from games.engine.game import GameMove, HeaderError, IllegalMove, Length, Option, Setup, Tally
from games.engine.match import DealPoints, Progress
from games.engine.record import parse_move
from games.rules import RULESETS
from tests.games.naive_decks import void_deck
from tests.games.rules.positions import cards, setup

DECK = cards("*d *c *b *s")
VOID_DECK = cards(" ".join(void_deck(random.Random(1), 2)))


def dealt(progress: Progress) -> Progress:
    return match.deal(progress, DECK)


def play(progress: Progress, *texts: str) -> Progress:
    for text in texts:
        progress = match.play(progress, parse_move(text))
    return progress


def finished(progress: Progress, points: tuple[int, int], taker: int = 0) -> Progress:
    """The running deal played to its end by a count handed in, through the same code as a real one."""

    class Counted(type(progress.ruleset)):
        def turn(self, state):
            return None

        def play(self, state, move):
            return state

        def tally(self, state):
            return Tally(points, (), taker)

    ruleset = progress.ruleset
    after = match.play(dealt(progress)._replace(ruleset=Counted()), GameMove(0, "play", 0))
    return after._replace(ruleset=ruleset)


def after(setup: Setup, *points: tuple[int, int], taker: int = 0) -> Progress:
    """The match after these deals; ``taker`` is the line that took last in each."""
    progress = match.start(setup)
    for deal_points in points:
        progress = finished(progress, deal_points, taker)
    return progress


def decided(progress: Progress) -> tuple[object, ...] | None:
    end = progress.outcome
    return end and (end.winner, end.decided_by, end.margin)


@pytest.mark.rule("G2", "G3")
def test_g2_g3_the_dealer_moves_one_seat_to_the_right_after_every_scored_deal():
    progress = after(setup("scopa", 4, dealer=2, length=Length("deals", 6)), *[(1, 0)] * 5)
    assert [deal.dealer for deal in progress.deals] == [2, 3, 0, 1, 2]
    assert progress.dealer == 3


@pytest.mark.rule("G3", "G5", "S2")
def test_g3_g5_s2_a_void_deal_is_dealt_again_by_the_same_dealer_and_does_not_count():
    progress = match.start(setup("scopa", length=Length("deals", 2), dealer=1))
    for _ in range(3):
        progress = match.deal(progress, VOID_DECK)
        assert progress.needs_deck
    progress = finished(progress, (3, 1))
    assert progress.deals == (*[DealPoints(1, True, (0, 0))] * 3, DealPoints(1, False, (3, 1)))
    assert (progress.score, progress.dealer, progress.outcome) == ((3, 1), 0, None)
    assert decided(finished(progress, (0, 1))) == (0, "points", 1)


@pytest.mark.rule("G5")
def test_g5_no_move_can_be_made_in_a_void_deal():
    progress = match.deal(match.start(setup("scopa")), VOID_DECK)
    for text in ("0 abandon", "1 noshow", "1 play Ad"):
        with pytest.raises(IllegalMove, match="deal_over"):
            play(progress, text)


@pytest.mark.rule("G6", "T7")
def test_g6_t7_a_deals_match_goes_to_the_line_with_more_points_after_the_last_deal():
    two = setup("tresette", length=Length("deals", 2))
    assert after(two, (8, 3)).outcome is None
    assert decided(after(two, (8, 3), (4, 7))) == (0, "points", 2)
    assert decided(after(two, (3, 8), (4, 7))) == (1, "points", 8)


@pytest.mark.rule("G6")
@pytest.mark.parametrize(
    ("deals", "end"),
    [
        ([(6, 5), (4, 7)], None),  # 10-12
        ([(8, 3), (3, 8), (10, 1)], (0, "points", 9)),  # 21-12: at least that many
        ([(8, 3), (2, 9), (10, 1)], None),  # 20-13
        ([(10, 5), (12, 16)], (0, "points", 1)),  # 22-21: both reached it, the line with more wins
        ([(5, 10), (16, 12)], (1, "points", 1)),
    ],
)
def test_g6_a_points_match_is_judged_at_the_end_of_each_deal(deals, end):
    assert decided(after(setup("tresette", length=Length("points", 21)), *deals)) == end


@pytest.mark.rule("G7")
@pytest.mark.parametrize("context", ["free", "round_robin"])
@pytest.mark.parametrize("ruleset", ["scopa", "tresette"])
@pytest.mark.parametrize("length", [Length("deals", 2), Length("points", 11)])
def test_g7_a_match_that_is_level_is_a_draw_at_a_free_table_and_in_a_girone(ruleset, context, length):
    progress = after(setup(ruleset, context=context, length=length), (7, 4), (4, 7))
    assert decided(progress) == (None, "draw", 0)
    assert progress.stakes == (0, 0)


KO_TIES = [
    setup("scopa", context="ko", length=Length("deals", 1)),
    setup("scopa", context="ko", length=Length("points", 3)),
    setup("tresette", context="ko", length=Length("points", 3)),
    setup("tresette", context="ko", length=Length("deals", 1), options={"ko_tie": "deals"}),
]


@pytest.mark.rule("G7")
@pytest.mark.parametrize("ko", KO_TIES)
def test_g7_in_a_ko_up_to_three_tie_break_deals_follow_and_count_in_score_and_margin(ko):
    level = (3, 3)
    progress = after(ko, level)
    assert (progress.tie_break, progress.outcome, progress.needs_deck) == (1, None, True)
    assert decided(after(ko, level, (1, 4))) == (1, "tie_break_1", 3)
    assert decided(after(ko, level, level, (2, 0))) == (0, "tie_break_2", 2)
    progress = after(ko, level, level, level, (0, 1))
    assert decided(progress) == (1, "tie_break_3", 1)
    assert progress.score == (9, 10)


@pytest.mark.rule("G7")
@pytest.mark.parametrize("ko", KO_TIES)
@pytest.mark.parametrize("taker", [0, 1])
def test_g7_if_the_third_tie_break_is_level_too_the_line_that_took_last_in_it_loses(ko, taker):
    progress = after(ko, *[(3, 3)] * 4, taker=taker)
    assert decided(progress) == (1 - taker, "tie_break_last_trick", 0)
    assert progress.stakes == ((1, 0) if taker else (0, 1))


@pytest.mark.rule("T8")
@pytest.mark.parametrize("taker", [0, 1])
def test_t8_a_kos_deals_match_that_is_level_is_won_by_the_line_that_took_the_last_trick(taker):
    ko = setup("tresette", context="ko", length=Length("deals", 2))
    assert decided(after(ko, (7, 4), (4, 7), taker=taker)) == (taker, "last_trick", 0)


@pytest.mark.rule("G7")
def test_g7_a_void_deal_is_no_tie_break_deal():
    progress = match.deal(after(KO_TIES[0], (3, 3)), VOID_DECK)
    assert (progress.tie_break, progress.deals[-1].void) == (1, True)
    assert decided(finished(progress, (1, 0))) == (0, "tie_break_1", 1)


@pytest.mark.rule("G8", "T11", "S9")
@pytest.mark.parametrize(
    ("ruleset", "move", "winner", "points"),
    [
        ("tresette", "0 abandon", 1, (0, 6)),
        ("tresette", "2 abandon", 1, (0, 6)),
        ("tresette", "1 timeout", 0, (6, 0)),
        ("tresette", "1 clock", 0, (6, 0)),
        ("tresette", "3 abandon", 0, (6, 0)),
        ("tresette", "3 noshow", 0, (6, 0)),
        ("scopa", "2 noshow", 1, (0, 5)),
        ("scopa", "1 timeout", 0, (5, 0)),
    ],
)
def test_g8_t11_s9_who_lets_a_clock_run_out_or_leaves_loses_the_match_for_their_line(ruleset, move, winner, points):
    progress = play(dealt(match.start(setup(ruleset, 4, length=Length("deals", 3)))), move)
    verb = move.split()[1]
    assert decided(progress) == (winner, verb, max(points))
    assert progress.outcome.offender == 1 - winner
    assert progress.deals == (DealPoints(0, False, points),)
    assert progress.stakes == ((0, 1) if winner else (1, 0))


@pytest.mark.rule("T11")
def test_t11_an_offender_who_is_still_ahead_loses_with_a_difference_of_nothing():
    progress = dealt(after(setup("tresette", length=Length("deals", 3)), (9, 2)))
    progress = play(progress, "0 abandon")
    assert progress.score == (9, 8)
    assert decided(progress) == (1, "abandon", 0)


@pytest.mark.rule("G8")
def test_g8_only_the_seat_to_move_can_run_out_of_time_but_anybody_can_leave():
    progress = dealt(match.start(setup("tresette", 4)))
    assert match.turn(progress) == 1
    for text in ("0 timeout", "2 clock", "3 timeout"):
        with pytest.raises(IllegalMove, match="not_your_turn"):
            play(progress, text)
    for seat in range(4):
        assert play(progress, f"{seat} abandon").outcome.winner == 1 - seat % 2
    with pytest.raises(IllegalMove, match="no_such_seat"):
        play(dealt(match.start(setup("tresette", 2))), "2 abandon")


@pytest.mark.rule("G8")
def test_g8_a_no_show_is_only_the_very_first_move_of_the_match_void_deals_aside():
    start = match.start(setup("scopa", length=Length("deals", 2)))
    assert play(dealt(start), "0 noshow").outcome.decided_by == "noshow"
    assert play(dealt(match.deal(start, VOID_DECK)), "0 noshow").outcome.decided_by == "noshow"
    moved = dealt(start)
    moved = match.play(moved, match.legal(moved)[0])
    with pytest.raises(IllegalMove, match="noshow_too_late"):
        play(moved, "0 noshow")
    with pytest.raises(IllegalMove, match="noshow_too_late"):
        play(dealt(finished(start, (1, 0))), "0 noshow")
    with pytest.raises(IllegalMove, match="noshow_too_late"):
        play(dealt(match.start(start.setup, [DealPoints(0, False, (1, 0))])), "0 noshow")


@pytest.mark.rule("G8")
def test_g8_a_forfeit_in_a_tie_break_deal_ends_the_match_as_anywhere():
    progress = play(dealt(after(KO_TIES[0], (3, 3))), "1 abandon")
    assert decided(progress) == (0, "abandon", 5)


def test_nothing_can_be_played_nor_dealt_after_the_end_or_between_deals():
    between = after(setup("scopa", length=Length("deals", 2)), (1, 0))
    with pytest.raises(IllegalMove, match="deal_over"):
        play(between, "0 abandon")
    over = finished(between, (1, 0))
    with pytest.raises(IllegalMove, match="match_over"):
        play(over, "0 abandon")
    with pytest.raises(ValueError, match="no deck"):
        dealt(over)
    with pytest.raises(ValueError, match="no deck"):
        dealt(dealt(between))
    with pytest.raises(ValueError, match="no deal"):
        match.view(between, 0)
    assert (match.turn(over), match.legal(over)) == (None, ())


@pytest.mark.parametrize("deck", [DECK[:39], [*DECK, 0], [*DECK[:39], 0]])
def test_a_deck_that_is_not_the_forty_cards_is_a_fault_of_the_caller(deck: Sequence[int]):
    with pytest.raises(ValueError, match="forty"):
        match.deal(match.start(setup("scopa")), deck)


def test_the_count_of_a_deal_is_kept_until_the_next_play():
    progress = finished(match.start(setup("scopa", length=Length("deals", 2))), (2, 1), taker=1)
    assert progress.tally == Tally((2, 1), (), 1)
    progress = dealt(progress)
    assert progress.tally.points == (2, 1)
    assert match.play(progress, match.legal(progress)[0]).tally is None


def test_a_match_is_taken_up_from_its_finished_deals_but_not_from_those_that_end_it():
    two = setup("scopa", length=Length("deals", 2))
    deals = [DealPoints(0, True, (0, 0)), DealPoints(0, False, (2, 3))]
    progress = match.start(two, deals)
    assert (progress.score, progress.dealer, progress.begun) == ((2, 3), 1, True)
    assert match.start(two, deals[:1]).begun is False
    with pytest.raises(ValueError, match="follow"):
        match.start(two, [DealPoints(1, False, (2, 3))])
    with pytest.raises(ValueError, match="end the match"):
        match.start(two, [*deals, DealPoints(1, False, (2, 3))])
    ko = setup("scopa", context="ko", length=Length("deals", 1))
    assert match.start(ko, [DealPoints(0, False, (2, 2)), DealPoints(1, False, (1, 1))]).tie_break == 2
    with pytest.raises(ValueError, match="replay it"):
        match.start(ko, [DealPoints(number % 2, False, (2, 2)) for number in range(4)])


@pytest.mark.rule("C2", "G8")
def test_c2_g8_a_redeal_is_a_move_so_nobody_is_absent_after_it():
    classico = setup("tressette-classico", 4, length=Length("points", 21))
    assert match.start(classico).begun is False
    assert match.start(classico, [DealPoints(0, True, (0, 0))]).begun is True


@pytest.mark.rule("M3", "G3")
def test_m3_g3_with_three_players_four_hands_are_dealt_and_the_dealer_moves_over_four_seats():
    three = setup("tressette-accusa", 3, 3, length=Length("points", 21))
    progress = match.deal(match.start(three), DECK)
    assert len(progress.deal.hands) == 4
    deals = [DealPoints(seat, False, (1, 1)) for seat in (3, 0, 1, 2)]
    assert [match.start(three, deals[:number]).dealer for number in range(5)] == [3, 0, 1, 2, 3]
    with pytest.raises(HeaderError, match="first_dealer_not_seated"):
        match.check(setup("tressette-accusa", 3, 4, length=Length("points", 21)))


@pytest.mark.rule("M3", "G8")
@pytest.mark.parametrize(("move", "winner"), [("2 abandon", 1), ("0 abandon", 1), ("1 abandon", 0), ("3 noshow", 0)])
def test_m3_g8_the_mortos_forfeit_is_its_players(move, winner):
    three = setup("tressette-accusa", 3, length=Length("points", 21))
    progress = match.play(match.deal(match.start(three), DECK), parse_move(move))
    assert progress.outcome.winner == winner


@pytest.mark.rule("G8")
def test_g8_a_deal_broken_off_at_once_leaves_no_count_of_the_deal_before():
    progress = dealt(after(setup("tresette", length=Length("deals", 2)), (5, 6)))
    assert progress.tally is not None
    broken = play(progress, "0 abandon")
    assert (broken.tally, broken.last) == (None, None)


def test_between_deals_nobody_calls_anything():
    assert match.automatic(match.start(setup("tresette")), (frozenset({"accuso"}),) * 2) == ()


@pytest.mark.rule("X1", "T10")
def test_x1_what_goes_out_with_a_card_is_asked_for_with_that_card():
    progress = dealt(match.start(setup("tresette", 4, dealer=3, options={"dichiarazioni": True})))
    wanted = (frozenset({"declare"}),) * 4
    assert match.automatic(progress, wanted) == ()
    assert match.automatic(progress, wanted, parse_move("0 play Ad")) == (parse_move("0 declare d ho"),)


@pytest.mark.rule("V4")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"ruleset": "burraco"}, "unknown_ruleset"),
        ({"players": 3}, "players_not_allowed"),
        ({"players": 0}, "players_not_allowed"),
        ({"length": Length("deals", 0)}, "length_not_allowed"),
        ({"length": Length("deals", 21)}, "length_not_allowed"),
        ({"length": Length("points", 0)}, "length_not_allowed"),
        ({"length": Length("points", 102)}, "length_not_allowed"),
        ({"length": Length("hands", 3)}, "length_not_allowed"),
        ({"context": "girone"}, "unknown_context"),
        ({"dealer": 2}, "first_dealer_not_seated"),
        ({"dealer": -1}, "first_dealer_not_seated"),
        ({"options": {"onori": False}}, "unknown_option"),
        ({"options": {"ko_tie": "coin"}}, "unknown_option_value"),
        ({"options": {"ko_tie": False}}, "wrong_type"),
        ({"options": {"accuso": 0}}, "wrong_type"),
        ({"options": {"accuso": True, "carte_viste": True}}, None),
        ({"options": {"vinco_subito": True}}, "option_needs_points"),
        ({"options": {"accuso": False, "ko_tie": "deals"}}, None),
        ({"length": Length("deals", 20)}, None),
        ({"length": Length("points", 101)}, None),
        ({"length": Length("points", 1), "context": "ko"}, None),
    ],
)
def test_v4_a_match_that_may_not_be_played_so_is_refused_with_its_reason(change, code):
    values = {"ruleset": "tresette", "players": 2, **change}
    if code is None:
        match.check(setup(**values))
        return
    with pytest.raises(HeaderError) as refused:
        match.check(setup(**values))
    assert refused.value.code == code


def test_every_option_that_may_be_left_out_has_its_default_among_its_values():
    for ruleset in RULESETS.values():
        assert isinstance(ruleset.options, MappingProxyType)
        for option in ruleset.options.values():
            assert isinstance(option, Option)
            assert option.default in option.values
