"""Terms of a stake: the greatest loss by the options (T6, C5, C6, M), the cap, who pays whom."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.chips import terms
from games.chips.terms import CAP, MATCH, POINT, compute_most, compute_multiple, split
from games.engine.game import Length
from games.options import build_setup


def most(ruleset: str, players: int, length: Length, per: str = MATCH, **options: Any) -> int:
    return compute_most(build_setup(ruleset, players, length, "free", options), per)


@pytest.mark.rule("Z2", "T6", "C5", "C6")
@pytest.mark.parametrize(
    ("ruleset", "players", "length", "options", "expected"),
    [
        ("scopa", 2, Length("points", 21), {}, 1),
        ("tresette", 4, Length("points", 31), {"accuso": True}, 1),
        ("tresette", 4, Length("deals", 4), {"cappotto": True}, 5),
        ("tresette", 4, Length("points", 31), {"cappotto": True, "accuso": True}, 4),  # three of 11, and the match
        ("tresette", 2, Length("points", 11), {"cappotto": True}, 2),
        ("tresette-a-perdere", 2, Length("deals", 3), {}, 1),
        ("tressette-accusa", 3, Length("points", 41), {"accusa": "obbligatoria"}, 1),
        ("tressette-classico", 4, Length("points", 21), {}, 8),
        ("briscola", 2, Length("points", 3), {}, 1),
        ("scopone", 4, Length("points", 21), {}, 1),
        ("tressette-classico", 4, Length("points", 31), {"onori": True}, 16),
    ],
)
def test_the_greatest_loss_of_a_table_for_stakes(
    ruleset: str, players: int, length: Length, options: dict[str, Any], expected: int
) -> None:
    assert most(ruleset, players, length, **options) == expected


@pytest.mark.rule("Z2", "M6")
@pytest.mark.parametrize(
    ("ruleset", "players", "length", "options", "expected"),
    [
        ("tresette", 4, Length("deals", 2), {}, 22),
        ("tresette", 4, Length("deals", 5), {}, CAP),
        ("tresette", 2, Length("points", 21), {}, 31),  # 20 and a whole deal
        ("tresette", 2, Length("points", 31), {}, CAP),
        (
            "tressette-accusa",
            3,
            Length("points", 11),
            {"accusa": "facoltativa"},
            CAP // 2,
        ),  # the lone player stakes twice
        ("scopa", 2, Length("points", 101), {}, CAP),
        ("briscola", 4, Length("points", 3), {}, 3),
        ("briscola", 2, Length("deals", 5), {}, 5),
        ("scopone", 4, Length("deals", 1), {}, 23),  # nineteen scope and the four prizes
        ("scopone", 4, Length("deals", 1), {"quattro_a_terra": True}, 22),
    ],
)
def test_the_greatest_loss_of_a_table_for_points_has_a_cap(
    ruleset: str, players: int, length: Length, options: dict[str, Any], expected: int
) -> None:
    assert most(ruleset, players, length, POINT, **options) == expected


@pytest.mark.rule("Z3", "V6")
def test_a_table_plays_for_the_stakes_of_the_record_or_for_the_margin() -> None:
    setup = build_setup("tresette", 2, Length("points", 21), "free", {"cappotto": True})

    def pay(per: str, **result: Any) -> tuple[int, int]:
        return compute_multiple(setup, per, **result)

    lost = {"winner": 0, "score": (21, 19), "stakes": (1, 2), "most": 40}
    assert pay(MATCH, **lost) == (1, 1), "two cappotti of the line that lost the match are worth more than it"
    assert pay(POINT, **lost) == (0, 2)
    drawn = {"winner": None, "score": (11, 11), "stakes": (0, 0), "most": 40}
    assert pay(MATCH, **drawn)[1] == pay(POINT, **drawn)[1] == 0
    behind = {"winner": 1, "score": (22, 9), "stakes": (0, 1), "most": 40}
    assert pay(POINT, **behind)[1] == 0, "who forfeited was ahead: the ordinary difference is 0"
    assert pay(POINT, winner=0, score=(60, 0), stakes=(1, 0), most=31) == (0, 31)
    fewest = build_setup("tresette-a-perdere", 2, Length("deals", 2), "free", {})
    assert compute_multiple(fewest, POINT, winner=1, score=(15, 7), stakes=(0, 1), most=22) == (1, 8)


@pytest.mark.rule("Z2")
@given(line=st.integers(0, 1), amount=st.integers(0, 1000), players=st.sampled_from((2, 3, 4)))
def test_what_some_lose_the_others_win(line: int, amount: int, players: int) -> None:
    seats = {2: [0, 1], 3: [0, 1, 3], 4: [0, 1, 2, 3]}[players]
    moved = split(line, amount, seats, players)
    assert sum(moved.values()) == 0
    for seat in seats:
        assert moved[seat] == (amount if seat % 2 == line else -amount) * (2 if players == 3 and seat == 0 else 1)


@pytest.mark.rule("Z2")
def test_nobody_loses_more_than_the_cap_not_even_who_stakes_twice() -> None:
    setup = build_setup("tressette-accusa", 3, Length("points", 41), "free", {"accusa": "facoltativa"})
    for per in (MATCH, POINT):
        loss = compute_most(setup, per) * max(terms.count_shares(seat, 3) for seat in (0, 1, 3))
        assert loss <= CAP
