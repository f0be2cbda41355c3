"""Query counts of a page, an entry and a result don't depend on how many are entered."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Match
from players.models import Mail, Player
from tests.support.people import create_person, give_address
from tests.support.play import OPENING, ready
from tests.support.standings import QUIET, create_field
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.core.shared_reads import forget_shared_reads
from tournaments.entries.join import enter_player
from tournaments.models import EntryMember, Fixture, Tournament
from tournaments.organise.settings import Settings
from tournaments.running import results
from tournaments.running.tables import open_due_fixture

pytestmark = pytest.mark.django_db

SMALL, BIG = 4, 8  # powers of two: in a KO nobody waits for who has a bye


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


def answered(client: Client, url: str) -> None:
    assert client.get(url).status_code == 200, url


@pytest.mark.parametrize("base", [KO, GIRONE])
def test_pages_and_the_api(opened: Opened, organiser: Player, base: Settings, now: datetime) -> None:
    counts: list[dict[str, int]] = []
    for size in (SMALL, BIG):
        Tournament.objects.filter(state__in=("open", "running")).update(state="cancelled")
        tournament = create_field(opened, base, size, now)
        first = over(opened_table(tournament, now))
        results.record_result(match_id=first.pk, now=now)
        loser = first.seats.get(number=1).player
        opened_table(tournament, now)
        running = tournament.public_id
        entering = create_field(opened, base, size, now, draw=False).public_id
        api = "/api/v1/tournaments/"
        pages = {
            "home": reverse("home"),
            "running": reverse("tournament", args=[running]),
            "entering": reverse("tournament", args=[entering]),
            "explained": reverse("standings", args=[running]),
            "ranks": reverse("ranks", args=[running]),
            "desk": reverse("tournament-desk", args=[running]),
            "API, list": api,
            "API, one": f"{api}{running}/",
        }
        at_desk = Fixture.objects.get(round__tournament=tournament, state="playing").pk
        once = [reverse(name) for name in OF_NOBODY]
        once += [reverse(name, args=[running]) for name in OF_RUNNING]
        once += [reverse(name, args=[entering]) for name in OF_ENTERING]
        once += [reverse("tournament-print", args=[running, what]) for what in PRINTED[base.format]]
        once += [reverse(f"export-{kind}", args=[running, what]) for kind in ("csv", "json") for what in EXPORTED]
        once += [reverse("standings-of", args=[running, 1])]
        once += [reverse(name, args=[running, at_desk]) for name in ("desk-fixture", "desk-record")]
        Player.objects.update(seen_at=timezone.now() + timedelta(hours=1))  # a visit is noted once a minute
        query_counts = {}
        client = Client()
        client.force_login(organiser.user)
        for number, url in enumerate(once):
            query_counts[f"{number}: {url.split('/')[3:4]}"] = queries(
                lambda client=client, url=url: answered(client, url)
            )
        for reader in (organiser, loser, None):
            client = Client()
            if reader is not None:
                client.force_login(reader.user)
            for name, url in pages.items():
                statuses: list[int] = []
                query_counts[f"{name} for {'nobody' if reader is None else reader.kind}"] = queries(
                    lambda client=client, url=url, statuses=statuses: statuses.append(client.get(url).status_code)
                )
                assert statuses[0] == 200 or (name == "desk" and reader != organiser), (name, statuses)
        counts.append(query_counts)
    assert counts[0] == counts[1]
    assert max(counts[0].values()) < 40


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
