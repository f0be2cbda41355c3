"""Played fixtures keep the names of whoever played them, after a player has been replaced by another (F2)."""

import csv
import io
import json
from dataclasses import dataclass
from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from games.models import Match
from games.selectors import Watching
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.desk import build_act, raises_refusal, read_fixture, replace_by, start_refereed
from tests.support.html import read_attribute
from tests.support.people import create_person, sign_in
from tests.support.play import OPENING, entry_of, open_ready, play
from tests.support.real_tables import list_round
from tests.support.tournaments import GIRONE, Opened, catch_code
from tournaments.core import permissions, visibility
from tournaments.desk import results
from tournaments.desk.results import Decision, set_result
from tournaments.desk.rulings import list_rulings
from tournaments.desk.substitution import replace_typed_person
from tournaments.models import Entry, Fixture, LineUp, LogEntry, Referee, Round, Tournament
from tournaments.pages import tournament_page
from tournaments.standings import explained

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Replaced:
    """Anna has played the first round of a girone; Nives plays from the second on."""

    tournament: Tournament
    entry: Entry
    anna: Player
    nives: Player
    referee: Player
    played: Match
    fixture: Fixture
    now: datetime

    def replace(self, out: Player, newcomer: Player, now: datetime) -> None:
        replace_by(self.tournament, self.entry.pk, out, newcomer, build_act(self.referee, now))

    def rows(self) -> list[tuple[int, str, str]]:
        """The entry's fixtures: the round, the state, and the name it has there."""
        page = tournament_page.read_page(self.tournament, None)
        return [
            (fixture.round, fixture.state, side.name)
            for round_ in page.schedule.rounds
            for fixture in round_.fixtures
            for side in (fixture.first, fixture.second)
            if side is not None and side.entry_id == self.entry.pk
        ]


@arrange_once
def replaced(opened: Opened, four: list[Player], referee: Player, now: datetime) -> Replaced:
    tournament = start_refereed(opened, four, referee, now, GIRONE)
    anna = four[0]
    entry = entry_of(tournament, anna)
    matches = open_ready(tournament, now + OPENING)
    end = max(play(match, now + OPENING) for match in matches)
    (played,) = (match for match in matches if match.seats.filter(player=anna).exists())
    nives = create_person("Nives", now)
    tournament.refresh_from_db()
    made = Replaced(tournament, entry, anna, nives, referee, played, read_fixture(played), end)
    made.replace(anna, nives, end)
    tournament.refresh_from_db()
    return made


@pytest.mark.rule("F2")
def test_rounds_exports_and_the_api_keep_the_name_of_who_played_f2(client: Client, replaced: Replaced) -> None:
    names = {round_: name for round_, _state, name in replaced.rows()}
    assert names == {1: replaced.anna.name, 2: "Nives", 3: "Nives"}
    public_id = replaced.tournament.public_id
    sheet = client.get(reverse("export-csv", args=[public_id, "incontri"])).content.decode("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(sheet)))
    first, second = list(lines[0])[4:6]
    in_rounds = [(next(iter(line.values())), {line[first], line[second]}) for line in lines]
    assert [number for number, names in in_rounds if replaced.anna.name in names] == ["1"]
    assert [number for number, names in in_rounds if "Nives" in names] == ["2", "3"]
    body = json.loads(client.get(reverse("export-json", args=[public_id, "incontri"])).content)
    assert {row["round"] for row in body["fixtures"] if replaced.anna.name in (row["first"], row["second"])} == {1}
    detail = client.get(f"/api/v1/tournaments/{public_id}/").json()
    by_round = [
        {side["name"] for fixture in round_["fixtures"] for side in (fixture["first"], fixture["second"])}
        for round_ in detail["rounds"]
    ]
    assert [replaced.anna.name in names for names in by_round] == [True, False, False]
    assert ["Nives" in names for names in by_round] == [False, True, True]


@pytest.mark.rule("F2")
def test_the_standings_explained_and_the_cross_table_name_who_played_f2(replaced: Replaced) -> None:
    page = tournament_page.read_page(replaced.tournament, None)
    (table,) = explained.read_standings_tables(page)
    rows = {each.row.entry.entry_id: each for each in explained.explain_standings(page, table)}
    own = rows.pop(replaced.entry.pk)
    assert own.row.entry.name == "Nives"
    assert [played.played_by for played in own.played] == [replaced.anna.name, "", ""]
    met = [(p.round.number, p.opponent.name) for each in rows.values() for p in each.played if p.opponent is not None]
    assert [number for number, name in met if name == replaced.anna.name] == [1]
    cells = [cell for row in page.standings.cross for group in row.cells for cell in group if cell.played_by]
    assert len(cells) == 2  # the same fixture from both sides
    assert all(replaced.anna.name in cell.played_by for cell in cells)


@pytest.mark.rule("F2")
def test_each_calendar_has_the_fixtures_its_player_plays_f2(replaced: Replaced) -> None:
    Round.objects.filter(tournament=replaced.tournament).update(opens_at=replaced.now)
    hours = {}
    for player in (replaced.anna, replaced.nives):
        player.calendar_token = f"{player.name}-token"
        player.save(update_fields=["calendar_token"])
        answer = Client().get(reverse("own-calendar", args=[player.calendar_token]))
        events = Calendar.from_ical(answer.content).walk("VEVENT")
        hours[player.name] = sorted(str(e["UID"]).split("-")[2] for e in events if str(e["UID"]).startswith("incontro"))
        assert any(str(event["UID"]).startswith("torneo") for event in events)
    assert hours == {replaced.anna.name: ["1"], "Nives": ["2", "3"]}


@pytest.mark.rule("F2")
def test_who_was_replaced_twice_keeps_what_they_played_each_time_f2(replaced: Replaced) -> None:
    matches = open_ready(replaced.tournament, replaced.now + OPENING)
    end = max(play(match, replaced.now + OPENING) for match in matches)
    replaced.replace(replaced.nives, replaced.anna, end)
    assert [name for _round, _state, name in replaced.rows()] == [replaced.anna.name, "Nives", replaced.anna.name]
    assert set(LineUp.objects.values_list("fixture__round__number", "person__player__name_key")) == {
        (1, replaced.anna.name_key),
        (2, replaced.nives.name_key),
    }


@pytest.mark.rule("F2")
def test_a_replay_is_played_by_the_members_of_that_time_and_the_log_keeps_both_f2_f3(replaced: Replaced) -> None:
    act = build_act(replaced.referee, replaced.now)
    results.annul_result(tournament_id=replaced.tournament.pk, fixture_id=replaced.fixture.pk, act=act)
    assert replaced.rows()[0][2] == replaced.anna.name
    results.order_replay(tournament_id=replaced.tournament.pk, fixture_id=replaced.fixture.pk, act=act)
    assert replaced.rows()[0][2] == "Nives"
    results.annul_result(tournament_id=replaced.tournament.pk, fixture_id=replaced.fixture.pk, act=act)
    rulings = list_rulings(replaced.tournament, ())
    entries = [ruling.first if replaced.fixture.first_id == replaced.entry.pk else ruling.second for ruling in rulings]
    assert [(ruling.code, None if row is None else row.name) for ruling, row in zip(rulings, entries, strict=True)] == [
        ("annulled", "Nives"),
        ("replay", replaced.anna.name),
        ("annulled", replaced.anna.name),
        ("replace", None),
    ]
    assert rulings[-1].people == (replaced.anna.name, "Nives")
    assert rulings[-1].entry is not None
    assert rulings[-1].entry.name == replaced.anna.name
    detail = LogEntry.objects.get(code="ruling_replace").detail
    assert detail["changed"] == [replaced.anna.person.pk, replaced.nives.person.pk]


@pytest.mark.rule("F1")
def test_nobody_judges_what_they_played_before_they_were_replaced_f1(replaced: Replaced) -> None:
    for player in (replaced.anna, replaced.nives):
        Referee.objects.create(tournament=replaced.tournament, player=player)
    Fixture.objects.filter(pk=replaced.fixture.pk).update(match=None)  # as a forfeit before the first card leaves it
    fixture = Fixture.objects.get(pk=replaced.fixture.pk)
    for player in (replaced.anna, replaced.nives):
        assert not permissions.may_judge(replaced.tournament, player, fixture)
        with raises_refusal("plays_there"):
            results.annul_result(
                tournament_id=replaced.tournament.pk, fixture_id=fixture.pk, act=build_act(player, replaced.now)
            )
    other = fixture.second if fixture.first_id == replaced.entry.pk else fixture.first
    assert other is not None
    assert not permissions.may_judge_entry(replaced.tournament, replaced.anna, other)
    assert permissions.may_judge(replaced.tournament, replaced.referee, fixture)


def test_who_has_played_and_was_replaced_watches_no_table_in_play_n4(replaced: Replaced, now: datetime) -> None:
    match = open_ready(replaced.tournament, replaced.now + OPENING)[0]
    assert visibility.find_watching(match, replaced.anna, now) is Watching.REFUSED
    assert visibility.find_watching(match, replaced.nives, now) is Watching.REFUSED
    assert visibility.find_watching(match, create_person("Zeno", now), now) is Watching.LATE


@pytest.mark.rule("F2", "O2")
def test_at_real_tables_a_name_takes_anothers_place_and_what_was_played_stays(hall: Tournament, now: datetime) -> None:
    fixture = list_round(hall, 1)[0]
    entry = fixture.first
    assert entry is not None
    out = entry.members.get().person
    url = reverse("tournament-desk", args=[hall.public_id])
    act = build_act(hall.organiser, now)
    decision = Decision(points=(7, 4), winner=0)
    set_result(tournament_id=hall.pk, fixture_id=fixture.pk, decision=decision, act=act)
    page = sign_in(hall.organiser).get(url)
    assert f"{entry.pk} {out.pk}" in read_attribute(page, "value")
    about = {"tournament_id": hall.pk, "entry_id": entry.pk, "person_id": out.pk}
    assert catch_code(replace_typed_person, name="Z", act=act, **about) == "bad_name"
    replace_typed_person(name="Zita Bo", act=build_act(hall.organiser, now), **about)
    assert entry.members.get().person.name == "Zita Bo"
    assert [row.person for row in fixture.line_ups.all()] == [out]


@pytest.mark.rule("F2", "O2")
def test_whoever_is_in_already_takes_nobodys_place_unless_it_is_another_of_the_same_name(
    hall: Tournament, now: datetime
) -> None:
    first, second = list_round(hall, 1)[:2]
    assert first.first is not None
    assert second.first is not None
    out, there = (entry.members.get().person for entry in (first.first, second.first))
    client, url = sign_in(hall.organiser), reverse("tournament-desk", args=[hall.public_id])
    typed = {"what": "sostituisci", "out": f"{first.first.pk} {out.pk}", "name": there.name.upper(), "reason": "A casa"}
    page = client.post(url, typed)
    (form,) = (form for form in page.context["acts"] if form.is_bound)
    assert form.errors.as_data()["name"][0].code == "in_already"
    assert 'type="checkbox" name="another"' in form.as_p()
    assert first.first.members.get().person == out, "nothing has changed"
    typed["another"] = "on"
    (form,) = (form for form in client.post(url, typed).context["acts"] if form.is_bound)
    assert client.post(url, {**typed, "sure": form.seal}).status_code == 302
    new = first.first.members.get().person
    assert (new.typed_name, new.public_name) == (there.name.upper(), f"{there.name.upper()} (2)")
