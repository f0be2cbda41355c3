"""What several tests of accounts do: log in through the page, confirm an address, read what was mailed."""

import re
from datetime import datetime

from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from players import services
from players.models import Player, User
from tests.conftest import PASSWORD


def log_in(client: Client, login: str, password: str = PASSWORD, **extra: str) -> HttpResponse:
    return client.post(reverse("account_login"), {"login": login, "password": password}, **extra)  # type: ignore[arg-type,return-value]


def logged_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def with_address(player: Player, *, verified: bool = True, **preferences: object) -> str:
    """Give ``player`` an address, and what he prefers."""
    address = f"{player.name.lower()}@example.org"
    EmailAddress.objects.create(user=player.user, email=address, verified=verified, primary=True)
    User.objects.filter(pk=player.user_id).update(email=address, **preferences)
    player.user.refresh_from_db()
    return address


def sent(now: datetime) -> list[EmailMessage]:
    """What goes out when Celery looks, and nothing that went before."""
    mail.outbox.clear()
    services.send_due_mails(now=now)
    return list(mail.outbox)


def link_in(message: EmailMessage) -> str:
    """The path of the link a mail leads to: the first one that isn't the site's front page."""
    found = re.search(r"https?://[^/\s]+(/\S+)", message.body)
    assert found, message.body
    return found[1]
