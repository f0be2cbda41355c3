"""From results to MP and VP: the tables of the rulebooks, and V1-V5 read from them.

It decides what one match is worth to each line. It never adds matches up, knows no standings, and refuses no match: a
length without a column is simply worth nothing, and who may not play it is told so by ``check_length``.
"""

from dataclasses import dataclass
from typing import NamedTuple

from games.engine.game import HeaderError, Length, Points, Setup

EVEN = 10  # VP of a draw, and of the first row
LEAST_FOR_THE_OFFENDED = 14  # V5


class Worth(NamedTuple):
    """What a match gives each line, line 0 first."""

    mp: Points
    vp: Points


@dataclass(frozen=True, slots=True)
class Column:
    """The lengths a column is for, and the lower bound ("da MP") of each row: 10-10, 11-9, 12-8 … (V2)."""

    lengths: tuple[Length, ...]
    bounds: tuple[int, ...]

    def row(self, margin: int) -> int:
        """The last row whose lower bound doesn't exceed the margin (V2)."""
        return max(row for row, bound in enumerate(self.bounds) if bound <= margin)

    def lost_mp(self) -> int:
        """The MP of a line with 0 VP (V5): the bound of that row, or of the last one where the column has none."""
        row = min(EVEN, len(self.bounds) - 1)
        return -self.bounds[row]


@dataclass(frozen=True, slots=True)
class Table:
    """A rulebook's table of VP (V3)."""

    source: str
    columns: tuple[Column, ...]


def _column(points: int, deals: tuple[int, ...], *bounds: int) -> Column:
    return Column((Length("points", points), *(Length("deals", number) for number in deals)), bounds)


TRESETTE = Table(
    'rulebook 000, "Tabella dei Victory Points"; lower bounds only (V2)',
    (
        _column(6, (1,), 0, 1, 2, 3, 4, 5, 7, 9, 11),
        _column(11, (2,), 0, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19),
        _column(17, (3,), 0, 2, 4, 6, 8, 10, 12, 15, 18, 21, 24),
        _column(21, (4,), 0, 2, 4, 7, 10, 13, 16, 19, 22, 24, 27),
        _column(26, (5,), 0, 3, 5, 8, 11, 14, 17, 20, 23, 26, 30),
        _column(31, (6,), 0, 3, 6, 9, 12, 16, 19, 23, 26, 29, 33),
        _column(36, (7,), 0, 3, 6, 9, 13, 17, 21, 24, 28, 32, 36),
        _column(41, (8,), 0, 3, 6, 10, 14, 18, 22, 26, 30, 34, 38),
    ),
)
SCOPA = Table(
    'rulebook 001, "Tabella dei Victory Points"; lower bounds only (V2)',
    (
        _column(7, (1, 2), 0, 1, 2, 3, 4, 5, 6, 7, 8),
        _column(11, (3,), 0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14),
        _column(21, (4, 5), 0, 1, 2, 4, 6, 8, 10, 12, 14, 17, 20),
    ),
)
TABLES: dict[str, Table] = {"scopa": SCOPA, "tresette": TRESETTE}


def column(ruleset: str, length: Length) -> Column | None:
    """The column of a length; None where the table has none (V4), or the ruleset no table."""
    return next((entry for entry in _columns(ruleset) if length in entry.lengths), None)


def _columns(ruleset: str) -> tuple[Column, ...]:
    table = TABLES.get(ruleset)
    return () if table is None else table.columns


def allowed_lengths(ruleset: str) -> tuple[Length, ...]:
    """The lengths that have VP, and so may be played in a round robin (V4): points first, each ascending."""
    lengths = [length for entry in _columns(ruleset) for length in entry.lengths]
    return tuple(sorted(lengths, key=lambda length: (length.kind != "points", length.value)))


def check_length(setup: Setup) -> None:
    """HeaderError("length_without_vp") for a round robin of a length that has no VP (V4)."""
    if setup.context == "round_robin" and column(setup.ruleset, setup.length) is None:
        raise HeaderError("length_without_vp")


def worth(
    ruleset: str, length: Length, winner: int | None, margin: int, offender_line: int | None = None
) -> Worth | None:
    """The MP and VP of a finished match (V1, V2), or of a forfeited one (V5); None where the length has no column.

    ``winner`` is a line, None for a draw; ``margin`` is V1's; ``offender_line`` is the line that forfeited, if any.
    """
    entry = column(ruleset, length)
    if entry is None:
        return None
    if winner is None:
        return Worth((0, 0), (EVEN, EVEN))
    row = entry.row(margin)
    if offender_line is None:
        return _for_lines(winner, (margin, -margin), (EVEN + row, EVEN - row))
    row = max(row, LEAST_FOR_THE_OFFENDED - EVEN)
    return _for_lines(winner, (entry.bounds[row], entry.lost_mp()), (EVEN + row, 0))


def both_forfeit(ruleset: str, length: Length) -> Worth | None:
    """The MP and VP of a match both lines forfeited (R4): 0 VP each, and each the loser's MP; None without a column."""
    entry = column(ruleset, length)
    if entry is None:
        return None
    lost = entry.lost_mp()
    return Worth((lost, lost), (0, 0))


def _for_lines(winner: int, mp: Points, vp: Points) -> Worth:
    """Winner's and loser's numbers put in the order of the lines."""
    return Worth((mp[1], mp[0]), (vp[1], vp[0])) if winner else Worth(mp, vp)
