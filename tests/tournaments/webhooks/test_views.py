"""The page of webhooks in the profile: an address is looked at before it is taken, each act answers, all is private."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players import caps
from players.models import Player
from players.services.players import create_guest
from tests.support.html import read_attribute, read_element, read_hooks
from tests.support.people import sign_in
from tournaments.models import Webhook
from tournaments.webhooks import actions

pytestmark = pytest.mark.django_db

URL = "https://93.184.215.14/hook"
PAGE = "/profilo/webhook/"


@pytest.fixture
def webhook(organiser: Player) -> Webhook:
    return actions.create_webhook(owner=organiser, url=URL, now=timezone.now())


def find_errors(answer: Any) -> list[str]:
    form = answer.context["form"]
    return [error.code for errors in form.errors.as_data().values() for error in errors]


def act(client: Client, webhook: Webhook, what: str) -> Any:
    return client.post(reverse("webhook-act", args=[webhook.public_id, what]), follow=True)


def test_an_address_is_added_and_its_secret_is_there(organisers: Client, organiser: Player) -> None:
    answer = organisers.post(PAGE, {"url": URL}, follow=True)
    webhook = organiser.webhooks.get()
    assert answer.redirect_chain[-1][0] == reverse("webhook", args=[webhook.public_id])
    assert "webhook_made" in read_hooks(answer, "notice")
    field = read_element(answer, "secret")
    assert field is not None
    assert field["value"] == webhook.secret
    assert answer["Cache-Control"] == "no-store"
    assert reverse("webhooks") in read_attribute(organisers.get(reverse("settings")), "href")


@pytest.mark.rule("W4")
@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "required"),
        ("http://example.org/", "not_https"),
        ("https://127.0.0.1/", "inside"),
        ("https://192.168.1.1/", "inside"),
        ("https://100.64.0.1/", "inside"),
        ("https://[fd00::1]/", "inside"),
        ("https://[::ffff:93.184.215.14]/", "inside"),
        ("https://localhost:8443/", "inside"),
        ("https://nessuno.invalid/", "unknown_name"),
        ("https://anna:parola@example.org/", "malformed"),
        ("https://example.org/" + "x" * 500, "max_length"),
    ],
)
def test_an_address_that_will_not_do_is_refused_and_stays_typed(organisers: Client, url: str, code: str) -> None:
    answer = organisers.post(PAGE, {"url": url})
    assert find_errors(answer) == [code]
    field = read_element(answer, "id_url")
    assert field is not None
    assert (field.get("value", ""), field["aria-invalid"]) == (url, "true")
    assert not Webhook.objects.exists()


@pytest.mark.rule("W5")
def test_the_sixth_is_refused_and_the_page_says_so(organisers: Client, organiser: Player) -> None:
    for _number in range(caps.WEBHOOKS_A_PERSON):
        actions.create_webhook(owner=organiser, url=URL, now=timezone.now())
    assert find_errors(organisers.post(PAGE, {"url": URL})) == ["too_many_webhooks"]
    assert "full" in read_hooks(organisers.get(PAGE), "note")


def test_each_act_answers(organisers: Client, webhook: Webhook) -> None:
    before = webhook.secret
    assert "webhook_tried" in read_hooks(act(organisers, webhook, "prova"), "notice")
    assert webhook.deliveries.get().due_at is not None
    answer = act(organisers, webhook, "segreto")
    assert ("secret_changed" in read_hooks(answer, "notice"), "changing" in read_hooks(answer, "note")) == (True, True)
    webhook.refresh_from_db()
    assert (webhook.old_secret, webhook.secret != before) == (before, True)
    Webhook.objects.update(off_at=timezone.now())
    assert "off" in read_hooks(organisers.get(reverse("webhook", args=[webhook.public_id])), "note")
    assert "webhook_off" in read_hooks(act(organisers, webhook, "prova"), "notice")
    assert "webhook_on" in read_hooks(act(organisers, webhook, "riaccendi"), "notice")
    assert act(organisers, webhook, "altro").status_code == 404
    assert "webhook_deleted" in read_hooks(act(organisers, webhook, "togli"), "notice")
    assert not Webhook.objects.exists()


@pytest.mark.rule("W5")
def test_trials_are_counted(organisers: Client, webhook: Webhook) -> None:
    (cap,) = caps.WEBHOOK_TESTS
    for _number in range(cap.most - 1):
        act(organisers, webhook, "prova")
    assert "webhooks_often" in read_hooks(act(organisers, webhook, "prova"), "notice")
    assert webhook.deliveries.count() == cap.most - 1


def test_another_person_finds_nothing(webhook: Webhook, anna: Player) -> None:
    client = sign_in(anna)
    assert client.get(reverse("webhook", args=[webhook.public_id])).status_code == 404
    for what in ("prova", "segreto", "riaccendi", "togli"):
        assert act(client, webhook, what).status_code == 404
    assert URL not in client.get(PAGE).content.decode()


def test_visitors_log_in_first_and_guests_sign_up(webhook: Webhook, client: Client, now: datetime) -> None:
    for address in (PAGE, reverse("webhook", args=[webhook.public_id])):
        assert client.get(address)["Location"].startswith(reverse("account_login"))
    assert act(client, webhook, "togli").redirect_chain[0][0].startswith(reverse("account_login"))
    guest = sign_in(create_guest(now=now, address="192.0.2.1"))
    assert guest.get(PAGE)["Location"].startswith(reverse("account_signup"))
