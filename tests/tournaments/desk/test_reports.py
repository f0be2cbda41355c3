"""Reports from a tournament's tables: read by its organisers and by the staff, by nobody else."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from games import reports
from players.models import Player
from tests.support import play as running
from tests.support.arrangements import arrange_once
from tests.support.tournaments import Opened
from tournaments.entries import join
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
TOLD = "Bruno dice le carte"


def page(reader: Player | None, tournament: Tournament) -> str:
    client = Client()
    if reader is not None:
        client.force_login(reader.user)
    return client.get(reverse("tournament", args=[tournament.public_id])).content.decode()


@arrange_once
def tournament(opened: Opened, anna: Player, bruno: Player, now: datetime) -> Tournament:
    """Running tournament with a report of Anna's about her table."""
    opened_tournament = opened(min_entries=2, max_entries=2)
    for player in (anna, bruno):
        join.enter_player(tournament_id=opened_tournament.pk, player=player, now=now)
    (match,) = running.open_ready(opened_tournament, now + running.OPENING)
    reports.report(match_id=match.pk, reporter_id=anna.pk, reason="cards", text=TOLD, client_id="1", now=now)
    opened_tournament.refresh_from_db()
    return opened_tournament


def test_the_organiser_and_the_staff_read_it_and_nobody_else(
    tournament: Tournament, organiser: Player, anna: Player, bruno: Player, carla: Player
) -> None:
    assert TOLD in page(organiser, tournament)
    for other in (None, anna, bruno, carla):
        assert TOLD not in page(other, tournament)
    carla.user.is_staff = True
    carla.user.save()
    assert TOLD in page(carla, tournament)


def test_an_organiser_who_plays_reads_of_a_table_only_when_it_is_over_n2(
    tournament: Tournament, bruno: Player, now: datetime
) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(organiser=bruno)
    assert TOLD not in page(bruno, tournament)
    match = tournament.rounds.get().fixtures.get().match
    assert match is not None
    running.sit_down(match, now)
    running.play(match, now)
    assert TOLD in page(bruno, tournament)
