"""Mails and waiting tables of a few people, spoken in brackets."""

import re
from datetime import datetime

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse
from django.utils import translation

from games.models import FreeTable, Match
from games.rules import RULESETS
from players.models import WISHES, Player, User
from players.services.mail import WANTED, mail_account, mail_reset, mail_to, send_due_mails
from tests.languages import pseudo
from tests.languages.pages import read_raw
from tests.languages.pseudo import raw_words
from tests.support.people import sign_in
from tests.support.tables import seated
from tests.support.thorough import tries

pytestmark = pytest.mark.django_db

NEW = {
    "ruleset": "tresette", "players": "4", "length_kind": "points", "length_value": "21",
    "turn_timeout": "60", "match_clock": "", "public": "on",
}  # fmt: skip


def test_mails_are_in_their_readers_language(brackets: None, anna: Player, now: datetime) -> None:
    User.objects.filter(pk=anna.user_id).update(
        language=pseudo.CODE, email="anna@example.org", **dict.fromkeys(WISHES, True)
    )
    anna.user.refresh_from_db()
    address = EmailAddress.objects.create(user=anna.user, email="anna@example.org", verified=True, primary=True)
    about = {"title": "Coppa", "path": "/", "at": now.isoformat(), "zone": "UTC", "round": ["final", 2]}
    with translation.override("en"):  # whoever caused it reads another one
        for kind in WANTED:
            mail_to(kind=kind, key="1", player_ids=[anna.pk], values=about, now=now)
        mail_account(user=anna.user, kind="password", key="1", values={"path": "/"}, now=now)
        mail_reset(address="anna@example.org", now=now)
        send_due_mails(now=now)
        address.verified = False
        address.save()
        mail_account(user=anna.user, kind="confirm", key="1", values={"address": address.pk}, now=now)
        send_due_mails(now=now)
    assert len(mail.outbox) == len(WANTED) + 3
    for message in mail.outbox:
        text = re.sub(r"https?://\S+", "", f"{message.subject}\n{message.body}")
        assert raw_words([text], {"Coppa", "anna", "UTC"}) == set(), message.subject
        assert pseudo.OPEN in message.subject


@pytest.mark.parametrize(
    ("ruleset", "players"), tries([("tressette-accusa", 3)], [("scopa", 2), ("tressette-accusa", 3), ("tresette", 4)])
)
def test_a_waiting_table_speaks_the_readers_language(
    brackets: None, anna: Player, bruno: Player, ruleset: str, players: int
) -> None:
    names = {"Anna", "Bruno", "A", "B"}
    host, other, outsider = (sign_in(player) for player in (anna, bruno, None))
    host.post(reverse("free-table-new"), {**NEW, "ruleset": ruleset, "players": str(players)})
    table = FreeTable.objects.get()
    for reader in (host, other, outsider):
        for address in (reverse("free-table", args=[table.public_id]), reverse("home")):
            assert read_raw(reader.get(address), names) == set()
    for reader, act, data in ((other, "sit", {}), (other, "leave", {}), (other, "house", {}), (host, "leave", {})):
        answer = reader.post(reverse(f"free-table-{act}", args=[table.public_id]), data, follow=True)
        assert read_raw(answer, names) == set(), act
    assert read_raw(outsider.get(reverse("free-table", args=[table.public_id])), names) == set()


def test_a_table_of_every_game_speaks_the_readers_language(
    brackets: None, anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)
    for ruleset, rules in RULESETS.items():
        options = {name: option.values[-1] for name, option in rules.options.items()}
        Match.objects.filter(pk=match.pk).update(ruleset=ruleset, options=options)
        answer = sign_in(anna).get(reverse("table", args=[match.public_id]))
        assert read_raw(answer, {"Anna", "Bruno", "A", "B", "Finale"}) == set(), ruleset
