"""Language of a reader: their choice, else what their browser asks for, else Italian."""

from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from players.models import Player, User
from players.realtime.language import find_language
from tests.support.people import PASSWORD
from tests.support.tables import seated
from tests.support.tournaments import KO
from tournaments.organise import lifecycle

pytestmark = pytest.mark.django_db


def language_of_page(client: Client, **headers: str) -> str:
    """Return the language the page names; the words must agree."""
    answer = client.get("/", headers=headers)
    page = answer.content.decode()
    language = page.partition('<html lang="')[2][:2]
    assert ("Play now" in page, "Gioca subito" in page) == (language == "en", language == "it")
    assert answer.headers["Content-Language"] == language
    return language


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("", "it"),
        ("it-IT,it;q=0.9,en;q=0.8", "it"),
        ("en-GB,en;q=0.9,it;q=0.8", "en"),
        ("en;q=0.5,it;q=0.9", "it"),
        ("de-DE,de", "it"),
        ("fr,en;q=0.3", "en"),
        ("*", "it"),
        ("xx;q=no,\u00e8", "it"),
    ],
)
def test_a_visitor_gets_what_their_browser_asks_for_else_italian(client: Client, asked: str, given: str) -> None:
    asked = asked.encode().decode("latin-1")
    assert language_of_page(client, **({"accept-language": asked} if asked else {})) == given
    scope = {"headers": [(b"accept-language", asked.encode("latin-1"))], "cookies": {}}
    assert find_language(scope["headers"], scope["cookies"], None) == given, "and so does their socket"


def test_the_switch_at_the_foot_of_a_page_is_remembered_by_the_browser(client: Client) -> None:
    page = client.get("/tornei/", headers={"accept-language": "it"}).content.decode()
    assert f'action="{reverse("language")}"' in page
    answer = client.post(reverse("language"), {"language": "en", "next": "/privacy/"})
    assert answer.headers["Location"] == "/privacy/"
    assert language_of_page(client, **{"accept-language": "it"}) == "en"
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    assert find_language([(b"accept-language", b"it")], cookies, None) == "en"
    cookie = client.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_the_switch_leads_nowhere_else_and_knows_no_other_language(client: Client) -> None:
    answer = client.post(reverse("language"), {"language": "en", "next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/"
    client.post(reverse("language"), {"language": "klingon", "next": "/"})
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "en"
    assert client.get(reverse("language")).status_code == 405


def test_a_members_choice_goes_with_their_account(client: Client, anna: Player) -> None:
    client.force_login(anna.user)
    client.post(reverse("language"), {"language": "en", "next": "/"})
    elsewhere = Client()
    elsewhere.force_login(anna.user)
    assert language_of_page(elsewhere, **{"accept-language": "it"}) == "en"
    chosen = User.objects.get(pk=anna.user_id)
    assert find_language([(b"accept-language", b"it")], {}, chosen) == "en"


def test_who_comes_and_who_goes_is_spoken_to_in_the_language_of_the_next_page(client: Client, anna: Player) -> None:
    """The message is made by a request that began in the other language."""
    User.objects.filter(pk=anna.user_id).update(language="en")
    italian = {"accept-language": "it"}
    typed = {"login": "Anna", "password": PASSWORD}

    def read_message(name: str, data: dict[str, str]) -> tuple[str, str]:
        page = client.post(reverse(name), data, headers=italian, follow=True)
        return page.headers["Content-Language"], str(next(iter(page.context["messages"])))

    assert read_message("account_login", typed) == ("en", "You’re now here as Anna.")
    assert read_message("account_logout", {}) == ("it", "Hai chiuso la sessione: a presto.")
    assert read_message("account_login", typed)[0] == "en"
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    assert read_message("preferences", {"language": ""}) == ("it", "Preferenze salvate.")
    assert read_message("preferences", {"language": "en"}) == ("en", "Preferences saved.")
    left = read_message("account-delete", {"password": PASSWORD})
    assert left == ("it", "Il tuo account non c'è più. Buone carte, ovunque tu vada.")


def test_as_the_browser_says_forgets_what_the_browser_once_chose(client: Client, anna: Player) -> None:
    client.force_login(anna.user)
    client.post(reverse("language"), {"language": "en", "next": "/"})
    client.post(reverse("preferences"), {"language": "", "time_zone": ""})
    assert language_of_page(client, **{"accept-language": "it"}) == "it"


def test_every_page_says_which_language_it_is_in(client: Client, anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    for path in ("/", "/account/login/", "/privacy/", f"/tavoli/{match.public_id}/", "/tornei/nessuno/"):
        for language in ("it", "en"):
            page = client.get(path, headers={"accept-language": language}).content.decode()
            assert f'<html lang="{language}" ' in page, path


def test_dates_and_counts_read_as_in_the_readers_language_and_zone(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    later = now + timedelta(days=3)  # 24 November 2026, 20:00 UTC, a Tuesday
    changed = {name: getattr(KO, name) for name in type(KO).__slots__} | {"starts_at": later}
    made = lifecycle.create_tournament(organiser=anna, settings=type(KO)(**changed), now=now)
    lifecycle.publish_tournament(tournament_id=made.pk, by=anna, now=now)
    address = reverse("tournament", args=[made.public_id])

    italian = client.get(address, headers={"accept-language": "it"}).content.decode()
    english = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert "martedì 24 novembre, 21:00" in italian.lower()
    assert "Tuesday 24 November, 21:00" in english
    assert ("1 smazzata" in italian, "1 deal" in english, "1 deals" in english) == (True, True, False)
    assert "Tue 24 Nov, 21:00" in client.get("/tornei/", headers={"accept-language": "en"}).content.decode()
    assert "mar 24 nov, 21:00" in client.get("/tornei/", headers={"accept-language": "it"}).content.decode().lower()

    client.cookies["timezone"] = "America/New_York"
    page = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert "Tuesday 24 November, 15:00" in page


def test_libraries_speak_the_readers_language_too(client: Client) -> None:
    typed = {"username": "Elena", "password1": "12345678", "password2": "12345678"}
    italian = client.post(reverse("account_signup"), typed, headers={"accept-language": "it"}).content.decode()
    english = client.post(reverse("account_signup"), typed, headers={"accept-language": "en"}).content.decode()
    assert "Questa password è troppo comune." in italian
    assert "This password is too common." in english
