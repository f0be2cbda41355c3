"""Clubs: joining, the rights of each role, and never a club without an administrator."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connections

from players.models import Player
from players.services.close_account import close_account
from players.services.house import create_house_player
from players.services.players import create_guest
from tests.support.people import create_person
from tests.support.waiting import PATIENCE
from tournaments.clubs import actions, queries, wording
from tournaments.clubs.actions import CLUB_CODES, ClubError
from tournaments.models import Club, ClubMember

pytestmark = pytest.mark.django_db

Role = ClubMember.Role
Founded = Callable[..., Club]


@pytest.fixture
def founded(anna: Player, now: datetime) -> Founded:
    """Anna's club; keywords are further members' roles by name, in the order of joining."""

    def make(**others: str) -> Club:
        club = actions.create_club(by=anna, name="Circolo Aurora", description="", now=now)
        for place, (name, role) in enumerate(others.items(), 1):
            since = now + timedelta(days=place)
            ClubMember.objects.create(
                club=club, player=create_person(name, now), role=role, confirmed=True, since=since
            )
        return club

    return make


def refused(call: Callable[..., Any], **arguments: Any) -> str:
    with pytest.raises(ClubError) as error:
        call(**arguments)
    assert wording.describe_refusal(error.value.code, error.value.values)
    return error.value.code


def role_of(club: Club, player: Player) -> str | None:
    row = ClubMember.objects.filter(club=club, player=player).first()
    return None if row is None else str(row.role) if row.confirmed else "invited" if row.invited else "asking"


def one(name: str) -> Player:
    return Player.objects.get(name=name)


def test_every_code_has_words() -> None:
    assert all(wording.describe_refusal(code, {"limit": 5, "low": 3, "high": 60}) for code in CLUB_CODES)


def test_a_club_is_of_people_with_an_account_and_has_a_name_of_its_own(anna: Player, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    house = create_house_player(now=now)
    for nobody in (guest, house):
        assert refused(actions.create_club, by=nobody, name="Aurora", description="", now=now) == "account_needed"
    club = actions.create_club(by=anna, name="  Circolo\u202e  Aurora ", description="**Ciao**\x00", now=now)
    assert (club.name, club.description) == ("Circolo Aurora", "**Ciao**")
    assert role_of(club, anna) == Role.ADMIN
    for name, code in (
        ("circolo-aurora", "club_name_taken"),
        ("Ab", "name_length"),
        ("!!!", "name_length"),
        ("x" * 61, "name_length"),
        ("Circolo Smazzata", "name_reserved"),
    ):
        assert refused(actions.create_club, by=anna, name=name, description="", now=now) == code
    long = refused(actions.edit_club, club_id=club.pk, by=anna, name="Aurora", description="x" * 5001)
    assert long == "text_too_long"


def test_one_person_administers_only_so_many(anna: Player, now: datetime) -> None:
    for number in range(5):
        actions.create_club(by=anna, name=f"Circolo numero {number}", description="", now=now)
    assert refused(actions.create_club, by=anna, name="Un altro", description="", now=now) == "too_many_clubs"


def test_who_asks_waits_for_an_answer_and_may_take_it_back(founded: Founded, bruno: Player, now: datetime) -> None:
    club, anna = founded(), one("Anna")
    actions.ask_to_join(club_id=club.pk, player=bruno, now=now)
    assert role_of(club, bruno) == "asking"
    assert refused(actions.ask_to_join, club_id=club.pk, player=bruno, now=now) == "already_asked"
    assert refused(actions.answer_club, club_id=club.pk, player=bruno, accept=True, now=now) == "not_in"
    actions.leave_club(club_id=club.pk, player=bruno)
    actions.ask_to_join(club_id=club.pk, player=bruno, now=now)
    actions.answer_request(club_id=club.pk, by=anna, player_id=bruno.pk, accept=False, now=now)
    assert role_of(club, bruno) is None
    actions.ask_to_join(club_id=club.pk, player=bruno, now=now)
    actions.answer_request(club_id=club.pk, by=anna, player_id=bruno.pk, accept=True, now=now)
    assert role_of(club, bruno) == Role.MEMBER
    guest = create_guest(now=now, address="192.0.2.1")
    assert refused(actions.ask_to_join, club_id=club.pk, player=guest, now=now) == "account_needed"


def test_who_is_invited_answers_themselves(founded: Founded, bruno: Player, carla: Player, now: datetime) -> None:
    club, anna = founded(), one("Anna")
    actions.invite_to_club(club_id=club.pk, by=anna, name="bruno", now=now)
    assert role_of(club, bruno) == "invited"
    assert refused(actions.answer_request, club_id=club.pk, by=anna, player_id=bruno.pk, accept=True, now=now)
    assert refused(actions.set_role, club_id=club.pk, by=anna, player_id=bruno.pk, role=Role.ADMIN) == "not_in"
    actions.answer_club(club_id=club.pk, player=bruno, accept=True, now=now)
    assert role_of(club, bruno) == Role.MEMBER
    actions.invite_to_club(club_id=club.pk, by=anna, name="Carla", now=now)
    actions.answer_club(club_id=club.pk, player=carla, accept=False, now=now)
    assert role_of(club, carla) is None
    guest, house = create_guest(now=now, address="192.0.2.1"), create_house_player(now=now)
    for name, code in (
        ("Nessuno", "player_unknown"),
        ("...", "player_unknown"),
        ("Bruno", "already_in"),
        (guest.name, "player_is_guest"),
        (house.name, "player_is_house"),
    ):
        assert refused(actions.invite_to_club, club_id=club.pk, by=anna, name=name, now=now) == code


def test_where_both_want_it_nobody_waits(founded: Founded, bruno: Player, carla: Player, now: datetime) -> None:
    club, anna = founded(), one("Anna")
    actions.ask_to_join(club_id=club.pk, player=bruno, now=now)
    actions.invite_to_club(club_id=club.pk, by=anna, name="Bruno", now=now)
    actions.invite_to_club(club_id=club.pk, by=anna, name="Carla", now=now)
    actions.ask_to_join(club_id=club.pk, player=carla, now=now)
    assert [role_of(club, bruno), role_of(club, carla)] == [Role.MEMBER, Role.MEMBER]


def test_only_administrators_run_a_club(founded: Founded, dino: Player, now: datetime) -> None:
    club = founded(Ottavio=Role.ORGANISER, Renzo=Role.REFEREE, Sonia=Role.MEMBER)
    actions.ask_to_join(club_id=club.pk, player=dino, now=now)
    acts: list[tuple[Callable[..., Any], dict[str, Any]]] = [
        (actions.edit_club, {"name": "Mio", "description": ""}),
        (actions.invite_to_club, {"name": "Dino", "now": now}),
        (actions.answer_request, {"player_id": dino.pk, "accept": True, "now": now}),
        (actions.set_role, {"player_id": one("Sonia").pk, "role": Role.ADMIN}),
        (actions.remove_member, {"player_id": one("Anna").pk}),
        (actions.dissolve_club, {"now": now}),
    ]
    for name in ("Ottavio", "Renzo", "Sonia", "Dino"):
        for act, values in acts:
            assert refused(act, club_id=club.pk, by=one(name), **values) == "not_admin"
    organise = {name: queries.list_clubs_to_organise_for(one(name)).exists() for name in ("Ottavio", "Renzo", "Dino")}
    assert organise == {"Ottavio": True, "Renzo": False, "Dino": False}


def test_the_last_administrator_neither_goes_nor_is_demoted(founded: Founded, now: datetime) -> None:
    club, anna = founded(Sonia=Role.MEMBER), one("Anna")
    sonia = one("Sonia")
    assert refused(actions.leave_club, club_id=club.pk, player=anna) == "last_admin"
    assert refused(actions.remove_member, club_id=club.pk, by=anna, player_id=anna.pk) == "last_admin"
    assert refused(actions.set_role, club_id=club.pk, by=anna, player_id=anna.pk, role=Role.MEMBER) == "last_admin"
    assert refused(actions.dissolve_club, club_id=club.pk, by=anna, now=now) == "not_alone"
    assert refused(actions.set_role, club_id=club.pk, by=anna, player_id=sonia.pk, role="re") == "unknown_role"
    actions.set_role(club_id=club.pk, by=anna, player_id=sonia.pk, role=Role.ADMIN)
    actions.leave_club(club_id=club.pk, player=anna)
    actions.dissolve_club(club_id=club.pk, by=sonia, now=now)
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    ("others", "heir"),
    [
        ({"Sonia": Role.MEMBER, "Ottavio": Role.ORGANISER, "Otello": Role.ORGANISER}, "Ottavio"),
        ({"Sonia": Role.MEMBER, "Renzo": Role.REFEREE}, "Sonia"),
        ({"Ada": Role.ADMIN, "Ottavio": Role.ORGANISER}, "Ada"),
        ({}, None),
    ],
)
def test_when_an_account_closes_somebody_else_administers(
    founded: Founded, bruno: Player, now: datetime, others: dict[str, str], heir: str | None
) -> None:
    club = founded(**others)
    actions.invite_to_club(club_id=club.pk, by=one("Anna"), name="Bruno", now=now)  # asked, not in: no heir
    close_account(player_id=one("Anna").pk, now=now)
    admins = ClubMember.objects.filter(club=club, role=Role.ADMIN, confirmed=True)
    assert [row.player.name for row in admins] == ([] if heir is None else [heir])
    assert Club.objects.filter(pk=club.pk).exists() is (heir is not None)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_of_two_administrators_who_leave_at_once_one_stays(founded: Founded) -> None:
    club = founded(Ada=Role.ADMIN)
    gate = Barrier(2)

    def leave(player: Player) -> str:
        try:
            gate.wait(PATIENCE)
            actions.leave_club(club_id=club.pk, player=player)
        except ClubError as error:
            return error.code
        finally:
            connections.close_all()
        return "left"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(leave, (one("Anna"), one("Ada")))) == ["last_admin", "left"]
    assert ClubMember.objects.filter(club=club, role=Role.ADMIN).count() == 1


def test_a_club_does_not_call_strangers_all_day(founded: Founded, now: datetime) -> None:
    club, anna = founded(), one("Anna")
    for number in range(30):
        actions.invite_to_club(club_id=club.pk, by=anna, name=create_person(f"Persona {number}", now).name, now=now)
    more = create_person("Persona di troppo", now)
    assert refused(actions.invite_to_club, club_id=club.pk, by=anna, name=more.name, now=now) == "too_many_asked"
    actions.invite_to_club(club_id=club.pk, by=anna, name=more.name, now=now + timedelta(hours=2))
