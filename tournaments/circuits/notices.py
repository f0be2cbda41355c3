"""Notices of a circuit that ended: everybody's place, and another one after a correction (Y3)."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial

from django.db import transaction
from django.urls import reverse

from players.broadcast import Message, notify
from players.models import Person
from players.services.mail import MailValues, mail_to
from tournaments.models import Circuit

NOTICE = "circuit_place"


def tell_places(circuit: Circuit, ranks: Mapping[tuple[int, int | None], int], now: datetime) -> None:
    """Tell these people, who stand in it by themselves or in a pair, their rank: who stands there with two partners,
    the better one. Call it inside a transaction."""
    people: dict[int, int] = {}
    for key, rank in ranks.items():
        for person in key:
            if person is not None:
                people[person] = min(rank, people.get(person, rank))
    players = Person.objects.filter(pk__in=people, player__isnull=False).values_list("pk", "player_id")
    by_rank: dict[int, list[int]] = {}
    for person, player_id in players:
        if player_id is not None:
            by_rank.setdefault(people[person], []).append(player_id)
    path = reverse("circuit", args=[circuit.public_id])
    for rank, player_ids in by_rank.items():
        values = MailValues(title=circuit.name, path=path, rank=rank)
        mail_to(
            kind=NOTICE,
            key=f"{circuit.public_id}:{rank}:{now:%y%m%d%H%M%S}",
            player_ids=player_ids,
            values=values,
            now=now,
        )
    everybody = [player_id for player_ids in by_rank.values() for player_id in player_ids]
    frame = {"t": "notice", "code": NOTICE, "url": path, "title": circuit.name}
    transaction.on_commit(partial(_notify, everybody, frame))


def _notify(player_ids: list[int], frame: Message) -> None:
    for player_id in player_ids:
        notify(player_id, frame)
