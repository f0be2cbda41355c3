"""Programs are refused in one format, ``application/problem+json``, whoever refuses them (AP4): views, Django itself,
its middleware, faults of ours."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client

from players import caps
from players.api import middleware
from players.models import Player
from tests.support.keys import by_key, make_key
from tests.support.people import sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.rule("AP4")]

LIST = "/api/v1/tournaments/"
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def client() -> Client:
    """A client that gets what a browser would of a fault, as in production."""
    return Client(raise_request_exception=False)


def refusal(answer: Any) -> tuple[int, str]:
    """Return the status and the code of a refusal, which is whole and in the one format."""
    assert answer.headers["Content-Type"] == "application/problem+json", answer.content[:200]
    body = answer.json()
    assert (body["status"], body["type"]) == (answer.status_code, "about:blank")
    assert body["title"]
    assert body["detail"]
    assert "no-store" in answer.headers["Cache-Control"]
    return answer.status_code, body["code"]


@pytest.mark.parametrize(
    ("method", "address", "expected"),
    [
        ("get", "/api", (404, "not_found")),
        ("get", "/api/", (404, "not_found")),
        ("get", "/api/v2/tournaments/", (404, "not_found")),
        ("get", f"{LIST}nothing/", (404, "not_found")),
        ("post", f"{LIST}nothing/here/", (404, "not_found")),
        ("get", f"{LIST}%00/", (404, "not_found")),
        ("post", LIST.rstrip("/"), (404, "slash_missing")),
        ("patch", f"{LIST}abc/entries/1", (404, "slash_missing")),
        ("delete", LIST, (405, "method_not_allowed")),
        ("post", "/api/docs/", (405, "method_not_allowed")),
        ("put", "/api/v1/", (405, "method_not_allowed")),
        ("delete", "/api/schema/", (405, "method_not_allowed")),
    ],
)
def test_an_address_or_a_method_there_is_not_is_a_problem(
    client: Client, method: str, address: str, expected: tuple[int, str]
) -> None:
    assert refusal(getattr(client, method)(address)) == expected


def test_a_read_without_its_last_slash_is_led_there_and_a_method_names_those_there_are(client: Client) -> None:
    assert client.get(LIST.rstrip("/")).headers["Location"] == LIST
    assert "POST" in client.delete(LIST).headers["Allow"]
    assert refusal(client.delete("/api/docs/"))[0] == 405


def test_a_fault_of_ours_is_a_problem_in_the_language_asked_for(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: Any, **__: Any) -> Any:
        raise RuntimeError("secret")

    monkeypatch.setattr("tournaments.core.visibility.list_tournaments", break_down)
    answers = [client.get(f"{LIST}abcdefghij/", headers=headers) for headers in ({"accept-language": "it"}, ENGLISH)]
    assert [refusal(answer) for answer in answers] == [(500, "server_error")] * 2
    assert "secret" not in str([answer.content for answer in answers])
    assert answers[0].json()["detail"] != answers[1].json()["detail"]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OperationalError("gone"), (500, "server_error")),
        (PermissionDenied("no"), (403, "forbidden")),
        (UnicodeDecodeError("utf-8", b"", 0, 1, "no"), (500, "server_error")),
    ],
)
def test_what_breaks_before_any_view_is_a_problem(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, expected: tuple[int, str]
) -> None:
    """The session, the language, the limits: middleware of ours and of packages."""

    def break_down(self: Any, request: HttpRequest) -> HttpResponse:
        raise error

    monkeypatch.setattr("players.middleware.PreferencesMiddleware.__call__", break_down)
    assert refusal(client.get(LIST)) == expected


def test_a_form_from_elsewhere_a_limit_and_a_closed_door_are_problems(
    anna: Player, client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    assert refusal(strict.post("/api/docs/")) == (403, "forbidden")
    signed = sign_in(anna)
    signed.handler.enforce_csrf_checks = True
    assert refusal(signed.post(LIST, {}, content_type="application/json")) == (403, "permission_denied")
    signed.cookies["csrftoken"] = "a" * 32
    much = "a=" + "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    assert refusal(signed.post(LIST, much, content_type="application/x-www-form-urlencoded")) == (
        415,
        "unsupported_media_type",
    )
    key = by_key(make_key(anna))
    monkeypatch.setattr(caps, "API_BODY_BYTES", 10)
    assert refusal(key.post(LIST, {"name": "Serata"}, content_type="application/json")) == (413, "too_long")
    settings.ALLOWED_HOSTS = ["example.org"]
    assert refusal(client.get(LIST)) == (400, "bad_request")


def test_views_and_pages_are_left_as_they_are(anna: Player, client: Client) -> None:
    assert client.get(LIST).status_code == 200
    assert client.get("/nothing/").headers["Content-Type"].startswith("text/html")
    refused = by_key(make_key(anna)).post(LIST, {}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert {code for code in middleware.CODES if code >= 500} == {500, 503}
