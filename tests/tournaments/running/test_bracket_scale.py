"""Brackets: a result and a leaver cost the same in any field: queries, and rows made into entries (K4)."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.db.models.signals import post_init
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Match
from players.models import Player
from tests.support.play import OPENING, ready
from tests.support.standings import QUIET, create_field
from tests.support.tournaments import KO, Opened
from tournaments.models import Entry, EntryMember, Fixture, Tournament
from tournaments.running import results, withdraw
from tournaments.running.recompute import find_differences
from tournaments.running.tables import open_due_fixture

pytestmark = pytest.mark.django_db

SMALL, BIG = 64, 1024
A_ROUND = 4  # rows that a round more may add: a fixture on the path, the one beside it, and their lines
THIRD_PLACE = replace(KO, format_options={"third_place": True})


@contextmanager
def count_rows() -> Iterator[Counter[str]]:
    """Count the fixtures, entries and members that are made from rows."""
    rows: Counter[str] = Counter()

    def count(sender: Any, **_more: Any) -> None:
        rows[sender.__name__] += 1

    for model in (Entry, EntryMember, Fixture):
        post_init.connect(count, sender=model)
    try:
        yield rows
    finally:
        for model in (Entry, EntryMember, Fixture):
            post_init.disconnect(count, sender=model)


def measure(work: Callable[[], object]) -> tuple[int, int]:
    """Queries and rows."""
    with CaptureQueriesContext(connection) as captured, count_rows() as rows:
        work()
    return sum(not query["sql"].startswith(QUIET) for query in captured.captured_queries), rows.total()


def take_result(tournament: Tournament, now: datetime) -> Callable[[], object]:
    match = open_due_fixture(fixture_id=ready(tournament)[0].pk, now=now + OPENING)
    assert match is not None
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED, winner=0, margin=1, score_0=1, decided_by="points", noshow_at=None
    )
    return lambda: results.record_result(match_id=match.pk, now=now)


def leave(tournament: Tournament, now: datetime) -> Callable[[], object]:
    member = EntryMember.objects.filter(tournament=tournament).select_related("person__player").order_by("pk")[5]
    player = member.person.player
    assert player is not None
    return lambda: withdraw.withdraw_entry(
        tournament_id=tournament.pk, entry_id=member.entry_id, by=player, reason="", now=now
    )


@pytest.mark.parametrize("what", [take_result, leave])
def test_a_result_and_a_leaver_cost_a_bracket_of_1024_what_they_cost_one_of_64_k4(
    opened: Opened, now: datetime, what: Callable[[Tournament, datetime], Callable[[], object]]
) -> None:
    costs = []
    for size in (SMALL, BIG):
        tournament = create_field(opened, THIRD_PLACE, size, now)
        costs.append(measure(what(tournament, now)))
        tournament.refresh_from_db()
        assert find_differences(tournament) == []
        Tournament.objects.filter(pk=tournament.pk).update(state="cancelled")
    (small_queries, small_rows), (queries, rows) = costs
    rounds_more = BIG.bit_length() - SMALL.bit_length()
    assert queries == small_queries
    assert rows <= small_rows + A_ROUND * rounds_more


def test_the_referees_page_of_1024_costs_what_that_of_64_does_w2(
    opened: Opened, client: Client, organiser: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.desk.views.MOST_LINES", 32)
    assert organiser.user is not None
    client.force_login(organiser.user)
    costs = []
    for size in (SMALL, BIG):
        tournament = create_field(opened, KO, size, now)
        for fixture in ready(tournament)[:3]:
            open_due_fixture(fixture_id=fixture.pk, now=now + OPENING)
        url = reverse("tournament-desk", args=[tournament.public_id])
        client.get(url)
        costs.append(measure(lambda url=url: client.get(url)))  # type: ignore[misc]
        Tournament.objects.filter(pk=tournament.pk).update(state="cancelled")
    assert costs[0] == costs[1]
