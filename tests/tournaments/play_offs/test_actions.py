"""Play-offs for a rank (EV11) at real tables: opened, played, corrected, and what follows them."""

from datetime import datetime
from hashlib import sha256
from typing import Any

import pytest

from games.engine.game import Length
from tests.support.arrangements import arrange_once
from tests.support.desk import WHY, build_act, raises_refusal
from tests.support.people import create_person
from tests.support.play_offs import (
    FINAL,
    decide,
    end_girone,
    end_ko,
    list_sharing,
    open_for,
    read_one,
    read_ranks,
    write,
)
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import GIRONE, KO, Opened
from tests.support.transfer import finish
from tournaments.core.log_details import PlayOffDetail, read_detail
from tournaments.core.reads import read_entries
from tournaments.desk import results
from tournaments.fees import actions as fees
from tournaments.fees.queries import read_shares
from tournaments.fees.shares import Prize
from tournaments.formats.protocol import Slot
from tournaments.models import Fixture, LogEntry, PlayOff, PlayOffResult, Referee, Tournament
from tournaments.play_offs import actions
from tournaments.running.recompute import find_differences

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV11")]

LENGTH = Length("points", 11)


@arrange_once
def knockout(opened: Opened, now: datetime) -> Tournament:
    """A KO of four that is over, with two third ex aequo."""
    return end_ko(opened, 4, now)


def test_the_winner_of_one_match_is_third_alone_and_nothing_of_the_tournament_counts_it(
    knockout: Tournament, now: datetime
) -> None:
    sums = list(knockout.entries.order_by("pk").values_list("played", "won", "vp", "mp"))
    fixtures, rounds = Fixture.objects.of(knockout).count(), knockout.rounds.count()
    before = read_ranks(knockout)
    open_for(knockout, 3, now)
    assert read_ranks(knockout) == before
    first, second = read_one(knockout).entries
    write(knockout, now, (4, 7))
    assert read_ranks(knockout) == {**before, second: 3, first: 4}
    assert list(knockout.entries.order_by("pk").values_list("played", "won", "vp", "mp")) == sums
    assert (Fixture.objects.of(knockout).count(), knockout.rounds.count()) == (fixtures, rounds)
    assert knockout.entries.get(pk=second).separation == {"code": "play_off", "own": 1, "next": 2}
    assert find_differences(knockout) == []
    knockout.refresh_from_db()
    assert knockout.state == Tournament.State.FINISHED


def test_its_bracket_is_drawn_by_the_published_lot_whoever_asks_and_however_often(
    opened: Opened, now: datetime
) -> None:
    tournament = end_ko(opened, 7, now)
    level = list_sharing(tournament, 5)
    assert len(level) == 3
    texts = {entry.pk: f"{tournament.lot}/play-off/{entry.seed}" for entry in level}
    drawn = sorted(texts, key=lambda pk: sha256(texts[pk].encode()).hexdigest())
    open_for(tournament, 5, now)
    play_off = read_one(tournament)
    assert list(play_off.entries) == drawn
    kinds = [(str(one.kind), one.slot) for one in play_off.bracket.pairings]
    assert kinds == [("bye", Slot(1, 1)), ("match", Slot(1, 2)), ("match", Slot(2, 1))]
    actions.drop_play_off(tournament_id=tournament.pk, number=1, act=build_act(tournament.organiser, now))
    tournament.refresh_from_db()
    assert open_for(tournament, 5, now) == 2
    assert list(read_one(tournament, 2).entries) == drawn


def test_a_small_knock_out_ranks_as_one_and_who_lost_its_semifinals_may_play_again(
    opened: Opened, now: datetime
) -> None:
    tournament = end_ko(opened, 8, now)
    open_for(tournament, 5, now)
    one = read_one(tournament)
    write(tournament, now, (7, 3), Slot(1, 1))
    assert {entry.rank for entry in list_sharing(tournament, 5)} == {5}, "only a play-off that is over counts"
    write(tournament, now, (2, 7), Slot(1, 2))
    write(tournament, now, (7, 6), Slot(2, 1))
    a, b, c, d = (one.entries[number - 1] for number in (1, 4, 2, 3))  # board 1: 1-4, board 2: 2-3
    ranks = read_ranks(tournament)
    assert (ranks[a], ranks[d], ranks[b], ranks[c]) == (5, 6, 7, 7)
    assert open_for(tournament, 7, now) == 2
    again = read_one(tournament, 2)
    assert set(again.entries) == {b, c}
    write(tournament, now, (7, 1), number=2)
    ranks = read_ranks(tournament)
    assert [ranks[pk] for pk in again.entries] == [7, 8]
    assert find_differences(tournament) == []


def test_two_ranks_may_be_played_for_at_once_but_one_entry_plays_for_one(opened: Opened, now: datetime) -> None:
    tournament = end_ko(opened, 8, now)
    open_for(tournament, 3, now)
    open_for(tournament, 5, now)
    with raises_refusal("play_off_running"):
        open_for(tournament, 3, now)


def test_a_play_off_is_without_effect_while_its_entries_share_no_rank(opened: Opened, now: datetime) -> None:
    tournament = end_girone(opened, 3, now)
    assert {entry.rank for entry in tournament.entries.all()} == {1}
    open_for(tournament, 1, now)
    write(tournament, now, (11, 4), Slot(1, 2))
    write(tournament, now, (11, 4), Slot(2, 1))
    settled = read_ranks(tournament)
    assert sorted(settled.values()) == [1, 2, 3]  # type: ignore[type-var]
    fixture = Fixture.objects.of(tournament).filter(second__isnull=False).order_by("round__number").first()
    assert fixture is not None
    decide(tournament, fixture, now, 11, 3)
    assert find_differences(tournament) == []
    assert "play_off" not in str(list(tournament.entries.values_list("separation", flat=True)))
    decide(tournament, fixture, now, 11, 11)
    assert read_ranks(tournament) == settled


def test_the_reason_and_the_prize_follow_the_play_off(knockout: Tournament, now: datetime) -> None:
    prizes = [Prize(0), Prize(0), Prize(40, "un prosciutto"), Prize(20, "un salame")]
    fees.set_fees(tournament_id=knockout.pk, by=knockout.organiser, fee_cents=0, prizes=prizes, now=now)
    open_for(knockout, 3, now)
    first, second = read_one(knockout).entries
    write(knockout, now, (4, 7))
    knockout.refresh_from_db()
    rows = {row.entry.entry_id: row.share for row in read_shares(knockout, read_entries(knockout))}
    assert (rows[second].cents, rows[second].what) == (40, ("un prosciutto",))
    assert (rows[first].cents, rows[first].what) == (20, ("un salame",))
    assert {thing.by for share in rows.values() for thing in share.things} == {"place"}


def test_both_who_forfeit_stay_level_and_one_who_forfeits_is_behind(knockout: Tournament, now: datetime) -> None:
    open_for(knockout, 3, now)
    about = {"tournament_id": knockout.pk, "number": 1, "slot": FINAL}
    actions.declare_forfeit(sides=(0, 1), act=build_act(knockout.organiser, now, ""), **about)
    assert len(list_sharing(knockout, 3)) == 2
    assert read_one(knockout).over
    actions.declare_forfeit(sides=(0,), act=build_act(knockout.organiser, now), **about)
    first, second = read_one(knockout).entries
    assert (read_ranks(knockout)[second], read_ranks(knockout)[first]) == (3, 4)
    with raises_refusal("no_such_line"):
        actions.declare_forfeit(sides=(2,), act=build_act(knockout.organiser, now), **about)


def test_a_change_needs_a_reason_and_is_refused_while_others_depend_on_it(opened: Opened, now: datetime) -> None:
    tournament = end_ko(opened, 8, now)
    open_for(tournament, 5, now)
    write(tournament, now, (7, 3), Slot(1, 1))
    with raises_refusal("reason_missing"):
        write(tournament, now, (3, 7), Slot(1, 1))
    write(tournament, now, (3, 7), Slot(1, 1), reason=WHY)
    write(tournament, now, (7, 3), Slot(1, 2))
    write(tournament, now, (7, 3), Slot(2, 1))
    with raises_refusal("play_off_depended_on"):
        write(tournament, now, (7, 3), Slot(1, 1), reason=WHY)
    write(tournament, now, (5, 7), Slot(1, 1), reason=WHY)  # the same goes on
    about = {"tournament_id": tournament.pk, "number": 1, "act": build_act(tournament.organiser, now)}
    with raises_refusal("play_off_depended_on"):
        actions.take_result_back(slot=Slot(1, 2), **about)
    actions.take_result_back(slot=Slot(2, 1), **about)
    assert len(list_sharing(tournament, 5)) == 4
    actions.take_result_back(slot=Slot(1, 2), **about)
    with raises_refusal("no_such_play_off_match"):
        actions.take_result_back(slot=Slot(1, 2), **about)
    assert PlayOffResult.objects.count() == 1
    codes = list(LogEntry.objects.filter(code__startswith="play_off").order_by("pk").values_list("code", flat=True))
    assert codes[:3] == ["play_off_opened", "play_off_result", "play_off_changed"]


def test_a_change_beyond_a_bye_depends_on_what_was_played_there(opened: Opened, now: datetime) -> None:
    tournament = end_ko(opened, 8, now)
    open_for(tournament, 5, now)
    about = {"tournament_id": tournament.pk, "number": 1}
    act = build_act(tournament.organiser, now)
    actions.declare_forfeit(slot=Slot(1, 1), sides=(0, 1), act=act, **about)
    write(tournament, now, (7, 3), Slot(1, 2))
    one = read_one(tournament)
    assert one.over, "who is alone in the final has won"
    actions.take_result_back(slot=Slot(1, 1), act=act, **about)
    assert not read_one(tournament).over


def test_what_cant_be_is_refused_with_its_reason(opened: Opened, knockout: Tournament, now: datetime) -> None:
    act = build_act(knockout.organiser, now)
    ids = [entry.pk for entry in list_sharing(knockout, 3)]
    about: dict[str, Any] = {"tournament_id": knockout.pk, "act": act}
    with raises_refusal("play_off_rank"):
        actions.open_play_off(entry_ids=[*ids, list_sharing(knockout, 1)[0].pk], length=LENGTH, **about)
    with raises_refusal("play_off_rank"):
        actions.open_play_off(entry_ids=ids[:1], length=LENGTH, **about)
    with raises_refusal("play_off_size"):
        actions.open_play_off(entry_ids=[list_sharing(knockout, 1)[0].pk], length=LENGTH, **about)
    with raises_refusal("play_off_rank"):
        actions.open_play_off(entry_ids=[], length=LENGTH, **about)
    with raises_refusal("play_off_length"):
        actions.open_play_off(entry_ids=ids, length=Length("deals", 77), **about)
    with raises_refusal("no_such_play_off"):
        write(knockout, now, (7, 3))
    open_for(knockout, 3, now)
    with raises_refusal("no_such_play_off_match"):
        write(knockout, now, (7, 3), Slot(2, 1))
    with raises_refusal("points_many"):
        write(knockout, now, (77, 3))
    with raises_refusal("reason_missing"):
        actions.drop_play_off(tournament_id=knockout.pk, number=1, act=build_act(knockout.organiser, now, ""))
    with raises_refusal("not_referee"):
        write(knockout, now, (7, 3), by=create_person("Ugo", now))


def test_nine_who_share_a_rank_are_too_many(opened: Opened, now: datetime) -> None:
    tournament = end_ko(opened, 25, now)
    with raises_refusal("play_off_size"):
        open_for(tournament, 17, now)


def test_no_play_off_before_the_end_nor_where_tables_are_the_sites(opened: Opened, now: datetime) -> None:
    running = draw_real(opened, 4, now, GIRONE)
    about: dict[str, Any] = {"length": LENGTH, "act": build_act(running.organiser, now)}
    ids = list(running.entries.values_list("pk", flat=True))
    with raises_refusal("play_off_not_over"):
        actions.open_play_off(tournament_id=running.pk, entry_ids=ids, **about)
    on_site = opened(KO)
    with raises_refusal("not_running"):
        actions.open_play_off(tournament_id=on_site.pk, entry_ids=ids, **about)
    Tournament.objects.filter(pk=on_site.pk).update(state=Tournament.State.FINISHED)
    with raises_refusal("play_offs_elsewhere"):
        actions.open_play_off(tournament_id=on_site.pk, entry_ids=ids, **about)


@pytest.mark.rule("F1")
def test_a_referee_decides_on_no_match_of_their_own(knockout: Tournament, now: datetime) -> None:
    referee = create_person("Rosa", now)
    Referee.objects.create(tournament=knockout, player=referee)
    open_for(knockout, 3, now)
    member = knockout.members.get(entry=read_one(knockout).entries[0])
    member.person = referee.person
    member.save()
    with raises_refusal("plays_there"):
        write(knockout, now, (7, 3), by=referee)
    write(knockout, now, (7, 3))
    with raises_refusal("plays_there"):
        actions.drop_play_off(tournament_id=knockout.pk, number=1, act=build_act(referee, now))


def test_an_act_sent_twice_is_done_once(knockout: Tournament, now: datetime) -> None:
    ids = [entry.pk for entry in list_sharing(knockout, 3)]
    about: dict[str, Any] = {"tournament_id": knockout.pk, "length": LENGTH, "entry_ids": ids}
    act = build_act(knockout.organiser, now, key="once")
    assert actions.open_play_off(act=act, **about) == 1
    assert actions.open_play_off(act=act, **about) is None
    assert PlayOff.objects.count() == 1
    entry = LogEntry.objects.get(code="play_off_opened")
    assert set(read_detail(entry, PlayOffDetail).entries) == set(ids)


def test_a_tournament_that_is_closed_has_no_more_play_offs_until_it_is_open_again(
    knockout: Tournament, now: datetime
) -> None:
    about: dict[str, Any] = {"tournament_id": knockout.pk, "by": knockout.organiser, "now": now}
    with raises_refusal("not_closed"):
        actions.reopen_tournament(**about)
    open_for(knockout, 3, now)
    with raises_refusal("play_off_running"):
        actions.close_tournament(**about)
    write(knockout, now, (7, 3))
    with raises_refusal("not_organiser"):
        actions.close_tournament(**{**about, "by": create_person("Ugo", now)})
    actions.close_tournament(**about)
    knockout.refresh_from_db()
    assert (knockout.state, knockout.closed_at) == (Tournament.State.FINISHED, now)
    with raises_refusal("closed_already"):
        actions.close_tournament(**about)
    with raises_refusal("play_off_closed"):
        write(knockout, now, (3, 7), reason=WHY)
    actions.reopen_tournament(**about)
    write(knockout, now, (3, 7), reason=WHY)


def test_a_tournament_that_is_played_on_is_closed_no_more(knockout: Tournament, now: datetime) -> None:
    actions.close_tournament(tournament_id=knockout.pk, by=knockout.organiser, now=now)
    final = list_round(knockout, 2)[0]
    act = build_act(knockout.organiser, now)
    results.order_replay(tournament_id=knockout.pk, fixture_id=final.pk, act=act)
    knockout.refresh_from_db()
    assert (knockout.state, knockout.closed_at) == (Tournament.State.RUNNING, None)
    with raises_refusal("close_not_over"):
        actions.close_tournament(tournament_id=knockout.pk, by=knockout.organiser, now=now)


@pytest.mark.rule("Y4")
def test_points_follow_a_play_off_at_once(opened: Opened, now: datetime) -> None:
    tournament = end_ko(opened, 8, now)
    points = dict(tournament.points.values_list("entry", "points"))
    open_for(tournament, 3, now)
    write(tournament, now, (7, 3))
    first, second = read_one(tournament).entries
    after = dict(tournament.points.values_list("entry", "points"))
    assert points[first] == points[second]
    assert after[first] > points[first] > after[second]  # type: ignore[operator]


@pytest.mark.parametrize(("name", "size"), [("gironi", 8), ("doppio", 9)])
def test_a_play_off_settles_a_shared_rank_whatever_the_format(
    opened: Opened, now: datetime, name: str, size: int
) -> None:
    tournament = draw_real(opened, size, now, KO, format=name, min_entries=4)
    finish(tournament, tournament.organiser, now)
    tournament.refresh_from_db()
    ranks = list(tournament.entries.order_by("rank").values_list("rank", flat=True))
    shared = next(rank for rank in ranks if ranks.count(rank) == 2)
    open_for(tournament, shared or 0, now)
    first, second = read_one(tournament).entries
    write(tournament, now, (3, 5))
    assert shared is not None
    assert (read_ranks(tournament)[second], read_ranks(tournament)[first]) == (shared, shared + 1)
    assert find_differences(tournament) == []
