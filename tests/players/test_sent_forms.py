"""Forms that a browser keeps until it hears whether they have arrived: which answer says what."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from players.db_limits import TransactionTooLong
from players.middleware import DatabaseLimitsMiddleware
from players.models import Player
from players.sent_forms import SentFormMiddleware
from tests.support.people import sign_in

pytestmark = pytest.mark.django_db

CARD = {"name": "Ada Neri"}


def send(client: Client, name: str, data: dict[str, str], *before: str, key: str = "mio", **headers: str) -> str:
    """Send a form by that name; what the site answers of all that wait for it."""
    client.cookies.load({"sent": "1-2-3", "answered": "~".join(before)})
    answer = client.post(reverse(name, args=[key] if name.startswith("register") else []), data, headers=headers)
    told = answer.cookies.get("answered")
    return "" if told is None else told.value


def test_a_form_that_was_taken_or_shown_again_has_arrived(anna: Player) -> None:
    assert send(sign_in(anna), "register-card-new", CARD) == "1-2-3.1"
    assert send(sign_in(anna), "register-card-new", {"name": ""}) == "1-2-3.1", "the page shows it with what is wrong"


def test_a_form_that_is_refused_or_leads_to_the_log_in_has_not_arrived(anna: Player) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(anna.user)
    assert send(strict, "register-card-new", CARD) == "1-2-3.0"
    assert send(Client(), "register-card-new", CARD) == "1-2-3.0"
    assert send(sign_in(anna), "register-card-new", CARD, key="nessuno") == "1-2-3.0"


def test_a_site_that_is_busy_says_that_nothing_has_arrived(rf: RequestFactory) -> None:
    def refuse(request: HttpRequest) -> HttpResponse:
        limits = DatabaseLimitsMiddleware(lambda _request: HttpResponse())
        answer = limits.process_exception(request, TransactionTooLong())
        assert answer is not None
        return answer

    request = rf.post("/", headers={"Cookie": "sent=1-2-3", "Accept": "text/html"})
    answer = SentFormMiddleware(refuse)(request)
    assert (answer.status_code, answer.cookies["answered"].value) == (503, "1-2-3.0")


def test_answers_to_other_windows_stay_and_what_is_sent_in_the_background_gets_none(anna: Player) -> None:
    before = [f"9-9-{number}.0" for number in range(5)]
    assert send(sign_in(anna), "register-card-new", CARD, "junk", *before) == "~".join([*before[-3:], "1-2-3.1"])
    assert send(sign_in(anna), "register-card-new", CARD, **{"Sec-Fetch-Mode": "cors"}) == ""
