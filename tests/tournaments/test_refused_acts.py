"""An act that is refused loses nothing that was typed: its page shows it again, or the browser is told to bring it
back (players/sent_forms.py; of all forms: tests/crawl/test_refused_forms.py)."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from tests.support.desk import build_act
from tests.support.entries import enter_all
from tests.support.html import read_attribute, read_hooks
from tests.support.pages import read_page, tournament_url
from tests.support.people import give_address, sign_in
from tests.support.play import ready
from tests.support.real_tables import draw_real, list_round, open_real, type_names
from tests.support.tournaments import GIRONE, Opened
from tournaments.clubs import actions as clubs
from tournaments.desk import results
from tournaments.desk.results import Decision
from tournaments.fees import actions as fees
from tournaments.models import Fixture, LogEntry, Tournament
from tournaments.own_names import claims

pytestmark = pytest.mark.django_db

WHY = "il mazzo era di trentanove carte"


def send(client: Client, address: str, data: dict[str, Any]) -> tuple[Any, str]:
    """Send a form as a browser does; the answer, and what it says of the form."""
    client.cookies.load({"sent": "1-2-3"})
    answer = client.post(address, data)
    return answer, answer.cookies["answered"].value[-1]


def test_the_name_of_who_is_invited_comes_back(organiser: Player, now: datetime) -> None:
    club = clubs.create_club(by=organiser, name="Circolo", description="", now=now)
    address = f"/circoli/{club.public_id}/invita/"
    answer, told = send(sign_in(organiser), address, {"nome": "Nessuno"})
    assert (answer.status_code, told) == (302, "2")


def test_an_act_whose_form_is_gone_says_so_and_its_reason_comes_back(hall: Tournament, organiser: Player) -> None:
    Tournament.objects.filter(pk=hall.pk).update(state="cancelled")
    desk, fixture = sign_in(organiser), list_round(hall, 1)[0]
    for address in (
        tournament_url("tournament-desk", hall),
        f"{tournament_url('tournament-desk', hall)}{fixture.pk}/",
    ):
        answer, told = send(desk, address, {"what": "annulla", "reason": WHY})
        assert (answer.status_code, told) == (302, "2")
        assert read_hooks(desk.get(answer["Location"]), "notice") == ["act_gone"]


def test_a_refund_stays_typed_with_what_is_wrong_beside_it(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    (ada,) = type_names(tournament, ["Ada"], now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser}
    fees.set_fees(fee_cents=1000, prizes=[], now=now, **about)
    fees.mark_paid(entry_id=ada.pk, now=now, **about)
    typed = {"entry": ada.pk, "rimborso": "10,01"}
    answer, told = send(sign_in(tournament.organiser), tournament_url("tournament-fees", tournament), typed)
    assert (answer.status_code, told) == (422, "1")
    assert 'value="10,01"' in read_page(answer)
    assert f"rimborso-{ada.pk}_error" in read_attribute(answer, "id", "p")


def test_seeds_stay_typed_when_they_are_too_late(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = opened(seeding="organiser", starts_at=timezone.now() + timedelta(days=1))
    enter_all(tournament, four, now)
    Tournament.objects.filter(pk=tournament.pk).update(state="running", drawn_at=now)
    first = tournament.entries.earliest("pk")
    answer, _told = send(sign_in(organiser), tournament_url("tournament-seeds", tournament), {f"entry-{first.pk}": "3"})
    assert answer.status_code == 422
    assert [error.code for error in answer.context["form"].errors.as_data()["__all__"]] == ["drawn"]
    assert 'value="3"' in read_page(answer)


def test_the_reason_for_taking_a_result_back_stays_typed(opened: Opened, organiser: Player, now: datetime) -> None:
    hall = draw_real(opened, 4, now, GIRONE)
    fixture: Fixture = ready(hall)[0]
    about: dict[str, Any] = {"tournament_id": hall.pk, "fixture_id": fixture.pk, "act": build_act(organiser, now)}
    results.set_result(decision=Decision(points=(8, 3), winner=0), **about)
    page = tournament_url("tournament-results", hall)
    last = LogEntry.objects.filter(tournament=hall).latest("pk")
    gone = {"what": "torna-indietro", "entry": last.pk + 1, "reason": WHY}
    answer, told = send(sign_in(organiser), page, gone)
    assert (answer.status_code, told) == (422, "1")
    assert read_hooks(answer, "notice") == ["nothing_to_undo"]
    assert answer.context["undo"]["reason"].value() == WHY
    assert answer.context["undo"]["entry"].value() == last.pk, "of the one that is the last"


def test_the_reason_of_an_answer_stays_typed_whatever_refuses_it(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = open_real(opened)
    (ada,) = type_names(tournament, ["Ada"], now)
    give_address(anna)
    person = ada.members.get().person_id
    claims.claim_name(tournament_id=tournament.pk, player=anna, person_id=person, now=now)
    Tournament.objects.filter(pk=tournament.pk).update(lent_to="Sala")
    claim = tournament.name_claims.get()
    sent = {"claim": claim.pk, "no": "1", "reason": WHY}
    answer, _told = send(sign_in(tournament.organiser), tournament_url("tournament-claims", tournament), sent)
    assert answer.status_code == 422
    assert f'value="{WHY}"' in read_page(answer)
