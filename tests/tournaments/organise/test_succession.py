"""Succession: an organiser who closes the account leaves what is played to somebody (E2)."""

from datetime import datetime, time
from typing import Any

import pytest
from django.db import transaction

from players.models import Player
from players.services.close_account import close_account
from tests.support.entries import enter_all
from tests.support.tournaments import Opened
from tournaments.clubs.actions import create_club
from tournaments.core import wording
from tournaments.core.notify import list_told
from tournaments.core.permissions import may_run
from tournaments.models import Club, ClubMember, LogEntry, Referee, Series, Tournament
from tournaments.organise.referees import name_referee
from tournaments.organise.succession import hand_over_tournaments

pytestmark = [pytest.mark.django_db, pytest.mark.rule("E2")]


def close_organiser(tournament: Tournament, now: datetime) -> list[str]:
    """Close the organiser's account; return the codes of what the log says since."""
    before = LogEntry.objects.filter(tournament=tournament).count()
    close_account(player_id=tournament.organiser_id, now=now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    return list(LogEntry.objects.filter(tournament=tournament).order_by("pk").values_list("code", flat=True)[before:])


def make_staff(player: Player) -> None:
    player.user.is_staff = True
    player.user.save()


def test_what_is_played_goes_to_the_first_named_referee_who_is_still_there_e2(
    opened: Opened, organiser: Player, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = enter_all(opened(), four, now)
    for player in (four[0], referee, four[1]):
        name_referee(tournament_id=tournament.pk, by=organiser, name=player.name, now=now)
    four[0].user.is_active = False
    four[0].user.save()
    make_staff(four[2])
    assert close_organiser(tournament, now) == ["organiser_changed"]
    assert tournament.organiser == referee
    assert may_run(tournament, referee)
    assert not Referee.objects.filter(tournament=tournament, player=referee).exists()
    assert "tournament_inherited" in wording.list_notices()


def test_who_inherits_it_is_told_e2(
    opened: Opened, organiser: Player, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = enter_all(opened(), four, now)
    name_referee(tournament_id=tournament.pk, by=organiser, name=referee.name, now=now)
    with transaction.atomic():
        hand_over_tournaments(player=organiser, now=now)
        assert list_told() == {referee.pk}


def test_without_a_referee_it_goes_to_the_staff_e2(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = enter_all(opened(), four, now)
    make_staff(referee)
    assert close_organiser(tournament, now) == ["organiser_changed"]
    assert tournament.organiser == referee


def test_with_nobody_left_it_is_played_to_its_end_e2(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(), four, now)
    make_staff(organiser)
    assert close_organiser(tournament, now) == []
    assert tournament.organiser == organiser


def test_what_is_over_keeps_its_organiser_e2(
    opened: Opened, organiser: Player, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = enter_all(opened(), four, now)
    name_referee(tournament_id=tournament.pk, by=organiser, name=referee.name, now=now)
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    close_account(player_id=organiser.pk, now=now)
    tournament.refresh_from_db()
    assert tournament.organiser == organiser


@pytest.fixture
def club(organiser: Player, four: list[Player], now: datetime) -> Club:
    """A club of the organiser, in which Bruno organises and Anna is a member."""
    club = create_club(by=organiser, name="Circolo del Porto", description="", now=now)
    for player, role in ((four[0], ClubMember.Role.MEMBER), (four[1], ClubMember.Role.ORGANISER)):
        ClubMember.objects.create(club=club, player=player, role=role, confirmed=True, since=now)
    return club


@pytest.mark.parametrize("state", ["draft", "open", "running"])
def test_what_is_a_clubs_goes_on_with_another_who_organises_for_it_e2(
    opened: Opened, four: list[Player], club: Club, now: datetime, state: str
) -> None:
    tournament = opened()
    Tournament.objects.filter(pk=tournament.pk).update(club=club)
    if state == "draft":
        Tournament.objects.filter(pk=tournament.pk).update(state=state)
    elif state == "running":
        tournament = enter_all(tournament, four, now)
    close_account(player_id=tournament.organiser_id, now=now)
    tournament.refresh_from_db()
    assert (tournament.organiser, str(tournament.state), tournament.club) == (four[1], state, club)
    assert may_run(tournament, four[1])


@pytest.mark.rule("E7")
def test_a_series_of_a_club_goes_on_and_ones_own_ends(
    organiser: Player, four: list[Player], club: Club, now: datetime
) -> None:
    about: dict[str, Any] = {"organiser": organiser, "settings": {}, "weekday": 0, "hour": time(21), "next_start": now}
    kept, own = Series.objects.create(club=club, **about), Series.objects.create(**about)
    close_account(player_id=organiser.pk, now=now)
    assert [(series.pk, series.organiser) for series in Series.objects.all()] == [(kept.pk, four[1])]
    assert own.pk != kept.pk


def test_what_is_of_a_club_without_another_organiser_is_cancelled_e2(
    opened: Opened, four: list[Player], club: Club, now: datetime
) -> None:
    ClubMember.objects.filter(player=four[1]).update(role=ClubMember.Role.MEMBER)
    tournament = opened()
    Tournament.objects.filter(pk=tournament.pk).update(club=club)
    close_account(player_id=tournament.organiser_id, now=now)
    tournament.refresh_from_db()
    assert tournament.cancelled_because == "organiser_gone"
