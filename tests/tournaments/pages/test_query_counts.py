"""Query counts of a page, an entry and a result don't depend on how many are entered."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from itertools import product
from typing import NamedTuple

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Match
from players.models import Mail, Player
from tests.support.arrangements import arrange_once
from tests.support.people import create_person, give_address, sign_in
from tests.support.play import OPENING, ready
from tests.support.standings import QUIET, create_field
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.core.shared_reads import forget_shared_reads
from tournaments.entries.join import enter_player
from tournaments.models import EntryMember, Fixture, Tournament
from tournaments.organise.settings import Settings
from tournaments.running import results
from tournaments.running.tables import open_due_fixture

pytestmark = pytest.mark.django_db

SMALL, BIG = 4, 8  # powers of two: in a KO nobody waits for whoever has a bye


def queries(work: Callable[[], object]) -> int:
    forget_shared_reads()
    with CaptureQueriesContext(connection) as captured:
        work()
    return sum(not query["sql"].startswith(QUIET) for query in captured.captured_queries)


def over(match: Match) -> Match:
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED, winner=0, margin=1, score_0=1, decided_by="points", noshow_at=None
    )
    return match


def opened_table(tournament: Tournament, now: datetime) -> Match:
    match = open_due_fixture(fixture_id=ready(tournament)[0].pk, now=now + OPENING)
    assert match is not None
    return match


# Of the organiser alone, or the same for everybody.
OF_NOBODY = ("profile", "organiser-home", "tournament-new", "clubs")
OF_RUNNING = ("tournament-embed", "tournament-qr", "tournament-calendar", "tournament-edit", "referees")
OF_ENTERING = ("tournament-entries", "tournament-edit", "tournament-import")
EXPORTED = ("iscritti", "incontri", "classifica")
PRINTED = {
    "ko": ("iscritti", "turno", "classifica", "tabellone"),
    "girone": ("iscritti", "turno", "classifica", "incrociata"),
}


class Field(NamedTuple):
    """A tournament that is played, with whoever lost its first match, and one that may be entered, of one size."""

    running: Tournament
    loser: Player
    entering: Tournament

    def show(self) -> None:
        """Have no other tournament stand on any list."""
        Tournament.objects.update(state="cancelled")
        Tournament.objects.filter(pk=self.running.pk).update(state="running")
        Tournament.objects.filter(pk=self.entering.pk).update(state="open")
        Player.objects.update(seen_at=timezone.now() + timedelta(hours=1))  # a visit is noted once a minute


@arrange_once
def fields(opened: Opened, now: datetime, base: Settings = KO) -> list[Field]:
    """Return a small one and a big one, of this format."""
    made = []
    for size in (SMALL, BIG):
        tournament = create_field(opened, base, size, now)
        first = over(opened_table(tournament, now))
        results.record_result(match_id=first.pk, now=now)
        opened_table(tournament, now)
        entering = create_field(opened, base, size, now, draw=False)
        made.append(Field(tournament, first.seats.get(number=1).player, entering))
    return made


READERS: dict[str, Callable[[Field], Player | None]] = {
    "organiser": lambda field: field.running.organiser,
    "loser": lambda field: field.loser,
    "visitor": lambda _field: None,
}
BOTH = pytest.mark.parametrize("fields", [KO, GIRONE], indirect=True, ids=["ko", "girone"])


def count_each(
    fields: list[Field], who: Callable[[Field], Player | None], list_addresses: Callable[[Field], dict[str, str]]
) -> None:
    """Count what a reader's pages take: as many queries in a small field as in a big one."""
    counts = []
    for field in fields:
        field.show()
        client = sign_in(who(field))
        statuses: dict[str, int] = {}

        def ask(name: str, url: str, client: Client = client, statuses: dict[str, int] = statuses) -> None:
            statuses[name] = client.get(url).status_code

        counts.append({name: queries(partial(ask, name, url)) for name, url in list_addresses(field).items()})
        runs = who(field) == field.running.organiser
        assert {status for name, status in statuses.items() if name != "desk" or runs} == {200}, statuses
    assert counts[0] == counts[1]
    assert max(counts[0].values()) < 40


@pytest.mark.parametrize(
    ("fields", "reader"),
    tries([(GIRONE, "organiser"), (KO, "loser"), (GIRONE, "visitor")], list(product((KO, GIRONE), READERS))),
    indirect=["fields"],
)
def test_pages_and_the_api(fields: list[Field], reader: str) -> None:
    def list_pages(field: Field) -> dict[str, str]:
        running, entering = field.running.public_id, field.entering.public_id
        return {
            "home": reverse("home"),
            "running": reverse("tournament", args=[running]),
            "entering": reverse("tournament", args=[entering]),
            "explained": reverse("standings", args=[running]),
            "ranks": reverse("ranks", args=[running]),
            "desk": reverse("tournament-desk", args=[running]),
            "API, list": "/api/v1/tournaments/",
            "API, one": f"/api/v1/tournaments/{running}/",
        }

    count_each(fields, READERS[reader], list_pages)


@BOTH
def test_what_the_organiser_has_of_it(fields: list[Field]) -> None:
    def list_pages(field: Field) -> dict[str, str]:
        running = field.running.public_id
        at_desk = Fixture.objects.get(round__tournament=field.running, state="playing").pk
        once = [reverse(name, args=[running]) for name in OF_RUNNING]
        once += [reverse(name, args=[field.entering.public_id]) for name in OF_ENTERING]
        once += [reverse("standings-of", args=[running, 1])]
        once += [reverse(name, args=[running, at_desk]) for name in ("desk-fixture", "desk-record")]
        return name_addresses(once)

    count_each(fields, READERS["organiser"], list_pages)


@BOTH
def test_what_is_printed_and_taken_away(fields: list[Field]) -> None:
    def list_papers(field: Field) -> dict[str, str]:
        running = field.running.public_id
        once = [reverse("tournament-print", args=[running, what]) for what in PRINTED[field.running.format]]
        once += [reverse(f"export-{kind}", args=[running, what]) for kind in ("csv", "json") for what in EXPORTED]
        return name_addresses(once)

    count_each(fields, READERS["organiser"], list_papers)


@pytest.mark.parametrize("fields", tries([GIRONE], [KO, GIRONE]), indirect=True)
def test_pages_about_no_one_tournament(fields: list[Field]) -> None:
    count_each(fields, READERS["organiser"], lambda _: {name: reverse(name) for name in OF_NOBODY})


def name_addresses(urls: list[str]) -> dict[str, str]:
    return {f"{number}: {url.split('/')[3:4]}": url for number, url in enumerate(urls)}


@pytest.mark.parametrize("base", [KO, GIRONE])
def test_entering_and_taking_a_result_in(opened: Opened, base: Settings, now: datetime) -> None:
    counts = []
    for size in (SMALL, BIG):
        entering = create_field(opened, base, size, now, draw=False)
        newcomer = create_person(f"Ultimo {size}", now)
        Tournament.objects.filter(pk=entering.pk).update(max_entries=size + 2)  # so that it isn't drawn
        join = queries(
            lambda entering=entering, newcomer=newcomer: enter_player(
                tournament_id=entering.pk, player=newcomer, now=now
            )
        )
        tournament = create_field(opened, base, size, now)
        match = over(opened_table(tournament, now))
        counts.append((join, queries(lambda match=match: results.record_result(match_id=match.pk, now=now))))
    assert counts[0] == counts[1]
    assert max(counts[0]) < 25


def test_a_round_told_to_everybody(opened: Opened, now: datetime) -> None:
    """The result that ends a girone's round makes all the fixtures of the next one ready, and tells all who play."""
    counts = []
    for size in (SMALL, BIG):
        tournament = create_field(opened, GIRONE, size, now)
        for member in EntryMember.objects.filter(tournament=tournament).select_related("person__player__user"):
            give_address(member.person.player, mail_rounds=True)
        first = list(ready(tournament))
        tables = [open_due_fixture(fixture_id=fixture.pk, now=now + OPENING) for fixture in first]
        matches = [over(match) for match in tables if match is not None]
        for match in matches[:-1]:
            results.record_result(match_id=match.pk, now=now)
        counts.append(queries(lambda matches=matches: results.record_result(match_id=matches[-1].pk, now=now)))
        assert Mail.objects.filter(kind="round_drawn", key__startswith=tournament.public_id).count() == size
    assert counts[0] == counts[1]
    assert counts[0] < 30
