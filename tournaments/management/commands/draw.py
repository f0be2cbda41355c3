"""Command that prints the draw of a format for so many seeded entries, as JSON: to plan an evening, and for outside
checkers.

It reads the same tables and brackets that tournaments are drawn by (R1, K1, K2, Q1, D1), and touches no tournament.
"""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from players.web.requests import read_number
from tournaments.formats import FORMATS
from tournaments.formats.common.groups import fill_groups
from tournaments.formats.gironi import FORMAT as GROUPED

DEFAULT_GROUPS = 4


# The formats by the names of their examples.
EXAMPLES = {name: format_ for format_ in FORMATS.values() for name in format_.list_draw_examples()}
NAMES = (*EXAMPLES, "groups")


class Command(BaseCommand):
    help = (
        "Dice in JSON che cosa farebbe una formula con N iscritti: un girone i turni, un KO il tabellone, un doppio KO "
        "anche da dove si viene, circoli chi cambia posto per la protezione di circolo, groups i gironi a serpentina, "
        "un danese il primo turno."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("format", metavar="FORMAT", help=" | ".join(NAMES))
        parser.add_argument("entries", metavar="N", help="quanti iscritti")
        parser.add_argument("--groups", metavar="G", help=f"in quanti gironi (solo con groups; {DEFAULT_GROUPS})")

    def handle(self, *args: Any, format: str, entries: str, groups: str | None, **options: Any) -> None:
        if format not in NAMES:
            raise CommandError(f"Non c'è una formula {format!r}: scegli fra {', '.join(NAMES)}.", returncode=2)
        if groups is not None and format != "groups":
            raise CommandError("--groups vale solo con la formula groups.", returncode=2)
        if format == "groups":
            count = _read_number(DEFAULT_GROUPS if groups is None else groups, "I gironi", 1, GROUPED.max_size // 2)
            size = _read_number(entries, "Gli iscritti", 2 * count, GROUPED.max_size)
            shown: Any = [list(group) for group in fill_groups(size, count)]
        else:
            rules = EXAMPLES[format]
            shown = rules.list_draw_examples()[format](
                _read_number(entries, "Gli iscritti", rules.min_size, rules.max_size)
            )
        self.stdout.write(json.dumps(shown))


def _read_number(text: str | int, what: str, low: int, high: int) -> int:
    """Return a whole number in a range; CommandError with one sentence for anything else."""
    number = read_number(str(text), None, digits=9)
    if number is None or not low <= number <= high:
        raise CommandError(f"{what} sono un numero intero da {low} a {high}: {str(text)!r} non va.", returncode=2)
    return number
