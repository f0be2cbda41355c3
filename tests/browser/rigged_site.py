"""Sites with one table of any game and known decks: ``python -m tests.browser.rigged_site TEMPLATE MIGRATED PASSWORD``.

One program for a whole run: it reads the product's code once, and makes of itself a process for each site that it is
asked for by a line of JSON: ``folder``, where the site's log is and its database (a copy of TEMPLATE: every table,
nobody in it; made by the first who needs it, of MIGRATED if that is there), and ``table``: ``ruleset``, ``length``
(kind and value), ``options``, ``names`` of who sits there in seat order, ``others`` who have an account and no seat,
``dealer``, ``decks`` (each the cards on top of one; what is dealt after them is shuffled as ever), ``openings``: how
many seconds there are to call before the first card of each deal (then as many as ever), ``played`` if the match is
over already, ``offer``: a module whose ``on_offer()`` puts a game on offer that isn't in the house, which the product
can't be told to. The site says in one line of its log where it is and what opens it, and serves until it is stopped.

Its cards are plain ones (rigged.py). Tests with the whole product see the real ones.
"""

import ctypes
import fcntl
import json
import os
import shutil
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import django

from config.launcher.processes import PR_SET_PDEATHSIG


def stacked(tops: list[str], openings: list[int], otherwise: Callable[[], list[int]]) -> Callable[[], list[int]]:
    """Decks with these cards on top, then real ones; each deal with its time to call."""
    from games import clocks
    from games.engine.cards import CARDS

    waiting = [[CARDS[name] for name in top.split()] for top in tops]
    times = [*(timedelta(seconds=seconds) for seconds in openings), clocks.OPENING]

    def next_deck() -> list[int]:
        clocks.OPENING = times.pop(0) if len(times) > 1 else times[0]
        if not waiting:
            return otherwise()
        top = waiting.pop(0)
        return [*top, *(card for card in CARDS.values() if card not in top)]

    return next_deck


def seat(password: str, table: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the path of the table, and everybody's session by name, as after a login."""
    from django.test import Client
    from django.utils import timezone

    from games.engine.game import Length
    from games.services import seating
    from players.models import Player, User
    from tests.support.people import take_house

    now = timezone.now()
    players, sessions = [], {}
    for name in [*table["names"], *table.get("others", [])]:
        user = User.objects.create_user(username=name.lower(), password=password)
        players.append(Player.objects.get_or_create(user=user, defaults={"name": name, "created_at": now})[0])
        client = Client()
        client.force_login(user)
        sessions[name] = client.cookies["sessionid"].value
    match = seating.open_match(
        ruleset=table["ruleset"],
        length=Length(*table["length"]),
        context="free",
        options=table.get("options", {}),
        players=[*players[: len(table["names"])], *take_house(count=table.get("house", 0), now=now)],
        turn_timeout=table.get("turn_timeout"),
        match_clock=None,
        noshow_after=None,
        first_dealer=table.get("dealer", 0),
        title="Tavolo di prova",
        absence=table.get("absence", "loses"),
        training=table.get("training", False),
        now=now,
    )
    if table.get("played"):
        played_out(match, players[: len(table["names"])])
    return f"/tavoli/{match.public_id}/", sessions


def played_out(match: Any, players: list[Any]) -> None:
    """Play the first legal card for everybody, to the end of the match."""
    from games.services import seating
    from tests.support.tables import CONTROLS, play_out

    for seat, player in enumerate(players):
        seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=match.opened_at)
        seating.sit_down(match_id=match.pk, player_id=player.pk, token=CONTROLS[seat], now=match.opened_at)
    play_out(match, match.opened_at)


def serve(password: str, table: dict[str, Any]) -> None:
    """Serve until a signal stops it."""
    import uvicorn
    from django.conf import settings as django_settings

    from config.asgi import application
    from games import locked_match as dealing
    from games import shuffles
    from games.sweep import Sweeper

    decks = stacked(table.get("decks", []), table.get("openings", []), dealing.shuffle_deck)
    with ExitStack() as stack:
        stack.enter_context(patch.object(dealing, "shuffle_deck", decks))
        if table.get("fair"):
            django_settings.MIXING_SECONDS = 5
        else:  # cards laid ready come from no secret
            stack.enter_context(patch.object(shuffles, "draw", lambda **_: None))
        if "offer" in table:
            stack.enter_context(import_module(table["offer"]).on_offer())
        listening = stack.enter_context(socket.socket())
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
        path, sessions = seat(password, table)
        if table.get("sweeping"):  # as the worker does: what is due, and the house's moves
            sweeper = Sweeper()
            sweeper.start()
            stack.callback(sweeper.stop)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        message = {"pid": os.getpid(), "address": address, "path": path, "sessions": sessions}
        print(json.dumps(message), flush=True)  # noqa: T201 the test reads it
        settings = uvicorn.Config(application, log_level="warning", ws_max_size=8192, timeout_graceful_shutdown=3)
        uvicorn.Server(settings).run(sockets=[listening])


def become_a_site(parent: int, template: Path, password: str, folder: Path, table: dict[str, Any]) -> None:
    """Serve a site in a new process, with that folder's database and log, and end with the parent."""
    from django.db import connections

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        return
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with (folder / "site.log").open("ab") as log, open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    connections["default"].settings_dict["NAME"] = str(shutil.copy(template, folder / "db.sqlite3"))
    serve(password, table)


def make(template: Path, migrated: Path) -> None:
    """The empty database, by whoever comes first."""
    from django.core.management import call_command
    from django.db import connections

    with template.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if template.exists():
            return
        growing = template.with_suffix(".new")
        if migrated.exists():
            shutil.copy(migrated, growing).rename(template)
            return
        connections["default"].settings_dict["NAME"] = str(growing)
        call_command("migrate", verbosity=0)
        with connections["default"].cursor() as cursor:
            cursor.execute("PRAGMA journal_mode=DELETE")  # all of it in the one file
        connections.close_all()
        growing.rename(template)


def main() -> None:
    django.setup()
    from django.urls import get_resolver

    template, migrated, password, parent = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], os.getpid()
    import config.asgi  # noqa: F401 read once, for every site

    get_resolver().check()
    make(template, migrated)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the sites
    for line in sys.stdin:
        asked = json.loads(line)
        if os.fork() == 0:
            try:
                become_a_site(parent, template, password, Path(asked["folder"]), asked["table"])
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)


if __name__ == "__main__":
    main()
