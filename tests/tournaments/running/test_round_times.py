"""Hours of the organiser's own for rounds (R6): given before the draw, moved afterwards until a round begins (E2)."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support.entries import enter_all
from tests.support.mail import count_mails, send_due, want_all_mail
from tests.support.tournaments import GIRONE, KO, Opened, catch_code
from tournaments.desk import results
from tournaments.desk.act import Act
from tournaments.models import Fixture, LogEntry, Round, Series, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import read_settings
from tournaments.running import early_play, tables
from tournaments.running.plan_store import compute_round_opens_at
from tournaments.running.start import start_due

pytestmark = [pytest.mark.django_db, pytest.mark.rule("R6")]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def drawn(opened: Opened, players: list[Player], now: datetime, **changed: object) -> Tournament:
    """A girone that began now, with rounds at these hours."""
    tournament = enter_all(opened(GIRONE, starts_at=now + HOUR, **changed), players, now)
    start_due(tournament_id=tournament.pk, now=now + HOUR)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    return tournament


def moved(tournament: Tournament, hours: dict[int, datetime], now: datetime) -> Tournament:
    settings = read_settings(tournament)
    by = tournament.organiser
    return lifecycle.edit_tournament(tournament_id=tournament.pk, by=by, settings=settings, hours=hours, now=now)


def hours_of(tournament: Tournament) -> list[datetime | None]:
    return [round_.opens_at for round_ in Round.objects.filter(tournament=tournament).order_by("number")]


def test_each_round_has_its_hour_and_those_without_one_follow_at_the_last_distance(now: datetime) -> None:
    given = [now + DAY, now + 3 * DAY]
    tournament = Tournament(starts_at=now, round_hours=[hour.isoformat() for hour in given])
    assert [compute_round_opens_at(tournament, number) for number in range(1, 6)] == [
        now,
        *given,
        now + 5 * DAY,
        now + 7 * DAY,
    ]
    tournament.round_minutes = 60
    assert [compute_round_opens_at(tournament, number) for number in (3, 4, 5)] == [
        given[1],
        given[1] + HOUR,
        given[1] + 2 * HOUR,
    ]
    assert compute_round_opens_at(Tournament(starts_at=now), 2) is None


def test_the_tables_of_a_round_open_at_its_hour_or_ahead_of_it(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    given = (now + DAY, now + 3 * DAY)
    tournament = drawn(opened, four, now, round_hours=given)
    assert hours_of(tournament) == [now + HOUR, *given]
    later = Fixture.objects.filter(round__number=2).order_by("board")
    assert {fixture.opens_at for fixture in later} == {given[0]}
    ahead = later[0]
    for side in (ahead.first, ahead.second):
        assert side is not None
        by = side.members.get().person.player
        early_play.play_ahead(tournament_id=tournament.pk, fixture_id=ahead.pk, by=by, now=now + 2 * HOUR)
    for fixture in later:
        tables.open_due_fixture(fixture_id=fixture.pk, now=now + 2 * HOUR)
    assert list(later.values_list("state", flat=True)) == ["playing", "ready"]


@pytest.mark.parametrize(
    ("hours", "code"),
    [
        ((30,), "round_hours_order"),  # minutes from now; it starts in 60
        ((60,), "round_hours_order"),
        ((120, 120), "round_hours_order"),
        ((180, 120), "round_hours_order"),
        (tuple(range(61, 187)), "round_hours_many"),
        ((120, 367 * 24 * 60), "round_hours_late"),
    ],
)
def test_hours_that_nobody_can_mean_are_refused(
    organiser: Player, now: datetime, hours: tuple[int, ...], code: str
) -> None:
    given = tuple(now + timedelta(minutes=minutes) for minutes in hours)
    settings = replace(GIRONE, starts_at=now + HOUR, round_hours=given)
    assert catch_code(lifecycle.create_tournament, organiser=organiser, settings=settings, now=now) == code
    if code == "round_hours_many":
        settings = replace(GIRONE, round_hours=(now + HOUR,))
        assert (
            catch_code(lifecycle.create_tournament, organiser=organiser, settings=settings, now=now)
            == "round_hours_start"
        )


def form_of(client: Client, address: str) -> dict[str, object]:
    shown = client.get(address).context["form"]
    return {name: shown[name].value() for name in shown.fields if shown[name].value() not in (None, False)}


@pytest.mark.rule("E7")
def test_the_form_takes_one_hour_a_line_by_the_clock_of_its_zone(organiser: Player, client: Client) -> None:
    client.force_login(organiser.user)
    new = reverse("tournament-new")
    typed = form_of(client, new) | {"name": "A ore", "format": "girone", "start": "at", "time_zone": "Asia/Tokyo"}
    before, start, first, second = (datetime.now(UTC).date() + timedelta(days=days) for days in (39, 40, 41, 42))
    typed |= {"starts_at": f"{start}T21:00", "round_hours": f"{first:%d/%m/%Y} 21:00\r\n\r\n{second}T21:30\r\n"}
    wrong = typed | {"round_hours": f"{first:%d/%m/%Y} 21:00\r\ndomani"}
    assert "Riga 2:" in client.post(new, wrong).context["form"].errors["round_hours"][0]
    early = typed | {"round_hours": f"{before:%d/%m/%Y} 21:00"}
    assert list(client.post(new, early).context["form"].errors) == ["round_hours"]
    assert client.post(new, typed).status_code == 302
    made = Tournament.objects.get()
    noon, half_past = (datetime.combine(day, time(12, at), UTC) for day, at in ((first, 0), (second, 30)))
    assert made.hours_set == (noon, half_past), "nine hours before Tokyo's"
    again = form_of(client, reverse("tournament-edit", args=[made.public_id]))
    assert again["round_hours"] == f"{first:%d/%m/%Y} 21:00\n{second:%d/%m/%Y} 21:30"
    lifecycle.publish_tournament(tournament_id=made.pk, by=organiser, now=datetime.now(UTC))
    assert "a ore stabilite" in client.get(reverse("tournament", args=[made.public_id])).content.decode()
    assert not form_of(client, f"{new}?da={made.public_id}")["round_hours"], "another one has hours of its own"
    weekly = reverse("series-new")
    assert "round_hours" not in client.get(weekly).context["form"].fields
    client.post(f"{weekly}?da={made.public_id}", form_of(client, f"{weekly}?da={made.public_id}") | {"name": "Serie"})
    assert "round_hours" not in Series.objects.get().settings


@pytest.mark.rule("E2")
def test_a_round_that_has_not_begun_is_moved_and_who_plays_is_told(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    tournament = drawn(opened, four, now, round_hours=(now + DAY, now + 2 * DAY))
    third = now + 4 * DAY
    moved(tournament, {3: third}, now + 2 * HOUR)
    assert hours_of(tournament) == [now + HOUR, now + DAY, third]
    assert set(Fixture.objects.filter(round__number=3).values_list("opens_at", flat=True)) == {third}
    assert Round.objects.get(number=3).remind_at == third - timedelta(minutes=15)
    assert count_mails("round_moved") == Counter(player.name for player in four)
    entry = LogEntry.objects.get(code="round_moved")
    assert (entry.detail["round"], entry.player) == (["round", 3], tournament.organiser)
    assert not LogEntry.objects.filter(code="texts_edited").exists()
    message = next(mail for mail in send_due(now + 2 * HOUR) if mail.subject.startswith("Cambia l'ora"))
    assert "Turno 3: comincia mercoledì 25 novembre, 21:00 (Roma)" in message.body
    for hours in ({1: third}, {2: now}, {2: now + DAY, 4: third}):
        assert catch_code(moved, tournament=tournament, hours=hours, now=now + 2 * HOUR) == "round_begun"
    for hours in ({2: third}, {3: now + DAY}):
        assert catch_code(moved, tournament=tournament, hours=hours, now=now + 2 * HOUR) == "round_hours_order"
    assert catch_code(moved, tournament=tournament, hours={3: now + 370 * DAY}, now=now + HOUR) == "round_hours_late"
    assert hours_of(tournament) == [now + HOUR, now + DAY, third]


@pytest.mark.rule("E2", "E6")
def test_who_agreed_to_play_ahead_does_so_and_in_a_ko_who_is_out_hears_nothing(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    tournament = enter_all(opened(KO, starts_at=now + HOUR, round_minutes=120), four, now)
    start_due(tournament_id=tournament.pk, now=now + HOUR)
    tournament.refresh_from_db()
    first = Fixture.objects.filter(round__number=1).order_by("board").first()
    assert first is not None
    act = Act(by=tournament.organiser, reason="Così", now=now + HOUR)
    results.declare_forfeit(tournament_id=tournament.pk, fixture_id=first.pk, lines=(0,), act=act)
    moved(tournament, {2: now + 5 * HOUR}, now + HOUR)
    assert first.first is not None
    out = first.first.members.get().person.player.name
    assert count_mails("round_moved") == Counter(player.name for player in four if player.name != out)
    tournament.refresh_from_db()
    harder = replace(read_settings(tournament), turn_timeout=5)
    refused = catch_code(
        lifecycle.edit_tournament, tournament_id=tournament.pk, by=tournament.organiser, settings=harder, now=now + HOUR
    )
    assert refused == "drawn", "clocks stay"


@pytest.mark.rule("E2")
def test_the_page_after_the_draw_has_a_field_for_each_round_to_come(
    opened: Opened, four: list[Player], client: Client
) -> None:
    start = datetime.now(UTC).replace(second=0, microsecond=0) - HOUR
    tournament = enter_all(opened(GIRONE, round_minutes=120, time_zone="Europe/Rome"), four, start)
    address = reverse("tournament-edit", args=[tournament.public_id])
    client.force_login(tournament.organiser.user)
    typed = form_of(client, address)
    assert [name for name in typed if name.startswith("round_")] == ["round_2", "round_3"]
    typed["time_zone"] = "UTC"
    typed["round_2"] = f"{start + 2 * HOUR:%Y-%m-%dT%H:%M}"
    typed["round_3"] = f"{start + 10 * HOUR:%Y-%m-%dT%H:%M}"
    assert client.post(address, typed).status_code == 302
    assert hours_of(tournament)[1:] == [start + 2 * HOUR, start + 10 * HOUR]
    assert LogEntry.objects.filter(code="round_moved").count() == 1
    assert "Nuova ora: Turno 3" in client.get(reverse("tournament", args=[tournament.public_id])).content.decode()
