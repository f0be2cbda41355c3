"""Arrangements of the tests (tests/support/arrangements.py): made once, copied for each test, and rolled back to."""

from datetime import datetime

import pytest
from django.db import connection

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.people import create_person
from tournaments.core import drawn_once
from tournaments.core.drawn_once import draw_once, forget_drawn

names: list[str] = []  # of guests, as they were arranged


@arrange_once
def guest(now: datetime, name: str = "Olga") -> Player:
    names.append(name)
    return create_person(name, now)


@arrange_once
def two(guest: Player, anna: Player) -> list[Player]:
    guest.name = "Anna's guest"
    return [guest, anna]


@pytest.fixture
def late(client: object, now: datetime) -> Player:
    return create_person("Ugo", now)


@arrange_once
def three(two: list[Player], late: Player) -> list[Player]:
    return [*two, late]


@pytest.mark.django_db
@pytest.mark.parametrize("time", range(3))
def test_every_test_begins_with_what_was_arranged_whatever_others_did(guest: Player, time: int) -> None:
    assert names.count("Olga") == 1
    assert [player.name for player in Player.objects.all()] == [guest.name] == ["Olga"]
    guest.name = "Rosa"
    guest.save()
    create_person("Zita", guest.created_at)


@pytest.mark.django_db
@pytest.mark.parametrize("time", range(2))
def test_copies_hang_together_as_what_was_returned_does(
    two: list[Player], anna: Player, guest: Player, time: int
) -> None:
    assert two[0] is guest
    assert two[1] is anna
    assert guest.name == "Anna's guest"
    assert set(Player.objects.values_list("name", flat=True)) == {"Olga", "Anna"}


@pytest.mark.django_db
@pytest.mark.parametrize("guest", ["Pia", "Rita"], indirect=True)
@pytest.mark.parametrize("time", range(2))
def test_each_parameter_is_arranged_once(guest: Player, time: int) -> None:
    assert Player.objects.get() == guest
    assert names.count(guest.name) == 1


@pytest.mark.django_db
def test_what_asks_for_a_fixture_of_the_test_is_made_for_the_test(three: list[Player], late: Player) -> None:
    assert three[2] is late
    assert Player.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_what_commits_arranges_for_itself_and_comes_last(two: list[Player], guest: Player) -> None:
    assert two[0] is guest
    assert not connection.in_atomic_block
    assert Player.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("time", range(2))
def test_no_test_is_shown_what_another_had_drawn_otherwise(monkeypatch: pytest.MonkeyPatch, time: int) -> None:
    assert "Iscrizioni aperte" in draw_once("tournaments/pages/_list_open.html", {"tournaments": []}, ()), "as it is"
    forget_drawn()
    monkeypatch.setattr(drawn_once, "render_to_string", lambda *_: "")
    assert draw_once("tournaments/pages/_list_open.html", {"tournaments": []}, ()) == ""
