"""Making a tournament in three steps: what each shows and refuses, that nothing is lost, presets, and how many acts it
takes (E2, E3). As a browser without JavaScript does it: it sends what is in the page."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.forms import BooleanField
from django.http import HttpResponse, QueryDict
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.rules import RULESETS
from players.models import Player
from tests.support.html import read_buttons, read_element, read_error_codes, read_form, read_hooks
from tests.support.people import create_person
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, Opened
from tournaments.clubs.actions import create_club
from tournaments.models import ClubMember, Series, Tournament
from tournaments.organise.forms import TournamentForm
from tournaments.organise.presets import PRESETS, Preset
from tournaments.venues import HALL

pytestmark = pytest.mark.django_db

NEW = "/tornei/nuovo/"
PUBLISH = ("publish", "")
Pressed = Callable[..., HttpResponse]


def press(client: Client, page: HttpResponse, button: tuple[str, str] | None, **typed: str | None) -> HttpResponse:
    """Type into a page's form and press a button of it; None unticks."""
    assert button is None or button in read_buttons(page), (button, read_buttons(page))
    sent = {name: value for name, value in (read_form(page) | typed).items() if value is not None}
    return client.post(page.request["PATH_INFO"], sent | dict([button] if button else []))  # type: ignore[attr-defined]


def step_of(page: HttpResponse) -> str:
    [step] = read_hooks(page, "step")
    return step


def shows(page: HttpResponse, name: str) -> bool:
    """Tell whether the page has this field in sight, not hidden."""
    return read_element(page, f"id_{name}") is not None or read_element(page, f"id_{name}_0") is not None


def go(to: int) -> tuple[str, str]:
    return ("vai", str(to))


def test_three_steps_make_a_tournament(organisers: Client, organiser: Player) -> None:
    play = organisers.get(NEW)
    assert (step_of(play), shows(play, "ruleset"), shows(play, "name")) == ("1", True, False)
    shown = press(organisers, play, ("mostra", ""), ruleset="tresette")
    field = press(organisers, shown, go(2), length_value="21")
    assert (step_of(field), shows(field, "ruleset"), shows(field, "name")) == ("2", False, True)
    assert "Tresette" in field.content.decode()
    summary = press(organisers, field, go(3), name="Coppa Anna", max_entries="16")
    assert step_of(summary) == "3"
    assert "duration" in read_hooks(summary, "note")
    assert not Tournament.objects.exists(), "nothing is stored before the last step"
    made = press(organisers, summary, PUBLISH)
    tournament = Tournament.objects.get()
    assert made.headers["Location"] == reverse("tournament", args=[tournament.public_id])
    assert (tournament.name, tournament.state, tournament.organiser) == ("Coppa Anna", "open", organiser)
    assert (tournament.ruleset, tournament.length_value, tournament.max_entries) == ("tresette", 21, 16)
    assert (tournament.turn_timeout, tournament.match_clock, tournament.guests_allowed) == (60, 900, True)
    assert tournament.options == {"vinco_subito": True}, "as the first step showed them"


def test_the_later_steps_say_what_is_played_as_people_say_it(organisers: Client) -> None:
    dealt = press(organisers, organisers.get(NEW), ("mostra", ""), length_kind="deals")
    for number, said in (("1", "1 smazzata"), ("2", "2 smazzate")):
        assert f"{said}</p>" in press(organisers, dealt, go(2), length_value=number).content.decode()


def test_the_last_step_also_keeps_a_draft(organisers: Client) -> None:
    field = press(organisers, organisers.get(NEW), go(2))
    press(organisers, press(organisers, field, go(3), name="Bozza"), None)
    assert Tournament.objects.get().state == Tournament.State.DRAFT


def test_each_step_says_its_own_errors_beside_its_fields_and_no_others(organisers: Client) -> None:
    play = press(organisers, organisers.get(NEW), go(2), length_value="102")
    assert (step_of(play), read_error_codes(play)["length_value"]) == ("1", ["max_value"])
    assert read_element(play, "id_length_value_error")
    twelve = press(organisers, play, go(2), length_value="12", format="girone")
    assert (step_of(twelve), list(twelve.context["form"].errors)) == ("1", ["name", "length_value"])
    assert not shows(twelve, "name"), "it isn't asked yet"
    field = press(organisers, twelve, go(2), length_value="11")
    assert (step_of(field), read_error_codes(field)) == ("2", {})
    nameless = press(organisers, field, go(3), min_entries="9")
    assert (step_of(nameless), set(read_error_codes(nameless))) == ("2", {"name"})
    assert read_form(nameless)["min_entries"] == "9", "what was typed stays"
    fewer = press(organisers, nameless, go(3), name="Coppa")
    assert (step_of(fewer), set(read_error_codes(fewer))) == ("2", {"max_entries"})
    late = press(organisers, fewer, go(3), min_entries="2", start="at", starts_at="2020-01-01T21:00")
    assert (step_of(late), read_error_codes(late)) == ("2", {"starts_at": ["start_in_the_past"]})


def test_nothing_is_lost_going_back_and_forth(organisers: Client) -> None:
    words = 'Premi:\r\n- "uno" <b>\r\n\r\n**due**'
    field = press(organisers, press(organisers, organisers.get(NEW), ("mostra", ""), ruleset="tresette"), go(2))
    typed = {"name": "A", "description": words, "max_entries": "x", "registration": "code", "join_code": "CIRCOLO"}
    typed |= {"start": "at", "starts_at": "2020-01-01T21:00", "turn_timeout": "", "noshow_after": "60"}
    back = press(organisers, field, go(1), **typed, guests_allowed=None, house_allowed="on")
    assert (step_of(back), read_error_codes(back)) == ("1", {})
    again = press(organisers, back, go(2), length_value="31", option_accuso="on")
    kept = read_form(again)
    assert {name: kept[name].replace("\r\n", "\n") for name in typed} == {
        name: value.replace("\r\n", "\n") for name, value in typed.items()
    }
    assert ("guests_allowed" in kept, kept["house_allowed"]) == (False, "on")
    once_more = press(organisers, again, go(1))
    form = read_form(once_more)
    assert (form["length_value"], form["option_accuso"], form["ruleset"]) == ("31", "on", "tresette")
    assert "option_vinco_subito" in form


def test_only_what_applies_is_asked(organisers: Client) -> None:
    play = organisers.get(NEW)
    ko = press(organisers, play, go(2))
    assert [shows(ko, name) for name in ("third_place", "tie_break", "rounds", "groups")] == [True, False, False, False]
    ticked = press(organisers, ko, go(1), third_place="on")
    danese = press(organisers, ticked, go(2), format="danese")
    assert [shows(danese, name) for name in ("third_place", "tie_break", "rounds")] == [False, True, True]
    assert "third_place" not in read_form(danese), "an option of another formula isn't sent on"
    made = press(organisers, press(organisers, danese, go(3), name="Danese"), PUBLISH)
    assert made.status_code == 302
    assert not shows(play, "starts_at")


def test_what_is_refused_at_last_is_said_where_it_can_be_mended(
    organisers: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("players.caps.MAX_UNDRAWN_TOURNAMENTS", 0)
    field = press(organisers, organisers.get(NEW), go(2))
    summary = press(organisers, field, go(3), name="Di troppo")
    refused = press(organisers, summary, PUBLISH)
    assert (step_of(refused), read_error_codes(refused)) == ("3", {"__all__": ["too_many_open"]})
    monkeypatch.setattr("players.caps.MAX_UNDRAWN_TOURNAMENTS", 60)
    assert press(organisers, refused, PUBLISH).status_code == 302, "everything is still there"


def test_another_game_shows_its_options_before_one_goes_on(organisers: Client) -> None:
    page = press(organisers, organisers.get(NEW), go(2), ruleset="tresette", length_value="31")
    assert (step_of(page), shows(page, "option_accuso"), read_form(page)["length_value"]) == ("1", True, "31")
    assert step_of(press(organisers, page, go(2))) == "2"


def test_enter_goes_on_and_never_back(organisers: Client) -> None:
    page = organisers.get(NEW)
    assert read_buttons(page)[0] == go(2)
    field = press(organisers, page, go(2))
    assert read_buttons(field)[0] == go(3)


@pytest.mark.rule("E3")
@pytest.mark.parametrize(
    ("registration", "usual", "ticks"),
    [
        ("open", True, tries([False], [False, True])),
        ("code", True, tries([True], [False, True])),
        ("approval", False, [False, True]),
        ("list", False, tries([False], [False, True])),
    ],
)
def test_guests_are_out_unless_admitted_where_the_organiser_answers_for_who_enters(
    organisers: Client, registration: str, usual: bool, ticks: list[bool]
) -> None:
    for ticked in ticks:
        field = press(organisers, organisers.get(NEW), go(2))
        more: dict[str, Any] = {"guests_listed": "on"} if ticked else {}
        page = press(organisers, field, go(3), name="Ospiti", registration=registration, **more)
        press(organisers, page, PUBLISH)
        made = Tournament.objects.latest("pk")
        assert made.guests_allowed is (usual or ticked)
        edit = organisers.get(reverse("tournament-edit", args=[made.public_id]))
        press(organisers, edit, None)
        made.refresh_from_db()
        assert made.guests_allowed is (usual or ticked), "what was chosen stays"


def test_a_tournament_is_edited_from_any_step(organisers: Client, opened: Opened) -> None:
    tournament = opened(GIRONE, name="Prima", max_entries=6)
    edit = organisers.get(reverse("tournament-edit", args=[tournament.public_id]))
    assert press(organisers, edit, ("", ""), length_value="3").status_code == 302
    field = press(organisers, organisers.get(edit.request["PATH_INFO"]), go(2))  # type: ignore[attr-defined]
    assert press(organisers, field, ("", ""), name="Dopo").status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.length_value, tournament.max_entries) == ("Dopo", 3, 6)


def test_a_series_is_made_by_the_same_steps(organisers: Client) -> None:
    field = press(organisers, organisers.get(reverse("series-new")), go(2))
    assert (step_of(field), shows(field, "weekday"), shows(field, "starts_at")) == ("2", True, False)
    summary = press(organisers, field, go(3), name="Ogni martedì", weekday="1", hour="21:00")
    assert "ogni martedì alle 21:00" in summary.content.decode()
    assert press(organisers, summary, ("", "")).status_code == 302
    assert Series.objects.get().settings["name"] == "Ogni martedì"


# --- Presets ---------------------------------------------------------------------------------------------------------


GAMES = sorted(RULESETS)
BEGUN = [
    (preset, ruleset)
    for place, preset in enumerate(PRESETS)
    for ruleset in tries([GAMES[place]], GAMES)  # the form tries all
]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.code)
def test_a_preset_fits_every_game(organiser: Player, preset: Preset) -> None:
    for ruleset in RULESETS:
        begun = TournamentForm(initial=preset.fill({"ruleset": ruleset}, timezone.localtime()), organiser=organiser)
        sent = QueryDict(mutable=True)
        for name, field in begun.fields.items():
            written = field.widget.format_value(begun[name].value())
            if not isinstance(field, BooleanField) or begun[name].value():
                sent.setlist(name, written if isinstance(written, list) else ["" if written is None else written])
        form = TournamentForm(sent, organiser=organiser)
        assert (form.find_faulty_step(timezone.now()), form.errors) == (None, {}), ruleset


@pytest.mark.parametrize(
    ("preset", "ruleset"), BEGUN, ids=lambda value: value if isinstance(value, str) else value.code
)
def test_a_preset_makes_a_tournament_without_another_word(organisers: Client, preset: Preset, ruleset: str) -> None:
    play = press(organisers, organisers.get(NEW), ("modello", preset.code), ruleset=ruleset)
    assert (step_of(play), read_form(play)["ruleset"]) == ("1", ruleset)
    field = press(organisers, play, go(2))
    assert (step_of(field), read_form(field)["name"]) == ("2", str(preset.name))
    made = press(organisers, press(organisers, field, go(3)), PUBLISH)
    assert made.status_code == 302, made.context["form"].errors
    assert Tournament.objects.get().state == "open"


def test_a_preset_says_that_it_was_applied_and_one_is_a_knockout_at_real_tables(organisers: Client) -> None:
    assert "preset_applied" not in read_hooks(organisers.get(NEW), "note")
    play = press(organisers, organisers.get(NEW), ("modello", "bar"))
    assert "preset_applied" in read_hooks(play, "note")
    assert "KO al bar" in play.content.decode()
    field = press(organisers, play, go(2))
    assert "preset_applied" not in read_hooks(field, "note")
    press(organisers, press(organisers, field, go(3)), PUBLISH)
    made = Tournament.objects.get()
    assert (made.venue, made.format, made.max_entries, made.registration) == (HALL, "ko", 16, "list")


def test_another_preset_leaves_nothing_of_the_one_before_and_a_typed_name_stays(organisers: Client) -> None:
    first = press(organisers, organisers.get(NEW), ("modello", "mese"))
    assert read_form(first)["round_minutes"] == "10080"
    second = press(organisers, first, ("modello", "veloce"))
    form = read_form(second)
    assert (form["round_minutes"], form["name"], form["start"], form["starts_at"]) == ("", "KO veloce", "full", "")
    named = press(organisers, press(organisers, second, go(2)), go(1), name="Coppa Anna")
    assert read_form(press(organisers, named, ("modello", "serata")))["name"] == "Coppa Anna"


def test_a_knockout_of_64_from_an_empty_page_to_its_draw_takes_eleven_acts(
    organisers: Client, organiser: Player, now: datetime
) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    players = [create_person(f"Socio {number:02}", now) for number in range(64)]
    ClubMember.objects.bulk_create(
        ClubMember(club=club, player=player, confirmed=True, consents=True, since=now) for player in players
    )
    acts: list[str] = []

    def act(what: str, page: HttpResponse) -> HttpResponse:
        acts.append(what)
        assert page.status_code == 200
        return page

    page = act("open the empty page, from the club's", organisers.get(NEW, {"circolo": club.public_id}))
    page = act("press KO veloce", press(organisers, page, ("modello", "veloce")))
    page = act("press Avanti", press(organisers, page, go(2)))
    acts.append("type 64")
    page = act("press Avanti", press(organisers, page, go(3), max_entries="64", club=club.public_id))
    press(organisers, page, PUBLISH)
    acts.append("press Crea e apri le iscrizioni")
    tournament = Tournament.objects.get()
    act("press Gestisci gli iscritti", organisers.get(reverse("tournament-entries", args=[tournament.public_id])))
    address = reverse("tournament-import", args=[tournament.public_id])
    act("press Importa un elenco", organisers.get(address))
    acts.append("choose the file")
    rows = "\n".join(["giocatore", *(player.name for player in players)])
    sheet = SimpleUploadedFile("elenco.csv", rows.encode(), content_type="text/csv")
    page = act("press Guarda che cosa c'è", organisers.post(address, {"file": sheet}))
    organisers.post(address, {**read_form(page)})
    acts.append("press Iscrivi tutte e comincia")
    tournament.refresh_from_db()
    assert (tournament.state, tournament.entries.count(), tournament.rounds.count()) == ("running", 64, 6)
    assert len(acts) == 11, acts


@pytest.mark.rule("O1", "O3")
def test_where_it_is_played_is_asked_in_the_second_step(organisers: Client) -> None:
    play = press(organisers, organisers.get(NEW), ("modello", "piazza"))
    field = press(organisers, play, go(2))
    assert (shows(field, "venue"), shows(field, "hall_tables"), read_form(field)["venue"]) == (True, True, "real")
    summary = press(organisers, field, go(3), hall_tables="12", name="In piazza")
    assert press(organisers, summary, PUBLISH).status_code == 302
    made = Tournament.objects.get()
    assert (made.venue, made.hall_tables, made.match_clock, made.guests_allowed) == (HALL, 12, None, False)
    on_site = press(organisers, press(organisers, field, go(1)), ("modello", "veloce"))
    assert read_form(on_site)["venue"] == "site", "another preset leaves nothing of it"
