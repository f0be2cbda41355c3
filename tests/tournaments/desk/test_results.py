"""Referee's decisions about fixtures (F1-F3): results, annulments, replays, forfeits, and refusals."""

from dataclasses import replace
from datetime import datetime

import pytest
from django.test import Client

from games.models import Match, Seat
from games.services import settlement
from games.signals import match_finished
from players.models import Player
from tests.support.desk import WHY, build_act, raises_refusal, read_fixture, send_act, start_refereed
from tests.support.entries import enter_all
from tests.support.html import read_hooks
from tests.support.play import (
    OPENING,
    entry_of,
    only_one_comes,
    open_ready,
    play,
    ready,
    rounds_played,
    sit_down,
    stored_equals_recomputed,
)
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.desk.results import Decision, annul_result, declare_forfeit, order_replay, set_result
from tournaments.models import Entry, Fixture, LogEntry, Referee, Tournament
from tournaments.organise import lifecycle
from tournaments.running import tables, withdraw
from tournaments.running.recompute import find_differences
from tournaments.running.results import record_result

# The result of a match is passed on after its commit, in a transaction of its own.
pytestmark = [pytest.mark.django_db]

State = Tournament.State


def results(tournament: Tournament) -> list[tuple[object, ...]]:
    names = ("winner", "points_0", "points_1", "vp_0", "vp_1", "state", "annulled", "match_id")
    return list(Fixture.objects.with_results().of(tournament).order_by("pk").values_list(*names))


def test_a_result_set_by_a_referee_stops_the_match_and_stands_f2_f3(
    cup: Tournament, referee: Player, now: datetime
) -> None:
    match, _other = open_ready(cup, now + OPENING)
    sit_down(match, now + OPENING)
    fixture = read_fixture(match)
    decision = Decision(points=(3, 8), winner=1)
    set_result(tournament_id=cup.pk, fixture_id=fixture.pk, decision=decision, act=build_act(referee, now))
    fixture.refresh_from_db()
    match.refresh_from_db()
    assert (fixture.state, fixture.winner, fixture.points_0, fixture.points_1) == ("done", 1, 3, 8)
    assert (fixture.ruled, fixture.vp_0, match.stopped_at) == (True, None, now)
    assert not Seat.objects.filter(match=match, live=True).exists()
    assert not record_result(match_id=match.pk, now=now), "a late result changes nothing"
    match_finished.send(sender=Match, match_id=match.pk, now=now)
    fixture.refresh_from_db()
    assert (fixture.winner, fixture.points_1) == (1, 8)
    entry = LogEntry.objects.get(tournament=cup, code="ruling_result")
    assert (entry.player, entry.at, entry.detail["reason"]) == (referee, now, WHY)
    assert entry.detail["before"]["playing"]
    after = entry.detail["after"]["result"]
    assert (after["points"], after["winner"]) == ([3, 8], 1)
    assert stored_equals_recomputed(cup)


def test_a_result_of_a_girone_is_worth_what_the_table_says_or_what_is_written_v2_f2(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = start_refereed(opened, four, referee, now, replace(GIRONE, length_value=2))
    (match, other) = open_ready(tournament, now + OPENING)
    play(match, now + OPENING)
    fixture, second = read_fixture(match), read_fixture(other)

    def rule(which: Fixture, decision: Decision) -> None:
        set_result(tournament_id=tournament.pk, fixture_id=which.pk, decision=decision, act=build_act(referee, now))
        which.refresh_from_db()
        assert stored_equals_recomputed(tournament)

    rule(fixture, Decision(points=(16, 6), winner=0))
    assert (fixture.mp_0, fixture.mp_1, fixture.vp_0, fixture.vp_1) == (10, -10, 15, 5)
    rule(fixture, Decision(points=(16, 6), winner=0, vp=(12, 6), mp=(2, -4)))
    assert (fixture.mp_0, fixture.mp_1, fixture.vp_0, fixture.vp_1) == (2, -4, 12, 6)
    rule(second, Decision(points=(11, 11), winner=None))
    assert (second.vp_0, second.vp_1) == (10, 10)
    assert {row.round.number for row in ready(tournament)} == {2}


@pytest.mark.parametrize(
    ("decision", "code"),
    [
        (Decision(points=(3, 3), winner=None), "ko_needs_winner"),
        (Decision(points=(-1, 3), winner=1), "no_such_result"),
        (Decision(points=(1, 3), winner=2), "no_such_result"),
        (Decision(points=(1000, 3), winner=0), "no_such_result"),
    ],
)
def test_a_result_that_cannot_be_is_refused_k3(
    cup: Tournament, referee: Player, now: datetime, decision: Decision, code: str
) -> None:
    match, _other = open_ready(cup, now + OPENING)
    with raises_refusal(code):
        set_result(
            tournament_id=cup.pk,
            fixture_id=read_fixture(match).pk,
            decision=decision,
            act=build_act(referee, now),
        )
    match.refresh_from_db()
    assert match.stopped_at is None


@pytest.mark.parametrize(
    ("decision", "code"),
    [
        (Decision(points=(4, 3), winner=None), "draw_uneven"),
        (Decision(points=(4, 3), winner=0, vp=(15, 6)), "vp_range"),
        (Decision(points=(4, 3), winner=0, vp=(-1, 0)), "vp_range"),
        (Decision(points=(4, 3), winner=0, vp=(5, 15)), "vp_to_the_loser"),
        (Decision(points=(4, 3), winner=0, mp=(5000, 0)), "no_such_result"),
    ],
)
def test_vp_beyond_what_a_match_has_are_refused_v2(
    girone: Tournament, referee: Player, now: datetime, decision: Decision, code: str
) -> None:
    with raises_refusal(code):
        set_result(
            tournament_id=girone.pk,
            fixture_id=ready(girone)[0].pk,
            decision=decision,
            act=build_act(referee, now),
        )


@pytest.mark.parametrize(
    "decision",
    [
        Decision(points=(7, 4), winner=0, vp=(10, 10)),
        Decision(points=(7, 4), winner=0, vp=(20, 0)),
        Decision(points=(7, 4), winner=0, vp=(0, 0)),
        Decision(points=(7, 4), winner=0, vp=(12, 8), mp=(999, -999)),
    ],
)
def test_vp_at_the_ends_of_what_a_match_has_are_taken_v2(
    girone: Tournament, referee: Player, now: datetime, decision: Decision
) -> None:
    fixture = ready(girone)[0]
    set_result(tournament_id=girone.pk, fixture_id=fixture.pk, decision=decision, act=build_act(referee, now))
    fixture.refresh_from_db()
    assert (fixture.winner, (fixture.vp_0, fixture.vp_1)) == (0, decision.vp)
    assert decision.mp is None or (fixture.mp_0, fixture.mp_1) == decision.mp


FOUR_DEALS = replace(GIRONE, length_value=4)
CALLED_OUT = replace(GIRONE, length_kind="points", length_value=21, options={"vinco_subito": True})
PERDERE = replace(GIRONE, ruleset="tresette-a-perdere")


@pytest.mark.rule("F2", "V1", "G7", "A2")
@pytest.mark.parametrize(
    ("girone", "decision", "code"),
    [
        (FOUR_DEALS, Decision(points=(30, 14), winner=1), "way_missing"),
        (FOUR_DEALS, Decision(points=(44, 500), winner=1), "points_many"),
        (FOUR_DEALS, Decision(points=(30, 15), winner=0), "points_total"),
        (FOUR_DEALS, Decision(points=(22, 22), winner=0), "level_is_draw"),
        (FOUR_DEALS, Decision(points=(30, 14), winner=1, decided_by="called_out"), "way_impossible"),
        (FOUR_DEALS, Decision(points=(44, 45), winner=1, decided_by="forfeit"), "points_many"),
        (CALLED_OUT, Decision(points=(20, 13), winner=0), "points_few"),
        (CALLED_OUT, Decision(points=(21, 23), winner=0), "way_missing"),
        (CALLED_OUT, Decision(points=(20, 24), winner=0, decided_by="called_out"), "way_impossible"),
        (CALLED_OUT, Decision(points=(43, 1), winner=0), "points_many"),
        (PERDERE, Decision(points=(8, 3), winner=0), "way_missing"),
        (KO, Decision(points=(9, 9), winner=None), "ko_needs_winner"),
    ],
    indirect=["girone"],
)
def test_points_that_cannot_be_are_refused_with_the_reason(
    girone: Tournament, referee: Player, now: datetime, decision: Decision, code: str
) -> None:
    with raises_refusal(code) as refusal:
        set_result(
            tournament_id=girone.pk,
            fixture_id=ready(girone)[0].pk,
            decision=decision,
            act=build_act(referee, now),
        )
    assert refusals.describe_refusal(refusal.value.code, refusal.value.values)


@pytest.mark.rule("F2", "V1", "V5", "T9")
@pytest.mark.parametrize(
    ("girone", "decision", "mp", "vp"),
    [
        (FOUR_DEALS, Decision(points=(30, 14), winner=0), (16, -16), (16, 4)),
        (FOUR_DEALS, Decision(points=(30, 14), winner=1, decided_by="forfeit"), (-27, 10), (0, 14)),
        (CALLED_OUT, Decision(points=(21, 23), winner=0, decided_by="called_out"), (0, 0), (10, 10)),
        (CALLED_OUT, Decision(points=(21, 15), winner=0), (6, -6), (12, 8)),
        (PERDERE, Decision(points=(8, 3), winner=1), (-5, 5), (5, 15)),
    ],
    indirect=["girone"],
)
def test_winner_vp_and_mp_follow_from_the_points_and_the_victory(
    girone: Tournament, referee: Player, now: datetime, decision: Decision, mp: tuple[int, int], vp: tuple[int, int]
) -> None:
    fixture = ready(girone)[0]
    set_result(tournament_id=girone.pk, fixture_id=fixture.pk, decision=decision, act=build_act(referee, now))
    fixture.refresh_from_db()
    assert (fixture.winner, fixture.mp_0, fixture.mp_1) == (decision.winner, *mp)
    assert (fixture.vp_0, fixture.vp_1) == vp
    assert (fixture.forfeit_by is None) == (decision.decided_by != "forfeit")
    assert stored_equals_recomputed(girone)


@pytest.mark.rule("F2", "T9")
def test_the_form_asks_by_which_victory_a_line_with_fewer_points_wins(
    opened: Opened, four: list[Player], referee: Player, now: datetime, client: Client
) -> None:
    tournament = start_refereed(opened, four, referee, now, CALLED_OUT)
    fixture = ready(tournament)[0]
    page = f"/tornei/{tournament.public_id}/arbitro/{fixture.pk}/"
    client.force_login(referee.user)
    typed = {"what": "risultato", "points_0": "21", "points_1": "23", "winner": "0", "reason": WHY}
    answer = send_act(client, page, typed)
    assert answer.status_code == 200
    (form,) = (form for form in answer.context["acts"] if form.what == "risultato")
    assert form.errors["__all__"] == [
        refusals.describe_refusal("way_missing", {"victories": ("called_out", "forfeit")})
    ]
    assert [value for value, _name in form.fields["way"].choices] == ["", "called_out", "forfeit"]
    assert send_act(client, page, {**typed, "way": "called_out"}).status_code == 302
    fixture.refresh_from_db()
    assert (fixture.winner, fixture.decided_by, fixture.vp_0) == (0, "called_out", 10)
    assert "chiamandosi fuori" in client.get(page).content.decode(), "the log says how"


def test_who_may_decide_and_on_what_f1(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    tournament = start_refereed(opened, [anna, bruno], carla, now)
    Referee.objects.create(tournament=tournament, player=anna)
    (fixture,) = ready(tournament)
    decision = Decision(points=(1, 0), winner=0)

    def rule(by: Player, **changed: object) -> None:
        made = build_act(by, now, str(changed.get("reason", WHY)), str(changed.get("key", "")))
        set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=made)

    with raises_refusal("not_referee"):
        rule(bruno)
    with raises_refusal("plays_there"):
        rule(anna)
    entry_id = entry_of(tournament, bruno).pk
    with raises_refusal("plays_against"):  # nor may a referee take out the entry of their next opponent
        withdraw.withdraw_entry(
            tournament_id=tournament.pk, entry_id=entry_id, by=anna, reason=WHY, now=now, expelled=True
        )
    with raises_refusal("reason_long"):
        withdraw.withdraw_entry(tournament_id=tournament.pk, entry_id=entry_id, by=bruno, reason="x" * 501, now=now)
    for reason in ("", " \n\t", "\u200b"):
        with raises_refusal("reason_missing"):
            rule(carla, reason=reason)
    with raises_refusal("reason_long"):
        rule(carla, reason="x" * 501)
    with raises_refusal("no_such_fixture"):
        annul_result(tournament_id=tournament.pk, fixture_id=fixture.pk + 999, act=build_act(carla, now))
    before = LogEntry.objects.count()
    for _ in range(2):
        rule(organiser, reason="x" * 500, key="once")
    assert LogEntry.objects.filter(code="ruling_result").count() == 1, "sent twice, done once"
    assert LogEntry.objects.count() > before


def test_nothing_is_decided_before_the_draw_or_when_it_was_called_off_f2(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = opened()
    with raises_refusal("not_running"):
        annul_result(tournament_id=tournament.pk, fixture_id=1, act=build_act(organiser, now))
    lifecycle.cancel_tournament(tournament_id=tournament.pk, by=organiser, now=now)
    with raises_refusal("over"):
        annul_result(tournament_id=tournament.pk, fixture_id=1, act=build_act(organiser, now))


def test_an_annulled_fixture_counts_for_nobody_and_stays_f2(girone: Tournament, referee: Player, now: datetime) -> None:
    match, other = open_ready(girone, now + OPENING)
    play(match, now + OPENING)
    annul_result(tournament_id=girone.pk, fixture_id=read_fixture(match).pk, act=build_act(referee, now))
    annul_result(tournament_id=girone.pk, fixture_id=read_fixture(other).pk, act=build_act(referee, now))
    for table in (match, other):
        fixture = read_fixture(table)
        assert (fixture.annulled, fixture.state, fixture.winner, fixture.vp_0) == (True, "annulled", None, None)
    other.refresh_from_db()
    assert other.stopped_at is not None
    assert not Entry.objects.filter(tournament=girone, played__gt=0).exists()
    assert {fixture.round.number for fixture in ready(girone)} == {2}, "it is over, and the next round opens"
    assert stored_equals_recomputed(girone)


def test_in_a_ko_nothing_is_annulled_f2(cup: Tournament, referee: Player, now: datetime) -> None:
    with raises_refusal("ko_not_annulled"):
        annul_result(tournament_id=cup.pk, fixture_id=ready(cup)[0].pk, act=build_act(referee, now))


def test_a_replay_is_a_new_match_with_new_cards_and_the_old_one_is_kept_f2(
    cup: Tournament, referee: Player, now: datetime
) -> None:
    match, other = open_ready(cup, now + OPENING)
    end = play(match, now + OPENING)
    fixture = read_fixture(match)
    order_replay(tournament_id=cup.pk, fixture_id=fixture.pk, act=build_act(referee, end))
    fixture.refresh_from_db()
    assert (fixture.match, fixture.state, fixture.result_at) == (None, "ready", None)
    assert LogEntry.objects.get(code="ruling_replay").detail["table"] == match.public_id
    assert not record_result(match_id=match.pk, now=end)
    (again,) = open_ready(cup, end + OPENING)
    assert again.pk != match.pk
    assert read_fixture(again).pk == fixture.pk
    assert Match.objects.filter(pk=match.pk, winner__isnull=False, stopped_at=None).exists()
    sit_down(other, end + OPENING)
    order_replay(tournament_id=cup.pk, fixture_id=read_fixture(other).pk, act=build_act(referee, end))
    other.refresh_from_db()
    assert other.stopped_at == end
    end = play(again, end + OPENING)
    rounds_played(cup, end)
    cup.refresh_from_db()
    assert cup.state == State.FINISHED
    assert stored_equals_recomputed(cup)


def test_what_was_never_played_is_not_played_again_f2(cup: Tournament, referee: Player, now: datetime) -> None:
    with raises_refusal("not_played_yet"):
        order_replay(tournament_id=cup.pk, fixture_id=ready(cup)[0].pk, act=build_act(referee, now))


def test_what_others_depend_on_is_refused_with_their_list_f3(cup: Tournament, referee: Player, now: datetime) -> None:
    matches = open_ready(cup, now + OPENING)
    end = max(play(match, now + OPENING) for match in matches)
    first = read_fixture(matches[0])
    winner = first.winner
    assert winner is not None
    other_way = Decision(points=(1, 0) if winner else (0, 1), winner=1 - winner)
    same_way = Decision(points=(1, 7) if winner else (7, 1), winner=winner)

    def rule(decision: Decision) -> None:
        set_result(tournament_id=cup.pk, fixture_id=first.pk, decision=decision, act=build_act(referee, end))

    rule(other_way)
    final = Fixture.objects.get(round__name="final")
    assert (first.first_id, first.second_id)[1 - winner] in (final.first_id, final.second_id), "not opened: re-paired"
    rule(same_way)
    (match,) = open_ready(cup, end + OPENING)
    before = results(cup)
    for change in (
        lambda: rule(other_way),
        lambda: order_replay(tournament_id=cup.pk, fixture_id=first.pk, act=build_act(referee, end)),
        lambda: declare_forfeit(tournament_id=cup.pk, fixture_id=first.pk, lines=(0, 1), act=build_act(referee, end)),
    ):
        with pytest.raises(TournamentError) as refusal:
            change()
        assert refusal.value.code == "depended_on"
        assert refusal.value.values["fixtures"] == [("final", 2, 1)]
    assert results(cup) == before
    match.refresh_from_db()
    assert match.stopped_at is None
    rule(Decision(points=(2, 9) if winner else (9, 2), winner=winner))  # who went on is the same
    order_replay(tournament_id=cup.pk, fixture_id=final.pk, act=build_act(referee, end))
    rule(other_way)


@pytest.mark.rule("F3")
def test_a_typo_in_the_first_round_of_a_danese_is_mended_after_the_last(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    swiss = start_refereed(opened, four, referee, now, replace(GIRONE, format="danese", format_options={"rounds": 2}))

    def rule(fixture: Fixture, points: tuple[int, int]) -> None:
        decision = Decision(points=points, winner=int(points[1] > points[0]))
        set_result(tournament_id=swiss.pk, fixture_id=fixture.pk, decision=decision, act=build_act(referee, now))

    def pairings() -> list[tuple[object, ...]]:
        rows = Fixture.objects.filter(round__tournament=swiss).order_by("round__number", "board")
        return list(rows.values_list("round__number", "board", "first", "second"))

    typo, other = ready(swiss)
    rule(typo, (8, 3))
    rule(other, (7, 4))
    drawn = pairings()
    rule(typo, (3, 8))
    assert pairings() == drawn, "published, and not opened yet"
    for fixture in ready(swiss):
        rule(fixture, (6, 5))
    swiss.refresh_from_db()
    assert (swiss.state, swiss.finished_at) == (State.FINISHED, now)
    later = now + OPENING
    decision = Decision(points=(11, 0), winner=0)
    set_result(tournament_id=swiss.pk, fixture_id=typo.pk, decision=decision, act=build_act(referee, later))
    swiss.refresh_from_db()
    assert pairings() == drawn
    assert (swiss.state, swiss.finished_at) == (State.FINISHED, now), "it ended when it ended"
    assert LogEntry.objects.filter(tournament=swiss, code="finished").count() == 1
    last = LogEntry.objects.filter(tournament=swiss, code="ruling_result").order_by("pk").last()
    assert last is not None
    assert last.detail["pairings_kept"]
    assert Entry.objects.get(pk=typo.first_id).mp >= 11 - 1
    assert find_differences(swiss) == []
    assert "pairings_kept" in read_hooks(Client().get(f"/tornei/{swiss.public_id}/"), "note")


@pytest.mark.rule("F3")
def test_a_correction_that_keeps_the_winner_depends_on_nothing_and_leaves_the_end(
    cup: Tournament, referee: Player, now: datetime
) -> None:
    end = rounds_played(cup, now)
    first = Fixture.objects.filter(round__tournament=cup).order_by("round__number", "board")[0]
    match, winner = first.match, first.winner
    assert match is not None
    ended = match.finished_at
    decision = Decision(points=(2, 9) if winner else (9, 2), winner=winner)
    set_result(tournament_id=cup.pk, fixture_id=first.pk, decision=decision, act=build_act(referee, end + OPENING))
    cup.refresh_from_db()
    match.refresh_from_db()
    assert (cup.state, cup.finished_at, match.finished_at) == (State.FINISHED, end, ended)
    assert not LogEntry.objects.filter(tournament=cup, detail__pairings_kept=True).exists()


def test_a_result_corrected_after_the_end_gives_other_ranks_f3(
    opened: Opened, anna: Player, bruno: Player, referee: Player, now: datetime
) -> None:
    tournament = start_refereed(opened, [anna, bruno], referee, now)
    end = rounds_played(tournament, now)
    final = Fixture.objects.get(round__name="final")
    winner = final.winner
    assert winner is not None
    decision = Decision(points=(0, 1) if winner == 0 else (1, 0), winner=1 - winner)
    set_result(tournament_id=tournament.pk, fixture_id=final.pk, decision=decision, act=build_act(referee, end))
    tournament.refresh_from_db()
    assert tournament.state == State.FINISHED
    best = Entry.objects.get(tournament=tournament, rank=1)
    assert best.pk == (final.first_id, final.second_id)[1 - winner]
    order_replay(tournament_id=tournament.pk, fixture_id=final.pk, act=build_act(referee, end))
    tournament.refresh_from_db()
    assert (tournament.state, tournament.finished_at) == (State.RUNNING, None)
    rounds_played(tournament, end)
    tournament.refresh_from_db()
    assert tournament.state == State.FINISHED


@pytest.mark.rule("V5")
def test_a_forfeit_declared_at_a_running_table_is_in_its_record_v5_f2(
    girone: Tournament, referee: Player, now: datetime
) -> None:
    match, _other = open_ready(girone, now + OPENING)
    sit_down(match, now + OPENING)
    fixture = read_fixture(match)
    declare_forfeit(tournament_id=girone.pk, fixture_id=fixture.pk, lines=(1,), act=build_act(referee, now + OPENING))
    fixture.refresh_from_db()
    match.refresh_from_db()
    assert (match.decided_by, match.offender, match.stopped_at) == ("abandon", 1, None)
    assert match.settled_at is not None
    assert (fixture.winner, fixture.forfeit_by, fixture.vp_1, fixture.ruled) == (0, 1, 0, True)
    assert fixture.vp_0 is not None
    assert fixture.vp_0 >= 14
    assert LogEntry.objects.get(code="ruling_forfeit").detail["after"]["result"]["forfeits"] == [1]


@pytest.mark.parametrize("lines", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("when", ["before", "playing", "after"])
def test_a_forfeit_can_be_declared_before_during_and_after_r4_v5_k5(
    girone: Tournament, referee: Player, now: datetime, lines: tuple[int, ...], when: str
) -> None:
    at = now + OPENING
    fixture = ready(girone)[0]
    if when != "before":
        match = tables.open_due_fixture(fixture_id=fixture.pk, now=at)
        assert match is not None
        sit_down(match, at) if when == "playing" else play(match, at)
    declare_forfeit(tournament_id=girone.pk, fixture_id=fixture.pk, lines=lines, act=build_act(referee, at))
    fixture.refresh_from_db()
    assert fixture.state == "done"
    assert fixture.double_forfeit == (len(lines) == 2)
    vps = (fixture.vp_0, fixture.vp_1)
    assert [vps[line] for line in lines] == [0] * len(lines)
    if len(lines) == 1:
        assert (fixture.forfeit_by, fixture.winner) == (lines[0], 1 - lines[0])
        assert (vps[1 - lines[0]] or 0) >= 14
    assert Entry.objects.filter(tournament=girone, forfeits=1).count() == len(lines)
    assert stored_equals_recomputed(girone)
    if when != "before":
        table = Match.objects.get(fixture=fixture)
        assert table.status == Match.Status.FINISHED
        assert (table.stopped_at is not None) == (when == "playing" and len(lines) == 2)


@pytest.mark.rule("R4", "R5")
@pytest.mark.parametrize(
    ("ruleset", "length", "points"),
    [
        ("tresette", ("deals", 1), (0, 6)),
        ("tresette-a-perdere", ("deals", 1), (6, 0)),
        ("tressette-accusa", ("points", 11), (0, 6)),
        ("scopa", ("deals", 1), (0, 5)),
        ("asso-piglia-tutto", ("points", 11), (0, 5)),
    ],
)
def test_one_forfeit_before_the_first_card_has_one_value_whoever_declares_it(
    opened: Opened, four: list[Player], referee: Player, now: datetime, ruleset: str, length: tuple[str, int],
    points: tuple[int, int],
) -> None:  # fmt: skip
    changed = {"ruleset": ruleset, "length_kind": length[0], "length_value": length[1], "max_entries": len(four)}
    tournament = opened(GIRONE, **changed)
    Referee.objects.create(tournament=tournament, player=referee)
    enter_all(tournament, four, now)
    at = now + OPENING
    before, opening = ready(tournament)
    match = tables.open_due_fixture(fixture_id=opening.pk, now=at)
    assert match is not None
    for fixture in (before, opening):
        declare_forfeit(tournament_id=tournament.pk, fixture_id=fixture.pk, lines=(0,), act=build_act(referee, at))
    at += OPENING
    absent, other = ready(tournament)
    match = tables.open_due_fixture(fixture_id=absent.pk, now=at)
    assert match is not None
    only_one_comes(match, seat=1)
    declare_forfeit(tournament_id=tournament.pk, fixture_id=other.pk, lines=(0,), act=build_act(referee, at))
    leaver = ready(tournament)[0]
    entry_id = leaver.first_id
    assert entry_id is not None
    withdraw.withdraw_entry(
        tournament_id=tournament.pk, entry_id=entry_id, by=referee, reason=WHY, now=at, expelled=True
    )
    values = set()
    for fixture in (before, opening, absent, leaver):
        fixture.refresh_from_db()
        assert (fixture.winner, fixture.forfeit_by) == (1, 0)
        values.add((fixture.points_0, fixture.points_1, fixture.mp_0, fixture.mp_1, fixture.vp_0, fixture.vp_1))
    assert len(values) == 1
    assert values.pop()[:2] == points
    declare_forfeit(tournament_id=tournament.pk, fixture_id=before.pk, lines=(1,), act=build_act(referee, at))
    before.refresh_from_db()
    assert (before.winner, before.points_0, before.points_1) == (0, *reversed(points)), "the other line's forfeit"


def test_a_double_forfeit_in_a_ko_gives_the_next_a_bye_k5(cup: Tournament, referee: Player, now: datetime) -> None:
    first, second = ready(cup)
    declare_forfeit(tournament_id=cup.pk, fixture_id=first.pk, lines=(0, 1), act=build_act(referee, now))
    declare_forfeit(tournament_id=cup.pk, fixture_id=second.pk, lines=(0,), act=build_act(referee, now))
    cup.refresh_from_db()
    assert cup.state == State.FINISHED
    assert Entry.objects.get(tournament=cup, rank=1).pk == second.second_id


def test_a_match_that_ended_by_itself_a_moment_ago_is_looked_at_first_f2(
    cup: Tournament, referee: Player, now: datetime
) -> None:
    match, _other = open_ready(cup, now + OPENING)
    assert match.noshow_at is not None
    late = match.noshow_at + OPENING
    with raises_refusal("table_over"):  # nobody came, and nobody has looked yet
        set_result(
            tournament_id=cup.pk,
            fixture_id=read_fixture(match).pk,
            decision=Decision(points=(1, 0), winner=0),
            act=build_act(referee, late),
        )
    settlement.expire_overdue(match_id=match.pk, now=late)
    assert read_fixture(match).double_forfeit


@pytest.mark.rule("F3")
def test_a_corrected_girone_says_that_its_published_pairings_stay(
    girone: Tournament, referee: Player, now: datetime
) -> None:
    first = Fixture.objects.of(girone).order_by("round__number", "board")[0]
    for points in ((8, 3), (3, 8)):
        decision = Decision(points=points, winner=None if points[0] == points[1] else int(points[1] > points[0]))
        act = build_act(referee, now, key=str(points))
        set_result(tournament_id=girone.pk, fixture_id=first.pk, decision=decision, act=act)
    assert LogEntry.objects.filter(tournament=girone, detail__pairings_kept=True).count() == 1, "the correction"
    last = LogEntry.objects.filter(tournament=girone, code="ruling_result").order_by("pk").last()
    assert last is not None
    assert last.detail["pairings_kept"]
