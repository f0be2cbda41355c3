"""The kinds of match that people seek (B2): each can be played, has words, and is known again."""

import pytest

from games.engine.game import Length
from games.lobby.kinds import DEFAULT_KIND, OPTION_SETS, SPEEDS, USUAL, SeekKind, recognise_kind
from games.options import build_setup, find_fault
from games.rules import RULESETS

KINDS = [
    SeekKind(ruleset, name, form, speed)
    for ruleset, sets in OPTION_SETS.items()
    for name, terms in sets.items()
    for form in terms.forms
    for speed in SPEEDS
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join((kind.ruleset, kind.option_set, kind.form)))
def test_every_kind_can_be_played(kind: SeekKind) -> None:
    assert kind.is_known
    assert find_fault(build_setup(kind.ruleset, kind.seats, kind.length, "free", kind.terms.options)) is None


def test_every_game_can_be_sought_and_has_a_usual_set() -> None:
    assert set(OPTION_SETS) == set(RULESETS)
    assert all(next(iter(sets)) == USUAL for sets in OPTION_SETS.values())
    assert SeekKind("scopa", USUAL, "alone", "normale") == DEFAULT_KIND


@pytest.mark.rule("B2")
def test_a_kind_with_an_unknown_part_is_none() -> None:
    for wrong in (
        SeekKind("burraco"), SeekKind(option_set="altra"), SeekKind(form="trio"), SeekKind(speed="subito"),
        SeekKind("tressette-classico", USUAL, "alone"),
    ):  # fmt: skip
        assert not wrong.is_known


@pytest.mark.rule("B2")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join((kind.ruleset, kind.option_set, kind.form)))
def test_a_match_of_a_kind_is_recognised(kind: SeekKind) -> None:
    speed = SPEEDS[kind.speed]
    assert kind == recognise_kind(
        ruleset=kind.ruleset,
        players=kind.seats,
        length=kind.length,
        options=dict(kind.terms.options),
        turn_timeout=speed.turn_timeout,
    )


def test_a_match_of_no_kind_leads_to_the_nearest_one() -> None:
    odd = recognise_kind(
        ruleset="tressette-classico", players=3, length=Length("deals", 2), options={"onori": True}, turn_timeout=None
    )
    assert odd == SeekKind("tressette-classico", USUAL, "pairs", "normale")
    gone = recognise_kind(ruleset="burraco", players=2, length=Length("points", 5), options={}, turn_timeout=45)
    assert gone == DEFAULT_KIND
