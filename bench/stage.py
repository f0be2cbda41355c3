"""``python -m bench.stage tables|people|keys|dealt|house COUNT``: put tables or people into a bench's database.

It prints as JSON each table's public id and the Cookie header of each of its four seats, the headers of the people
alone, the keys of members' programs, tables of two that are dealt with what their leader may not see, or the ids of
tables at which the house plays itself. It runs in the environment of the server that is to be measured. Matches are as
long as they may be, so that nobody runs out of cards.
"""

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bench.programs import set_up_django

if TYPE_CHECKING:
    from games.models import Match
    from players.models import Player

SEATS = 4
LONGEST = 20  # deals (V4)


def people(count: int) -> "list[Player]":
    """Create so many guests, as the site makes them, but in few statements; no name is a part of another."""
    from django.utils import timezone

    from players.models import Person, Player, User
    from players.names import make_look_key, make_name_key

    now = timezone.now()
    start = User.objects.count()
    names = [f"Ospite {start + number:05}" for number in range(count)]
    users = User.objects.bulk_create(User(username=name.replace(" ", "-"), password="!") for name in names)
    players = Player.objects.bulk_create(
        Player(
            user=user,
            name=name,
            name_key=make_name_key(name),
            look_key=make_look_key(name),
            kind=Player.Kind.GUEST,
            created_at=now,
        )
        for user, name in zip(users, names, strict=True)
    )
    Person.objects.bulk_create([Person(player=player) for player in players])
    return players


def open_table(
    players: "list[Player]",
    *,
    title: str = "Bench",
    ruleset: str = "tresette",
    deals: int = LONGEST,
    turn_timeout: int | None = 300,
    match_clock: int | None = 3600,
    strength: str = "club",
) -> "Match":
    """Open a table that waits for these players. Times in seconds."""
    from django.utils import timezone

    from games.engine.game import Length
    from games.services import seating

    return seating.open_match(
        ruleset=ruleset,
        length=Length("deals", deals),
        context="free",
        options={},
        players=players,
        turn_timeout=turn_timeout,
        match_clock=match_clock,
        noshow_after=None,
        first_dealer=0,
        title=title,
        strength=strength,
        now=timezone.now,
    )


def open_tables(
    count: int, *, turn_timeout: int | None = 300, match_clock: int | None = 3600, ruleset: str = "tresette"
) -> "list[tuple[Match, list[Player]]]":
    """Open so many tables of four that wait for their players. Times in seconds."""
    guests = people(count * SEATS)
    opened = []
    for number in range(count):
        players = guests[number * SEATS : (number + 1) * SEATS]
        match = open_table(players, ruleset=ruleset, turn_timeout=turn_timeout, match_clock=match_clock)
        opened.append((match, players))
    return opened


def open_dealt(count: int) -> list[object]:
    """Open so many tables of two that are dealt: id, the leader's Cookie header, and the cards that lie
    elsewhere: the opponent's, the stock's."""
    from django.utils import timezone

    from games.engine.cards import NAMES
    from games.models import Deal
    from games.sealing import read_deck
    from games.services import seating

    guests = people(count * 2)
    opened: list[object] = []
    for number in range(count):
        players = guests[2 * number : 2 * number + 2]
        match = open_table(players)
        for player in players:
            seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=timezone.now)
        cards = [NAMES[card] for card in read_deck(Deal.objects.get(match=match).deck)]
        # the leader, left of dealer 0, is dealt the first card, then in turns ten each (tresette of two)
        opened.append([match.public_id, cookie(players[1]), cards[1:20:2], cards[20:]])
    return opened


def open_house_tables(count: int, strength: str = "club") -> list[int]:
    """Open so many tables of four at which the house plays itself, at this strength: their ids."""
    from players.models import Player

    everyone = people(count * SEATS)
    Player.objects.filter(pk__in=[player.pk for player in everyone]).update(kind=Player.Kind.HOUSE)
    for player in everyone:
        player.kind = Player.Kind.HOUSE
    return [open_table(everyone[at : at + SEATS], strength=strength).pk for at in range(0, len(everyone), SEATS)]


def cookie(player: "Player") -> str:
    """The Cookie header of a browser in which this player is signed in."""
    from importlib import import_module

    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(player.user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.user.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def make_keys(count: int) -> Iterator[str]:
    """Make so many members, each with a key for their programs; the keys."""
    from django.utils import timezone

    from players.models import Player
    from players.services.tokens import create_token

    now = timezone.now()
    for player in people(count):
        player.kind = Player.Kind.MEMBER
        player.save(update_fields=["kind"])
        about: dict[str, Any] = {"scopes": ["read", "organise"], "targets": ["new"], "days": 30, "now": now}
        yield create_token(user=player.user, name="bench", **about)[1]


def main() -> int:
    from django.db import transaction

    set_up_django()
    what, count = sys.argv[1], int(sys.argv[2])
    staged: list[object]
    with transaction.atomic():
        if what == "people":
            staged = [cookie(player) for player in people(count)]
        elif what == "keys":
            staged = list(make_keys(count))
        elif what == "dealt":
            staged = open_dealt(count)
        elif what == "house":
            staged = list(open_house_tables(count))
        else:
            staged = [
                {"table": match.public_id, "cookies": [cookie(player) for player in players]}
                for match, players in open_tables(count)
            ]
    json.dump(staged, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
