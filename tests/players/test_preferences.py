"""Preferences of a person: language, time zone (E7), notices of a table (W1), automatic calls (X1)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Match, Move
from games.services import settlement
from players.models import Player, User
from players.services.players import create_guest
from tests.support.decks import dealt, load
from tests.support.mail import BAR_CUP
from tests.support.pages import PREFERENCES_FORM, PREFERENCES_URL
from tests.support.people import give_address
from tests.support.tables import seated
from tournaments.organise import lifecycle

pytestmark = pytest.mark.django_db

STARTS = datetime(2027, 1, 15, 20, 30, tzinfo=UTC)


@pytest.fixture
def annas(client: Client, anna: Player) -> Client:
    client.force_login(anna.user)
    return client


@pytest.fixture
def at_half_past_eight(bruno: Player, now: datetime) -> str:
    """A tournament that starts at 20:30 of Greenwich; its page."""
    made = lifecycle.create_tournament(organiser=bruno, settings=replace(BAR_CUP, starts_at=STARTS), now=now)
    lifecycle.publish_tournament(tournament_id=made.pk, by=bruno, now=now)
    return reverse("tournaments")


def hours(client: Client, page: str, zone_of_browser: str = "") -> str:
    """Return the text of the page about the start, for a browser that says to be in that zone."""
    if zone_of_browser:
        client.cookies["timezone"] = zone_of_browser
    body = client.get(page).content.decode()
    return body.split("2027-01-1")[1].split("</time>")[0].split(", ")[-1][:5]


def test_hours_are_those_of_the_zone_one_chose_else_of_the_browser_else_of_the_site(
    annas: Client, anna: Player, at_half_past_eight: str
) -> None:
    assert hours(Client(), at_half_past_eight) == "21:30"  # Europe/Rome
    assert hours(Client(), at_half_past_eight, "America/New_York") == "15:30"
    assert hours(annas, at_half_past_eight, "Asia/Tokyo") == "05:30"
    annas.post(PREFERENCES_URL, {**PREFERENCES_FORM, "time_zone": "Europe/London"})
    assert hours(annas, at_half_past_eight, "Asia/Tokyo") == "20:30"


# As they stand in the browser's header: some Pythons let nobody write the third one into a cookie.
@pytest.mark.parametrize(
    "zone", ["Mars/Olympus", "../../etc/passwd", '"Europe/Rome\\015\\012X: y"', "x" * 4000, "posix/UTC"]
)
def test_a_zone_that_is_none_is_not_believed(zone: str, at_half_past_eight: str) -> None:
    assert hours(Client(headers={"cookie": f"timezone={zone}"}), at_half_past_eight) == "21:30"


def test_one_readers_zone_is_not_the_next_ones(annas: Client, anna: Player, at_half_past_eight: str) -> None:
    User.objects.filter(pk=anna.user_id).update(time_zone="Asia/Tokyo")
    assert hours(annas, at_half_past_eight) == "05:30"
    assert timezone.get_current_timezone_name() == "Europe/Rome"


def test_the_language_one_chose_wins_over_the_browsers(annas: Client, anna: Player, settings: Any) -> None:
    settings.LANGUAGES = [("it", "Italiano"), ("en", "English")]
    assert annas.get(PREFERENCES_URL, headers={"accept-language": "it"}).headers["Content-Language"] == "it"
    annas.post(PREFERENCES_URL, {**PREFERENCES_FORM, "language": "en"})
    assert annas.get(PREFERENCES_URL, headers={"accept-language": "it"}).headers["Content-Language"] == "en"
    User.objects.filter(pk=anna.user_id).update(language="xx")  # one that is offered no longer
    assert annas.get(PREFERENCES_URL, headers={"accept-language": "it"}).headers["Content-Language"] == "it"


def test_the_language_of_who_signs_up_is_kept_for_their_mails(client: Client, settings: Any) -> None:
    settings.LANGUAGES = [("it", "Italiano"), ("en", "English")]
    form = {"username": "Dino", "email": "", "password1": "sette-bello-77", "password2": "sette-bello-77"}
    client.post(reverse("account_signup"), form, headers={"accept-language": "en"})
    assert User.objects.get(username="Dino").language == "en"


def test_without_sound_or_banner_the_page_says_so_to_its_script(annas: Client) -> None:
    page = annas.get(PREFERENCES_URL).content.decode()
    assert "data-no-sound" not in page
    assert "data-no-banner" not in page
    annas.post(PREFERENCES_URL, {"language": "", "time_zone": ""})
    page = annas.get(PREFERENCES_URL).content.decode()
    assert "data-no-sound" in page
    assert "data-no-banner" in page


@pytest.mark.rule("X1")
@pytest.mark.django_db(transaction=True)
def test_what_the_table_calls_is_chosen_without_javascript_and_true_at_once_where_one_plays(
    annas: Client, anna: Player, bruno: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(monkeypatch, dealt("3d 2d Ad", ""))
    options = {"accuso": True}
    match = seated([anna, bruno], timezone.now(), ruleset="tresette", options=options, first_dealer=1)
    assert Move.objects.filter(match=match).count() == 1  # everything is on until one says otherwise
    page = annas.get(PREFERENCES_URL).content.decode()
    section = page.partition("Opzioni di gioco")[2].partition("</fieldset>")[0]
    assert [name for name in ("auto_out", "auto_accuso", "auto_declare") if f'name="{name}"' in section] == [
        "auto_out", "auto_accuso", "auto_declare",
    ]  # fmt: skip
    assert section.count("checked") == 3
    annas.post(PREFERENCES_URL, {**{name: value for name, value in PREFERENCES_FORM.items() if name != "auto_accuso"}})
    user = User.objects.get(pk=anna.user_id)
    assert (user.auto_out, user.auto_accuso, user.auto_declare) == (True, False, True)
    assert Match.objects.get(pk=match.pk).automatic(0) == {"out", "declare"}
    settlement.expire_overdue(match_id=match.pk, now=timezone.now() + timedelta(hours=1))
    later = seated([anna, bruno], timezone.now(), ruleset="tresette", options=options, first_dealer=1)
    assert Move.objects.filter(match=later).count() == 0
    annas.post(PREFERENCES_URL, PREFERENCES_FORM)
    assert list(Move.objects.filter(match=later).with_results().values_list("text", flat=True)) == [
        "0 accuso napoletana:d"
    ]


def test_mail_can_be_chosen_only_with_a_confirmed_address(annas: Client, anna: Player) -> None:
    wish = {**PREFERENCES_FORM, "mail_tables": "on", "mail_tournaments": "on"}
    annas.post(PREFERENCES_URL, wish)
    assert not User.objects.get(pk=anna.user_id).mail_tables
    give_address(anna)
    annas.post(PREFERENCES_URL, wish)
    user = User.objects.get(pk=anna.user_id)
    assert (user.mail_tables, user.mail_tournaments) == (True, True)


def test_a_guest_may_choose_too(client: Client, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    client.force_login(guest.user)
    client.post(PREFERENCES_URL, {**PREFERENCES_FORM, "time_zone": "Asia/Tokyo"})
    assert User.objects.get(pk=guest.user_id).time_zone == "Asia/Tokyo"
    assert client.get(reverse("account_email")).headers["Location"] == reverse("account_signup")


def test_what_everybody_may_know_of_privacy_needs_no_account(client: Client) -> None:
    page = client.get(reverse("privacy"))
    assert page.status_code == 200
    assert reverse("privacy") in client.get(reverse("home")).content.decode()
    assert reverse("privacy") in client.get(reverse("account_signup")).content.decode()
