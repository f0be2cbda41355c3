"""Permissions to run and referee a tournament: organiser, club by roles, named referees, nobody else (F1)."""

from datetime import datetime

import pytest

from players.models import Player
from players.services.players import create_guest
from tests.support.people import create_person
from tests.support.play import OPENING, open_ready
from tests.support.tournaments import KO, Opened
from tournaments.core import permissions, visibility
from tournaments.core.errors import TournamentError
from tournaments.entries import join
from tournaments.models import Club, ClubMember, Fixture, Referee
from tournaments.organise import lifecycle

pytestmark = pytest.mark.django_db

Role = ClubMember.Role


def in_club(club: Club, name: str, role: str, now: datetime, *, confirmed: bool = True) -> Player:
    player = create_person(name, now)
    ClubMember.objects.create(club=club, player=player, role=role, confirmed=confirmed, since=now)
    return player


@pytest.mark.rule("F1")
def test_each_role_has_its_rights_and_no_more_f1(organiser: Player, now: datetime) -> None:
    club = Club.objects.create(name="Circolo", created_at=now)
    other = Club.objects.create(name="Altro circolo", created_at=now)
    made = lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)
    made.club = club
    made.save()
    named = create_person("Nino", now)
    Referee.objects.create(tournament=made, player=named)
    rights = {  # who: runs it, referees it
        organiser: (True, True),
        named: (False, True),
        in_club(club, "Ada", Role.ADMIN, now): (True, True),
        in_club(club, "Ottavio", Role.ORGANISER, now): (True, True),
        in_club(club, "Renzo", Role.REFEREE, now): (False, True),
        in_club(club, "Sonia", Role.MEMBER, now): (False, False),
        in_club(club, "Ugo", Role.ADMIN, now, confirmed=False): (False, False),
        in_club(other, "Elio", Role.ADMIN, now): (False, False),
        create_person("Zeno", now): (False, False),
        create_guest(now=now, address="192.0.2.1"): (False, False),
        None: (False, False),
    }
    for who, (runs, referees) in rights.items():
        assert permissions.may_run(made, who) is runs, who
        assert permissions.may_referee(made, who) is referees, who
        assert (visibility.find_visible(made.public_id, who) is not None) is runs, who  # a draft is theirs who run it
        if who is None:
            continue
        assert permissions.list_run_tournaments(who).filter(pk=made.pk).exists() is runs, who
        if not runs:
            with pytest.raises(TournamentError, match="not_organiser"):
                lifecycle.publish_tournament(tournament_id=made.pk, by=who, now=now)


@pytest.mark.rule("F1")
def test_nobody_judges_the_match_they_play_f1(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = opened(max_entries=4)
    for player in (organiser, *four[:3]):
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    open_ready(tournament, now + OPENING)
    fixtures = Fixture.objects.filter(round__tournament=tournament, match__isnull=False)
    own = [fixture for fixture in fixtures if fixture.match and fixture.match.seats.filter(player=organiser).exists()]
    assert len(own) == 1
    for fixture in fixtures:
        assert permissions.may_judge(tournament, organiser, fixture) is (fixture not in own)
        assert not permissions.may_judge(tournament, four[3], fixture)
