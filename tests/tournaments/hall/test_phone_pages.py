"""The page of telephones and that of score slips (O4, O8)."""

import re
from dataclasses import replace
from datetime import datetime

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from players.models import Player
from tests.support.counting import measure
from tests.support.html import read_hooks
from tests.support.people import create_person, sign_in
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import Opened
from tournaments.core.reads import read_fixture_row
from tournaments.hall.quick_entry import list_typed
from tournaments.hall.slip_codes import MAX_WRONG
from tournaments.models import Fixture, Tournament
from tournaments.transfer.loans import lend_tournament

pytestmark = pytest.mark.django_db


def url_of(tournament: Tournament, name: str = "tournament-phone") -> str:
    return reverse(name, args=[tournament.public_id])


def print_codes(tournament: Tournament, which: str = "new") -> list[str]:
    """Print slips by the page, and return the codes as they stand there."""
    page = sign_in(tournament.organiser).post(url_of(tournament, "tournament-slips"), {"which": which})
    return re.findall(r'class="slip-code">(\w{4} \w{4})<', page.content.decode())


def say(client: Client, tournament: Tournament, what: str, **values: str) -> list[str]:
    """Send one of the page's forms, and return the notes of the page that follows."""
    page = client.post(url_of(tournament), {"what": what, **values}, follow=True)
    return read_hooks(page, "note")


@pytest.mark.rule("O4")
def test_two_telephones_type_and_confirm(hall: Tournament) -> None:
    fixture = list_round(hall, 1)[0]
    codes = print_codes(hall)
    ours, theirs = Client(), Client()
    assert "code_form" in ours.get(url_of(hall)).context
    say(ours, hall, "code", code=codes[0])
    page = ours.get(url_of(hall))
    assert page.context["page"].row.id == fixture.pk
    assert codes[0] not in page.content.decode()
    refused = ours.post(url_of(hall), {"what": "type", "points_0": "8", "points_1": "4", "fixture": fixture.pk})
    assert refused.status_code == 422
    assert 'value="8"' in refused.content.decode()
    assert "own_typed" in say(ours, hall, "type", points_0="7", points_1="4", fixture=str(fixture.pk))
    assert "other_typed" in say(theirs, hall, "code", code=codes[1].replace(" ", "").lower())
    seen = theirs.get(url_of(hall)).context["page"].stamp
    assert "refused" in say(theirs, hall, "confirm", seen="x")
    assert "result" in say(theirs, hall, "confirm", seen=seen)
    assert Fixture.objects.get(pk=fixture.pk).points_0 == 7
    assert "result" in read_hooks(ours.get(url_of(hall)), "note")


@pytest.mark.rule("O4")
def test_disagreement_and_objection_stand_at_the_desk(hall: Tournament) -> None:
    fixtures = list_round(hall, 1)
    codes = print_codes(hall)
    for number, fixture in enumerate(fixtures):
        ours, theirs = Client(), Client()
        say(ours, hall, "code", code=codes[2 * number])
        say(ours, hall, "type", points_0="7", points_1="4", fixture=str(fixture.pk))
        say(theirs, hall, "code", code=codes[2 * number + 1])
        if number:
            assert "called" in say(theirs, hall, "object")
        else:
            typed = {"points_0": "6", "points_1": "5", "fixture": str(fixture.pk)}
            assert "called" in say(theirs, hall, "type", **typed)
    organiser = sign_in(hall.organiser)
    desk = organiser.get(url_of(hall, "tournament-desk"))
    assert "slips_calling" in read_hooks(desk, "note")
    assert len(desk.context["calling"]) == 2
    rows = organiser.get(url_of(hall, "tournament-results"))
    assert read_hooks(rows, "note").count("slip_called") == 2
    disputed = organiser.get(reverse("desk-fixture", args=[hall.public_id, fixtures[0].pk]))
    both = {one.words.partition(",")[0] for one in disputed.context["typed"]}
    assert both == {"7–4", "6–5"}
    assert [len(row.typed) for row in rows.context["page"].rows] == [2, 1]  # who objects types nothing
    assert all("typed" in read_hooks(page, "note") for page in (desk, rows, disputed))


@pytest.mark.rule("O4")
def test_each_side_types_its_own_points_first_as_on_its_slip(hall: Tournament) -> None:
    for side, code in enumerate(print_codes(hall)[:2]):
        client = Client()
        say(client, hall, "code", code=code)
        page = client.get(url_of(hall)).content.decode()
        assert (page.index('name="points_0"') < page.index('name="points_1"')) is (side == 0)


@pytest.mark.rule("F1")
def test_a_referee_who_plays_there_reads_nothing_of_the_telephones(hall: Tournament, anna: Player) -> None:
    fixture = list_round(hall, 1)[0]
    codes = print_codes(hall)
    client = Client()
    say(client, hall, "code", code=codes[0])
    say(client, hall, "type", points_0="7", points_1="4", fixture=str(fixture.pk))
    row = read_fixture_row(Fixture.objects.get(pk=fixture.pk), anna)
    assert list_typed(fixture, row)
    assert list_typed(fixture, replace(row, mine=True)) == ()


@pytest.mark.rule("O4")
def test_one_telephone_serves_both_and_forgets_a_dead_code(hall: Tournament) -> None:
    fixture = list_round(hall, 1)[0]
    codes = print_codes(hall)
    client = Client()
    say(client, hall, "code", code=codes[0])
    say(client, hall, "type", points_0="7", points_1="4", fixture=str(fixture.pk))
    assert "refused" in say(client, hall, "beside", **{"beside-code": codes[2]})
    assert "result" in say(client, hall, "beside", **{"beside-code": codes[1]})
    say(client, hall, "close")
    say(client, hall, "code", code=codes[2])
    print_codes(hall, "all")
    page = client.get(url_of(hall))
    assert "page" not in page.context
    assert "refused" in read_hooks(page, "note")


@pytest.mark.rule("O4")
def test_after_ten_wrong_codes_a_browser_is_sent_to_the_desk(hall: Tournament) -> None:
    codes = print_codes(hall)
    client = Client()
    for _n in range(MAX_WRONG):
        assert "refused" in say(client, hall, "code", code="ABCD2345")
    assert "page" not in client.post(url_of(hall), {"what": "code", "code": codes[0]}).context
    other = Client()
    say(other, hall, "code", code=codes[0])
    assert "page" in other.get(url_of(hall)).context


@pytest.mark.rule("O4", "O8")
def test_slips_are_the_organisers_and_carry_names_table_round_and_code(hall: Tournament, now: datetime) -> None:
    organiser, address = sign_in(hall.organiser), url_of(hall, "tournament-slips")
    for client in (Client(), sign_in(create_person("Zita", now))):
        assert client.get(address).status_code == 404
        assert client.post(address, {"which": "all"}).status_code == 404
    page = organiser.post(address, {"which": "new"})
    slips = page.context["slips"]
    assert len(slips) == 4
    assert page["Cache-Control"] == "no-store"
    text = page.content.decode()
    assert text.count("<svg") == 5
    for slip in slips:
        assert slip.own.name in text
        assert slip.other != slip.own
    assert "slips_none" in read_hooks(organiser.post(address, {"which": "new"}, follow=True), "notice")
    fixture = list_round(hall, 1)[1]
    assert len(print_codes(hall, str(fixture.pk))) == 2
    assert organiser.post(address, {"minutes": "500"}).context["waiting"].errors
    organiser.post(address, {"minutes": "4"})
    hall.refresh_from_db()
    assert hall.confirm_minutes == 4
    for other in ("iscritti", "turno"):
        paper = organiser.get(reverse("tournament-print", args=[hall.public_id, other])).content.decode()
        assert not any(slip.code in paper for slip in slips)


def test_many_slips_take_as_many_queries_as_few(opened: Opened, now: datetime) -> None:
    def count_queries(fixtures: int) -> int:
        tournament = draw_real(opened, 2 * fixtures, now, format="danese", format_options={"rounds": 2})
        client, address = sign_in(tournament.organiser), url_of(tournament, "tournament-slips")
        assert len(client.post(address, {"which": "new"}).context["slips"]) == 2 * fixtures
        return measure(lambda: client.post(address, {"which": "all"}))[0]

    assert count_queries(4) == count_queries(16)


@pytest.mark.rule("O8")
def test_everybody_finds_their_table_in_alphabetical_order(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 6, now, hall_tables=2)
    page = Client().get(reverse("tournament-print", args=[tournament.public_id, "posti"]))
    names = [name for name, _fixture in page.context["places"]]
    assert names == ["Ada A", "Bice A", "Ciro A", "Dora A", "Elio A", "Fede A"]
    text = page.content.decode()
    for fixture in list_round(tournament, 1):
        assert f"Tavolo {fixture.table}" in text
    assert "2ª ondata" in text


@pytest.mark.rule("O9")
def test_slips_that_no_telephone_could_open_say_so_before_they_are_printed(hall: Tournament) -> None:
    organiser, slips = sign_in(hall.organiser), url_of(hall, "tournament-slips")
    with override_settings(SITE_URL="http://127.0.0.1:8000"):
        assert "alone" in read_hooks(organiser.get(slips, headers={"host": "127.0.0.1:8000"}), "note")
    with override_settings(SITE_URL="http://192.168.1.20:8000"):
        assert "alone" not in read_hooks(organiser.get(slips, headers={"host": "127.0.0.1:8000"}), "note")


@pytest.mark.rule("O4", "O9")
def test_the_minutes_of_a_lent_tournament_stay_and_that_is_said(hall: Tournament, now: datetime) -> None:
    lend_tournament(tournament_id=hall.pk, by=hall.organiser, to="Bar", now=now)
    organiser, address = sign_in(hall.organiser), url_of(hall, "tournament-slips")
    assert read_hooks(organiser.post(address, {"minutes": "3"}, follow=True), "notice") == ["lent"]
    hall.refresh_from_db()
    assert hall.confirm_minutes == 10
