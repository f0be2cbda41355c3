"""Numbers of games in each part of a tournament (EV1)."""

from itertools import product

import pytest

from tournaments.formats import FORMATS
from tournaments.formats.protocol import Draw
from tournaments.game_counts import LATE, GameCounts, is_late

pytestmark = pytest.mark.rule("EV1")
ROUNDS = ("round", "quarterfinal", "semifinal", "third_place", "final", "decider")


def count_all(counts: GameCounts) -> list[int]:
    return [counts.count("ko", name) for name in ROUNDS]


def test_one_number_holds_everywhere() -> None:
    counts = GameCounts(3, None, None, "", only_games_won=False)
    assert (count_all(counts), counts.count("round_robin"), counts.most) == ([3] * 6, 3, 3)


def test_the_ko_may_have_its_own_and_its_last_rounds_another() -> None:
    counts = GameCounts(1, 3, 5, "semifinal", only_games_won=False)
    assert (count_all(counts), counts.count("round_robin"), counts.most) == ([3, 3, 5, 5, 5, 5], 1, 5)
    assert count_all(counts._replace(late_from="quarterfinal")) == [3, 5, 5, 5, 5, 5]
    # The match for the third place belongs to the semifinals: it is nobody's final.
    assert count_all(counts._replace(late_from="final")) == [3, 3, 3, 3, 5, 5]


@pytest.mark.parametrize("format_", [code for code, one in FORMATS.items() if one.context == "ko"])
@pytest.mark.parametrize("size", [4, 8, 13, 32])
def test_every_bracket_has_the_rounds_that_are_meant(format_: str, size: int) -> None:
    """The final is one round, or two with a decider; the semifinals are those before it."""
    one = FORMATS[format_]
    names = one.plan(Draw(size, one.options), {}).names
    late = {start: [name for name in names if is_late(name, start)] for start in LATE}
    assert late["final"] == [name for name in names if name in ("final", "decider")]
    assert set(late["final"]) < set(late["semifinal"])
    before = [name for name in names if name not in late["semifinal"]]
    assert len(before) == len(names) - len(late["semifinal"])


@pytest.mark.parametrize(("name", "start"), list(product(ROUNDS, ("", "round", "nothing"))))
def test_nothing_is_late_without_a_start(name: str, start: str) -> None:
    assert not is_late(name, start)
