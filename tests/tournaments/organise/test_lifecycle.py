"""A tournament until its draw: set up, published, entered, started or called off (E2, E3, E5, V4)."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from games.engine.game import Length
from players.models import Mail, Player
from players.services.close_account import close_account
from players.services.house import create_house_player
from players.services.mail import send_due_mails
from players.services.players import create_guest
from tests.support.entries import enter_all
from tests.support.html import read_error_codes, read_hooks
from tests.support.mail import want_all_mail
from tests.support.people import sign_in
from tests.support.tournaments import GIRONE, KO, Opened, catch_code
from tournaments.core import refusals, wording
from tournaments.core.errors import REFUSALS, TournamentError
from tournaments.core.log_details import LoggedResult
from tournaments.core.result import NO_RESULT
from tournaments.entries import join
from tournaments.entries.house import enter_house_players
from tournaments.models import Entry, EntryMember, LogEntry, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings, read_settings
from tournaments.running.start import start_due

pytestmark = [pytest.mark.django_db]

State = Tournament.State


def changed(base: Settings, **values: Any) -> Settings:
    return Settings(**{name: values.get(name, getattr(base, name)) for name in Settings.__slots__})


@pytest.mark.parametrize(
    ("base", "values", "code"),
    [
        (KO, {"name": "  "}, "name_missing"),
        (KO, {"format": "scala"}, "unknown_format"),
        (KO, {"format_options": {"double": True}}, "unknown_format_option"),
        (KO, {"tie_break": "monetina"}, "unknown_tie_break"),
        (KO, {"ruleset": "burraco"}, "setup_refused"),
        (KO, {"length_value": 21}, "setup_refused"),
        (KO, {"options": {"vinco_subito": True}}, "setup_refused"),
        (KO, {"turn_timeout": None, "match_clock": None}, "clocks_missing"),
        (KO, {"min_entries": 1}, "entries_range"),
        (KO, {"min_entries": 5}, "entries_range"),
        (KO, {"max_entries": 4097}, "entries_range"),
        (GIRONE, {"max_entries": 65}, "entries_range"),
        (GIRONE, {"length_value": 9}, "length_without_vp"),
        (GIRONE, {"format_options": {"double": 1}}, "unknown_format_option"),
        (GIRONE, {"format": "gironi", "format_options": {"groups": 17}}, "option_range"),
        (GIRONE, {"format": "gironi", "format_options": {"qualify": True}}, "option_range"),
        (GIRONE, {"format": "gironi"}, "groups_too_many"),
        (GIRONE, {"format": "gironi", "format_options": {"groups": 2}, "max_entries": 129}, "groups_too_few"),
        (GIRONE, {"format": "danese", "format_options": {"rounds": 10}, "max_entries": 4}, "rounds_too_many"),
        (GIRONE, {"format": "danese", "max_entries": 4097}, "entries_range"),
        (GIRONE, {"format": "gironi", "length_value": 9, "max_entries": 8}, "length_without_vp"),
        (GIRONE, {"round_minutes": 0}, "round_minutes_range"),
    ],
)
def test_what_cannot_be_run_is_refused_by_name(
    organiser: Player, now: datetime, base: Settings, values: dict[str, Any], code: str
) -> None:
    assert (
        catch_code(lifecycle.create_tournament, organiser=organiser, settings=changed(base, **values), now=now) == code
    )
    assert not Tournament.objects.exists()


def test_a_girone_names_the_lengths_it_can_be_played_at_v4(organiser: Player, now: datetime) -> None:
    settings = changed(GIRONE, ruleset="scopa", length_kind="points", length_value=12)
    with pytest.raises(TournamentError) as refused:
        lifecycle.create_tournament(organiser=organiser, settings=settings, now=now)
    assert refused.value.values["allowed"] == (
        *(Length("points", value) for value in (7, 11, 21)),
        *(Length("deals", value) for value in (1, 2, 3, 4, 5)),
    )
    assert "11" in refusals.describe_refusal(refused.value.code, refused.value.values)


def test_a_ko_may_have_any_length_v4(organiser: Player, now: datetime) -> None:
    assert lifecycle.create_tournament(organiser=organiser, settings=changed(KO, length_value=13), now=now).pk


def test_every_code_has_words() -> None:
    values = {"allowed": [Length("points", 11)], "low": 2, "high": 64, "reason": "length_not_allowed", "limit": 10}
    values |= {
        "about": "length",
        "most": 20,
        "fixtures": [("final", 3, 1)],
        "groups": 4,
        "least": 8,
        "size": 4,
        "total": 45,
        "totals": [44],
        "target": 11,
        "victories": ["called_out"],
        "victory": "called_out",
        "seconds": 5,
        "wait": timedelta(minutes=7),
        "minutes": 5,
        "free": 65,
        "bans": "Anna / Bruno",
        "seats": 2,
        "stored": LoggedResult(over=False, playing=False, annulled=False, result=NO_RESULT),
        "names": ("Anna", "Bruno"),
        "by": "Teresa",
        "table": 4,
        "typed": "Ad@",
        "deal": 2,
        "score": "8–4",
        "to": "Bar Sport",
        "needed": 2,
        "game": 3,
        "fault": "points_impossible",
        "details": {},
    }
    assert all(refusals.describe_refusal(code, values) for code in REFUSALS)


def test_guests_do_not_organise(now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    assert catch_code(lifecycle.create_tournament, organiser=guest, settings=KO, now=now) == "not_a_member"


def test_only_the_organiser_publishes_edits_and_cancels(organiser: Player, anna: Player, now: datetime) -> None:
    made = lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)
    for call, more in (
        (lifecycle.publish_tournament, {}),
        (lifecycle.edit_tournament, {"settings": KO}),
        (lifecycle.cancel_tournament, {}),
    ):
        assert catch_code(call, tournament_id=made.pk, by=anna, now=now, **more) == "not_organiser"


def test_every_change_of_state_is_logged_with_who_and_when_e2(opened: Opened, organiser: Player, now: datetime) -> None:
    tournament = opened()
    later = now + timedelta(minutes=5)
    lifecycle.cancel_tournament(tournament_id=tournament.pk, by=organiser, now=later)
    logged = LogEntry.objects.filter(tournament=tournament).values_list("code", "player", "at")
    assert list(logged) == [
        ("created", organiser.pk, now),
        ("published", organiser.pk, now),
        ("draw_committed", None, now),
        ("cancelled", organiser.pk, later),
    ]


def test_a_published_tournament_is_not_published_again(opened: Opened, organiser: Player, now: datetime) -> None:
    tournament = opened()
    assert catch_code(lifecycle.publish_tournament, tournament_id=tournament.pk, by=organiser, now=now) == "not_a_draft"


def test_a_start_in_the_past_is_refused(organiser: Player, now: datetime) -> None:
    made = lifecycle.create_tournament(organiser=organiser, settings=changed(KO, starts_at=now), now=now)
    assert catch_code(lifecycle.publish_tournament, tournament_id=made.pk, by=organiser, now=now) == "start_in_the_past"


def test_a_player_enters_once_and_may_leave_until_the_draw_e1(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = opened()
    join.enter_player(tournament_id=tournament.pk, player=anna, now=now)
    assert catch_code(join.enter_player, tournament_id=tournament.pk, player=anna, now=now) == "already_entered"
    join.leave_tournament(tournament_id=tournament.pk, player=anna, now=now)
    assert not EntryMember.objects.exists()
    assert catch_code(join.leave_tournament, tournament_id=tournament.pk, player=anna, now=now) == "not_entered"
    join.enter_player(tournament_id=tournament.pk, player=anna, now=now)
    assert Entry.objects.filter(tournament=tournament).count() == 1


def test_nobody_enters_a_draft(organiser: Player, anna: Player, now: datetime) -> None:
    made = lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)
    assert catch_code(join.enter_player, tournament_id=made.pk, player=anna, now=now) == "registration_closed"


def test_guests_and_the_house_enter_only_where_they_are_allowed_e3_e8(opened: Opened, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    house = create_house_player(now=now)
    closed = opened(guests_allowed=False, house_allowed=False)
    assert catch_code(join.enter_player, tournament_id=closed.pk, player=guest, now=now) == "guests_not_allowed"
    assert catch_code(join.enter_player, tournament_id=closed.pk, player=house, now=now) == "house_not_allowed"
    assert catch_code(enter_house_players, tournament_id=closed.pk, count=1, now=now) == "house_not_allowed"
    free = opened(guests_allowed=True, house_allowed=True)
    for player in (guest, house):
        join.enter_player(tournament_id=free.pk, player=player, now=now)
    enter_house_players(tournament_id=free.pk, count=1, now=now)
    assert Entry.objects.filter(tournament=free).count() == 3


def test_a_sit_and_go_is_drawn_as_soon_as_it_is_full_e5(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = opened()
    for player in four[:3]:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
        tournament.refresh_from_db()
        assert tournament.state == State.OPEN
    join.enter_player(tournament_id=tournament.pk, player=four[3], now=now)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.drawn_at) == (State.RUNNING, now)
    extra = create_guest(now=now, address="192.0.2.1")
    assert catch_code(join.enter_player, tournament_id=tournament.pk, player=extra, now=now) == "registration_closed"
    assert catch_code(join.leave_tournament, tournament_id=tournament.pk, player=four[0], now=now) == "drawn"


def test_a_tournament_with_an_hour_starts_then_and_not_when_it_is_full_e5(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    start = now + timedelta(hours=1)
    tournament = opened(starts_at=start)
    for player in four:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    assert not start_due(tournament_id=tournament.pk, now=start - timedelta(seconds=1))
    assert start_due(tournament_id=tournament.pk, now=start)
    assert not start_due(tournament_id=tournament.pk, now=start), "only once"
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING


def test_with_fewer_entries_than_the_minimum_it_is_cancelled_and_says_why_e5(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    start = now + timedelta(hours=1)
    tournament = opened(starts_at=start, min_entries=3)
    for player in (anna, bruno):
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    start_due(tournament_id=tournament.pk, now=start)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.cancelled_because) == (State.CANCELLED, "too_few_entries")
    assert wording.describe_cancellation(tournament.cancelled_because)
    assert LogEntry.objects.filter(tournament=tournament, code="cancelled", player=None).exists()
    assert tournament.due_at is None


@pytest.mark.rule("E2")
def test_cancelling_what_people_entered_needs_a_reason_that_they_read(
    opened: Opened, organiser: Player, anna: Player, now: datetime
) -> None:
    want_all_mail(anna)
    tournament = opened()
    known: dict[str, Any] = {"tournament_id": tournament.pk, "by": organiser, "now": now}
    enter_all(tournament, [anna], now)
    assert catch_code(lifecycle.cancel_tournament, reason=" \u200b ", **known) == "reason_missing"
    assert catch_code(lifecycle.cancel_tournament, reason="n" * 501, **known) == "reason_long"
    page = reverse("tournament-cancel", args=[tournament.public_id])
    client = sign_in(organiser)
    assert read_error_codes(client.post(page, {"reason": ""})) == {"reason": ["required"]}
    kept = client.post(page, {"reason": "neve " * 101})
    assert read_error_codes(kept) == {"reason": ["max_length"]}
    assert "neve neve" in kept.content.decode()
    assert read_hooks(client.post(page, {"reason": "Troppa <neve>"}, follow=True), "notice") == ["cancelled"]
    tournament.refresh_from_db()
    assert (tournament.cancelled_because, tournament.cancelled_reason) == ("by_organiser", "Troppa <neve>")
    text = sign_in(anna).get(reverse("tournament", args=[tournament.public_id])).content.decode()
    assert "cancelled_reason" in read_hooks(text, "note")
    assert text.count("Troppa &lt;neve&gt;") == 2, "beside the news, and in the log"
    assert [mail.values["reason"] for mail in Mail.objects.filter(kind="cancelled")] == ["Troppa <neve>"]
    send_due_mails(now=timezone.now())
    assert "Troppa <neve>" in mail.outbox[-1].body


@pytest.mark.rule("E2")
def test_nobody_explains_a_cancellation_to_nobody(
    opened: Opened, organiser: Player, anna: Player, now: datetime
) -> None:
    for tournament in (opened(), lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)):
        page = reverse("tournament-cancel", args=[tournament.public_id])
        assert sign_in(organiser).get(page).status_code == 200
        assert sign_in(anna).post(page, {"reason": "Mio"}).status_code == 404
        assert read_hooks(sign_in(organiser).post(page, {"reason": ""}, follow=True), "notice") == ["cancelled"]
        assert read_hooks(sign_in(organiser).get(page, follow=True), "notice") == ["over"]


@pytest.mark.rule("E2")
def test_an_organiser_who_closes_their_account_gives_that_as_the_reason(
    opened: Opened, organiser: Player, anna: Player, now: datetime
) -> None:
    tournament = enter_all(opened(), [anna], now)
    close_account(player_id=organiser.pk, now=now)
    tournament.refresh_from_db()
    assert (tournament.cancelled_because, tournament.cancelled_reason) == ("organiser_gone", "")
    assert wording.describe_cancellation("organiser_gone")
    assert "cancelled_organiser_gone" in wording.list_notices()


def test_the_organiser_edits_everything_until_the_draw_and_then_only_the_name_e2_e6(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = opened(max_entries=8)
    join.enter_player(tournament_id=tournament.pk, player=four[0], now=now)
    longer = changed(KO, length_value=3, max_entries=4, name="Coppa d'inverno")
    edited = lifecycle.edit_tournament(tournament_id=tournament.pk, by=organiser, settings=longer, now=now)
    assert (edited.length_value, edited.max_entries, edited.name) == (3, 4, "Coppa d'inverno")
    too_small = changed(longer, min_entries=2, max_entries=2)
    join.enter_player(tournament_id=tournament.pk, player=four[1], now=now)
    join.enter_player(tournament_id=tournament.pk, player=four[2], now=now)
    arguments = {"tournament_id": tournament.pk, "by": organiser, "now": now}
    assert catch_code(lifecycle.edit_tournament, settings=too_small, **arguments) == "entries_range"
    join.enter_player(tournament_id=tournament.pk, player=four[3], now=now)
    assert catch_code(lifecycle.edit_tournament, settings=changed(longer, length_value=1), **arguments) == "drawn"
    frozen = Tournament.objects.get(pk=tournament.pk)
    renamed = changed(read_settings(frozen), name="Coppa di primavera")
    assert lifecycle.edit_tournament(settings=renamed, **arguments).name == "Coppa di primavera"


def test_making_it_smaller_starts_a_sit_and_go_that_is_full_now_e5(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened()
    for player in (anna, bruno):
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    lifecycle.edit_tournament(tournament_id=tournament.pk, by=organiser, settings=changed(KO, max_entries=2), now=now)
    assert start_due(tournament_id=tournament.pk, now=now)


def test_every_visible_change_is_a_new_version(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = opened()
    seen = [tournament.version]
    for call in (join.enter_player, join.leave_tournament):
        call(tournament_id=tournament.pk, player=anna, now=now)
        tournament.refresh_from_db()
        seen.append(tournament.version)
    assert seen == sorted(set(seen))
