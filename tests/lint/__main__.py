"""``python -m tests.lint [WORD …]``: every law about the text of the house, or those whose names hold one of the words.

It prints each broken law with its findings; exit status 1 if there are any.
"""

import gc
import sys
from collections.abc import Callable, Iterable

from tests.lint import catalogue, harm, layout, names, numbers, pages, sheets, told, values
from tests.lint.sources import Sources, read_house

Law = Callable[[Sources], Iterable[str]]
LAWS: tuple[Law, ...] = tuple(
    law for room in (names, values, harm, pages, numbers, catalogue, layout, sheets, told) for law in room.LAWS
)


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 a program of the terminal


def main() -> int:
    gc.disable()  # a million nodes stay to the end
    words = sys.argv[1:]
    laws = [law for law in LAWS if not words or any(word in law.__name__ for word in words)]
    sources, broken = read_house(), 0
    for law in laws:
        findings = sorted(set(law(sources)))
        broken += bool(findings)
        for line in [str(law.__doc__), *(f"  {finding}" for finding in findings)] if findings else ():
            say(line)
    say(f"{broken} of {len(laws)} laws are broken." if broken else f"{len(laws)} laws are kept.")
    return 1 if broken or not laws else 0


if __name__ == "__main__":
    sys.exit(main())
