"""Asking the referee to look: who may, how often, and who reads it."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import chat, reports
from games.models import ChatLine, Match, Report
from games.services.errors import ActionRefused
from players import caps
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.live import Site
from tests.support.tables import opened
from tests.support.wire import Frame, at_table

pytestmark = [pytest.mark.django_db]


@arrange_once
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    return opened([anna, bruno], now)


def ask(match: Match, who: Player | None, now: datetime, **chosen: object) -> str:
    """Ask the referee to look. Return "" or the code of the refusal."""
    count = Report.objects.count()
    asked = {"reason": "cards", "text": "", "client_id": f"report-{count}", "now": now, **chosen}
    try:
        reports.report(match_id=match.pk, reporter_id=None if who is None else who.pk, **asked)  # type: ignore[arg-type]
    except ActionRefused as refusal:
        assert Report.objects.count() == count
        return refusal.code
    return ""


def test_a_player_a_line_and_the_table_can_be_reported(
    match: Match, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    chat.say(match_id=match.pk, seat=1, text="Ho il tre", client_id="1", now=now)
    chat.say(match_id=match.pk, seat=None, author_id=carla.pk, text="", phrase="hello", client_id="2", now=now)
    bruns, carlas = ChatLine.objects.order_by("pk")
    assert ask(match, anna, now, seat=1, text=" due \n righe ") == ""
    assert ask(match, anna, now, line=bruns.pk, reason="words") == ""
    assert ask(match, anna, now, line=carlas.pk) == "report_unknown", "a player has never read that line"
    assert ask(match, anna, now) == ""
    listed = reports.list_reports([match.pk])
    assert [(row.about, row.reason, row.text, row.quote) for row in listed] == [
        (None, "cards", "", ""),
        (bruno, "words", "", "Ho il tre"),
        (bruno, "cards", "due righe", ""),
    ]


@pytest.mark.parametrize("chosen", [{"seat": 0}, {"seat": 3}, {"line": 999}, {"reason": "face", "seat": 1}])
def test_nobody_reports_themselves_nor_what_is_not_there(
    match: Match, anna: Player, now: datetime, chosen: Frame
) -> None:
    assert ask(match, anna, now, **chosen) == "report_unknown"


def test_it_is_short_has_a_name_and_goes_out_once(match: Match, anna: Player, now: datetime) -> None:
    assert ask(match, anna, now, seat=1, text="x" * 301) == "report_too_long"
    assert ask(match, None, now, seat=1) == "not_seated"
    for _ in range(2):
        assert ask(match, anna, now, seat=1, client_id="same") == ""
    assert Report.objects.count() == 1


def test_nobody_reports_without_end(match: Match, anna: Player, bruno: Player, carla: Player, now: datetime) -> None:
    for _ in range(caps.MAX_REPORTS_AT_A_TABLE):
        assert ask(match, carla, now, seat=1) == ""
    assert ask(match, carla, now + timedelta(days=2), seat=1) == "report_too_many"
    assert ask(match, anna, now, seat=1) == ""
    Match.objects.filter(pk=match.pk).delete()
    other = opened([anna, bruno], now)
    for number in range(caps.MAX_REPORTS_IN_A_DAY):
        Report.objects.create(match=other, reporter=bruno, reason="slow", client_id=f"old-{number}", at=now)
    assert ask(other, bruno, now, seat=0) == "report_too_many"


def test_over_the_socket_it_is_answered_and_told_to_nobody(
    live_site: Site, anna: Player, bruno: Player, carla: Player
) -> None:
    match = opened([anna, bruno], timezone.now())
    with at_table(live_site, match, anna) as annas, at_table(live_site, match, carla) as carlas:
        frame = {"t": "report", "id": "1", "reason": "slow", "text": "segreto", "seat": 0}
        assert carlas.ask(frame)["t"] == "ack"
        assert carlas.ask({**frame, "id": "2", "seat": 3})["code"] == "report_unknown"
        annas.answers()
        assert not any("segreto" in text for text in (*annas.raw, *carlas.raw))
    assert Report.objects.get().reporter == carla


def test_a_crooked_report_is_refused(live_site: Site, anna: Player, bruno: Player) -> None:
    crooked: list[Frame] = [
        {"seat": "1"}, {"seat": -1}, {"seat": True}, {"seat": 1, "line": 2}, {"reason": 1}, {"text": None}, {"x": 1},
    ]  # fmt: skip
    with at_table(live_site, opened([anna, bruno], timezone.now()), anna) as annas:
        for changed in crooked:
            annas.send({"t": "report", "id": "1", "reason": "slow", "text": "", **changed})
            assert annas.until(lambda answer: answer["t"] == "error")["code"] == "malformed", changed
    assert not Report.objects.exists()


def test_the_admin_lists_them_and_changes_none(client: Client, match: Match, anna: Player, now: datetime) -> None:
    assert ask(match, anna, now, seat=1, text="Guardate qui") == ""
    anna.user.is_staff = anna.user.is_superuser = True
    anna.user.save()
    client.force_login(anna.user)
    page = client.get("/admin/games/report/")
    assert page.status_code == 200
    assert "Guardate qui" in page.content.decode()
    assert client.get("/admin/games/report/add/").status_code == 403
