"""Succession: an organiser who closes the account leaves what is played to somebody (E2)."""

from datetime import datetime

import pytest
from django.db import transaction

from players.models import Player
from players.services.close_account import close_account
from tests.support.entries import enter_all
from tests.support.tournaments import Opened
from tournaments.core import wording
from tournaments.core.notify import list_told
from tournaments.core.permissions import may_run
from tournaments.models import LogEntry, Referee, Tournament
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
