"""Every page beside the tournaments by every role: a visitor, a guest, a member and one of the staff."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player, User
from players.services.players import create_guest
from tests.support.people import create_person, sign_in
from tests.support.thorough import tries

pytestmark = pytest.mark.django_db
FOR_ALL = ("lobby", "rankings", "archive", "circuits", "training", "free-table-new", "privacy")
OF_ANYBODY = ("person", "person-matches", "person-tournaments", "person-statistics", "person-awards")
OF_PLAYERS = ("profile", "friends", "audience", "pairs", "chips", "own-moderation", "own-data")
OF_MEMBERS = ("circuit-new", "tokens")
OF_STAFF = ("moderation", "moderation-person")


@pytest.fixture
def roles(anna: Player, now: datetime) -> dict[str, Client]:
    moderator = create_person("Moreno", now)
    User.objects.filter(pk=moderator.user_id).update(is_staff=True)
    guest = create_guest(now=now, address="192.0.2.1")
    readers = {"visitor": None, "guest": guest, "member": anna, "staff": moderator}
    return {role: sign_in(player) for role, player in readers.items()}


@pytest.mark.parametrize("role", ["visitor", "guest", "member", "staff"])
def test_each_role_reads_what_the_table_says(roles: dict[str, Client], role: str, bruno: Player) -> None:
    expected = dict.fromkeys((*FOR_ALL, *OF_ANYBODY), 200) if role in tries(["visitor", "member"], list(roles)) else {}
    expected |= dict.fromkeys(OF_PLAYERS, 302 if role == "visitor" else 200)
    expected |= dict.fromkeys(OF_MEMBERS, 200 if role in ("member", "staff") else 302)
    expected |= dict.fromkeys(OF_STAFF, 200 if role == "staff" else 404)
    about = {*OF_ANYBODY, "moderation-person"}
    answers = {
        name: roles[role].get(reverse(name, args=[bruno.public_id] if name in about else [])).status_code
        for name in expected
    }
    assert answers == expected
