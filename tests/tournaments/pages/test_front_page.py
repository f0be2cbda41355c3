"""The front page and new accounts (AT6): what they open is there once somebody else has entered."""

from datetime import datetime

import pytest

from players import caps
from players.models import Player
from players.services.players import create_guest
from tests.support.html import read_hooks
from tests.support.pages import get_tournament_page
from tests.support.people import sign_in
from tests.support.tournaments import KO, Opened
from tournaments.entries import house, join
from tournaments.models import Tournament
from tournaments.pages.home import read_home

pytestmark = pytest.mark.django_db


@pytest.fixture
def newcomer(organiser: Player, now: datetime) -> Player:
    """The organiser of ``opened``, whose account is of today."""
    Player.objects.filter(pk=organiser.pk).update(created_at=now)
    organiser.refresh_from_db()
    return organiser


def is_shown(tournament: Tournament, reader: Player | None = None) -> bool:
    lists = read_home(reader)
    return tournament in [*lists.open, *lists.running]


def test_a_new_accounts_tournament_is_shown_once_somebody_else_has_entered_at6(
    newcomer: Player, opened: Opened, now: datetime
) -> None:
    tournament = opened(house_allowed=True)
    assert not is_shown(tournament)
    assert is_shown(tournament, newcomer), "they find their own"
    join.enter_player(tournament_id=tournament.pk, player=newcomer, now=now)
    house.enter_house_players(tournament_id=tournament.pk, count=2, now=now)
    assert not is_shown(tournament), "neither they nor the house are somebody else"
    assert "unlisted" in read_hooks(get_tournament_page(sign_in(newcomer), tournament), "note")
    join.enter_player(tournament_id=tournament.pk, player=create_guest(now=now, address="192.0.2.1"), now=now)
    assert is_shown(tournament)
    assert "unlisted" not in read_hooks(get_tournament_page(sign_in(newcomer), tournament), "note")


def test_nor_is_one_that_is_running_with_the_house_alone_at6(newcomer: Player, opened: Opened, now: datetime) -> None:
    tournament = opened(KO, house_allowed=True)
    join.enter_player(tournament_id=tournament.pk, player=newcomer, now=now)
    house.enter_house_players(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    assert not is_shown(tournament)


def test_whoever_only_waits_for_a_place_has_not_entered_at6(
    newcomer: Player, opened: Opened, anna: Player, now: datetime
) -> None:
    tournament = opened(registration="approval")
    join.enter_player(tournament_id=tournament.pk, player=anna, now=now)
    assert not is_shown(tournament)


def test_an_account_that_is_not_new_any_more_and_the_house_are_shown_at_once_at6(
    organiser: Player, opened: Opened, now: datetime
) -> None:
    Player.objects.filter(pk=organiser.pk).update(created_at=now - caps.NEW_ACCOUNT)
    first = opened()
    assert is_shown(first)
    Player.objects.filter(pk=organiser.pk).update(created_at=now, kind=Player.Kind.HOUSE)
    assert is_shown(opened())
