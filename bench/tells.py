"""Tells by time (N3): what a spy with a stopwatch learns of cards that are hidden from them.

Twice the same question: of two times, one taken where the hidden cards were so and one where they were otherwise, how
often does the spy who bets on the longer one bet right? Half of the time, if time tells nothing.

Refusals: a leader tries to play cards they don't hold, in turns one that the opponent holds and one that lies in the
stock. House players: plays with one legal card beside plays with several, at the same places of a trick.
"""

import asyncio
import json
import random
import time
from collections.abc import Sequence
from math import sqrt
from statistics import median
from typing import Any

from bench import sites
from bench.beside import milliseconds
from bench.languages import LANGUAGES, Place
from bench.sites import Backing
from bench.tables import Table
from bench.wire import Socket, dial

GUESSED_AT, HOUSE_TABLES = 24, 120
GUESSES = 80  # a table: below the frames a socket may send in 20 seconds
WIDE = 2.58  # standard deviations on each side: 99 in 100
SILENCE = 5.0  # seconds


def run(guessed_at: int = GUESSED_AT, house_tables: int = HOUSE_TABLES, plays: int = 40) -> Table:
    """Measure both; ``plays`` of each of the house's tables are waited for, at most a deal's 40."""
    with sites.backing() as behind:
        opponents, stocks = _measure_refusals(behind, guessed_at)
        with sites.worker(behind):
            forced, chosen = json.loads(
                behind.run("-m", "bench.house_times", str(house_tables), str(plays)),
            )
    pairs = [
        ("refusal of a card the opponent holds", opponents, "of one in the stock", stocks),
        ("the house's play of its only card", forced, "of one among several", chosen),
    ]
    rows, short = [], []
    for what, ones, others, rest in pairs:
        share, width = compute_bets_won(ones, rest)
        rows.append(
            [
                f"{what}, beside that {others}",
                f"{len(ones):,} and {len(rest):,}",
                f"{milliseconds(median(ones))} and {milliseconds(median(rest))}",
                f"{share:.1%} ± {width:.1%}",
                "50 %",
            ]
        )
        if abs(share - 0.5) > width:
            short.append(f"{what}: the spy wins {share:.1%} of the bets, which isn't chance.")
    return Table(
        title="N3: what time tells of hidden cards",
        headings=("times compared", "how many", "medians", "bets the spy wins, 99 % interval", "goal"),
        rows=rows,
        notes=["The spy bets that the longer of two times is of the first kind. What is timed: bench/tells.py."],
        short=short,
    )


def compute_bets_won(ones: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """Return the share of all pairs in which the one is longer (equal ones count half), and half the width of the
    interval it lies in by chance (Mann and Whitney)."""
    merged = sorted([(value, 1) for value in ones] + [(value, 0) for value in others])
    ranks, at = 0.0, 0
    while at < len(merged):
        end = at
        while end < len(merged) and merged[end][0] == merged[at][0]:
            end += 1
        ranks += (at + 1 + end) / 2 * sum(kind for _, kind in merged[at:end])
        at = end
    first, second = len(ones), len(others)
    share = (ranks - first * (first + 1) / 2) / (first * second)
    return share, WIDE * sqrt((first + second + 1) / (12 * first * second))


def _measure_refusals(behind: Backing, tables: int) -> tuple[list[float], list[float]]:
    """Return the seconds each refusal took: of cards the opponents hold, of cards in the stocks."""
    staged = json.loads(behind.run("-m", "bench.stage", "dealt", str(tables)))
    with sites.ours(behind) as site:
        return asyncio.run(_guess(site.port, staged))


async def _guess(port: int, staged: Sequence[tuple[str, str, list[str], list[str]]]) -> tuple[list[float], list[float]]:
    spies = [Spy(Place(table, 1, cookie), opponents, stock) for table, cookie, opponents, stock in staged]
    for spy in spies:
        await spy.sit_down(port)
    for _ in range(GUESSES):
        for spy in spies:
            await spy.guess()
    for spy in spies:
        spy.leave()
    return [time for spy in spies for time in spy.opponents], [time for spy in spies for time in spy.stock]


class Spy:
    """Seat whose turn it is, that tries cards it doesn't hold and takes the time of each refusal."""

    def __init__(self, place: Place, opponents: Sequence[str], stock: Sequence[str]) -> None:
        self.place = place
        self.opponents: list[float] = []
        self.stock: list[float] = []
        self._version = -1
        self._socket: Socket | None = None
        self._refused = asyncio.Event()
        kinds = (list(opponents), self.opponents), (list(stock), self.stock)
        self._tries = [(random.choice(cards), times) for cards, times in kinds for _ in range(GUESSES // 2)]
        random.shuffle(self._tries)

    async def sit_down(self, port: int) -> None:
        language = LANGUAGES["ours"]
        self._socket = await dial(port, language.path(self.place), language.headers(port, self.place), self._hear)
        await self._wait()

    async def guess(self) -> None:
        assert self._socket is not None
        card, times = self._tries.pop()
        text = LANGUAGES["ours"].move(f"play {card}", self._version, self.place)
        self._refused.clear()
        began = time.perf_counter()
        self._socket.send(text)
        await self._wait()
        times.append(time.perf_counter() - began)

    def leave(self) -> None:
        assert self._socket is not None
        self._socket.hang_up()

    async def _wait(self) -> None:
        async with asyncio.timeout(SILENCE):
            await self._refused.wait()

    def _hear(self, text: str) -> None:
        frame: dict[str, Any] = json.loads(text)
        match frame["t"]:
            case "view":
                first = self._version < 0
                self._version = frame["v"]
                if first:
                    self._refused.set()
            case "error":
                self._refused.set()
            case "ack":
                raise RuntimeError("a card nobody may play was taken")
