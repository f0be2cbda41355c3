"""A site of its own with one table of any game and known decks: ``python -m tests.browser.rigged_site PASSWORD TABLE``.

TABLE is JSON: ``ruleset``, ``length`` (kind and value), ``options``, ``names`` of who sits there in seat order,
``others`` who have an account and no seat,
``dealer``, ``decks`` (each the cards on top of one; what is dealt after them is shuffled as ever), ``played`` if the
match is over already, ``offer``: a module whose ``on_offer()`` puts a game on offer that isn't in the house, which the
product can't be told to. On a fresh database it says the site's address and the table's in one line, and serves until
it is stopped.
"""

import json
import os
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from typing import Any
from unittest.mock import patch

import django


def stacked(tops: list[str], otherwise: Callable[[], list[int]]) -> Callable[[], list[int]]:
    """Decks with these cards on top, then real ones."""
    from games.engine.cards import CARDS

    waiting = [[CARDS[name] for name in top.split()] for top in tops]

    def next_deck() -> list[int]:
        if not waiting:
            return otherwise()
        top = waiting.pop(0)
        return [*top, *(card for card in CARDS.values() if card not in top)]

    return next_deck


def seat(password: str, table: dict[str, Any]) -> str:
    """The path of the table."""
    from django.core.management import call_command
    from django.utils import timezone

    from games import services
    from games.engine.game import Length
    from players.models import Player, User

    call_command("migrate", verbosity=0)
    now = timezone.now()
    players = []
    for name in [*table["names"], *table.get("others", [])]:
        user = User.objects.create_user(username=name.lower(), password=password)
        players.append(Player.objects.get_or_create(user=user, defaults={"name": name, "created_at": now})[0])
    match = services.open_match(
        ruleset=table["ruleset"],
        length=Length(*table["length"]),
        context="free",
        options=table.get("options", {}),
        players=players[: len(table["names"])],
        turn_timeout=None,
        match_clock=None,
        noshow_after=None,
        first_dealer=table.get("dealer", 0),
        title="Tavolo di prova",
        now=now,
    )
    if table.get("played"):
        played_out(match, players[: len(table["names"])])
    return f"/tavoli/{match.public_id}/"


def played_out(match: Any, players: list[Any]) -> None:
    """Everybody comes and plays the first card he may, to the end of the match."""
    from games import services
    from tests.games.tables import CONTROLS, play_out

    for seat, player in enumerate(players):
        services.arrive(match_id=match.pk, player_id=player.pk, now=match.opened_at)
        services.claim_seat(match_id=match.pk, player_id=player.pk, token=CONTROLS[seat], now=match.opened_at)
    play_out(match, match.opened_at)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    import uvicorn

    from config.asgi import application
    from games import table as dealing

    table = json.loads(sys.argv[2])
    decks = stacked(table.get("decks", []), dealing.shuffled)
    with ExitStack() as stack:
        stack.enter_context(patch.object(dealing, "shuffled", decks))
        if "offer" in table:
            stack.enter_context(import_module(table["offer"]).on_offer())
        listening = stack.enter_context(socket.socket())
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        print(address, seat(sys.argv[1], table), flush=True)  # noqa: T201 the test reads it
        settings = uvicorn.Config(application, log_level="warning", ws_max_size=8192, timeout_graceful_shutdown=3)
        uvicorn.Server(settings).run(sockets=[listening])


if __name__ == "__main__":
    main()
