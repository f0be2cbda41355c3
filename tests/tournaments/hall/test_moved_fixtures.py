"""A fixture of a tournament on the site that is played at a real table, by a referee's act (O1)."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Match, Seat
from players.models import Player
from tests.support.desk import build_act, raises_refusal, read_fixture, send_act
from tests.support.html import read_attribute, read_hooks
from tests.support.keys import by_key, make_key
from tests.support.people import sign_in
from tests.support.play import OPENING, open_ready, ready, sit_down, stored_equals_recomputed
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import KO, Opened, catch_code
from tournaments import sweep
from tournaments.core.log_details import RealTableDetail, read_detail
from tournaments.desk.act import compute_stamp
from tournaments.desk.results import Decision, order_replay, set_result
from tournaments.entries import house
from tournaments.hall.real_table_acts import move_to_real_table, move_to_site
from tournaments.models import Fixture, LogEntry, Referee, Tournament

pytestmark = pytest.mark.django_db
WON = Decision(points=(8, 3), winner=0)


def about(tournament: Tournament, fixture: Fixture, by: Player, now: datetime, **more: Any) -> dict[str, Any]:
    return {"tournament_id": tournament.pk, "fixture_id": fixture.pk, "act": build_act(by, now, **more)}


def url_of(tournament: Tournament, name: str, *more: object) -> str:
    return reverse(name, args=[tournament.public_id, *more])


@pytest.mark.rule("O1")
def test_the_table_on_the_site_is_closed_and_none_opens_any_more(
    cup: Tournament, referee: Player, now: datetime
) -> None:
    match, other = open_ready(cup, now + OPENING)
    sit_down(match, now + OPENING)
    fixture = read_fixture(match)
    move_to_real_table(table=5, **about(cup, fixture, referee, now))
    fixture.refresh_from_db()
    match.refresh_from_db()
    assert (fixture.moved, fixture.table, fixture.wave, fixture.match, fixture.opens_at) == (True, 5, None, None, None)
    assert (fixture.state, match.stopped_at) == ("ready", now)
    assert not Seat.objects.filter(match=match, live=True).exists(), "nobody's seat is taken (E8)"
    later = now + timedelta(days=1)
    assert fixture.pk not in sweep.list_due_fixtures(later)
    assert [row.pk for row in Fixture.objects.playing()] == [read_fixture(other).pk]
    logged = LogEntry.objects.get(tournament=cup, code="ruling_moved")
    detail = read_detail(logged, RealTableDetail)
    assert (logged.player, detail.number, detail.table) == (referee, 5, match.public_id)
    assert stored_equals_recomputed(cup)
    assert catch_code(move_to_real_table, table=None, **about(cup, fixture, referee, now)) == "real_already"


@pytest.mark.rule("O1", "O5", "F2")
def test_its_result_is_typed_like_at_real_tables_and_goes_on_in_the_bracket(
    cup: Tournament, referee: Player, now: datetime
) -> None:
    fixture = ready(cup)[0]
    client, address = sign_in(referee), url_of(cup, "tournament-results")
    assert client.get(address).status_code == 404, "nothing is typed on the site"
    move_to_real_table(table=None, **about(cup, fixture, referee, now))
    row = client.get(address).context["page"].rows
    assert [one.fixture.id for one in row] == [fixture.pk]
    assert address in read_attribute(client.get(url_of(cup, "tournament-desk")), "href")
    typed = {"part": "1", "fixture": fixture.pk, "how": ""}
    refused = client.post(address, typed | {"points_0": "6", "points_1": "6"})
    assert refused.status_code == 422
    assert client.post(address, typed | {"points_0": "7", "points_1": "4"}).status_code == 200
    fixture.refresh_from_db()
    assert (fixture.state, fixture.winner, fixture.ruled) == ("done", 0, False)
    logged = LogEntry.objects.get(tournament=cup, code="ruling_entered")
    assert (logged.player, logged.detail.get("reason", "")) == (referee, "")
    assert catch_code(set_result, decision=WON, **about(cup, fixture, referee, now, reason="")) == ("reason_missing")
    final = Fixture.objects.get(round__tournament=cup, round__name="final")
    assert fixture.first_id in (final.first_id, final.second_id)
    assert not final.moved


@pytest.mark.rule("O1")
def test_until_there_is_a_result_it_goes_back_to_the_site(cup: Tournament, referee: Player, now: datetime) -> None:
    match, _other = open_ready(cup, now + OPENING)
    fixture = read_fixture(match)
    assert catch_code(move_to_site, **about(cup, fixture, referee, now)) == "not_moved"
    move_to_real_table(table=None, **about(cup, fixture, referee, now))
    back = now + timedelta(hours=1)
    move_to_site(**about(cup, fixture, referee, back))
    fixture.refresh_from_db()
    assert (fixture.moved, fixture.table, fixture.state) == (False, None, "ready")
    assert fixture.opens_at == back + timedelta(seconds=cup.pause)
    (again,) = open_ready(cup, back + OPENING)
    assert read_fixture(again).pk == fixture.pk
    assert again.pk != match.pk, "from the first card"
    move_to_real_table(table=None, **about(cup, fixture, referee, back))
    set_result(decision=WON, **about(cup, fixture, referee, back))
    for act in (move_to_site, lambda **values: move_to_real_table(table=None, **values)):
        assert catch_code(act, **about(cup, fixture, referee, back)) == "result_in"
    order_replay(**about(cup, fixture, referee, back))
    fixture.refresh_from_db()
    assert (fixture.moved, fixture.state, fixture.opens_at) == (True, "ready", None), "replayed where it was played"


@pytest.mark.rule("O1")
def test_a_fixture_of_a_later_round_is_taken_to_its_table_beforehand(
    girone: Tournament, referee: Player, now: datetime
) -> None:
    later = list_round(girone, 3)[0]
    assert later.state == "waiting"
    move_to_real_table(table=2, **about(girone, later, referee, now))
    later.refresh_from_db()
    assert (later.state, later.moved) == ("waiting", True)
    for number in (1, 2):
        for fixture in list_round(girone, number):
            set_result(decision=WON, **about(girone, fixture, referee, now))
    later.refresh_from_db()
    assert (later.state, later.opens_at, later.match) == ("ready", None, None)


@pytest.mark.rule("O1", "F3")
def test_another_pairing_is_played_on_the_site(cup: Tournament, referee: Player, now: datetime) -> None:
    """The winner of a semifinal is corrected: who comes to the final now never was at the real table."""
    semifinals = ready(cup)
    for fixture in semifinals:
        set_result(decision=WON, **about(cup, fixture, referee, now))
    final = Fixture.objects.get(round__tournament=cup, round__name="final")
    move_to_real_table(table=None, **about(cup, final, referee, now))
    set_result(decision=Decision(points=(3, 8), winner=1), **about(cup, semifinals[0], referee, now))
    final.refresh_from_db()
    assert (final.moved, final.state) == (False, "ready")
    assert final.opens_at is not None


@pytest.mark.rule("O1", "F1")
def test_who_plays_there_and_the_house_take_nothing_to_a_real_table(
    cup: Tournament, opened: Opened, four: list[Player], referee: Player, organiser: Player, now: datetime
) -> None:
    fixture = ready(cup)[0]
    Referee.objects.create(tournament=cup, player=four[0])
    own = next(row for row in ready(cup) if four[0].pk in _list_players(row))
    with raises_refusal("plays_there"):
        move_to_real_table(table=None, **about(cup, own, four[0], now))
    with raises_refusal("fixed_table_range"):
        move_to_real_table(table=0, **about(cup, fixture, referee, now))
    real = draw_real(opened, 4, now)
    with raises_refusal("real_already"):
        move_to_real_table(table=None, **about(real, list_round(real, 1)[0], organiser, now))
    against = opened(KO, house_allowed=True)
    house.enter_house_players(tournament_id=against.pk, now=now)
    against.refresh_from_db()
    with raises_refusal("house_stays"):
        move_to_real_table(table=None, **about(against, ready(against)[0], organiser, now))


def _list_players(fixture: Fixture) -> set[int | None]:
    sides = [side for side in (fixture.first, fixture.second) if side is not None]
    return {member.person.player_id for side in sides for member in side.members.select_related("person")}


@pytest.mark.rule("O1", "F5")
def test_the_preview_says_what_closes_and_players_read_where_they_play(
    cup: Tournament, four: list[Player], referee: Player
) -> None:
    match, _other = open_ready(cup, timezone.now())
    fixture = read_fixture(match)
    client, address = sign_in(referee), url_of(cup, "desk-fixture", fixture.pk)
    acts = read_attribute(client.get(address), "id")
    assert "atto-tavolo-vero" in acts
    assert "atto-sul-sito" not in acts
    sent = {"what": "tavolo-vero", "table": "5", "reason": "Siamo al bar"}
    preview = client.post(address, sent)
    assert read_attribute(preview, "data-closed") == [str(fixture.pk)]
    assert read_attribute(preview, "data-told") == ["2"]
    assert Match.objects.get(pk=match.pk).stopped_at is None
    assert send_act(client, address, sent).status_code == 302
    player = next(one for one in four if one.pk in _list_players(fixture))
    page = sign_in(player).get(url_of(cup, "tournament"))
    assert "moved" in read_hooks(page, "note")
    assert "Tavolo 5" in page.content.decode()
    assert "ruling_moved" in read_hooks(Client().get(url_of(cup, "tournament")), "log")
    assert "moved" in read_hooks(client.get(address), "note")
    assert "atto-sul-sito" in read_attribute(client.get(address), "id")


@pytest.mark.rule("O13", "O1")
def test_a_desk_that_saw_it_on_the_site_is_told(cup: Tournament, referee: Player, now: datetime) -> None:
    fixture = ready(cup)[0]
    stamp = compute_stamp(fixture)
    move_to_real_table(table=None, **about(cup, fixture, referee, now))
    assert compute_stamp(Fixture.objects.get(pk=fixture.pk)) != stamp


@pytest.mark.rule("O1", "F5")
def test_a_program_moves_it_and_brings_it_back(cup: Tournament, organiser: Player) -> None:
    key = by_key(make_key(organiser, scopes=["read", "organise"], targets=[f"tournament:{cup.public_id}"]))
    place = f"/api/v1/tournaments/{cup.public_id}/fixtures/1-1/"
    (match, *_others) = open_ready(cup, timezone.now())
    asked = {"act": "real-table", "body": {"table": 4, "reason": "Al bar"}}
    shown = key.post(f"{place}preview/", asked, "application/json").json()
    assert [row["fixture"] for row in shown["closed"]] == ["1-1"]
    assert not read_fixture(match).moved
    moved = key.post(f"{place}real-table/", {"table": 4, "reason": "Al bar"}, "application/json")
    assert (moved.status_code, moved.json()["moved"], moved.json()["table"]) == (200, True, 4)
    back = key.post(f"{place}site-table/", {"reason": "Ripreso"}, "application/json")
    assert (back.status_code, back.json()["moved"], back.json()["table"]) == (200, False, None)
