"""The servers and processes the other tests stand on."""

import pytest
from django.conf import settings
from django.db import connection

from config.launcher.redis_server import probe_redis
from players.models import Player


def test_the_redis_of_the_tests_is_a_real_one() -> None:
    assert probe_redis(settings.REDIS_URL) == ""


def test_the_database_is_the_one_that_was_asked_for(db: None, request: pytest.FixtureRequest) -> None:
    assert connection.vendor == {"sqlite": "sqlite", "postgres": "postgresql"}[request.config.getoption("db")]


def test_known_people_are_players(anna: Player, bruno: Player) -> None:
    assert {str(anna), str(bruno)} == {"Anna", "Bruno"}
