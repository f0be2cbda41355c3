"""LOBBY: the page of the lobby with 500 people here and 100 seeks, the messages to their sockets, the sweep's round."""

import json
from statistics import quantiles

from bench import sites
from bench.beside import milliseconds
from bench.tables import Table

PEOPLE, SEEKS, ROUNDS = 500, 100, 200


def run(people: int = PEOPLE, seeks: int = SEEKS, rounds: int = ROUNDS) -> Table:
    with sites.backing() as behind:
        command = ("-m", "bench.lobby_stage", str(people), str(seeks), str(rounds))
        figures = json.loads(behind.run(*command).splitlines()[-1])
    rows = []
    asked = (
        ("a visitor's page, everything read anew", figures["pages"]["anew"]),
        ("a visitor's, within a second of another", figures["pages"]["visitor"]),
        ("a player's, within a second of another", figures["pages"]["player"]),
        ("a round of the sweep in which nobody fits", figures["rounds"]),
    )
    for name, seconds in asked:
        parts = quantiles(seconds, n=100, method="inclusive")
        rows.append([name, milliseconds(parts[49]), milliseconds(parts[94])])
    for name, told in (("messages a second, told together", "together"), ("the same, each told by itself", "each")):
        rows.append([name, f"{figures['hints'][told]:,.0f}", ""])
    return Table(
        title=f"LOBBY: {people} people here, {seeks} seeks, 20 changes a second",
        headings=("what", "p50, or a second", "p95"),
        rows=rows,
        notes=["A page is the live region that a hint makes a reader ask for, in one process, without the line."],
    )
