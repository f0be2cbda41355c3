"""Teams that enter themselves at real tables (O2, O12), and say who plays by the address of their entry."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support.html import read_error_codes
from tests.support.people import sign_in
from tests.support.real_tables import draw_present, open_real, type_teams
from tests.support.teams import list_players
from tests.support.tournaments import PAIRS, Opened, catch_code
from tournaments.core.reads import read_entries
from tournaments.entries import join
from tournaments.models import Entry, LogEntry, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O2", "O12")]
TYPED = {
    "team": "Leoni",
    "person_1": "Ada Neri",
    "person_2": "Bice Bo",
    "person_3": "Ciro Riva",
    "person_3_minor": "on",
}


def enter(client: Client, tournament: Tournament, **changed: str) -> str:
    """The address of the team's entry."""
    answer = client.post(reverse("self-entry", args=[tournament.public_id]), {**TYPED, **changed})
    assert answer.status_code == 302, answer.context["form"].errors
    return str(answer.headers["Location"])


def test_a_team_enters_itself_and_is_nobodys_account(opened: Opened, anna: Player) -> None:
    tournament = open_real(opened, PAIRS, team_size=4)
    enter(Client(), tournament)
    again = {**TYPED, "team": "Volpi"}
    page = sign_in(anna).post(reverse("self-entry", args=[tournament.public_id]), again)
    assert read_error_codes(page) == {"__all__": ["in_already"]}
    assert 'name="another"' in page.content.decode(), "it is another Ada"
    enter(sign_in(anna), tournament, team="Volpi", another="on")
    rows = {row.name: row for row in read_entries(tournament).values()}
    assert rows["Leoni"].people == ("Ada Neri", "Bice Bo", "C. R.")
    assert rows["Leoni"].by_self
    assert rows["Volpi"].player_ids == ()
    assert rows["Volpi"].people[0] == "Ada Neri (2)"


def test_what_is_missing_is_said_beside_its_field_and_stays_typed(opened: Opened) -> None:
    tournament = open_real(opened, PAIRS, team_size=3)
    address = reverse("self-entry", args=[tournament.public_id])
    page = Client().post(address, {"team": "", "person_1": "Ada Neri", "person_2": ""})
    assert set(page.context["form"].errors) == {"team", "person_2"}
    assert 'value="Ada Neri"' in page.content.decode()
    enter(Client(), tournament)
    page = Client().post(address, TYPED)
    assert set(page.context["form"].errors) == {"team"}
    assert Entry.objects.filter(tournament=tournament).count() == 1


def test_no_account_enters_a_team_alone(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = open_real(opened, team_size=3)
    assert catch_code(join.enter_player, tournament_id=tournament.pk, player=anna, now=now) == "teams_typed"
    page = sign_in(anna).get(reverse("tournament", args=[tournament.public_id])).content.decode()
    assert reverse("self-entry", args=[tournament.public_id]) in page
    assert reverse("tournament-join", args=[tournament.public_id]) not in page


def test_a_team_says_who_plays_by_the_address_of_its_entry(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, PAIRS, team_size=4, seeding="organiser")
    own = enter(Client(), tournament)
    type_teams(tournament, {"Volpi": ("Dora", "Elio")}, now)
    address = f"{own}formazione/"
    assert address in Client().get(own).content.decode()
    leoni = tournament.entries.get(team_name="Leoni")
    ids = list(leoni.members.order_by("position").values_list("person", flat=True))
    refused = Client().post(address, {"card": f"t{leoni.pk}", "people": ids[:1]})
    assert refused.context["card"].form.errors
    assert Client().post(address, {"card": f"t{leoni.pk}", "people": ids[1:]}).status_code == 302
    draw_present(tournament, now)
    assert list_players(tournament, 1)["Leoni"] == ("Bice Bo", "C. R.")
    logged = LogEntry.objects.get(tournament=tournament, code="line_up_named")
    assert (logged.player, logged.detail) == (None, {"entries": [leoni.pk]})
    stranger = reverse("own-line-up", args=[tournament.public_id, "x" * 22])
    assert Client().get(stranger).status_code == 404


@pytest.mark.rule("E3")
def test_the_code_leads_an_account_to_the_teams_page_too(opened: Opened, anna: Player) -> None:
    tournament = open_real(opened, PAIRS, team_size=4, registration="code")
    code = reverse("tournament-code", args=[tournament.public_id])
    page = sign_in(anna).post(code, {"code": tournament.join_code}, follow=True)
    assert (page.status_code, page.request["PATH_INFO"]) == (200, reverse("self-entry", args=[tournament.public_id]))
