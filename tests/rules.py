"""List of rule numbers that no test carries with ``@pytest.mark.rule("T5", …)``: ``python -m tests.rules``.

It reads the test files and runs none of them: whoever writes a test sees to it that it fails without its rule. Exit
status 1 if a number is carried by no test, or a test carries a number there isn't.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent
LAST = {
    "G": 11,
    "T": 12,
    "A": 3,
    "S": 11,
    "P": 4,
    "M": 8,
    "C": 8,
    "BR": 5,
    "SC": 2,
    "V": 6,
    "X": 2,
    "B": 8,
    "L": 7,
    "Y": 4,
    "Z": 5,
    "U": 4,
    "HP": 7,
}
RULES = ("HP0", *(f"{letter}{number}" for letter, last in LAST.items() for number in range(1, last + 1)))
ELSEWHERE = frozenset("DEFIJKNOQRW")  # rules of tournaments.md and guarantees.md: they may stand, none has to
NOT_YET = frozenset({"X2", "S11"})  # still to come
OF_THE_API = "AP"  # rules of api.md


def list_marks(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, object]]:
    """Yield line and argument of every ``rule`` marker among the nodes of a test file; None for what isn't text."""
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"pytest.mark.rule", "mark.rule"}:
            for argument in node.args:
                yield node.lineno, argument.value if isinstance(argument, ast.Constant) else None


def carried(folder: Path) -> dict[object, list[str]]:
    """Return the places of each number, as ``file:line``, in the test files of a folder."""
    places: dict[object, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        for line, number in list_marks(ast.walk(ast.parse(path.read_text()))):
            places[number].append(f"{path.relative_to(folder)}:{line}")
    return places


def _is_elsewhere(number: object) -> bool:
    return str(number)[:1] in ELSEWHERE or str(number).startswith(OF_THE_API)


def report(carriers: dict[object, list[str]]) -> list[str]:
    """Return a sentence for each fault."""
    missing = [rule for rule in RULES if rule not in carriers and rule not in NOT_YET]
    unknown = [number for number in carriers if number not in RULES and not _is_elsewhere(number)]
    faults = [f"{number!r} is no rule: {', '.join(carriers[number])}" for number in unknown]
    return faults + ([f"No test carries: {' '.join(missing)}"] if missing else [])


def main() -> int:
    numbers = carried(ROOT)
    faults = report(numbers)
    for fault in faults:
        print(fault)  # noqa: T201 a program of the terminal
    if "-v" in sys.argv[1:]:
        for rule in RULES:
            print(rule, *numbers.get(rule, ["-"]))  # noqa: T201
    if not faults:
        print(f"All {len(RULES) - len(NOT_YET)} rules are carried by a test.")  # noqa: T201
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
