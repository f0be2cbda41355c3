"""Series (E7): a tournament a week at the same hour of the organiser's clock, opened once, or a reason why not."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from threading import Barrier
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connections

from players import caps
from players.models import Player
from players.services.close_account import close_account
from players.services.players import create_guest
from tests.support.tournaments import GIRONE, KO, Opened
from tests.support.waiting import PATIENCE
from tournaments import sweep
from tournaments.clubs import actions as clubs
from tournaments.core import dates
from tournaments.core.errors import TournamentError
from tournaments.models import ClubMember, Referee, Series, Tournament
from tournaments.organise import lifecycle, referees
from tournaments.series import actions as series_actions
from tournaments.series.actions import Weekly, compute_start

pytestmark = pytest.mark.django_db

WEEKLY = Weekly(weekday=1, hour=time(21), days_ahead=6)  # Tuesdays


def made(organiser: Player, now: datetime, **changed: Any) -> Series:
    settings = replace(KO, **{name: changed.pop(name) for name in list(changed) if name in KO.__slots__})
    source = changed.pop("source", None)
    return series_actions.create_series(
        organiser=organiser, settings=settings, weekly=replace(WEEKLY, **changed), now=now, source=source
    )


def swept(now: datetime) -> list[Tournament]:
    """Sweep until nothing is due; return the opened tournaments."""
    opened = []
    while due := list(sweep.list_due_series(now)):
        opened += [series_actions.open_next(series_id=pk, now=now) for pk in due]
        assert len(opened) < 50
    return [tournament for tournament in opened if tournament is not None]


def refused(call: Any, **arguments: Any) -> str:
    with pytest.raises(TournamentError) as error:
        call(**arguments)
    return error.value.code


# Days on which the clock is changed, and the hours around it, in UTC.
@pytest.mark.rule("E7")
@pytest.mark.parametrize(
    ("zone", "day", "hour", "at"),
    [
        ("Europe/Rome", date(2027, 3, 27), time(21), "2027-03-27T20:00"),
        ("Europe/Rome", date(2027, 3, 28), time(21), "2027-03-28T19:00"),
        ("Europe/Rome", date(2027, 3, 28), time(2, 30), "2027-03-28T01:30"),  # skipped: it is 3:30
        ("Europe/Rome", date(2027, 10, 31), time(2, 30), "2027-10-31T00:30"),  # had twice: the first
        ("Europe/Rome", date(2027, 10, 31), time(21), "2027-10-31T20:00"),
        ("America/New_York", date(2027, 3, 14), time(2, 30), "2027-03-14T07:30"),
        ("America/New_York", date(2027, 11, 7), time(1, 30), "2027-11-07T05:30"),
        ("America/New_York", date(2027, 11, 7), time(21), "2027-11-08T02:00"),
        ("Asia/Kolkata", date(2027, 3, 28), time(21), "2027-03-28T15:30"),
    ],
)
def test_an_hour_is_that_of_the_organisers_clock_e7(zone: str, day: date, hour: time, at: str) -> None:
    assert compute_start(day, hour, zone) == datetime.fromisoformat(at).replace(tzinfo=UTC)


@pytest.mark.rule("E7")
@pytest.mark.parametrize(
    ("zone", "begin", "offsets"),
    [
        ("Europe/Rome", datetime(2027, 3, 15, tzinfo=UTC), [1, 1, 2, 2]),
        ("Europe/Rome", datetime(2027, 10, 18, tzinfo=UTC), [2, 2, 1, 1]),
        ("America/New_York", datetime(2027, 3, 1, 12, tzinfo=UTC), [-5, -5, -4, -4]),
        ("America/New_York", datetime(2027, 10, 25, 12, tzinfo=UTC), [-4, -4, -5, -5]),
    ],
)
def test_twenty_one_stays_twenty_one_across_summer_time_e7(
    organiser: Player, zone: str, begin: datetime, offsets: list[int]
) -> None:
    made(organiser, begin, time_zone=zone)
    opened = [tournament for day in range(21) for tournament in swept(begin + timedelta(days=day))]
    starts = [tournament.starts_at.astimezone(ZoneInfo(zone)) for tournament in opened if tournament.starts_at]
    assert [(at.weekday(), at.hour, at.minute) for at in starts] == [(1, 21, 0)] * 4
    assert [at.utcoffset() for at in starts] == [timedelta(hours=hours) for hours in offsets]
    assert {tournament.time_zone for tournament in opened} == {zone}


@pytest.mark.rule("E7")
def test_each_is_opened_days_ahead_and_once_e7(organiser: Player, now: datetime) -> None:
    it = made(organiser, now)  # a Saturday evening
    assert it.next_start == datetime(2026, 11, 24, 20, tzinfo=UTC)
    [first] = swept(now)
    assert swept(now) == []
    assert (first.state, first.series, first.starts_at) == (Tournament.State.OPEN, it, it.next_start)
    assert first.name == "Coppa del giovedì – 24 nov"
    logged = list(first.log.values_list("code", "player"))
    assert logged == [("created", None), ("published", organiser.pk), ("draw_committed", None)]
    it.refresh_from_db()
    assert it.due_at == datetime(2026, 11, 25, 20, tzinfo=UTC)
    assert swept(datetime(2026, 11, 25, 19, 59, tzinfo=UTC)) == []
    [second] = swept(datetime(2026, 11, 25, 20, tzinfo=UTC))
    assert second.starts_at == datetime(2026, 12, 1, 20, tzinfo=UTC)


def test_far_ahead_several_wait_at_once(organiser: Player, now: datetime) -> None:
    made(organiser, now, days_ahead=28)
    assert len(swept(now)) == 4


def test_hours_that_went_by_while_nobody_swept_are_not_made_up_for(organiser: Player, now: datetime) -> None:
    made(organiser, now)
    late = now + timedelta(days=40)
    [opened] = swept(late)
    assert opened.starts_at is not None
    assert late < opened.starts_at < late + timedelta(days=7)


def test_repeating_a_tournament_takes_its_referees_over_and_not_its_own_day(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    source = opened(starts_at=datetime(2026, 11, 24, 20, tzinfo=UTC))
    referees.name_referee(tournament_id=source.pk, by=organiser, name="Anna", now=now)
    it = made(organiser, now, source=source)
    assert it.next_start == datetime(2026, 12, 1, 20, tzinfo=UTC)
    [first] = swept(it.due_at or now)
    assert [row.player for row in Referee.objects.filter(tournament=first)] == [anna]
    referees.name_referee(tournament_id=first.pk, by=organiser, name="Bruno", now=now)
    [second] = swept(now + timedelta(days=14))
    assert {row.player for row in Referee.objects.filter(tournament=second)} == {anna, bruno}


def test_what_is_due_too_often_waits_says_why_and_goes_on(
    opened: Opened,
    organiser: Player,
    now: datetime,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(caps, "MAX_UNDRAWN_TOURNAMENTS", 10)
    others = [opened() for _ in range(10)]
    it = made(organiser, now)
    assert swept(now) == []
    it.refresh_from_db()
    assert it.trouble == "too_many_open"
    assert dates.describe_series_trouble(it.trouble)
    assert "opens nothing: too_many_open" in caplog.text
    assert Tournament.objects.filter(organiser=organiser).count() == 10
    lifecycle.cancel_tournament(tournament_id=others[0].pk, by=organiser, now=now)
    later = now + timedelta(minutes=10)
    [opened_] = swept(later)
    it.refresh_from_db()
    assert (it.trouble, opened_.starts_at) == ("", datetime(2026, 11, 24, 20, tzinfo=UTC))


def test_one_that_could_not_be_opened_in_time_is_left_out(
    opened: Opened, organiser: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "MAX_UNDRAWN_TOURNAMENTS", 10)
    others = [opened() for _ in range(10)]
    it = made(organiser, now)
    assert swept(now) == []
    lifecycle.cancel_tournament(tournament_id=others[0].pk, by=organiser, now=now)
    [opened_] = swept(now + timedelta(days=5))
    assert opened_.starts_at == datetime(2026, 12, 1, 20, tzinfo=UTC)
    it.refresh_from_db()
    assert it.next_start == datetime(2026, 12, 8, 20, tzinfo=UTC)


def test_a_series_stops_when_its_organiser_may_no_longer_organise_for_the_club(
    organiser: Player, anna: Player, now: datetime
) -> None:
    club = clubs.create_club(by=anna, name="Circolo Aurora", description="", now=now)
    assert refused(made, organiser=organiser, now=now, club_id=club.pk) == "not_of_club"
    place = ClubMember.objects.create(club=club, player=organiser, role="organiser", confirmed=True, since=now)
    it = made(organiser, now, club_id=club.pk)
    [first] = swept(now)
    assert first.club == club
    place.role = ClubMember.Role.MEMBER
    place.save()
    assert swept(now + timedelta(days=7)) == []
    it.refresh_from_db()
    assert (it.due_at, it.trouble) == (None, "not_of_club")
    assert refused(series_actions.resume_series, series_id=it.pk, by=organiser, now=now) == "not_of_club"


def test_closing_the_account_ends_the_series(organiser: Player, now: datetime) -> None:
    made(organiser, now)
    close_account(player_id=organiser.pk, now=now)
    assert not Series.objects.exists()
    assert swept(now) == []


def test_a_series_is_edited_stopped_resumed_and_forgotten_by_its_organiser_alone(
    organiser: Player, anna: Player, now: datetime
) -> None:
    it = made(organiser, now)
    swept(now)
    for call, more in (
        (series_actions.stop_series, {}),
        (series_actions.resume_series, {"now": now}),
        (series_actions.delete_series, {}),
        (series_actions.edit_series, {"settings": KO, "now": now, "weekly": WEEKLY}),
    ):
        assert refused(call, series_id=it.pk, by=anna, **more) == "not_series"
    series_actions.stop_series(series_id=it.pk, by=organiser)
    assert swept(now + timedelta(days=30)) == []
    later = replace(WEEKLY, hour=time(22, 30))
    it = series_actions.edit_series(series_id=it.pk, by=organiser, settings=GIRONE, weekly=later, now=now)
    assert it.next_start == datetime(2026, 12, 1, 21, 30, tzinfo=UTC)  # that of the 24th is open already
    [second] = swept(it.due_at or now)
    assert (second.format, second.name) == ("girone", "Girone del circolo – 1 dic")
    series_actions.stop_series(series_id=it.pk, by=organiser)
    series_actions.resume_series(series_id=it.pk, by=organiser, now=now)
    series_actions.delete_series(series_id=it.pk, by=organiser)
    assert Tournament.objects.filter(series=None).count() == 2


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"weekday": 7}, "series_range"),
        ({"days_ahead": 0}, "series_range"),
        ({"days_ahead": 29}, "series_range"),
        ({"time_zone": "Mars/Olympus"}, "unknown_time_zone"),
        ({"name": " "}, "name_missing"),
        ({"min_entries": 1}, "entries_range"),
    ],
)
def test_what_cannot_be_run_every_week_is_refused(
    organiser: Player, now: datetime, changed: dict[str, Any], code: str
) -> None:
    assert refused(made, organiser=organiser, now=now, **changed) == code
    assert not Series.objects.exists()


def test_one_person_has_only_so_many_and_a_guest_none(organiser: Player, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    assert refused(made, organiser=guest, now=now) == "not_a_member"
    kept = [made(organiser, now) for _ in range(caps.MAX_RUNNING_SERIES)]
    assert refused(made, organiser=organiser, now=now) == "too_many_series"
    series_actions.stop_series(series_id=kept[0].pk, by=organiser)
    made(organiser, now)
    assert refused(series_actions.resume_series, series_id=kept[0].pk, by=organiser, now=now) == "too_many_series"


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.rule("E7")
def test_of_six_sweepers_one_opens_it_e7(organiser: Player, now: datetime) -> None:
    it = made(organiser, now)
    gate = Barrier(6)

    def one(_n: int) -> Tournament | None:
        try:
            gate.wait(PATIENCE)
            return series_actions.open_next(series_id=it.pk, now=now)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        opened = list(pool.map(one, range(6)))
    assert sum(tournament is not None for tournament in opened) == 1
    assert Tournament.objects.count() == 1
