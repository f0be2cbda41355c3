"""Mail preferences: a wish for each kind, in the reader's hours (E7), and ended by the link in the mail."""

from datetime import datetime

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from players.models import WISHES, Player, User
from players.services.mail import WANTED, WORTH, mail_to
from tests.support.mail import send_due
from tests.support.people import give_address

pytestmark = pytest.mark.django_db

STARTS = "2027-01-15T20:30:00+00:00"
VALUES = {"title": "Coppa del bar", "path": "/torneo/", "at": STARTS, "zone": "Europe/Rome", "round": ["semifinal", 2]}


def tell(kind: str, player: Player, now: datetime, key: str = "x") -> None:
    mail_to(kind=kind, key=key, player_ids=[player.pk], values=VALUES, now=now)


def stop_link(message: mail.EmailMessage) -> str:
    """The path of the link that ends mails like this one."""
    stated = str(message.extra_headers["List-Unsubscribe"])
    assert stated[1:-1] in message.body
    return "/" + stated[1:-1].split("/", 3)[3]


@pytest.mark.parametrize("wish", WISHES)
def test_each_kind_of_mail_comes_by_its_own_wish_and_no_other(wish: str, now: datetime, anna: Player) -> None:
    give_address(anna, **{name: name == wish for name in WISHES})
    for kind in WANTED:
        tell(kind, anna, now)
    assert len(send_due(now)) == sum(of == wish for of in WANTED.values()) > 0


def test_every_kind_ends_some_time_and_fits_its_column() -> None:
    assert set(WANTED) < set(WORTH)
    assert set(WANTED.values()) == set(WISHES)
    assert all(len(kind) <= 20 for kind in WORTH)


@pytest.mark.rule("E7")
@pytest.mark.parametrize(
    ("zone", "hour"), [("", "21:30 (Roma)"), ("America/New_York", "15:30 (New York)"), ("x", "21:30 (")]
)
def test_an_hour_is_that_of_the_readers_zone_with_its_name(now: datetime, anna: Player, zone: str, hour: str) -> None:
    give_address(anna, time_zone=zone, **dict.fromkeys(WISHES, True))
    for kind in ("starts_soon", "checkin_open", "round_drawn"):
        tell(kind, anna, now)
    mails = {message.subject: message.body for message in send_due(now)}
    assert len(mails) == 3
    for body in mails.values():
        assert f"venerdì 15 gennaio, {hour}" in body
    assert "Semifinali: qui trovi" in mails["Nuovo turno: Coppa del bar"]


@pytest.mark.parametrize("kind", sorted(WANTED))
def test_every_mail_has_a_link_that_ends_its_kind_and_nothing_else(
    kind: str, now: datetime, anna: Player, client: Client
) -> None:
    give_address(anna, **dict.fromkeys(WISHES, True))
    tell(kind, anna, now)
    (message,) = send_due(now)
    assert message.subject.endswith(": Coppa del bar")
    assert "{" not in message.body
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = stop_link(message)
    assert "<form" in client.get(link).content.decode()
    assert getattr(User.objects.get(), WANTED[kind]), "a program that follows links changes nothing"
    program = Client(enforce_csrf_checks=True)  # RFC 8058: no cookies, no token, no redirect
    answer = program.post(link, {"List-Unsubscribe": "One-Click"})
    assert (answer.status_code, answer.cookies.get("sessionid")) == (200, None)
    user = User.objects.get()
    assert [name for name in WISHES if not getattr(user, name)] == [WANTED[kind]]
    assert program.post(link).status_code == 200  # once more
    assert "Fatto" in client.get(link).content.decode()
    tell(kind, anna, now, key="y")
    assert send_due(now) == []


def test_a_link_that_was_changed_is_nobodys(now: datetime, anna: Player, bruno: Player, client: Client) -> None:
    give_address(anna, **dict.fromkeys(WISHES, True))
    tell("drawn", anna, now)
    link = stop_link(send_due(now)[0])
    for other in (
        link.replace("mail_tournaments", "mail_tables"),
        link.replace("mail_tournaments", "is_active"),
        link.replace(anna.public_id, bruno.public_id),
        link[:-2] + "/",
        reverse("mails-stop", args=["x"]),
    ):
        assert client.get(other).status_code == client.post(other).status_code == 404
    assert all(getattr(User.objects.get(pk=anna.user_id), name) for name in WISHES)


def test_all_wishes_are_on_the_page_of_the_preferences_each_with_a_sentence(anna: Player, client: Client) -> None:
    give_address(anna)
    client.force_login(anna.user)
    page = client.get(reverse("preferences")).content.decode()
    for name in WISHES:
        assert f'id="id_{name}_helptext"' in page
    client.post(reverse("preferences"), {"language": "", "time_zone": "", "mail_rounds": "on", "mail_places": "on"})
    user = User.objects.get()
    assert [name for name in WISHES if getattr(user, name)] == ["mail_rounds", "mail_places"]
