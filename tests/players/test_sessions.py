"""Sessions of an account: listed, and ended one by one or all but this one."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from players.services.sessions import forget_ended_sessions
from players.session_store import SessionStore
from tests.support.html import read_attribute, read_hooks
from tests.support.people import PASSWORD, log_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_attempts_yet")]

PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36"
DESKTOP = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
PAGE, END = "/profilo/accessi/", "/profilo/accessi/chiudi/"


def browser(agent: str, who: str, address: str = "192.0.2.1") -> Client:
    client = Client(headers={"user-agent": agent}, REMOTE_ADDR=address)
    assert log_in(client, who).status_code == 302
    return client


def stands(client: Client) -> bool:
    return client.get(reverse("profile")).status_code == 200


def test_every_login_is_listed_with_its_browser_and_address(anna: Player, bruno: Player) -> None:
    browser(PHONE, "anna", "192.0.2.7")
    browser(DESKTOP, "bruno", "192.0.2.8")
    here = browser(DESKTOP, "anna", "192.0.2.9")
    page = here.get(PAGE).content.decode()
    assert "Chrome su Android" in page
    assert "Firefox su Linux" in page
    assert "192.0.2.7" in page
    assert "192.0.2.8" not in page
    assert read_attribute(page, "name", "input").count("session") == 1, "the other one can be ended"


def test_one_is_ended_and_the_others_stay(anna: Player) -> None:
    phone, desktop, here = browser(PHONE, "anna"), browser(DESKTOP, "anna"), browser(DESKTOP, "anna")
    row = UserSession.objects.get(session_key=phone.session.session_key)
    here.post(END, {"session": row.pk})
    assert [stands(client) for client in (phone, desktop, here)] == [False, True, True]
    assert not Session.objects.filter(session_key=row.session_key).exists()


def test_all_but_this_one_are_ended(anna: Player, bruno: Player) -> None:
    phone, here, other = browser(PHONE, "anna"), browser(DESKTOP, "anna"), browser(PHONE, "bruno")
    here.post(END)
    assert [stands(client) for client in (phone, here, other)] == [False, True, True]


def test_nobody_ends_anothers_session_or_their_own_by_this_way(anna: Player, bruno: Player) -> None:
    here, other = browser(DESKTOP, "anna"), browser(PHONE, "bruno")
    rows = [UserSession.objects.get(session_key=client.session.session_key).pk for client in (other, here)]
    for named in (*rows, "abc", "-1", "9" * 40, "१"):
        answer = here.post(END, {"session": named}, follow=True)
        assert read_hooks(answer, "notice") == ["no_such_session"], named
        assert stands(here)
        assert stands(other)


def test_a_visitor_is_sent_to_the_login(client: Client) -> None:
    for page in ("sessions", "preferences", "account_email", "account-delete"):
        assert client.get(reverse(page)).headers["Location"].startswith(reverse("account_login"))
    assert client.get(END).status_code == 405


def test_a_session_from_before_the_list_was_kept_is_listed_too(anna: Player) -> None:
    here = browser(DESKTOP, "anna")
    UserSession.objects.all().delete()
    assert "Firefox su Linux" in here.get(PAGE).content.decode()


def test_a_guest_is_listed_from_their_first_click(client: Client, db: None) -> None:
    client.post(reverse("play-now"))
    assert UserSession.objects.get().session_key == client.session.session_key


def test_being_about_is_noted_in_the_list(anna: Player) -> None:
    here = browser(DESKTOP, "anna")
    before = timezone.now() - timedelta(hours=2)
    UserSession.objects.update(last_seen_at=before)
    Player.objects.update(seen_at=before)
    here.get(reverse("profile"))
    assert UserSession.objects.get().last_seen_at > before


def test_sessions_that_ran_out_are_forgotten(anna: Player) -> None:
    old, here = browser(PHONE, "anna"), browser(DESKTOP, "anna")
    Session.objects.filter(session_key=old.session.session_key).update(expire_date=timezone.now())
    assert forget_ended_sessions(now=timezone.now()) == 1
    assert stands(here)
    assert UserSession.objects.count() == 1


def test_a_new_password_leaves_this_session_alone(anna: Player) -> None:

    phone, here = browser(PHONE, "anna"), browser(DESKTOP, "anna")
    new = "otto-di-coppe-88"
    here.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert [stands(phone), stands(here)] == [False, True]
    page = here.get(PAGE).content.decode()
    assert "Android" not in page
    assert "Firefox su Linux" in page


# --- What is kept in one ----------------------------------------------------------------------------------------------


def open_twice(**values: object) -> tuple[SessionStore, SessionStore]:
    """Return a session as two requests of one browser read it before either writes."""
    first = SessionStore()
    first.update(values)
    first.save()
    both = SessionStore(first.session_key), SessionStore(first.session_key)
    assert [dict(one.items()) for one in both] == [values, values]
    return both


def read_stored(session: SessionStore) -> dict[str, object]:
    return dict(SessionStore(session.session_key).items())


def test_two_requests_at_once_lose_nothing_of_each_other() -> None:
    one, two = open_twice(keys={"a": 1, "old": 2}, mark="x", gone="y", seen=[1])
    one["first"] = True
    one["keys"] = {"a": 1, "b": 3}  # one is forgotten
    two["keys"] = {**two["keys"], "c": 4}
    two["mark"] = "z"
    del two["gone"]
    one.save()
    two.save()
    expected = {"keys": {"a": 1, "b": 3, "c": 4}, "mark": "z", "seen": [1], "first": True}
    assert read_stored(one) == expected
    assert dict(two.items()) == expected, "and the second has what the first wrote"


def test_of_one_value_the_last_word_stands() -> None:
    one, two = open_twice(mark="x", keys={"a": 1})
    one["mark"], two["mark"] = "first", "second"
    one["keys"] = {"a": 2}
    one.save()
    two.save()
    assert read_stored(one) == {"mark": "second", "keys": {"a": 2}}


def test_a_session_under_a_new_key_keeps_its_values() -> None:
    session, _ = open_twice(mark="x")
    old = session.session_key
    session.cycle_key()
    session["more"] = 1
    session.save()
    assert session.session_key != old
    assert read_stored(session) == {"mark": "x", "more": 1}


def test_what_is_taken_out_of_a_new_session_is_gone() -> None:
    session = SessionStore()
    session["mark"] = "x"
    session["more"] = 1
    session.save()
    del session["mark"]
    session.save()
    session.cycle_key()
    del session["more"]
    session.save()
    assert read_stored(session) == {}


def test_a_session_that_was_ended_meanwhile_is_not_written_again() -> None:
    session, other = open_twice(mark="x")
    other.flush()
    session["more"] = 1
    with pytest.raises(UpdateError):
        session.save()
    assert read_stored(session) == {}
