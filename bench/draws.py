"""Big fields (SP8) drawn and stored: a KO of 4096, a girone of 64 with its 2016 fixtures, beside brackets-manager.

Ours is the whole step that the sweep takes at the hour of the start, in one transaction on SQLite: seeds, lot, rounds,
fixtures, standings, log. The peer only keeps its own in memory. Both are programs that draw once whenever they are
asked to, and are asked in turns; each says how long it took and how much of the processor.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bench import peers, sites
from bench.beside import HEADINGS, Goal, Pair, in_turns, milliseconds, row
from bench.tables import Table

ROUNDS = 9
FIELDS = (
    ("ko", "single_elimination", 4096, Goal(0.5, at_most=True)),
    ("girone", "round_robin", 64, Goal(2, at_most=True)),
)
FIRST = 3  # draws of each program that don't count: the peer's compiler looks at what runs often


class Drawer:
    """A program that draws once for each line it reads, and writes the seconds it took: by the clock, of processor."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.of_processor: list[float] = []

    def __call__(self) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        by_clock, of_processor = json.loads(self.process.stdout.readline())
        self.of_processor.append(of_processor)
        return float(by_clock)


@contextmanager
def drawing(command: Sequence[str], **environment: object) -> Iterator[Drawer]:
    """The program while it runs, after its first draws."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        **environment,  # type: ignore[call-overload]
    ) as process:
        try:
            drawer = Drawer(process)
            for _ in range(FIRST):
                drawer()
            yield drawer
        finally:
            process.stdin.close()
            process.wait(timeout=60)


def run(rounds: int = ROUNDS, sizes: tuple[int, int] | None = None) -> Table:
    rows, short, notes = [], [], []
    with sites.backing("sqlite") as behind:
        for number, (format_, type_, usual, goal) in enumerate(FIELDS):
            size = usual if sizes is None else sizes[number]
            own = [sys.executable, "-m", "bench.fields", format_, str(size)]
            with drawing(own, env=dict(behind.env), cwd=sites.ROOT) as ours:
                try:
                    script = peers.brackets()
                except peers.Unavailable as error:
                    notes.append(str(error))
                    by_clock = in_turns(ours, None, rounds)
                    of_processor = Pair(ours.of_processor[-rounds:], [])
                else:
                    with drawing(["node", str(script), type_, str(size)]) as peer:
                        by_clock = in_turns(ours, peer, rounds)
                        of_processor = Pair(ours.of_processor[-rounds:], peer.of_processor[-rounds:])
            cells, faults = row(f"{format_}, {size:,} entries", by_clock, milliseconds, goal)
            rows += [cells, row(f"{format_}, of processor", of_processor, milliseconds)[0]]
            short += faults
    return Table(
        title="SP8: big fields drawn and stored, beside brackets-manager in memory",
        headings=HEADINGS,
        rows=rows,
        notes=["Ours is committed to SQLite, with seeds, lot and log.", *dict.fromkeys(notes)],
        short=short,
    )
