"""``python -m bench.storm.soak [NAME …]``: the long storms and the planted faults, with progress and one report.

Every figure of docs/guarantees.md that is about time is measured here, on both layouts where it can differ. What falls
short is printed as short and makes the program fail. DOC=1 writes the figures into docs/storms.md as well.
"""

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from bench.storm import negative
from bench.storm.backup import Backup
from bench.storm.clients import Habits
from bench.storm.history import Report
from bench.storm.layouts import Deployed, Layout, run_deployed, run_started
from bench.storm.plants import PLANTS
from bench.storm.run import Plan, run_storm
from bench.tables import KeptTables, Table

LATE_MOST = 3.0  # seconds
ANSWERED, BESIDE_ATTACK = "a move answered, p99, s", "a move answered, p99, × without attackers"
MAX_FAULTS = 8  # told on the page; the program prints all
GROWTH_MOST = 10.0  # %, over the last two thirds of a long run
ALL_PLANTS = "plants"
DOC = Path(__file__).resolve().parent.parent.parent / "docs" / "storms.md"
ABOUT = """Written by `DOC=1 python -m bench.storm.soak`; a name after it runs that storm alone. Real processes are
played at and killed; clients resend, double, cut their connection and move at the last moment; the checker then
compares what they were told with what the database holds. How, and what is promised: [guarantees.md](guarantees.md)."""


@dataclass(frozen=True, slots=True)
class LongStorm:
    """Storm of ``make soak``: the guarantee it shows, its figures' limits, and whether they are met."""

    guarantee: str
    start: Callable[[Mapping[str, str]], AbstractContextManager[Layout]]
    plan: Plan
    limits: Mapping[str, float] = field(default_factory=dict)  # by figure, at most
    env: Mapping[str, str] = field(default_factory=dict)
    backup: bool = False


PUNCTUAL = {"lateness of timeouts, p95, s": 1.0, "lateness of timeouts, max, s": LATE_MOST}
LONG = {
    "h1-deployed": LongStorm(
        "H1",
        run_deployed,
        Plan(seed=11, tables=200, moves=20_000, kills=100, kill_every=4.0, seconds=1500),
        PUNCTUAL | {"a view after a cut, p95, s": 2.0, "a view after a server's end, p95, s": 5.0},
    ),
    "h1-started": LongStorm(
        "H1", run_started, Plan(seed=12, tables=100, moves=3_000, kills=24, kill_every=12.0, seconds=900), PUNCTUAL
    ),
    "h2-no-redis": LongStorm(
        "H2",
        run_deployed,
        Plan(seed=13, tables=50, moves=1_500, kills=1, killed=("redis",), away=60, seconds=180),
        {"lateness of timeouts, p99, s": 1.0, "a move answered, p99, s": 1.0},
    ),
    "h3-lossy-bus": LongStorm(
        "H3", run_deployed, Plan(seed=14, tables=50, moves=1_500, kills=0, seconds=180), {}, {"STORM_BUS": "lossy"}
    ),
    "h5-rolling-restart": LongStorm(
        "H5",
        run_deployed,
        Plan(seed=19, tables=50, moves=1_500, kills=0, restarts=12, seconds=240),
        PUNCTUAL | {"a view after a server's end, max, s": 5.0},
    ),
    "h6-database-killed": LongStorm(
        "H6",
        run_deployed,
        Plan(seed=15, tables=50, moves=1_500, kills=20, killed=("postgres",), kill_every=8, seconds=400),
    ),
    "h9-long-run": LongStorm(
        "H9",
        run_deployed,
        Plan(
            seed=16,
            tables=100,
            matches=6_000,
            moves=10**9,
            kills=0,
            seconds=1200,
            habits=Habits(edge=0.02, sleep=0.0),
            watch=True,
        ),
        PUNCTUAL,
    ),
    "h10-backup": LongStorm(
        "H10", run_deployed, Plan(seed=17, tables=30, moves=800, kills=0, seconds=120), {}, backup=True
    ),
    "at1-hostile-frames": LongStorm(
        "AT1",
        run_deployed,
        Plan(seed=18, tables=20, moves=1_500, kills=0, seconds=1_500, hostile_frames=500_000),
        {BESIDE_ATTACK: 2.0},
    ),
}  # fmt: skip


def run_long(storm: LongStorm, say: Callable[[str], None]) -> tuple[Report, list[str]]:
    """Run a long storm; its report, and what fell short of its limits."""
    calm = None
    if storm.plan.hostile_frames:
        with storm.start(storm.env) as layout:
            calm = run_storm(layout, replace(storm.plan, hostile_frames=0), say)[1]
    with storm.start(storm.env) as layout:
        backup = Backup(layout) if storm.backup and isinstance(layout, Deployed) else None
        evidence, report = run_storm(layout, storm.plan, say, lambda: None if backup is None else backup.make())
        if backup is not None:
            report.faults += backup.check(evidence)
    if calm is not None:
        report.figures[BESIDE_ATTACK] = report.figures[ANSWERED] / calm.figures[ANSWERED]
    short = [
        f"{name} is {report.figures[name]:.2f}, promised is at most {limit:g}"
        for name, limit in storm.limits.items()
        if report.figures.get(name, 0.0) > limit
    ]
    short += [f"{name} {value:.1f}" for name, value in report.figures.items() if "grew" in name and value > GROWTH_MOST]
    return report, [*short, *report.late, *report.faults]


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 a program of the terminal


def build_table(storm: LongStorm, report: Report, short: Sequence[str]) -> Table:
    """Return all figures of a storm, with their limits."""
    plan = storm.plan
    beside = f", {plan.kills} kills of {', '.join(plan.killed)}" if plan.kills else ""
    beside += f", {plan.restarts} restarts, one after the other" if plan.restarts else ""
    return Table(
        title=f"{storm.guarantee}: {plan.tables} tables at the same time{beside}",
        headings=("what", "figure", "goal"),
        rows=[
            [
                name,
                show(figure),
                f"≤ {storm.limits[name]:g}" if name in storm.limits else "",
            ]
            for name, figure in report.figures.items()
        ],
        short=short,
    )


def shorten(faults: Sequence[str]) -> list[str]:
    """Return the first faults, and how many more there are: the page is read by people."""
    more = len(faults) - MAX_FAULTS
    return [*faults[:MAX_FAULTS], *([f"and {more} more like these."] if more > 0 else [])]


def show(figure: float) -> str:
    return f"{figure:,.3f}".rstrip("0").rstrip(".")


def catch_plant(name: str) -> Sequence[str]:
    """Plant a fault: the row that says what caught it, with an empty last cell if nothing did."""
    words, _ = negative.catch(name)
    return [PLANTS[name].guarantee, name.replace("_", " "), words]


def build_plants_table(rows: Sequence[Sequence[str]]) -> Table:
    """Return what caught each planted fault."""
    return Table(
        title="Faults planted into every process, and what caught them",
        headings=("promise", "planted", "caught by"),
        rows=rows,
        short=[f"{name} was not caught." for _, name, words in rows if not words],
    )


def main() -> int:
    chosen = sys.argv[1:] or [*LONG, ALL_PLANTS]
    page = KeptTables(DOC, "# Storms", ABOUT, [*LONG, ALL_PLANTS]) if os.environ.get("DOC", "").strip() else None
    summary: list[str] = []
    failed = False
    for name in chosen:
        say(f"\n=== {name} ===")
        if name == ALL_PLANTS:
            rows = []
            for plant in PLANTS:
                rows.append(catch_plant(plant))
                say("  ".join(cell or "NOT CAUGHT" for cell in rows[-1]))
            table = build_plants_table(rows)
        else:
            report, short = run_long(LONG[name], partial(tell, time.monotonic()))
            table = build_table(LONG[name], report, short)
        say(str(table))
        if page is not None:
            page.write(name, replace(table, short=shorten(table.short)))
        failed |= bool(table.short)
        summary.append(f"{name:<20} {f'SHORT: {table.short[0]}' if table.short else 'held'}")
    say("\n" + "\n".join(summary))
    return 1 if failed else 0


def tell(began: float, text: str) -> None:
    say(f"{time.monotonic() - began:6.0f} s  {text}")


if __name__ == "__main__":
    sys.exit(main())
