"""One storm: tables are played while processes die, until enough has happened; then the history is checked."""

import asyncio
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from bench.sites import run_program
from bench.storm.clients import Client, Crowd, Habits, StagedTable
from bench.storm.history import Evidence, History, MatchRows, MoveRow, Report, Span, check
from bench.storm.hostile import attack
from bench.storm.layouts import Deployed, KindClock, Layout, read_hour
from bench.storm.sealed import read_names
from bench.storm.watch import ProcessWatch

TEND_SECONDS = 0.1
ATTACKED, ATTACKERS_SEAT = 8, 1  # tables of two, where an honest player sits opposite
SETTLE_SECONDS = 4.0  # after the last move: whatever is overdue then is a fault
KILLED = ("web", "worker", "beat", "redis")
OURS = ("web", "worker")


@dataclass(frozen=True, slots=True)
class Plan:
    """Plan of a storm. It ends once ``moves`` are acknowledged and every kill was done, or after ``seconds``."""

    seed: int = 1
    tables: int = 20  # played at the same time
    matches: int = 0  # to open; 0: as many as so many moves may need
    moves: int = 1000
    kills: int = 10
    killed: tuple[str, ...] = KILLED  # kinds of processes
    kill_every: float = 1.5  # seconds, on average
    restarts: int = 0  # of one process of ours after the other, each once all work (the deployed layout's)
    away: float = 0.2  # seconds until what was killed is started again, on the deployed layout
    turn_timeout: int = 3  # seconds
    seconds: float = 120.0
    habits: Habits = field(default_factory=Habits)
    hostile_frames: int = 0  # of each of two attackers beside the players, one of them in a seat
    watch: bool = False  # measure what the processes use (H9)


HERE = ZoneInfo("Europe/Rome")  # settings.TIME_ZONE, by which lines of a log are dated outside production
SAID = r"\w+ was away for ([\d.]+) s, running deadlines extended"
MADE_GOOD = re.compile(rf'"event": "{SAID}", "timestamp": "([^"]+)"')  # as production writes it
MADE_GOOD_HERE = re.compile(rf"^(\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{{3}}) .*: {SAID}$", re.MULTILINE)  # else
TENTH = 0.1
Progress = Callable[[str], None]
Query = Callable[..., list[list[tuple[Any, ...]]]]  # statements, all of them at one moment


def run_storm(
    layout: Layout, plan: Plan, say: Progress = lambda text: None, halfway: Callable[[], None] = lambda: None
) -> tuple[Evidence, Report]:
    """Run a storm on a layout that works; what it leaves, and what the checker makes of it.

    ``halfway`` is called beside it, once half of the moves are made.
    """
    staged = run_program(layout.env, "-m", "bench.storm.stage", str(count_matches(plan)), str(plan.turn_timeout))
    tables = [StagedTable(one["table"], tuple(one["cookies"])) for one in json.loads(staged)]
    attacked = [table for table in tables if len(table.cookies) == 2][:ATTACKED] if plan.hostile_frames else []
    history, watch = History(), ProcessWatch()
    others = [table for table in tables if table not in attacked]
    killed = asyncio.run(play(layout, plan, others, attacked, history, watch, say, halfway))
    log = layout.read_logs()
    evidence = gather_evidence(history, layout.clock, layout.query_together, read_granted(log))
    report = check(evidence)
    report.figures |= {"processes killed": killed, **watch.measure_growth()}
    if history.hostile:
        report.figures["hostile frames"] = history.hostile
        report.faults += [
            f"{table.table}: hostile frames made moves"
            for table in attacked
            for row in evidence.matches[table.table].moves
            if row.client_id and row.text.startswith(str(ATTACKERS_SEAT))
        ]
    for words, number in count_tracebacks(log).items():
        report.figures[f"traceback: {words}"] = number
        if history.hostile and not killed:
            report.faults.append(f"hostile frames got a traceback: {words}")
    return evidence, report


def gather_evidence(history: History, clock: KindClock, query: Query, granted: Sequence[Span] = ()) -> Evidence:
    """Read what a database holds of the tables that somebody saw."""
    played = {view.table for view in history.viewed}
    matches = {match.table: match for match in read_matches(query) if match.table in played}
    return Evidence(history, matches, clock.find_outages(), time.time(), granted)


def read_granted(log: str) -> list[Span]:
    """Return the silences that processes made good, by what they logged at their ends: in tenths of a second."""
    ends = [(datetime.fromisoformat(at).timestamp(), float(seconds)) for seconds, at in MADE_GOOD.findall(log)]
    for at, thousandths, seconds in MADE_GOOD_HERE.findall(log):
        local = datetime.fromisoformat(at).replace(tzinfo=HERE)
        ends.append((local.timestamp() + int(thousandths) / 1000, float(seconds)))
    return [Span(end - seconds - TENTH, end) for end, seconds in ends]


def count_tracebacks(log: str) -> Counter[str]:
    """Count the tracebacks in a log by their last line, which says what was raised."""
    blocks = re.findall(r"^Traceback \(most recent call last\):\n(?:[ \t].*\n|\n)*(\S.*)", log, re.MULTILINE)
    return Counter(words[:100] for words in blocks)


def count_matches(plan: Plan) -> int:
    """Return how many matches to open: nobody may run out of tables."""
    return plan.matches or 3 * ATTACKED + max(6 * plan.tables, plan.moves // 5)


async def play(
    layout: Layout,
    plan: Plan,
    tables: Sequence[StagedTable],
    attacked: Sequence[StagedTable],
    history: History,
    watch: ProcessWatch,
    say: Progress,
    halfway: Callable[[], None],
) -> int:
    """Play and kill until the plan is done; the number of processes killed."""
    dice = Random(plan.seed)
    limit = time.monotonic() + plan.seconds
    killed = restarted = 0
    ends = plan.kills + plan.restarts

    def enough() -> bool:
        done = crowd.progress >= plan.moves and killed >= plan.kills and restarted >= plan.restarts
        return time.monotonic() > limit or done

    crowd = Crowd(layout.ports, history, dice, plan.habits)
    shares = [tables[number :: plan.tables] for number in range(plan.tables)]
    attackers = [
        asyncio.create_task(attack(layout.ports[0], attacked, seat, Random(f"{plan.seed} {seat}"), plan.hostile_frames))
        for seat in ((ATTACKERS_SEAT, None) if attacked else ())
    ]
    honest = [
        asyncio.create_task(Client(crowd, table.table, 0, table.cookies[0], Random(table.table)).play())
        for table in attacked
    ]
    half: asyncio.Task[None] | None = None
    players = asyncio.gather(*(crowd.play_tables(share) for share in shares))
    next_kill = time.monotonic() + plan.kill_every
    next_word = 0.0
    while not players.done():
        layout.tend()
        if plan.watch:
            watch.sample(layout.list_pids())
        if time.monotonic() >= next_kill and killed < plan.kills:
            victims = [name for name in layout.list_working() if name.partition("-")[0] in plan.killed]
            if victims:
                layout.kill(dice.choice(victims), plan.away)
                killed += 1
                next_kill = time.monotonic() + plan.kill_every * dice.uniform(0.5, 1.5)
        if restarted < plan.restarts and isinstance(layout, Deployed) and layout.is_up():
            ours = [name for name, process in layout.processes.items() if process.kind in OURS]
            layout.restart(ours[restarted % len(ours)])
            restarted += 1
        if time.monotonic() >= next_word:
            next_word = time.monotonic() + 5
            say(f"{crowd.progress:>6} of {plan.moves} moves, {killed + restarted:>3} of {ends} processes ended")
        if half is None and crowd.progress >= plan.moves / 2:
            half = asyncio.create_task(asyncio.to_thread(halfway))
        if enough():
            players.cancel()  # in the midst of everything: what they were told must hold all the same
        await asyncio.sleep(TEND_SECONDS)
    with suppress(asyncio.CancelledError):
        await players
    for attacker in attackers:
        history.hostile += await attacker
    for client in honest:
        client.cancel()
    await asyncio.gather(*honest, return_exceptions=True)
    if half is not None:
        await half
    calm = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < calm:
        layout.tend()
        await asyncio.sleep(TEND_SECONDS)
    return killed


MATCHES = """SELECT id, public_id, ruleset, players, length_kind, length_value, context, options, first_dealer, status,
 version, winner, decided_by, score_0, score_1, deadline_at FROM games_match WHERE title = 'Storm' ORDER BY id"""
DEALS = "SELECT d.id, d.match_id, d.deck FROM games_deal d ORDER BY d.match_id, d.number"
MOVES = "SELECT match_id, deal_id, version, text, client_id, played_at FROM games_move ORDER BY match_id, version"


def read_matches(query: Query) -> list[MatchRows]:
    """Read the tables of a storm as a database has them, without the product."""
    stored_moves, stored_deals, stored_matches = query(MOVES, DEALS, MATCHES)
    moves: dict[int, list[tuple[int, MoveRow]]] = defaultdict(list)
    for match_id, deal_id, version, text, client_id, played_at in stored_moves:
        moves[match_id].append((deal_id, MoveRow(version, text, client_id, read_hour(played_at) or 0.0)))
    deals: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for deal_id, match_id, deck in stored_deals:
        deals[match_id].append((deal_id, read_names(deck)))
    matches = []
    for row in stored_matches:
        pk, public_id, ruleset, players, kind, value, context, options, dealer = row[:9]
        record: dict[str, Any] = {
            "verbale": 1,
            "ruleset": ruleset,
            "players": players,
            "length": {kind: value},
            "context": context,
            "options": json.loads(options) if isinstance(options, str) else options,
            "first_dealer": dealer,
            "deals": [
                {"deck": deck, "moves": [move.text for at, move in moves[pk] if at == deal_id]}
                for deal_id, deck in deals[pk]
            ],
        }
        status, version, winner, decided_by, score_0, score_1, deadline = row[9:]
        matches.append(
            MatchRows(
                public_id, record, status, version, winner, decided_by, (score_0, score_1), read_hour(deadline),
                [move for _, move in moves[pk]],
            )
        )  # fmt: skip
    return matches


def storm(start: Callable[[], AbstractContextManager[Layout]], plan: Plan, say: Progress = lambda text: None) -> Report:
    """Start a layout, run a storm on it, stop it."""
    with start() as layout:
        return run_storm(layout, plan, say)[1]
