"""A third venue, which stands in the tests alone: one more object is all it takes (O1).

Accounts play somewhere else, as at another site's tables, at the hours of the rounds; the results are typed. So it
answers half of the questions as the site does and half as a hall: whoever asks which of the two it is, errs.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Match
from players.models import Player
from tests.support.keys import by_key, make_key
from tests.support.pages import post_tournament
from tests.support.people import sign_in
from tests.support.play import stored_equals_recomputed
from tests.support.tournaments import GIRONE, Opened
from tournaments import sweep
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, set_result
from tournaments.entries import join
from tournaments.models import Fixture, Tournament
from tournaments.running import start, tables
from tournaments.venues import VENUES, Venue

ROOT = Path(__file__).parents[2]
ELSEWHERE = Venue(
    code="else", name="altrove", opens_tables=False, runs_by_clock=True, enters_names=False, names_line_ups=False,
    numbers_tables=False,
    plays_off=False,
)  # fmt: skip
PAGES = (
    "tournament", "tournament-desk", "tournament-results", "tournament-slips",
    "tournament-result-list", "tournament-entries", "tournament-wall",
)  # fmt: skip
# Where a venue is meant by name: the one that is kept where nothing was said, and the two an act moves a thing to.
BY_NAME = {
    "tournaments/venues.py", "tournaments/models/tournament.py", "tournaments/models/fixtures.py",
    "tournaments/organise/settings.py",
    "tournaments/organise/forms.py", "tournaments/series/actions.py", "tournaments/transfer/venue.py",
}  # fmt: skip


@pytest.fixture
def elsewhere() -> Iterator[Venue]:
    """Put the third venue beside the two."""
    VENUES[ELSEWHERE.code] = ELSEWHERE
    yield ELSEWHERE
    del VENUES[ELSEWHERE.code]


@pytest.fixture
def away(elsewhere: Venue, opened: Opened, four: list[Player], now: datetime) -> Tournament:
    """A girone of four accounts that begins in an hour, somewhere else."""
    tournament = opened(GIRONE, venue=elsewhere, starts_at=now + timedelta(hours=1))
    for player in four:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    return tournament


@pytest.mark.django_db
@pytest.mark.rule("O1")
def test_a_tournament_somewhere_else_is_run_from_entries_to_standings(
    away: Tournament, organiser: Player, organisers: Client, now: datetime
) -> None:
    hour = now + timedelta(hours=1)
    assert away.pk in sweep.list_due_starts(hour)
    start.start_due(tournament_id=away.pk, now=hour)
    away.refresh_from_db()
    assert away.state == Tournament.State.RUNNING
    later = hour + timedelta(hours=2)
    assert list(sweep.list_due_fixtures(later)) == []
    answers = {name: organisers.get(reverse(name, args=[away.public_id])).status_code for name in PAGES}
    assert answers == dict.fromkeys(PAGES, 200)
    while fixture := Fixture.objects.of(away).ready().filter(second__isnull=False).first():
        assert tables.open_due_fixture(fixture_id=fixture.pk, now=later) is None
        set_result(
            tournament_id=away.pk,
            fixture_id=fixture.pk,
            decision=Decision(points=(7, 4), winner=0),
            act=Act(organiser, "", later),
        )
    away.refresh_from_db()
    assert away.state == Tournament.State.FINISHED
    assert not Match.objects.exists()
    assert stored_equals_recomputed(away)
    page = organisers.get(reverse("tournament", args=[away.public_id]))
    assert "Anna" in page.content.decode()


@pytest.mark.django_db
@pytest.mark.rule("O1", "E1")
def test_its_entries_are_accounts_that_check_in_by_themselves(
    away: Tournament, organisers: Client, bruno: Player, now: datetime
) -> None:
    entries = organisers.get(reverse("tournament-entries", args=[away.public_id])).content.decode()
    assert "Scrivi chi gioca" not in entries
    assert "Invita qualcuno" in entries
    visitor = Client().get(reverse("self-entry", args=[away.public_id]))
    assert visitor.status_code == 404
    player = sign_in(bruno).get(reverse("tournament", args=[away.public_id])).content.decode()
    assert "appello" not in player


@pytest.mark.django_db
def test_form_and_api_make_it_and_say_where_it_is(elsewhere: Venue, organisers: Client, organiser: Player) -> None:
    post_tournament(organisers, venue=elsewhere.code, turn_timeout="", match_clock="")
    made = Tournament.objects.get()
    assert (made.venue, made.turn_timeout, made.publishes_rounds) == (elsewhere, None, False)
    key = by_key(make_key(organiser))
    answer = key.get(f"/api/v1/tournaments/{made.public_id}/")
    assert answer.json()["tournament"]["venue"] == "else"


def test_nobody_asks_which_venue_it_is() -> None:
    named = re.compile(r"\b(?:is_real|SITE|HALL)\b")
    asking = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tournaments").rglob("*.py")
        if "migrations" not in path.parts and named.search(re.sub(r"SITE_URL|ON_SITE|_IN_A_HALL", "", path.read_text()))
    }
    templates = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "templates").rglob("*.html")
        if re.search(r"is_real|venue\.code|venue ==", path.read_text())
    }
    assert (asking, templates) == (BY_NAME, set())
