"""Settings of an organiser: texts (E2), zone (E7), club, referees (F1), and a copy of a tournament."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from players.services.house import create_house_player
from players.services.players import create_guest
from tests.support.arrangements import arrange_once
from tests.support.entries import enter_all
from tests.support.html import read_hooks
from tests.support.pages import TOURNAMENT_FORM, read_page
from tests.support.tournaments import KO, Opened, catch_code
from tournaments.clubs import actions as clubs
from tournaments.models import Club, ClubMember, LogEntry, Referee, Series, Tournament
from tournaments.organise import lifecycle, referees
from tournaments.organise.settings import read_settings

pytestmark = pytest.mark.django_db

State = Tournament.State


def as_(player: Player, zone: str = "") -> Client:
    client = Client()
    client.force_login(player.user)
    if zone:
        client.cookies["timezone"] = zone
    return client


def page(client: Client, tournament: Tournament) -> str:
    return client.get(reverse("tournament", args=[tournament.public_id])).content.decode()


@arrange_once
def club(organiser: Player, now: datetime) -> Club:
    return clubs.create_club(by=organiser, name="Circolo Aurora", description="", now=now)


# --- Texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("E2")
def test_after_the_draw_only_texts_change_e2(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = opened()
    enter_all(tournament, four, now)
    assert tournament.state == State.RUNNING
    held = read_settings(tournament)
    settings = replace(held, name="Nuovo nome", description="**Premi**\u202e", time_zone="Asia/Tokyo")
    lifecycle.edit_tournament(tournament_id=tournament.pk, by=organiser, settings=settings, now=now)
    tournament.refresh_from_db()
    assert (tournament.name, tournament.description, tournament.time_zone) == ("Nuovo nome", "**Premi**", "Asia/Tokyo")
    assert LogEntry.objects.filter(tournament=tournament, code="texts_edited").exists()
    for change in ({"pause": 99}, {"max_entries": 8}, {"guests_allowed": False}, {"starts_at": now}):
        changed = replace(held, **change)  # type: ignore[arg-type]
        assert (
            catch_code(lifecycle.edit_tournament, tournament_id=tournament.pk, by=organiser, settings=changed, now=now)
            == "drawn"
        )
    address = reverse("tournament-edit", args=[tournament.public_id])
    assert 'name="max_entries"' not in as_(organiser).get(address).content.decode()
    as_(organiser).post(address, {"name": "Per pagina", "description": "# Ciao\n<script>x</script>", "time_zone": ""})
    tournament.refresh_from_db()
    assert (tournament.name, tournament.time_zone) == ("Per pagina", "Asia/Tokyo")
    shown = page(Client(), tournament)
    assert "<h2>Ciao</h2>" in shown
    assert "<script>x" not in shown
    assert as_(four[0]).post(address, {"name": "x"}).status_code == 404


def test_a_text_too_long_and_a_zone_that_is_none_are_refused(organiser: Player, now: datetime) -> None:
    for settings, code in (
        (replace(KO, description="x" * 5001), "text_too_long"),
        (replace(KO, time_zone="Roma"), "unknown_time_zone"),
    ):
        assert catch_code(lifecycle.create_tournament, organiser=organiser, settings=settings, now=now) == code


# --- Hours -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("E7")
def test_an_hour_is_typed_in_the_zone_of_the_form_and_shown_in_the_readers_e7(organiser: Player) -> None:
    year = datetime.now().year + 1
    at = f"{year}-01-10T21:00"
    data = {**TOURNAMENT_FORM, "start": "at", "starts_at": at, "time_zone": "America/New_York", "publish": ""}
    client = as_(organiser)
    later = client.post(reverse("tournament-new"), data)
    if later.status_code == 200:  # more than a year ahead
        data["starts_at"] = at = f"{year - 1}-12-30T21:00"
        client.post(reverse("tournament-new"), data)
    made = Tournament.objects.get()
    assert made.time_zone == "America/New_York"
    assert made.starts_at is not None
    assert made.starts_at.strftime("%H:%M") == "02:00"  # UTC, the day after
    assert "03:00" in page(Client(), made)
    assert "21:00 a New York" in page(Client(), made)
    assert "a New York" not in page(as_(organiser, "America/New_York"), made)
    form = as_(organiser).get(reverse("tournament-edit", args=[made.public_id])).content.decode()
    assert f'value="{at}"' in form
    assert '<option value="America/New_York" selected>' in form


def test_a_new_form_begins_in_the_readers_own_zone(organiser: Player) -> None:
    for zone in ("Asia/Tokyo", "Europe/Rome"):
        form = as_(organiser, zone).get(reverse("tournament-new")).content.decode()
        assert f'<option value="{zone}" selected>' in form


# --- In the name of a club -------------------------------------------------------------------------------------------


def test_who_organises_for_a_club_and_who_may_not(organiser: Player, anna: Player, club: Club, now: datetime) -> None:
    for role in (None, "member", "referee"):
        if role is not None:
            ClubMember.objects.update_or_create(
                club=club, player=anna, defaults={"role": role, "confirmed": True, "since": now}
            )
        mine = replace(KO, club_id=club.pk)
        assert catch_code(lifecycle.create_tournament, organiser=anna, settings=mine, now=now) == "not_of_club"
        assert 'name="club"' not in as_(anna).get(reverse("tournament-new")).content.decode()
    client = as_(organiser)
    assert "Circolo Aurora" in client.get(reverse("tournament-new")).content.decode()
    client.post(reverse("tournament-new"), {**TOURNAMENT_FORM, "club": club.public_id, "publish": ""})
    made = Tournament.objects.get()
    assert made.club == club
    assert reverse("club", args=[club.public_id]) in page(Client(), made)
    assert (
        client.post(reverse("tournament-new"), {**TOURNAMENT_FORM, "club": "un-altro"}).status_code == 200
    )  # said in the form


def test_a_fellow_organiser_runs_it_but_leaves_it_in_the_clubs_name(
    organiser: Player, anna: Player, club: Club, now: datetime
) -> None:
    ClubMember.objects.create(club=club, player=anna, role="organiser", confirmed=True, since=now)
    own = clubs.create_club(by=anna, name="Altro circolo", description="", now=now)
    made = lifecycle.create_tournament(organiser=organiser, settings=replace(KO, club_id=club.pk), now=now)
    lifecycle.edit_tournament(
        tournament_id=made.pk, by=anna, settings=replace(KO, club_id=club.pk, name="Suo"), now=now
    )
    for elsewhere in (None, own.pk):
        settings = replace(KO, club_id=elsewhere)
        assert (
            catch_code(lifecycle.edit_tournament, tournament_id=made.pk, by=anna, settings=settings, now=now)
            == "not_of_club"
        )
    address = reverse("tournament-edit", args=[made.public_id])
    assert "Altro circolo" not in as_(anna).get(address).content.decode()
    as_(anna).post(address, {**TOURNAMENT_FORM, "name": "Ancora suo", "club": club.public_id})
    made.refresh_from_db()
    assert (made.name, made.club) == ("Ancora suo", club)
    lifecycle.edit_tournament(tournament_id=made.pk, by=organiser, settings=KO, now=now)
    made.refresh_from_db()
    assert made.club is None
    assert as_(anna).get(address).status_code == 404


# --- Referees --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F1")
def test_the_organiser_names_referees_and_dismisses_them_f1(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened()
    name = {"tournament_id": tournament.pk, "now": now}
    referees.name_referee(by=organiser, name="anna", **name)
    guest, house = create_guest(now=now, address="192.0.2.1"), create_house_player(now=now)
    for by, whom, code in (
        (bruno, "Bruno", "not_organiser"),
        (anna, "Bruno", "not_organiser"),
        (organiser, "Anna", "referee_already"),
        (organiser, "Nessuno", "referee_unknown"),
        (organiser, "—", "referee_unknown"),
        (organiser, guest.name, "referee_is_guest"),
        (organiser, house.name, "referee_is_house"),
    ):
        assert catch_code(referees.name_referee, by=by, name=whom, **name) == code
    for player, code in ((bruno, "not_organiser"), (organiser, "no_referee")):
        assert catch_code(referees.dismiss_referee, by=player, player_id=bruno.pk, **name) == code
    referees.dismiss_referee(by=organiser, player_id=anna.pk, **name)
    codes = LogEntry.objects.filter(tournament=tournament, code__startswith="referee").values_list("code", "player")
    assert list(codes) == [("referee_named", organiser.pk), ("referee_dismissed", organiser.pk)]


def test_referees_are_named_on_the_page(opened: Opened, organiser: Player, anna: Player, bruno: Player) -> None:
    tournament = opened()
    client = as_(organiser)
    named = client.post(reverse("referee-name", args=[tournament.public_id]), {"nome": "Anna"}, follow=True)
    assert read_hooks(named, "notice") == ["referee_named"]
    assert "Anna" in page(Client(), tournament)
    where = reverse("referees", args=[tournament.public_id])
    assert where in page(client, tournament)
    for other in (anna, bruno):
        assert where not in page(as_(other), tournament)
        assert as_(other).get(where).status_code == 404
        as_(other).post(reverse("referee-name", args=[tournament.public_id]), {"nome": "Bruno"})
    assert Referee.objects.count() == 1
    refused = client.post(reverse("referee-name", args=[tournament.public_id]), {"nome": "Nessuno"}, follow=True)
    assert read_hooks(refused, "notice") == ["referee_unknown"]
    client.post(reverse("referee-dismiss", args=[tournament.public_id]), {"chi": "\0"})
    assert Referee.objects.count() == 1
    assert client.get(reverse("tournament-new"), {"da": "\0"}).status_code == 404
    client.post(reverse("referee-dismiss", args=[tournament.public_id]), {"chi": anna.public_id})
    assert not Referee.objects.exists()


def test_nobody_is_called_to_referee_all_day(opened: Opened, organiser: Player, anna: Player, now: datetime) -> None:
    tournament = opened()
    for minute in range(20):
        at = now + timedelta(minutes=minute)
        referees.name_referee(tournament_id=tournament.pk, by=organiser, name="Anna", now=at)
        referees.dismiss_referee(tournament_id=tournament.pk, by=organiser, player_id=anna.pk, now=at)
    again = {"tournament_id": tournament.pk, "by": organiser, "name": "Anna"}
    assert catch_code(referees.name_referee, now=now + timedelta(minutes=21), **again) == "too_many_referees"
    referees.name_referee(now=now + timedelta(hours=2), **again)


# --- One more like it ------------------------------------------------------------------------------------------------


def test_one_more_like_it_takes_everything_but_the_hour(
    opened: Opened, organiser: Player, anna: Player, club: Club, now: datetime
) -> None:
    source = opened(description="Si gioca **sempre**", club_id=club.pk, pause=3, max_entries=6, turn_timeout=45)
    referees.name_referee(tournament_id=source.pk, by=organiser, name="Anna", now=now)
    address = f"{reverse('tournament-new')}?da={source.public_id}"
    form = as_(organiser).get(address).content.decode()
    for kept in ("Si gioca **sempre**", f'<option value="{club.public_id}" selected>', 'value="6"', "Coppa del gioved"):
        assert kept in form
    data = {**TOURNAMENT_FORM, "name": source.name, "description": source.description, "club": club.public_id}
    as_(organiser).post(address, data)
    made = Tournament.objects.exclude(pk=source.pk).get()
    assert (made.state, made.description, made.club, made.starts_at) == (State.DRAFT, source.description, club, None)
    assert [row.player for row in Referee.objects.filter(tournament=made)] == [anna]
    assert as_(anna).get(address).status_code == 404  # a referee runs nothing


# --- The organiser's own home ----------------------------------------------------------------------------------------


def test_the_organisers_home_and_its_empty_states(
    opened: Opened, organiser: Player, anna: Player, now: datetime
) -> None:
    home = reverse("organiser-home")
    assert Client().get(home).status_code == 302
    guest = create_guest(now=now, address="192.0.2.1")
    assert reverse("account_signup") in as_(guest).get(home).headers["Location"]
    assert read_hooks(as_(anna).get(home), "note") == ["none_open", "no_series", "no_club"]
    opened(name="Torneo aperto")
    lifecycle.create_tournament(organiser=organiser, settings=replace(KO, name="Torneo in bozza"), now=now)
    shown = as_(organiser).get(home).content.decode()
    assert "Torneo aperto" in shown
    assert "Torneo in bozza" in shown
    hers = as_(anna).get(home).content.decode()
    assert "Torneo aperto" not in hers
    assert "Torneo in bozza" not in hers


def test_a_series_from_its_form_to_its_end(opened: Opened, organiser: Player, anna: Player) -> None:
    source = opened()
    client = as_(organiser)
    address = f"{reverse('series-new')}?da={source.public_id}"
    assert 'name="starts_at"' not in client.get(address).content.decode()
    data = {**TOURNAMENT_FORM, "weekday": "1", "hour": "21:00", "days_ahead": "6", "time_zone": "Europe/Rome"}
    for wrong in ({"hour": "25:00"}, {"weekday": "9"}, {"days_ahead": "99"}, {"name": ""}):
        assert client.post(address, {**data, **wrong}).status_code == 200
    assert client.post(address, data).headers["Location"] == reverse("organiser-home")
    series = Series.objects.get()
    assert "ogni martedì alle 21:00 ·" in read_page(client.get(reverse("organiser-home")))
    elsewhere = as_(organiser, "Asia/Tokyo").get(reverse("organiser-home")).content.decode()
    assert "ogni martedì alle 21:00 (Roma)" in elsewhere
    edit = reverse("series-edit", args=[series.public_id])
    assert 'value="21:00"' in client.get(edit).content.decode()
    client.post(edit, {**data, "hour": "22:30", "description": "Due parole"})
    series.refresh_from_db()
    assert (series.hour.isoformat(), series.settings["description"]) == ("22:30:00", "Due parole")
    assert as_(anna).get(edit).status_code == 404
    assert as_(anna).post(reverse("series-act", args=[series.public_id, "ferma"])).status_code == 404
    for act, code in (
        ("ferma", "series_stopped"),
        ("riprendi", "series_resumed"),
        ("ferma", "series_stopped"),
        ("elimina", "series_deleted"),
    ):
        answer = client.post(reverse("series-act", args=[series.public_id, act]), follow=True)
        assert read_hooks(answer, "notice")[-1] == code
    assert not Series.objects.exists()
