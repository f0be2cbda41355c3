"""Clubs that staff vouch for, in the administration (Y1)."""

from datetime import datetime

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.urls import reverse

from players.models import Player
from tests.support.people import create_person, sign_in
from tests.support.rankings import create_over, find_ranking, make_rankings, read_rows
from tournaments.clubs.actions import create_club
from tournaments.models import Club
from tournaments.venues import HALL


@pytest.fixture
def staff(db: None, now: datetime) -> Player:
    player = create_person("Sandra", now)
    player.user.is_staff = True
    player.user.save()
    kind = ContentType.objects.get_for_model(Club)
    player.user.user_permissions.set(Permission.objects.filter(content_type=kind))
    return player


@pytest.mark.rule("Y1")
def test_staff_vouch_for_a_club_and_take_it_back(staff: Player, organiser: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    create_over(organiser, now, {organiser.person: 67}, club=club, venue=HALL)
    client = sign_in(staff)
    for action, ranks in (("vouch", [(1, "Teresa", 67)]), ("stop_vouching", [])):
        body = {"action": action, "_selected_action": [club.pk]}
        assert client.post(reverse("admin:tournaments_club_changelist"), body).status_code == 302
        make_rankings(now)
        assert read_rows(find_ranking("ever")) == ranks


@pytest.mark.rule("Y1")
def test_nobody_else_can(organiser: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    body = {"action": "vouch", "_selected_action": [club.pk]}
    sign_in(organiser).post(reverse("admin:tournaments_club_changelist"), body)
    club.refresh_from_db()
    assert not club.vouched
