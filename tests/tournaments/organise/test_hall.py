"""Halls: an organiser marks the address of the room for the tournament's day (AT6)."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players import caps
from players.models import Hall, Player
from players.services.halls import forget_halls, is_hall
from tests.support.html import read_hooks, read_ways
from tests.support.people import sign_in
from tests.support.tournaments import KO, Opened, catch_code
from tournaments.models import EntryMember, LogEntry, Tournament
from tournaments.organise import hall, lifecycle

pytestmark = pytest.mark.django_db

BAR = "192.0.2.1"


def mark(tournament: Tournament, by: Player, now: datetime, address: str = BAR) -> None:
    hall.mark_hall(tournament_id=tournament.pk, by=by, address=address, now=now)


def test_the_mark_lasts_until_the_next_morning_where_the_tournament_is_at6(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    mark(opened(), organiser, now)  # nine in the evening in Rome
    morning = datetime.fromisoformat("2026-11-22T05:00:00+00:00")
    assert Hall.objects.get().until == morning
    assert is_hall(address=BAR, now=morning - timedelta(minutes=1))
    assert not is_hall(address=BAR, now=morning)
    assert not is_hall(address="192.0.2.2", now=now)
    assert forget_halls(now=morning) == 1


def test_it_is_marked_on_the_tournaments_day_alone_at6(opened: Opened, organiser: Player, now: datetime) -> None:
    tournament = opened(starts_at=now + timedelta(days=3))
    known: dict[str, Any] = {"tournament_id": tournament.pk, "by": organiser, "address": BAR}
    assert catch_code(hall.mark_hall, now=now, **known) == "hall_not_today"
    hall.mark_hall(now=now + timedelta(days=3, hours=-8), **known)
    assert is_hall(address=BAR, now=now + timedelta(days=3))


def test_a_tournament_has_one_hall_and_it_can_be_taken_back_at6(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = opened()
    mark(tournament, organiser, now)
    mark(tournament, organiser, now, address="192.0.2.2")
    assert (is_hall(address=BAR, now=now), is_hall(address="192.0.2.2", now=now)) == (False, True)
    for _ in range(2):
        hall.end_hall(tournament_id=tournament.pk, by=organiser, now=now)
    assert not Hall.objects.exists()
    codes = LogEntry.objects.filter(tournament=tournament, code__startswith="hall").values_list("code", flat=True)
    assert list(codes) == ["hall_marked", "hall_marked", "hall_ended"], "everybody reads who did it"


def test_only_whoever_runs_it_marks_so_often_and_not_when_it_is_over_at6(
    opened: Opened, organiser: Player, anna: Player, now: datetime
) -> None:
    tournament = opened()
    known: dict[str, Any] = {"tournament_id": tournament.pk, "address": BAR, "now": now}
    assert catch_code(hall.mark_hall, by=anna, **known) == "not_organiser"
    for _ in range(caps.HALLS_A_PERSON[0].most):
        mark(tournament, organiser, now)
    assert catch_code(hall.mark_hall, by=organiser, **known) == "halls_often"
    lifecycle.cancel_tournament(tournament_id=tournament.pk, by=organiser, now=now)
    later = {**known, "now": now + caps.DAY}
    assert catch_code(hall.mark_hall, by=organiser, **later) == "over"


def test_the_page_marks_the_address_it_is_read_from_and_says_so_at6(opened: Opened, organiser: Player) -> None:
    tournament = opened()
    page = reverse("tournament-hall", args=[tournament.public_id])
    client = sign_in(organiser)
    for name in ("tournament", "tournament-edit"):
        assert page in read_ways(client.get(reverse(name, args=[tournament.public_id])))
    assert read_hooks(client.get(page), "note") == []
    marked = client.post(page, REMOTE_ADDR=BAR, follow=True)
    assert read_hooks(marked, "notice") == ["hall_marked"]
    assert read_hooks(client.get(page, REMOTE_ADDR=BAR), "note") == ["hall_here"]
    assert read_hooks(client.get(page, REMOTE_ADDR="192.0.2.2"), "note") == ["hall_elsewhere"]
    assert read_hooks(client.post(page, {"togli": "1"}, follow=True), "notice") == ["hall_ended"]
    assert BAR not in client.get(page, REMOTE_ADDR=BAR).content.decode()


def test_before_its_day_the_page_says_when_at6(opened: Opened, organiser: Player) -> None:
    tournament = opened(starts_at=timezone.now() + timedelta(days=3))
    page = reverse("tournament-hall", args=[tournament.public_id])
    client = sign_in(organiser)
    assert read_hooks(client.get(page), "note") == ["hall_not_today"]
    assert read_hooks(client.post(page, follow=True), "notice") == ["hall_not_today"]


@pytest.mark.parametrize("reader", ["nobody", "anna"])
def test_the_page_is_for_whoever_runs_it(opened: Opened, anna: Player, reader: str) -> None:
    page = reverse("tournament-hall", args=[opened().public_id])
    client = sign_in(anna if reader == "anna" else None)
    assert (client.get(page).status_code, client.post(page).status_code) == (404, 404)


def test_more_telephones_than_an_address_may_bring_enter_from_the_hall_at6(
    opened: Opened, organiser: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "GUESTS_AN_ADDRESS", (caps.Cap(2, caps.HOUR),))
    tournament = opened(max_entries=64)
    join = reverse("tournament-join", args=[tournament.public_id])

    def enter(times: int) -> list[str]:
        answers = [Client(REMOTE_ADDR=BAR).post(join, follow=True) for _ in range(times)]
        return [code for answer in answers for code in read_hooks(answer, "notice")]

    assert enter(3) == ["entered", "entered", "too_many_guests"]
    mark(tournament, organiser, timezone.now())
    assert enter(4) == ["entered"] * 4
    assert EntryMember.objects.filter(tournament=tournament).count() == 6


def test_who_comes_by_the_code_counts_for_the_tournament_and_a_visitor_may_type_it_at6(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(caps, "GUESTS_AN_ADDRESS", (caps.Cap(1, caps.HOUR),))
    coded = [opened(KO, registration="code", join_code=code) for code in ("ASSO22", "ASSO33")]
    codes = []
    for tournament in (coded[0], coded[1], coded[0]):
        page = reverse("tournament-code", args=[tournament.public_id])
        answer = Client(REMOTE_ADDR=BAR).post(page, {"code": tournament.join_code}, follow=True)
        codes += read_hooks(answer, "notice")
    assert codes == ["entered", "entered", "too_many_guests"]
