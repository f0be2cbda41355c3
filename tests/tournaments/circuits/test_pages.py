"""Pages of circuits (Y3): every total explained, for everybody; the desk for whoever runs it; files, paper and a
frame."""

import csv
import io
import re
from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Person, Player
from tests.support.arrangements import arrange_once
from tests.support.circuits import find_person, link, make_circuit, play_evening, read_totals, sweep_circuits
from tests.support.html import read_attribute, read_hooks
from tests.support.people import sign_in
from tests.support.real_tables import open_real
from tests.support.tournaments import KO, Opened
from tournaments.clubs.actions import create_club
from tournaments.models import Circuit, ClubMember, Tournament

pytestmark = pytest.mark.django_db


@arrange_once
def evenings(opened: Opened, now: datetime) -> list[Tournament]:
    """Two knock-outs of two: Ada wins one, Bice the other."""
    return [play_evening(opened, names, now, base=KO) for names in (["Ada", "Bice"], ["Bice", "Ada"])]


@arrange_once
def circuit(evenings: list[Tournament], organiser: Player, now: datetime) -> Circuit:
    """The better of two evenings, ten points for whoever wins: both have ten, Ada sooner."""
    made = make_circuit(organiser, now, *evenings, table="places", places=(10, 4), best_of=1)
    for name in ("Ada", "Bice"):
        link(made, find_person(evenings[1], name), find_person(evenings[0], name), now)
    return made


def address(name: str, circuit: Circuit, *more: str) -> str:
    return reverse(name, args=[circuit.public_id, *more])


def act(client: Client, circuit: Circuit, what: str, **values: object):  # type: ignore[no-untyped-def]
    return client.post(address("circuit-act", circuit, what), values, follow=True)


@pytest.mark.rule("Y3")
def test_the_page_tells_of_each_total_what_counts_what_does_not_and_why_a_tie_is_broken(
    client: Client, circuit: Circuit, evenings: list[Tournament]
) -> None:
    assert read_totals(circuit) == [(1, "Ada", 10), (2, "Bice", 10)]
    page = client.get(address("circuit", circuit))
    assert read_attribute(page, "data-total") == ["10", "10"]
    assert read_attribute(page, "data-counts") == ["1", "0", "0", "1"]
    assert read_attribute(page, "data-why") == ["earlier"]
    assert read_attribute(page, "data-standing") == ["counts", "counts"]
    assert 'content="noindex"' in page.content.decode(), "people without an account stand on it (I1)"


@pytest.mark.rule("Y3")
def test_names_of_people_with_accounts_lead_to_their_pages_and_other_names_nowhere(
    client: Client, circuit: Circuit, anna: Player
) -> None:
    circuit.totals.filter(person__typed_name="Bice").update(person=anna.person)
    assert circuit.organiser is not None
    own, organisers = (reverse("person", args=[player.public_id]) for player in (anna, circuit.organiser))
    for name, links in (("circuit", [organisers, own]), ("circuit-embed", [own]), ("circuit-print", [])):
        page = client.get(address(name, circuit)).content.decode()
        assert [link for link in read_attribute(page, "href") if link in (own, organisers)] == links, name
        assert page.count('class="person"') == len(links), name
        assert "Ada" in page


@pytest.mark.rule("Y3")
@pytest.mark.parametrize("name", ["circuit", "circuit-print", "circuit-embed"])
def test_a_minor_stands_by_initials_and_a_search_does_not_find_the_name(
    client: Client, circuit: Circuit, name: str
) -> None:
    Person.objects.filter(typed_name="Ada").update(typed_name="Ada Neri", initials=True)
    page = client.get(address(name, circuit)).content.decode()
    assert "Ada Neri" not in page
    assert "A. N." in page or "A.N." in page or "A N" in page
    if name == "circuit":
        found = client.get(address(name, circuit), {"nome": "Ada Neri"})
        assert read_attribute(found, "data-total") == []


@pytest.mark.rule("Y3")
def test_files_carry_ranks_totals_results_and_codes_of_reasons(
    client: Client, circuit: Circuit, evenings: list[Tournament]
) -> None:
    body = client.get(address("circuit-json", circuit, "classifica")).json()
    assert body["circuit"]["best_of"] == 1
    assert [(row["rank"], row["name"], row["total"]) for row in body["totals"]] == [(1, "Ada", 10), (2, "Bice", 10)]
    first, second = (tournament.public_id for tournament in evenings)
    assert body["totals"][0]["why"] == {"code": "earlier", "nth": 0, "own": first, "next": second}
    assert body["totals"][1]["why"] is None
    results = client.get(address("circuit-json", circuit, "risultati")).json()["results"]
    assert [(row["name"], row["tournament"], row["points"], row["counts"]) for row in results] == [
        ("Ada", first, 10, True),
        ("Ada", second, 4, False),
        ("Bice", first, 4, False),
        ("Bice", second, 10, True),
    ]
    text = client.get(address("circuit-csv", circuit, "classifica")).content.decode("utf-8-sig")
    assert [row[1:3] for row in csv.reader(io.StringIO(text))][1:] == [["Ada", "10"], ["Bice", "10"]]
    assert client.get(address("circuit-xlsx", circuit, "risultati")).content.startswith(b"PK")
    assert client.get(address("circuit-csv", circuit, "altro")).status_code == 404


@pytest.mark.rule("Y3")
def test_a_frame_of_any_page_may_show_it_and_has_nothing_to_press(client: Client, circuit: Circuit) -> None:
    page = client.get(address("circuit-embed", circuit), {"lingua": "en", "tema": "scuro"})
    assert "frame-ancestors *" in page.headers["Content-Security-Policy"]
    assert "<button" not in page.content.decode()
    assert '<html lang="en" data-theme="dark"' in page.content.decode()


@pytest.mark.rule("Y3")
def test_only_who_runs_it_has_its_desk_and_a_club_s_organisers_run_that_of_the_club(
    client: Client, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    ClubMember.objects.create(club=club, player=anna, role="organiser", confirmed=True, since=now)
    ClubMember.objects.create(club=club, player=bruno, role="referee", confirmed=True, since=now)
    circuit = make_circuit(organiser, now, club=club.public_id)
    assert client.get(address("circuit-desk", circuit)).status_code == 302
    for player, status in ((organiser, 200), (anna, 200), (bruno, 404)):
        for name in ("circuit-desk", "circuit-names", "circuit-edit"):
            assert sign_in(player).get(address(name, circuit)).status_code == status
        assert sign_in(player).get(address("circuit", circuit)).status_code == 200
    assert act(sign_in(bruno), circuit, "elimina").status_code == 404
    assert Circuit.objects.exists()
    assert read_hooks(act(sign_in(anna), circuit, "elimina"), "notice") == ["circuit_deleted"]


@pytest.mark.rule("Y3")
def test_a_circuit_is_made_filled_and_ended_on_its_pages(
    organisers: Client, organiser: Player, opened: Opened, evenings: list[Tournament], now: datetime
) -> None:
    typed = {"name": "Circuito d'estate", "table": "places", "places": "10, 6 4", "taking_part": "1", "best_of": "2"}
    faulty = organisers.post(reverse("circuit-new"), {**typed, "places": "4 10"})
    assert faulty.context["form"].errors.as_data()["places"][0].code == "places_order"
    elsewhere = organisers.post(reverse("circuit-new"), {**typed, "places": "4 10", "table": "points", "best_of": "0"})
    assert set(elsewhere.context["form"].errors) == {"best_of"}, "what isn't shown isn't read"
    assert "4 10" in elsewhere.content.decode(), "nor lost"
    made = organisers.post(reverse("circuit-new"), typed, follow=True)
    assert read_hooks(made, "notice") == ["circuit_made"]
    circuit = Circuit.objects.get()
    assert (circuit.places, circuit.taking_part, circuit.best_of) == ([10, 6, 4], 1, 2)
    assert read_hooks(act(organisers, circuit, "concludi"), "notice") == ["empty"]
    chosen = [tournament.public_id for tournament in evenings]
    assert read_hooks(act(organisers, circuit, "aggiungi", torneo=chosen), "notice") == ["tournaments_added"]
    assert read_hooks(act(organisers, circuit, "aggiungi", torneo=chosen), "notice") == ["in_already"]
    sweep_circuits(timezone.now())
    names = organisers.get(address("circuit-names", circuit))
    assert read_hooks(names, "note").count("proposal") == 2
    options = re.findall(r"<option[^>]*>([^<]*)</option>", names.content.decode())
    assert (len(options), len(set(options))) == (8, 4), "of two lists; people of one name can be told apart"
    ada, bice = (find_person(evenings[0], name) for name in ("Ada", "Bice"))
    joined = act(organisers, circuit, "collega", chi=find_person(evenings[1], "Ada").pk, come=ada.pk)
    assert read_hooks(joined, "notice") == ["names_linked"]
    assert read_hooks(act(organisers, circuit, "collega", chi=bice.pk, come=ada.pk), "notice") == ["played_together"]
    sweep_circuits(timezone.now())
    assert read_totals(circuit)[0] == (1, "Ada", 16)
    assert "best_of" not in organisers.get(address("circuit-edit", circuit)).context["form"].fields
    assert read_hooks(act(organisers, circuit, "concludi"), "notice") == ["circuit_ended"]
    assert "ended" in read_hooks(Client().get(address("circuit", circuit)), "note")
    assert read_hooks(act(organisers, circuit, "riprendi"), "notice") == ["circuit_resumed"]
    assert read_hooks(act(organisers, circuit, "togli", torneo=chosen[0]), "notice") == ["tournament_removed"]


@pytest.mark.rule("Y3")
def test_a_draft_of_a_tournament_is_for_who_runs_the_circuit_alone(
    client: Client, organisers: Client, organiser: Player, opened: Opened, now: datetime
) -> None:
    draft = open_real(opened)
    Tournament.objects.filter(pk=draft.pk).update(state="draft")
    circuit = make_circuit(organiser, now, draft)
    assert read_attribute(client.get(address("circuit", circuit)), "data-standing") == []
    assert read_attribute(organisers.get(address("circuit", circuit)), "data-standing") == ["coming"]


def test_the_list_shows_circuits_with_a_result_and_one_s_own(
    client: Client, organisers: Client, organiser: Player, circuit: Circuit, now: datetime
) -> None:
    make_circuit(organiser, now, name="Ancora vuoto")
    assert "Ancora vuoto" not in client.get(reverse("circuits")).content.decode()
    assert circuit.name in client.get(reverse("circuits")).content.decode().replace("&#x27;", "'")
    assert "Ancora vuoto" in organisers.get(reverse("circuits")).content.decode()
