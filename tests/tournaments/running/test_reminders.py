"""Reminders of a tournament, and that each is sent once, however many workers look, however often."""

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.db import transaction

from games.models import Match
from games.sweep import Sweep
from players.broadcast import notify
from players.models import Player
from tests.support.clock import Clock
from tests.support.entries import enter_all
from tests.support.live import Site
from tests.support.mail import count_mails, send_due, want_all_mail
from tests.support.play import OPENING, abandon, open_ready
from tests.support.sockets import open_page_socket, receive
from tests.support.threads import run_for_codes
from tests.support.tournaments import GIRONE, KO, PAIRS, Opened
from tournaments.entries import pairs
from tournaments.models import Fixture, Tournament
from tournaments.organise import lifecycle, settings
from tournaments.running import reminders, results
from tournaments.running.start import start_due

QUARTER = timedelta(minutes=15)


def given_up(match: Match, now: datetime) -> None:
    abandon(match, 0, now)
    results.record_result(match_id=match.pk, now=now)


@pytest.mark.rule("E5")
@pytest.mark.django_db
def test_who_is_entered_is_told_once_a_quarter_of_an_hour_before(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    start = now + timedelta(hours=1)
    tournament = enter_all(opened(starts_at=start), four[:2], now)
    assert tournament.remind_at == start - QUARTER
    early = start - QUARTER - timedelta(milliseconds=1)
    assert not reminders.remind_due(tournament_id=tournament.pk, now=early)
    version = tournament.version
    assert reminders.remind_due(tournament_id=tournament.pk, now=start - QUARTER)
    for later in (QUARTER, timedelta(minutes=1), timedelta(0)):
        assert not reminders.remind_due(tournament_id=tournament.pk, now=start - later)
    assert count_mails("starts_soon") == Counter({"Anna": 1, "Bruno": 1})
    tournament.refresh_from_db()
    assert (tournament.remind_at, tournament.version) == (None, version)
    assert {message.subject for message in send_due(start - QUARTER)} == {"Fra poco si comincia: Coppa del giovedì"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("starts_in", "checkin", "told_in"),
    [
        (None, None, None),
        (timedelta(minutes=15), None, None),  # published later than that
        (timedelta(minutes=16), None, timedelta(minutes=1)),
        (timedelta(hours=2), 30, timedelta(minutes=105)),
        (timedelta(hours=2), 15, None),  # the check-in tells it
        (timedelta(hours=2), 5, None),
    ],
)
def test_when_it_is_told(
    starts_in: timedelta | None, checkin: int | None, told_in: timedelta | None, now: datetime
) -> None:
    starts_at = None if starts_in is None else now + starts_in
    tournament = Tournament(starts_at=starts_at, checkin_minutes=checkin)
    assert reminders.compute_remind_at(tournament, now) == (None if told_in is None else now + told_in)


@pytest.mark.rule("E2")
@pytest.mark.django_db
def test_a_new_hour_is_told_anew_and_what_was_called_off_or_drawn_is_not(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    start = now + timedelta(hours=1)
    moved, called_off = (enter_all(opened(starts_at=start), four[:2], now) for _ in range(2))
    for tournament in (moved, called_off):
        assert reminders.remind_due(tournament_id=tournament.pk, now=start - QUARTER)
    later = replace(settings.read_settings(moved), starts_at=start + timedelta(hours=1))
    lifecycle.edit_tournament(tournament_id=moved.pk, by=organiser, settings=later, now=start - QUARTER)
    lifecycle.cancel_tournament(tournament_id=called_off.pk, by=organiser, reason="Neve", now=start - QUARTER)
    for tournament in (moved, called_off):
        reminders.remind_due(tournament_id=tournament.pk, now=start + timedelta(minutes=45))
        reminders.remind_due(tournament_id=tournament.pk, now=start + timedelta(minutes=46))
    assert count_mails("starts_soon") == Counter({"Anna": 3, "Bruno": 3})
    assert start_due(tournament_id=moved.pk, now=start + timedelta(hours=1))
    moved.refresh_from_db()
    called_off.refresh_from_db()
    assert (moved.remind_at, called_off.remind_at) == (None, None)


@pytest.mark.django_db
def test_nobody_is_told_of_a_start_that_is_past(opened: Opened, four: list[Player], now: datetime) -> None:
    want_all_mail(*four)
    start = now + timedelta(hours=1)
    tournament = enter_all(opened(starts_at=start), four[:2], now)
    assert not reminders.remind_due(tournament_id=tournament.pk, now=start)  # the site was down meanwhile
    assert not count_mails("starts_soon")


@pytest.mark.rule("E1")
@pytest.mark.django_db
def test_both_of_a_pair_are_told(opened: Opened, four: list[Player], now: datetime) -> None:
    want_all_mail(*four)
    anna, bruno = four[:2]
    start = now + timedelta(hours=1)
    tournament = opened(PAIRS, starts_at=start)
    entry = pairs.enter_pair(tournament_id=tournament.pk, player=anna, partner=bruno.name, now=now)
    pairs.confirm_pair(tournament_id=tournament.pk, player=bruno, entry_id=entry.pk, now=now)
    reminders.remind_due(tournament_id=tournament.pk, now=start - QUARTER)
    assert count_mails("starts_soon") == Counter({"Anna": 1, "Bruno": 1})


@pytest.mark.rule("K4")
@pytest.mark.django_db
def test_the_next_fixture_of_a_ko_is_told_to_its_two_players_when_it_is_ready(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    tournament = enter_all(opened(KO, pause=120), four, now)
    assert count_mails("drawn") == Counter(player.name for player in four)
    assert not count_mails("round_drawn"), "the draw told of the first round"
    later = now + timedelta(minutes=2)
    first, second = open_ready(tournament, later)
    given_up(first, later)
    assert not count_mails("round_drawn"), "nobody knows against whom"
    given_up(second, later)
    final = Fixture.objects.select_related("round").get(state=Fixture.State.READY)
    assert final.announced
    winners = Counter(
        member.person.player.name for entry in (final.first, final.second) if entry for member in entry.members.all()
    )
    assert count_mails("round_drawn") == winners
    results.advance(tournament_id=tournament.pk, now=later)
    results.advance(tournament_id=tournament.pk, now=later)
    assert count_mails("round_drawn") == winners, "told once"
    message = next(message for message in send_due(later) if message.subject.startswith("Nuovo turno"))
    assert "Finale: qui trovi contro chi giochi." in message.body
    assert "si apre sabato 21 novembre, 21:04 (Roma)" in message.body


@pytest.mark.rule("R6")
@pytest.mark.django_db
def test_a_girones_round_is_told_once_to_everybody_and_never_a_table_by_itself(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    tournament = enter_all(opened(GIRONE), four, now)
    for turn in range(1, 4):
        now += OPENING
        tables = open_ready(tournament, now)
        assert len(tables) == 2
        assert count_mails("round_drawn") == Counter({player.name: turn - 1 for player in four if turn > 1})
        for table in tables:
            given_up(table, now)
    assert count_mails("table") == Counter({player.name: 3 for player in four})
    assert count_mails("round_drawn") == Counter({player.name: 2 for player in four})


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_two_workers_at_once_and_again_tell_it_once_on_every_page_and_by_mail(
    opened: Opened, four: list[Player], live_site: Site, now: datetime
) -> None:
    want_all_mail(*four)
    start = now + timedelta(hours=1)
    tournament = enter_all(opened(starts_at=start), four[:2], now)
    clock = Clock(start - QUARTER)
    with open_page_socket(live_site, four[0]) as page:
        run_for_codes(*[Sweep(clock).round] * 4)
        Sweep(clock).round()
        clock.now = start
        run_for_codes(*[Sweep(clock).round] * 4)
        Sweep(clock).round()
        notify(four[0].pk, {"t": "that is all"})
        mails = []
        while (frame := receive(page))["t"] != "that is all":
            mails.append(frame)
    about = {"url": f"/tornei/{tournament.public_id}/", "title": tournament.name}
    assert mails == [{"t": "notice", "code": code, **about} for code in ("starts_soon", "drawn")]
    assert count_mails("starts_soon") == count_mails("drawn") == Counter({"Anna": 1, "Bruno": 1})


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_what_was_rolled_back_was_never_told_and_is_told_later(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    start = now + timedelta(hours=1)
    tournament = enter_all(opened(starts_at=start), four[:2], now)
    with transaction.atomic():
        assert reminders.remind_due(tournament_id=tournament.pk, now=start - QUARTER)
        transaction.set_rollback(True)  # the worker died before it committed
    assert not count_mails("starts_soon")
    assert reminders.remind_due(tournament_id=tournament.pk, now=start - QUARTER)
    assert count_mails("starts_soon") == Counter({"Anna": 1, "Bruno": 1})
