"""``python -m bench.storm [--layout started] [--tables 20 …]``: one storm by hand, with its progress and report."""

import argparse
import sys
import time
from functools import partial

from bench.storm.layouts import run_deployed, run_started
from bench.storm.run import Plan, storm


def main() -> int:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--layout", choices=("deployed", "started"), default="deployed")
    wanted.add_argument("--plant", default="", help="a fault of bench/storm/plants.py that every process gets")
    wanted.add_argument("--bus", choices=("", "lossy"), default="")
    for name in ("seed", "tables", "moves", "kills", "turn-timeout"):
        wanted.add_argument(f"--{name}", type=int)
    wanted.add_argument("--kill-every", type=float, default=1.5)
    wanted.add_argument("--seconds", type=float, default=120.0)
    args = wanted.parse_args()
    plan = Plan(
        seed=args.seed or 1,
        tables=args.tables or 20,
        moves=args.moves or 1000,
        kills=10 if args.kills is None else args.kills,
        kill_every=args.kill_every,
        turn_timeout=args.turn_timeout or 3,
        seconds=args.seconds,
    )
    run = {"deployed": run_deployed, "started": run_started}[args.layout]
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {text}", file=sys.stderr, flush=True)  # noqa: T201

    report = storm(partial(run, {"STORM_PLANT": args.plant, "STORM_BUS": args.bus}), plan, say)
    print(report)  # noqa: T201 a program of the terminal
    return 1 if report.faults or report.late else 0


if __name__ == "__main__":
    sys.exit(main())
