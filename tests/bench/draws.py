"""SP8: big fields drawn and stored: a KO of 4096, a girone of 64 with its 2016 fixtures, beside brackets-manager.

Ours is the whole step that the sweep takes at the hour of the start, in one transaction on SQLite: seeds, lot, rounds,
fixtures, standings, log. The peer only keeps its own in memory.
"""

import json
import subprocess

from tests.bench import peers, sites
from tests.bench.beside import HEADINGS, Goal, Pair, milliseconds, row
from tests.bench.tables import Table

ROUNDS = 5
FIELDS = (
    ("ko", "single_elimination", 4096, Goal(0.5, at_most=True)),
    ("girone", "round_robin", 64, Goal(2, at_most=True)),
)
SECONDS = 600.0  # for the peer, at most


def run(rounds: int = ROUNDS, sizes: tuple[int, int] | None = None) -> Table:
    rows, short, notes = [], [], []
    with sites.backing("sqlite") as behind:
        for number, (format_, type_, usual, goal) in enumerate(FIELDS):
            size = usual if sizes is None else sizes[number]
            ours = json.loads(behind.run("-m", "tests.bench.fields", format_, str(rounds), str(size)))["ours"]
            try:
                theirs = peer(type_, rounds, size)
            except peers.Unavailable as error:
                theirs = []
                notes.append(str(error))
            cells, faults = row(f"{format_}, {size:,} entries", Pair(ours, theirs), milliseconds, goal)
            rows.append(cells)
            short += faults
    return Table(
        title="SP8: big fields drawn and stored, beside brackets-manager in memory",
        headings=HEADINGS,
        rows=rows,
        notes=["Ours is committed to SQLite, with seeds, lot and log.", *dict.fromkeys(notes)],
        short=short,
    )


def peer(type_: str, rounds: int, size: int) -> list[float]:
    command = ["node", str(peers.brackets()), type_, str(rounds), str(size)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=SECONDS)
    except subprocess.SubprocessError as error:
        raise peers.Unavailable(f"brackets-manager can't be measured: {type(error).__name__}.") from error
    return list(json.loads(done.stdout))
