"""Style sheets look at three widths and one height, set type in the tokens' sizes, and are linked in few places."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from tests.lint.sources import Source, Sources

SHEETS = "static/css"
QUERY = re.compile(r"@(?:media|container)[^{]*")
CONDITION = re.compile(r"\([^()]*(?:width|height)[^()]*\)")
LOOKED_AT = {
    *(f"(width {sign} {size})" for sign in ("<", ">=") for size in ("37.5rem", "64rem")),
    *(f"(height {sign} 30rem)" for sign in ("<", ">=")),
}
STILL_OTHER = {f"{SHEETS}/replay.css"}
# Sheets that set type by a screen on a wall, by paper, by a drawing or by what stands round it.
OF_OTHER_SIZES = {
    f"{SHEETS}/{name}.css"
    for name in ("felt", "hand", "home", "lesson", "print", "profiles", "replay", "rules", "table", "wall")
}
SIZE = re.compile(r"\bfont(?:-size)?:\s*(?:[\w-]+\s+)*?([\d.]+)(rem|px)\b")
PLAIN_SIZE = re.compile(r"\bfont(?:-size)?:[^;]*?\b([\d.]+(?:rem|px|em|pt|%))")
PAPER = f"{SHEETS}/print.css"
LEAST, ROOT = 13, 16  # px
LINK = re.compile(r"static 'css/([\w/]+\.css)'")
NAMED = re.compile(r"{% static ['\"]([^'\"]+)['\"]")
MOST_LINKS = 3
EVERYWHERE = {"main.css", "dark.css"}


def _count_lines(source: Source, at: int) -> int:
    return source.text.count("\n", 0, at) + 1


def find_other_widths(sources: Sources) -> Iterator[str]:
    """Sheets look at the widths and the height that tokens.css names, and at no others."""
    for source in sources.list(SHEETS, endings=(".css",)):
        if source.name not in STILL_OTHER:
            for query in QUERY.finditer(source.text):
                other = [one for one in CONDITION.findall(query[0]) if one not in LOOKED_AT]
                yield from (f"{source.name}:{_count_lines(source, query.start())}: {one}" for one in other)


def find_other_sizes(sources: Sources) -> Iterator[str]:
    """Sheets set type in the sizes of tokens.css."""
    for source in sources.list(SHEETS, endings=(".css",)):
        if source.name not in OF_OTHER_SIZES:
            for size in PLAIN_SIZE.finditer(source.text):
                yield f"{source.name}:{_count_lines(source, size.start())}: {size[1]}"


def find_small_letters(sources: Sources) -> Iterator[str]:
    """No letter on a screen is smaller than 13 px."""
    for source in sources.list(SHEETS, endings=(".css",)):
        if source.name not in STILL_OTHER | {PAPER}:
            for size in SIZE.finditer(source.text):
                pixels = float(size[1]) * (ROOT if size[2] == "rem" else 1)
                if pixels < LEAST:
                    yield f"{source.name}:{_count_lines(source, size.start())}: {pixels:g} px"


def find_sheets_linked_by_hand(sources: Sources) -> Iterator[str]:
    """A sheet of many pages is linked by the template that they extend."""
    links: dict[str, set[str]] = defaultdict(set)
    for source in sources.list("templates", endings=(".html",)):
        name = PurePosixPath(source.name).relative_to("templates")
        if name.name != "base.html":
            for sheet in LINK.findall(source.text):
                links[sheet].add(str(name))
    for sheet in links.keys() - EVERYWHERE:
        alone = sorted(name for name in links[sheet] if not name.endswith("embed.html"))
        if len(alone) > MOST_LINKS:
            yield f"css/{sheet}: {', '.join(alone)}"


def find_files_that_are_gone(sources: Sources) -> Iterator[str]:
    """Templates name files that are there: in production such a page would be a fault."""
    for source in sources.list("templates", endings=(".html",)):
        for name in NAMED.findall(source.text):
            if not sources.exists(f"static/{name}"):
                yield f"{source.name}: {name}"


LAWS = (find_files_that_are_gone, find_other_widths, find_other_sizes, find_small_letters, find_sheets_linked_by_hand)
