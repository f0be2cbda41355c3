"""Lateness of timeouts while members send forged tournaments of 10 MB one after another (AT11).

As SP7, with a web process beside the worker. The file is right to its last value but one, so that all of it is checked;
whoever has sent as many as one person may makes room for the next member, without a pause. A tenth of a second after a
refusal comes the next file: there is never none on its way.

``python -m bench.forged FILE ENTRIES ROUNDS MEGABYTES`` writes the file, in the environment of a site of its own.
"""

import http.client
import json
import sys
import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench import sites
from bench.beside import milliseconds
from bench.programs import set_up_django
from bench.tables import Table
from bench.timeouts import GOAL, SPREAD, TABLES, TURN, measure_lateness, summarise

ENTRIES, ROUNDS, MEGABYTES = 1_024, 3, 10
MEMBERS = 40
SAMPLE = 1_000  # lines of the log, by which one is weighed
PATIENCE = 120  # seconds for an answer
API = "/api/v1/tournaments/import/"


def run(tables: int = TABLES, entries: int = ENTRIES, megabytes: int = MEGABYTES, members: int = MEMBERS) -> Table:
    """Measure AT11."""
    with sites.backing() as behind:
        forged = behind.folder / "forged.json"
        with sites.backing() as elsewhere:
            elsewhere.run("-m", "bench.forged", str(forged), str(entries), str(ROUNDS), str(megabytes))
        keys = json.loads(behind.run("-m", "bench.stage", "keys", str(members)))
        with (
            sites.worker(behind),
            sites.ours(behind) as site,
            Senders(site.port, b'{"file": %b}' % forged.read_bytes(), keys) as senders,
        ):
            late = measure_lateness(behind, tables, SPREAD, TURN)
        size = forged.stat().st_size / 1e6
    figures = dict(zip(("p50", "p99", "the latest"), map(milliseconds, summarise(late)), strict=True))
    answers = ", ".join(f"{number} × {code}" for code, number in sorted(senders.answers.items()))
    return Table(
        title=f"AT11: how late {tables} timeouts are while forged tournaments of {size:.1f} MB come one after another",
        headings=("what", "late", "goal"),
        rows=[[name, value, "≤ 500 ms" if name == "p99" else ""] for name, value in figures.items()],
        notes=[f"Files were answered {answers}."],
        short=[] if GOAL.met(summarise(late)[1]) else [f"p99 is {figures['p99']}, the goal is 500 ms."],
    )


class Senders:
    """A member who sends the file until they may no more, then the next one; while the block lasts."""

    def __init__(self, port: int, data: bytes, keys: list[str]) -> None:
        self.port, self.data, self.keys = port, data, keys
        self.answers: Counter[str] = Counter()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.send)

    def __enter__(self) -> "Senders":
        self.thread.start()
        return self

    def __exit__(self, *_why: object) -> None:
        self.over.set()
        self.thread.join()

    def send(self) -> None:
        while not self.over.is_set() and self.keys:
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            headers = {"Authorization": f"Bearer {self.keys[0]}", "Idempotency-Key": str(uuid4())}
            line.request("POST", API, self.data, {**headers, "Content-Type": "application/json"})
            answer = line.getresponse()
            body = answer.read()
            code = json.loads(body).get("code", "") if answer.status >= 400 else ""
            self.answers[f"{answer.status} {code}".strip()] += 1
            if answer.status == 429:
                self.keys.pop(0)
            line.close()
            self.over.wait(0.1)


def forge(entries: int, rounds: int, megabytes: int) -> bytes:
    """Return the file of a danese with so many entries, its log so long that it has the size, its last line false."""
    from django.utils import timezone

    from bench.hall_stage import enter_names, write_results
    from bench.stage import people
    from players.models import Player
    from tournaments.desk.act import Act
    from tournaments.desk.results import Decision, set_result
    from tournaments.models import Fixture, LogEntry
    from tournaments.rounds import drafts
    from tournaments.transfer.document import Document
    from tournaments.transfer.outgoing import make_copy, make_document

    (organiser,) = people(1)
    Player.objects.filter(pk=organiser.pk).update(kind=Player.Kind.MEMBER)
    organiser.refresh_from_db()
    made = enter_names(organiser, entries)
    for number in range(1, rounds + 1):
        about: dict[str, Any] = {"tournament_id": made.pk, "by": organiser, "now": timezone.now()}
        drafts.draw_round(**about)
        drafts.publish_round(number=number, **about)
        fixtures = list(Fixture.objects.filter(round__tournament=made, round__number=number, second__isnull=False))
        write_results(fixtures[:-1])
        act = Act(by=organiser, reason="", now=timezone.now() + timedelta(seconds=1))
        decision = Decision(points=(7, 4), winner=0)
        set_result(tournament_id=made.pk, fixture_id=fixtures[-1].pk, decision=decision, act=act)
    made.refresh_from_db()
    now = timezone.now()
    entry = made.log.filter(code="entered_by_list").get()
    size, count = len(make_copy(made, now)), SAMPLE
    while size < megabytes * 1_000_000:
        line: dict[str, Any] = {"tournament": made, "player": organiser, "at": now}
        lines = (LogEntry(**line, code=entry.code, detail=entry.detail) for _ in range(count))
        LogEntry.objects.bulk_create(lines)
        before, size = size, len(make_copy(made, now))
        count = 1 + (megabytes * 1_000_000 - size) * count // (size - before)
    document: Document = make_document(made, now)
    document.body["log"][-1]["detail"] = {"nobody": 1}
    return document.encode()


def main() -> int:
    set_up_django()
    Path(sys.argv[1]).write_bytes(forge(*map(int, sys.argv[2:5])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
