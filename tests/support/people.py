"""People with accounts, and clients that are signed in as them."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from players.models import Person, Player, User
from players.services.house import take_house_players

PASSWORD = "quattro-assi-in-mano"


OLD = timedelta(days=30)  # of an account that is no longer new (AT6, W3)


def create_person(name: str, now: datetime) -> Player:
    user = User.objects.create_user(username=name.lower(), password=PASSWORD)
    player = Player.objects.get_or_create(user=user, defaults={"name": name, "created_at": now - OLD})[0]
    Person.objects.get_or_create(player=player)
    return player


def take_house(*, count: int, now: datetime) -> list[Player]:
    """Return ``count`` free house players, as whoever seats or enters some gets them."""
    with transaction.atomic():
        return take_house_players(count=count, now=now)


def log_in(client: Client, login: str, password: str = PASSWORD, **extra: str) -> HttpResponse:
    return client.post(reverse("account_login"), {"login": login, "password": password}, **extra)  # type: ignore[arg-type,return-value]


def is_logged_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def give_address(player: Player, *, verified: bool = True, **preferences: object) -> str:
    """Give ``player`` an address and preferences."""
    address = f"{player.name.lower()}@example.org"
    EmailAddress.objects.create(user=player.user, email=address, verified=verified, primary=True)
    User.objects.filter(pk=player.user_id).update(email=address, **preferences)
    player.user.refresh_from_db()
    return address


def sign_in(player: Player | None) -> Client:
    client = Client()
    if player is not None:
        client.force_login(player.user)
    return client
