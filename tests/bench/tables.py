"""What every bench prints: one table with its title, its rows, and what falls short of its goal."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of ready-made texts under their headings. ``short``: one sentence for each goal not reached."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = field(default=())
    short: Sequence[str] = field(default=())

    def __str__(self) -> str:
        widths = [max(len(row[column]) for row in [self.headings, *self.rows]) for column in range(len(self.headings))]
        lines = [self.title, "", _line(self.headings, widths), _line(["-" * width for width in widths], widths)]
        lines += [_line(row, widths) for row in self.rows]
        lines += ["", *self.notes]
        lines += [f"FALLS SHORT: {sentence}" for sentence in self.short] or ["Nothing falls short."]
        return "\n".join(lines) + "\n"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The first column to the left, the figures to the right."""
    texts = [
        cell.rjust(width) if column else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "| " + " | ".join(texts) + " |"
