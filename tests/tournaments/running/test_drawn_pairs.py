"""Pairs drawn of people who entered alone (EV2): from the secret of the draw, with what was noted of each."""

import json
import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine.shuffling import draw_people
from players.models import Player
from tests.support.entries import enter_all
from tests.support.html import read_hooks, read_text
from tests.support.naive_partners import find_odd_one, find_order, find_pairs
from tests.support.pages import tournament_url
from tests.support.people import create_person, sign_in
from tests.support.play import stored_equals_recomputed
from tests.support.real_tables import draw_present, list_round, open_real, publish_next, type_names
from tests.support.tournaments import PAIRS, Opened, catch_code
from tournaments.core.draw_secret import find_reserve, read_drawn
from tournaments.core.log_details import DrawnPartners
from tournaments.desk.act import Act
from tournaments.desk.substitution import replace_typed_person
from tournaments.entries import checkin, partners, seeding
from tournaments.entries.fixed_tables import fix_table
from tournaments.entries.typed_names import type_entries
from tournaments.fees import actions as fees
from tournaments.formats.common.partners import Crowd, pair_people
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Entry, Payment, Tournament
from tournaments.own_names import self_entry
from tournaments.rounds import drafts, late_entries, late_requests
from tournaments.rounds import wishes as round_wishes
from tournaments.running.start import start_due

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV2")]

CHECK = Path(__file__).resolve().parents[3] / "docs" / "examples" / "check_draw.mjs"
NAMES = ("Ada", "Bice", "Ciro", "Dora", "Elio", "Fede", "Gino", "Ines", "Lino")
DRAWN: dict[str, Any] = {"partners": "lot", "min_entries": 4}
DANESE: dict[str, Any] = {**DRAWN, "format": "danese", "format_options": {"rounds": 3, "late": 2}}


def open_evening(opened: Opened, now: datetime, size: int = 8, **changed: Any) -> Tournament:
    """An evening of drawn pairs at real tables with so many people, entered in the order of ``NAMES``."""
    tournament = open_real(opened, PAIRS, **{**DRAWN, **changed})
    type_names(tournament, NAMES[:size], now)
    return tournament


def find_entry(tournament: Tournament, name: str) -> Entry:
    return tournament.entries.get(members__person__typed_name=name)


def list_pairs(tournament: Tournament) -> list[tuple[str, ...]]:
    """The pairs by seed, each with its people in their order."""
    members = tournament.members.with_people().order_by("entry__seed", "position")
    pairs: dict[int, list[str]] = {}
    for member in members:
        pairs.setdefault(member.entry_id, []).append(member.person.name)
    return [tuple(names) for names in pairs.values()]


def read_made(tournament: Tournament) -> DrawnPartners:
    tournament.refresh_from_db()
    drawn = read_drawn(tournament)
    assert drawn is not None
    assert drawn.partners is not None
    return drawn.partners


def check_by_twins(tournament: Tournament) -> None:
    """Check what the draw's page publishes by a script of its own, and by the one in the docs."""
    answer = Client().get(tournament_url("draw-json", tournament))
    said = answer.json()
    made = said["partners"]
    assert {frozenset(pair) for pair in made["pairs"]} == find_pairs(said)
    assert made["out"] == find_odd_one(said)
    if said["seeding"] == "lot":
        assert said["numbers"] == find_order(said, "seeds", len(made["pairs"]))
    seated = [" – ".join(made["people"][number - 1] for number in pair) for pair in made["pairs"]]
    assert said["names"] == seated
    if shutil.which("node"):
        for spoiled in (False, True):
            if spoiled:
                (one, other), (third, fourth), *_rest = made["pairs"]
                made["pairs"][:2] = [[one, third], [other, fourth]]
            run = subprocess.run(
                ["node", CHECK, "/dev/stdin"], input=json.dumps(said).encode(), check=False, timeout=60
            )
            assert run.returncode == spoiled


@pytest.mark.rule("J3a")
@pytest.mark.parametrize("size", [4, 8, 9])
def test_pairs_come_from_the_published_secret_and_two_scripts_draw_them_again(
    opened: Opened, now: datetime, size: int
) -> None:
    tournament = open_evening(opened, now, size)
    draw_present(tournament, now)
    assert sorted(name for pair in list_pairs(tournament) for name in pair) == sorted(NAMES[: size - size % 2])
    assert len(list_pairs(tournament)) == size // 2
    check_by_twins(tournament)
    assert stored_equals_recomputed(tournament)
    draw = Client().get(tournament_url("draw", tournament))
    assert "Le coppie sorteggiate" in read_text(draw)


def test_the_strong_play_with_the_less_strong_by_the_organisers_order(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now, partners="strength")
    places = {find_entry(tournament, name).pk: place for place, name in enumerate(NAMES[:4], start=1)}
    places |= {find_entry(tournament, name).pk: None for name in NAMES[4:6]}
    places |= {find_entry(tournament, name).pk: place for place, name in enumerate(NAMES[6:8], start=5)}
    seeding.place_entries(tournament_id=tournament.pk, by=tournament.organiser, places=places, now=now)
    draw_present(tournament, now)
    partner = dict(list_pairs(tournament)) | {other: one for one, other in list_pairs(tournament)}
    upper = {"Ada", "Bice", "Ciro"}
    assert not upper & {partner[name] for name in upper}
    assert not {"Dora", "Gino", "Ines"} & {partner[name] for name in ("Dora", "Gino", "Ines")}
    check_by_twins(tournament)


def test_a_pair_has_one_of_each_list(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now, partners="lists")
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    for number, name in enumerate(NAMES[:8]):
        partners.put_on_list(entry_id=find_entry(tournament, name).pk, side="A" if number < 5 else "B", **about)
    assert partners.count_lists(tournament) == partners.Lists(5, 3, 0, 1)
    draw_present(tournament, now)
    ladies = set(NAMES[:5])
    assert sorted(len(ladies & set(pair)) for pair in list_pairs(tournament)) == [1, 1, 1, 2]
    check_by_twins(tournament)


def test_who_came_as_a_pair_stays_one_where_the_organiser_allows_it(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now, 7, pairs_stay=True)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    ids = [find_entry(tournament, name).pk for name in ("Bice", "Gino")]
    partners.tie_people(entry_ids=ids, **about)
    assert catch_code(partners.tie_people, entry_ids=ids, **about) == "tied_already"
    assert partners.find_odd_entry(tournament) == find_entry(tournament, "Fede").pk, "Gino came later, in a pair"
    draw_present(tournament, now)
    assert ("Bice", "Gino") in list_pairs(tournament)
    check_by_twins(tournament)
    assert not tournament.entries.filter(tie__isnull=False).exists()


def test_nobody_stays_with_whoever_they_came_with_where_that_isnt_allowed(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    ids = [find_entry(tournament, name).pk for name in ("Ada", "Bice")]
    assert catch_code(partners.tie_people, entry_ids=ids, **about) == "pairs_dont_stay"
    assert catch_code(partners.put_on_list, entry_id=ids[0], side="A", **about) == "no_lists"
    row = TypedEntry(1, (TypedPerson("Mara"), TypedPerson("Nora")))
    assert catch_code(type_entries, rows=[row], **about) == "list_refused"


def test_two_typed_together_are_two_entries_that_stay_a_pair(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now, 2, pairs_stay=True, max_entries=5)
    row = TypedEntry(1, (TypedPerson("Mara"), TypedPerson("Nora")))
    type_entries(tournament_id=tournament.pk, by=tournament.organiser, rows=[row], now=now)
    assert tournament.entries.count() == 4, "limits count persons"
    more = TypedEntry(1, (TypedPerson("Otto"), TypedPerson("Pia")))
    refused: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "rows": [more], "now": now}
    assert catch_code(type_entries, **refused) == "list_refused", "there is one place"
    draw_present(tournament, now)
    assert ("Mara", "Nora") in list_pairs(tournament)


def test_the_odd_one_is_the_last_to_enter_and_knows_it_beforehand(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now, 6)
    own_key = "N" * 22
    self_entry.enter_by_name(
        tournament_id=tournament.pk, player=None, people=(TypedPerson("Nora"),), own_key=own_key, address="192.0.2.7",
        now=now,
    )  # fmt: skip
    own = Client().get(tournament_url("own-entry", tournament, own_key))
    desk = sign_in(tournament.organiser)
    assert "odd_one" in read_hooks(own, "note")
    pages = ("tournament-entries", "tournament-rounds", "tournament-evening")
    for page in pages:
        assert "odd_one" in read_hooks(desk.get(tournament_url(page, tournament)), "note"), page
    type_names(tournament, ["Otto"], now)
    assert "odd_one" not in read_hooks(Client().get(tournament_url("own-entry", tournament, own_key)), "note")
    for page in pages:
        assert "odd_one" not in read_hooks(desk.get(tournament_url(page, tournament)), "note"), page


def test_who_is_missing_at_the_roll_call_lets_the_odd_one_in(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now, 7)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    checkin.check_in_everybody(**about)
    assert partners.find_odd_entry(tournament) == find_entry(tournament, "Gino").pk
    checkin.check_in_at_desk(entry_id=find_entry(tournament, "Ciro").pk, present=False, **about)
    assert partners.find_odd_entry(tournament) is None
    publish_next(tournament, now)
    assert "Gino" in {name for pair in list_pairs(tournament) for name in pair}


def test_the_odd_one_comes_first_if_somebody_is_missing(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now, 7)
    draw_present(tournament, now)
    reserve = find_reserve(tournament)
    assert reserve is not None
    assert reserve.name == "Gino"
    desk = sign_in(tournament.organiser)
    assert 'value="Gino"' in desk.get(tournament_url("tournament-desk", tournament)).content.decode()
    member = tournament.members.order_by("pk")[0]
    act = Act(tournament.organiser, "è andato a casa", now)
    replace_typed_person(
        tournament_id=tournament.pk, entry_id=member.entry_id, person_id=member.person_id, name="gino", act=act
    )
    assert tournament.members.filter(person=reserve).exists(), "the same person, not another of that name"
    assert find_reserve(tournament) is None


def test_late_entries_come_two_by_two_and_with_whoever_stayed_out(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now, 9, **DANESE)
    draw_present(tournament, now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    entry = late_entries.enter_late_names(names=["Mara"], **about)
    assert [member.person.name for member in entry.members.all()] == ["Lino", "Mara"]
    assert find_reserve(tournament) is None
    assert catch_code(late_entries.enter_late_names, names=["Nora"], **about) == "late_people"
    ask: dict[str, Any] = {"tournament_id": tournament.pk, "player": None, "address": "192.0.2.7", "now": now}
    first = late_requests.ask_to_enter_late(people=(TypedPerson("Nora"),), own_key="N" * 22, **ask)
    answer: dict[str, Any] = {**about, "request_id": first.pk, "yes": True}
    assert catch_code(late_requests.answer_late_request, **answer) == "late_alone"
    late_requests.ask_to_enter_late(people=(TypedPerson("Otto"),), own_key="O" * 22, **ask)
    late_requests.answer_late_request(**answer)
    assert not tournament.late_requests.exists()
    entries = {self_entry.find_entry(tournament, key * 22) for key in "NO"}
    assert len(entries) == 1, "each key opens the pair"
    assert stored_equals_recomputed(tournament)


def test_each_draw_before_the_first_round_is_another_and_the_number_is_shown(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    checkin.check_in_everybody(**about)
    made = [drafts.draw_round(**about) for _ in range(4)]
    assert len({draft.partners.pairs for draft in made}) > 1
    assert len({draft.key for draft in made}) == 4
    page = sign_in(tournament.organiser).get(tournament_url("tournament-rounds", tournament))
    assert "Coppie sorteggiate 4 volte" in read_text(page)
    for one, other in made[-1].partners.couples:
        names = [entry.members.get().person.name for entry in Entry.objects.filter(pk__in=(one, other)).order_by("pk")]
        assert " – ".join(names) in read_text(page)
    assert tournament.entries.count() == 8, "nobody is joined before it is published"
    assert Client().get(tournament_url("tournament", tournament)).content.decode().count(" – ") == 0
    drafts.publish_round(number=1, seen=made[-1].key, **about)
    assert read_made(tournament).pairs == made[-1].partners.pairs
    assert "4" in read_hooks(Client().get(tournament_url("draw", tournament)), "number")
    check_by_twins(tournament)


def test_a_draft_is_stale_once_lists_or_pairs_that_stay_have_changed(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now, partners="lists", pairs_stay=True)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    checkin.check_in_everybody(**about)
    for change in (
        lambda: partners.put_on_list(entry_id=find_entry(tournament, "Ada").pk, side="B", **about),
        lambda: partners.tie_people(entry_ids=[find_entry(tournament, name).pk for name in ("Bice", "Ciro")], **about),
        lambda: partners.untie_people(entry_id=find_entry(tournament, "Ciro").pk, **about),
    ):
        drafts.draw_round(**about)
        change()
        assert catch_code(drafts.publish_round, number=1, **about) == "draft_stale"
    drafts.draw_round(**about)
    drafts.publish_round(number=1, **about)


@pytest.mark.rule("O10")
def test_fees_are_of_persons_before_the_draw_and_after(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    fees.set_fees(fee_cents=500, prizes=[], prizes_each=True, **about)
    tournament.refresh_from_db()
    assert tournament.prizes_each
    for name in ("Ada", "Bice", "Ciro"):
        fees.mark_paid(entry_id=find_entry(tournament, name).pk, **about)
    draw_present(tournament, now)
    paid = {name: find_entry(tournament, name).payments.count() for name in ("Ada", "Bice", "Ciro", "Dora")}
    pairs = {frozenset(pair) for pair in list_pairs(tournament)}
    payers = {"Ada", "Bice", "Ciro"}
    assert all(paid[name] == len(payers & next(pair for pair in pairs if name in pair)) for name in payers)
    everybody = list(tournament.entries.values_list("pk", flat=True))
    whole = sum(len(payers & pair) == 2 for pair in pairs)
    assert fees.mark_all_paid(entry_ids=everybody, **about) == 4 - whole
    assert Payment.objects.filter(tournament=tournament).count() == 8
    pk = find_entry(tournament, "Fede").pk
    before = list(Payment.objects.filter(entry=pk).values_list("at", flat=True))
    fees.unmark_paid(tournament_id=tournament.pk, by=tournament.organiser, entry_id=pk)
    assert Payment.objects.filter(entry=pk).count() == len(before) - before.count(max(before))
    fees.mark_paid(entry_id=pk, **about)
    assert Payment.objects.filter(entry=pk).count() == 2


@pytest.mark.rule("D3", "D4", "O3")
def test_what_was_noted_of_each_is_of_the_pair(opened: Opened, now: datetime) -> None:
    tournament = open_evening(opened, now, **DANESE)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    ids = {name: find_entry(tournament, name).pk for name in NAMES[:8]}
    for name, other in (("Fede", "Gino"), ("Gino", "Ines")):
        round_wishes.forbid_pairings(entry_ids=[ids[name], ids[other]], **about)
    for name in ("Ines", "Dora"):
        fix_table(entry_id=ids[name], table=2, **about)
        break
    draw_present(tournament, now)
    lines = {name: find_entry(tournament, name).pk for name in NAMES[:8]}
    bans = {frozenset((ban.first_id, ban.second_id)) for ban in tournament.forbidden_pairings.all()}
    wanted = {frozenset((lines[one], lines[other])) for one, other in (("Fede", "Gino"), ("Gino", "Ines"))}
    assert bans == {pair for pair in wanted if len(pair) == 2}
    met = {frozenset((fixture.first_id, fixture.second_id)) for fixture in list_round(tournament, 1)}
    assert not bans & met
    assert Entry.objects.get(pk=lines["Ines"]).fixed_table == 2


@pytest.mark.rule("EV9")
def test_a_pair_that_was_drawn_is_of_the_clubs_of_both(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, PAIRS, **DRAWN, format="ko", format_options={"apart": True})
    clubs = ("Arci", "Arci", "", "", "Bar", "", "", "")
    rows = [
        TypedEntry(number, (TypedPerson(name, club=club),))
        for number, (name, club) in enumerate(zip(NAMES[:8], clubs, strict=True), start=1)
    ]
    type_entries(tournament_id=tournament.pk, by=tournament.organiser, rows=rows, now=now)
    draw_present(tournament, now)
    drawn = read_drawn(tournament)
    assert drawn is not None
    of = {"Ada": "Arci", "Bice": "Arci", "Elio": "Bar"}
    shown = [len({of[name] for name in pair if name in of}) for pair in list_pairs(tournament)]
    by_number = dict(zip(drawn.numbers, shown, strict=True))
    assert [len(one) for one in drawn.clubs] == [by_number[number] for number in range(1, 5)]
    for fixture in list_round(tournament, 1):
        names = [{m.person.name for m in side.members.all()} for side in (fixture.first, fixture.second) if side]
        together = any({"Ada", "Bice"} <= pair for pair in names)
        assert together or not all({"Ada", "Bice"} & pair for pair in names)


@pytest.mark.rule("K1", "L7")
def test_on_the_site_it_is_drawn_at_its_hour_and_the_odd_one_is_told(
    opened: Opened, now: datetime, four: list[Player]
) -> None:
    tournament = opened(PAIRS, **DRAWN, starts_at=now + timedelta(hours=1), max_entries=12, format="ko")
    last = create_person("Ugo", now)
    enter_all(tournament, [*four, last], now)
    page = sign_in(last).get(tournament_url("tournament", tournament))
    assert "odd_one" in read_hooks(page, "note")
    assert "odd_one" not in read_hooks(sign_in(four[0]).get(tournament_url("tournament", tournament)), "note")
    start_due(tournament_id=tournament.pk, now=now + timedelta(hours=1))
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    assert tournament.entries.count() == 2
    assert not tournament.members.of_player(last).exists()
    reserve = find_reserve(tournament)
    assert reserve is not None
    assert reserve.player == last
    check_by_twins(tournament)
    assert stored_equals_recomputed(tournament)


def test_with_too_few_people_it_is_called_off(opened: Opened, now: datetime, four: list[Player]) -> None:
    tournament = opened(PAIRS, **DRAWN, starts_at=now + timedelta(hours=1), max_entries=12)
    enter_all(tournament, four[:3], now)
    start_due(tournament_id=tournament.pk, now=now + timedelta(hours=1))
    tournament.refresh_from_db()
    assert (tournament.state, tournament.cancelled_because) == (Tournament.State.CANCELLED, "too_few_entries")


@pytest.mark.rule("E5")
def test_a_sit_and_go_is_drawn_when_so_many_people_are_in(opened: Opened, now: datetime, four: list[Player]) -> None:
    tournament = opened(PAIRS, **DRAWN, max_entries=4, format="ko")
    enter_all(tournament, four, now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    assert [entry.members.count() for entry in tournament.entries.all()] == [2, 2]


@pytest.mark.rule("J3a", "J4")
def test_the_example_of_the_rules_comes_out() -> None:
    order = [place + 1 for place in draw_people(bytes(range(32)), "abc123/draw", 1, 9)]
    assert order == [9, 4, 8, 2, 6, 3, 1, 5, 7]
    assert pair_people(Crowd(9, "lot", range(1, 10)), order) == ((1, 3), (2, 6), (4, 8), (5, 7))
    said = {"secret": bytes(range(32)).hex(), "scope": "abc123/draw", "number": 1}
    assert find_order(said, "pairs", 9) == order


def test_a_draw_takes_as_many_queries_for_any_number_of_people(opened: Opened, now: datetime) -> None:
    taken = []
    for size in (8, 64):
        tournament = open_real(opened, PAIRS, **DRAWN, format="ko")
        type_names(tournament, [f"Ada {number}" for number in range(size)], now)
        about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
        checkin.check_in_everybody(**about)
        drafts.draw_round(**about)
        with CaptureQueriesContext(connection) as queries:
            drafts.publish_round(number=1, **about)
        taken.append(len(queries))
    assert taken[1] <= taken[0] + 12, "a few for the rounds that more people play"
