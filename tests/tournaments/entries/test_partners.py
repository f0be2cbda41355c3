"""People who enter alone and get a partner at the draw (EV2): pages, lists, the door, limits, what they are told."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tests.support.desk import send_act
from tests.support.entries import enter_all
from tests.support.html import read_element, read_hooks, read_text
from tests.support.keys import address_of, code, key_for, send
from tests.support.pages import post_tournament, tournament_url
from tests.support.people import create_person, sign_in
from tests.support.play import rounds_played, stored_equals_recomputed
from tests.support.real_tables import draw_present, list_round, open_real, type_names
from tests.support.tournaments import PAIRS, Opened, catch_code
from tests.support.transfer import finish
from tournaments.core.circuit_marks import find_misfit
from tournaments.core.reads import read_entries
from tournaments.entries.house import enter_house_players
from tournaments.entries.join import enter_player
from tournaments.entries.take_over import list_sources, take_over_entries
from tournaments.entries.typed_names import type_entries
from tournaments.lists.people_list import read_file
from tournaments.lists.people_list import read_text as read_list
from tournaments.models import Circuit, Entry, Tournament, TournamentPoints
from tournaments.organise.lifecycle import create_tournament, edit_tournament
from tournaments.organise.presets import find_preset
from tournaments.organise.settings import Settings, read_settings
from tournaments.sharing.exports import export_sheet
from tournaments.sharing.file_formats import write_csv

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV2")]

DRAWN: dict[str, Any] = {"partners": "lot", "min_entries": 4}
NAMES = ("Ada Bo", "Bice Co", "Ciro Di", "Dora Fo", "Elio Gi", "Fede Hu")


def list_singles(tournament: Tournament) -> list[tuple[str, str, int | None]]:
    """Return who is in, each with their list and whom they are tied to."""
    return [(row.name, row.side, row.tie) for row in read_entries(tournament).values()]


def list_people(entry: Entry) -> list[str]:
    return [member.person.name for member in entry.members.with_people()]


# --- Made ---------------------------------------------------------------------------------------------------------


def test_the_preset_is_an_evening_of_drawn_pairs_that_can_be_made_as_it_is(organisers: Client) -> None:
    preset = find_preset("sorteggiate")
    assert preset is not None
    page = organisers.post("/tornei/nuovo/", {"modello": "sorteggiate", "name": ""})
    assert str(preset.name) in read_text(page)
    assert read_element(page, "id_partners") is not None, "the one select is in sight"
    sent = {"venue": "real", "format": "danese", "seats_an_entry": "2", "partners": "strength", "length_value": "11"}
    post_tournament(organisers, **sent, max_entries="64", min_entries="8", registration="list", rounds="5")
    tournament = Tournament.objects.get()
    assert (tournament.partners, tournament.pairs_stay, tournament.seats_an_entry) == ("strength", False, 2)
    assert tournament.entry_kind.enters_alone
    assert tournament.playing_kind.is_drawn_pair
    post_tournament(organisers, name="In due", seats_an_entry="1", partners="lot")
    assert Tournament.objects.get(name="In due").partners == "entered", "where nobody has a partner it isn't asked"


@pytest.mark.rule("D5")
def test_limits_count_persons_and_formats_entries(organiser: Player, now: datetime) -> None:
    base = {name: getattr(PAIRS, name) for name in Settings.__slots__} | DRAWN

    def create(**changed: Any) -> Tournament:
        return create_tournament(organiser=organiser, settings=Settings(**{**base, **changed}), now=now)

    assert create(max_entries=128).max_entries == 128, "64 pairs of a girone"
    for changed, refusal in (
        ({"max_entries": 129}, "entries_range"),
        ({"min_entries": 3, "format": "ko"}, "entries_range"),
        ({"seats_an_entry": 1}, "partners_of_pairs"),
        ({"partners": "who knows"}, "unknown_partners"),
    ):
        assert catch_code(create, **changed) == refusal


def test_the_way_may_change_until_the_draw_but_not_to_pairs_that_enter_as_such(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, PAIRS, **DRAWN)
    type_names(tournament, NAMES, now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    settings = read_settings(tournament)
    changed = {name: getattr(settings, name) for name in Settings.__slots__}
    edit_tournament(settings=Settings(**{**changed, "partners": "lists", "pairs_stay": True}), **about)
    tournament.refresh_from_db()
    assert (tournament.partners, tournament.pairs_stay) == ("lists", True)
    other = Settings(**{**changed, "partners": "entered"})
    assert catch_code(edit_tournament, settings=other, **about) == "entered_already"


# --- Entered ------------------------------------------------------------------------------------------------------


def test_on_the_site_one_button_enters_alone_and_the_page_says_how_pairs_are_made(
    opened: Opened, anna: Player, now: datetime
) -> None:
    tournament = opened(PAIRS, **DRAWN)
    page = sign_in(anna).get(tournament_url("tournament", tournament))
    assert "enter" in read_hooks(page, "action")
    assert "drawn_pairs" in read_hooks(page, "note")
    assert "a coppie sorteggiate" in read_text(page)
    sign_in(anna).post(tournament_url("tournament-join", tournament))
    assert tournament.entries.get().members.get().person.player == anna


@pytest.mark.rule("E3")
def test_the_waiting_list_moves_up_person_by_person(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = opened(PAIRS, **DRAWN, max_entries=4, starts_at=now + timedelta(hours=1))
    enter_all(tournament, four, now)
    fifth = create_person("Ugo", now)
    entry = enter_player(tournament_id=tournament.pk, player=fifth, now=now, wait=True)
    assert entry.waiting_since is not None
    sign_in(four[0]).post(tournament_url("tournament-leave", tournament))
    entry.refresh_from_db()
    assert entry.waiting_since is None


def test_a_list_has_people_alone_their_lists_and_those_who_stay_a_pair(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, PAIRS, **{**DRAWN, "partners": "lists"}, pairs_stay=True)
    text = "Nome;Nome 2;Lista;Lista 2\nAda Bo;;uomini;\nBice Co;Ciro Di;B;A\nDora Fo;;f;\nElio e Fede;;;"
    listed = read_list(text, kind=tournament.entry_kind, by_lot=True)
    assert not listed.problems
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    type_entries(rows=listed.entries, **about)
    assert list_singles(tournament) == [
        ("Ada Bo", "A", None), ("Bice Co", "B", 1), ("Ciro Di", "A", 1), ("Dora Fo", "B", None),
        ("Elio", "", 2), ("Fede", "", 2),
    ]  # fmt: skip
    by_number = "Nome;Coppia\nGino Hu;1\nIvo Lo;\nLino Mi;1"
    listed = read_list(by_number, kind=tournament.entry_kind, by_lot=True)
    assert [[person.name for person in row.people] for row in listed.entries] == [["Gino Hu", "Lino Mi"], ["Ivo Lo"]]


@pytest.mark.rule("W2", "O2")
def test_what_is_exported_before_the_draw_can_be_imported(opened: Opened, now: datetime) -> None:
    one, other = (open_real(opened, PAIRS, **{**DRAWN, "partners": "lists"}, pairs_stay=True) for _ in range(2))
    text = "Nome;Nome 2;Lista;Circolo\nAda Bo;;A;Arci\nBice Co;Ciro Di;B;\nDora Fo;;;Bar"
    listed = read_list(text, kind=one.entry_kind, by_lot=True)
    type_entries(tournament_id=one.pk, by=one.organiser, rows=listed.entries, now=now)
    file = write_csv(export_sheet(one, "iscritti"))
    again = read_file(file, kind=other.entry_kind, by_lot=True)
    assert not again.problems
    type_entries(tournament_id=other.pk, by=other.organiser, rows=again.entries, now=now)
    assert sorted(list_singles(one), key=str) == sorted(list_singles(other), key=str)


def test_pairs_of_an_earlier_evening_come_as_people_alone(opened: Opened, now: datetime) -> None:
    earlier = open_real(opened, PAIRS)
    type_names(earlier, [("Ada Bo", "Bice Co"), ("Ciro Di", "Dora Fo")], now)
    draw_present(earlier, now)
    tournament = open_real(opened, PAIRS, **DRAWN)
    type_names(tournament, ["Ada Bo"], now)
    assert earlier in list_sources(tournament, tournament.organiser)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    assert take_over_entries(source_id=earlier.pk, **about) == 3
    assert {name for name, _side, _tie in list_singles(tournament)} == {"Ada Bo", "Bice Co", "Ciro Di", "Dora Fo"}


# --- At the desk --------------------------------------------------------------------------------------------------


def test_the_desk_and_the_door_tick_two_lists_and_tie_pairs(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, PAIRS, **{**DRAWN, "partners": "lists"}, pairs_stay=True)
    first, second, *_others = type_names(tournament, NAMES, now)
    desk = sign_in(tournament.organiser)
    door = tournament_url("tournament-evening", tournament)
    for wanted in ("A", "B", ""):
        page = desk.get(door)
        assert f'id="lista-{first.pk}"' in page.content.decode()
        desk.post(door, {"atto": "lista", "entry": first.pk, "side": wanted})
        first.refresh_from_db()
        assert first.side == wanted
    desk.post(tournament_url("tournament-side", tournament), {"entry": first.pk, "lista": "B"}, follow=True)
    first.refresh_from_db()
    assert first.side == "B"
    tied = desk.post(tournament_url("tournament-tie", tournament), {"entry": [first.pk, second.pk]}, follow=True)
    assert read_hooks(tied, "notice") == ["pair_tied"]
    assert {"tie", "untie", "choose_list"} <= set(read_hooks(tied, "action"))
    again = desk.post(tournament_url("tournament-tie", tournament), {"entry": [first.pk, first.pk]}, follow=True)
    assert read_hooks(again, "error") == ["tie_two"] or "tie_two" in read_text(again)
    desk.post(tournament_url("tournament-untie", tournament), {"entry": second.pk})
    first.refresh_from_db()
    assert first.tie is None
    strange = sign_in(create_person("Ugo", now))
    assert strange.post(tournament_url("tournament-tie", tournament), {"entry": [first.pk]}).status_code == 404


@pytest.mark.rule("O8", "O7")
def test_after_the_draw_pages_the_wall_and_paper_have_pairs_and_everybody_finds_themselves(
    opened: Opened, now: datetime
) -> None:
    tournament = open_real(opened, PAIRS, **DRAWN)
    type_names(tournament, NAMES, now)
    before = Client().get(tournament_url("tournament-wall", tournament))
    assert all(name in read_text(before) for name in NAMES)
    draw_present(tournament, now)
    wall = Client().get(tournament_url("tournament-wall", tournament)).content.decode()
    pairs = {row.name for row in read_entries(tournament).values()}
    for pair in pairs:
        one, other = pair.split(" – ")
        assert pair in wall, "at its table"
        assert f"con {one}" in wall, "who looks for the own name, finds the partner's"
        assert f"con {other}" in wall
    for print_ in ("turno", "posti", "iscritti", "classifica"):
        assert Client().get(tournament_url("tournament-print", tournament, print_)).status_code == 200, print_
    places = read_text(Client().get(tournament_url("tournament-print", tournament, "posti")))
    seated = {
        name for f in list_round(tournament, 1) for side in (f.first, f.second) if side for name in list_people(side)
    }
    assert len(seated) == 4
    assert all(name in places for name in seated)


# --- By programs --------------------------------------------------------------------------------------------------


def test_programs_enter_people_alone_tick_lists_tie_pairs_and_read_the_draw(
    opened: Opened, now: datetime, anna: Player
) -> None:
    tournament = open_real(opened, PAIRS, **{**DRAWN, "partners": "lists"}, pairs_stay=True)
    client, address = key_for(tournament), address_of(tournament)
    people = [{"player": name, "side": "A" if number % 2 else "B"} for number, name in enumerate(NAMES[:5])]
    assert send(client, f"{address}entries/", {"entries": people}).json()["entries"] == 5
    rows = client.get(f"{address}entries/").json()["results"]
    assert [row["side"] for row in rows] == ["B", "A", "B", "A", "B"]
    one, other = rows[0]["id"], rows[1]["id"]
    assert send(client, f"{address}entries/{one}/side/", {"side": ""}).json()["side"] == ""
    assert send(client, f"{address}entries/tie/", {"entries": [one, other]}).status_code == 204
    assert client.get(f"{address}entries/").json()["results"][0]["tie"] == 1
    assert send(client, f"{address}entries/{other}/untie/").json()["tie"] is None
    said = client.get(f"{address}entries/partners/").json()
    assert said == {"odd_one": rows[4]["id"], "list_a": 2, "list_b": 2, "same_list": 0, "reserve": None}
    assert Client().get(f"{address}entries/partners/").status_code in (401, 403, 404)
    for row in rows:
        send(client, f"{address}entries/{row['id']}/check-in/")
    assert send(client, f"{address}rounds/draw/").status_code in (200, 201)
    draft = client.get(f"{address}rounds/draft/").json()
    assert len(draft["couples"]) == 2
    assert (draft["odd_one"], draft["draws"]) == (rows[4]["id"], 1)
    assert send(client, f"{address}rounds/publish/", {"round": 1, "key": draft["key"]}).status_code == 200
    log = client.get(f"{address}log/").json()["results"]
    lots = next(row["lots"] for row in log if row["code"] == "drawn")
    assert lots["partners"]["out"] == 5
    assert len(lots["partners"]["pairs"]) == 2
    assert client.get(f"{address}entries/partners/").json()["reserve"] == NAMES[4]
    assert [len(row["people"]) for row in client.get(f"{address}entries/").json()["results"]] == [2, 2]
    settings = client.get(address).json()["tournament"]
    assert (settings["partners"], settings["pairs_stay"]) == ("lists", True)
    late = send(client, f"{address}entries/tie/", {"entries": [one, other]})
    assert code(late) == (409, "drawn")


def test_an_account_enters_alone_by_a_program(opened: Opened, now: datetime, anna: Player) -> None:
    tournament = opened(PAIRS, **DRAWN)
    client = key_for(tournament, anna)
    assert code(send(client, f"{address_of(tournament)}join/", {"partner": "Bruno"}))[1] == "not_pairs"
    assert send(client, f"{address_of(tournament)}join/").status_code == 200
    assert tournament.entries.get().members.get().person.player == anna


# --- Points ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("Y2", "Y3")
def test_points_go_to_persons_and_no_circuit_of_fixed_pairs_takes_it(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, PAIRS, **DRAWN)
    type_names(tournament, [f"Ada {letter}" for letter in "ABCDEFGH"], now)
    draw_present(tournament, now)
    finish(tournament, tournament.organiser, now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    points = TournamentPoints.objects.filter(tournament=tournament)
    assert points.count() == 8
    for entry in tournament.entries.all():
        assert len({row.points for row in points.filter(person__memberships__entry=entry)}) == 1, "each of the two"
    circuit = Circuit(by_pairs=True, table=Circuit.Table.POINTS)
    assert find_misfit(circuit, tournament) == "no_pairs"
    assert find_misfit(Circuit(by_pairs=False, table=circuit.table), tournament) is None


# --- Whole evenings ---------------------------------------------------------------------------------------------------


def test_a_whole_evening_at_real_tables_from_an_empty_page_to_the_prizes(organisers: Client, now: datetime) -> None:
    """Make it by the pages alone: the door, two draws, somebody replaced by who stayed out, fees, results."""
    sent = {"venue": "real", "format": "girone", "ruleset": "tresette", "seats_an_entry": "2", "partners": "lot"}
    clocks = {"turn_timeout": "", "match_clock": ""}
    post_tournament(
        organisers, **sent, **clocks, length_kind="deals", length_value="1", min_entries="4", max_entries="16"
    )
    tournament = Tournament.objects.get()
    door, rounds = (tournament_url(name, tournament) for name in ("tournament-evening", "tournament-rounds"))
    organisers.post(tournament_url("tournament-fees", tournament), {"fee": "5", "prizes": "20\n10"})
    for name in ("Ada", "Bice", "Ciro", "Dora", "Elio", "Fede", "Gino"):
        organisers.post(door, {"atto": "iscrivi", "riga": name})
    organisers.post(door, {"atto": "tutti"})
    organisers.post(door, {"atto": "tutti-pagano"})
    assert "odd_one" in read_hooks(organisers.get(door), "note")
    for _draw in range(2):
        organisers.post(rounds, {"act": "draw"})
    organisers.post(rounds, {"act": "publish", "number": "1"})
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    assert tournament.entries.count() == 3
    assert "reserve" in read_hooks(organisers.get(door), "note")
    member = tournament.members.with_people().order_by("pk")[0]
    out = f"{member.entry_id} {member.person_id}"
    desk = tournament_url("tournament-desk", tournament)
    sent = {"what": "sostituisci", "out": out, "name": "Gino", "reason": "non è venuto"}
    assert send_act(organisers, desk, sent).status_code == 302
    assert "reserve" not in read_hooks(organisers.get(door), "note"), "who stayed out plays now"
    finish(tournament, tournament.organiser, now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    assert stored_equals_recomputed(tournament)
    page = organisers.get(tournament_url("tournament-fees", tournament))
    assert read_text(page).count("10,00 €") >= 3, "each of the two has paid"
    assert "Le coppie sorteggiate" in read_text(Client().get(tournament_url("draw", tournament)))
    assert Client().get(tournament_url("standings", tournament)).status_code == 200


@pytest.mark.rule("E8")
def test_a_whole_tournament_on_the_site_with_the_house(opened: Opened, now: datetime, anna: Player) -> None:
    tournament = opened(PAIRS, **DRAWN, max_entries=6, house_allowed=True)
    enter_player(tournament_id=tournament.pk, player=anna, now=now)
    enter_house_players(tournament_id=tournament.pk, now=now, count=5, by=tournament.organiser)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    assert [entry.members.count() for entry in tournament.entries.all()] == [2, 2, 2]
    assert tournament.entries.of_people().count() == 1, "whoever plays with a person is in competition"
    rounds_played(tournament, now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    assert stored_equals_recomputed(tournament)
