"""``python -m bench.archived PEOPLE TOURNAMENTS ROUNDS``: pages of big rankings and of a big archive, as JSON.

They are compared with a page that reads nothing, time of the processor: nothing here waits for anybody.
"""

import json
import sys
from collections.abc import Callable
from datetime import timedelta
from random import Random
from time import process_time
from typing import Any

from bench.fields import CHUNK
from bench.programs import set_up_django
from bench.stage import people

BARE = "/privacy/"
FIELD = 4  # entries of each tournament of the archive


def rank_people(count: int) -> float:
    """Store the points of so many members and rank them; return the seconds it takes to make a ranking anew."""
    from django.utils import timezone

    from players.models import Person, Player
    from tournaments.models import Entry, Tournament, TournamentPoints
    from tournaments.rankings.points import note_change
    from tournaments.rankings.refresh import refresh_rankings

    now, dice = timezone.now(), Random(9)
    for start in range(0, count, CHUNK):
        people(min(CHUNK, count - start))
    Player.objects.update(kind=Player.Kind.MEMBER)
    persons = list(Person.objects.values_list("pk", flat=True)[:count])
    organiser = Player.objects.order_by("pk")[0]
    made = Tournament.objects.create(
        name="Bench", organiser=organiser, state="finished", format="ko", ruleset="scopa", length_kind="deals",
        length_value=1, created_at=now, drawn_at=now, finished_at=now,
    )  # fmt: skip
    entry = Entry.objects.create(tournament=made, created_at=now, seed=1, rank=1)
    TournamentPoints.objects.bulk_create(
        [
            TournamentPoints(
                tournament=made, entry=entry, person_id=person, rank=2, field=8, points=1, site_rank=2, site_field=8,
                site_points=dice.randint(1, 5000),
            )
            for person in persons
        ],
        batch_size=CHUNK,
    )  # fmt: skip
    note_change(made, now)
    begun = process_time()
    assert refresh_rankings(now=now) == 2
    return (process_time() - begun) / 2


def archive_tournaments(count: int) -> None:
    """Store so many finished tournaments, of four each."""
    from django.utils import timezone

    from players.models import Person, Player
    from tournaments.models import Entry, EntryMember, Tournament, TournamentPoints

    now, dice = timezone.now(), Random(9)
    organiser = Player.objects.order_by("pk")[0]
    Player.objects.filter(pk=organiser.pk).update(created_at=now - timedelta(days=3000))
    persons = list(Person.objects.values_list("pk", flat=True)[: 50 * FIELD])
    made = Tournament.objects.bulk_create(
        [
            Tournament(
                name=f"Coppa {number:05}", organiser=organiser, state="finished", format="ko", ruleset="scopa",
                length_kind="deals", length_value=1, created_at=now - timedelta(hours=number + 1),
                finished_at=now - timedelta(hours=number),
            )
            for number in range(count)
        ],
        batch_size=CHUNK,
    )  # fmt: skip
    entries = Entry.objects.bulk_create(
        [Entry(tournament=one, created_at=now, seed=seed, rank=seed) for one in made for seed in range(1, FIELD + 1)],
        batch_size=CHUNK,
    )
    members, points = [], []
    for start in range(0, len(entries), FIELD):
        for entry, person in zip(entries[start : start + FIELD], dice.sample(persons, FIELD), strict=True):
            about: dict[str, Any] = {"entry": entry, "tournament_id": entry.tournament_id, "person_id": person}
            members.append(EntryMember(**about))
            points.append(TournamentPoints(**about, rank=entry.rank, field=FIELD, points=1))
    EntryMember.objects.bulk_create(members, batch_size=CHUNK)
    TournamentPoints.objects.bulk_create(points, batch_size=CHUNK)


def timed_pages(rounds: int, ranked: int, archived: int) -> dict[str, list[float]]:
    """Time each page, in turns."""
    from django.test import Client

    from players.models import Player
    from tournaments.rankings.archive import Wanted, make_cursor, read_archive
    from tournaments.rankings.queries import PAGE_ROWS

    cursor = make_cursor(read_archive(Wanted(name=f"Coppa {archived // 2:05}")).rows[0].tournament)
    ranking = "/classifiche/?gioco=scopa&forma=alone&classifica=ever"
    reader = Client(headers={"host": "127.0.0.1"})
    reader.force_login(Player.objects.order_by("pk")[ranked // 2].user)
    visitor = Client(headers={"host": "127.0.0.1"})
    works: dict[str, Callable[[], Any]] = {
        "bare": lambda: visitor.get(BARE),
        "first ranks": lambda: visitor.get(ranking),
        "last ranks": lambda: visitor.get(f"{ranking}&pagina={-(-ranked // PAGE_ROWS)}"),
        "own ranks": lambda: reader.get(ranking),
        "named": lambda: visitor.get(f"{ranking}&nome=Ospite 0{ranked // 2000}"),
        "first archived": lambda: visitor.get("/archivio/"),
        "middle archived": lambda: visitor.get("/archivio/", {"dopo": cursor}),
        "played by": lambda: visitor.get("/archivio/", {"giocatore": "Ospite 0000"}),
        "called": lambda: visitor.get("/archivio/", {"nome": "Coppa 0"}),
    }
    timings: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(rounds + 1):
        for name, work in works.items():
            begun = process_time()
            assert work().status_code == 200
            if turn:
                timings[name].append(process_time() - begun)
    return timings


def main() -> None:
    from django.core.management import call_command

    set_up_django()
    call_command("collectstatic", interactive=False, verbosity=0)  # its pages name hashed files
    ranked, archived, rounds = map(int, sys.argv[1:4])
    took = rank_people(ranked)
    archive_tournaments(archived)
    sys.stdout.write(json.dumps({"made": took, "pages": timed_pages(rounds, ranked, archived)}))


if __name__ == "__main__":
    main()
