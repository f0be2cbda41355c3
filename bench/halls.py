"""Real tables: a result of quick entry from request to answer (QUICK), and a danese of 1,024 drawn and stored (DANESE).

QUICK: one web process over SQLite; a row is sent as the page's script sends it, and the answer is the row with winner,
VP and MP. The bare page is one of the same site, asked for on the same connection by the same person, that reads
nothing but who they are. All tables of an evening are typed, then as many bare pages are asked for, in turns.

DANESE: what the organiser waits for at each step of the first two rounds; the second is paired by the standings.
"""

import http.client
import json
import re
from statistics import median
from time import perf_counter
from urllib.parse import urlencode

from bench import sites
from bench.beside import HEADINGS, Goal, Pair, milliseconds, row
from bench.tables import Table

EVENINGS, PLAYERS = 9, 24
BARE = "/privacy/"
QUICK_GOAL = Goal(10, at_most=True)
FIELDS_DRAWN, ENTRIES = 3, 1_024
SLOWEST = Goal(10.0, at_most=True)  # seconds (D5)
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
ROW = re.compile(r'name="fixture" value="(\d+)"[^>]*>\s*<input[^>]*name="stamp" value="([0-9a-f]*)"')


class Desk:
    """A browser's connection at which somebody is signed in."""

    def __init__(self, port: int, cookie: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = {"Cookie": cookie, "Accept": "text/html", "Accept-Language": "it"}

    def ask(self, method: str, path: str, body: str = "") -> str:
        """Return the page. RuntimeError if the answer isn't 200."""
        sent = self.headers | ({"Content-Type": "application/x-www-form-urlencoded"} if body else {})
        self.connection.request(method, path, body or None, sent)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise RuntimeError(f"{method} {path}: {answer.status}")
        for set_cookie in answer.headers.get_all("Set-Cookie") or ():
            self.headers["Cookie"] += f"; {set_cookie.partition(';')[0]}"
        return text

    def time(self, method: str, path: str, body: str = "") -> float:
        begun = perf_counter()
        self.ask(method, path, body)
        return perf_counter() - begun


def run_quick(evenings: int = EVENINGS, players: int = PLAYERS) -> Table:
    """Measure QUICK."""
    typed, bare = [], []
    with sites.backing("sqlite") as behind:
        opened = json.loads(behind.run("-m", "bench.hall_stage", "evenings", str(players), str(evenings + 1)))
        with sites.ours(behind) as site:
            for turn, evening in enumerate(opened):
                desk = Desk(site.port, evening["cookie"])
                page = desk.ask("GET", evening["path"])
                desk.ask("GET", BARE)
                token = TOKEN.search(page)
                found = ROW.findall(page)
                assert token is not None
                assert len(found) == players // 2, f"{len(found)} rows"
                forms = [
                    urlencode(
                        {
                            "csrfmiddlewaretoken": token[1],
                            "fixture": fixture,
                            "stamp": stamp,
                            "points_0": "7",
                            "points_1": "4",
                            "how": "",
                            "part": "1",
                        }
                    )
                    for fixture, stamp in found
                ]
                took = [(desk.time("POST", evening["path"], form), desk.time("GET", BARE)) for form in forms]
                if turn:  # the first evening imports and compiles what is used
                    typed.append(median(one for one, _other in took))
                    bare.append(median(other for _one, other in took))
    cells, short = row(f"a result, {players // 2} tables", Pair(typed, bare), milliseconds, QUICK_GOAL)
    return Table(
        title="QUICK: a result typed in quick entry, from request to answer, beside a bare page",
        headings=[heading.replace("the peer's", "a bare page") for heading in HEADINGS],
        rows=[cells],
        notes=[f"{evenings} evenings, the median of each; committed to SQLite, with standings, log and version."],
        short=[sentence.replace("the peer's", "a bare page") for sentence in short],
    )


def run_danese(fields: int = FIELDS_DRAWN, entries: int = ENTRIES) -> Table:
    """Measure DANESE."""
    with sites.backing("sqlite") as behind:
        found = json.loads(behind.run("-m", "bench.hall_stage", "rounds", str(entries), str(fields)))
    figures = [(step, median(took), max(took)) for step, took in found.items()]
    return Table(
        title=f"DANESE: a danese of {entries:,} at real tables, drawn and stored",
        headings=("what", "median", "the most", "goal"),
        rows=[[step, f"{middle:.2f} s", f"{most:.2f} s", f"≤ {SLOWEST.bound:g} s"] for step, middle, most in figures],
        notes=[f"{fields} fields, by the clock, committed to SQLite with fixtures, tables, standings and log."],
        short=[f"{step}: {most:.1f} s, the goal is 10 s." for step, _, most in figures if not SLOWEST.met(most)],
    )
