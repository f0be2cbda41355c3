"""The rules of traditional tressette one by one (C1-C8), and where they meet T2-T4, T9, T11, G5-G7."""

import pytest

from games import wording
from games.engine import match
from games.engine.cards import DECK_SIZE, NAMES
from games.engine.game import HeaderError, Length
from games.engine.record import parse_move, write_move
from games.engine.tricks import HAND_SIZE
from games.rules import RULESETS
from tests.games.rules.positions import cards, names, play, refusal, setup

CLASSICO = RULESETS["tressette-classico"]
NOBODY = (frozenset(), frozenset(), frozenset(), frozenset())
EVERYBODY = (frozenset({"out"}),) * 4
ONORI = {"onori": True}

# Four hands without a combination, each worth a point or more.
PLAIN = (
    "3d 2c 5d 6d 7c 4c Fb Cs 5s Rb", "4d Ad 3c 2b 6c 7b Fs Rd 6s Cb",
    "2d Ac 3b 7d Fd 5c 4b As Rc 7s", "3s Ab 2s Cd Fc Cc 5b 6b 4s Rs",
)  # fmt: skip
# Seat 1: napoletana of denari, three 3s, four aces; seat 3: three 2s; seat 2: nothing; seat 0: less than a point.
RICH = (
    "5d 6d 7d 7c 4c 5s 6c 4b 7s Rb", "4d Ad 3d 2d 3c 3b Ac Ab As Cb",
    "Rd 5c Fd Cd 7b Fb Rc Fs Cs 6b", "3s 2b 5b 2c 4s Rs Fc Cc 6s 2s",
)  # fmt: skip


def points(target: int) -> Length:
    return Length("points", target)


def classico(options: dict[str, object] | None = None, **other: object):
    length = points(31 if (options or {}).get("onori") else 21)
    return setup("tressette-classico", 4, **{"length": length, "options": options or {}, **other})


def one_by_one(hands: tuple[str, ...], dealer: int) -> list[int]:
    """A deck that gives the seats these hands, seat 0 first."""
    dealt = [cards(hand) for hand in hands]
    return [dealt[(dealer + 1 + place) % 4][turn] for turn in range(HAND_SIZE) for place in range(4)]


def deal(*hands: str, dealer: int = 3, score: tuple[int, int] | None = (0, 0), **options: object):
    """A deal in which the seat to the dealer's right leads: seat 0 unless told otherwise."""
    return CLASSICO.deal(classico(options), one_by_one(hands or PLAIN, dealer), dealer, score)


def called(state, *verbs: str) -> list[str]:
    """The legal moves other than plays, or only those with these verbs."""
    moves = [move for move in CLASSICO.legal(state) if move.verb != "play"]
    return [write_move(move) for move in moves if not verbs or move.verb in verbs]


def over(taken: tuple[int, ...], thirds: tuple[int, ...], taker: int, *, start=None):
    """A deal that is over: tricks and thirds of each seat, and who took the last trick."""
    return (start or deal())._replace(hands=(0,) * 4, turn=-1, tricks=taken, thirds=thirds, taker=taker)


def after_first_trick(*texts: str, hands: tuple[str, ...] = RICH, **options: object):
    """The moment after the first trick, which seat 1 has taken, these calls made before it."""
    state = play(CLASSICO, deal(*hands, **options), *texts)
    return play(CLASSICO, state, "0 play 5d", "1 play 3d", "2 play Rd", "3 play 5b")


# C1


@pytest.mark.rule("C1")
@pytest.mark.parametrize("onori", [False, True])
@pytest.mark.parametrize("length", [*map(points, (11, 21, 31, 41, 51)), Length("deals", 1), Length("deals", 20)])
def test_c1_it_is_played_to_21_and_with_honours_to_31_or_51(onori, length):
    for context in ("free", "ko", "round_robin"):
        made = classico({"onori": onori}, length=length, context=context)
        if length in (map(points, (31, 51)) if onori else [points(21)]):
            match.check(made)
            continue
        with pytest.raises(HeaderError, match="length_not_of_game"):
            match.check(made)


@pytest.mark.rule("C1")
def test_c1_four_play_it():
    assert CLASSICO.players == (4,)
    with pytest.raises(HeaderError, match="players_not_allowed"):
        match.check(setup("tressette-classico", 2, length=points(21)))


@pytest.mark.rule("C1", "T2", "T3", "T4")
def test_c1_cards_are_dealt_played_and_counted_as_in_tresette():
    state = deal()
    assert [names(hand) for hand in state.hands] == [set(hand.split()) for hand in PLAIN]
    assert deal(dealer=1).turn == 2
    state = play(CLASSICO, state, "0 play 2c", "1 play 3c")
    assert refusal(CLASSICO, state, "2 play 3b") == "must_follow_suit"
    state = play(CLASSICO, state, "2 play Ac", "3 play Fc")
    assert (state.taker, state.thirds) == (1, (0, 6, 0, 0))
    tally = CLASSICO.tally(over((4, 2, 2, 2), (14, 10, 4, 4), 3))
    assert [(row.code, row.values, row.points) for row in tally.rows] == [
        ("thirds", (18, 14), (6, 4)), ("last_trick", (0, 1), (0, 1)),
    ]  # fmt: skip
    assert (tally.points, tally.last_taker, tally.ending, tally.whole) == ((6, 5), 1, None, True)


@pytest.mark.rule("C1", "T9")
def test_c1_calling_out_is_always_on_from_ones_trick_until_one_leads():
    state = play(CLASSICO, deal(score=(0, 19)), "0 play 2c", "1 play 3c", "2 play Ac")
    assert refusal(CLASSICO, state, "1 out") == "not_just_taken"
    state = play(CLASSICO, state, "3 play Fc")
    assert called(state) == ["1 out"]
    assert refusal(CLASSICO, state, "3 out") == "not_just_taken"
    assert [write_move(move) for move in CLASSICO.automatic(state, EVERYBODY)] == ["1 out"]
    assert CLASSICO.automatic(state, NOBODY) == ()
    assert refusal(CLASSICO, play(CLASSICO, state, "1 play 6c"), "1 out") == "not_just_taken"
    out = play(CLASSICO, state, "1 out")
    assert (CLASSICO.turn(out), CLASSICO.legal(out)) == (None, ())
    tally = CLASSICO.tally(out)
    assert (tally.points, tally.ending, tally.whole) == ((0, 2), (1, "called_out", 1), False)
    assert [row.code for row in tally.rows] == ["thirds"]


@pytest.mark.rule("C1", "T9")
def test_c1_nobody_calls_out_below_the_target_nor_in_a_tie_break_deal():
    moves = ("0 play 2c", "1 play 3c", "2 play Ac", "3 play Fc")
    assert refusal(CLASSICO, play(CLASSICO, deal(score=(20, 18)), *moves), "1 out") == "target_not_reached"
    assert refusal(CLASSICO, play(CLASSICO, deal(score=None), *moves), "1 out") == "unknown_move"
    assert CLASSICO.tally(over((4, 2, 2, 2), (14, 10, 4, 4), 3, start=deal(score=None))).ending is None


@pytest.mark.rule("C1", "T9")
@pytest.mark.parametrize(
    ("score", "ending"),
    [((20, 16), (1, "called_out", 1)), ((20, 15), None), ((0, 16), (1, "called_out", 1))],
)
def test_c1_at_the_last_trick_calling_out_needs_nobody(score, ending):
    assert CLASSICO.tally(over((4, 2, 2, 2), (14, 10, 4, 4), 3, start=deal(score=score))).ending == ending


# C2


@pytest.mark.rule("C2", "G5")
def test_c2_before_the_first_card_whoever_holds_less_than_a_point_may_ask_for_another_deal():
    state = deal(*RICH)
    assert called(state) == ["0 redeal"]
    after = play(CLASSICO, state, "0 redeal")
    assert CLASSICO.void(after)
    assert (CLASSICO.turn(after), CLASSICO.legal(after)) == (None, ())
    assert refusal(CLASSICO, after, "0 redeal") == "deal_over"
    assert not CLASSICO.void(state)


@pytest.mark.rule("C2")
@pytest.mark.parametrize(
    ("hand", "code"),
    [
        ("4d 5d 6d 7d 4c 5c 6c 7c 4b 5b", None),
        ("3d 2c 6d 7d 4c 5c 6c 7c 4b 5b", None),  # two thirds
        ("3d 2c Rd 7d 4c 5c 6c 7c 4b 5b", "hand_worth_a_point"),  # three
        ("Ad 5d 6d 7d 4c 5c 6c 7c 4b 5b", "hand_worth_a_point"),
    ],
)
@pytest.mark.parametrize("seat", range(4))
def test_c2_any_seat_may_and_three_thirds_are_a_point(seat, hand, code):
    rest = [card for card in range(DECK_SIZE) if card not in cards(hand)]
    others = [" ".join(NAMES[card] for card in rest[part::3]) for part in range(3)]
    state = deal(*others[:seat], hand, *others[seat:])
    assert refusal(CLASSICO, state, f"{seat} redeal") == code
    assert (f"{seat} redeal" in called(state)) is (code is None)


@pytest.mark.rule("C2")
def test_c2_after_the_first_card_it_is_too_late():
    state = play(CLASSICO, deal(*RICH), "0 play 5d")
    assert refusal(CLASSICO, state, "0 redeal") == "deal_begun"
    state = play(CLASSICO, state, "1 play 3d", "2 play Rd", "3 play 5b")
    assert refusal(CLASSICO, state, "0 redeal") == "deal_begun"
    assert not called(state)
    taken_by_0 = play(CLASSICO, deal(*RICH[1:], RICH[0]), "0 play 3d", "1 play Rd", "2 play 5b", "3 play 5d")
    assert refusal(CLASSICO, taken_by_0, "3 redeal") == "deal_begun"


@pytest.mark.rule("C2", "C5")
def test_c2_c5_the_first_card_waits_for_calls_at_a_live_table():
    assert CLASSICO.terms(classico()).opening_calls
    assert CLASSICO.terms(classico(ONORI)).opening_calls


@pytest.mark.rule("C2", "G3", "G5")
def test_c2_a_redeal_is_a_void_deal_dealt_again_by_the_same_dealer_in_a_tie_break_too():
    progress = match.start(classico(dealer=3, context="ko"))._replace(tie_break=2)
    progress = match.play(match.deal(progress, one_by_one(RICH, 3)), parse_move("0 redeal"))
    assert progress.deals == (match.DealPoints(3, True, (0, 0)),)
    assert (progress.dealer, progress.tie_break, progress.needs_deck, progress.score) == (3, 2, True, (0, 0))


# C3


@pytest.mark.rule("C3")
@pytest.mark.parametrize(
    ("segnali", "signals"),
    [("none", []), ("due", ["busso", "volo"]), ("tre", ["busso", "volo", "striscio"])],
)
def test_c3_the_leader_signals_from_the_second_trick_on_as_far_as_the_option_goes(segnali, signals):
    start = deal(*RICH, segnali=segnali)
    assert not called(start, "signal")
    assert refusal(CLASSICO, start, "0 signal busso") == ("signal_too_early" if signals else "unknown_move")
    state = after_first_trick(segnali=segnali)
    assert called(state, "signal") == [f"1 signal {signal}" for signal in signals]
    for signal in ("busso", "volo", "striscio"):
        assert refusal(CLASSICO, state, f"1 signal {signal}") == (None if signal in signals else "unknown_move")
    if signals:
        assert refusal(CLASSICO, state, "2 signal busso") == "not_your_turn"
        led = play(CLASSICO, state, "1 play 4d")
        assert refusal(CLASSICO, led, "2 signal busso") == "not_leading"
        assert not called(led)


@pytest.mark.rule("C3")
def test_c3_one_signal_a_lead_and_everybody_hears_it_until_the_next_trick_is_over():
    state = play(CLASSICO, after_first_trick(segnali="tre"), "1 signal striscio")
    assert refusal(CLASSICO, state, "1 signal busso") == "already_declared"
    assert not called(state, "signal")
    assert {move.card for move in CLASSICO.legal(state)} == set(cards(RICH[1])) - set(cards("3d"))
    for seat in (0, 3, None):
        assert [tuple(call) for call in CLASSICO.view(state, seat).calls] == [(1, "signal", "striscio", (), 0, 1, 0)]
    state = play(CLASSICO, state, "1 play 4d", "2 play Fd", "3 play 4s", "0 play 6d")
    assert len(CLASSICO.view(state, 0).calls) == 1
    state = play(CLASSICO, state, "2 signal busso", "2 play 5c", "3 play Fc", "0 play 4c", "1 play 3c")
    assert [call.arg for call in CLASSICO.view(state, 0).calls] == ["busso"]


@pytest.mark.rule("C3")
def test_c3_volo_is_for_the_last_card_of_a_suit_and_no_other_card_may_follow_it():
    state = after_first_trick(segnali="due")  # of spade and, its 3 taken out, of nothing else: As
    assert "1 signal volo" in called(state)
    state = play(CLASSICO, state, "1 signal volo")
    assert [write_move(move) for move in CLASSICO.legal(state)] == ["1 play As"]
    assert refusal(CLASSICO, state, "1 play 4d") == "volo_not_last"
    assert refusal(CLASSICO, state, "1 play As") is None


@pytest.mark.rule("C3")
def test_c3_volo_without_such_a_card_is_refused():
    hands = list(RICH)
    hands[1], hands[2] = hands[1].replace("As", "Rc"), hands[2].replace("Rc", "As")
    state = after_first_trick(hands=tuple(hands), segnali="due")
    assert called(state) == ["1 signal busso"]
    assert refusal(CLASSICO, state, "1 signal volo") == "volo_not_last"


@pytest.mark.rule("C3", "T9")
def test_c3_after_a_signal_one_may_still_call_out():
    state = play(CLASSICO, after_first_trick(score=(0, 21), segnali="due"), "1 signal busso")
    assert called(state) == ["1 out"]
    assert refusal(CLASSICO, state, "1 out") is None


# C4


@pytest.mark.rule("C4")
def test_c4_buon_gioco_is_said_before_ones_own_first_card_by_who_holds_an_honour_out_of_turn_too():
    state = deal(*RICH, onori=True)
    assert called(state, "buongioco") == ["1 buongioco", "3 buongioco"]
    assert refusal(CLASSICO, state, "2 buongioco") == "combination_not_held"
    state = play(CLASSICO, state, "3 buongioco", "0 play 5d")
    assert called(state) == ["1 buongioco"]
    assert refusal(CLASSICO, state, "3 buongioco") == "already_called"
    state = play(CLASSICO, state, "1 play 3d")
    assert refusal(CLASSICO, state, "1 buongioco") == "buongioco_too_late"
    assert called(state) == []
    assert refusal(CLASSICO, play(CLASSICO, state, "2 play Rd", "3 play 5b"), "1 buongioco") == "buongioco_too_late"


@pytest.mark.rule("C4")
def test_c4_buon_gioco_doesnt_take_another_deal_away():
    assert refusal(CLASSICO, play(CLASSICO, deal(*RICH, onori=True), "1 buongioco"), "0 redeal") is None


@pytest.mark.rule("C4")
def test_c4_without_the_option_there_are_no_honours():
    state = deal(*RICH)
    assert not called(state, "buongioco")
    for call in ("1 buongioco", "1 accuso 4xA", "1 collatondrione"):
        assert refusal(CLASSICO, state, call) == "unknown_move"


@pytest.mark.rule("C4")
def test_c4_between_the_first_and_the_second_trick_who_said_so_accuses_in_any_order_and_may_leave_some():
    state = after_first_trick("1 buongioco", "3 buongioco", onori=True)
    assert called(state) == [
        "1 accuso 3x3", "1 accuso 4xA", "1 accuso napoletana:d", "1 accuso 3x3+4xA", "1 accuso 3x3+napoletana:d",
        "1 accuso 4xA+napoletana:d", "1 accuso 3x3+4xA+napoletana:d", "3 accuso 3x2",
    ]  # fmt: skip
    state = play(CLASSICO, state, "3 accuso 3x2", "1 accuso napoletana:d+4xA")  # the 3 played counts: as dealt
    assert called(state) == ["1 accuso 3x3"]
    assert refusal(CLASSICO, state, "1 accuso 4xA") == "already_called"
    assert refusal(CLASSICO, state, "1 accuso 3xA") == "combination_not_held"
    state = play(CLASSICO, state, "1 play 4d")
    assert refusal(CLASSICO, state, "1 accuso 3x3") == "accuso_not_now"
    assert CLASSICO.view(state, 0).credited == (0, 10)


@pytest.mark.rule("C4")
def test_c4_only_who_said_buon_gioco_accuses_and_only_then():
    state = play(CLASSICO, deal(*RICH, onori=True), "1 buongioco")
    assert refusal(CLASSICO, state, "1 accuso 4xA") == "accuso_not_now"
    state = play(CLASSICO, state, "0 play 5d")
    assert refusal(CLASSICO, state, "1 accuso 4xA") == "accuso_not_now"
    state = play(CLASSICO, state, "1 play 3d", "2 play Rd", "3 play 5b")
    assert refusal(CLASSICO, state, "3 accuso 3x2") == "no_buongioco"
    state = play(CLASSICO, state, "1 play 4d", "2 play Fd", "3 play 4s", "0 play 6d")
    assert refusal(CLASSICO, state, "1 accuso 4xA") == "accuso_not_now"


@pytest.mark.rule("C4", "X1")
def test_c4_the_system_accuses_for_whoever_said_so_from_the_leader_on_whatever_they_have_automatic():
    state = after_first_trick("1 buongioco", "3 buongioco", onori=True)
    everything = ["1 accuso 3x3+4xA+napoletana:d", "3 accuso 3x2"]
    assert [write_move(move) for move in CLASSICO.automatic(state, NOBODY)] == everything
    state = play(CLASSICO, state, "1 accuso 4xA")
    assert [write_move(move) for move in CLASSICO.automatic(state, NOBODY)] == [
        "1 accuso 3x3+napoletana:d", "3 accuso 3x2",
    ]  # fmt: skip
    assert CLASSICO.automatic(state, EVERYBODY, parse_move("1 play 4d")) == ()
    assert CLASSICO.automatic(play(CLASSICO, deal(*RICH, onori=True), "1 buongioco"), EVERYBODY) == ()
    led_by_3 = state._replace(turn=3, taker=3)
    assert [move.seat for move in CLASSICO.automatic(led_by_3, NOBODY)] == [3, 1]
    led_by_2 = state._replace(turn=2, taker=2)
    assert [move.seat for move in CLASSICO.automatic(led_by_2, NOBODY)] == [3, 1]


@pytest.mark.rule("C4", "T9")
def test_c4_honours_count_at_once_and_so_before_calling_out():
    state = after_first_trick("1 buongioco", "3 buongioco", onori=True, score=(0, 18))
    assert refusal(CLASSICO, state, "1 out") == "target_not_reached"
    assert [write_move(move) for move in CLASSICO.automatic(state, EVERYBODY)][-1] == "1 out"
    state = play(CLASSICO, state, "3 accuso 3x2", "1 accuso 3x3+4xA+napoletana:d")
    tally = CLASSICO.tally(play(CLASSICO, state, "1 out"))
    assert tally.points == (0, 13)
    assert tally.rows[-1][:3] == ("accuso", (0, 13), (0, 13))
    assert tally.ending == (1, "called_out", 1)
    unheard = after_first_trick("3 buongioco", onori=True, score=(0, 18))
    assert [write_move(move) for move in CLASSICO.automatic(unheard, EVERYBODY)] == ["3 accuso 3x2"]


@pytest.mark.rule("C4")
@pytest.mark.parametrize(
    ("arg", "named"),
    [
        ("3x3", "3d 3c 3b"),  # and so without spade
        ("4xA", "Ad Ac Ab As"),
        ("napoletana:d", "Ad 2d 3d"),
        ("3x3+napoletana:d", "Ad 2d 3d 3c 3b"),
    ],
)
def test_c4_three_of_a_rank_name_the_missing_suit_and_the_napoletana_its_own_to_everybody(arg, named):
    state = play(CLASSICO, after_first_trick("1 buongioco", onori=True), f"1 accuso {arg}")
    for seat in (0, 2, None):
        buongioco, accuso = CLASSICO.view(state, seat).calls
        assert tuple(buongioco) == (1, "buongioco", "", (), 0, 0, 0)
        assert (accuso.seat, accuso.verb, accuso.arg) == (1, "accuso", arg)
        assert {NAMES[card] for card in accuso.cards} == set(named.split())
        assert CLASSICO.view(state, seat).hands[1].cards == ()


@pytest.mark.rule("C4")
def test_c4_a_seat_sees_its_own_calls_only():
    state = deal(*RICH, onori=True)
    for seat, calls in enumerate([{"redeal", "play"}, {"buongioco"}, set(), {"buongioco"}]):
        legal = CLASSICO.view(state, seat).legal
        assert {move.verb for move in legal} == calls
        assert all(move.seat == seat for move in legal)
    assert CLASSICO.view(state, None).legal == ()


# C5

WHOLE = ("*s", "*d", "*c", "*b")


@pytest.mark.rule("C5")
def test_c5_a_whole_suit_announced_before_the_first_card_wins_the_match_at_once_and_sixteen_stakes():
    state = deal(*WHOLE, onori=True)
    assert called(state, "collatondrione") == [f"{seat} collatondrione" for seat in range(4)]
    after = play(CLASSICO, state, "3 buongioco", "1 collatondrione")
    assert (CLASSICO.turn(after), CLASSICO.void(after)) == (None, False)
    tally = CLASSICO.tally(after)
    assert (tally.points, tally.ending, tally.whole) == ((0, 0), (1, "collatondrione", 16), False)
    assert [call[:3] for call in tally.calls] == [(3, "buongioco", ""), (1, "collatondrione", "")]
    assert set(tally.calls[1].cards) == set(cards("*d"))
    assert tally.last_taker is None
    assert refusal(CLASSICO, play(CLASSICO, state, "0 play 4s"), "1 collatondrione") == "deal_begun"
    trick = play(CLASSICO, state, "0 play 4s", "1 play 4d", "2 play 4c", "3 play 4b")
    assert refusal(CLASSICO, trick, "1 collatondrione") == "deal_begun"


@pytest.mark.rule("C5")
def test_c5_it_takes_all_ten_cards_and_the_option():
    assert refusal(CLASSICO, deal(*RICH, onori=True), "1 collatondrione") == "suit_not_whole"
    state = deal(*WHOLE)
    assert refusal(CLASSICO, state, "1 collatondrione") == "unknown_move"
    assert not called(state)


@pytest.mark.rule("C5")
@pytest.mark.parametrize("tie_break", [0, 1])
def test_c5_the_match_is_over_whatever_the_score(tie_break):
    progress = match.start(classico(ONORI, dealer=3, context="ko"))._replace(score=(30, 12), tie_break=tie_break)
    progress = match.play(match.deal(progress, one_by_one(WHOLE, 3)), parse_move("1 collatondrione"))
    assert progress.outcome == match.Outcome(1, "collatondrione", 0, None)
    assert (progress.score, progress.stakes) == ((30, 12), (0, 16))
    assert progress.deals[-1].points == (0, 0)


# C6


@pytest.mark.rule("C6")
@pytest.mark.parametrize(
    ("taken", "thirds", "taker", "ending", "points"),
    [
        ((4, 0, 6, 0), (16, 0, 16, 0), 2, (0, "cappotto", 2), (11, 0)),
        ((0, 9, 0, 1), (0, 32, 0, 0), 1, (1, "cappotto", 2), (0, 11)),  # all the points alone, but not all tricks
        ((0, 0, 10, 0), (0, 0, 32, 0), 2, (0, "cappottone", 6), (11, 0)),
        ((4, 1, 5, 0), (16, 0, 16, 0), 2, (0, "stramazzo", 3), (10, 0)),
        ((4, 1, 5, 0), (16, 2, 14, 0), 1, (0, "stramazzo", 3), (10, 0)),  # two thirds are no point, nor the last trick
        ((4, 1, 5, 0), (3, 0, 29, 0), 2, (0, "stramazzo", 3), (10, 0)),
        ((1, 3, 0, 6), (0, 0, 0, 32), 3, (1, "stramazzone", 8), (0, 10)),
        ((1, 3, 0, 6), (0, 2, 0, 30), 0, (1, "stramazzone", 8), (0, 10)),
        ((4, 1, 5, 0), (16, 3, 13, 0), 2, None, (10, 1)),
    ],
)
def test_c6_special_victories_end_the_match(taken, thirds, taker, ending, points):
    for score in ((0, 0), (15, 3), (3, 20), None):
        tally = CLASSICO.tally(over(taken, thirds, taker, start=deal(score=score)))
        assert (tally.points, tally.last_taker) == (points, taker % 2)
        if ending is not None:
            assert tally.ending == ending
            assert tally.whole
        else:
            assert tally.ending in (None, (taker % 2, "called_out", 1))
        assert tuple(sum(row.points[line] for row in tally.rows) for line in (0, 1)) == points


@pytest.mark.rule("C6", "T9")
def test_c6_a_special_victory_goes_before_calling_out_by_the_other_line():
    start = deal(score=(0, 21))
    tally = CLASSICO.tally(over((4, 1, 5, 0), (16, 0, 16, 0), 1, start=start))
    assert tally.ending == (0, "stramazzo", 3)
    assert tally.rows[-1][:3] == ("last_trick", (0, 1), (0, 0))
    assert tally.last_taker == 1


@pytest.mark.rule("C6")
def test_c6_honours_count_in_the_deal_of_a_special_victory():
    state = play(CLASSICO, after_first_trick("1 buongioco", onori=True), "1 accuso 4xA")
    tally = CLASSICO.tally(over((5, 0, 5, 0), (16, 0, 16, 0), 2, start=state))
    assert (tally.points, tally.ending) == ((11, 4), (0, "cappotto", 2))


@pytest.mark.rule("C6", "V1")
@pytest.mark.parametrize(("score", "tie_break", "margin"), [((0, 0), 0, 11), ((0, 20), 0, 0), ((20, 20), 1, 11)])
def test_c6_the_match_ends_whatever_the_score_in_a_tie_break_deal_too(score, tie_break, margin):
    hands = ("*d", "*c", "*b", "*s")  # seat 0 leads and nobody can follow
    progress = match.start(classico(dealer=3, context="ko"))._replace(score=score, tie_break=tie_break)
    progress = match.deal(progress, one_by_one(hands, 3))
    while progress.deal is not None:
        progress = match.play(progress, next(move for move in match.legal(progress) if move.verb == "play"))
    assert progress.outcome == match.Outcome(0, "cappottone", margin, None)
    assert progress.stakes == (6, 0)


@pytest.mark.rule("C6")
def test_c6_an_ordinary_match_is_worth_one_stake():
    progress = match.start(classico(dealer=3))._replace(score=(0, 21))
    progress = match.deal(progress, one_by_one(PLAIN, 3))
    for text in ("0 play 2c", "1 play 3c", "2 play Ac", "3 play Fc", "1 out"):
        progress = match.play(progress, parse_move(text))
    assert (progress.outcome.decided_by, progress.stakes) == ("called_out", (0, 1))


# C7


@pytest.mark.rule("C7", "T11")
def test_c7_a_deal_broken_off_is_settled_by_t11_and_honours_called_stay():
    state = play(CLASSICO, after_first_trick("1 buongioco", onori=True), "1 accuso 4xA")
    assert CLASSICO.tally_forfeit(state, 0).points == (0, 4 + 6)
    assert CLASSICO.tally_forfeit(state, 1).points == (6, 4)
    assert CLASSICO.tally_forfeit(state._replace(thirds=(12, 9, 3, 2)), 1).points == (5 + 3, 3 + 4)


@pytest.mark.rule("C7")
def test_c7_a_match_broken_off_is_worth_one_stake():
    progress = match.deal(match.start(classico(dealer=3)), one_by_one(PLAIN, 3))
    progress = match.play(progress, parse_move("2 abandon"))
    assert progress.outcome == match.Outcome(1, "abandon", 6, 0)
    assert progress.stakes == (0, 1)


# C8


@pytest.mark.rule("C8")
def test_c8_the_names_of_cards_that_go_together_are_there_for_the_learner():
    named = {str(name): str(meaning) for name, meaning in wording.NAMES_OF_CARDS["tressette-classico"]}
    assert list(named) == ["venticinque", "ventotto", "ventinove", "stillo, pizzico", "secondo, terzo, quarto…"]
    assert (named["venticinque"], named["ventotto"]) == (
        "il 3 e il 2 dello stesso seme",
        "il 2 e l'asso dello stesso seme",
    )


@pytest.mark.rule("G10")
@pytest.mark.parametrize("move", ["0 declare d ho", "0 play 7c x 4c", "0 play 3c", "1 play 3c", "1 signal busso"])
def test_g10_what_this_game_doesnt_have_is_refused(move):
    assert refusal(CLASSICO, deal(onori=True), move) is not None


@pytest.mark.rule("G10")
def test_g10_a_call_with_what_it_cant_have_is_refused():
    state = deal(*RICH, onori=True)
    for move in ("0 redeal", "1 buongioco"):
        for change in ({"card": 3}, {"takes": 8}, {"arg": "x"}):
            with pytest.raises(match.IllegalMove, match=r"^unreadable_move$"):
                CLASSICO.play(state, parse_move(move)._replace(**change))
    with pytest.raises(match.IllegalMove, match="no_such_seat"):
        CLASSICO.play(state, parse_move("0 redeal")._replace(seat=4))


@pytest.mark.rule("G7")
@pytest.mark.parametrize(("context", "level"), [("free", "draw"), ("round_robin", "draw"), ("ko", "tie_breaks")])
def test_g7_a_level_match_is_a_draw_or_goes_to_tie_break_deals(context, level):
    assert CLASSICO.terms(classico(context=context)).level == level


@pytest.mark.rule("C3", "C4", "T9")
def test_seat_0_has_after_its_trick_the_calls_everybody_has():
    hands = (RICH[1], RICH[2], RICH[3], RICH[0])
    state = play(CLASSICO, deal(*hands, onori=True, segnali="tre", score=(30, 0)), "0 buongioco", "0 play Ad")
    state = play(CLASSICO, state, "1 play Rd", "2 play 5b", "3 play 5d")
    assert (state.taker, state.turn) == (0, 0)
    assert called(state, "signal", "out") == ["0 signal busso", "0 signal volo", "0 signal striscio", "0 out"]
    assert len(called(state, "accuso")) == 7
    assert refusal(CLASSICO, state, "0 signal busso") is None
    assert [write_move(move) for move in CLASSICO.automatic(state, EVERYBODY)] == [
        "0 accuso 3x3+4xA+napoletana:d", "0 out",
    ]  # fmt: skip
    assert CLASSICO.automatic(play(CLASSICO, state, "0 out"), EVERYBODY) == ()
