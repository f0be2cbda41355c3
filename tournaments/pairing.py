"""What a tournament format is to the rest of the house: the Format protocol and the plain values it speaks in.

A format is a pure function: from the size of the field and every result so far it gives the whole picture: all
pairings, which of them may be played, the standings, whether it is over. It keeps no state, draws no lots, knows no
clock, no names and no database. Lines are their seeds: 1 is the best, and the draw has already given them out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NamedTuple, Protocol

from scoring.standings import Row

Context = Literal["ko", "round_robin"]


class Slot(NamedTuple):
    """Where a pairing stands: round and board, both from 1. It never moves, so results are kept by it."""

    round: int
    board: int


class Kind(StrEnum):
    """What becomes of a pairing."""

    MATCH = "match"  # two lines, known or still to come
    BYE = "bye"  # one line goes on without playing (K2, K5)
    REST = "rest"  # one line sits out (R1)
    VOID = "void"  # nobody can come to it (K5)


@dataclass(frozen=True, slots=True)
class Result:
    """How a fixture ended, seen from its first (0) and second (1) line.

    ``winner`` is None in a draw (round robin) and in a double forfeit. ``mp`` and ``vp`` are zero where the format has
    none.
    """

    winner: int | None
    double_forfeit: bool = False
    mp: tuple[int, int] = (0, 0)
    vp: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A fixture of the plan. ``first`` sits at seat 0 (R1); a line is None while nobody knows it.

    ``ready``: a match whose lines are both known and whose turn has come (K4, R6), played or not.
    """

    slot: Slot
    first: int | None
    second: int | None
    kind: Kind = Kind.MATCH
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """What is frozen at the draw (E6): the number of lines, the format's own options, the preset of tie-breaks (R2).

    ``lot`` is a long random text drawn once: whatever is left to chance (K2, R2) is read from it, so it can be
    recomputed.
    """

    size: int
    options: Mapping[str, bool] = field(default_factory=dict)
    tie_break: str = "standard"
    lot: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole picture. ``names`` gives each round's code, from round 1; ``standings`` one row a line, best first."""

    pairings: tuple[Pairing, ...]
    names: tuple[str, ...]
    standings: tuple[Row, ...]
    finished: bool


class Format(Protocol):
    """One format, one file in ``formats/``, found by the folder. Its module exposes it as ``FORMAT``."""

    id: str
    context: Context  # of its matches (K3, D1)
    has_vp: bool  # results count in VP, so the length must have a column (V4)
    is_bracket: bool  # how its rounds are shown
    options: Mapping[str, bool]  # its own switches and their defaults
    min_size: int
    max_size: int

    def plan(self, draw: Draw, results: Mapping[Slot, Result]) -> Plan:
        """The picture after these results. A result for a slot that isn't a ready match is an error."""
