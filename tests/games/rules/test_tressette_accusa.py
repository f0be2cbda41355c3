"""The rules of tressette with accusa one by one (M1-M8), and where they meet G4, T2-T4, T11 and V4."""

import pytest

from games.engine import calls, match, tricks
from games.engine.cards import NAMES, list_cards
from games.engine.game import HeaderError, Length, controlling_seat
from games.engine.record import parse_move, write_move
from games.rules import RULESETS
from tests.games.rules.positions import cards, names, play, refusal, setup

ACCUSA = RULESETS["tressette-accusa"]
NOBODY = (frozenset(), frozenset(), frozenset(), frozenset())
OBBLIGATORIA = {"accusa": "obbligatoria"}
FACOLTATIVA = {"accusa": "facoltativa"}

# Four hands in which nobody holds a combination; seat 1 holds the 4 of denari.
PLAIN = (
    "3d 2c 5d 6d 7c 4c Fb Cs 5s Rb", "4d Ad 3c 2b 6c 7b Fs Rd 6s Cb",
    "2d Ac 3b 7d Fd 5c 4b As Rc 7s", "3s Ab 2s Cd Fc Cc 5b 6b 4s Rs",
)  # fmt: skip


def points(target: int) -> Length:
    return Length("points", target)


def accusa(players: int = 4, **other: object):
    return setup("tressette-accusa", players, **{"length": points(21), **other})


def by_fives(hands: tuple[str, ...], dealer: int, stock: str = "") -> list[int]:
    """A deck that gives the seats these hands, seat 0 first."""
    dealt = [cards(hand) for hand in hands]
    order = [(dealer + 1 + place) % len(hands) for place in range(len(hands))]
    return [card for half in (0, 5) for seat in order for card in dealt[seat][half : half + 5]] + cards(stock)


def deal(*hands: str, players: int = 4, dealer: int = 0, options: dict[str, str] | None = None, stock: str = ""):
    return ACCUSA.deal(accusa(players, options=options or {}), by_fives(hands, dealer, stock), dealer)


def moves(state) -> list[str]:
    return [write_move(move) for move in ACCUSA.legal(state)]


def finished(thirds: tuple[int, ...], taker: int, called: tuple[str, ...] = (), start=None):
    """A deal that is over with these thirds, the last trick taken by a seat, after the calls of its first trick."""
    state = start or deal(*PLAIN)
    for text in called:
        state = calls.accuse(state, parse_move(text), credit=False)
    return state._replace(hands=(0,) * len(thirds), turn=-1, thirds=thirds, taker=taker)


@pytest.mark.rule("M1")
@pytest.mark.parametrize(
    ("length", "allowed"),
    [(points(target), target in (11, 21, 31, 41)) for target in (1, 6, 10, 11, 12, 17, 21, 26, 31, 36, 41, 42, 51)]
    + [(Length("deals", number), False) for number in (1, 2, 11)],
)
def test_m1_it_is_played_to_eleven_twenty_one_thirty_one_or_forty_one_points(length, allowed):
    if allowed:
        match.check(accusa(length=length))
        return
    with pytest.raises(HeaderError, match="length_not_of_game"):
        match.check(accusa(length=length))


@pytest.mark.rule("M1", "T3", "T4")
def test_m1_cards_take_and_count_as_in_tresette():
    state = deal(*PLAIN, options=FACOLTATIVA)
    state = play(ACCUSA, state, "1 play Ad", "2 play 2d", "3 play Cd")
    assert refusal(ACCUSA, state, "0 play 2c") == "must_follow_suit"
    state = play(ACCUSA, state, "0 play 3d")
    assert (state.taker, state.turn, state.thirds) == (0, 0, (6, 0, 0, 0))
    tally = ACCUSA.tally(finished((14, 10, 4, 4), 3))
    assert [(row.code, row.values, row.points) for row in tally.rows] == [
        ("thirds", (18, 14), (6, 4)), ("last_trick", (0, 1), (0, 1)),
    ]  # fmt: skip
    assert (tally.points, tally.last_taker, tally.ending) == ((6, 5), 1, None)


@pytest.mark.rule("G4")
@pytest.mark.parametrize(("players", "dealer", "order"), [(4, 2, (3, 0, 1, 2)), (3, 0, (1, 2, 3, 0)), (2, 1, (0, 1))])
def test_g4_m1_five_cards_at_a_time_are_dealt_twice_round(players, dealer, order):
    deck = list(range(40))
    state = ACCUSA.deal(accusa(players), deck, dealer)
    for place, seat in enumerate(order):
        second = 5 * (len(order) + place)
        assert list(list_cards(state.hands[seat])) == deck[5 * place : 5 * place + 5] + deck[second : second + 5]
    assert state.stock == tuple(deck[10 * len(order) :])


@pytest.mark.rule("M2")
@pytest.mark.parametrize("dealer", range(4))
def test_m2_the_holder_of_the_four_of_denari_leads_the_first_trick_with_any_card(dealer):
    state = deal(*PLAIN, dealer=dealer)
    assert ACCUSA.turn(state) == 1
    assert {move.card for move in ACCUSA.legal(state)} == set(cards(PLAIN[1]))
    assert refusal(ACCUSA, state, "2 play 2d") == "not_your_turn"


@pytest.mark.rule("M2")
@pytest.mark.parametrize("dealer", [0, 1])
def test_m2_with_the_four_of_denari_in_the_stock_the_dealers_right_leads(dealer):
    hands = ("3d 2c 5d 6d 7c 4c Fb Cs 5s Rb", "7d Ad 3c 2b 6c 7b Fs Rd 6s Cb")
    used = {*cards(" ".join(hands)), *cards("4d")}
    stock = " ".join(["4d", *(NAMES[card] for card in range(40) if card not in used)])
    state = deal(*hands, players=2, dealer=dealer, stock=stock)
    assert ACCUSA.turn(state) == 1 - dealer
    held = deal(hands[0], hands[1].replace("7d", "4d"), players=2, dealer=1, stock=stock.replace("4d", "7d"))
    assert ACCUSA.turn(held) == 1


@pytest.mark.rule("M3")
def test_m3_two_three_or_four_play_it():
    assert ACCUSA.players == (2, 3, 4)


@pytest.mark.rule("M3", "T1")
def test_m3_two_players_draw_and_show_a_card_after_each_trick_the_winner_first():
    hands = ("3d 2c 5d 6d 7c 4c Fb Cs 5s Rb", "4d Ad 3c 2b 6c 7b Fs Rd 6s Cb")
    used = set(cards(" ".join(hands)))
    stock = " ".join(NAMES[card] for card in range(40) if card not in used)
    state = play(ACCUSA, deal(*hands, players=2, stock=stock), "1 play 4d", "0 play 3d")
    drawn = [(NAMES[card.card], card.seat) for card in ACCUSA.last(state).drawn]
    assert drawn == [(stock.split()[0], 0), (stock.split()[1], 1)]
    assert len(state.stock) == 18


@pytest.mark.rule("M3")
def test_m3_three_players_have_four_hands_and_seat_0_sees_and_plays_the_morto():
    state = deal(*PLAIN, players=3)
    hands = [names(hand) for hand in state.hands]
    assert [len(hand) for hand in hands] == [10] * 4
    seen = {seat: [len(hand.cards) for hand in ACCUSA.view(state, seat).hands] for seat in (0, 1, 3, None)}
    assert seen == {0: [10, 0, 10, 0], 1: [0, 10, 0, 0], 3: [0, 0, 0, 10], None: [0, 0, 0, 0]}
    assert {NAMES[card] for card in ACCUSA.view(state, 0).hands[2].cards} == hands[2]
    state = play(ACCUSA, state, "1 play 4d")
    assert ACCUSA.turn(state) == 2
    assert ACCUSA.view(state, 0).legal == ACCUSA.legal(state) != ()
    assert [ACCUSA.view(state, seat).legal for seat in (1, 3, None)] == [(), (), ()]
    state = play(ACCUSA, state, "2 play 7d", "3 play Cd")
    assert ACCUSA.view(state, 0).legal == ACCUSA.legal(state)
    assert {controlling_seat(move.seat, 3) for move in ACCUSA.legal(state)} == {0}


@pytest.mark.rule("M3")
def test_m3_with_four_players_partners_hands_are_closed():
    state = deal(*PLAIN)
    assert [len(hand.cards) for hand in ACCUSA.view(state, 0).hands] == [10, 0, 0, 0]
    state = play(ACCUSA, state, "1 play 4d")
    assert ACCUSA.view(state, 0).legal == ()
    assert ACCUSA.view(state, 2).legal == ACCUSA.legal(state)


@pytest.mark.rule("M3", "G2", "G3")
def test_m3_the_lines_of_three_are_the_lone_player_with_the_morto_and_the_pair():
    tally = ACCUSA.tally(finished((3, 12, 9, 8), 2, start=deal(*PLAIN, players=3)))
    assert tally.points == (4 + 1, 6)
    progress = match.deal(match.start(accusa(3, dealer=3, length=points(11))), by_fives(PLAIN, 3))
    while progress.deal is not None:
        progress = match.play(progress, match.legal(progress)[0])
    assert (progress.deals[0].dealer, progress.dealer) == (3, 0)


# Seat 1: napoletana of denari, three 3s and (with the ace of denari among them) four aces.
RICH = (
    "5d 2c 6d 7d 7c 4c Fb Cs 5s Rb", "4d Ad 3d 2d 3c 3b Ac Ab As Cb",
    "Rd 5c Fd Cd 6c 4b 2s Rc 7s Fs", "3s 2b 5b 6b 4s Rs Fc Cc 6s 7b",
)  # fmt: skip
RICH_CALLS = ["3x3", "4xA", "napoletana:d"]


@pytest.mark.rule("M4")
def test_m4_napoli_three_and_four_of_a_rank_may_be_called_one_by_one_or_together_before_the_first_card():
    state = deal(*RICH, options=FACOLTATIVA)
    called = [text.split()[2] for text in moves(state) if " accuso " in text]
    assert called == [
        "3x3", "4xA", "napoletana:d", "3x3+4xA", "3x3+napoletana:d", "4xA+napoletana:d", "3x3+4xA+napoletana:d",
    ]  # fmt: skip
    state = play(ACCUSA, state, "1 accuso 4xA")
    assert ACCUSA.turn(state) == 1
    assert [text.split()[2] for text in moves(state) if " accuso " in text] == [
        "3x3", "napoletana:d", "3x3+napoletana:d",
    ]  # fmt: skip
    assert refusal(ACCUSA, state, "1 accuso 4xA") == "already_called"
    state = play(ACCUSA, state, "1 accuso napoletana:d+3x3")
    assert not [text for text in moves(state) if " accuso " in text]


@pytest.mark.rule("M4")
@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("1 accuso 3xA", "combination_not_held"),  # who holds four can't call three
        ("1 accuso 4x3", "combination_not_held"),
        ("1 accuso napoletana:c", "combination_not_held"),
        ("1 accuso 3x3+3x2", "combination_not_held"),
        ("3 accuso 3x3", "not_your_turn"),
        ("2 accuso 4xA", "not_your_turn"),
    ],
)
def test_m4_what_isnt_held_or_ones_turn_is_refused(move, code):
    assert refusal(ACCUSA, deal(*RICH, options=FACOLTATIVA), move) == code


@pytest.mark.rule("M4")
def test_m4_facoltativa_a_player_may_play_without_calling_and_has_lost_it_then():
    state = play(ACCUSA, deal(*RICH, options=FACOLTATIVA), "1 play 4d")
    assert refusal(ACCUSA, state, "1 accuso 3x3") == "not_your_turn"
    state = play(ACCUSA, state, "2 play Rd", "3 play 7b", "0 play 5d")
    state = play(ACCUSA, state, "2 play Fd", "3 play 6s", "0 play 6d")
    assert (state.turn, refusal(ACCUSA, state, "1 accuso 3x3")) == (1, "not_first_trick")
    assert not [text for text in moves(state) if " accuso " in text]
    taken_by_0 = deal(*RICH[1:], RICH[0], dealer=3, options=FACOLTATIVA)
    taken_by_0 = play(ACCUSA, taken_by_0, "0 play 3d", "1 play Rd", "2 play 7b", "3 play 5d")
    assert (taken_by_0.taker, refusal(ACCUSA, taken_by_0, "0 accuso 4xA")) == (0, "not_first_trick")


@pytest.mark.rule("M4")
def test_m4_facoltativa_is_called_by_the_system_for_whoever_has_it_automatic():
    state = deal(*RICH, options=FACOLTATIVA)
    assert ACCUSA.automatic(state, NOBODY) == ()
    wanted = (frozenset(), frozenset({"accuso"}), frozenset(), frozenset())
    assert [write_move(move) for move in ACCUSA.automatic(state, wanted)] == ["1 accuso 3x3+4xA+napoletana:d"]
    assert ACCUSA.automatic(state, wanted, parse_move("1 play 4d")) == ()
    assert ACCUSA.automatic(deal(*PLAIN, options=FACOLTATIVA), wanted) == ()


@pytest.mark.rule("M4")
@pytest.mark.parametrize("options", [{}, OBBLIGATORIA])
def test_m4_obbligatoria_no_card_is_played_before_everything_is_called_and_it_is_called_for_everybody(options):
    state = deal(*RICH, options=options)
    assert not [text for text in moves(state) if " play " in text]
    assert refusal(ACCUSA, state, "1 play 4d") == "must_accuse"
    assert [write_move(move) for move in ACCUSA.automatic(state, NOBODY)] == ["1 accuso 3x3+4xA+napoletana:d"]
    state = play(ACCUSA, state, "1 accuso 3x3+4xA")
    assert refusal(ACCUSA, state, "1 play 4d") == "must_accuse"
    assert [write_move(move) for move in ACCUSA.automatic(state, NOBODY)] == ["1 accuso napoletana:d"]
    state = play(ACCUSA, state, "1 accuso napoletana:d")
    assert ACCUSA.automatic(state, NOBODY) == ()
    state = play(ACCUSA, state, "1 play 4d")
    assert len(moves(state)) == 3  # seat 2 holds nothing to call


@pytest.mark.rule("M3", "M4")
def test_m4_m3_the_mortos_combinations_are_called_on_its_turn_by_the_player_of_seat_0():
    hands = (RICH[2], RICH[3], RICH[1], RICH[0])
    state = deal(*hands, players=3, options=FACOLTATIVA)
    assert ACCUSA.turn(state) == 2
    wanted = (frozenset({"accuso"}), frozenset(), frozenset(), frozenset())
    assert [write_move(move) for move in ACCUSA.automatic(state, wanted)] == ["2 accuso 3x3+4xA+napoletana:d"]
    assert "2 accuso 4xA" in [write_move(move) for move in ACCUSA.view(state, 0).legal]


@pytest.mark.rule("M4")
def test_m4_everybody_hears_what_is_called_for_the_whole_deal_and_no_card_of_it():
    state = play(ACCUSA, deal(*RICH, options=FACOLTATIVA), "1 accuso 4xA", "1 play 4d", "2 play Rd", "3 play 7b")
    state = play(ACCUSA, state, "0 play 5d", "2 play Fd", "3 play 6s", "0 play 6d", "1 play 2d", "1 play 3d")
    for seat in (0, 3, None):
        assert [tuple(call) for call in ACCUSA.view(state, seat).calls] == [(1, "accuso", "4xA", (), 0, 0, 0)]
        assert ACCUSA.view(state, seat).hands[1].cards == ()


@pytest.mark.rule("M5")
def test_m5_accusa_counts_at_the_end_of_the_deal():
    state = play(ACCUSA, deal(*RICH, options=FACOLTATIVA), "1 accuso 3x3+4xA+napoletana:d", "1 play 4d")
    assert ACCUSA.view(state, 1).credited == (0, 0)
    tally = ACCUSA.tally(finished((14, 10, 4, 4), 0, ("1 accuso 3x3+4xA+napoletana:d",), deal(*RICH)))
    assert tally.points == (6 + 1, 4 + 3 + 4 + 3)
    assert tally.rows[-1][:3] == ("accuso", (0, 10), (0, 10))


@pytest.mark.rule("M5", "M6")
@pytest.mark.parametrize(
    ("thirds", "taker", "points", "accusa_points"),
    [
        ((32, 0, 0, 0), 0, (17, 0), (0, 0)),
        ((30, 2, 0, 0), 0, (17, 0), (0, 0)),  # two thirds are no point
        ((29, 3, 0, 0), 0, (10, 11), (0, 10)),  # one is
        ((32, 0, 0, 0), 1, (10, 11), (0, 10)),  # and so is the last trick
        ((29, 3, 0, 0), 1, (9, 12), (0, 10)),  # a point and the last trick
        ((3, 29, 0, 0), 0, (2, 19), (0, 10)),
        ((0, 16, 0, 16), 3, (0, 27), (0, 10)),  # the winner's accusa come on top of the 17
    ],
)
def test_m5_m6_a_line_without_a_point_loses_its_accusa_and_gives_the_other_seventeen(
    thirds, taker, points, accusa_points
):
    tally = ACCUSA.tally(finished(thirds, taker, ("1 accuso 3x3+4xA+napoletana:d",), deal(*RICH)))
    assert tally.points == points
    rows = {row.code: row for row in tally.rows}
    assert rows["accuso"].values == (0, 10)
    assert rows["accuso"].points == accusa_points
    assert ("cappotto" in rows) is (0 in (points[0], points[1]))
    assert tuple(sum(row.points[line] for row in tally.rows) for line in (0, 1)) == points


@pytest.mark.rule("M6")
def test_m6_the_seventeen_are_told_apart_in_the_count():
    tally = ACCUSA.tally(finished((0, 32, 0, 0), 1))
    assert [(row.code, row.values, row.points) for row in tally.rows] == [
        ("thirds", (0, 32), (0, 10)), ("last_trick", (0, 1), (0, 1)), ("cappotto", (0, 17), (0, 6)),
    ]  # fmt: skip


@pytest.mark.rule("M7", "T11")
def test_m7_a_deal_broken_off_is_settled_by_t11_without_accusa_and_without_the_seventeen():
    state = play(ACCUSA, deal(*RICH), "1 accuso 3x3+4xA+napoletana:d", "1 play 4d")
    assert ACCUSA.tally_forfeit(state, 0).points == (0, 6)
    assert ("accuso", (0, 0)) in [(row.code, row.points) for row in ACCUSA.tally_forfeit(state, 0).rows]
    assert ACCUSA.tally_forfeit(state, 1).points == (6, 0)
    assert ACCUSA.tally_forfeit(state._replace(thirds=(9, 13, 0, 0)), 1).points == (3 + 4, 4)


@pytest.mark.rule("M8")
def test_m8_three_play_at_free_tables_only():
    match.check(accusa(3, dealer=2))
    for context in ("ko", "round_robin"):
        match.check(accusa(4, context=context))
        with pytest.raises(HeaderError, match="three_only_free"):
            match.check(accusa(3, context=context))


@pytest.mark.rule("G6", "G7")
def test_a_match_is_judged_at_the_end_of_a_deal_and_nobody_calls_out():
    progress = match.deal(match.start(accusa(length=points(11), context="ko")), by_fives(PLAIN, 0))
    assert progress.terms == ("tie_breaks", False, False, False, False, 1)
    assert match.start(accusa(context="round_robin")).terms.level == "draw"
    state = play(ACCUSA, deal(*PLAIN), "1 play 4d", "2 play 2d", "3 play Cd", "0 play 3d")
    assert refusal(ACCUSA, state._replace(thirds=(30, 0, 0, 0)), "0 out") == "unknown_move"
    assert tricks.count_whole_points(state) == (1, 0)
