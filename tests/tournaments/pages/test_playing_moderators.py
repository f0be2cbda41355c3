"""Moderators who play (U2, N4): of a tournament in which they may still meet them they read no running table."""

from datetime import datetime

import pytest
from django.urls import reverse

from games.models import Match, Report
from players.models import Player, User
from tests.support.entries import enter_all
from tests.support.html import read_hooks
from tests.support.people import create_person, sign_in
from tests.support.play import OPENING, open_ready
from tests.support.tournaments import GIRONE, Opened


@pytest.mark.rule("U2")
@pytest.mark.django_db
def test_who_plays_in_the_tournament_reads_no_case_of_a_running_table(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    moderator, matches = four[0], open_ready(enter_all(opened(GIRONE), four, now), now + OPENING)
    other = next(match for match in matches if not match.seats.filter(player=moderator).exists())
    reporter = other.seats.get(number=0).player
    report = Report.objects.create(match=other, reporter=reporter, reason="words", client_id="3", at=now)
    stranger = create_person("Moreno", now)
    User.objects.filter(player__in=[moderator, stranger]).update(is_staff=True)
    for player in (moderator, stranger):
        player.user.refresh_from_db()
    page = reverse("moderation-report", args=[report.public_id])
    assert sign_in(stranger).get(page).status_code == 200
    client = sign_in(moderator)
    assert client.get(page).status_code == client.post(page, {"note": "x"}).status_code == 404
    Match.objects.filter(pk=other.pk).update(status=Match.Status.FINISHED, finished_at=now, stopped_at=now)
    assert "closed" not in read_hooks(client.get(page), "note")
