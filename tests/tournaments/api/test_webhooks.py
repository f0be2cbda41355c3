"""Webhooks by programs (W5-W7): made with a secret that is told once, tried, changed, deleted, by their owner alone."""

from typing import Any

import pytest
from django.test import Client

from players import caps, outgoing
from players.models import Player
from tests.support.keys import by_key, code, make_key, send
from tests.support.people import sign_in
from tournaments.models import Webhook, WebhookDelivery
from tournaments.webhooks import delivery

pytestmark = pytest.mark.django_db

LIST = "/api/v1/webhooks/"
URL = "https://hooks.example/smazzata"


@pytest.fixture
def owner(organiser: Player, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A client by a key for webhooks; the name of their address leads to this machine, which tests open."""
    settings.OUTGOING_OPEN = True
    monkeypatch.setattr(outgoing, "_look_up", lambda host, port: ["127.0.0.1"] if host == "hooks.example" else [])
    return by_key(make_key(organiser, targets=["own"]))


@pytest.mark.rule("W5", "W6", "AP7")
def test_a_webhook_is_made_tried_changed_and_deleted_w5_w6_u7(owner: Client) -> None:
    made = send(owner, LIST, {"url": URL})
    assert made.status_code == 201, made.content
    assert made.headers["Cache-Control"] == "no-store"
    stored = Webhook.objects.get()
    assert (made.json()["url"], made.json()["secret"]) == (URL, stored.secret)
    own = f"{LIST}{stored.public_id}/"
    (listed,) = owner.get(LIST).json()
    assert listed == owner.get(own).json()
    assert "secret" not in listed
    assert "secret" not in send(owner, f"{own}test/").json()
    (tried,) = owner.get(f"{own}deliveries/").json()["results"]
    assert (tried["type"], tried["data"], tried["attempts"]) == ("webhook.test", {"webhook": stored.public_id}, 0)
    changed = send(owner, f"{own}secret/").json()
    assert changed["secret"] != stored.secret
    assert changed["old_secret_until"] is not None
    assert "secret" not in send(owner, f"{own}on/").json()
    assert send(owner, own, method="delete").status_code == 204
    assert code(owner.get(own)) == (404, "not_found")


@pytest.mark.rule("W4", "AP3")
@pytest.mark.parametrize(
    ("url", "fault"),
    [("http://hooks.example/", "not_https"), ("https://nobody.example/", "unknown_name"), ("https://", "malformed")],
)
def test_an_address_that_will_not_do_is_refused_by_its_code_w4_u3(owner: Client, url: str, fault: str) -> None:
    (told,) = send(owner, LIST, {"url": url}).json()["errors"]
    assert (told["field"], told["code"]) == ("url", fault)
    assert not Webhook.objects.exists()


@pytest.mark.rule("W5")
def test_there_are_so_many_and_so_many_trials_w5(owner: Client) -> None:
    for _number in range(caps.WEBHOOKS_A_PERSON):
        assert send(owner, LIST, {"url": URL}).status_code == 201
    assert code(send(owner, LIST, {"url": URL})) == (409, "too_many_webhooks")


@pytest.mark.rule("AP6")
def test_a_webhook_is_made_once_and_its_secret_told_again_to_who_asks_again_u6(owner: Client) -> None:
    first, again = (send(owner, LIST, {"url": URL}, **{"Idempotency-Key": "uno"}) for _time in range(2))
    assert first.json() == again.json()
    assert Webhook.objects.count() == 1


@pytest.mark.rule("W7", "AP2")
def test_nobody_sees_or_touches_another_ones_webhook_w7_u2(owner: Client, organiser: Player, anna: Player) -> None:
    own = f"{LIST}{send(owner, LIST, {'url': URL}).json()['public_id']}/"
    annas = by_key(make_key(anna, targets=["own"]))
    assert annas.get(LIST).json() == []
    for address, method in ((own, "get"), (f"{own}deliveries/", "get"), (f"{own}test/", "post"), (own, "delete")):
        assert code(send(annas, address, method=method)) == (404, "not_found")
        assert code(send(by_key(make_key(organiser)), address, method=method)) == (403, "not_chosen")
    assert sign_in(organiser).get(own).status_code == 200, "a session reads"
    assert send(sign_in(organiser), f"{own}test/").status_code == 401
    assert not WebhookDelivery.objects.exists()
    assert delivery.list_secrets(Webhook.objects.get(), Webhook.objects.get().since) == [Webhook.objects.get().secret]
