"""Tables that benches print, with title, rows and the goals that were missed."""

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
        return "\n".join([self.title, "", *self._lines("-"), "", *self.notes, *self._verdict()]) + "\n"

    def markdown(self) -> str:
        """The same as a section of a page, without its heading."""
        rest = [*self.notes, *self._verdict()]
        return "\n".join([f"**{self.title}**", "", *self._lines(":"), *(line for text in rest for line in ("", text))])

    def _lines(self, right: str) -> list[str]:
        """The table; ``right`` ends the rule under a column of figures (a colon in Markdown)."""
        widths = [max(len(row[column]) for row in [self.headings, *self.rows]) for column in range(len(self.headings))]
        rule = ["-" * (width - 1) + (right if column else "-") for column, width in enumerate(widths)]
        return [_line(self.headings, widths), _line(rule, widths), *(_line(row, widths) for row in self.rows)]

    def _verdict(self) -> list[str]:
        return [f"FALLS SHORT: {sentence}" for sentence in self.short] or ["Nothing falls short."]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The first column to the left, the figures to the right."""
    texts = [
        cell.rjust(width) if column else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "| " + " | ".join(texts) + " |"
