"""Acts that a referee takes back (F2, F3): an annulment, a withdrawal; refused, with the list, where others depend on
it."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.test import Client

from players.models import Player
from tests.support.desk import WHY, bring_back, build_act, raises_refusal, send_act, start_refereed
from tests.support.html import read_element, read_hooks
from tests.support.play import OPENING, entry_of, open_ready, ready, sit_down, stored_equals_recomputed
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.core.errors import TournamentError
from tournaments.core.permissions import may_judge_entry
from tournaments.desk import reinstatement, results
from tournaments.desk.results import Decision
from tournaments.models import Entry, Fixture, LogEntry, Referee, Tournament
from tournaments.running import tables, withdraw
from tournaments.running.absences import MAX_FORFEITS
from tournaments.running.recompute import find_differences

pytestmark = pytest.mark.django_db

State = Fixture.State


def own(tournament: Tournament, player: Player) -> list[Fixture]:
    entry = entry_of(tournament, player)
    rows = Fixture.objects.filter(round__tournament=tournament).order_by("round__number", "board")
    return [row for row in rows.select_related("round", "match") if entry.pk in (row.first_id, row.second_id)]


def decided(tournament: Tournament, fixtures: list[Fixture], by: Player, now: datetime) -> None:
    """The first-named line wins 8-3."""
    for fixture in fixtures:
        decision = Decision(points=(8, 3), winner=0)
        results.set_result(
            tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=build_act(by, now)
        )


def sound(tournament: Tournament) -> bool:
    tournament.refresh_from_db()
    return stored_equals_recomputed(tournament) and not find_differences(tournament)


def seen(fixture: Fixture) -> tuple[object, ...]:
    fixture.refresh_from_db()
    names = ("winner", "points_0", "points_1", "mp_0", "mp_1", "vp_0", "vp_1", "forfeit_by", "state")
    return tuple(getattr(fixture, name) for name in names)


@pytest.mark.rule("F2", "F3")
def test_the_result_that_was_annulled_stands_again(girone: Tournament, referee: Player, now: datetime) -> None:
    fixture, _other = ready(girone)
    about = {"tournament_id": girone.pk, "fixture_id": fixture.pk}
    with raises_refusal("not_annulled"):
        results.restore_result(act=build_act(referee, now), **about)
    results.declare_forfeit(lines=(1,), act=build_act(referee, now), **about)
    before = seen(fixture)
    results.annul_result(act=build_act(referee, now), **about)
    for _twice in range(2):
        results.restore_result(act=build_act(referee, now, key="once"), **about)
    assert seen(fixture) == before
    assert not fixture.annulled
    assert sound(girone)
    entry = LogEntry.objects.get(tournament=girone, code="ruling_reinstated")
    assert (entry.detail["before"]["annulled"], entry.detail["after"]["result"]["vp"]) == (True, [before[5], before[6]])


@pytest.mark.rule("F2")
def test_what_was_annulled_while_it_was_played_is_played_anew(
    girone: Tournament, referee: Player, now: datetime
) -> None:
    match, _other = open_ready(girone, now + OPENING)
    sit_down(match, now + OPENING)
    fixture = Fixture.objects.get(match=match)
    about = {"tournament_id": girone.pk, "fixture_id": fixture.pk, "act": build_act(referee, now + OPENING)}
    results.annul_result(**about)
    results.restore_result(**about)
    fixture.refresh_from_db()
    assert (fixture.state, fixture.match, fixture.annulled) == (State.READY, None, False)
    assert tables.open_due_fixture(fixture_id=fixture.pk, now=now + 3 * OPENING) is not None
    assert sound(girone)


@pytest.mark.rule("F3")
def test_in_a_danese_an_annulment_is_taken_back_after_the_next_round_was_played(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    swiss = start_refereed(opened, four, referee, now, replace(GIRONE, format="danese", format_options={"rounds": 2}))
    first, second = ready(swiss)
    decided(swiss, [first], referee, now)
    results.annul_result(tournament_id=swiss.pk, fixture_id=first.pk, act=build_act(referee, now))
    decided(swiss, [second], referee, now)
    results.declare_forfeit(
        tournament_id=swiss.pk, fixture_id=ready(swiss)[0].pk, lines=(0,), act=build_act(referee, now)
    )
    results.restore_result(tournament_id=swiss.pk, fixture_id=first.pk, act=build_act(referee, now))
    first.refresh_from_db()
    assert (first.winner, first.annulled) == (0, False)
    assert sound(swiss)


@pytest.mark.rule("F3")
def test_who_returns_to_a_danese_is_drawn_in_the_round_nobody_plays_yet(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    swiss = start_refereed(opened, four, referee, now, replace(GIRONE, format="danese", format_options={"rounds": 3}))
    entry = entry_of(swiss, four[0])

    def first_round() -> None:
        decided(swiss, [fixture for fixture in ready(swiss) if fixture.round.number == 1], referee, now)

    withdraw.withdraw_entry(tournament_id=swiss.pk, entry_id=entry.pk, by=four[0], reason="", now=now)
    first_round()
    assert [fixture.round.number for fixture in ready(swiss)] == [2], "the third has a bye"
    bring_back(swiss, entry.pk, four[0], build_act(referee, now))
    first_round()
    assert [fixture.round.number for fixture in ready(swiss)] == [2, 2]
    assert sound(swiss)


@pytest.mark.rule("F3", "R5")
def test_who_left_before_half_is_back_with_what_they_had_and_plays_what_they_left(
    girone: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    anna = four[0]
    decided(girone, ready(girone), referee, now)
    was = seen(own(girone, anna)[0])
    open_ready(girone, now + OPENING)
    entry = entry_of(girone, anna)
    left = now + 2 * OPENING
    withdraw.withdraw_entry(tournament_id=girone.pk, entry_id=entry.pk, by=anna, reason="", now=left)
    assert [fixture.state for fixture in own(girone, anna)] == [State.ANNULLED] * 3
    bring_back(girone, entry.pk, anna, build_act(referee, left))
    fixtures = own(girone, anna)
    assert seen(fixtures[0]) == was
    assert [(fixture.state, fixture.match) for fixture in fixtures[1:]] == [(State.READY, None), (State.WAITING, None)]
    entry.refresh_from_db()
    assert (entry.withdrawn_at, entry.withdrawn_after, entry.expelled, entry.played) == (None, None, False, 1)
    assert sound(girone)
    with raises_refusal("entry_stays"):
        reinstatement.reinstate_entry(tournament_id=girone.pk, entry_id=entry.pk, act=build_act(referee, left))


@pytest.mark.rule("F3", "R5")
def test_what_they_forfeited_by_leaving_is_played_and_an_older_forfeit_stays(
    girone: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    anna = four[0]
    entry = entry_of(girone, anna)
    first = own(girone, anna)[0]
    line = 0 if first.first_id == entry.pk else 1
    results.declare_forfeit(tournament_id=girone.pk, fixture_id=first.pk, lines=(line,), act=build_act(referee, now))
    decided(girone, ready(girone), referee, now)
    decided(girone, ready(girone), referee, now)
    for match in open_ready(girone, now + OPENING):
        sit_down(match, now + OPENING)
    left = now + 2 * OPENING
    withdraw.withdraw_entry(tournament_id=girone.pk, entry_id=entry.pk, by=referee, reason=WHY, now=left, expelled=True)
    last = own(girone, anna)[2]
    assert (last.state, last.decided_by) == (State.DONE, "abandon")
    reinstatement.reinstate_entry(
        tournament_id=girone.pk, entry_id=entry.pk, act=build_act(referee, left + timedelta(minutes=1))
    )
    last.refresh_from_db()
    entry.refresh_from_db()
    assert (last.state, last.match, last.result_at) == (State.READY, None, None)
    assert (entry.forfeits, entry.forgiven, entry.expelled) == (1, 1, False)
    assert sound(girone)


@pytest.mark.rule("R5")
def test_who_was_expelled_for_three_forfeits_has_three_more(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    double = start_refereed(opened, four, referee, now, replace(GIRONE, format_options={"double": True}))
    entry = entry_of(double, four[0])

    def forfeits() -> None:
        """Forfeit the entry's next fixture; the others of its round are decided."""
        for fixture in ready(double):
            lines = (0,) if fixture.first_id == entry.pk else (1,) if fixture.second_id == entry.pk else None
            if lines is None:
                decided(double, [fixture], referee, now)
            else:
                results.declare_forfeit(
                    tournament_id=double.pk, fixture_id=fixture.pk, lines=lines, act=build_act(referee, now)
                )
        entry.refresh_from_db()

    while entry.withdrawn_at is None:
        forfeits()
    assert (entry.expelled, entry.forfeits) == (True, MAX_FORFEITS + 1), "the next one as well"
    reinstatement.reinstate_entry(tournament_id=double.pk, entry_id=entry.pk, act=build_act(referee, now))
    entry.refresh_from_db()
    assert (entry.expelled, entry.forgiven) == (False, MAX_FORFEITS)
    forfeits()
    assert (entry.expelled, entry.forfeits) == (False, MAX_FORFEITS + 1)
    assert sound(double)


@pytest.mark.rule("F3", "K5")
def test_in_a_ko_they_are_back_until_their_opponent_has_gone_on(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = start_refereed(opened, four, referee, now, KO)
    anna = four[0]
    mine = own(tournament, anna)[0]
    entry = entry_of(tournament, anna)

    def leave() -> None:
        withdraw.withdraw_entry(tournament_id=tournament.pk, entry_id=entry.pk, by=anna, reason="", now=now)

    leave()
    assert seen(mine)[-1] == State.DONE
    bring_back(tournament, entry.pk, anna, build_act(referee, now))
    assert seen(mine)[-1] == State.READY
    assert sound(tournament)
    leave()
    decided(tournament, [fixture for fixture in ready(tournament) if fixture.pk != mine.pk], referee, now)
    assert len(open_ready(tournament, now + OPENING)) == 1, "the final"
    with pytest.raises(TournamentError) as refusal:
        reinstatement.reinstate_entry(tournament_id=tournament.pk, entry_id=entry.pk, act=build_act(referee, now))
    assert (refusal.value.code, refusal.value.values["fixtures"]) == ("depended_on", [("final", 2, 1)])
    entry.refresh_from_db()
    assert entry.withdrawn_at is not None


@pytest.mark.rule("F1")
def test_a_referee_who_plays_decides_on_no_entry_they_meet_or_may_meet(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    anna, bruno = four[:2]

    def judges(tournament: Tournament) -> list[bool]:
        others = Entry.objects.filter(tournament=tournament).exclude(members__person__player=anna).order_by("seed")
        return [may_judge_entry(tournament, anna, entry) for entry in others]

    girone = start_refereed(opened, four, anna, now, GIRONE)
    assert judges(girone) == [False] * 3, "everybody meets everybody"
    entry_id = entry_of(girone, bruno).pk
    withdraw.withdraw_entry(tournament_id=girone.pk, entry_id=entry_id, by=bruno, reason="", now=now)
    with raises_refusal("plays_against"):
        reinstatement.reinstate_entry(tournament_id=girone.pk, entry_id=entry_id, act=build_act(anna, now))

    cup = start_refereed(opened, four, anna, now, KO)
    Referee.objects.create(tournament=cup, player=referee)
    assert judges(cup) == [False] * 3, "whoever is in the same bracket"
    mine = own(cup, anna)[0]
    line = 0 if mine.first_id == entry_of(cup, anna).pk else 1
    results.declare_forfeit(tournament_id=cup.pk, fixture_id=mine.pk, lines=(line,), act=build_act(referee, now))
    assert sorted(judges(cup)) == [False, True, True], "they are out, and met one of them"

    swiss = start_refereed(opened, four, anna, now, GIRONE)
    Tournament.objects.filter(pk=swiss.pk).update(format="danese")
    swiss.refresh_from_db()
    Fixture.objects.filter(round__tournament=swiss, round__number__gt=1).delete()
    assert judges(swiss) == [False] * 3, "whoever may be drawn against them"


@pytest.mark.rule("F2", "F3")
def test_the_desk_offers_to_take_back_what_there_is(
    girone: Tournament, four: list[Player], referee: Player, client: Client, now: datetime
) -> None:
    desk = f"/tornei/{girone.public_id}/arbitro/"
    client.force_login(referee.user)
    assert not read_element(client.get(desk), "atto-riprendi-iscritto")
    entry = entry_of(girone, four[0])
    withdraw.withdraw_entry(tournament_id=girone.pk, entry_id=entry.pk, by=referee, reason=WHY, now=now)
    assert read_element(client.get(desk), "atto-riprendi-iscritto")
    data = {"what": "riprendi-iscritto", "entry": entry.pk, "reason": "Si era sbagliato"}
    assert send_act(client, desk, data).status_code == 302
    assert "ruling_returned" in read_hooks(client.get(f"/tornei/{girone.public_id}/"), "log")
    fixture = ready(girone)[0]
    page = f"{desk}{fixture.pk}/"
    assert not read_element(client.get(page), "atto-ripristina")
    results.annul_result(tournament_id=girone.pk, fixture_id=fixture.pk, act=build_act(referee, now))
    assert read_element(client.get(page), "atto-ripristina")
    assert send_act(client, page, {"what": "ripristina", "reason": "Si può"}).status_code == 302
    fixture.refresh_from_db()
    assert not fixture.annulled


@pytest.mark.rule("F3")
def test_a_form_sent_twice_acts_once_and_changed_it_is_another_act(
    girone: Tournament, referee: Player, client: Client
) -> None:
    """A browser that goes back and sends the old form with another result isn't told that it is done."""
    fixture = ready(girone)[0]
    page = f"/tornei/{girone.public_id}/arbitro/{fixture.pk}/"
    client.force_login(referee.user)
    data = {"what": "risultato", "points_0": "8", "points_1": "3", "winner": "0", "key": "k"}
    for _twice in range(2):
        assert send_act(client, page, data | {"reason": WHY}).status_code == 302
    acts = LogEntry.objects.filter(tournament=girone, code="ruling_result")
    assert acts.count() == 1
    other = data | {"points_0": "2", "points_1": "9", "winner": "", "reason": WHY}
    assert send_act(client, page, other).status_code == 302
    fixture.refresh_from_db()
    assert (acts.count(), fixture.points_1) == (2, 9)
