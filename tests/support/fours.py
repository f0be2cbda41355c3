"""Squadre di quattro with equal deals in tests (J11): settings, teams that entered themselves, their two tables."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from players.models import Player
from tests.support.equal import EQUAL, EQUAL_DANESE
from tests.support.people import create_person
from tests.support.tournaments import Opened
from tournaments.entries import team_entry
from tournaments.entries.invitations import accept_invitation
from tournaments.lists.spreadsheet import Row
from tournaments.models import Fixture, PlayInvitation, Tournament

NAMES = ("Ada", "Bice", "Ciro", "Dora", "Elio", "Fede", "Gino", "Ines")
TWOS = replace(EQUAL, name="A squadre", team_size=2, team_tables=2)  # one against one: teams of two
TWOS_DANESE = replace(EQUAL_DANESE, name="Danese a squadre", team_size=2, team_tables=2)
FOURS = replace(TWOS, ruleset="tresette", seats_an_entry=2, team_size=4)


def create_people(count: int, now: datetime) -> list[Player]:
    return [create_person(f"{NAMES[number % 8]} {'ABCDEFGH'[number // 8]}", now) for number in range(count)]


def enter_team(tournament: Tournament, team: str, people: Sequence[Player], now: datetime) -> None:
    """Enter a team by its first player; the others accept."""
    captain, *others = people
    row = Row(1, *(player.name for player in people[:2]), team=team)
    if len(people) == 4:
        row = replace(row, third=people[2].name, fourth=people[3].name)
    team_entry.ask_team(tournament_id=tournament.pk, player=captain, row=row, now=now)
    invitation = PlayInvitation.objects.filter(tournament=tournament, by=captain).latest("pk")
    for player in others:
        accept_invitation(tournament_id=tournament.pk, player=player, invitation_id=invitation.pk, now=now)


def begin_teams(opened: Opened, count: int, now: datetime, **changed: object) -> Tournament:
    """A running tournament of so many teams, "Squadra A" and so on in the order of their seeds' lot."""
    base = changed.pop("base", TWOS)
    tournament = opened(base, **{"max_entries": count, **changed})
    size = tournament.team_size
    people = create_people(count * size, now)
    for number in range(count):
        enter_team(tournament, f"Squadra {'ABCDEFGH'[number]}", people[number * size : (number + 1) * size], now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    return tournament


def list_boards(tournament: Tournament, number: int = 1) -> list[tuple[Fixture, Fixture]]:
    """The two tables of each match of a round."""
    rows = Fixture.objects.of(tournament).filter(round__number=number, second__isnull=False)
    rows = rows.select_related("match", "round").order_by("board", "part")
    return list(zip(rows[::2], rows[1::2], strict=True))
