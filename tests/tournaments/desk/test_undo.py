"""The last entry of a result taken back, and two desks on one tournament (O13)."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tests.support.desk import WHY, build_act, raises_refusal, send_act, start_refereed
from tests.support.html import read_attribute, read_element
from tests.support.people import create_person
from tests.support.play import OPENING, open_ready, ready, sit_down, stored_equals_recomputed
from tests.support.tournaments import GIRONE, Opened
from tournaments.desk import results, undo
from tournaments.desk.act import compute_stamp
from tournaments.desk.results import Decision
from tournaments.models import Fixture, LogEntry, Referee, Tournament
from tournaments.running import withdraw

pytestmark = pytest.mark.django_db

VALUES = ("state", "winner", "points_0", "points_1", "mp_0", "mp_1", "vp_0", "vp_1", "decided_by", "annulled", "ruled")


def decide(tournament: Tournament, fixture: Fixture, by: Player, now: datetime, *points: int, **more: Any) -> None:
    winner = 0 if points[0] > points[1] else 1
    results.set_result(
        tournament_id=tournament.pk,
        fixture_id=fixture.pk,
        decision=Decision(points=(points[0], points[1]), winner=winner),
        act=build_act(by, now, **more),
    )


def take_back(tournament: Tournament, by: Player, now: datetime, **more: Any) -> None:
    tournament.refresh_from_db()
    last = undo.find_last_entry(tournament, by)
    undo.undo_entry(
        tournament_id=tournament.pk, entry_id=0 if last is None else last.pk, act=build_act(by, now, **more)
    )


def read_refusals(page: Any) -> list[str]:
    (sent,) = [form for form in page.context["acts"] if form.is_bound]
    return [error.code for error in sent.errors.as_data()["__all__"]]


def read_values(fixture: Fixture) -> dict[str, Any]:
    return Fixture.objects.with_results().values(*VALUES).get(pk=fixture.pk)


def read_ranks(tournament: Tournament) -> list[tuple[Any, ...]]:
    return list(tournament.entries.order_by("pk").values_list("rank", "played", "vp", "mp"))


@pytest.mark.rule("O13", "F3")
def test_entries_are_taken_back_one_after_the_other(girone: Tournament, referee: Player, now: datetime) -> None:
    one, two = ready(girone)
    stages = []
    for fixture, points in ((one, (8, 3)), (one, (6, 5)), (two, (2, 9))):
        stages.append((read_values(one), read_values(two), read_ranks(girone)))
        decide(girone, fixture, referee, now, *points)
    for stage in reversed(stages):
        take_back(girone, referee, now)
        assert (read_values(one), read_values(two), read_ranks(girone)) == stage
        assert stored_equals_recomputed(girone)
    with raises_refusal("nothing_to_undo"):
        take_back(girone, referee, now)
    logged = LogEntry.objects.filter(tournament=girone, code="ruling_undone").order_by("pk")
    assert [entry.detail["reason"] for entry in logged] == [WHY] * 3, "an undone ruling is a ruling too"
    decide(girone, one, referee, now, 7, 4)
    take_back(girone, referee, now)
    assert read_values(one)["state"] == "ready"


@pytest.mark.rule("O13")
def test_an_annulment_and_a_forfeit_are_taken_back_too(girone: Tournament, referee: Player, now: datetime) -> None:
    one, two = ready(girone)
    decide(girone, one, referee, now, 8, 3)
    before = read_values(one)
    results.annul_result(tournament_id=girone.pk, fixture_id=one.pk, act=build_act(referee, now))
    take_back(girone, referee, now)
    assert read_values(one) == before
    results.declare_forfeit(tournament_id=girone.pk, fixture_id=two.pk, lines=(0, 1), act=build_act(referee, now))
    take_back(girone, referee, now)
    assert read_values(two)["state"] == "ready"


@pytest.mark.rule("O13", "F2")
def test_what_a_reason_was_given_for_is_taken_back_with_one(girone: Tournament, referee: Player, now: datetime) -> None:
    fixture = ready(girone)[0]
    decide(girone, fixture, referee, now, 8, 3)
    with raises_refusal("reason_missing"):
        take_back(girone, referee, now, reason="")
    plain = LogEntry.objects.get(tournament=girone, code="ruling_result")
    plain.detail.pop("reason")
    plain.save()
    take_back(girone, referee, now, reason="")
    assert read_values(fixture)["state"] == "ready"


@pytest.mark.rule("O13")
def test_what_ended_a_table_in_play_is_not_taken_back(girone: Tournament, referee: Player, now: datetime) -> None:
    one, two = ready(girone)
    decide(girone, one, referee, now, 8, 3)
    (match,) = open_ready(girone, now + OPENING)
    sit_down(match, match.opened_at)
    decide(girone, two, referee, match.opened_at, 8, 3)
    with raises_refusal("nothing_to_undo"):
        take_back(girone, referee, match.opened_at)
    assert read_values(one)["winner"] == 0, "nor is the one before it taken for it"


@pytest.mark.rule("O13")
def test_only_ones_own_last_entry_as_it_stands_is_taken_back(
    girone: Tournament, referee: Player, now: datetime
) -> None:
    other = create_person("Sara", now)
    Referee.objects.create(tournament=girone, player=other)
    one, two = ready(girone)
    decide(girone, one, referee, now, 8, 3)
    first = undo.find_last_entry(girone, referee)
    assert first is not None
    with raises_refusal("nothing_to_undo"):
        take_back(girone, other, now)
    decide(girone, two, referee, now, 8, 3)
    with raises_refusal("nothing_to_undo"):
        undo.undo_entry(tournament_id=girone.pk, entry_id=first.pk, act=build_act(referee, now))
    decide(girone, two, other, now, 6, 5)
    with raises_refusal("fixture_changed"):
        take_back(girone, referee, now)
    assert read_values(two)["points_0"] == 6


@pytest.mark.rule("O13", "F3", "R5")
def test_nothing_is_taken_back_on_which_others_depend_or_whose_entry_left(
    cup: Tournament, opened: Opened, referee: Player, now: datetime
) -> None:
    for fixture in ready(cup):
        decide(cup, fixture, referee, now, 8, 3)
    own = ready(cup)[0]
    Referee.objects.create(tournament=cup, player=(other := create_person("Sara", now)))
    decide(cup, own, other, now, 8, 3)
    with raises_refusal("depended_on"):
        take_back(cup, referee, now)
    league = start_refereed(opened, [create_person(f"Nuovo{n}", now) for n in range(3)], referee, now, GIRONE)
    fixture = ready(league)[0]
    decide(league, fixture, referee, now, 8, 3)
    assert fixture.first_id is not None
    withdraw.withdraw_entry(tournament_id=league.pk, entry_id=fixture.first_id, by=referee, reason=WHY, now=now)
    with raises_refusal("entry_left"):
        take_back(league, referee, now)


@pytest.mark.rule("O13")
def test_the_desk_offers_to_take_the_last_entry_back_and_does_it_once(
    girone: Tournament, referee: Player, client: Client, now: datetime
) -> None:
    desk = f"/tornei/{girone.public_id}/arbitro/"
    client.force_login(referee.user)
    assert not read_element(client.get(desk), "atto-torna-indietro")
    one, two = ready(girone)
    decide(girone, one, referee, now, 8, 3)
    decide(girone, two, referee, now, 8, 3)
    form = read_element(client.get(desk), "id_torna-indietro_entry")
    assert form is not None
    sent = {"what": "torna-indietro", "entry": form["value"], "reason": WHY, "key": "k"}
    for _twice in range(2):
        assert send_act(client, desk, sent).status_code == 302
    assert (read_values(one)["state"], read_values(two)["state"]) == ("done", "ready")
    refused = send_act(client, desk, sent | {"key": "another"})
    assert read_refusals(refused) == ["nothing_to_undo"]
    take_back(girone, referee, now)
    refused = send_act(client, desk, sent | {"key": "a third"})
    assert read_refusals(refused) == ["nothing_to_undo"], "also where there is none any more"


@pytest.mark.rule("O13")
@pytest.mark.parametrize("what", ["risultato", "forfait", "annulla", "rigioca"])
def test_of_two_desks_the_second_is_shown_both_results_and_writes_over_none(
    girone: Tournament, referee: Player, client: Client, now: datetime, what: str
) -> None:
    other = create_person("Sara", now)
    Referee.objects.create(tournament=girone, player=other)
    fixture = ready(girone)[0]
    decide(girone, fixture, referee, now, 9, 2)
    page = f"/tornei/{girone.public_id}/arbitro/{fixture.pk}/"
    client.force_login(referee.user)
    shown = client.get(page)
    stamps = {element for element in read_attribute(shown, "value", "input") if len(element) == 16}
    assert stamps == {compute_stamp(Fixture.objects.get(pk=fixture.pk))}
    sent = {
        "what": what, "points_0": "7", "points_1": "4", "winner": "", "lines": "0", "reason": WHY,
        "stamp": stamps.pop(), "key": "k",
    }  # fmt: skip
    decide(girone, fixture, other, now, 6, 5)
    refused = send_act(client, page, sent)
    assert read_refusals(refused) == ["fixture_changed"]
    text = refused.content.decode()
    assert "Sara" in text
    assert "6–5" in text
    assert what != "risultato" or "7–4" in text
    stands = read_values(fixture)
    assert (stands["points_0"], stands["points_1"]) == (6, 5)
    renewed = read_element(refused, f"id_{what}_stamp")
    assert renewed is not None
    assert send_act(client, page, sent | {"stamp": renewed["value"]}).status_code == 302, "knowing it, they may"
    assert read_values(fixture) != stands


@pytest.mark.rule("O13")
def test_a_form_of_one_desk_is_good_while_another_fixture_changes(
    girone: Tournament, referee: Player, now: datetime
) -> None:
    one, two = ready(girone)
    stamp = compute_stamp(one)
    decide(girone, two, referee, now, 8, 3)
    act = replace(build_act(referee, now), stamp=stamp)
    results.annul_result(tournament_id=girone.pk, fixture_id=one.pk, act=act)
    assert read_values(one)["annulled"]
