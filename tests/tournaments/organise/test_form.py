"""The organiser's form: what is typed wrong is said beside its field, in Italian, and nothing typed is lost."""

from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.clean_text import clean_line
from players.models import Player
from players.services.players import create_guest
from tests.support.html import read_element, read_error_codes, read_hooks
from tests.support.pages import TOURNAMENT_FORM, post_tournament
from tests.support.thorough import tries
from tests.support.tournaments import Opened
from tournaments.models import Tournament
from tournaments.organise import making
from tournaments.organise.forms import TournamentForm

pytestmark = pytest.mark.django_db


def local(hours: float) -> str:
    return timezone.localtime(timezone.now() + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M")


def test_a_tournament_is_created_and_opened_in_one_go(organisers: Client, organiser: Player) -> None:
    answer = post_tournament(organisers)
    made = Tournament.objects.get()
    assert answer.headers["Location"] == reverse("tournament", args=[made.public_id])
    assert (made.state, made.organiser_id) == (Tournament.State.OPEN, organiser.pk)
    assert (made.name, made.length_kind, made.length_value) == ("Torneo del giovedì", "points", 11)
    assert (made.turn_timeout, made.match_clock, made.noshow_after, made.starts_at) == (60, 900, 300, None)


def test_a_draft_waits_and_a_start_time_is_italian_time(organisers: Client) -> None:
    at = local(48)
    post_tournament(organisers, publish=False, start="at", starts_at=at, format="girone", max_entries="6")
    made = Tournament.objects.get()
    assert made.state == Tournament.State.DRAFT
    assert made.starts_at is not None
    assert timezone.localtime(made.starts_at).strftime("%Y-%m-%dT%H:%M") == at


@pytest.mark.rule("K4", "E6")
def test_the_pause_before_a_fixture_is_the_organisers_and_on_the_page(organisers: Client) -> None:
    post_tournament(organisers, pause="120")
    made = Tournament.objects.get()
    assert made.pause == 120
    text = organisers.get(reverse("tournament", args=[made.public_id])).content.decode()
    assert "2 minuti prima di ogni incontro" in text
    Tournament.objects.update(pause=3)
    edited = organisers.get(reverse("tournament-edit", args=[made.public_id])).content.decode()
    assert '<option value="3" selected>3 secondi</option>' in edited, "one that isn't offered is kept"


FAULTS: list[tuple[dict[str, str], str, str]] = [
    ({"name": ""}, "name", "Dai un nome"),
    ({"name": "   "}, "name", "Dai un nome"),
    ({"name": "\u202e\u200b\x07"}, "name", "Dai un nome"),
    ({"name": "x" * 81}, "name", "80"),
    ({"name": "a\x00b"}, "name", "null"),
    ({"ruleset": "burraco"}, "ruleset", ""),
    ({"ruleset": ""}, "ruleset", ""),
    ({"format": "svizzero"}, "format", ""),
    ({"seats_an_entry": ""}, "seats_an_entry", ""),
    ({"seats_an_entry": "3"}, "seats_an_entry", ""),
    ({"tie_break": "monetina"}, "tie_break", ""),
    ({"seeding": "ratings"}, "seeding", ""),
    ({"seeding": "organiser"}, "seeding", "un'ora d'inizio"),
    ({"length_value": ""}, "length_value", ""),
    ({"length_value": "undici"}, "length_value", ""),
    ({"length_value": "0"}, "length_value", ""),
    ({"length_value": "102"}, "length_value", ""),
    ({"length_value": "9" * 40}, "length_value", ""),
    ({"length_kind": "deals", "length_value": "21"}, "length_value", "da 1 a 20 smazzate"),
    ({"length_kind": "ore"}, "length_kind", ""),
    ({"format": "girone", "length_value": "12", "max_entries": "6"}, "length_value", "7, 11, 21 punti"),
    ({"turn_timeout": "", "match_clock": ""}, "turn_timeout", "almeno un limite"),
    ({"turn_timeout": "61"}, "turn_timeout", ""),
    ({"match_clock": "-5"}, "match_clock", ""),
    ({"noshow_after": ""}, "noshow_after", ""),
    ({"pause": "-1"}, "pause", ""),
    ({"min_entries": "9"}, "max_entries", "il minimo non più del massimo"),
    ({"min_entries": "1"}, "min_entries", ""),
    ({"max_entries": "100000"}, "max_entries", ""),
    ({"start": "at"}, "starts_at", "Scegli il giorno"),
    ({"start": "at", "starts_at": "domani"}, "starts_at", ""),
    ({"start": "at", "starts_at": "2020-01-01T21:00"}, "starts_at", "già passata"),
    ({"start": "at", "starts_at": "0001-01-01T00:00"}, "starts_at", "Serve un anno"),
    ({"start": "at", "starts_at": "9999-12-31T23:59"}, "starts_at", "Serve un anno"),
    ({"start": "at", "starts_at": "2027-03-28T02:30"}, "starts_at", "manca o c'è due volte"),
    ({"start": "at", "starts_at": "2026-10-25T02:30"}, "starts_at", "manca o c'è due volte"),
    ({"start": "mai"}, "start", ""),
]
ONE_A_FIELD = {field: changed for changed, field, _ in FAULTS}


@pytest.mark.parametrize(("changed", "field", "words"), FAULTS)
def test_what_is_wrong_is_refused_and_said_in_words(
    organisers: Client, monkeypatch: pytest.MonkeyPatch, changed: dict[str, str], field: str, words: str
) -> None:
    """The page isn't drawn here: it takes longer than all the rest."""
    forms: list[TournamentForm] = []

    def keep_form(_request: object, _template: str, context: dict[str, Any]) -> HttpResponse:
        forms.append(context["form"])
        return HttpResponse()

    monkeypatch.setattr(making, "render", keep_form)
    for publish in (False, True):
        assert post_tournament(organisers, publish=publish, **changed).status_code == 200
    assert [list(form.errors) for form in forms] == [[field]] * 2, "nor as a draft"
    assert all(words in form.errors[field][0] for form in forms)
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("field", "changed"), tries([*ONE_A_FIELD.items()], [(field, changed) for changed, field, _ in FAULTS])
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_lost(
    organisers: Client, changed: dict[str, str], field: str
) -> None:
    answer = post_tournament(organisers, **{"name": "Coppa <b>Anna</b>", **changed})
    assert answer.status_code == 200
    text = answer.content.decode()
    assert f'id="id_{field}_error"' in text
    assert "Coppa <b>" not in text
    if field != "name":
        assert 'value="Coppa &lt;b&gt;Anna&lt;/b&gt;"' in text
    assert not Tournament.objects.exists()


@pytest.mark.rule("AP8")
def test_with_another_formula_the_form_drops_the_options_of_the_old_one_and_keeps_those_of_both(
    organisers: Client,
) -> None:
    post_tournament(organisers, start="at", starts_at=local(5), third_place="on", byes_by_lot="on", max_entries="8")
    ko = Tournament.objects.get()
    assert ko.format_options == {
        "third_place": True,
        "byes_by_lot": True,
        "lucky_losers": False,
        "apart": False,
        "apart_seeds": 0,
    }
    other = {"format": "gironi", "groups": "2", "third_place": "on", "byes_by_lot": "on", "min_entries": "4"}
    fields = {**TOURNAMENT_FORM, "start": "at", "starts_at": local(5), "max_entries": "8", **other}
    answer = organisers.post(reverse("tournament-edit", args=[ko.public_id]), fields)
    ko.refresh_from_db()
    assert (answer.status_code, ko.format) == (302, "gironi")
    assert ko.format_options == {"groups": 2, "qualify": 2, "third_place": True, "double": False, "apart": False}


def test_pairs_and_the_options_of_a_format_are_chosen_in_the_form(organisers: Client) -> None:
    of_ko, of_girone = {"third_place": "on", "byes_by_lot": "on"}, {"double": "on"}
    post_tournament(
        organisers,
        seats_an_entry="2",
        ruleset="tresette",
        start="at",
        starts_at=local(5),
        seeding="organiser",
        tie_break="club",
        **of_ko,
    )
    ko = Tournament.objects.get(format="ko")
    assert ko.seats_an_entry == 2
    assert ko.format_options == {
        "third_place": True,
        "byes_by_lot": True,
        "lucky_losers": False,
        "apart": False,
        "apart_seeds": 0,
    }
    assert (ko.tie_break, ko.seeding) == ("standard", "organiser"), "a KO has no VP to be level on"
    post_tournament(organisers, seats_an_entry="2", ruleset="tresette", format="girone", tie_break="club", **of_girone)
    girone = Tournament.objects.get(format="girone")
    assert girone.format_options == {"double": True}
    assert (girone.tie_break, girone.seeding) == ("club", "lot")
    text = organisers.get(reverse("tournament-edit", args=[girone.public_id])).content.decode()
    assert '<option value="club" selected>' in text


def test_a_refused_publication_leaves_no_draft_behind(organisers: Client) -> None:
    post_tournament(organisers, start="at", starts_at="2020-01-01T21:00")
    assert not Tournament.objects.exists()


def test_a_title_is_kept_without_what_cannot_be_seen() -> None:
    assert clean_line("  Coppa\u202e \u200bdi\tgiugno\n") == "Coppa di giugno"
    assert clean_line("L'oca & il <re>") == "L'oca & il <re>"


def test_a_visitor_logs_in_first_and_a_guest_signs_up_first(client: Client) -> None:
    url = reverse("tournament-new")
    assert client.get(url).headers["Location"] == f"{reverse('account_login')}?next={url}"
    client.force_login(create_guest(now=timezone.now(), address="192.0.2.1").user)
    assert client.get(url).headers["Location"] == f"{reverse('account_signup')}?next={url}"
    assert post_tournament(client).status_code == 302
    assert not Tournament.objects.exists()


def test_the_organiser_edits_until_the_draw_and_nobody_else(
    organisers: Client, client: Client, anna: Player, opened: Opened
) -> None:
    tournament = opened(name="Prima", starts_at=timezone.now() + timedelta(days=2))
    url = reverse("tournament-edit", args=[tournament.public_id])
    assert 'value="Prima"' in organisers.get(url).content.decode()
    assert organisers.post(url, {**TOURNAMENT_FORM, "name": "Dopo"}).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.starts_at) == ("Dopo", None)
    nameless = organisers.post(url, {**TOURNAMENT_FORM, "name": ""})
    assert read_error_codes(nameless) == {"name": ["required"]}
    assert read_element(nameless, "id_name_error")
    assert client.get(url).status_code == 404
    client.force_login(anna.user)
    assert client.get(url).status_code == 404
    assert client.post(url, {**TOURNAMENT_FORM, "name": "Mio"}).status_code == 404
    Tournament.objects.update(state=Tournament.State.RUNNING)
    organisers.post(url, {**TOURNAMENT_FORM, "name": "Solo i testi", "max_entries": "2"})
    tournament.refresh_from_db()
    assert (tournament.name, tournament.max_entries) == ("Solo i testi", 8)
    Tournament.objects.update(state=Tournament.State.FINISHED)
    assert read_hooks(organisers.post(url, TOURNAMENT_FORM, follow=True), "notice")[-1] == "over"
