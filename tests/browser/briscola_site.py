"""A site of its own with Briscola on offer: ``python -m tests.browser.briscola_site PASSWORD``, as a test starts it.

On a fresh database it seats Anna and Bruno at a table of one deal, says the table's address in one line, and serves
until it is stopped. The product itself can't be told to offer a game that isn't in the house.
"""

import os
import socket
import sys

import django


def seat(password: str) -> str:
    """The path of the table of Anna (seat 0) and Bruno."""
    from django.core.management import call_command
    from django.utils import timezone

    from games import services
    from games.engine.game import Length
    from players.models import Player, User

    call_command("migrate", verbosity=0)
    now = timezone.now()
    players = []
    for name in ("Anna", "Bruno"):
        user = User.objects.create_user(username=name.lower(), password=password)
        players.append(Player.objects.get_or_create(user=user, defaults={"name": name, "created_at": now})[0])
    match = services.open_match(
        ruleset="briscola",
        length=Length("deals", 1),
        context="free",
        options={},
        players=players,
        turn_timeout=None,
        match_clock=None,
        noshow_after=None,
        first_dealer=0,
        title="Briscola",
        now=now,
    )
    return f"/tavoli/{match.public_id}/"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    import uvicorn

    from config.asgi import application
    from tests.games.briscola.offer import on_offer

    with on_offer(), socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        print(address, seat(sys.argv[1]), flush=True)  # noqa: T201 the test reads it
        server = uvicorn.Server(uvicorn.Config(application, log_level="warning", ws_max_size=8192))
        server.run(sockets=[listening])


if __name__ == "__main__":
    main()
