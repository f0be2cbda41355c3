"""Results by telephones (O4): two agree, disagree, one alone and time passes, codes that are wrong, dead or printed
anew."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse

from tests.support.counting import measure
from tests.support.desk import build_act
from tests.support.people import sign_in
from tests.support.real_tables import draw_real, list_round, publish_next
from tests.support.tournaments import KO, Opened, catch_code
from tournaments import sweep
from tournaments.core.log_details import ResultActDetail, SlipDetail, read_detail
from tournaments.desk import undo
from tournaments.desk.clocks import hold_clocks, resume_clocks
from tournaments.desk.results import Decision, set_result
from tournaments.desk.wording import describe_log_entry
from tournaments.hall import phone_results, slip_codes
from tournaments.hall.phone_results import TypedResult, confirm_beside, confirm_result, object_to_result, type_result
from tournaments.hall.quick_entry import list_calling
from tournaments.hall.slip_codes import MAX_WRONG, compute_code_digest, print_slips
from tournaments.models import Fixture, LogEntry, ScoreSlip, Tournament
from tournaments.running.recompute import find_differences
from tournaments.transfer.loans import lend_tournament

pytestmark = pytest.mark.django_db

SEVEN = TypedResult((), Decision(points=(7, 4), winner=0))
SIX = TypedResult((), Decision(points=(6, 5), winner=0))
Codes = dict[int, tuple[str, str]]


def print_all(tournament: Tournament, now: datetime, **which: Any) -> Codes:
    """Print the slips, and return the codes by fixture."""
    printed = print_slips(tournament_id=tournament.pk, by=tournament.organiser, now=now, **which)
    return {one.fixture.pk: one.codes for one in printed}


def about(tournament: Tournament, code: str, now: datetime) -> dict[str, Any]:
    return {"tournament_id": tournament.pk, "digest": compute_code_digest(tournament, code), "now": now}


def sweep_unconfirmed(now: datetime) -> None:
    for slip_id in sweep.list_due_slips(now):
        sweep.enter_unconfirmed(slip_id, now)


def read_codes(tournament: Tournament) -> list[str]:
    return list(LogEntry.objects.filter(tournament=tournament).order_by("pk").values_list("code", flat=True))


@pytest.mark.rule("O4")
def test_two_telephones_agree_and_the_result_is_in_once(hall: Tournament, now: datetime) -> None:
    fixture = list_round(hall, 1)[0]
    first, second = print_all(hall, now)[fixture.pk]
    type_result(typed=SEVEN, **about(hall, first, now))
    type_result(typed=SEVEN, **about(hall, first, now + timedelta(minutes=9)))  # sent twice
    slip = ScoreSlip.objects.get(fixture=fixture)
    assert slip.due_at == now + timedelta(minutes=10)
    confirm_result(seen=SEVEN, **about(hall, second.lower(), now))
    for code in (first, second):
        assert catch_code(type_result, typed=SEVEN, **about(hall, code, now)) == "slip_closed"
        assert catch_code(confirm_result, seen=SEVEN, **about(hall, code, now)) == "slip_closed"
    fixture.refresh_from_db()
    assert (fixture.state, fixture.winner, fixture.points_0, fixture.points_1) == ("done", 0, 7, 4)
    assert (fixture.ruled, fixture.unconfirmed) == (False, False)
    logged = LogEntry.objects.get(tournament=hall, code="ruling_phones")
    assert logged.player is None
    assert read_detail(logged, ResultActDetail).typed_by == 0
    assert not find_differences(hall)
    sweep_unconfirmed(now + timedelta(hours=1))
    assert read_codes(hall).count("ruling_phones") == 1


@pytest.mark.rule("O4")
def test_both_may_type_and_the_same_is_agreement(hall: Tournament, now: datetime) -> None:
    fixture = list_round(hall, 1)[0]
    first, second = print_all(hall, now)[fixture.pk]
    type_result(typed=SEVEN, **about(hall, second, now))
    type_result(typed=SEVEN, **about(hall, first, now))
    logged = LogEntry.objects.get(tournament=hall, code="ruling_phones")
    assert read_detail(logged, ResultActDetail).typed_by == 1


@pytest.mark.rule("O4")
def test_disagreement_calls_the_referee_and_enters_nothing(hall: Tournament, now: datetime) -> None:
    fixture = list_round(hall, 1)[0]
    first, second = print_all(hall, now)[fixture.pk]
    type_result(typed=SEVEN, **about(hall, first, now))
    type_result(typed=SIX, **about(hall, second, now))
    sweep_unconfirmed(now + timedelta(hours=1))
    fixture.refresh_from_db()
    assert fixture.state == "ready"
    (calling,) = list_calling(hall, hall.organiser)
    assert calling.slip is not None
    assert (calling.fixture.id, calling.slip.called) == (fixture.pk, "different")
    hall.refresh_from_db()
    before = hall.version
    type_result(typed=TypedResult((), Decision(points=(4, 7), winner=1)), **about(hall, second, now))
    hall.refresh_from_db()
    assert hall.version > before, "the desks show what was typed last"
    assert read_codes(hall).count("slip_called") == 1
    act = build_act(hall.organiser, now, reason="")
    set_result(tournament_id=hall.pk, fixture_id=fixture.pk, decision=Decision(points=(6, 5), winner=0), act=act)
    assert not list_calling(hall, hall.organiser)


def test_many_calling_take_as_many_queries_as_few(opened: Opened, now: datetime) -> None:
    def count_queries(calls: int) -> int:
        tournament = draw_real(opened, 2 * calls, now, format="danese", format_options={"rounds": 2})
        print_all(tournament, now)
        ScoreSlip.objects.filter(fixture__round__tournament=tournament).update(called="different")
        rows = list_calling(tournament, tournament.organiser)
        assert [row.fixture.hall_table for row in rows] == list(range(1, calls + 1))
        return measure(lambda: list_calling(tournament, tournament.organiser))[0]

    assert count_queries(4) == count_queries(16)


@pytest.mark.rule("O4")
def test_who_mends_a_slip_of_the_finger_ends_the_disagreement(hall: Tournament, now: datetime) -> None:
    fixture = list_round(hall, 1)[0]
    first, second = print_all(hall, now)[fixture.pk]
    type_result(typed=SEVEN, **about(hall, first, now))
    type_result(typed=SIX, **about(hall, second, now))
    assert catch_code(confirm_result, seen=SIX, **about(hall, second, now)) == "slip_changed"
    type_result(typed=SIX, **about(hall, first, now))
    fixture.refresh_from_db()
    assert (fixture.state, fixture.points_0) == ("done", 6)
    assert not list_calling(hall, hall.organiser)


@pytest.mark.rule("O4")
def test_one_alone_enters_after_the_time_and_the_other_can_object(hall: Tournament, now: datetime) -> None:
    fixture, other = list_round(hall, 1)
    codes = print_all(hall, now)
    first, second = codes[fixture.pk]
    slip_codes.set_confirm_minutes(tournament_id=hall.pk, by=hall.organiser, minutes=5)
    assert catch_code(object_to_result, **about(hall, second, now)) == "slip_nothing"
    type_result(typed=SEVEN, **about(hall, first, now))
    sweep_unconfirmed(now + timedelta(minutes=5, seconds=-1))
    assert Fixture.objects.get(pk=fixture.pk).state == "ready"
    assert not phone_results.enter_unconfirmed(slip_id=fixture.pk, now=now)
    sweep_unconfirmed(now + timedelta(minutes=5))
    fixture.refresh_from_db()
    assert (fixture.state, fixture.unconfirmed, fixture.ruled) == ("done", True, False)
    assert "ruling_unconfirmed" in read_codes(hall)
    assert not find_differences(hall)
    object_to_result(**about(hall, second, now))
    assert [row.fixture.id for row in list_calling(hall, hall.organiser)] == [fixture.pk]
    confirm_result(seen=SEVEN, **about(hall, second, now))  # it was right after all
    fixture.refresh_from_db()
    assert not fixture.unconfirmed
    assert not list_calling(hall, hall.organiser)
    assert catch_code(object_to_result, **about(hall, second, now)) == "slip_nothing"
    assert Fixture.objects.get(pk=other.pk).state == "ready"


@pytest.mark.rule("O4", "F6")
def test_while_the_tournament_is_held_the_time_to_confirm_stands_still(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 6, now)
    before, during, corrected = list_round(tournament, 1)
    codes = print_all(tournament, now)
    for fixture in (before, corrected):
        type_result(typed=SEVEN, **about(tournament, codes[fixture.pk][0], now))
    hold_at, goes_on = now + timedelta(minutes=4), now + timedelta(hours=2)
    every: dict[str, Any] = {"tournament_id": tournament.pk, "fixture_id": None}
    hold_clocks(act=build_act(tournament.organiser, hold_at), **every)
    type_result(typed=SEVEN, **about(tournament, codes[during.pk][0], now + timedelta(hours=1)))
    type_result(typed=SIX, **about(tournament, codes[corrected.pk][0], now + timedelta(hours=1)))
    sweep_unconfirmed(goes_on)
    assert not phone_results.enter_unconfirmed(slip_id=before.pk, now=goes_on)
    resume_clocks(act=build_act(tournament.organiser, goes_on), **every)

    def list_entered(minutes: int) -> list[int]:
        sweep_unconfirmed(goes_on + timedelta(minutes=minutes))
        entered = Fixture.objects.of(tournament).filter(unconfirmed=True).order_by("board")
        return list(entered.values_list("pk", flat=True))

    assert [list_entered(minutes) for minutes in (5, 6, 9)] == [[], [before.pk], [before.pk]], "four had passed"
    object_to_result(**about(tournament, codes[during.pk][1], goes_on))
    assert list_entered(10) == [before.pk, corrected.pk]


@pytest.mark.rule("O4")
def test_nothing_enters_by_itself_past_an_objection(hall: Tournament, now: datetime) -> None:
    fixture = list_round(hall, 1)[0]
    first, second = print_all(hall, now)[fixture.pk]
    type_result(typed=SEVEN, **about(hall, first, now))
    object_to_result(**about(hall, second, now))
    type_result(typed=SIX, **about(hall, first, now))
    sweep_unconfirmed(now + timedelta(days=1))
    assert Fixture.objects.get(pk=fixture.pk).state == "ready"
    assert [row.fixture.id for row in list_calling(hall, hall.organiser)] == [fixture.pk]


@pytest.mark.rule("O4", "F3")
def test_what_was_typed_goes_with_the_pairing_it_was_typed_for(opened: Opened, now: datetime) -> None:
    """The winner of a semifinal is corrected: nobody confirms for the other what was played by somebody else."""
    tournament = draw_real(opened, 4, now, KO)
    act = build_act(tournament.organiser, now)
    about_act = {"tournament_id": tournament.pk, "act": act}
    semifinals = list_round(tournament, 1)
    for fixture in semifinals:
        set_result(fixture_id=fixture.pk, decision=Decision(points=(7, 4), winner=0), **about_act)
    publish_next(tournament, now)
    (final,) = list_round(tournament, 2)
    first, second = print_all(tournament, now)[final.pk]
    type_result(typed=SEVEN, **about(tournament, first, now))
    Fixture.objects.filter(pk=final.pk).update(extra_minutes=5)
    act = build_act(tournament.organiser, now)
    corrected = Decision(points=(4, 7), winner=1)
    set_result(tournament_id=tournament.pk, fixture_id=semifinals[0].pk, decision=corrected, act=act)
    for code in (first, second):
        assert catch_code(confirm_result, seen=SEVEN, **about(tournament, code, now)) == "slip_code_wrong"
    assert len(print_all(tournament, now)[final.pk]) == 2
    assert Fixture.objects.get(pk=final.pk).extra_minutes == 0


@pytest.mark.rule("O4")
def test_nobody_objects_once_the_next_round_is_published(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, format="danese", format_options={"rounds": 2})
    fixtures = list_round(tournament, 1)
    codes = print_all(tournament, now)
    for fixture in fixtures:
        type_result(typed=SEVEN, **about(tournament, codes[fixture.pk][0], now))
    sweep_unconfirmed(now + timedelta(minutes=10))
    publish_next(tournament, now)
    second = codes[fixtures[0].pk][1]
    assert catch_code(object_to_result, **about(tournament, second, now)) == "slip_code_over"
    assert Fixture.objects.get(pk=fixtures[0].pk).unconfirmed


@pytest.mark.rule("O4")
def test_in_a_knockout_nothing_enters_by_itself(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, KO)
    fixture = list_round(tournament, 1)[0]
    first, second = print_all(tournament, now)[fixture.pk]
    type_result(typed=SEVEN, **about(tournament, first, now))
    sweep_unconfirmed(now + timedelta(days=1))
    assert Fixture.objects.get(pk=fixture.pk).state == "ready"
    assert ScoreSlip.objects.get(fixture=fixture).due_at is None
    confirm_result(seen=SEVEN, **about(tournament, second, now))
    assert Fixture.objects.get(pk=fixture.pk).state == "done"


@pytest.mark.rule("O4", "O5")
def test_what_cannot_be_is_refused_at_once_as_at_the_desk(hall: Tournament, now: datetime) -> None:
    fixture = list_round(hall, 1)[0]
    first, _second = print_all(hall, now)[fixture.pk]
    wrong = TypedResult((), Decision(points=(8, 4), winner=0))
    assert catch_code(type_result, typed=wrong, **about(hall, first, now)) == "points_total"
    assert not ScoreSlip.objects.get(fixture=fixture).typed
    type_result(typed=TypedResult((1,)), **about(hall, first, now))
    confirm_result(seen=TypedResult((1,)), **about(hall, _second, now))
    assert Fixture.objects.get(pk=fixture.pk).forfeit_by == 1


@pytest.mark.rule("O4")
def test_codes_are_stored_as_digests_and_die_when_printed_anew(hall: Tournament, opened: Opened, now: datetime) -> None:
    fixture, other = list_round(hall, 1)
    codes = print_all(hall, now)
    assert all(len(code) == 8 and set(code) <= set(slip_codes.CODE_LETTERS) for pair in codes.values() for code in pair)
    assert not any(set("01IO") & set(code) for pair in codes.values() for code in pair)
    stored = repr(list(ScoreSlip.objects.values())) + repr(list(LogEntry.objects.values("code", "detail")))
    assert not any(code in stored for pair in codes.values() for code in pair)
    new = print_all(hall, now, fixture_id=fixture.pk)
    assert list(new) == [fixture.pk]
    assert catch_code(type_result, typed=SEVEN, **about(hall, codes[fixture.pk][0], now)) == "slip_code_wrong"
    type_result(typed=SEVEN, **about(hall, new[fixture.pk][0], now))
    type_result(typed=SEVEN, **about(hall, codes[other.pk][0], now))
    again = {"tournament_id": hall.pk, "by": hall.organiser, "now": now}
    assert catch_code(print_slips, **again) == "slips_none"
    assert len(print_all(hall, now, anew=True)) == 2
    elsewhere = opened(KO)
    assert catch_code(type_result, typed=SEVEN, **about(elsewhere, codes[other.pk][0], now)) == "slip_code_wrong"


@pytest.mark.rule("O4", "O8")
def test_of_many_slips_so_many_are_printed_at_once_and_then_the_others(
    opened: Opened, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slip_codes, "MAX_PRINTED", 3)
    tournament = draw_real(opened, 10, now, max_entries=10)
    fixtures = [fixture.pk for fixture in list_round(tournament, 1)]
    first = print_all(tournament, now)
    assert [*first, *print_all(tournament, now)] == fixtures
    again = [print_all(tournament, now + timedelta(minutes=minute), anew=True) for minute in (1, 2)]
    assert {*again[0], *again[1]} == set(fixtures), "none keeps its codes while another gets its second ones"
    page = sign_in(tournament.organiser).get(reverse("tournament-slips", args=[tournament.public_id]))
    assert "3 alla volta" in page.content.decode()


@pytest.mark.rule("O4")
@pytest.mark.both_databases
def test_printed_anew_a_slip_forgets_what_waited_and_the_log_says_what_it_was(hall: Tournament, now: datetime) -> None:
    fixture, other = list_round(hall, 1)
    first, second = print_all(hall, now)[fixture.pk]
    type_result(typed=SEVEN, **about(hall, first, now))
    type_result(typed=TypedResult((1,)), **about(hall, second, now))
    ScoreSlip.objects.filter(fixture=fixture).update(wrong_0=3, wrong_1=2)
    ScoreSlip.objects.get(fixture=other).delete()
    codes = print_all(hall, now + timedelta(minutes=1), anew=True)
    after = ScoreSlip.objects.get(fixture=fixture)
    assert (after.typed, after.typed_by, after.due_at, after.called) == ({}, None, None, "")
    assert (after.wrong_0, after.wrong_1, after.printed_at) == (0, 0, now + timedelta(minutes=1))
    assert not list_calling(hall, hall.organiser)
    logged = list(LogEntry.objects.filter(tournament=hall, code="slip_forgotten").order_by("pk"))
    details = [read_detail(entry, SlipDetail) for entry in logged]
    assert fixture.first_id is not None
    assert fixture.second_id is not None
    entries = (fixture.first_id, fixture.second_id)
    assert details == [
        SlipDetail(entries=entries, typed_by=0, score=(7, 4)),
        SlipDetail(entries=entries, typed_by=1),
    ]
    words = [describe_log_entry(entry.code, detail) for entry, detail in zip(logged, details, strict=True)]
    assert "7–4" in words[0]
    assert "forfait" in words[1]
    sweep_unconfirmed(now + timedelta(days=1))
    assert Fixture.objects.get(pk=fixture.pk).state == "ready"
    for pk in (fixture.pk, other.pk):
        slip = ScoreSlip.objects.get(fixture=pk)
        assert [slip.digest_0, slip.digest_1] == [compute_code_digest(hall, code) for code in codes[pk]]


@pytest.mark.rule("O4")
def test_the_other_confirms_beside_and_wrong_codes_are_counted_at_the_fixture(hall: Tournament, now: datetime) -> None:
    fixture, other = list_round(hall, 1)
    codes = print_all(hall, now)
    first, second = codes[fixture.pk]
    own = about(hall, first, now)
    type_result(typed=SEVEN, **own)
    assert catch_code(confirm_beside, code=codes[other.pk][0], **own) == "slip_code_elsewhere"
    assert catch_code(confirm_beside, code=first, **own) == "slip_code_own"
    for _n in range(MAX_WRONG - 2):
        assert catch_code(confirm_beside, code="AAAAAAAA", **own) == "slip_code_wrong"
    assert catch_code(confirm_beside, code=second, **own) == "slip_codes_many"
    confirm_result(seen=SEVEN, **about(hall, second, now))  # whose own telephone has typed nothing wrong
    own_other = about(hall, codes[other.pk][0], now)
    type_result(typed=SEVEN, **own_other)
    confirm_beside(code=codes[other.pk][1], **own_other)
    assert Fixture.objects.get(pk=other.pk).state == "done"


@pytest.mark.rule("O4", "O13")
def test_what_the_desk_takes_back_is_typed_anew(hall: Tournament, now: datetime) -> None:
    fixture = list_round(hall, 1)[0]
    first, _second = print_all(hall, now)[fixture.pk]
    type_result(typed=SEVEN, **about(hall, first, now))
    act = build_act(hall.organiser, now, reason="")
    set_result(tournament_id=hall.pk, fixture_id=fixture.pk, decision=Decision(points=(6, 5), winner=0), act=act)
    last = undo.find_last_entry(hall, hall.organiser)
    assert last is not None
    act = build_act(hall.organiser, now, reason="")
    undo.undo_entry(tournament_id=hall.pk, entry_id=last.pk, act=act)
    assert ScoreSlip.objects.get(fixture=fixture).typed == {}
    sweep_unconfirmed(now + timedelta(days=1))
    assert Fixture.objects.get(pk=fixture.pk).state == "ready"


@pytest.mark.rule("O4", "O9")
def test_codes_are_in_no_file_and_die_when_the_tournament_is_lent(hall: Tournament, now: datetime) -> None:
    codes = print_all(hall, now)
    file = lend_tournament(tournament_id=hall.pk, by=hall.organiser, to="Bar", now=now).decode()
    assert not any(code in file for pair in codes.values() for code in pair)
    assert not ScoreSlip.objects.exists()
