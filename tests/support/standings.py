"""Tournaments with results that are written straight into the database."""

from datetime import datetime

from bench.stage import people
from tests.support.people import create_person
from tests.support.tournaments import Opened
from tournaments.entries import join
from tournaments.models import Entry, EntryMember, Fixture, Tournament
from tournaments.organise import settings
from tournaments.organise.settings import Settings
from tournaments.running import start
from tournaments.running.results import advance


def fill_tournament(
    opened: Opened, count: int, now: datetime, base: settings.Settings, **changed: object
) -> Tournament:
    made = opened(base, min_entries=count, max_entries=count, **changed)
    *others, last = [create_person(f"Linea{number:02d}", now) for number in range(count)]
    for player in others:  # what is asked at each entry is most of what it takes
        join.create_entry(made, [player], now)
    join.enter_player(tournament_id=made.pk, player=last, now=now)
    made.refresh_from_db()
    return made


def write_result(fixture: Fixture, vp: tuple[int, int], mp: tuple[int, int], now: datetime) -> None:
    """A result as the match would leave it."""
    fixture.state, fixture.result_at = Fixture.State.DONE, now
    fixture.winner = None if vp[0] == vp[1] else int(vp[1] > vp[0])
    fixture.points_0, fixture.points_1 = 20 + mp[0], 20
    fixture.vp_0, fixture.vp_1 = vp
    fixture.mp_0, fixture.mp_1 = mp
    fixture.save()


def write_results(tournament: Tournament, now: datetime, results: dict[tuple[int, int], tuple[int, int]]) -> None:
    """Write these VP by pair of seeds (the first-named first); MP are the difference."""
    fixtures = Fixture.objects.filter(round__tournament=tournament).select_related("first", "second")
    for fixture in fixtures:
        if fixture.first is None or fixture.second is None:
            continue
        vp = results.get((fixture.first.seed or 0, fixture.second.seed or 0))
        if vp is not None:
            write_result(fixture, vp, (vp[0] - vp[1], vp[1] - vp[0]), now)
    advance(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()


# 4 entries: 1-4 2-3 | 4-3 1-2 | 2-4 3-1. Entries 1 and 2 level on VP, 2 beat 1.
LEVEL = {(1, 4): (16, 4), (2, 3): (10, 10), (4, 3): (8, 12), (1, 2): (7, 13), (2, 4): (8, 12), (3, 1): (12, 8)}


# 4 entries: 1-4 2-3 | 4-3 1-2 | 2-4 3-1. The first three beat each other in a circle; by their MP 3 is behind.
CIRCLE = {
    (1, 4): ((16, 4), 6), (2, 3): ((14, 6), 5), (4, 3): ((4, 16), -6), (1, 2): ((14, 6), 3), (2, 4): ((16, 4), 6),
    (3, 1): ((14, 6), 1),
}  # fmt: skip


QUIET = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")


def create_field(opened: Opened, base: Settings, size: int, now: datetime, *, draw: bool = True) -> Tournament:
    """Create a tournament with so many guests entered, and with ``draw`` drawn."""
    tournament = opened(base, max_entries=size + (not draw))
    entries = Entry.objects.bulk_create([Entry(tournament=tournament, created_at=now) for _ in range(size)])
    EntryMember.objects.bulk_create(
        [
            EntryMember(entry=entry, tournament=tournament, person=player.person)
            for entry, player in zip(entries, people(size), strict=True)
        ]
    )
    if draw:
        Tournament.objects.filter(pk=tournament.pk).update(due_at=now)
        start.start_due(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()
    return tournament
