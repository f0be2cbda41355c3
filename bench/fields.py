"""``python -m bench.fields WHAT SIZE [ROUNDS]``: big fields in the database of a bench; seconds, as JSON.

``ko``, ``girone``: a tournament of SIZE entries drawn and stored, in one transaction, as the sweep does it: once for
each line it is given, with a line of JSON for each. ``ranks``: a page of the standings of SIZE entries from the stored
ranks, beside what it takes to reckon them anew, all of it time of the processor: nothing here waits for anybody.
``desk``: the referee's page and a withdrawal in a KO of SIZE and in one of another size, in turns. ``running``: a
girone under way, whose address it prints; it has a new version every five seconds until its standard input ends.
"""

import json
import select
import sys
from collections.abc import Callable
from random import Random
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from bench.programs import set_up_django
from bench.stage import people

if TYPE_CHECKING:
    from players.models import Player
    from tournaments.models import Tournament

TURNS = 5  # rounds that entries of the standings have played
CHUNK = 5000
VERSION_SECONDS = 5.0  # a girone of sixteen has a result or a table less often


def timed(action: Callable[[], Any]) -> float:
    start = process_time()
    action()
    return process_time() - start


def entered(format_: str, players: "list[Player]") -> "Tournament":
    """A tournament that is due, with these entries."""
    from django.utils import timezone

    from tournaments.models import Entry, EntryMember, Tournament

    now = timezone.now()
    made = Tournament.objects.create(
        name="Bench", organiser=players[0], state="open", format=format_, ruleset="scopa", length_kind="deals",
        length_value=1, turn_timeout=60, min_entries=2, max_entries=len(players), created_at=now, due_at=now,
        starts_at=now,
    )  # fmt: skip
    entries = Entry.objects.bulk_create([Entry(tournament=made, created_at=now) for _ in players], batch_size=CHUNK)
    EntryMember.objects.bulk_create(
        [EntryMember(entry=e, tournament=made, person=p.person) for e, p in zip(entries, players, strict=True)],
        batch_size=CHUNK,
    )
    return made


def drawn(format_: str, size: int) -> None:
    """Draw whenever a line comes in; what stands in the database is counted each time."""
    from django.utils import timezone

    from config.memory import spare_collector
    from tournaments.models import Fixture
    from tournaments.running.start import start_due

    players = people(size)
    spare_collector()  # as the worker does, which draws
    for _ in sys.stdin:
        made = entered(format_, players)
        begun, busy = perf_counter(), process_time()
        start_due(tournament_id=made.pk, now=timezone.now())
        took = (perf_counter() - begun, process_time() - busy)
        count = Fixture.objects.filter(round__tournament=made).count()
        assert count == (size - 1 if format_ == "ko" else size * (size - 1) // 2), count
        sys.stdout.write(f"{json.dumps(took)}\n")
        sys.stdout.flush()


def ranked(rounds: int, size: int) -> dict[str, list[float]]:
    """A danese of thousands after some rounds, with its ranks as they are stored."""
    from django.test import Client
    from django.urls import reverse
    from django.utils import timezone

    from scoring.standings import Game, compute_standings
    from tournaments.models import Entry, Fixture, Round, Tournament
    from tournaments.standings.ranking_pages import PAGE_ENTRIES, read_ranking_page

    made = entered("danese", people(size))
    now = timezone.now()
    Tournament.objects.filter(pk=made.pk).update(state="running", drawn_at=now, due_at=None)
    made.refresh_from_db()
    entries = list(Entry.objects.filter(tournament=made).order_by("pk"))
    for seed, entry in enumerate(entries, 1):
        entry.seed = seed
    dice = Random(9)
    fixtures = []
    for number in range(1, TURNS + 1):
        turn = Round.objects.create(tournament=made, number=number, finished=True)
        order = dice.sample(entries, len(entries))
        for board, (one, two) in enumerate(zip(order[::2], order[1::2], strict=False), 1):
            vp = dice.randint(0, 20)
            mp = dice.randint(1, 30) * (1 if vp > 10 else -1)
            fixtures.append(
                Fixture(
                    round=turn, board=board, first=one, second=two, state="done", winner=0 if vp > 10 else 1,
                    points_0=11, points_1=5, mp_0=mp, mp_1=-mp, vp_0=vp, vp_1=20 - vp, result_at=now,
                )
            )  # fmt: skip
    Fixture.objects.bulk_create(fixtures, batch_size=CHUNK)
    seeds = {entry.pk: entry.seed or 0 for entry in entries}

    def read() -> list[Game]:
        rows = Fixture.objects.with_results().filter(round__tournament=made, result_at__isnull=False)
        names = ("first_id", "second_id", "winner", "double_forfeit", "mp_0", "mp_1", "vp_0", "vp_1")
        return [
            Game(seeds[row[0]], seeds[row[1]], row[2], row[3], (row[4], row[5]), (row[6], row[7]))
            for row in rows.values_list(*names)
        ]

    games = read()
    drawn_seeds = list(seeds.values())
    for row in compute_standings(drawn_seeds, games):
        entry = entries[row.seed - 1]
        entry.rank, entry.played, entry.won, entry.drawn = row.rank, row.played, row.won, row.drawn
        entry.mp, entry.vp = row.mp, row.vp
        entry.separation = None if row.separation is None else row.separation.to_json()
    stored = ["seed", "rank", "played", "won", "drawn", "mp", "vp", "separation"]
    Entry.objects.bulk_create(entries, update_conflicts=True, unique_fields=["id"], update_fields=stored)
    client = Client(headers={"host": "127.0.0.1"})
    url = reverse("ranks", args=[made.public_id])
    assert client.get(url).status_code == 200
    pages = -(-size // PAGE_ENTRIES)
    works: dict[str, Callable[[], Any]] = {
        "reckoned": lambda: compute_standings(drawn_seeds, games),
        "read and reckoned": lambda: compute_standings(drawn_seeds, read()),
        "first rows": lambda: read_ranking_page(made, None),
        "last rows": lambda: read_ranking_page(made, None, number=pages),
        "first page": lambda: client.get(url),
        "last page": lambda: client.get(f"{url}?pagina={pages}"),
    }
    timings: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(rounds + 1):
        for name, work in works.items():
            took = timed(work)
            if turn:
                timings[name].append(took)
    return timings


def refereed(rounds: int, sizes: tuple[int, ...]) -> dict[str, dict[int, list[float]]]:
    """The referee's page of a KO of each size, and one of its entries leaving, in turns."""
    from django.conf import settings
    from django.test import Client
    from django.urls import reverse
    from django.utils import timezone

    from players.models import Player
    from tournaments.running.start import start_due

    def open_client(player: Player) -> Client:
        client = Client(headers={"host": "127.0.0.1"})
        assert player.user is not None
        client.force_login(player.user, backend=settings.AUTHENTICATION_BACKENDS[0])
        return client

    fields = {}
    for size in sizes:
        players = people(size)
        Player.objects.filter(pk=players[0].pk).update(kind=Player.Kind.MEMBER)
        made = entered("ko", players)
        start_due(tournament_id=made.pk, now=timezone.now())
        fields[size] = (made.public_id, players, open_client(players[0]))
    found: dict[str, dict[int, list[float]]] = {
        name: {size: [] for size in sizes} for name in ("the referee's page", "a withdrawal")
    }

    def ask(client: Client, method: str, url: str, status: int) -> None:
        assert getattr(client, method)(url).status_code == status, url

    for turn in range(rounds + 1):
        for size, (public_id, players, referee) in fields.items():
            leaver = open_client(players[turn + 1])
            desk, leave = (reverse(name, args=[public_id]) for name in ("tournament-desk", "tournament-withdraw"))
            asked = ((referee, "get", desk, 200), (leaver, "post", leave, 302))
            for figures, each in zip(found.values(), asked, strict=True):
                took = timed(lambda each=each: ask(*each))  # type: ignore[misc]
                if turn:
                    figures[size].append(took)
    return found


def run_on(size: int) -> None:
    """Draw a girone, print its public id, and give it new versions while anybody listens."""
    from django.db import transaction
    from django.utils import timezone

    from tournaments.core.locking import lock_tournament, store_version
    from tournaments.running.start import start_due

    made = entered("girone", people(size))
    start_due(tournament_id=made.pk, now=timezone.now())
    print(made.public_id, flush=True)  # noqa: T201 the bench reads it
    while not select.select([sys.stdin], [], [], VERSION_SECONDS)[0]:
        with transaction.atomic():
            store_version(lock_tournament(made.pk))


def main() -> int:
    from django.core.management import call_command

    set_up_django()
    what, size = sys.argv[1], int(sys.argv[2])
    if what == "ranks":
        call_command("collectstatic", interactive=False, verbosity=0)  # its pages name hashed files
        json.dump(ranked(int(sys.argv[3]), size), sys.stdout)
    elif what == "running":
        call_command("collectstatic", interactive=False, verbosity=0)
        run_on(size)
    elif what == "desk":
        call_command("collectstatic", interactive=False, verbosity=0)
        json.dump(refereed(int(sys.argv[3]), (size, int(sys.argv[4]))), sys.stdout)
    else:
        drawn(what, size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
