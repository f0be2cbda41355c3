"""Tournaments on real tables: people are accounts with a player, matches are played by the tables' own services."""

from datetime import datetime

import pytest
from django.test import Client

from players.models import Player
from tests.support.people import create_person
from tests.support.tournaments import Opened, make_opened
from tournaments.clubs.actions import create_club
from tournaments.models import Club, ClubMember


@pytest.fixture
def organiser(db: None, now: datetime) -> Player:
    return create_person("Teresa", now)


@pytest.fixture
def opened(organiser: Player, now: datetime) -> Opened:
    """A tournament whose registration is open; keywords change its settings."""
    return make_opened(organiser, now)


@pytest.fixture
def four(anna: Player, bruno: Player, carla: Player, dino: Player) -> list[Player]:
    return [anna, bruno, carla, dino]


@pytest.fixture
def organisers(organiser: Player) -> Client:
    client = Client()
    client.force_login(organiser.user)
    return client


@pytest.fixture
def referee(db: None, now: datetime) -> Player:
    return create_person("Rita", now)


@pytest.fixture
def consenting(organiser: Player, four: list[Player], now: datetime) -> Club:
    """The organiser's club, which may enter the four of its members in its tournaments (E3)."""
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    ClubMember.objects.bulk_create(
        ClubMember(club=club, player=player, confirmed=True, consents=True, since=now) for player in four
    )
    return club
