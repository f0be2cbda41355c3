"""Nobody finds out which addresses have an account: not from words, not from the status, not from the work done."""

import re
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import Mail, Player, User
from players.services.mail import mail_reset
from tests.players.conftest import CountingHasher
from tests.support.html import read_hooks
from tests.support.mail import find_link, send_due
from tests.support.people import give_address, is_logged_in, log_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_attempts_yet")]

NEW = "sette-bello-77"


def sign_up(address: str, name: str) -> tuple[int, str, list[str], Client]:
    """Sign up as a visitor. Return status, redirect and text of the answer, and whom the browser is logged in as."""
    client = Client()
    form = {"username": name, "email": address, "password1": NEW, "password2": NEW}
    answer = client.post(reverse("account_signup"), form, follow=True)
    texts = [str(line).replace(address, "@").replace(name, "…") for line in answer.context["messages"]]
    return answer.status_code, answer.redirect_chain[-1][0], texts, client


def without_token(body: str) -> str:
    """Return the text of a page without the token of its form."""
    text = body.split("<main")[1].split("</main>")[0]
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)


def test_signing_up_with_a_taken_address_answers_as_with_a_free_one(anna: Player) -> None:
    taken = give_address(anna)
    known = sign_up(taken, "Bruno")
    unknown = sign_up("bruno@example.org", "Carla")
    assert known[:3] == unknown[:3]
    assert is_logged_in(known[3])
    assert is_logged_in(unknown[3])


def test_the_mailbox_alone_learns_that_it_has_an_account(anna: Player) -> None:
    taken = give_address(anna)
    sign_up(taken, "Bruno")
    sign_up("carla@example.org", "Carla")
    to_anna, to_carla = sorted(send_due(timezone.now()), key=lambda message: message.to)
    assert (to_anna.to, to_anna.subject) == ([taken], "Hai già un account")
    assert (to_carla.to, to_carla.subject) == (["carla@example.org"], "Conferma il tuo indirizzo")
    assert "anna" in to_anna.body
    assert "Bruno" not in to_anna.body


def test_a_stranger_who_gave_her_address_gets_nothing_of_hers(anna: Player, now: datetime) -> None:
    taken = give_address(anna)
    sign_up(taken, "Bruno")
    mail_reset(address=taken, now=now)
    (reset,) = [message for message in send_due(now) if "password" in message.subject]
    assert "anna" in reset.body
    client = Client()
    assert log_in(client, taken, NEW).status_code == 200  # Bruno's password, Anna's address
    assert not is_logged_in(client)


@pytest.mark.parametrize("name", ["account_login", "account_reset_password"])
def test_asking_for_a_known_and_an_unknown_address_gives_the_same_page_for_the_same_work(
    anna: Player, name: str, counting: type[CountingHasher]
) -> None:
    anna.user.set_password("x")
    anna.user.save()
    taken = give_address(anna)
    counting.worked = 0
    answers, queries, work = [], [], []
    for address in (taken, "nessuno@example.org"):
        client = Client()
        with CaptureQueriesContext(connection) as caught:
            answer = client.post(
                reverse(name), {"email": address, "login": address, "password": "sbagliata"}, follow=True
            )
        body = answer.content.decode().replace(address, "…")
        answers.append((answer.status_code, answer.redirect_chain, without_token(body)))
        queries.append(sorted(query["sql"].split()[0] for query in caught))
        work.append(counting.worked)
        counting.worked = 0
    assert answers[0] == answers[1]
    assert work[0] == work[1] == (1 if name == "account_login" else 0)
    if name == "account_reset_password":
        assert queries[0] == queries[1]


def test_a_wrong_password_costs_one_check_whether_name_or_address_was_typed(
    anna: Player, counting: type[CountingHasher]
) -> None:
    anna.user.set_password("x")
    anna.user.save()
    taken = give_address(anna)
    for login in ("anna", taken, "nessuno", "nessuno@example.org"):
        counting.worked = 0
        log_in(Client(), login, "sbagliata")
        assert counting.worked == 1, login


def test_a_reset_for_an_unknown_address_sends_nothing_and_keeps_nothing(client: Client) -> None:
    client.post(reverse("account_reset_password"), {"email": "nessuno@example.org"})
    assert Mail.objects.filter(kind="reset").count() == 1
    assert send_due(timezone.now()) == []
    assert not Mail.objects.exists()


def test_a_forgotten_password_is_chosen_anew_by_the_link_once(anna: Player, client: Client) -> None:
    taken = give_address(anna)
    elsewhere = Client()
    log_in(elsewhere, "anna")
    client.post(reverse("account_reset_password"), {"email": taken.upper()})
    (message,) = send_due(timezone.now())
    link = find_link(message)
    form = client.get(link, follow=True)
    assert form.context["action_url"].endswith("set-password/")
    weak = client.post(form.context["action_url"], {"password1": "12345678", "password2": "12345678"})
    assert "password1" in weak.context["form"].errors
    done = client.post(form.context["action_url"], {"password1": NEW, "password2": NEW}, follow=True)
    assert read_hooks(done, "note") == ["password_changed"]
    assert log_in(client, "anna", NEW).status_code == 302
    assert elsewhere.get(reverse("profile")).status_code == 302  # logged out there
    assert read_hooks(Client().get(link, follow=True), "note") == ["link_gone"]
    assert [message.subject for message in send_due(timezone.now())] == ["La tua password è cambiata"]


def test_a_reset_never_links_to_the_host_the_asker_named(anna: Player, client: Client, settings: Any) -> None:
    taken = give_address(anna)
    client.post(reverse("account_reset_password"), {"email": taken}, headers={"host": "evil.example"})
    (message,) = send_due(timezone.now())
    assert "evil.example" not in message.body
    assert settings.SITE_URL in message.body


def test_a_closed_account_gets_no_link(anna: Player, now: datetime) -> None:
    taken = give_address(anna)
    User.objects.filter(pk=anna.user_id).update(is_active=False)
    mail_reset(address=taken, now=now)
    assert send_due(now) == []
