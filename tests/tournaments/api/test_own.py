"""Lists of a key owner's own: tournaments, clubs, pairs that ask them, blocks; and invitations taken back."""

from datetime import datetime

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player, PlayerBlock
from tests.support.entries import enter_all
from tests.support.keys import by_key, code, make_key, send
from tests.support.real_tables import NAMES, draw_real, open_real
from tests.support.tournaments import GIRONE, PAIRS, Opened
from tournaments.clubs.actions import create_club, invite_to_club
from tournaments.entries.import_list import add_names
from tournaments.entries.pairs import enter_pair
from tournaments.lists.spreadsheet import Row
from tournaments.models import Entry, PlayInvitation

pytestmark = pytest.mark.django_db

LIST = "/api/v1/tournaments/"


@pytest.fixture
def annas(anna: Player) -> Client:
    return by_key(make_key(anna, scopes=["read", "play"]))


@pytest.mark.rule("AP3", "AP7")
def test_one_finds_the_tournaments_one_has_entered_or_runs_u3_u7(
    annas: Client, opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    entered, other = enter_all(opened(GIRONE), four, now), opened(name="Altro")

    def read(client: Client, own: str) -> set[str]:
        return {row["public_id"] for row in client.get(f"{LIST}?own={own}").json()["results"]}

    assert read(annas, "entered") == {entered.public_id}
    assert read(annas, "organised") == set()
    assert read(by_key(make_key(organiser)), "organised") == {entered.public_id, other.public_id}
    assert code(Client().get(f"{LIST}?own=entered")) == (401, "token_needed")
    assert annas.get(f"{LIST}?own=all").status_code == 400


@pytest.mark.rule("AP7", "E3")
def test_one_reads_who_invites_one_and_whom_one_has_blocked_u7_e3(
    annas: Client, opened: Opened, organiser: Player, anna: Player, bruno: Player
) -> None:
    now = timezone.now()
    club = create_club(by=organiser, name="Circolo", description="", now=now)
    invite_to_club(club_id=club.pk, by=organiser, name="Anna", now=now)
    (own,) = annas.get("/api/v1/me/clubs/").json()["results"]
    assert (own["club"], own["state"], own["role"]) == (club.public_id, "invited", "member")
    pairs = opened(PAIRS)
    enter_pair(tournament_id=pairs.pk, player=bruno, partner="Anna", now=now)
    entry = Entry.objects.get().pk
    asking = {"entry": entry, "invited_by": "Bruno", "tournament": pairs.public_id}
    assert annas.get("/api/v1/invitations/partners/").json() == [asking]
    PlayerBlock.objects.create(player=anna, blocked=bruno, at=now)
    assert annas.get("/api/v1/me/blocked/").json() == [{"player": bruno.public_id, "name": "Bruno"}]
    assert send(annas, "/api/v1/me/unblock/", {"player": bruno.public_id}).status_code == 204
    assert code(send(annas, "/api/v1/me/unblock/", {"player": bruno.public_id})) == (409, "not_blocked")
    assert send(annas, f"{LIST}{pairs.public_id}/pair/accept/", {"entry": entry}).status_code == 200


@pytest.mark.rule("AP7", "E8")
def test_one_enters_with_a_partner_of_the_house_u7_e8(annas: Client, opened: Opened) -> None:
    pairs = opened(PAIRS, house_allowed=True)
    entered = send(annas, f"{LIST}{pairs.public_id}/pair/house/")
    assert (entered.status_code, entered.json()["confirmed"]) == (200, True)
    alone = opened(GIRONE)
    assert send(annas, f"{LIST}{alone.public_id}/pair/house/").status_code in (403, 409)


@pytest.mark.rule("AP7", "E3")
def test_an_invitation_is_taken_back_by_who_runs_its_tournament_u7_e3(
    annas: Client, opened: Opened, organiser: Player, anna: Player, now: datetime
) -> None:
    tournament = opened()
    add_names(tournament_id=tournament.pk, by=organiser, row=Row(1, "Anna"), now=now)
    own = f"/api/v1/invitations/{PlayInvitation.objects.get().pk}/take-back/"
    target = [f"tournament:{tournament.public_id}"]
    assert code(send(annas, own)) == (403, "scope_missing")
    assert code(send(by_key(make_key(organiser)), own)) == (403, "not_chosen")
    assert code(send(by_key(make_key(anna, targets=target)), own)) == (403, "not_organiser")
    assert send(by_key(make_key(organiser, targets=target)), own).status_code == 204
    assert annas.get("/api/v1/invitations/").json() == []
    assert send(by_key(make_key(organiser, targets=target)), "/api/v1/invitations/999999/take-back/").status_code == 404


@pytest.mark.rule("AP7", "O2")
def test_the_people_of_an_earlier_evening_are_taken_over_u7_o2(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    earlier, later = draw_real(opened, 4, now), open_real(opened, name="Seconda serata")
    key = by_key(make_key(organiser, targets=[f"tournament:{later.public_id}"]))
    own = f"{LIST}{later.public_id}/entries/take-over/"
    taken = send(key, own, {"tournament": earlier.public_id})
    assert (taken.status_code, taken.json()["entries"], later.entries.count()) == (201, 4, 4)
    assert send(key, own, {"tournament": earlier.public_id}).json()["entries"] == 0
    assert code(send(key, own, {"tournament": later.public_id})) == (409, "no_source")
    assert len(NAMES) > later.entries.count()


@pytest.mark.rule("AP7", "O2")
def test_at_real_tables_one_enters_with_a_partner_who_has_no_account_u7_o2(annas: Client, opened: Opened) -> None:
    pairs, alone = open_real(opened, PAIRS), open_real(opened, name="Da soli")
    own = f"{LIST}{pairs.public_id}/join/"
    refused = send(annas, own, {"partner": None, "typed_partner": "Ugo"}).json()
    assert [(fault["field"], fault["code"]) for fault in refused["errors"]] == [("typed_partner", "repeated")]
    assert code(send(annas, own, {"typed_partner": "?"})) == (409, "list_refused")
    entered = send(annas, own, {"typed_partner": "Ugo"})
    assert (entered.status_code, entered.json()["name"], entered.json()["confirmed"]) == (200, "Anna – Ugo", True)
    assert code(send(annas, own, {"typed_partner": "Zita"}))[0] == 409
    assert code(send(annas, f"{LIST}{alone.public_id}/join/", {"typed_partner": "Ugo"})) == (409, "not_pairs")
    assert code(send(annas, f"{LIST}{opened(PAIRS).public_id}/join/", {"typed_partner": "Ugo"})) == (409, "not_real")
