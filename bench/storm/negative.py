"""``python -m bench.storm.negative [PLANT …]``: plant every fault, and print what caught it (all, or those named)."""

import sys
from dataclasses import replace

from bench.storm.backup import Backup
from bench.storm.history import Report
from bench.storm.layouts import run_deployed
from bench.storm.plants import PLANTS, Plant
from bench.storm.run import Plan, run_storm

QUICK = Plan(tables=12, moves=150, kills=0, seconds=30)


def catch(name: str, plan: Plan = QUICK) -> tuple[str, Report]:
    """Run a storm with the fault planted; return the words that caught it, empty if nothing did, and the report."""
    plant = PLANTS[name]
    with run_deployed({"STORM_PLANT": name, "STORM_BUS": plant.bus}) as layout:
        backup = Backup(layout, *plant.dump) if plant.dump else None
        evidence, report = run_storm(layout, build_plan(plant, plan), halfway=backup.make if backup else do_nothing)
        if backup:
            report.faults += backup.check(evidence)
    figures = [(key, value) for key, value in report.figures.items() if plant.figure and key.endswith(plant.figure)]
    caught = [f"{key}: {value:.3f}" for key, value in figures if value > plant.limit]
    caught += [fault for fault in [*report.faults, *report.late] if plant.caught_by and plant.caught_by in fault]
    return next(iter(caught), ""), report


def do_nothing() -> None:
    """No backup is made beside it."""


def build_plan(plant: Plant, plan: Plan) -> Plan:
    """Return the storm that a plant needs to do harm."""
    if plant.kills:
        plan = replace(plan, kills=plant.kills, killed=plant.killed, away=plant.away, kill_every=4.0)
    if plant.seconds:
        plan = replace(plan, matches=600, moves=10**9, seconds=plant.seconds, watch=True)
    return replace(plan, hostile_frames=plant.hostile_frames)


def main() -> int:
    missed = 0
    for name in sys.argv[1:] or PLANTS:
        words, report = catch(name)
        missed += not words
        if not words:
            print(report)  # noqa: T201
        print(f"{PLANTS[name].guarantee}  {name:<20} {words or 'NOT CAUGHT'}", flush=True)  # noqa: T201
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
