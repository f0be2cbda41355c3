"""Mail in tests: players who want all of it, and what was written or sent for whom."""

import re
from collections import Counter
from dataclasses import replace
from datetime import datetime

from django.core import mail
from django.core.mail import EmailMessage

from games.engine.game import Length
from games.models import Match
from games.services import seating
from players.models import WISHES, Mail, Player
from players.services.mail import send_due_mails
from tests.support.people import give_address
from tournaments.entries import join
from tournaments.models import Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings


def send_due(now: datetime) -> list[EmailMessage]:
    """Send what is due, as Celery does, and return only what went out now."""
    mail.outbox.clear()
    send_due_mails(now=now)
    return list(mail.outbox)


def find_link(message: EmailMessage) -> str:
    """Return the path of the link a mail leads to: the first one that isn't the site's front page."""
    hit = re.search(r"https?://[^/\s]+(/\S+)", message.body)
    assert hit, message.body
    return hit[1]


def want_all_mail(*players: Player) -> None:
    for player in players:
        give_address(player, **dict.fromkeys(WISHES, True))


def count_mails(kind: str) -> Counter[str]:
    """Return the number of mails of that kind, by reader."""
    return Counter(Mail.objects.filter(kind=kind).values_list("user__player__name", flat=True))


BAR_CUP = Settings(
    name="Coppa del bar", format="ko", ruleset="scopa", length_kind="deals", length_value=1, min_entries=2
)


def open_bar_table(now: datetime, *players: Player) -> Match:
    return seating.open_match(
        ruleset="scopa",
        length=Length("points", 11),
        context="ko",
        options={},
        players=players,
        turn_timeout=60,
        match_clock=None,
        noshow_after=300,
        first_dealer=0,
        title="Coppa del bar",
        now=now,
    )


def enter_bar_cup(now: datetime, organiser: Player, *players: Player, max_entries: int = 8) -> Tournament:
    made = lifecycle.create_tournament(organiser=organiser, settings=replace(BAR_CUP, max_entries=max_entries), now=now)
    lifecycle.publish_tournament(tournament_id=made.pk, by=organiser, now=now)
    for player in players:
        join.enter_player(tournament_id=made.pk, player=player, now=now)
    return made
