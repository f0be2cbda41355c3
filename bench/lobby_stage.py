"""``python -m bench.lobby_stage PEOPLE SEEKS ROUNDS``: a crowded lobby in the database of a bench; figures, as
JSON.

So many people have a page open, some of them seek a match that nobody else seeks, and twenty times a second somebody
comes or goes. ``pages``: seconds of a live region of the lobby, for a visitor and for a player, nothing of which is
kept from the answer before, and of those within a second of another, which share what is alike for all. ``hints``:
messages a second to the sockets of all, told together and told each by itself. ``rounds``: seconds of the sweep's
round.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from datetime import timedelta
from time import perf_counter
from typing import Any

from bench.programs import set_up_django
from bench.stage import people

CHANGES_A_SECOND, HINT_SECONDS = 20, 12.0


def timed(act: Callable[[], Any]) -> float:
    start = perf_counter()
    act()
    return perf_counter() - start


def measure_pages(rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each answer, by whoever asked and what was kept."""
    from django.test import Client

    from players import presence
    from players.models import Player
    from tournaments.tonight import queries

    visitor, player = Client(), Client()
    reader = Player.objects.filter(seek=None).select_related("user").order_by("-pk")[0]
    player.force_login(reader.user)
    took: dict[str, list[float]] = {}
    for _round in range(rounds + 1):
        from django.utils import timezone

        presence.mark_here(list(Player.objects.values_list("pk", flat=True)), timezone.now())
        queries.forget_shared()
        for name, client in (("anew", visitor), ("visitor", visitor), ("player", player)):
            answer: list[Any] = []
            seconds = timed(lambda c=client, kept=answer: kept.append(c.get("/sala/", headers={"HX-Target": "live"})))
            assert answer[0].status_code == 200
            if _round:
                took.setdefault(name, []).append(seconds)
    return took


async def count_hints(listeners: int) -> dict[str, float]:
    """Return how many messages a second the pages get, told together and each by itself."""
    from games.broadcast import SEEKS_GROUP
    from games.lobby.live import PAGES_GROUP, LobbyBell
    from players.broadcast import publish
    from players.realtime.switchboard import get_switchboard

    told = {"together": 0, "each": 0}

    def listen(name: str) -> Callable[[Any], None]:
        def hear(_message: Any) -> None:
            told[name] += 1

        return hear

    for number in range(listeners):
        await get_switchboard().join(PAGES_GROUP, (PAGES_GROUP, number), listen("together"))
        await get_switchboard().join(SEEKS_GROUP, (SEEKS_GROUP, number), listen("each"))
    bell = asyncio.create_task(LobbyBell().keep())
    await asyncio.sleep(3)
    told.update(together=0, each=0)
    for _change in range(int(CHANGES_A_SECOND * HINT_SECONDS)):
        publish(SEEKS_GROUP, {"type": "changed", "v": 0})
        await asyncio.sleep(1 / CHANGES_A_SECOND)
    bell.cancel()
    return {name: count / HINT_SECONDS for name, count in told.items()}


def measure_rounds(rounds: int) -> list[float]:
    """Return the seconds of rounds of pairing in which nobody fits anybody."""
    from django.utils import timezone

    from games.lobby.seeks import pair_lobby

    return [timed(lambda: pair_lobby(timezone.now())) for _round in range(rounds)]


def stage(count: int, seeks: int) -> None:
    """Have so many people, some of whom seek what nobody else does: ranges so narrow that none admits another."""
    from django.utils import timezone

    from games.models import Seek
    from games.rules import RULESETS

    now = timezone.now()
    games = list(RULESETS)
    Seek.objects.bulk_create(
        Seek(
            player=player, ruleset=games[number % len(games)], option_set="solita", form="pairs",
            speed=("lampo", "normale", "calmo")[number % 3], level=1500, lowest=2900, highest=3000, created_at=now,
            heard_at=now + timedelta(hours=1),
        )
        for number, player in enumerate(people(count)[:seeks])
    )  # fmt: skip


def main() -> int:
    from django.core.management import call_command

    set_up_django()
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["*"]
    call_command("collectstatic", interactive=False, verbosity=0)
    count, seeks, rounds = map(int, sys.argv[1:4])
    stage(count, seeks)
    figures = {"pages": measure_pages(rounds), "rounds": measure_rounds(rounds)}
    json.dump({**figures, "hints": asyncio.run(count_hints(count))}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
