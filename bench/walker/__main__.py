"""``python -m bench.walker --seed N --walks K``: walk through tournaments, and say what is wrong with them (H11).

Walk number n of seed N is ``N-n``: ``--seed N-n`` takes that one again, with all its acts in order. ``N-n@size=8``
asks for modes. A walk that fails is made short by leaving acts out, as long as it fails. At the end stands the table of
pairs of modes that were visited; ``--rare`` has each walk visit a pair that was visited least. The ending is 1 if a
walk failed.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from bench.programs import set_up_django


@contextmanager
def open_database() -> Iterator[None]:
    """Have an empty database, and the servers of the tests."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    from tests import services

    servers = services.Servers()
    try:
        servers.start("sqlite")
        set_up_django()
        from django.test.utils import setup_test_environment

        from tests.support import empty_databases

        setup_test_environment()
        empty_databases.make()
        empty_databases.copy()
        yield
    finally:
        servers.stop()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.walker", description="Walk through tournaments.")
    parser.add_argument("--seed", default="1", help="of all walks, or of one: 1-17")
    parser.add_argument("--walks", type=int, default=300, help="how many")
    parser.add_argument("--minutes", type=float, default=60, help="the most they may take")
    parser.add_argument("--most", type=int, default=5, help="failing walks until it ends")
    parser.add_argument("--rare", action="store_true", help="choose modes by the pair that was visited least")
    parser.add_argument("--show", action="store_true", help="print every walk")
    parser.add_argument("--whole", action="store_true", help="don't make a failing walk short")
    options = parser.parse_args()
    with open_database():
        return walk_all(options)


def walk_all(options: argparse.Namespace) -> int:
    from django.db import transaction

    from bench.walker.modes import choose_rare_seed, print_table
    from bench.walker.walk import shorten, take_walk
    from bench.walker.world import make_world

    one = "-" in options.seed
    visited: Counter[tuple[str, str, str, str]] = Counter()
    counts: Counter[str] = Counter()
    failed, begun = 0, time.monotonic()
    with transaction.atomic():
        world = make_world()
        for number in range(1 if one else options.walks):
            seed = options.seed if one else f"{options.seed}-{number}"
            outcome = take_walk(world, choose_rare_seed(seed, visited) if options.rare else seed)
            visited.update(outcome.modes.list_pairs())
            counts += outcome.counts
            if outcome.fault and not options.whole:
                outcome = shorten(world, outcome)
            if outcome.fault or options.show or one:
                say(str(outcome))
            failed += bool(outcome.fault)
            if failed >= options.most or time.monotonic() - begun > 60 * options.minutes:
                break
        transaction.set_rollback(True)
    if not one:
        say(print_table(visited))
    say(", ".join(f"{name} {count}" for name, count in counts.most_common()))
    say(f"{number + 1} walks, {failed} failed, {time.monotonic() - begun:.1f} s")
    return int(bool(failed))


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 a program of the terminal


if __name__ == "__main__":
    sys.exit(main())
