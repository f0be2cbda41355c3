"""Work of a real worker though nobody sits at a table: the site is ready, a tournament of the house is played, and an
analysis is made."""

import json
import urllib.error
import urllib.request
from subprocess import Popen

import pytest
from django.utils import timezone

from games.models import Move
from players.models import Player
from records.analysis.actions import ask_about_match
from records.models import Analysis
from tests.support.analysis import make_finished
from tests.support.live import Site
from tests.support.people import create_person
from tests.support.tournaments import make_opened
from tests.support.waiting import PATIENCE, until
from tournaments.entries.house import enter_house_players
from tournaments.models import Fixture, Tournament

pytestmark = [pytest.mark.process("flows"), pytest.mark.django_db(transaction=True)]


def test_a_site_is_ready_as_long_as_a_worker_sweeps(live_site: Site, celery_worker: Popen[bytes]) -> None:
    def is_ready() -> bool:
        try:
            with urllib.request.urlopen(f"{live_site.url}/readyz", timeout=PATIENCE) as answer:
                return bool(json.loads(answer.read())["ready"])
        except urllib.error.HTTPError as refusal:
            refusal.close()
            return False

    until(is_ready, what="the sweep to beat")


@pytest.mark.both_databases
def test_a_real_worker_opens_the_tables_and_the_house_plays_at_them(celery_worker: Popen[bytes]) -> None:
    now = timezone.now()
    opened = make_opened(create_person("Teresa", now), now)
    tournament = opened(max_entries=2, pause=0, house_allowed=True)
    enter_house_players(tournament_id=tournament.pk, count=2, now=timezone.now())
    until(lambda: Move.objects.filter(match__fixture__round__tournament=tournament).count() >= 2)
    assert Fixture.objects.get().state == Fixture.State.PLAYING


@pytest.mark.soak
@pytest.mark.rule("EV4")
def test_the_house_plays_two_lives_to_the_last_place(celery_worker: Popen[bytes]) -> None:
    now = timezone.now()
    opened = make_opened(create_person("Teresa", now), now)
    settings = {"format": "doppio", "min_entries": 3, "max_entries": 3, "pause": 0, "house_allowed": True}
    tournament = opened(**settings)
    enter_house_players(tournament_id=tournament.pk, count=3, now=timezone.now())
    finished = Tournament.objects.filter(pk=tournament.pk, state=Tournament.State.FINISHED)
    until(finished.exists, seconds=1800, what="three of the house to play for two lives each")
    assert sorted(tournament.entries.values_list("rank", flat=True)) == [1, 2, 3]
    played = Fixture.objects.of(tournament).filter(match__isnull=False)
    assert played.count() == 4 + played.filter(round__name="decider").count()


@pytest.mark.rule("HP6")
def test_a_worker_analyses_what_somebody_asks_about(anna: Player, bruno: Player, celery_worker: Popen[bytes]) -> None:
    now = timezone.now()
    analysis = ask_about_match(match=make_finished([anna, bruno], now), player=anna, now=now)
    until(lambda: Analysis.objects.get(pk=analysis.pk).state == Analysis.State.DONE, what="the worker to analyse")
    assert Analysis.objects.get(pk=analysis.pk).done > 0
