"""``python -m bench.mutants``: change a few places of the code by chance, and count the changes that tests see.

A mutant is one changed place of a room's functions: a comparison, a condition, a sum, a constant, what is returned, a
call that is dropped. Places are drawn by a seed from the names they have (file, function, change and how many alike
come before it there), so another tree has the same mutants wherever its functions are the same.

The tests of all rooms are collected once. A forked process runs them as everything is, and writes down which of them
run which of the functions. Then one is forked for each mutant: its function gets the changed code in place, and those
tests that run it follow, the quickest first, until one is red. What runs too long counts as seen.

It says nothing of code outside functions or run while modules are imported, nor of what only a process sees that a test
starts: there the code is whole.
Run from the root of a checkout; of the tests there it needs pytest alone.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bench.mutants import forks
from bench.mutants.choice import ROOMS, ROOT, change_source, choose_mutants, list_missing_tests, list_test_paths
from bench.mutants.forks import say
from bench.mutants.runs import SEEN, Plugin, Verdict

Json = dict[str, Any]


def describe_rooms(verdicts: Sequence[Verdict], rooms: Sequence[str]) -> list[Json]:
    rows = []
    for room in rooms:
        own = [verdict for verdict in verdicts if verdict.mutant.room == room]
        count = Counter(verdict.outcome for verdict in own)
        rows.append(
            {
                "room": room,
                "mutants": len(own),
                "killed": sum(count[outcome] for outcome in SEEN),
                "survived": count["survived"],
                "untested": count["untested"],
                "seconds": round(sum(verdict.seconds for verdict in own), 1),
            }
        )
    return rows


def show(verdicts: Sequence[Verdict], rooms: Sequence[str]) -> str:
    lines = ["", f"{'room':10} {'mutants':>8} {'killed':>8} {'survived':>8} {'untested':>8} {'seconds':>8}"]
    rows = describe_rooms(verdicts, rooms)
    total = {name: round(sum(row[name] for row in rows), 1) for name in rows[0] if name != "room"}
    for row in [*rows, {"room": "all", **total}]:
        lines.append(f"{row['room']:10} " + " ".join(f"{row[name]:>8}" for name in total))
    for verdict in verdicts:
        if verdict.outcome in ("survived", "untested"):
            mutant = verdict.mutant
            lines += [
                "",
                f"{verdict.outcome}: {mutant.file}:{mutant.line} {mutant.function}, {mutant.change}, {verdict.change}: "
                f"{verdict.tests} tests run it",
                f"    {mutant.shown}",
            ]
    return "\n".join(lines)


def describe(verdicts: Sequence[Verdict], options: argparse.Namespace) -> Json:
    """Return all of it for a file."""
    mutants = [
        {
            "name": verdict.mutant.name,
            **asdict(verdict.mutant),
            "what": verdict.change,
            **{name: getattr(verdict, name) for name in ("outcome", "by", "tests", "seconds")},
        }
        for verdict in verdicts
    ]
    return {
        "seed": options.seed,
        "count": options.count,
        "rooms": describe_rooms(verdicts, options.rooms),
        "mutants": mutants,
    }


def compare(verdicts: Sequence[Verdict], other: Json) -> str:
    """Tell which mutants another tree has too, and of which of those something else came there."""
    before = {mutant["name"]: mutant["outcome"] for mutant in other["mutants"]}
    both = [verdict for verdict in verdicts if verdict.mutant.name in before]
    lines = [f"{len(both)} of {len(verdicts)} mutants are in the other file too"]
    for verdict in both:
        outcomes = before[verdict.mutant.name], verdict.outcome
        if (outcomes[0] in SEEN) != (outcomes[1] in SEEN):
            lines.append(f"{outcomes[0]} → {outcomes[1]}: {verdict.mutant.name} {verdict.change}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description="Count changes that tests see.")
    parser.add_argument("--rooms", nargs="+", choices=sorted(ROOMS), default=list(ROOMS))
    parser.add_argument("--count", type=int, default=12, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--out", type=Path, help="a file for the same as JSON")
    parser.add_argument(
        "--beside", type=Path, help="such a file of another tree: what came of a mutant otherwise there"
    )
    parser.add_argument("--list", action="store_true", help="only name the mutants, without a test")
    options = parser.parse_args(arguments)
    mutants = [mutant for room in options.rooms for mutant in choose_mutants(room, options.count, options.seed)]
    if options.list:
        for mutant in mutants:
            say(f"{mutant.name}  {change_source(mutant)[1]}  {mutant.file}:{mutant.line}: {mutant.shown}")
        return 0
    for missing in (name for room in options.rooms for name in list_missing_tests(room)):
        say(f"not here: {missing}")
    forks.keep_output()
    sys.path.insert(0, str(ROOT))
    plugin = Plugin(mutants)
    paths = list(dict.fromkeys(path for room in options.rooms for path in list_test_paths(room)))
    began = time.monotonic()
    chosen = ["-q", "-p", "no:playwright", "-p", "no:cacheprovider", "-m", "not soak", "--tb=no", *paths]
    code = pytest.main(chosen, plugins=[plugin])
    if options.out:
        options.out.write_text(json.dumps(describe(plugin.verdicts, options), indent=1, ensure_ascii=False))
    if len(plugin.verdicts) < len(mutants):
        say(f"broken off: pytest ended with {code} after {len(plugin.verdicts)} of {len(mutants)} mutants")
        return 1
    say(show(plugin.verdicts, options.rooms))
    say(f"seed {options.seed}, {time.monotonic() - began:.0f} s in all")
    if options.beside:
        say(compare(plugin.verdicts, json.loads(options.beside.read_text())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
