"""Tables that benches and storms print, with title, rows and the goals that were missed; pages that keep them."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path


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


@dataclass(frozen=True, slots=True)
class KeptTables:
    """Page of the docs that keeps the last table of each name, with its date and the machine; the names in order."""

    path: Path
    title: str
    about: str
    names: Sequence[str]

    def write(self, name: str, table: Table) -> None:
        """Put the table into its section of the page; the other sections stay."""
        sections = self._read()
        when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        machine = f"{os.cpu_count()} cores, load average {os.getloadavg()[1]:.1f}, Python {platform.python_version()}"
        sections[name] = f"{when}, {machine}.\n\n{table.markdown()}"
        parts = [f"## {key}\n\n{sections[key]}" for key in self.names if key in sections]
        self.path.write_text("\n\n".join([self.title, self.about, *parts]) + "\n")

    def _read(self) -> dict[str, str]:
        """Return the sections of the page by their names."""
        if not self.path.exists():
            return {}
        parts = self.path.read_text().split("\n## ")[1:]
        return {name: body.strip() for name, _, body in (part.partition("\n") for part in parts)}
