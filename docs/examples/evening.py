"""An evening by the API: a KO from a CSV of names, its draw, its results, its ranking. Python's own library is enough.

    python evening.py --site https://example.org --key smz_… [--real] players.csv results.csv

``players.csv`` has a name a line; they accept their invitations, and then the organiser draws. With ``--real`` it is
played at real tables, and they are names without accounts, who are all there. ``results.csv`` has
``round,board,first,second`` a line, the points of each side. Run again, it goes on from where it was: every write has a
key of its own, and is done once.
"""

import argparse
import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypedDict
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Entry(TypedDict):
    id: int
    name: str


class Fixture(TypedDict):
    round: int
    board: int
    first: Entry | None
    second: Entry | None
    points: list[int] | None
    winner: int | None


class Standing(TypedDict):
    entry: Entry
    rank: int | None


class ApiError(Exception):
    """Refusal of the API: its status, its code, and the sentence for people."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(f"{status} {problem['code']}: {problem['detail']} {problem.get('errors', '')}")
        self.status, self.code = status, str(problem["code"])


@dataclass(frozen=True)
class Site:
    """A site and the key that opens it."""

    url: str
    key: str

    def read(self, path: str) -> Any:
        """Return what an address answers."""
        return self._ask("GET", self._find(path))

    def read_all(self, path: str) -> Iterator[Any]:
        """Yield every row of a list, page after page."""
        following: str | None = self._find(path)
        while following:
            page = self._ask("GET", following)
            yield from page["results"]
            following = page["next"]

    def write(self, method: str, path: str, body: dict[str, Any]) -> Any:
        """Write once: whoever runs this again writes the same, and gets the first answer."""
        once = sha256(json.dumps([method, path, body], sort_keys=True).encode()).hexdigest()
        return self._ask(method, self._find(path), body, {"Idempotency-Key": once})

    def _find(self, path: str) -> str:
        return f"{self.url.rstrip('/')}/api/v1/{path}"

    def _ask(self, method: str, url: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        sent = {"Authorization": f"Bearer {self.key}", "Accept": "application/json", **(headers or {})}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            sent["Content-Type"] = "application/json"
        try:
            with urlopen(Request(url, data, sent, method=method)) as answer:
                text = answer.read()
        except HTTPError as error:
            raise ApiError(error.code, json.load(error)) from None
        return json.loads(text) if text else None


def make_tournament(site: Site, name: str, players: list[str], *, real: bool) -> str:
    """Make a KO for these players, invite them, and open it; at real tables they are entered. Return its id."""
    settings = {"name": name, "format": "ko", "ruleset": "scopa", "length_kind": "deals", "length_value": 1}
    own = {"max_entries": len(players), "registration": "list", "publishes_rounds": True}
    own["venue"] = "real" if real else "site"
    tournament = site.write("POST", "tournaments/", {**settings, **own})
    public_id = str(tournament["public_id"])
    entries = [{"player": player} for player in players]
    site.write("POST", f"tournaments/{public_id}/entries/", {"entries": entries})
    if site.read(f"tournaments/{public_id}/")["tournament"]["state"] == "draft":
        site.write("POST", f"tournaments/{public_id}/publish/", {})
    return public_id


def draw(site: Site, public_id: str, *, real: bool) -> list[Fixture]:
    """Draw and publish the first round, unless that was done; at real tables all are there. Return its fixtures."""
    path = f"tournaments/{public_id}"
    if site.read(f"{path}/")["tournament"]["state"] not in ("running", "finished"):
        if real:
            site.write("POST", f"{path}/roll-call/", {})
        draft = site.write("POST", f"{path}/rounds/draw/", {})
        site.write("POST", f"{path}/rounds/publish/", {"round": 1, "key": draft["key"]})
    return list(site.read_all(f"{path}/fixtures/?round=1"))


def enter_result(site: Site, public_id: str, round_: int, board: int, points: tuple[int, int]) -> Fixture:
    """Enter the points of a fixture; who has more has won."""
    path = f"tournaments/{public_id}/fixtures/{round_}-{board}/result/"
    result: Fixture = site.write("PUT", path, {"points": list(points), "reason": "Serata al circolo"})
    return result


def publish_round(site: Site, public_id: str, number: int) -> None:
    """Publish a round that follows from the draw, unless it was."""
    try:
        site.write("POST", f"tournaments/{public_id}/rounds/publish/", {"round": number})
    except ApiError as error:
        if error.code != "round_published":
            raise


def list_ranking(site: Site, public_id: str) -> list[Standing]:
    """Return the ranking, best first."""
    return list(site.read_all(f"tournaments/{public_id}/standings/"))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="A KO from a CSV of names, by the API")
    parser.add_argument("--site", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--name", default="Serata")
    parser.add_argument("--real", action="store_true", help="at real tables, by names without accounts")
    parser.add_argument("players", type=Path)
    parser.add_argument("results", type=Path)
    options = parser.parse_args(arguments)
    site = Site(options.site, options.key)
    with options.players.open(newline="", encoding="utf-8-sig") as file:
        players = [row[0] for row in csv.reader(file) if row]
    public_id = make_tournament(site, options.name, players, real=options.real)
    entered = len(list(site.read_all(f"tournaments/{public_id}/entries/")))
    if entered < len(players):
        print(f"{public_id}: {entered} of {len(players)} have accepted. Run this again when all have.")
        return 0
    for fixture in draw(site, public_id, real=options.real):
        sides = [side["name"] if side else "-" for side in (fixture["first"], fixture["second"])]
        print(f"{fixture['board']}: {' - '.join(sides)}")
    with options.results.open(newline="", encoding="utf-8-sig") as file:
        results = [tuple(int(cell) for cell in row) for row in csv.reader(file) if row]
    for number in sorted({round_ for round_, *_rest in results}):
        if number > 1:
            publish_round(site, public_id, number)
        for round_, board, first, second in results:
            if round_ == number:
                enter_result(site, public_id, round_, board, (first, second))
    for row in list_ranking(site, public_id):
        print(f"{row['rank']}. {row['entry']['name']}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ApiError as refusal:
        sys.exit(str(refusal))
