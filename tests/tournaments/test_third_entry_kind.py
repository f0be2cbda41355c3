"""A further kind of entry, which stands in the tests alone: one more function is all it takes.

A *terzetto* is three people of whom two play each fixture, side by side, while the third rests; it has no name of its
own. So it answers as a team does whose people are listed and named for a fixture, and as a pair does that is called by
its people: whoever asks which of them it is, errs.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.keys import address_of, key_for, send
from tests.support.pages import post_tournament, read_page
from tests.support.play import stored_equals_recomputed
from tests.support.real_tables import draw_present, list_round, open_real, publish_next
from tests.support.tournaments import GIRONE, Opened
from tournaments.core.reads import read_entries, read_fixture_row
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, set_result
from tournaments.entries.typed_names import type_entries
from tournaments.entry_kinds import MAKERS, EntryKind, Numbers, Words
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Entry, Tournament
from tournaments.rankings.points import compute_points

ROOT = Path(__file__).parents[2]
WORDS = Words("Terzetto", "Terzetti", "Primo terzetto", "Secondo terzetto", "%(n)s terzetti", "Iscrivi il tuo terzetto")
THREES = (("Ada", "Bice", "Ciro"), ("Dora", "Elio", "Fede"), ("Gino", "Ines", "Lino"), ("Mara", "Nora", "Otto"))
PAGES = (
    "tournament", "tournament-desk", "tournament-results", "tournament-slips", "tournament-result-list",
    "tournament-entries", "tournament-sample", "tournament-line-ups", "tournament-rounds", "tournament-wall",
)  # fmt: skip
PRINTS = ("turno", "posti", "iscritti", "classifica")
# Where the numbers that are stored stand by name: columns, the settings and their form, fields of files and the API,
# tournaments that are made by their numbers.
BY_NUMBER = {
    "tournaments/entry_kinds.py", "tournaments/models/tournament.py", "tournaments/organise/settings.py",
    "tournaments/organise/forms.py", "tournaments/organise/folds.py", "tournaments/organise/fold_words.py",
    "tournaments/organise/presets.py",
    "tournaments/transfer/field_lists.py", "tournaments/standing_offers.py", "api/settings_body.py",
}  # fmt: skip
IN_FORMS = {"templates/tournaments/organise/_in_sight.html"}


def make_three(numbers: Numbers) -> EntryKind | None:
    """A terzetto, in place of teams of three at most of whom two play at a table."""
    if numbers != Numbers(2, 3, 1):
        return None
    return EntryKind(seats=2, least=3, most=3, lists_people=True, has_line_ups=True, words=WORDS)


@pytest.fixture(autouse=True)
def threes() -> Iterator[None]:
    """Put the further kind before the others."""
    MAKERS.insert(0, make_three)
    yield
    MAKERS.remove(make_three)


@pytest.fixture
def evening(opened: Opened) -> Tournament:
    """A girone of terzetti whose entries are open."""
    return open_real(opened, GIRONE, seats_an_entry=2, team_size=3, seeding="organiser")


@pytest.fixture
def begun(evening: Tournament, now: datetime) -> Tournament:
    """The same with four of them, drawn."""
    rows = [TypedEntry(number, tuple(map(TypedPerson, names))) for number, names in enumerate(THREES, start=1)]
    type_entries(tournament_id=evening.pk, by=evening.organiser, rows=rows, now=now)
    draw_present(evening, now)
    return evening


def list_names(tournament: Tournament) -> list[str]:
    return sorted(row.full_name for row in read_entries(tournament).values())


def find_entry(tournament: Tournament, name: str) -> Entry:
    return tournament.entries.get(members__person__typed_name=name)


@pytest.mark.django_db
@pytest.mark.rule("E1", "O2")
def test_it_is_typed_pasted_and_entered_by_itself(evening: Tournament, organisers: Client) -> None:
    address = reverse("tournament-entries", args=[evening.public_id])
    page = organisers.post(address, {"people": "Ada, Bice"})
    assert page.context["form"].errors["people"]
    assert "team" not in page.context["form"].fields
    organisers.post(address, {"people": "Ada, Bice, Ciro"})
    page = organisers.post(reverse("tournament-import", args=[evening.public_id]), {"text": "Dora, Elio, Fede"})
    organisers.post(reverse("tournament-import", args=[evening.public_id]), {"rows": page.context["ready"]})
    visitor, form = Client(), reverse("self-entry", args=[evening.public_id])
    assert "Iscrivi il tuo terzetto" in visitor.get(form).content.decode()
    people = {f"person_{number}": name for number, name in enumerate(("Gino", "Ines", "Lino"), start=1)}
    assert visitor.post(form, {"key": "k" * 22, **people}).status_code == 302
    body = {"entries": [{"player": "Mara", "partner": "Nora", "others": ["Otto"]}]}
    assert send(key_for(evening), f"{address_of(evening)}entries/", body).status_code == 201
    assert list_names(evening) == [" – ".join(names) for names in THREES]
    assert not evening.entries.exclude(team_name="").exists()


@pytest.mark.django_db
@pytest.mark.rule("O12", "Y1")
def test_two_of_it_play_each_fixture_to_the_end(begun: Tournament, organisers: Client, now: datetime) -> None:
    ada = find_entry(begun, "Ada")
    people = dict(ada.members.values_list("person__typed_name", "person"))
    line_ups = reverse("tournament-line-ups", args=[begun.public_id])
    sent = {"card": f"t{ada.pk}", "people": [people["Ada"], people["Ciro"]]}
    assert organisers.post(line_ups, sent).status_code == 302
    sat: list[tuple[str, ...]] = []
    for number in (1, 2, 3):
        for fixture in list_round(begun, number):
            row = read_fixture_row(fixture, None)
            sat += [tuple(name for name, _page in side.linked) for side in (row.first, row.second) if side is not None]
            set_result(
                tournament_id=begun.pk,
                fixture_id=fixture.pk,
                decision=Decision(points=(7, 4), winner=0),
                act=Act(begun.organiser, "", now),
            )
        begun.refresh_from_db()
        if begun.state == Tournament.State.RUNNING:
            publish_next(begun, now)
    assert begun.state == Tournament.State.FINISHED
    assert stored_equals_recomputed(begun)
    assert set(sat) == {("Ada", "Bice"), ("Ada", "Ciro"), ("Dora", "Elio"), ("Gino", "Ines"), ("Mara", "Nora")}
    points = {person: worth.points for (_entry, person), worth in compute_points(begun).items()}
    assert points[people["Ada"]] == points[people["Ciro"]] == points[people["Bice"]], "each a third at least"


@pytest.mark.django_db
def test_every_page_shows_it_by_its_words(begun: Tournament, organisers: Client) -> None:
    answers = {name: organisers.get(reverse(name, args=[begun.public_id])) for name in PAGES}
    answers |= {what: organisers.get(reverse("tournament-print", args=[begun.public_id, what])) for what in PRINTS}
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys((*PAGES, *PRINTS), 200)
    assert "Primo terzetto" in read_page(answers["turno"])
    places = read_page(answers["posti"])
    assert "Gino" in places
    assert "Lino" not in places, "who rests has no place"
    listed = Client().get(reverse("tournaments")).content.decode()
    assert "4 terzetti" in listed


@pytest.mark.django_db
def test_form_and_services_make_it(organisers: Client) -> None:
    about: dict[str, Any] = {"venue": "real", "ruleset": "tresette", "seats_an_entry": "2", "team_size": "3"}
    post_tournament(organisers, **about, length_value="21", turn_timeout="", match_clock="")
    assert Tournament.objects.get().entry_kind.words == WORDS


def test_nobody_asks_which_kind_it_is_nor_for_its_numbers() -> None:
    stored = re.compile(r"\b(?:has_teams|seats_an_entry|team_size|team_tables)\b")
    files = [path for folder in ("tournaments", "api") for path in (ROOT / folder).rglob("*.py")]
    asking = {
        str(path.relative_to(ROOT))
        for path in files
        if "migrations" not in path.parts and stored.search(path.read_text().replace("running.team_tables", ""))
    }
    templates = {
        str(path.relative_to(ROOT)) for path in (ROOT / "templates").rglob("*.html") if stored.search(path.read_text())
    }
    assert (asking, templates) == (BY_NUMBER, IN_FORMS)


def test_no_kind_is_compared_with_another() -> None:
    compared = re.compile(r"entry_kind\.(?:seats|tables|most|least|players|line_up_size) (?:[!=<>]=?|in) \d")
    asking = [
        path
        for folder, ending in (("tournaments", "py"), ("api", "py"), ("templates", "html"))
        for path in (ROOT / folder).rglob(f"*.{ending}")
        if compared.search(path.read_text())
    ]
    assert asking == []
