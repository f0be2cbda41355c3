"""Play-offs in files and on loan (EV11, O9): they arrive with what they decide, and nobody denies them."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import override_settings

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.desk import build_act
from tests.support.play_offs import FINAL, end_ko, open_for, read_one, write
from tests.support.tournaments import Opened
from tests.support.transfer import change_file, read_results
from tournaments.desk.results import Decision
from tournaments.formats.protocol import Slot
from tournaments.models import LogEntry, Tournament
from tournaments.play_offs import actions
from tournaments.running.recompute import find_differences
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import lend_tournament, take_in_file
from tournaments.transfer.outgoing import make_copy

ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")
pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV11", "O9")]
Change = Callable[[dict[str, Any]], object]


@arrange_once
def settled(opened: Opened, now: datetime) -> Tournament:
    """A KO of eight that is over; its third place was played for, its fifth is being played for."""
    tournament = end_ko(opened, 8, now)
    open_for(tournament, 3, now)
    write(tournament, now, (4, 7))
    open_for(tournament, 5, now)
    write(tournament, now, (7, 3), Slot(1, 2), number=2)
    tournament.refresh_from_db()
    return tournament


def test_play_offs_arrive_with_their_ranks_and_go_on_elsewhere(
    settled: Tournament, organiser: Player, now: datetime
) -> None:
    data = make_copy(settled, now)
    with ELSEWHERE:
        arrived = take_in_file(data=data, by=organiser, now=now)
    assert read_results(arrived) == read_results(settled)
    assert [len(read_one(arrived, number).results) for number in (1, 2)] == [1, 1]
    assert [read_one(arrived, number).over for number in (1, 2)] == [True, False]
    assert find_differences(arrived) == []
    write(arrived, now, (7, 3), Slot(1, 1), number=2)
    write(arrived, now, (7, 3), Slot(2, 1), number=2)
    assert sorted(arrived.entries.values_list("rank", flat=True)) == [1, 2, 3, 4, 5, 6, 7, 7]
    opened_log = LogEntry.objects.filter(tournament=arrived, code="play_off_opened").first()
    assert opened_log is not None
    assert set(opened_log.detail["entries"]) <= set(arrived.entries.values_list("pk", flat=True))


def test_a_mark_that_it_is_closed_travels(settled: Tournament, organiser: Player, now: datetime) -> None:
    actions.drop_play_off(tournament_id=settled.pk, number=2, act=build_act(organiser, now))
    actions.close_tournament(tournament_id=settled.pk, by=organiser, now=now)
    settled.refresh_from_db()
    data = make_copy(settled, now)
    with ELSEWHERE:
        arrived = take_in_file(data=data, by=organiser, now=now)
    assert arrived.closed_at == now


def test_a_file_of_before_there_were_play_offs_is_read(opened: Opened, organiser: Player, now: datetime) -> None:
    tournament = end_ko(opened, 4, now)

    def age(body: dict[str, Any]) -> None:
        del body["play_offs"]
        for name in ("closed_at", "play_offs_opened", "prizes_each"):
            del body["tournament"][name]

    data = change_file(make_copy(tournament, now), age)
    with ELSEWHERE:
        arrived = take_in_file(data=data, by=organiser, now=now)
    assert (arrived.play_offs_opened, arrived.closed_at) == (0, None)


def drop(body: dict[str, Any]) -> None:
    body["play_offs"].pop(0)


def turn(body: dict[str, Any]) -> None:
    result = body["play_offs"][0]["results"][0]
    result["winner"] = 1 - result["winner"]


def turn_points(body: dict[str, Any]) -> None:
    result = body["play_offs"][0]["results"][0]
    result.update(winner=0, points_0=7, points_1=4)


def name_nobody(body: dict[str, Any]) -> None:
    body["play_offs"][0]["entries"][0] = "nobody"


def name_twice(body: dict[str, Any]) -> None:
    entries = body["play_offs"][0]["entries"]
    entries[0] = entries[1]


def misplace(body: dict[str, Any]) -> None:
    body["play_offs"][0]["results"][0]["round"] = 7


def lengthen(body: dict[str, Any]) -> None:
    body["play_offs"][0]["length_value"] = 77


def renumber(body: dict[str, Any]) -> None:
    body["play_offs"][0]["number"] = 9


def take_points(body: dict[str, Any]) -> None:
    body["play_offs"][0]["results"][0].update(points_0=None, points_1=None)


def name_one(body: dict[str, Any]) -> None:
    del body["play_offs"][0]["entries"][1]


@pytest.mark.parametrize(
    ("forge", "code"),
    [
        (drop, "differs"),
        (turn, "refused"),
        (turn_points, "differs"),
        (name_nobody, "dangling"),
        (name_twice, "twice"),
        (misplace, "no_plan"),
        (lengthen, "refused"),
        (renumber, "out_of_range"),
        (take_points, "refused"),
        (name_one, "other_size"),
    ],
)
def test_a_forged_play_off_is_refused(
    settled: Tournament, organiser: Player, now: datetime, forge: Change, code: str
) -> None:
    data = change_file(make_copy(settled, now), forge)
    with ELSEWHERE, pytest.raises(FileRefused) as refused:
        take_in_file(data=data, by=organiser, now=now)
    assert code in {fault.code for fault in refused.value.faults}


def lend_and_play(tournament: Tournament, by: Player, now: datetime) -> bytes:
    """The file that comes back of a loan, where the second play-off was finished."""
    data = lend_tournament(tournament_id=tournament.pk, by=by, to="Sala", now=now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=by, now=now)
        write(away, now, (7, 3), Slot(1, 1), number=2)
        write(away, now, (7, 3), Slot(2, 1), number=2)
        return lend_tournament(tournament_id=away.pk, by=by, to="", now=now)


def test_what_was_played_on_loan_counts_at_home(settled: Tournament, organiser: Player, now: datetime) -> None:
    back = take_in_file(data=lend_and_play(settled, organiser, now), by=organiser, now=now)
    assert back.pk == settled.pk
    assert [len(read_one(back, number).results) for number in (1, 2)] == [1, 3]
    assert sorted(back.entries.values_list("rank", flat=True)) == [1, 2, 3, 4, 5, 6, 7, 7]
    assert find_differences(back) == []


def deny_results(body: dict[str, Any]) -> None:
    """Take a result out of the first play-off and its effect, without an act."""
    entries = {entry["id"]: entry for entry in body["entries"]}
    first, second = (entries[opaque] for opaque in body["play_offs"][0]["entries"])
    body["play_offs"][0]["results"][0].update(winner=0, points_0=7, points_1=4)
    names = ("rank", "separation")
    for name in names:
        first[name], second[name] = second[name], first[name]


def test_a_play_off_of_before_the_loan_comes_back_as_it_was_unless_the_log_says_why(
    settled: Tournament, organiser: Player, now: datetime
) -> None:
    data = change_file(lend_and_play(settled, organiser, now), deny_results)
    with pytest.raises(FileRefused) as refused:
        take_in_file(data=data, by=organiser, now=now)
    assert {(fault.code, fault.place) for fault in refused.value.faults} == {("no_act", "play_offs[1]")}


def test_a_change_on_loan_with_its_reason_is_taken(settled: Tournament, organiser: Player, now: datetime) -> None:
    data = lend_tournament(tournament_id=settled.pk, by=organiser, to="Sala", now=now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=organiser, now=now)
        act = build_act(away.organiser, now)
        decision = Decision(points=(7, 4), winner=0)
        actions.set_result(tournament_id=away.pk, number=1, slot=FINAL, decision=decision, act=act)
        actions.drop_play_off(tournament_id=away.pk, number=2, act=act)
        back = lend_tournament(tournament_id=away.pk, by=organiser, to="", now=now)
    home = take_in_file(data=back, by=organiser, now=now)
    first, second = read_one(home).entries
    ranks = dict(home.entries.values_list("pk", "rank"))
    assert (ranks[first], ranks[second]) == (3, 4)
    assert home.play_offs.count() == 1
    assert home.play_offs_opened == 2
