"""Files and sheets are made of the whole of something for whoever asks: who asks too often waits (AT6)."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players import caps
from players.models import Player
from players.services.halls import mark_hall
from tests.support.arrangements import arrange_once
from tests.support.circuits import make_circuit
from tests.support.people import sign_in
from tests.support.standings import fill_tournament
from tests.support.tournaments import GIRONE, Opened

pytestmark = pytest.mark.django_db

FEW = {"files_of_account": "1/m/user", "files_of_visitor": "2/m/ip"}


@pytest.fixture(autouse=True)
def _few(settings: Any) -> None:
    cache.clear()
    assert set(caps.FILE_RATES) == set(FEW)
    settings.FILE_RATES = FEW


@arrange_once
def addresses(opened: Opened, organiser: Player, now: datetime) -> list[str]:
    """Every file and sheet that is made of the whole of a tournament, a circuit, a register or an account's matches."""
    made = fill_tournament(opened, 4, now, GIRONE).public_id
    circuit = make_circuit(organiser, now).public_id
    return [
        reverse("export-csv", args=[made, "incontri"]),
        reverse("export-xlsx", args=[made, "classifica"]),
        reverse("export-json", args=[made, "iscritti"]),
        reverse("tournament-print", args=[made, "iscritti"]),
        reverse("circuit-csv", args=[circuit, "classifica"]),
        reverse("circuit-xlsx", args=[circuit, "classifica"]),
        reverse("circuit-json", args=[circuit, "classifica"]),
        reverse("circuit-print", args=[circuit]),
        reverse("tournament-copy", args=[made]),
        reverse("register-csv", args=["mio"]),
        reverse("register-xlsx", args=["mio"]),
        reverse("own-data"),
    ]


def test_an_account_has_so_many_made_whichever_they_are_at6(addresses: list[str], organiser: Player) -> None:
    client = sign_in(organiser)
    for address in addresses:
        cache.clear()
        assert client.get(address).status_code == 200, address
        assert client.get(addresses[0]).status_code == 429, f"{address} is counted"


def test_visitors_of_one_address_have_so_many_made_and_others_and_halls_their_own_at6(addresses: list[str]) -> None:
    first, *_others = addresses
    assert [Client().get(first, REMOTE_ADDR="192.0.2.1").status_code for _ in range(3)] == [200, 200, 429]
    assert Client().get(first, REMOTE_ADDR="192.0.2.2").status_code == 200
    mark_hall(key="torneo", address="192.0.2.1", until=timezone.now() + timedelta(hours=1))
    assert Client().get(first, REMOTE_ADDR="192.0.2.1").status_code == 200
