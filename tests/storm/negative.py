"""``python -m tests.storm.negative [PLANT …]``: plant every fault, and print what caught it (all, or those named)."""

import sys
from functools import partial

from tests.storm.history import Report
from tests.storm.layouts import run_deployed
from tests.storm.plants import PLANTS, Plant
from tests.storm.run import Plan, storm

QUICK = Plan(tables=12, moves=150, kills=0, seconds=30)


def catch(name: str, plan: Plan = QUICK) -> tuple[str, Report]:
    """Run a storm with the fault planted; return the words that caught it, empty if nothing did, and the report."""
    plant = PLANTS[name]
    report = storm(partial(run_deployed, {"STORM_PLANT": name, "STORM_BUS": plant.bus}), build_plan(plant, plan))
    if plant.figure and report.figures.get(plant.figure, 0.0) > plant.limit:
        return f"{plant.figure}: {report.figures[plant.figure]:.3f}", report
    return next(
        (fault for fault in [*report.faults, *report.late] if plant.caught_by and plant.caught_by in fault), ""
    ), report


def build_plan(plant: Plant, plan: Plan) -> Plan:
    """Return the storm that a plant needs to do harm."""
    if not plant.kills:
        return plan
    return Plan(
        tables=plan.tables, moves=plan.moves, seconds=plan.seconds,
        kills=plant.kills, killed=plant.killed, away=plant.away, kill_every=4.0,
    )  # fmt: skip


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
