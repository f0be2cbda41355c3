"""The pages of clubs: plain forms found, join and run one; nobody sees or does more than their role allows."""

from datetime import datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from players.models import Player
from players.services.players import create_guest
from tests.support.html import read_element, read_hooks
from tests.support.tournaments import KO
from tournaments.clubs import actions
from tournaments.models import Club, ClubMember
from tournaments.organise import lifecycle

pytestmark = pytest.mark.django_db

Role = ClubMember.Role


def as_(player: Player) -> Client:
    client = Client()
    client.force_login(player.user)
    return client


def page(client: Client, club: Club) -> str:
    answer = client.get(reverse("club", args=[club.public_id]))
    assert answer.status_code == 200
    return answer.content.decode()


def act(client: Client, club: Club, what: str, **data: str) -> str:
    """Run an act and return the page that follows."""
    return client.post(reverse("club-act", args=[club.public_id, what]), data, follow=True).content.decode()


def test_a_club_from_its_founding_to_its_end(anna: Player, bruno: Player, carla: Player) -> None:
    admin = as_(anna)
    answer = admin.post(reverse("club-new"), {"name": "Circolo Aurora", "description": "# Noi\n\n<script>x</script>"})
    club = Club.objects.get()
    assert answer.headers["Location"] == reverse("club", args=[club.public_id])
    shown = page(Client(), club)
    assert "<h2>Noi</h2>" in shown
    assert "<script>x" not in shown
    assert "Circolo Aurora" in Client().get(reverse("clubs")).content.decode()
    assert read_hooks(act(as_(bruno), club, "chiedi"), "notice") == ["asked"]
    assert read_element(page(admin, club), "asking-title")
    assert not read_element(page(as_(carla), club), "asking-title")
    assert read_hooks(act(admin, club, "ammetti", chi="\0"), "notice") == ["not_in"]
    assert read_hooks(act(admin, club, "ammetti", chi=bruno.public_id), "notice") == ["admitted"]
    assert read_hooks(act(admin, club, "invita", nome="Carla"), "notice") == ["invited"]
    for text in (as_(carla).get(reverse("clubs")), page(as_(carla), club)):
        assert read_hooks(text, "note") == ["invited"]
    assert read_hooks(act(as_(carla), club, "accetta"), "notice") == ["joined"]
    assert read_hooks(act(admin, club, "ruolo", chi=bruno.public_id, ruolo=Role.ADMIN), "notice") == ["role_changed"]
    assert read_hooks(act(as_(bruno), club, "togli", chi=carla.public_id), "notice") == ["removed"]
    assert read_hooks(act(admin, club, "lascia"), "notice") == ["left"]
    assert read_hooks(act(as_(bruno), club, "lascia"), "notice") == ["last_admin"]
    assert read_hooks(act(as_(bruno), club, "sciogli"), "notice") == ["dissolved"]
    assert not Club.objects.exists()


def test_what_a_stranger_a_guest_and_a_visitor_get(anna: Player, bruno: Player, now: datetime) -> None:
    club = actions.create_club(by=anna, name="Circolo Aurora", description="", now=now)
    guest = create_guest(now=now, address="192.0.2.1")
    assert Client().get(reverse("club-new")).status_code == 302
    assert reverse("account_signup") in as_(guest).get(reverse("club-new")).headers["Location"]
    for client in (Client(), as_(bruno), as_(guest)):
        assert client.get(reverse("club-edit", args=[club.public_id])).status_code == 404
        assert not read_element(page(client, club), "admin-title")
    assert read_hooks(act(as_(bruno), club, "invita", nome="Anna"), "notice") == ["not_admin"]
    assert read_hooks(act(as_(guest), club, "chiedi"), "notice") == ["account_needed"]
    login = Client().post(reverse("club-act", args=[club.public_id, "chiedi"]))
    assert reverse("account_login") in login.headers["Location"]
    assert as_(anna).post(reverse("club-act", args=[club.public_id, "esplodi"])).status_code == 404
    assert as_(anna).get(reverse("club", args=["nessuno"])).status_code == 404
    assert read_hooks(act(as_(anna), club, "ruolo", chi=anna.public_id, ruolo="re"), "notice") == ["unknown_role"]


def test_asking_and_taking_it_back_all_day_is_refused(
    anna: Player, bruno: Player, now: datetime, settings: Any
) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "club_call": "2/h/user"}
    club = actions.create_club(by=anna, name="Circolo Aurora", description="", now=now)
    client = as_(bruno)
    for _ in range(2):
        act(client, club, "chiedi")
        act(client, club, "lascia")
    assert read_hooks(act(client, club, "chiedi"), "notice") == ["too_many_asked"]
    assert not ClubMember.objects.filter(player=bruno).exists()
    cache.clear()


def test_what_cannot_be_stored_is_said_beside_its_field(anna: Player, now: datetime) -> None:
    actions.create_club(by=anna, name="Circolo Aurora", description="", now=now)
    for name, why in (("circolo aurora", "già un circolo"), ("Smazzata", "riservato"), ("..", "almeno due lettere")):
        html = as_(anna).post(reverse("club-new"), {"name": name, "description": "resta"}).content.decode()
        assert why in html
        assert "resta" in html
        assert 'aria-invalid="true"' in html


def test_a_club_shows_its_tournaments_and_drafts_to_who_runs_them(anna: Player, bruno: Player, now: datetime) -> None:
    club = actions.create_club(by=anna, name="Circolo Aurora", description="", now=now)
    made = lifecycle.create_tournament(organiser=anna, settings=KO, now=now)
    made.club = club
    made.save()
    assert KO.name in page(as_(anna), club)
    assert KO.name not in page(as_(bruno), club)
    lifecycle.publish_tournament(tournament_id=made.pk, by=anna, now=now)
    assert KO.name in page(Client(), club)
