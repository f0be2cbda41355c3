"""Hidden names: the staff take a name of an account or a club off the site (O2)."""

from datetime import datetime

import pytest
from django.contrib.admin.models import LogEntry as StaffLog
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from players.models import Player
from players.services.players import create_guest
from tests.support.entries import enter_all
from tests.support.tournaments import Opened
from tournaments.clubs.actions import create_club
from tournaments.models import Club, LogEntry

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O2")]


def hide(staff: Player, model: str, *rows: Player | Club) -> int:
    client = Client()
    client.force_login(staff.user)
    body = {"action": "hide_names", "_selected_action": [row.pk for row in rows]}
    return client.post(reverse(f"admin:{model}_changelist"), body).status_code


@pytest.fixture
def staff(referee: Player) -> Player:
    referee.user.is_staff = referee.user.is_superuser = True
    referee.user.save()
    return referee


def test_a_member_s_name_is_hidden_everywhere_o2(opened: Opened, anna: Player, staff: Player, now: datetime) -> None:
    tournament = enter_all(opened(), [anna], now)
    guest = create_guest(now=now, address="192.0.2.1")
    assert hide(staff, "players_player", anna, guest) == 302
    anna.refresh_from_db()
    assert anna.name.startswith("Socio ")
    assert not [row for row in LogEntry.objects.filter(tournament=tournament) if "Anna" in str(row.detail)]
    page = Client().get(reverse("tournament", args=[tournament.public_id])).content.decode()
    assert anna.name in page
    assert "Anna" not in page
    assert Player.objects.get(pk=guest.pk).name == guest.name, "the house gave it"
    assert StaffLog.objects.get().user == staff.user


def test_a_club_s_name_and_words_are_hidden_o2(organiser: Player, staff: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="Venite!", now=now)
    assert hide(staff, "tournaments_club", club) == 302
    club.refresh_from_db()
    assert (club.name, club.description) == (f"Circolo {club.public_id}", "")
    assert StaffLog.objects.get().user == staff.user


def test_who_only_looks_hides_nothing_o2(organiser: Player, anna: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    anna.user.is_staff = True
    anna.user.save()
    anna.user.user_permissions.set(Permission.objects.filter(codename__in=["view_club", "view_player"]))
    hide(anna, "tournaments_club", club)
    hide(anna, "players_player", organiser)
    club.refresh_from_db()
    organiser.refresh_from_db()
    assert (club.name, organiser.name) == ("Circolo Aurora", "Teresa")
