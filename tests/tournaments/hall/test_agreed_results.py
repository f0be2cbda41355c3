"""Agreed points of the organiser's own match, at real tables (O13): they wait for the other side, and are marked."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.desk import build_act, raises_refusal, send_act
from tests.support.html import read_attribute, read_hooks
from tests.support.people import sign_in
from tests.support.play import stored_equals_recomputed
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import Opened, catch_code
from tournaments import sweep
from tournaments.core.log_details import ResultActDetail, read_detail
from tournaments.desk import results
from tournaments.desk.results import Decision
from tournaments.hall import own_results
from tournaments.hall.phone_results import TypedResult, confirm_result, object_to_result, type_result
from tournaments.hall.slip_codes import MAX_WRONG, compute_code_digest, print_slips
from tournaments.models import Fixture, LogEntry, Referee, ScoreSlip, Tournament
from tournaments.venues import SITE

EIGHT = TypedResult((), Decision(points=(8, 3), winner=0))

pytestmark = pytest.mark.django_db


@arrange_once
def playing(opened: Opened, organiser: Player, referee: Player, now: datetime) -> Tournament:
    """A girone of four at real tables; its organiser plays in the first fixture, and somebody else referees it."""
    tournament = draw_real(opened, 4, now)
    Referee.objects.create(tournament=tournament, player=referee)
    own = list_round(tournament, 1)[0].first
    assert own is not None
    member = own.members.get()
    member.person = tournament.organiser.person
    member.save()
    return tournament


def enter(tournament: Tournament, fixture: Fixture, now: datetime, **decided: Any) -> None:
    own_results.enter_agreed_result(
        tournament_id=tournament.pk,
        fixture_id=fixture.pk,
        decision=Decision(**{"points": (8, 3), "winner": 0, **decided}),
        act=build_act(tournament.organiser, now, reason=""),
    )


@pytest.mark.rule("O13", "F1")
def test_the_organiser_enters_what_both_agree_on_and_nothing_after_it(playing: Tournament, now: datetime) -> None:
    own, _other = list_round(playing, 1)
    with raises_refusal("plays_there"):
        results.set_result(
            tournament_id=playing.pk,
            fixture_id=own.pk,
            decision=Decision(points=(8, 3), winner=0),
            act=build_act(playing.organiser, now),
        )
    for decided in ({"decided_by": "forfeit"}, {"vp": (15, 5)}):
        with raises_refusal("plays_there"):
            enter(playing, own, now, **decided)
    enter(playing, own, now)
    own.refresh_from_db()
    assert (own.points_0, own.points_1, own.ruled) == (8, 3, False)
    assert LogEntry.objects.get(tournament=playing, code="ruling_agreed").player == playing.organiser
    assert stored_equals_recomputed(playing)
    with raises_refusal("plays_there"):
        enter(playing, own, now, points=(9, 2))
    with raises_refusal("plays_there"):
        results.annul_result(tournament_id=playing.pk, fixture_id=own.pk, act=build_act(playing.organiser, now))


@pytest.mark.rule("O13", "F1")
def test_on_the_site_nobody_enters_their_own_result(playing: Tournament, referee: Player, now: datetime) -> None:
    own, _other = list_round(playing, 1)
    Tournament.objects.filter(pk=playing.pk).update(venue=SITE)
    with raises_refusal("plays_there"):
        enter(playing, own, now)


@pytest.mark.rule("O13")
def test_it_counts_once_the_other_side_has_read_it_and_is_marked(playing: Tournament, client: Client) -> None:
    own, _other = list_round(playing, 1)
    assert playing.organiser.user is not None
    client.force_login(playing.organiser.user)
    page = f"/tornei/{playing.public_id}/arbitro/{own.pk}/"
    assert "atto-punti-concordati" in read_attribute(client.get(page), "id")
    sent = {"what": "punti-concordati", "points_0": "8", "points_1": "3", "winner": ""}
    assert send_act(client, page, sent).status_code == 200
    own.refresh_from_db()
    assert own.result_at is None, "nobody has read it"
    assert send_act(client, page, sent | {"read": "on"}).status_code == 302
    own.refresh_from_db()
    assert own.points_0 == 8
    assert "ruling_agreed" in read_hooks(Client().get(f"/tornei/{playing.public_id}/"), "log")
    assert "atto-punti-concordati" not in read_attribute(client.get(page), "id")


def type_own(tournament: Tournament, fixture: Fixture, now: datetime, **decided: Any) -> None:
    own_results.type_own_result(
        tournament_id=tournament.pk,
        fixture_id=fixture.pk,
        decision=Decision(**{"points": (8, 3), "winner": 0, **decided}),
        act=build_act(tournament.organiser, now, reason=""),
    )


def print_own(tournament: Tournament, fixture: Fixture, by: Player, now: datetime) -> tuple[str, str]:
    """Print the slips of a fixture, and return its codes."""
    (printed,) = print_slips(tournament_id=tournament.pk, by=by, now=now, fixture_id=fixture.pk)
    return printed.codes


def about(tournament: Tournament, code: str, now: datetime) -> dict[str, Any]:
    return {"tournament_id": tournament.pk, "digest": compute_code_digest(tournament, code), "now": now}


@pytest.mark.rule("O13", "F1")
def test_nobody_prints_the_slips_of_their_own_match(playing: Tournament, referee: Player, now: datetime) -> None:
    own, other = list_round(playing, 1)
    about_print: dict[str, Any] = {"tournament_id": playing.pk, "by": playing.organiser, "now": now}
    assert [one.fixture.pk for one in print_slips(anew=True, **about_print)] == [other.pk]
    assert catch_code(print_slips, fixture_id=own.pk, **about_print) == "plays_there"
    assert catch_code(print_slips, **about_print) == "slips_none"
    address = f"/tornei/{playing.public_id}/stampa/segnapunti/"
    page = sign_in(playing.organiser).get(address)
    assert "own_slips" in read_hooks(page, "note")
    assert str(own.pk) not in read_attribute(page, "value", "option")
    theirs = sign_in(referee)
    page = theirs.get(address)
    assert "own_slips" not in read_hooks(page, "note")
    assert "minutes" not in read_hooks(page, "action"), "how long one waits is the organiser's"
    theirs.post(address, {"minutes": "1"})
    playing.refresh_from_db()
    assert playing.confirm_minutes == 10
    assert len(theirs.post(address, {"which": "new"}).context["slips"]) == 2


@pytest.mark.rule("O13")
def test_what_the_organiser_types_waits_for_the_others_code_and_is_marked(
    playing: Tournament, referee: Player, now: datetime
) -> None:
    own, other = list_round(playing, 1)
    type_own(playing, own, now)
    codes = print_own(playing, own, referee, now)  # the first print: what the desk has typed stays
    assert ScoreSlip.objects.get(fixture=own).typed_by == 0
    for slip_id in sweep.list_due_slips(now + timedelta(days=1)):
        sweep.enter_unconfirmed(slip_id, now + timedelta(days=1))
    assert Fixture.objects.get(pk=own.pk).state == "ready", "alone it never enters"
    confirm_result(seen=EIGHT, **about(playing, codes[1], now))
    own.refresh_from_db()
    assert (own.points_0, own.points_1, own.ruled, own.unconfirmed) == (8, 3, False, False)
    logged = LogEntry.objects.get(tournament=playing, code="ruling_agreed")
    assert logged.player == playing.organiser
    assert read_detail(logged, ResultActDetail).typed_by == 0
    assert stored_equals_recomputed(playing)
    with raises_refusal("not_entered"):
        type_own(playing, other, now)


@pytest.mark.rule("O13", "F1")
def test_something_else_from_a_telephone_is_another_referees(
    playing: Tournament, referee: Player, now: datetime
) -> None:
    own, _other = list_round(playing, 1)
    _first, second = print_own(playing, own, referee, now)
    type_own(playing, own, now)
    type_result(typed=TypedResult((), Decision(points=(9, 2), winner=0)), **about(playing, second, now))
    assert ScoreSlip.objects.get(fixture=own).called == "different"
    for call in (type_own, enter):
        with raises_refusal("plays_there"):
            call(playing, own, now)
    page = sign_in(playing.organiser).get(f"/tornei/{playing.public_id}/arbitro/{own.pk}/")
    assert "atto-punti-concordati" not in read_attribute(page, "id")
    type_result(typed=EIGHT, **about(playing, second, now))  # it was a slip of the finger
    own.refresh_from_db()
    assert own.points_0 == 8
    assert LogEntry.objects.filter(tournament=playing, code="ruling_agreed").count() == 1


@pytest.mark.rule("O13", "F1")
def test_what_the_other_side_has_typed_is_not_read_and_confirmed_away(
    playing: Tournament, referee: Player, now: datetime
) -> None:
    own, _other = list_round(playing, 1)
    _first, second = print_own(playing, own, referee, now)
    type_result(typed=TypedResult((), Decision(points=(9, 2), winner=0)), **about(playing, second, now))
    with raises_refusal("slip_changed"):
        enter(playing, own, now)
    type_own(playing, own, now, points=(9, 2))  # the same is agreement
    assert Fixture.objects.get(pk=own.pk).points_0 == 9


def read_own_row(tournament: Tournament, fixture: Fixture) -> Any:
    page = sign_in(tournament.organiser).get(f"/tornei/{tournament.public_id}/risultati/").context["page"]
    return next(row for row in page.rows if row.fixture.id == fixture.pk)


@pytest.mark.rule("O13", "F1")
def test_an_objection_closes_the_match_to_who_plays_in_it(playing: Tournament, referee: Player, now: datetime) -> None:
    own, _other = list_round(playing, 1)
    _first, second = print_own(playing, own, referee, now)
    type_own(playing, own, now)
    object_to_result(**about(playing, second, now))
    with raises_refusal("plays_there"):
        type_own(playing, own, now, points=(9, 2))
    row = read_own_row(playing, own)
    assert (row.form, row.own) == (None, None)


@pytest.mark.rule("O13", "O4")
def test_on_the_page_of_quick_entry_the_other_side_confirms_with_its_code(
    playing: Tournament, referee: Player, now: datetime
) -> None:
    own, other = list_round(playing, 1)
    client, address = sign_in(playing.organiser), f"/tornei/{playing.public_id}/risultati/"
    typed = {"part": "1", "fixture": own.pk, "points_0": "8", "points_1": "3", "how": ""}
    assert client.get(address).context["page"].next_id == own.pk
    assert client.post(address, typed | {"how": "1:forfeit"}).status_code == 422
    answer = client.post(address, typed)
    assert answer.status_code == 200
    assert "own_waits" in read_hooks(answer, "note")
    assert client.get(address).context["page"].next_id == other.pk
    rows = sign_in(referee).get(address).context["page"].rows
    (seen,) = [one for row in rows if row.fixture.id == own.pk for one in row.typed]
    assert seen.at_desk, "another desk reads where it was typed"
    first, second = print_own(playing, own, referee, now)
    confirm = {"part": "1", "fixture": own.pk, "what": "code"}
    for wrong in (first, "AAAABBBB", ""):
        refused = client.post(address, confirm | {"code": wrong})
        assert refused.status_code == 422
        assert refused.context["row"].own is not None, "what was typed is still there"
    assert sum(map(ScoreSlip.objects.get(fixture=own).get_wrong, (0, 1))) == 3
    assert client.post(address, confirm | {"code": second.lower()}).status_code == 200
    own.refresh_from_db()
    assert own.points_0 == 8
    page = Client().get(f"/tornei/{playing.public_id}/")
    assert "ruling_agreed" in read_hooks(page, "log")
    assert second not in page.content.decode()


@pytest.mark.rule("O13", "O4")
def test_alone_at_the_desk_the_other_side_reads_it_there(playing: Tournament, now: datetime) -> None:
    own, _other = list_round(playing, 1)
    client, address = sign_in(playing.organiser), f"/tornei/{playing.public_id}/risultati/"
    client.post(address, {"fixture": own.pk, "points_0": "8", "points_1": "3", "how": ""})
    for _n in range(MAX_WRONG + 1):
        client.post(address, {"fixture": own.pk, "what": "code", "code": "AAAABBBB"})
    assert ScoreSlip.objects.get(fixture=own).printed_at is None
    seen = read_own_row(playing, own).own.seen
    assert client.post(address, {"fixture": own.pk, "what": "read", "seen": "x"}).status_code == 200
    assert Fixture.objects.get(pk=own.pk).state == "ready", "something else was read"
    client.post(address, {"fixture": own.pk, "what": "read", "seen": seen})
    own.refresh_from_db()
    assert (own.state, own.points_0) == ("done", 8)
    assert read_detail(LogEntry.objects.get(code="ruling_agreed"), ResultActDetail).typed_by is None
