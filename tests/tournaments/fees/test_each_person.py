"""Prizes for each person of an entry (EV11): said where they stand, reckoned in the till, kept in files."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from tests.support.html import read_attribute
from tests.support.keys import address_of, key_for, send
from tests.support.people import sign_in
from tests.support.real_tables import draw_present, open_real, type_names
from tests.support.tournaments import KO, PAIRS, Opened
from tournaments.core.reads import read_entries
from tournaments.fees import actions
from tournaments.fees.queries import read_fee_rows, read_totals
from tournaments.fees.shares import Prize
from tournaments.models import Tournament
from tournaments.transfer.loans import take_in_file
from tournaments.transfer.outgoing import make_copy

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV11", "O10")]


@pytest.fixture
def pairs(opened: Opened, now: datetime) -> Tournament:
    """Two pairs at real tables, drawn."""
    tournament = open_real(opened, PAIRS)
    type_names(tournament, [("Ada", "Bice"), ("Ciro", "Dora")], now)
    draw_present(tournament, now)
    return tournament


def set_prizes(tournament: Tournament, now: datetime, **more: Any) -> None:
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    actions.set_fees(fee_cents=0, prizes=[Prize(2000, "una coppa"), Prize(500)], **about, **more)
    tournament.refresh_from_db()


def count_total(tournament: Tournament) -> int:
    return read_totals(tournament, read_fee_rows(tournament, read_entries(tournament))).prizes


def test_the_till_reckons_a_prize_for_each_of_a_pair(pairs: Tournament, now: datetime) -> None:
    set_prizes(pairs, now)
    assert count_total(pairs) == 2500
    set_prizes(pairs, now, prizes_each=True)
    assert count_total(pairs) == 5000
    set_prizes(pairs, now)
    assert pairs.prizes_each, "what isn't said stays"


def test_one_who_enters_alone_is_each_person(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, KO)
    set_prizes(tournament, now, prizes_each=True)
    assert not tournament.prizes_each
    page = sign_in(tournament.organiser).get(reverse("tournament-fees", args=[tournament.public_id]))
    assert "per_person" not in page.context["form"].fields


def test_the_organiser_ticks_it_and_page_paper_and_programs_say_so(pairs: Tournament, now: datetime) -> None:
    client, address = sign_in(pairs.organiser), reverse("tournament-fees", args=[pairs.public_id])
    assert client.post(address, {"fee": "", "prizes": "20\n5", "per_person": "on"}).status_code == 302
    pairs.refresh_from_db()
    assert pairs.prizes_each
    Tournament.objects.filter(pk=pairs.pk).update(state=Tournament.State.FINISHED)
    pairs.entries.filter(seed=1).update(rank=1, played=1)
    assert read_attribute(client.get(address), "data-note") == ["each"]
    paper = Client().get(reverse("tournament-print", args=[pairs.public_id, "premi"]))
    assert read_attribute(paper, "data-note") == ["each"]
    answer = Client().get(f"{address_of(pairs)}prizes/").json()
    assert (answer["prizes_each"], answer["shares"][0]["cents"]) == (True, 2000)
    client.post(address, {"fee": "", "prizes": "20\n5"})
    pairs.refresh_from_db()
    assert not pairs.prizes_each


def test_programs_choose_it_and_a_body_without_it_leaves_it(pairs: Tournament) -> None:
    key, address = key_for(pairs), f"{address_of(pairs)}fees/"
    body = {"fee_cents": 0, "prizes": [{"cents": 2000}]}
    assert send(key, address, {**body, "prizes_each": True}, "put").json()["prizes"] == 4000
    assert send(key, address, body, "put").json()["prizes_each"] is True
    assert send(key, address, {**body, "prizes_each": False}, "put").json()["prizes"] == 2000


def test_it_travels(pairs: Tournament, now: datetime) -> None:
    set_prizes(pairs, now, prizes_each=True)
    data = make_copy(pairs, now)
    with override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000"):
        assert take_in_file(data=data, by=pairs.organiser, now=now).prizes_each
