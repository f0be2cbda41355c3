"""House players: a pool made in bulk, used again, never larger than its cap (AT6)."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Person, Player
from players.services import house
from players.services.house import HOUSE_NAMES, HouseBusy, create_house_player, prepare_house_players
from tests.support.people import create_person, take_house
from tests.support.threads import run_at_once

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def keep_busy(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[Player]], None]:
    """Have these house players something to do."""

    def add(players: list[Player]) -> None:
        ids = {player.pk for player in players}
        monkeypatch.setattr(house, "_busy", [*house._busy, lambda: ids])

    return add


def test_as_many_play_as_are_asked_for_and_those_who_are_free_play_again(
    now: datetime, keep_busy: Callable[[list[Player]], None]
) -> None:
    first = take_house(count=3, now=now)
    keep_busy(first[:1])
    again = take_house(count=3, now=now)
    assert [player.pk for player in again[:2]] == [player.pk for player in first[1:]]
    assert all(player.is_house and not player.user.has_usable_password() for player in again)
    assert Player.objects.count() == 4


def test_their_names_are_free_short_and_looked_for_as_any_other(now: datetime) -> None:
    create_person("Zia Assunta", now)
    create_person("Nonno Beppe 2", now)
    many = take_house(count=2 * len(HOUSE_NAMES), now=now)
    names = [player.name for player in many]
    assert len(set(names)) == len(many)
    assert not {"Zia Assunta", "Nonno Beppe 2"} & set(names)
    assert all(len(name) <= 24 for name in names)
    stored = Player.objects.get(pk=many[-1].pk)
    assert (stored.name_key, stored.look_key) == (many[-1].name_key, many[-1].look_key) != ("", "")
    assert Person.objects.filter(player__in=many).count() == len(many)
    assert create_house_player(now=now).name not in names


def test_ten_times_as_many_are_made_in_no_more_statements_at6(now: datetime) -> None:
    """But for those that SQLite splits by the number of their values."""
    counted = []
    prepare_house_players(count=1, now=now)
    for count in (6, 60):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            prepare_house_players(count=count, now=now)
        counted.append(len(queries))
    assert counted[1] - counted[0] <= (0 if connection.vendor == "postgresql" else 2)


def test_there_are_never_more_than_the_cap_at6(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "MAX_HOUSE_PLAYERS", 5)
    prepare_house_players(count=5, now=now)
    prepare_house_players(count=5, now=now)
    with pytest.raises(HouseBusy):
        prepare_house_players(count=6, now=now)
    assert Player.objects.count() == 5


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_of_several_at_once_nobody_passes_the_cap_and_no_name_is_given_twice_at6(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "MAX_HOUSE_PLAYERS", 20)
    busy: set[int] = set()
    monkeypatch.setattr(house, "_busy", [lambda: set(busy)])

    def take() -> list[int]:
        players = [player.pk for player in take_house(count=6, now=now)]
        busy.update(players)
        return players

    answers = run_at_once(*[take] * 6)
    assert Player.objects.count() <= 20
    assert {type(answer) for answer in answers} <= {list, HouseBusy}
    assert any(type(answer) is list for answer in answers)
