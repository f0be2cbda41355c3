"""Steps of a page of the docs: its indented blocks, each with the paragraph that leads to it."""

import re
from dataclasses import dataclass

FILE = re.compile(r"\bIn `(/etc/[^`]+)`")
THEN = re.compile(r"\bthen `([^`]+)`")


@dataclass(frozen=True, slots=True)
class Step:
    """Indented block: commands one after the other, or, with a ``file``, lines to put into it by hand.

    ``then``: the command that follows the lines, or none.
    """

    words: str
    lines: tuple[str, ...]

    @property
    def script(self) -> str:
        """The whole block, for a shell."""
        return "\n".join(self.lines)

    @property
    def file(self) -> str | None:
        named = FILE.search(self.words)
        return named[1] if named else None

    @property
    def then(self) -> str | None:
        named = THEN.search(self.words)
        return named[1] if named else None


def read_steps(page: str, title: str) -> list[Step]:
    """Return the steps of a section. ValueError if there is none of this title."""
    section = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    if section is None:
        raise ValueError(f"the page has no section {title}")
    steps: list[Step] = []
    words = ""
    for part in re.split(r"\n{2,}", section[1].strip("\n")):
        lines = part.splitlines()
        if all(line.startswith("    ") for line in lines):
            steps.append(Step(words, tuple(line[4:] for line in lines)))
        else:
            words = " ".join(lines)
    return steps
