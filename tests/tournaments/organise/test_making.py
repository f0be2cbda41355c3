"""Making a tournament on one page: what it folds and refuses, that nothing is lost, presets, and how many acts it takes
(E2, E3). As a browser without JavaScript does it: it sends what is in the page."""

import re
from collections.abc import Callable
from datetime import datetime
from html import unescape
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
from tests.support.html import (
    parse_tags,
    read_attribute,
    read_buttons,
    read_element,
    read_error_codes,
    read_form,
    read_hooks,
    read_text,
    read_ways,
)
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
DRAFT = ("", "")
SHOW = ("mostra", "")
FOLDS = ("partita", "dove", "chi", "posti", "tempo", "testi")
Pressed = Callable[..., HttpResponse]


def press(client: Client, page: HttpResponse, button: tuple[str, str] | None, **typed: str | None) -> HttpResponse:
    """Type into a page's form and press a button of it; None unticks."""
    assert button is None or button in read_buttons(page), (button, read_buttons(page))
    sent = {name: value for name, value in (read_form(page) | typed).items() if value is not None}
    return client.post(page.request["PATH_INFO"], sent | dict([button] if button else []))  # type: ignore[attr-defined]


def shows(page: HttpResponse, name: str) -> bool:
    """Tell whether the page has this field in sight, not hidden."""
    return read_element(page, f"id_{name}") is not None or read_element(page, f"id_{name}_0") is not None


def list_open(page: HttpResponse) -> list[str]:
    """Return the folds of a page that are open."""
    return [
        attrs["id"]
        for tag, attrs in parse_tags(read_text(page))
        if tag == "details" and attrs.get("class") == "fold" and "open" in attrs
    ]


def read_words(page: HttpResponse, fold: str) -> str:
    """Return the values of a fold in words."""
    found = re.search(rf'id="{fold}-words">([^<]*)<', page.content.decode())
    assert found is not None
    return unescape(found[1]).strip()


def test_one_page_makes_a_tournament(organisers: Client, organiser: Player) -> None:
    page = organisers.get(NEW)
    assert all(shows(page, name) for name in ("name", "ruleset", "seats_an_entry", "format", "start", "venue"))
    assert list_open(page) == []
    shown = press(organisers, page, SHOW, ruleset="tresette", name="Coppa Anna", max_entries="16")
    assert read_words(shown, "posti") == "da 2 a 16 iscritti"
    assert "duration" in read_hooks(shown, "note")
    assert not Tournament.objects.exists(), "nothing is stored before it is sent off"
    made = press(organisers, shown, PUBLISH, length_value="21")
    tournament = Tournament.objects.get()
    assert made.headers["Location"] == reverse("tournament", args=[tournament.public_id])
    assert (tournament.name, tournament.state, tournament.organiser) == ("Coppa Anna", "open", organiser)
    assert (tournament.ruleset, tournament.length_value, tournament.max_entries) == ("tresette", 21, 16)
    assert (tournament.turn_timeout, tournament.match_clock, tournament.guests_allowed) == (60, 900, True)
    assert tournament.options == {"vinco_subito": True}, "as the page showed them"


def test_a_name_and_one_click_are_enough(organisers: Client) -> None:
    assert press(organisers, organisers.get(NEW), PUBLISH, name="Coppa").status_code == 302
    assert Tournament.objects.get().state == Tournament.State.OPEN


def test_the_folds_say_their_values_as_people_say_them(organisers: Client) -> None:
    page = organisers.get(NEW)
    assert {fold: read_words(page, fold) for fold in FOLDS} == {
        "partita": "11 punti",
        "dove": "sul sito, i tavoli si aprono da soli",
        "chi": "aperta a tutti, anche senza account, senza la casa",
        "posti": "da 2 a 8 iscritti",
        "tempo": "1 minuto a giocata, 15 minuti a testa, chi manca è atteso 5 minuti",
        "testi": "a nome mio, senza presentazione",
    }
    hall = press(
        organisers, page, SHOW, venue="real", hall_tables="12", clock_minutes="40", seats_an_entry="2",
        format="danese", registration="list",
    )  # fmt: skip
    assert [read_words(hall, fold) for fold in ("dove", "chi", "posti", "tempo")] == [
        "dal vivo, a tavoli veri, 12 tavoli",
        "solo chi è nell'elenco di chi organizza",
        "da 2 a 8 coppie",
        "40 minuti a turno, allo scadere si finisce la smazzata",
    ]
    tresette = press(organisers, page, SHOW, ruleset="tresette")
    assert read_words(tresette, "partita") == "21 punti, vinco subito"


def test_a_club_keeps_the_letters_of_its_name(organisers: Client, organiser: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    page = organisers.get(NEW, {"circolo": club.public_id})
    assert read_words(page, "testi") == "Circolo Aurora, senza presentazione"


def test_words_are_said_of_whatever_is_typed(organisers: Client) -> None:
    junk = dict.fromkeys(("length_value", "min_entries", "hall_tables", "level_min", "round_minutes", "venue"), "x")
    page = press(organisers, organisers.get(NEW), SHOW, **junk, registration="?", turn_timeout="?", time_zone="?")
    assert page.status_code == 200
    assert "duration" not in read_hooks(page, "note"), "nothing is reckoned of what can't be"
    assert read_form(page)["min_entries"] == "x"


def test_the_page_also_keeps_a_draft(organisers: Client) -> None:
    press(organisers, organisers.get(NEW), DRAFT, name="Bozza")
    assert Tournament.objects.get().state == Tournament.State.DRAFT


def test_bad_input_opens_its_fold_and_is_said_there_and_at_the_top(organisers: Client) -> None:
    page = press(organisers, organisers.get(NEW), PUBLISH, length_value="102", name="Coppa", min_entries="9")
    assert (read_error_codes(page), list_open(page)) == ({"length_value": ["max_value"]}, ["partita"])
    assert read_element(page, "id_length_value_error")
    assert "#id_length_value" in read_ways(page), "the top leads there"
    assert "autofocus" in (read_element(page, "id_length_value") or {})
    assert "autofocus" not in (read_element(page, "id_name") or {})
    fewer = press(organisers, page, PUBLISH, length_value="11")
    assert (set(read_error_codes(fewer)), list_open(fewer)) == ({"max_entries"}, ["posti"])
    assert read_form(fewer)["min_entries"] == "9", "what was typed stays"
    late = press(organisers, fewer, PUBLISH, min_entries="2", start="at", starts_at="2020-01-01T21:00")
    assert (read_error_codes(late), list_open(late)) == ({"starts_at": ["start_in_the_past"]}, [])
    assert {"#id_starts_at", "#id_length_value"} & read_ways(late) == {"#id_starts_at"}
    clockless = press(organisers, late, PUBLISH, start="full", starts_at="", turn_timeout="", match_clock="")
    assert list_open(clockless) == ["tempo"]
    assert press(organisers, clockless, PUBLISH, turn_timeout="60").status_code == 302


def test_errors_of_several_folds_open_all_of_them(organisers: Client) -> None:
    page = press(organisers, organisers.get(NEW), PUBLISH, length_value="0", min_entries="1", join_code="x" * 41)
    assert list_open(page) == ["partita", "chi", "posti"]
    assert {"#id_name", "#id_length_value", "#id_min_entries", "#id_join_code"} <= read_ways(page)


def test_nothing_is_lost_by_what_is_refused_or_asked_anew(organisers: Client) -> None:
    words = 'Premi:\r\n- "uno" <b>\r\n\r\n**due**'
    page = press(organisers, organisers.get(NEW), SHOW, ruleset="tresette")
    typed = {"name": "A", "description": words, "max_entries": "x", "registration": "code", "join_code": "CIRCOLO"}
    typed |= {"start": "at", "starts_at": "2020-01-01T21:00", "turn_timeout": "", "noshow_after": "60"}
    refused = press(organisers, page, PUBLISH, **typed, guests_allowed=None, house_allowed="on", option_accuso="on")
    for again in (refused, press(organisers, refused, SHOW, length_value="31")):
        kept = read_form(again)
        assert {name: kept[name].replace("\r\n", "\n") for name in typed} == {
            name: value.replace("\r\n", "\n") for name, value in typed.items()
        }
        assert ("guests_allowed" in kept, kept["house_allowed"], kept["option_accuso"]) == (False, "on", "on")
        assert kept["ruleset"] == "tresette"
    assert kept["length_value"] == "31"


def test_only_what_applies_is_asked(organisers: Client) -> None:
    ko = organisers.get(NEW)
    assert [shows(ko, name) for name in ("third_place", "tie_break", "rounds", "groups")] == [True, False, False, False]
    danese = press(organisers, ko, SHOW, format="danese", third_place="on")
    assert [shows(danese, name) for name in ("third_place", "tie_break", "rounds")] == [False, True, True]
    assert "third_place" not in read_form(danese), "an option of another formula isn't sent on"
    assert press(organisers, danese, PUBLISH, name="Danese").status_code == 302


def test_what_is_refused_at_last_is_said_at_the_top(organisers: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("players.caps.MAX_UNDRAWN_TOURNAMENTS", 0)
    refused = press(organisers, organisers.get(NEW), PUBLISH, name="Di troppo")
    assert read_error_codes(refused) == {"__all__": ["too_many_open"]}
    monkeypatch.setattr("players.caps.MAX_UNDRAWN_TOURNAMENTS", 60)
    assert press(organisers, refused, PUBLISH).status_code == 302, "everything is still there"


def test_another_game_shows_its_options_before_anything_is_stored(organisers: Client) -> None:
    typed = {"ruleset": "tresette", "length_value": "31", "name": "Coppa"}
    page = press(organisers, organisers.get(NEW), PUBLISH, **typed)
    assert (list_open(page), shows(page, "option_accuso"), read_form(page)["length_value"]) == (["partita"], True, "31")
    assert press(organisers, page, PUBLISH).status_code == 302


def test_enter_makes_it_and_never_takes_a_preset(organisers: Client, opened: Opened) -> None:
    assert read_buttons(organisers.get(NEW))[0] == PUBLISH
    edit = organisers.get(reverse("tournament-edit", args=[opened(GIRONE).public_id]))
    assert read_buttons(edit)[0] == DRAFT


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
        more: dict[str, Any] = {"guests_listed": "on"} if ticked else {}
        press(organisers, organisers.get(NEW), PUBLISH, name="Ospiti", registration=registration, **more)
        made = Tournament.objects.latest("pk")
        assert made.guests_allowed is (usual or ticked)
        edit = organisers.get(reverse("tournament-edit", args=[made.public_id]))
        press(organisers, edit, DRAFT)
        made.refresh_from_db()
        assert made.guests_allowed is (usual or ticked), "what was chosen stays"


def test_a_tournament_is_edited_on_the_same_page(organisers: Client, opened: Opened) -> None:
    tournament = opened(GIRONE, name="Prima", max_entries=6)
    edit = organisers.get(reverse("tournament-edit", args=[tournament.public_id]))
    assert (list_open(edit), read_words(edit, "posti")) == ([], "da 2 a 6 iscritti")
    assert all(name != "modello" for name, _value in read_buttons(edit)), "it has begun already"
    assert press(organisers, edit, DRAFT, length_value="3", name="Dopo").status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.length_value, tournament.max_entries) == ("Dopo", 3, 6)


def test_a_series_is_made_on_the_same_page(organisers: Client) -> None:
    page = organisers.get(reverse("series-new"))
    assert (shows(page, "weekday"), shows(page, "starts_at")) == (True, False)
    refused = press(organisers, page, DRAFT, weekday="1", hour="ieri")
    assert set(read_error_codes(refused)) == {"name", "hour"}
    assert press(organisers, refused, DRAFT, name="Ogni martedì", hour="21:00").status_code == 302
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
        assert (form.find_faults(timezone.now()), form.errors) == (False, {}), ruleset


@pytest.mark.parametrize(
    ("preset", "ruleset"), BEGUN, ids=lambda value: value if isinstance(value, str) else value.code
)
def test_a_preset_makes_a_tournament_without_another_word(organisers: Client, preset: Preset, ruleset: str) -> None:
    page = press(organisers, organisers.get(NEW), ("modello", preset.code), ruleset=ruleset)
    assert (read_form(page)["ruleset"], read_form(page)["name"]) == (ruleset, str(preset.name))
    assert "duration" in read_hooks(page, "note"), "its values are complete"
    made = press(organisers, page, PUBLISH)
    assert made.status_code == 302, made.context["form"].errors
    assert Tournament.objects.get().state == "open"


def test_a_preset_is_marked_until_another_is_taken(organisers: Client) -> None:
    assert read_attribute(organisers.get(NEW), "aria-pressed", "button") == ["false"] * len(PRESETS)
    pressed = press(organisers, organisers.get(NEW), ("modello", "bar"))
    for page in (
        pressed,
        press(organisers, pressed, SHOW, max_entries="8"),
        press(organisers, pressed, DRAFT, name=""),
    ):
        marks = read_attribute(page, "aria-pressed", "button")
        assert [preset.code for preset, mark in zip(PRESETS, marks, strict=True) if mark == "true"] == ["bar"]
    made = press(organisers, pressed, PUBLISH)
    tournament = Tournament.objects.get()
    assert made.headers["Location"] == reverse("tournament-entries", args=[tournament.public_id]), "the roll is called"
    assert (tournament.venue, tournament.format, tournament.max_entries) == (HALL, "ko", 16)
    assert tournament.registration == "list"


def test_another_preset_leaves_nothing_of_the_one_before_and_a_typed_name_stays(organisers: Client) -> None:
    first = press(organisers, organisers.get(NEW), ("modello", "mese"))
    assert read_form(first)["round_minutes"] == "10080"
    second = press(organisers, first, ("modello", "veloce"))
    form = read_form(second)
    assert (form["round_minutes"], form["name"], form["start"], form["starts_at"]) == ("", "KO veloce", "full", "")
    assert read_form(press(organisers, second, ("modello", "serata"), name="Coppa Anna"))["name"] == "Coppa Anna"


def test_a_knockout_of_64_from_an_empty_page_to_its_draw_takes_nine_acts(
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
    acts.append("type 64")
    press(organisers, page, PUBLISH, max_entries="64", club=club.public_id)
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
    assert len(acts) == 9, acts


@pytest.mark.rule("O1", "O3")
def test_where_it_is_played_is_asked(organisers: Client) -> None:
    page = press(organisers, organisers.get(NEW), ("modello", "piazza"))
    assert (shows(page, "venue"), shows(page, "hall_tables"), read_form(page)["venue"]) == (True, True, "real")
    assert press(organisers, page, PUBLISH, hall_tables="12", name="In piazza").status_code == 302
    made = Tournament.objects.get()
    assert (made.venue, made.hall_tables, made.match_clock, made.guests_allowed) == (HALL, 12, None, False)
    on_site = press(organisers, page, ("modello", "veloce"))
    assert read_form(on_site)["venue"] == "site", "another preset leaves nothing of it"
