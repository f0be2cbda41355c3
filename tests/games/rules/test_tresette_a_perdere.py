"""The rules of Tresette a perdere one by one (A1-A3); cards and declarations are as in Tresette."""

import pytest

from games.engine import calls, match
from games.engine.cards import NAMES
from games.engine.game import HeaderError, HeardCall, Length
from games.engine.match import DealPoints, Outcome
from games.engine.record import parse_move
from games.rules import RULESETS
from tests.games.rules.positions import cards, dealing, in_trick, names, play, refusal, setup

PERDERE = RULESETS["tresette-a-perdere"]


def table(players=2, **other):
    return setup("tresette-a-perdere", players, **{"length": Length("points", 21), **other})


def ending(earlier, thirds, **other):
    """A match of two after ``earlier`` in whose running deal seat 0 has just taken the last trick, two thirds."""
    deals = [DealPoints(number % 2, False, points) for number, points in enumerate(earlier)]
    progress = match.deal(match.start(table(**other), deals), dealing(["", ""]))
    progress = progress._replace(deal=in_trick(["3d", "2d"], thirds=thirds))
    for text in ("0 play 3d", "1 play 2d"):
        progress = match.play(progress, parse_move(text))
    return progress


@pytest.mark.rule("A1", "T1", "T2", "T3", "T4")
def test_a1_cards_are_dealt_played_and_counted_as_in_tresette():
    four = table(4)
    state = PERDERE.deal(four, cards("*d *c *b *s"), 3)
    assert [hand.bit_count() for hand in state.hands] == [10, 10, 10, 10]
    assert PERDERE.turn(state) == 0
    state = in_trick(["4d 5c", "3d 6c"], stock="Ab Rb 2b 7b")
    assert refusal(PERDERE, play(PERDERE, state, "0 play 4d"), "1 play 6c") == "must_follow_suit"
    state = play(PERDERE, state, "0 play 4d", "1 play 3d")
    assert [names(hand) for hand in state.hands] == [{"5c", "Rb"}, {"6c", "Ab"}]
    tally = PERDERE.tally(in_trick(["", ""], thirds=(17, 15))._replace(taker=1))
    assert (tally.points, tally.last_taker, tally.ending) == ((5, 6), 1, None)
    assert [(row.code, row.values, row.points) for row in tally.rows] == [
        ("thirds", (17, 15), (5, 5)), ("last_trick", (0, 1), (0, 1)),
    ]  # fmt: skip


@pytest.mark.rule("A1", "G6", "V1")
@pytest.mark.parametrize(
    ("earlier", "thirds", "outcome"),
    [
        ([(11, 0)], (9, 21), None),  # (3 + 1) + 11 = 15 to 7: nobody has 21
        ([(11, 0), (6, 5)], (9, 21), Outcome(1, "points", 9, None)),  # 21 to 12: fewer wins
        ([(11, 0), (0, 11)], (9, 21), None),
        ([(0, 11), (8, 3)], (9, 21), Outcome(0, "points", 9, None)),
        ([(11, 0), (5, 6), (3, 8)], (9, 21), Outcome(1, "points", 2, None)),  # both have it: 23 to 21
    ],
)
def test_a1_the_line_with_fewer_points_wins_after_the_deal_in_which_a_line_reaches_the_target(earlier, thirds, outcome):
    progress = ending(earlier, thirds)
    assert progress.outcome == outcome
    assert progress.stakes == ((0, 0) if outcome is None else tuple(int(line == outcome.winner) for line in (0, 1)))


@pytest.mark.rule("A1")
def test_a1_a_deals_match_is_won_by_the_line_with_fewer_points_too():
    assert ending([], (9, 21), length=Length("deals", 1)).outcome == Outcome(0, "points", 3, None)
    assert ending([], (27, 3), length=Length("deals", 1)).outcome == Outcome(1, "points", 9, None)


@pytest.mark.rule("A1")
@pytest.mark.parametrize("option", ["accuso", "vinco_subito", "cappotto", "ko_tie"])
def test_a1_there_is_no_accuso_no_calling_out_no_cappotto(option):
    with pytest.raises(HeaderError) as refused:
        match.check(table(4, options={option: True}))
    assert refused.value.code == "unknown_option"
    options = dict.fromkeys(PERDERE.options, True)
    state = PERDERE.deal(table(4, options=options), dealing(["3d 3c 3b", "", "", ""], dealer=3), 3, (20, 20))
    assert {move.verb for move in PERDERE.legal(state)} == {"play", "declare"}
    assert refusal(PERDERE, state, "0 accuso 3x3") == refusal(PERDERE, state, "0 out") == "unknown_move"
    assert PERDERE.automatic(state, (frozenset({"out", "accuso", "declare"}),) * 4) == ()
    assert PERDERE.terms(table(4)).extra_stake is False
    assert ending([], (30, 0)).stakes == (0, 0)


@pytest.mark.rule("A2", "G7", "T8")
@pytest.mark.parametrize("context", ["free", "ko", "round_robin"])
@pytest.mark.parametrize("length", [Length("deals", 2), Length("points", 11)])
def test_a2_level_who_took_the_last_trick_wins_everywhere_with_a_difference_of_nothing(context, length):
    progress = ending([(5, 6)], (15, 15), length=length, context=context)
    assert progress.score == (11, 11)
    assert progress.outcome == Outcome(0, "last_trick", 0, None)
    assert progress.stakes == (1, 0)


@pytest.mark.rule("A3", "T11")
@pytest.mark.parametrize(
    ("thirds", "offender", "points"),
    [
        ((0, 0), 0, (6, 0)),  # at most six, to the offender
        ((0, 0), 1, (0, 6)),
        ((9, 10), 0, (8, 3)),
        ((17, 13), 1, (5, 6)),
        ((15, 0), 0, (11, 0)),
    ],
)
def test_a3_what_neither_line_has_goes_to_the_offender_at_most_six_points(thirds, offender, points):
    assert PERDERE.tally_forfeit(in_trick(["4c", "5c"], thirds=thirds), offender).points == points


@pytest.mark.rule("A3", "G8", "V1")
@pytest.mark.parametrize(("earlier", "margin"), [((0, 0), 6), ((0, 4), 2), ((0, 10), 0)])
def test_a3_the_offender_loses_in_any_case_and_without_difference_if_they_still_have_fewer(earlier, margin):
    progress = match.start(table(length=Length("deals", 3)), [DealPoints(0, False, earlier)])
    progress = match.play(match.deal(progress, dealing(["", ""])), parse_move("0 abandon"))
    assert progress.deals[-1].points == (6, 0)
    assert progress.outcome == Outcome(1, "abandon", margin, 0)


@pytest.mark.rule("T10", "G11")
@pytest.mark.parametrize(
    ("option", "players", "code"),
    [
        ("dichiarazioni", 2, "option_not_for_two"),
        ("carte_scoperte", 2, "option_not_for_two"),
        ("carte_viste", 2, None),
        ("dichiarazioni", 4, None),
        ("carte_scoperte", 4, None),
        ("carte_viste", 4, None),
    ],
)
def test_options_for_pairs_are_refused_for_two(option, players, code):
    match.check(table(players, options={option: False}))
    if code is None:
        match.check(table(players, options={option: True}))
        return
    with pytest.raises(HeaderError) as refused:
        match.check(table(players, options={option: True}))
    assert refused.value.code == code


@pytest.mark.rule("A1", "T10", "X1")
def test_a1_t10_declarations_are_as_in_tresette():
    options = {"dichiarazioni": True}
    state = PERDERE.deal(table(4, options=options), dealing(["3d Ad 4d 4c 5c 6c 7c Fc Cc Rc", "", "", ""], dealer=3), 3)
    everybody = (frozenset({"declare"}),) * 4
    assert [move.arg for move in PERDERE.automatic(state, everybody, parse_move("0 play 4d"))] == ["d ho"]
    assert PERDERE.automatic(state, (frozenset(),) * 4, parse_move("0 play 4d")) == ()
    state = play(PERDERE, state, "0 declare d ho")
    assert {NAMES[move.card] for move in PERDERE.legal(state)} <= {NAMES[card] for card in cards("*d")}
    assert refusal(PERDERE, state, "0 play 4c") == "must_lead_declared"
    heard = PERDERE.view(state, 3).calls
    assert heard == (HeardCall(0, "declare", "d ho", tuple(cards("3d Ad")), 3),)
    plain = PERDERE.deal(table(4), dealing([""] * 4), 3)
    assert plain.calls is None
    viste = PERDERE.deal(table(4, options={"carte_viste": True}), dealing([""] * 4), 3)
    for silent in (plain, viste):
        assert {move.verb for move in PERDERE.legal(silent)} == {"play"}
        assert PERDERE.automatic(silent, everybody, PERDERE.legal(silent)[0]) == ()
    assert refusal(PERDERE, plain, "0 declare d ho") == "unknown_move"


@pytest.mark.rule("A1", "T12", "G11")
def test_a1_t12_g11_open_cards_are_as_in_tresette():
    viste = calls.allow_calls(in_trick(["3d 4c 4s", "Ad 5c 5s"], stock="6c 7c"), ["carte_viste"])
    viste = play(PERDERE, viste, "0 play 3d", "1 play Ad")
    view = PERDERE.view(viste, 0)
    assert {NAMES[card] for card in view.hands[1].cards} == {"5c", "5s", "7c"}
    assert {"3d", "Ad"} <= {NAMES[card] for card in view.seen}
    assert refusal(PERDERE, viste, "0 declare c ho") == "unknown_move"
    pairs = PERDERE.deal(table(4, options={"carte_scoperte": True}), dealing([""] * 4), 3)
    assert [len(hand.cards) for hand in PERDERE.view(pairs, 1).hands] == [0, 10, 0, 10]
