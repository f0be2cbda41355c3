"""Tournaments at real tables (O1, O3): nothing by the clock, the roll call, the draw by hand, tables and waves."""

import re
from datetime import datetime, timedelta

import pytest
from django.urls import reverse

from players.models import Player
from tests.support.desk import build_act
from tests.support.html import read_element, read_hooks
from tests.support.pages import get_tournament_page, post_tournament
from tests.support.people import sign_in
from tests.support.real_tables import draw_present, draw_real, list_round, open_real, publish_next, type_names
from tests.support.standings import write_result
from tests.support.tournaments import KO, Opened, catch_code
from tournaments import sweep
from tournaments.core.wording import name_hall_place
from tournaments.desk.results import Decision, set_result
from tournaments.entries import checkin, fixed_tables
from tournaments.entries.schedule import compute_next_due_at
from tournaments.models import Fixture, Tournament
from tournaments.rounds import drafts
from tournaments.running import start
from tournaments.running.results import advance
from tournaments.venues import HALL

pytestmark = pytest.mark.django_db

HOURS = timedelta(hours=5)
DANESE = {"format": "danese", "format_options": {"rounds": 3}}


def list_present(tournament: Tournament) -> int:
    return tournament.members.filter(checked_in_at__isnull=False).count()


def finish_round(tournament: Tournament, number: int, now: datetime) -> None:
    """Every first-named wins 7-4."""
    for fixture in list_round(tournament, number):
        decision = Decision(points=(7, 4), winner=0)
        act = build_act(tournament.organiser, now)
        set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=act)


def list_places(tournament: Tournament, number: int) -> list[tuple[int | None, int | None]]:
    return [(fixture.wave, fixture.table) for fixture in list_round(tournament, number)]


@pytest.mark.rule("O1")
def test_nothing_happens_by_the_clock(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, starts_at=now + timedelta(hours=1), checkin_minutes=15, round_minutes=30)
    assert (tournament.due_at, tournament.remind_at) == (None, None)
    assert compute_next_due_at(tournament, now + HOURS) is None
    assert (tournament.checkin_minutes, tournament.round_minutes, tournament.turn_timeout) == (None, None, None)
    type_names(tournament, ["Ada", "Bice"], now)
    start.start_due(tournament_id=tournament.pk, now=now + HOURS)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.OPEN


@pytest.mark.rule("O1", "E8", "E9")
def test_no_table_of_the_site_opens_and_nobody_is_a_no_show(hall: Tournament, now: datetime) -> None:
    assert Fixture.objects.of(hall).ready().count() == 2
    assert not list(sweep.list_due_fixtures(now + HOURS))
    for fixture in list_round(hall, 1):
        sweep.open_fixture(fixture.pk, now + HOURS)
    assert not Fixture.objects.of(hall).filter(match__isnull=False).exists()


@pytest.mark.rule("O1")
def test_a_real_tournament_may_be_opened_after_its_hour(opened: Opened, now: datetime) -> None:
    assert open_real(opened, starts_at=now - timedelta(minutes=5)).state == Tournament.State.OPEN


@pytest.mark.rule("O1")
def test_the_roll_call_is_one_touch_for_all_and_is_taken_back(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    ada, *_others = type_names(tournament, ["Ada", "Bice", "Ciro"], now)
    about = {"tournament_id": tournament.pk, "by": tournament.organiser}
    assert catch_code(checkin.undo_roll_call, now=now, **about) == "no_roll_call"
    checkin.check_in_at_desk(entry_id=ada.pk, present=True, now=now, **about)
    assert checkin.check_in_everybody(now=now + timedelta(seconds=9), **about) == 2
    assert list_present(tournament) == 3
    assert checkin.undo_roll_call(now=now + timedelta(seconds=12), **about) == 2
    assert list_present(tournament) == 1
    assert catch_code(checkin.undo_roll_call, now=now + checkin.LAST_TOUCH, **about) == "no_roll_call", "no slip"
    assert list_present(tournament) == 1


@pytest.mark.rule("O1", "D4")
def test_the_organiser_draws_and_who_is_not_ticked_is_out(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    assert tournament.publishes_rounds
    entries = type_names(tournament, ["Ada", "Bice", "Ciro", "Dora"], now)
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    assert catch_code(drafts.draw_round, **about) == "too_few_to_draw"
    for entry in entries[:3]:
        checkin.check_in_at_desk(entry_id=entry.pk, present=True, **about)
    page = sign_in(tournament.organiser).get(reverse("tournament-rounds", args=[tournament.public_id]))
    assert "left_out" in read_hooks(page, "note")
    publish_next(tournament, now)
    assert tournament.state == Tournament.State.RUNNING
    assert tournament.entries.drawn().count() == tournament.entries.count() == 3


@pytest.mark.rule("O3")
def test_a_girone_has_its_tables_by_the_schedule(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 6, now)
    assert list_places(tournament, 1) == [(1, 1), (1, 2), (1, 3)]
    assert list_places(tournament, 2) == [(None, None)] * 3


@pytest.mark.rule("O3")
def test_more_fixtures_than_tables_are_played_in_waves(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 10, now, hall_tables=2)
    assert list_places(tournament, 1) == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]


@pytest.mark.rule("O3")
def test_a_danese_has_its_tables_by_standing_and_keeps_them_when_a_result_is_corrected(
    opened: Opened, now: datetime
) -> None:
    tournament = draw_real(opened, 8, now, **DANESE)
    finish_round(tournament, 1, now)
    publish_next(tournament, now)
    second = sorted(list_round(tournament, 2), key=lambda fixture: fixture.table or 0)
    best = [min(side.rank or 0 for side in (fixture.first, fixture.second) if side) for fixture in second]
    assert best == sorted(best)
    assert [fixture.table for fixture in second] == [1, 2, 3, 4]
    before = list_places(tournament, 2)
    corrected = list_round(tournament, 1)[0]
    act = build_act(tournament.organiser, now)
    decision = Decision(points=(0, 11), winner=1)
    set_result(tournament_id=tournament.pk, fixture_id=corrected.pk, decision=decision, act=act)
    assert list_places(tournament, 2) == before


@pytest.mark.rule("O3")
def test_a_fixed_table_is_played_at_in_the_first_wave(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, seeding="organiser", hall_tables=2)
    entries = type_names(tournament, ["Ada", "Bice", "Ciro", "Dora", "Elio", "Fede"], now)
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    fixed_tables.fix_table(entry_id=entries[2].pk, table=2, **about)
    fixed_tables.fix_table(entry_id=entries[3].pk, table=1, **about)
    draw_present(tournament, now)
    # 1-6 2-5 3-4: Ciro (3) and Dora (4) meet, and the better seed's table is theirs.
    assert list_places(tournament, 1) == [(1, 1), (2, 1), (1, 2)]
    page = sign_in(None).get(reverse("tournament", args=[tournament.public_id]))
    assert read_hooks(page, "note").count("displaced") == 1, "Dora is told"
    assert "tavolo fisso: Dora" in page.content.decode()


@pytest.mark.rule("O3")
def test_a_fixed_table_that_cannot_be_is_refused(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, hall_tables=3)
    ada, bice = type_names(tournament, ["Ada", "Bice"], now)
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    assert catch_code(fixed_tables.fix_table, entry_id=ada.pk, table=4, **about) == "fixed_table_range"
    fixed_tables.fix_table(entry_id=ada.pk, table=3, **about)
    assert catch_code(fixed_tables.fix_table, entry_id=bice.pk, table=3, **about) == "fixed_table_taken"
    fixed_tables.fix_table(entry_id=ada.pk, table=None, **about)
    fixed_tables.fix_table(entry_id=bice.pk, table=3, **about)


@pytest.mark.rule("O3")
def test_a_fixture_of_a_ko_takes_a_table_where_nobody_plays(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 8, now, KO)
    third, fourth = list_round(tournament, 1)[2:]
    for fixture in (third, fourth):
        act = build_act(tournament.organiser, now)
        decision = Decision(points=(6, 3), winner=0)
        set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=act)
    publish_next(tournament, now)
    assert [fixture.table for fixture in list_round(tournament, 2)] == [3]


@pytest.mark.rule("O1")
def test_a_tournament_is_made_drawn_and_looked_at_by_its_pages(anna: Player, now: datetime) -> None:
    client = sign_in(anna)
    changed = {"venue": "real", "hall_tables": "1", "format": "girone", "turn_timeout": "", "match_clock": ""}
    post_tournament(client, **changed)
    tournament = Tournament.objects.get()
    assert (tournament.venue, tournament.hall_tables) == (HALL, 1)
    type_names(tournament, ["Ada", "Bice", "Ciro", "Dora"], now)
    client.post(reverse("tournament-all-present", args=[tournament.public_id]))
    for act in ({"act": "draw"}, {"act": "publish", "number": "1"}):
        client.post(reverse("tournament-rounds", args=[tournament.public_id]), act)
    page = get_tournament_page(client, tournament)
    assert read_hooks(page, "note").count("hall_table") == 2
    assert "Tavolo 1, 2ª ondata" in page


@pytest.mark.rule("O1")
def test_the_pages_lead_to_what_is_due_and_speak_of_no_table_of_the_site(opened: Opened, now: datetime) -> None:
    def find_main_action() -> list[str]:
        page = get_tournament_page(client, tournament)
        links = re.findall(r'<a\s+class="button ?([\w-]*)"[^>]*data-action="(rounds|results)"', page)
        return [code for style, code in links if style != "button-plain"]

    tournament = draw_real(opened, 4, now, format="danese", format_options={"rounds": 2})
    client = sign_in(tournament.organiser)
    assert find_main_action() == ["results"]
    desk = client.get(reverse("tournament-desk", args=[tournament.public_id])).content.decode()
    assert read_element(desk, "tables-title") is None
    assert "?solo" not in desk
    for fixture in list_round(tournament, 1):
        write_result(fixture, (15, 5), (10, -10), now)
    advance(tournament_id=tournament.pk, now=now)
    assert find_main_action() == ["rounds"]


@pytest.mark.rule("O3", "D4")
@pytest.mark.parametrize("base", [DANESE, {"format": "ko", "ruleset": "scopa"}], ids=["danese", "ko"])
def test_a_draft_shows_the_tables_that_publishing_it_gives(
    opened: Opened, now: datetime, base: dict[str, object]
) -> None:
    tournament = open_real(opened, **base, seeding="organiser", hall_tables=2)
    entries = type_names(tournament, ["Ada", "Bice", "Ciro", "Dora", "Elio", "Fede", "Gino", "Ines"], now)
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    fixed_tables.fix_table(entry_id=entries[3].pk, table=2, **about)  # type: ignore[arg-type]
    checkin.check_in_everybody(**about)  # type: ignore[arg-type]
    client, address = sign_in(tournament.organiser), reverse("tournament-rounds", args=[tournament.public_id])
    for number in (1, 2):
        if number == 1 or base is DANESE:
            drafts.draw_round(**about)  # type: ignore[arg-type]
        (waiting,) = client.get(address).context["waiting"]
        shown = {row.board: row.place for row in waiting.boards}
        drafts.publish_round(number=number, **about)  # type: ignore[arg-type]
        fixtures = list_round(tournament, number)
        assert shown == {row.board: name_hall_place(row.wave, row.table) for row in fixtures}
        tournament.refresh_from_db()
        finish_round(tournament, number, now)
