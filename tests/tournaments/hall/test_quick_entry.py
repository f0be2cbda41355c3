"""Quick entry of results at real tables (O4, O5): plain entry, what can't be, two desks, the last one taken back."""

import re
from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support.counting import measure
from tests.support.desk import build_act, send_act
from tests.support.html import read_hooks
from tests.support.people import create_person, sign_in
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import KO, Opened, catch_code
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, declare_forfeit, set_result
from tournaments.hall import quick_entry
from tournaments.hall.quick_entry import read_quick_fixture
from tournaments.models import Entry, Fixture, LogEntry, Referee, Tournament
from tournaments.running.recompute import find_differences

pytestmark = pytest.mark.django_db
TWO_DEALS = {"length_value": 2}
DANESE = {"format": "danese", "format_options": {"rounds": 2}}


def url_of(tournament: Tournament) -> str:
    return reverse("tournament-results", args=[tournament.public_id])


def send(client: Client, tournament: Tournament, fixture: Fixture, first: object, second: object, **more: str):  # type: ignore[no-untyped-def]
    """Type a result as the page's script does."""
    data = {"part": "1", "fixture": fixture.pk, "points_0": first, "points_1": second, "how": "", **more}
    return client.post(url_of(tournament), data)


def read_stamp(client: Client, tournament: Tournament, fixture: Fixture) -> str:
    page = client.get(url_of(tournament)).context["page"]
    return next(str(row.form.initial["stamp"]) for row in page.rows if row.fixture.id == fixture.pk)


@pytest.mark.rule("O4", "O5", "F2")
def test_a_result_is_entered_without_a_reason_and_shown_with_winner_vp_and_mp(hall: Tournament) -> None:
    fixture = list_round(hall, 1)[0]
    answer = send(sign_in(hall.organiser), hall, fixture, 7, 4)
    assert answer.status_code == 200
    page = answer.content.decode()
    fixture.refresh_from_db()
    assert (fixture.state, fixture.winner, fixture.points_0, fixture.points_1) == ("done", 0, 7, 4)
    assert (fixture.mp_0, fixture.mp_1, fixture.ruled) == (3, -3, False)
    assert f"{fixture.vp_0} VP" in page
    assert "3 MP" in page
    logged = LogEntry.objects.get(tournament=hall, code="ruling_entered")
    assert logged.player == hall.organiser
    assert not find_differences(hall)


@pytest.mark.rule("O4")
def test_the_next_row_is_the_first_after_it_without_a_result(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 8, now)
    first, second, third, fourth = list_round(tournament, 1)
    client = sign_in(tournament.organiser)
    assert client.get(url_of(tournament)).context["page"].next_id == first.pk
    assert client.get(url_of(tournament), {"tavolo": "3"}).context["page"].next_id == third.pk
    data = {"fixture": third.pk, "points_0": "6", "points_1": "5", "how": ""}
    page = client.post(url_of(tournament), data, follow=True).context["page"]
    assert page.next_id == fourth.pk
    send(client, tournament, fourth, 6, 5)
    page = client.get(url_of(tournament), {"dopo": str(fourth.pk)}).context["page"]
    assert (page.next_id, sum(row.form is not None for row in page.rows)) == (first.pk, 2)
    answers = [send(client, tournament, fixture, 6, 5) for fixture in (first, second)]
    assert ["all_in" in read_hooks(answer, "note") for answer in answers] == [False, True], "the way on comes by itself"
    assert all("undo" in read_hooks(answer, "action") for answer in answers), "as does what can be taken back (O13)"
    assert "all_in" in read_hooks(client.get(url_of(tournament)), "note")


@pytest.mark.rule("O4", "F2")
def test_a_result_mended_from_quick_entry_leads_back_to_its_row(hall: Tournament) -> None:
    fixture = list_round(hall, 1)[0]
    client = sign_in(hall.organiser)
    row = send(client, hall, fixture, 7, 4).content.decode()
    address = re.search(r'href="([^"]+da=risultati)"', row)
    assert address
    folded = client.get(address[1]).content.decode()
    seldom = re.search(r'<details[^>]* class="act-seldom" *>[^§]*name="vp_0"', folded)
    assert seldom, "what is seldom written is folded up"
    sent = {"what": "risultato", "points_0": "6", "points_1": "5", "reason": "Letto male"}
    done = send_act(client, address[1], sent)
    assert done.headers["Location"] == f"{url_of(hall)}?dopo={fixture.pk}"
    fixture.refresh_from_db()
    assert fixture.points_0 == 6


@pytest.mark.rule("O4", "O13")
def test_an_answer_that_was_lost_makes_no_second_act_of_the_same_key(hall: Tournament) -> None:
    fixture = list_round(hall, 1)[0]
    client = sign_in(hall.organiser)
    form = next(row.form for row in client.get(url_of(hall)).context["page"].rows if row.fixture.id == fixture.pk)
    sent = {name: str(form.initial[name]) for name in ("key", "stamp")}
    answers = [send(client, hall, fixture, 7, 4, **sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert LogEntry.objects.filter(tournament=hall, code="ruling_entered").count() == 1
    other = send(client, hall, fixture, 6, 5, **sent)
    assert other.status_code == 422, "typed otherwise it is another act, of a fixture that has its result"
    fixture.refresh_from_db()
    assert (fixture.points_0, fixture.points_1) == (7, 4)


@pytest.mark.rule("O4")
def test_a_result_half_typed_without_a_script_keeps_what_is_there(hall: Tournament) -> None:
    fixture = list_round(hall, 1)[1]
    client = sign_in(hall.organiser)
    page = client.post(url_of(hall), {"fixture": fixture.pk, "points_0": "7", "points_1": ""}).content.decode()
    assert 'value="7"' in page
    row = page[page.index(f'id="incontro-{fixture.pk}"') :]
    assert row.index('name="points_1"') < row.index("autofocus"), "there Enter has sent the first points alone"
    page = client.post(url_of(hall), {"fixture": fixture.pk, "points_0": "7", "points_1": "5"}).content.decode()
    row = page[page.index(f'id="incontro-{fixture.pk}"') :]
    assert row.index("autofocus") < row.index('name="points_1"'), "whoever types without looking types both"


@pytest.mark.rule("O5")
@pytest.mark.parametrize(
    ("first", "second", "codes"),
    [
        ("8", "4", ["points_total"]),
        ("7", "", ["points_missing"]),
        ("x", "4", ["no_points"]),
        ("7+4", "4", ["deals_uneven"]),
        ("7+0", "4+11", None),
        ("7+1", "4+9", ["points_total"]),
        ("7+12", "4+0", ["points_total"]),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(
    opened: Opened, now: datetime, first: str, second: str, codes: list[str] | None
) -> None:
    tournament = draw_real(opened, 4, now, **(TWO_DEALS if "+" in first else {}))
    fixture = list_round(tournament, 1)[0]
    answer = send(sign_in(tournament.organiser), tournament, fixture, first, second)
    assert answer.status_code == (200 if codes is None else 422)
    form = answer.context["row"].form
    assert (form is None) == (codes is None)
    if codes is not None:
        assert [error["code"] for errors in form.errors.get_json_data().values() for error in errors] == codes


@pytest.mark.rule("O5")
def test_deals_whose_sum_could_be_are_refused_one_by_one(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, **TWO_DEALS)
    fixture = list_round(tournament, 1)[0]
    about = {"tournament_id": tournament.pk, "fixture_id": fixture.pk, "act": build_act(tournament.organiser, now)}
    cases = {
        "deal_impossible": ((8, 4), (5, 5)),
        "deals_many": ((7, 4), (6, 5), (0, 0)),
    }
    for code, deals in cases.items():
        decision = Decision(points=(13, 9), winner=0, deals=deals)
        assert catch_code(set_result, decision=decision, **about) == code


@pytest.mark.rule("O5", "G7", "T8")
def test_level_points_in_a_ko_ask_who_won(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, KO, ruleset="tresette", length_value=2)
    fixture = list_round(tournament, 1)[0]
    client = sign_in(tournament.organiser)
    answer = send(client, tournament, fixture, 11, 11)
    assert answer.status_code == 422
    assert send(client, tournament, fixture, 11, 11, how="1:last_trick").status_code == 200
    fixture.refresh_from_db()
    assert (fixture.winner, fixture.decided_by) == (1, "last_trick")


@pytest.mark.rule("O1", "O5", "R4")
def test_a_forfeit_is_an_entry_of_the_organiser(hall: Tournament) -> None:
    first, second = list_round(hall, 1)
    client = sign_in(hall.organiser)
    send(client, hall, first, "", "", how="0:forfeit")
    send(client, hall, second, "", "", how="01:forfeit")
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.forfeit_by, first.winner, first.points_0, first.points_1) == (0, 1, 0, 6)
    assert second.double_forfeit


@pytest.mark.rule("F2", "O4")
def test_a_change_needs_a_reason(hall: Tournament, now: datetime) -> None:
    fixture = list_round(hall, 1)[0]
    plain = Act(by=hall.organiser, reason="", now=now)
    about = {"tournament_id": hall.pk, "fixture_id": fixture.pk}
    set_result(decision=Decision(points=(7, 4), winner=0), act=plain, **about)
    changed = Decision(points=(4, 7), winner=1)
    assert catch_code(set_result, decision=changed, act=plain, **about) == "reason_missing"
    assert catch_code(declare_forfeit, lines=(0,), act=plain, **about) == "reason_missing"
    set_result(decision=changed, act=build_act(hall.organiser, now), **about)
    fixture.refresh_from_db()
    assert fixture.ruled


@pytest.mark.rule("O13")
def test_two_desks_do_not_overwrite_each_other(hall: Tournament, anna: Player) -> None:
    Referee.objects.create(tournament=hall, player=anna)
    fixture = list_round(hall, 1)[0]
    here, there = sign_in(hall.organiser), sign_in(anna)
    stamp = read_stamp(here, hall, fixture)
    assert send(there, hall, fixture, 7, 4, stamp=stamp).status_code == 200
    answer = send(here, hall, fixture, 4, 7, stamp=stamp)
    assert answer.status_code == 422
    assert "Anna" in answer.context["row"].refused[0]
    fixture.refresh_from_db()
    assert (fixture.points_0, fixture.points_1) == (7, 4)


@pytest.mark.rule("O13")
def test_a_result_sent_twice_without_a_stamp_is_not_written_over(hall: Tournament) -> None:
    fixture = list_round(hall, 1)[0]
    client = sign_in(hall.organiser)
    send(client, hall, fixture, 7, 4)
    assert send(client, hall, fixture, 4, 7).status_code == 422
    fixture.refresh_from_db()
    assert fixture.points_0 == 7


@pytest.mark.rule("O13")
def test_the_last_entry_is_taken_back(hall: Tournament) -> None:
    fixture = list_round(hall, 1)[0]
    client = sign_in(hall.organiser)
    send(client, hall, fixture, 7, 4)
    form = client.get(url_of(hall)).context["undo"]
    data = {"what": form.what, "entry": form.initial["entry"], "stamp": form.initial["stamp"]}
    answer = client.post(url_of(hall), data, follow=True)
    assert "undone" in read_hooks(answer, "notice")
    fixture.refresh_from_db()
    assert (fixture.state, fixture.winner, fixture.table) == ("ready", None, 1)
    assert client.get(url_of(hall)).context["undo"] is None
    again = client.post(url_of(hall), data, follow=True)
    assert "nothing_to_undo" in read_hooks(again, "notice")


@pytest.mark.rule("O4")
def test_from_each_page_of_a_round_there_is_a_way_to_the_next(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 2, now, KO)
    client = sign_in(tournament.organiser)
    for route in ("tournament-rounds", "tournament-desk"):
        page = client.get(reverse(route, args=[tournament.public_id]))
        assert f'href="{url_of(tournament)}"' in page.content.decode(), route
    send(client, tournament, list_round(tournament, 1)[0], 7, 4)
    ended = client.get(url_of(tournament))
    assert "all_in" in read_hooks(ended, "note")
    assert reverse("tournament-rounds", args=[tournament.public_id]) not in ended.content.decode()


@pytest.mark.rule("F1", "O4")
def test_only_referees_type_results_and_only_at_real_tables(hall: Tournament, opened: Opened, anna: Player) -> None:
    assert sign_in(anna).get(url_of(hall)).status_code == 404
    assert Client().get(url_of(hall)).status_code == 404
    site = opened()
    assert sign_in(site.organiser).get(url_of(site)).status_code == 404


@pytest.mark.rule("F1")
def test_a_referee_who_plays_there_types_nothing(hall: Tournament, now: datetime) -> None:
    fixture = list_round(hall, 1)[0]
    player = create_person("Ugo", now)
    Referee.objects.create(tournament=hall, player=player)
    Entry.objects.get(pk=fixture.first_id).members.update(person=player.person)
    client = sign_in(player)
    rows = client.get(url_of(hall)).context["page"].rows
    assert [row.form is None for row in rows] == [True, False]
    assert send(client, hall, fixture, 7, 4).status_code == 422


def test_the_fixture_that_is_typed_is_read_alone(opened: Opened, now: datetime) -> None:
    def measure_reading(size: int) -> tuple[int, int]:
        tournament = draw_real(opened, size, now, **DANESE)
        fixture = list_round(tournament, 1)[1]
        return measure(lambda: read_quick_fixture(tournament, tournament.organiser, fixture.pk))

    assert measure_reading(4) == measure_reading(16)


@pytest.fixture
def large(opened: Opened, now: datetime, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """A hall whose list of eight tables takes two sheets."""
    monkeypatch.setattr(quick_entry, "AT_ONCE", 5)
    return draw_real(opened, 16, now)


def read_page(tournament: Tournament, **asked: object) -> quick_entry.QuickPage:
    answer = sign_in(tournament.organiser).get(url_of(tournament), asked, follow=True)
    page: quick_entry.QuickPage = answer.context["page"]
    return page


def list_tables(page: quick_entry.QuickPage) -> list[int | None]:
    return [row.fixture.hall_table for row in page.rows]


@pytest.mark.rule("O4", "D5")
def test_of_a_large_hall_a_part_is_shown_whose_address_names_it(large: Tournament, now: datetime) -> None:
    client = sign_in(large.organiser)
    assert client.get(url_of(large)).headers["Location"] == f"{url_of(large)}?pagina=1"
    first = read_page(large)
    assert (list_tables(first), first.sheet.pages, first.missing) == ([1, 2, 3, 4, 5], 2, 8)
    asked = client.get(url_of(large), {"tavolo": "7"})
    assert asked.headers["Location"] == f"{url_of(large)}?tavolo=7&pagina=2"
    at_seven = read_page(large, tavolo="7")
    fixtures = list_round(large, 1)
    assert (list_tables(at_seven), at_seven.next_id) == ([6, 7, 8], fixtures[6].pk)
    after = read_page(large, dopo=fixtures[4].pk)
    assert (after.sheet.number, after.next_id) == (2, fixtures[5].pk), "whoever has typed the last of a sheet goes on"
    assert list_tables(read_page(large, pagina="1", fino="2")) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert list_tables(read_page(large, pagina="9")) == [6, 7, 8], "the nearest there is"
    evening = client.get(reverse("tournament-evening", args=[large.public_id]), follow=True)
    assert (evening.context["total"], evening.context["entered"]) == (8, 0), "of all tables"


@pytest.mark.rule("O4", "D5")
def test_of_a_large_hall_a_name_is_found(large: Tournament) -> None:
    wanted = list_round(large, 1)[6]
    assert wanted.first is not None
    name = str(wanted.first.members.get().person)
    page = read_page(large, nome=name)
    assert [row.fixture.id for row in page.rows] == [wanted.pk]
    nobody = sign_in(large.organiser).get(url_of(large), {"nome": "Nessuno mai"})
    assert "Nessuno con «Nessuno mai» nel nome." in nobody.content.decode()


@pytest.mark.rule("O4")
def test_what_is_refused_without_a_script_is_shown_on_its_sheet(large: Tournament) -> None:
    fixture = list_round(large, 1)[6]
    data = {"fixture": fixture.pk, "points_0": "99", "points_1": "5", "how": ""}
    page = sign_in(large.organiser).post(url_of(large), data).context["page"]
    assert (page.sheet.number, page.next_id) == (2, fixture.pk)
    assert [row.fixture.id for row in page.rows if row.form is not None and row.form.errors] == [fixture.pk]
