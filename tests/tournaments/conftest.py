"""Tournaments on real tables: people are accounts with a player, matches are played by the tables' own services."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.desk import start_refereed
from tests.support.people import create_person
from tests.support.real_tables import draw_real
from tests.support.tournaments import GIRONE, KO, Opened, make_opened
from tournaments.clubs.actions import create_club
from tournaments.models import Club, ClubMember, Tournament
from tournaments.organise.settings import Settings


@arrange_once
def organiser(db: None, now: datetime) -> Player:
    return create_person("Teresa", now)


@arrange_once
def opened(organiser: Player, now: datetime) -> Opened:
    """A tournament whose registration is open; keywords change its settings."""
    return make_opened(organiser, now)


@arrange_once
def four(anna: Player, bruno: Player, carla: Player, dino: Player) -> list[Player]:
    return [anna, bruno, carla, dino]


@pytest.fixture
def organisers(organiser: Player) -> Client:
    client = Client()
    client.force_login(organiser.user)
    return client


@arrange_once
def referee(db: None, now: datetime) -> Player:
    return create_person("Rita", now)


@arrange_once
def cup(opened: Opened, four: list[Player], referee: Player, now: datetime, base: Settings = KO) -> Tournament:
    """The four's KO, which has begun and has a referee."""
    return start_refereed(opened, four, referee, now, base)


@arrange_once
def girone(opened: Opened, four: list[Player], referee: Player, now: datetime, base: Settings = GIRONE) -> Tournament:
    """The four's girone, which has begun and has a referee."""
    return start_refereed(opened, four, referee, now, base)


@arrange_once
def hall(opened: Opened, now: datetime, changed: Mapping[str, Any] | None = None) -> Tournament:
    """A girone of four at real tables, whose first round is published."""
    return draw_real(opened, 4, now, **(changed or {}))


@arrange_once
def consenting(organiser: Player, four: list[Player], now: datetime) -> Club:
    """The organiser's club, which may enter the four of its members in its tournaments (E3)."""
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    ClubMember.objects.bulk_create(
        ClubMember(club=club, player=player, confirmed=True, consents=True, since=now) for player in four
    )
    return club
