"""MP and VP of one match: the tables of the rulebooks, and V1-V5 read from them.

It never adds matches up and knows no standings. A length without a column has no MP and VP; only ``check_length``
refuses it.
"""

from dataclasses import dataclass
from typing import NamedTuple

from games.engine.game import HeaderError, Length, Points, Setup
from games.engine.match import LONGEST

EVEN = 10  # VP of a draw, and of the first row
WIN = 20  # VP of a win where the table has no margins (V3)
LEAST_FOR_THE_OFFENDED = 14  # V5
BYE = 14  # D1


class MatchPoints(NamedTuple):
    """The MP and VP of a match, line 0 first."""

    mp: Points
    vp: Points


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its lengths, and the lower bound ("da MP") of each row: 10-10, 11-9, 12-8 … (V2)."""

    lengths: tuple[Length, ...]
    bounds: tuple[int, ...]

    def row(self, margin: int) -> int:
        """Return the last row whose lower bound doesn't exceed the margin (V2)."""
        return max(row for row, bound in enumerate(self.bounds) if bound <= margin)

    def lost_mp(self) -> int:
        """Return the MP of a line with 0 VP (V5): the bound of that row, else of the last one."""
        row = min(EVEN, len(self.bounds) - 1)
        return -self.bounds[row]


@dataclass(frozen=True, slots=True)
class VpTable:
    """A rulebook's table of VP (V3). Without columns a win is 20, a draw 10, a loss 0, at any length."""

    source: str
    columns: tuple[Column, ...]

    def for_points(self, *targets: int) -> "VpTable":
        """Return the table of a ruleset that is played to these points only."""
        lengths = [Length("points", target) for target in targets]
        columns = [
            Column((length,), entry.bounds) for entry in self.columns for length in entry.lengths if length in lengths
        ]
        return VpTable(self.source, tuple(columns))


def _column(points: int, deals: tuple[int, ...], *bounds: int) -> Column:
    return Column((Length("points", points), *(Length("deals", number) for number in deals)), bounds)


TRESETTE = VpTable(
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
SCOPA = VpTable(
    'rulebook 001, "Tabella dei Victory Points"; lower bounds only (V2)',
    (
        _column(7, (1, 2), 0, 1, 2, 3, 4, 5, 6, 7, 8),
        _column(11, (3,), 0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14),
        _column(21, (4, 5), 0, 1, 2, 4, 6, 8, 10, 12, 14, 17, 20),
    ),
)
ASSO_PIGLIA_TUTTO = VpTable('rulebook 002, "Tabella dei Victory Points"', ())
TABLES: dict[str, VpTable] = {
    "scopa": SCOPA,
    "asso-piglia-tutto": ASSO_PIGLIA_TUTTO,
    "scopone": ASSO_PIGLIA_TUTTO,  # V3
    "briscola": ASSO_PIGLIA_TUTTO,  # V3
    "tresette": TRESETTE,
    "tresette-a-perdere": TRESETTE,
    "tressette-accusa": TRESETTE.for_points(11, 21, 31, 41),  # M1
    "tressette-classico": TRESETTE.for_points(21, 31),  # C1; its third length, 51, has no column
}
_ANY_LENGTH = tuple(Length(kind, value) for kind in ("points", "deals") for value in range(1, LONGEST[kind] + 1))


def find_column(ruleset: str, length: Length) -> Column | None:
    """Return the column of a length; None where the table has none (V4), or the ruleset no table."""
    table = TABLES.get(ruleset)
    return None if table is None else next((entry for entry in table.columns if length in entry.lengths), None)


def has_margins(ruleset: str) -> bool:
    """Tell whether VP follow the margin; in the other games a win is 20, a draw 10, a loss 0 (V3)."""
    return ruleset in TABLES and bool(TABLES[ruleset].columns)


def _has_vp(ruleset: str, length: Length) -> bool:
    return ruleset in TABLES and (not TABLES[ruleset].columns or find_column(ruleset, length) is not None)


def list_allowed_lengths(ruleset: str) -> tuple[Length, ...]:
    """Return the lengths that have VP, and so may be played in a round robin (V4): points first, ascending."""
    table = TABLES.get(ruleset)
    if table is None:
        return ()
    lengths = [length for entry in table.columns for length in entry.lengths] or _ANY_LENGTH
    return tuple(sorted(lengths, key=lambda length: (length.kind != "points", length.value)))


def check_length(setup: Setup) -> None:
    """Raise HeaderError("length_without_vp") for a round robin of a length that has no VP (V4)."""
    if setup.context == "round_robin" and not _has_vp(setup.ruleset, setup.length):
        raise HeaderError("length_without_vp")


def compute_points(
    ruleset: str, length: Length, winner: int | None, margin: int, offender_line: int | None = None
) -> MatchPoints | None:
    """Return the MP and VP of a finished match (V1, V2) or a forfeited one (V5); None where the length has no column.

    ``winner`` is a line, None for a draw; ``margin`` is V1's; ``offender_line`` is the line that forfeited, if any.
    """
    if not _has_vp(ruleset, length):
        return None
    if winner is None:
        return MatchPoints((0, 0), (EVEN, EVEN))
    entry = find_column(ruleset, length)
    if entry is None:  # a win is a win, forfeits included (V5)
        return _for_lines(winner, (margin, -margin), (WIN, 0))
    row = entry.row(margin)
    if offender_line is None:
        return _for_lines(winner, (margin, -margin), (EVEN + row, EVEN - row))
    row = max(row, LEAST_FOR_THE_OFFENDED - EVEN)
    return _for_lines(winner, (entry.bounds[row], entry.lost_mp()), (EVEN + row, 0))


def compute_double_forfeit(ruleset: str, length: Length) -> MatchPoints | None:
    """Return the MP and VP of a double forfeit (R4): 0 VP and the loser's MP each; None without a column."""
    if not _has_vp(ruleset, length):
        return None
    entry = find_column(ruleset, length)
    lost = 0 if entry is None else entry.lost_mp()  # without columns MP are V1's margin, and there is none
    return MatchPoints((lost, lost), (0, 0))


def compute_bye(ruleset: str, length: Length) -> tuple[int, int] | None:
    """Return the MP and VP of a bye (D1): 14 VP and the bound of that row, or a win; None without a column."""
    if not _has_vp(ruleset, length):
        return None
    entry = find_column(ruleset, length)
    return (0, WIN) if entry is None else (entry.bounds[BYE - EVEN], BYE)


def _for_lines(winner: int, mp: Points, vp: Points) -> MatchPoints:
    """Put winner's and loser's numbers in the order of the lines."""
    return MatchPoints((mp[1], mp[0]), (vp[1], vp[0])) if winner else MatchPoints(mp, vp)
