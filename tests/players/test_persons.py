"""A person is a row of its own: every account's player has exactly one (on-site.md, Persons)."""

from datetime import datetime

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from bench.stage import people
from players.models import Person, Player, User
from players.services.house import create_house_player
from players.services.players import create_guest
from tests.support.people import create_person, take_house

pytestmark = pytest.mark.django_db


def test_members_guests_and_house_players_have_one_person_with_their_name(now: datetime) -> None:
    made = [create_person("Anna", now), create_guest(now=now, address="10.0.0.1"), create_house_player(now=now)]
    made += [*take_house(count=3, now=now), *people(2)]
    assert {person.player_id for person in Person.objects.all()} == set(Player.objects.values_list("pk", flat=True))
    assert all(player.person.name == player.name for player in made)


def test_a_person_follows_the_name_of_its_account(now: datetime) -> None:
    anna = create_person("Anna", now)
    anna.name = "Annarita"
    anna.save(update_fields=["name"])
    assert Person.objects.get(player=anna).name == "Annarita"


def test_a_typed_name_is_a_person_without_an_account() -> None:
    assert Person.objects.create(typed_name="Zio Pino").name == "Zio Pino"


@pytest.mark.parametrize("typed", ["", "Anna"])
def test_a_person_has_one_name_its_accounts_or_the_typed_one(now: datetime, typed: str) -> None:
    player = create_person("Anna", now) if typed else None
    Person.objects.filter(player=player).delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        Person.objects.create(player=player, typed_name=typed)


def test_a_player_stored_by_any_way_has_a_person() -> None:
    user = User.objects.create_user("nuova")
    player = Player.objects.create(user=user, name="Nuova", created_at=timezone.now())
    assert player.person.name == "Nuova"
    player.save()
    assert Person.objects.filter(player=player).count() == 1
