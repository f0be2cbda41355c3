"""Notices at the draw and of later rounds: to those left out, and to those whose round's hour nears."""

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from players.models import Mail, Player
from tests.support.entries import enter_all
from tests.support.mail import count_mails, send_due, want_all_mail
from tests.support.play import entry_of
from tests.support.tournaments import GIRONE, KO, PAIRS, Opened, catch_code
from tournaments import sweep
from tournaments.entries import approvals, join, pairs, waiting_list
from tournaments.models import Entry, Fixture, Round, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import read_settings
from tournaments.running import early_play, round_times
from tournaments.running.start import start_due

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
QUARTER = timedelta(minutes=15)


def drawn_at(tournament: Tournament, now: datetime) -> None:
    start_due(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING


@pytest.mark.rule("E3")
def test_who_never_came_up_from_the_waiting_list_is_told_so(opened: Opened, four: list[Player], now: datetime) -> None:
    want_all_mail(*four)
    tournament = enter_all(opened(starts_at=now + HOUR, max_entries=2), four[:2], now)
    join.enter_player(tournament_id=tournament.pk, player=four[2], now=now, wait=True)
    drawn_at(tournament, now + HOUR)
    assert count_mails("left_out") == Counter({"Carla": 1})
    (message,) = [mail for mail in send_due(now + HOUR) if mail.subject.startswith("Niente posto")]
    assert message.to == ["carla@example.org"]
    assert "dalla lista d'attesa non ti è toccato un posto" in message.body


@pytest.mark.rule("E3")
def test_who_had_no_answer_from_the_organiser_is_told_so(opened: Opened, four: list[Player], now: datetime) -> None:
    want_all_mail(*four)
    tournament = opened(starts_at=now + HOUR, registration=Tournament.Registration.APPROVAL)
    for player in four[:3]:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    for player in four[:2]:
        entry = entry_of(tournament, player)
        approvals.approve_entries(tournament_id=tournament.pk, by=tournament.organiser, entry_id=entry.pk, now=now)
    tournament.refresh_from_db()
    drawn_at(tournament, now + HOUR)
    assert Mail.objects.get(kind="left_out").values["why"] == "unanswered"
    assert count_mails("left_out") == Counter({"Carla": 1})


@pytest.mark.rule("E1")
def test_who_asked_for_a_partner_in_vain_is_told_and_the_partner_is_not(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    tournament = opened(PAIRS, starts_at=now + HOUR, house_allowed=True)
    for player in four[:2]:
        pairs.enter_with_house(tournament_id=tournament.pk, player=player, now=now)
    pairs.enter_pair(tournament_id=tournament.pk, player=four[2], partner=four[3].name, now=now)
    drawn_at(tournament, now + HOUR)
    assert Mail.objects.get(kind="left_out").values["why"] == "unconfirmed"
    assert count_mails("left_out") == Counter({"Carla": 1})


@pytest.mark.rule("R6")
def test_the_hour_of_a_later_round_is_told_once_a_quarter_before_to_those_who_play_then(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    start = now + HOUR
    tournament = enter_all(opened(GIRONE, starts_at=start, round_minutes=60), four, now)
    drawn_at(tournament, start)
    second = Round.objects.get(number=2)
    assert [round_.remind_at for round_ in Round.objects.order_by("number")] == [
        None,
        start + HOUR - QUARTER,
        start + 2 * HOUR - QUARTER,
    ]
    assert list(sweep.list_due_round_reminders(start + HOUR - QUARTER - timedelta(seconds=1))) == []
    assert list(sweep.list_due_round_reminders(start + HOUR - QUARTER)) == [second.pk]
    ahead = Fixture.objects.filter(round=second).first()
    assert ahead is not None
    for side in (ahead.first, ahead.second):
        assert side is not None
        by = side.members.get().person.player
        early_play.play_ahead(tournament_id=tournament.pk, fixture_id=ahead.pk, by=by, now=start)
    for _again in range(2):
        sweep.remind_round(second.pk, start + HOUR - QUARTER)
    others = Fixture.objects.filter(round=second).exclude(pk=ahead.pk).get()
    names = [side.members.get().person.player.name for side in (others.first, others.second) if side is not None]
    assert count_mails("round_soon") == Counter(names)
    message = next(mail for mail in send_due(start + HOUR - QUARTER) if mail.subject.startswith("Fra poco si gioca"))
    assert "si apre sabato 21 novembre, 23:00 (Roma)" in message.body
    assert "Turno 2" in message.body


@pytest.mark.rule("R6")
@pytest.mark.parametrize("what", ["late", "cancelled", "close"])
def test_an_hour_that_is_past_or_near_at_the_draw_or_called_off_is_not_told(
    what: str, opened: Opened, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    start = now + HOUR
    minutes = 10 if what == "close" else 60
    tournament = enter_all(opened(KO, starts_at=start, round_minutes=minutes), four, now)
    drawn_at(tournament, start)
    final = Round.objects.get(number=2)
    if what == "cancelled":
        lifecycle.cancel_tournament(tournament_id=tournament.pk, by=tournament.organiser, reason="Neve", now=start)
        assert list(sweep.list_due_round_reminders(start + HOUR)) == []
    assert not round_times.remind_round(round_id=final.pk, now=start + HOUR)
    assert not count_mails("round_soon")


@pytest.mark.rule("E3")
def test_so_many_may_wait_for_a_place_or_for_an_answer_and_no_more(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, dino = four
    full = enter_all(opened(starts_at=now + HOUR, max_entries=2), [anna, bruno], now)
    asked = opened(starts_at=now + HOUR, registration=Tournament.Registration.APPROVAL)
    assert [waiting_list.get_waiting_limit(tournament) for tournament in (full, asked, Tournament(max_entries=64))] == [
        100,
        100,
        128,
    ]
    crowd = [Entry(tournament=full, created_at=now, waiting_since=now) for _ in range(99)]
    crowd += [Entry(tournament=asked, created_at=now, approved=False) for _ in range(99)]
    Entry.objects.bulk_create(crowd)
    join.enter_player(tournament_id=full.pk, player=carla, now=now, wait=True)
    assert catch_code(join.enter_player, tournament_id=full.pk, player=dino, now=now, wait=True) == "queue_full"
    join.enter_player(tournament_id=asked.pk, player=anna, now=now)
    assert catch_code(join.enter_player, tournament_id=asked.pk, player=bruno, now=now) == "asking_full"


@pytest.mark.rule("E2")
def test_another_hour_of_the_start_is_told_to_whoever_is_in_it_and_the_same_one_is_not(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    tournament = enter_all(opened(starts_at=now + HOUR, max_entries=2), four[:2], now)
    join.enter_player(tournament_id=tournament.pk, player=four[2], now=now, wait=True)

    def edited(**changed: object) -> None:
        settings = replace(read_settings(tournament), **changed)  # type: ignore[arg-type]
        lifecycle.edit_tournament(tournament_id=tournament.pk, by=tournament.organiser, settings=settings, now=now)
        tournament.refresh_from_db()

    edited(name="Coppa nuova")
    edited(starts_at=now + HOUR + timedelta(seconds=59))
    assert not count_mails("start_moved")
    edited(starts_at=now + 2 * HOUR)
    assert count_mails("start_moved") == Counter({"Anna": 1, "Bruno": 1, "Carla": 1})
    messages = [mail for mail in send_due(now) if mail.subject == "Cambia l'inizio: Coppa nuova"]
    assert "comincia sabato 21 novembre, 23:00 (Roma), e non più" in messages[0].body
    edited(starts_at=None, max_entries=3)
    assert count_mails("start_moved") == Counter({"Anna": 2, "Bruno": 2, "Carla": 2})
    assert "appena tutti i posti sono presi" in send_due(now)[-1].body
