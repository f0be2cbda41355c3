"""Tournaments of teams in tests (O12): entered, drawn, and who plays for whom."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from tests.support.real_tables import draw_present, list_round, open_real, type_teams
from tests.support.tournaments import GIRONE, Opened
from tournaments.core.reads import read_fixture_row
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, set_result
from tournaments.models import Entry, Tournament
from tournaments.organise.settings import Settings

TEAMS = {
    "Leoni": ("Ada", "Bice", "Ciro"),
    "Volpi": ("Dora", "Elio", "Fede"),
    "Orsi": ("Gino", "Ines", "Lino"),
    "Lupi": ("Mara", "Nora", "Otto"),
}


def draw_teams(
    opened: Opened,
    now: datetime,
    base: Settings = GIRONE,
    teams: Mapping[str, Sequence[str]] = TEAMS,
    **changed: Any,
) -> Tournament:
    """A drawn tournament of these teams, in their order."""
    tournament = open_real(opened, base, **{"team_size": 4, "seeding": "organiser", **changed})
    type_teams(tournament, teams, now)
    draw_present(tournament, now)
    return tournament


def find_team(tournament: Tournament, name: str) -> Entry:
    """The team of that name."""
    return tournament.entries.get(team_name=name)


def list_ids(team: Entry, *names: str) -> list[int]:
    """The ids of these people of a team."""
    ids = dict(team.members.values_list("person__typed_name", "person"))
    return [ids[name] for name in names]


def list_players(tournament: Tournament, number: int) -> dict[str, tuple[str, ...]]:
    """The people who play for each team in a round."""
    rows = [read_fixture_row(fixture, None) for fixture in list_round(tournament, number)]
    return {side.name: side.people for row in rows for side in (row.first, row.second) if side is not None}


def play_round(tournament: Tournament, number: int, now: datetime) -> None:
    """Give every fixture of a round a result: the first named wins."""
    act = Act(tournament.organiser, "", now)
    for fixture in list_round(tournament, number):
        decision = Decision(points=(7, 4), winner=0)
        set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=act)
