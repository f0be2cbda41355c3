"""What a format would do with so many seeded lines, as JSON: for who plans an evening, and for outside checkers.

It reads the same tables and brackets that tournaments are drawn by (R1, K1, K2, Q1, D1), and touches no tournament.
"""

import json
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.brackets import bracket_order, bracket_size
from tournaments.formats import FORMATS
from tournaments.formats.danese import first_pairs
from tournaments.groups import snake
from tournaments.pairing import Draw, Kind

Rows = list[list[int | None]]
GROUPS = 4  # unless --groups says otherwise


def girone(size: int, *, double: bool = False) -> list[Rows]:
    """Each round's pairs by the Berger tables, the first-named at seat 0; a rest is [n, null] (R1)."""
    plan = FORMATS["girone"].plan(Draw(size, {"double": double}), {})
    rounds: list[Rows] = [[] for _ in plan.names]
    for pairing in plan.pairings:
        rounds[pairing.slot.round - 1].append([pairing.first, pairing.second])
    return rounds


def ko(size: int) -> dict[str, Any]:
    """The bracket's places, the seeds that have a bye, and the pairs of the first round that play (K1, K2)."""
    plan = FORMATS["ko"].plan(Draw(size), {})
    first = [pairing for pairing in plan.pairings if pairing.slot.round == 1]
    return {
        "order": list(bracket_order(bracket_size(size))),
        "byes": sorted(pairing.first for pairing in first if pairing.kind is Kind.BYE and pairing.first is not None),
        "first_round": [[pairing.first, pairing.second] for pairing in first if pairing.kind is Kind.MATCH],
    }


def danese(size: int) -> list[Rows]:
    """The first round, the only one that depends on no result (D1); a bye is [n, null]."""
    return [[[first, second or None] for first, second in first_pairs(range(1, size + 1))]]


DRAWS: dict[str, Callable[[int], Any]] = {
    "girone": girone,
    "girone-doppio": lambda size: girone(size, double=True),
    "ko": ko,
    "danese": danese,
}
LIMITS = {"girone-doppio": "girone"}  # whose sizes they take, where not their own
NAMES = (*DRAWS, "groups")


class Command(BaseCommand):
    help = (
        "Dice in JSON che cosa farebbe una formula con N iscritti: girone e girone-doppio i turni, ko il tabellone, "
        "groups i gironi a serpentina, danese il primo turno."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("format", metavar="FORMAT", help=" | ".join(NAMES))
        parser.add_argument("lines", metavar="N", help="quanti iscritti")
        parser.add_argument("--groups", metavar="G", help=f"in quanti gironi (solo con groups; {GROUPS})")

    def handle(self, *args: Any, format: str, lines: str, groups: str | None, **options: Any) -> None:
        if format not in NAMES:
            raise CommandError(f"Non c'è una formula {format!r}: scegli fra {', '.join(NAMES)}.", returncode=2)
        if groups is not None and format != "groups":
            raise CommandError("--groups vale solo con la formula groups.", returncode=2)
        if format == "groups":
            count = _number(GROUPS if groups is None else groups, "I gironi", 1, FORMATS["gironi"].max_size // 2)
            size = _number(lines, "Gli iscritti", 2 * count, FORMATS["gironi"].max_size)
            found: Any = [list(group) for group in snake(size, count)]
        else:
            rules = FORMATS[LIMITS.get(format, format)]
            found = DRAWS[format](_number(lines, "Gli iscritti", rules.min_size, rules.max_size))
        self.stdout.write(json.dumps(found))


def _number(text: str | int, what: str, low: int, high: int) -> int:
    """A whole number in a range, or one sentence that says so."""
    given = str(text)
    if not (given.isascii() and given.isdigit() and len(given) < 10 and low <= int(given) <= high):
        raise CommandError(f"{what} sono un numero intero da {low} a {high}: {given!r} non va.", returncode=2)
    return int(given)
