"""A storm without kills over the live site: moves doubled, resent after a cut, stale, and about the end of a turn (H1).

Storms in which processes die are ``make soak``'s (test_storms.py, bench/storm/soak.py).
"""

import asyncio
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import connection

from bench.storm.clients import Crowd, Habits, StagedTable
from bench.storm.history import Evidence, History, Span, check, merge_spans
from bench.storm.run import HERE, read_granted, read_matches
from bench.storm.sealed import DECK_KEY
from bench.storm.spoils import list_unseen
from bench.storm.stage import stage_tables
from games.sweep import Lane, LaneThread, Sweep
from tests.support.live import Site

BUSY = Habits(edge=0.0, double=0.4, cut=0.25, sleep=0.0, stale=0.25)
AT_THE_EDGE = Habits(edge=1.0, double=0.4, cut=0.25, sleep=0.4, stale=0.0)  # a turn soon runs out


@pytest.fixture
def sweep(transactional_db: None) -> Iterator[None]:
    """The lane of the sweep that ends turns, beside the web server that does it too."""
    lane = LaneThread(Sweep(lanes={Lane.TURNS}), "turns", every=0.2)
    lane.start()
    yield
    lane.ended.set()
    lane.join()


def stage(turn_timeout: int) -> list[StagedTable]:
    """Open a table of two at Scopa."""
    return [StagedTable(row["table"], tuple(row["cookies"])) for row in stage_tables(1, turn_timeout)]


async def play(port: int, history: History, tables: dict[Habits, list[StagedTable]]) -> None:
    """Play every table to its end, all at the same time."""
    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        for habits, played in tables.items():
            group.create_task(Crowd([port], history, Random(1), habits).play_tables(played))


def query(*statements: str) -> list[list[tuple[Any, ...]]]:
    answers = []
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
            answers.append(cursor.fetchall())
    return answers


@pytest.mark.both_databases
def test_a_tiny_storm_loses_nothing_and_doubles_nothing_h1(live_site: Site, sweep: None, settings: Any) -> None:
    settings.DECK_KEYS = [DECK_KEY]
    history = History()
    asyncio.run(play(live_site.port, history, {BUSY: stage(60), AT_THE_EDGE: stage(1)}))
    matches = {match.table: match for match in read_matches(query)}
    evidence = Evidence(history, matches, (), time.time())
    report = check(evidence)
    assert report.faults == []
    assert len(matches) == 2
    assert all(match.status == "finished" for match in matches.values())
    assert report.figures["moves acknowledged"] >= 36
    assert report.figures["sent again or twice"]
    assert report.figures["connections cut by clients"]
    assert report.figures["turns that ran out"]
    assert {answer.code for answer in history.answered} >= {"", "stale"}
    assert list_unseen(evidence) == []


def test_what_the_log_says_was_made_good_is_time_that_nobody_lost(settings: Any) -> None:
    log = (
        '{"event": "web was away for 3.5 s, running deadlines extended", "timestamp": "2026-12-01T05:00:10Z"}\n'
        '{"event": "due work was slow", "timestamp": "2026-12-01T05:00:11Z"}\n'
        '{"event": "sweeper was away for 2.0 s, running deadlines extended", "timestamp": "2026-12-01T05:00:11.5Z"}\n'
    )
    assert HERE.key == settings.TIME_ZONE
    plain = "2026-12-01 06:00:10,000 WARNING games.outages: web was away for 3.5 s, running deadlines extended\n"
    assert read_granted(plain) == read_granted(log)[:1], "as it is written outside production, by the site's own hour"
    web, sweeper = read_granted(log)
    assert web.end - web.start == pytest.approx(3.6)
    assert sweeper.end - web.end == pytest.approx(1.5)
    assert merge_spans([sweeper, web]) == [Span(web.start, sweeper.end)], "both at once are no more than one"
    assert merge_spans([Span(5.0, 6.0), Span(1.0, 2.0)]) == [Span(1.0, 2.0), Span(5.0, 6.0)]
    report = check(Evidence(History(), {}, [Span(web.start, web.end)], 0.0, [web, sweeper]))
    assert report.figures["outages made good while all were there"] == 0
    assert report.figures["seconds made good"] > report.figures["seconds away"] > 3
