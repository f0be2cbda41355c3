"""Forms that a browser keeps until it hears whether they have arrived: which answer says what."""

from datetime import datetime

import pytest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.test import Client, RequestFactory
from django.urls import reverse

from players.db_limits import TransactionTooLong
from players.middleware import DatabaseLimitsMiddleware
from players.models import Player
from players.sent_forms import SentFormMiddleware, note_refused_form
from tests.support.pages import tournament_url
from tests.support.people import sign_in
from tests.support.real_tables import open_real
from tests.support.tournaments import make_opened
from tournaments.organise.base_forms import EnteringForm
from tournaments.webhooks.forms import WebhookForm

pytestmark = pytest.mark.django_db

CARD = {"name": "Ada Neri"}
MARKS = ("kept_visitor", "kept_account")


def send(client: Client, name: str, data: dict[str, str], *before: str, key: str = "mio", **headers: str) -> str:
    """Send a form by that name; what the site answers of all that wait for it."""
    client.cookies.load({"sent": "1-2-3", "answered": "~".join(before)})
    answer = client.post(reverse(name, args=[key] if name.startswith("register") else []), data, headers=headers)
    told = answer.cookies.get("answered")
    return "" if told is None else told.value


def test_a_form_that_was_taken_or_shown_again_has_arrived(anna: Player) -> None:
    assert send(sign_in(anna), "register-card-new", CARD) == "1-2-3.1"
    assert send(sign_in(anna), "register-card-new", {"name": ""}) == "1-2-3.1", "the page shows it with what is wrong"


def test_a_form_that_was_too_old_or_leads_to_the_log_in_has_not_arrived(anna: Player) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(anna.user)
    assert send(strict, "register-card-new", CARD) == "1-2-3.0"
    assert send(Client(), "register-card-new", CARD) == "1-2-3.0"


def test_what_a_page_says_of_a_form_that_it_read_is_no_failure_to_arrive(anna: Player, rf: RequestFactory) -> None:
    assert send(sign_in(anna), "register-card-new", CARD, key="nessuno") == "1-2-3.2"
    told = {status: answer_with(rf, status).cookies["answered"].value for status in (403, 422, 429, 500)}
    assert told == {403: "1-2-3.2", 422: "1-2-3.1", 429: "1-2-3.0", 500: "1-2-3.0"}


def test_what_another_page_says_of_a_refusal_is_not_taken(rf: RequestFactory) -> None:
    told = {}
    for answer in (HttpResponse(), redirect("home")):
        for refused in (True, False):
            request = rf.post("/", headers={"Cookie": "sent=1-2-3"})
            told[answer.status_code, refused] = refuse_with(request, answer, refused=refused)
    assert told == {(200, True): "1", (200, False): "1", (302, True): "2", (302, False): "1"}


def refuse_with(request: HttpRequest, answer: HttpResponse, *, refused: bool) -> str:
    """Return what is told of a form that was ``refused`` with this answer."""

    def act(request: HttpRequest) -> HttpResponse:
        if refused:
            note_refused_form(request)
        return answer

    return SentFormMiddleware(act)(request).cookies["answered"].value[-1]


def answer_with(rf: RequestFactory, status: int, **headers: str) -> HttpResponse:
    """The answer, of this status, to a form that was sent with these headers."""
    request = rf.post("/", headers={"Cookie": "sent=1-2-3", **headers})
    return SentFormMiddleware(lambda _request: HttpResponse(status=status))(request)


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


@pytest.mark.parametrize(
    ("headers", "told"),
    [
        ({"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}, True),
        ({"Accept": "text/html", "HX-Request": "true"}, False),
        ({"Accept": "*/*"}, False),
    ],
)
def test_where_browsers_name_no_mode_only_pages_are_told(
    rf: RequestFactory, headers: dict[str, str], *, told: bool
) -> None:
    answered = answer_with(rf, 200, **headers).cookies
    assert ("answered" in answered, "sent" in answered) == (told, told)


def test_a_page_that_is_there_no_more_without_the_session_has_read_nothing(anna: Player, now: datetime) -> None:
    reader = sign_in(anna)
    page = tournament_url("tournament-entries", open_real(make_opened(anna, now)))
    told = []
    for _ in range(2):
        reader.cookies.load({"sent": "1-2-3", "kept_account": "4-5-6"})
        answer = reader.post(page, {"name": "Ada"})
        told.append((answer.status_code, answer.cookies["answered"].value[-1]))
        reader.cookies.pop("sessionid", None)
    assert told == [(200, "1"), (404, "0")]


def list_ended(response: HttpResponse) -> list[str]:
    return [mark for mark in MARKS if mark in response.cookies and not response.cookies[mark].value]


def test_marks_of_readers_end_when_somebody_comes_in_or_goes_out(anna: Player) -> None:
    anna.user.set_password("Una-parola-lunga-9")
    anna.user.save()
    client = Client()
    known = {"login": anna.user.username, "password": "Una-parola-lunga-9"}
    assert list_ended(client.post(reverse("account_login"), known)) == ["kept_visitor"]
    assert list_ended(client.get(reverse("home"))) == []
    assert list_ended(client.post(reverse("account_logout"))) == list(MARKS)


def test_addresses_that_may_hold_a_token_and_codes_are_not_kept() -> None:
    fields = (WebhookForm.base_fields["url"], EnteringForm.base_fields["join_code"])
    assert all(field.widget.attrs.get("data-secret") for field in fields)
