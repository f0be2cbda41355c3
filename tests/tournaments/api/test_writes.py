"""Programs that write: by keys with the scope, each write once, refused by codes, through the services of the pages."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from api.settings_body import NewTournamentBody
from players import caps
from players.models import AccessToken, IdempotentAnswer, Player
from tests.support.entries import enter_all
from tests.support.keys import by_key, make_key
from tests.support.people import sign_in
from tests.support.play import open_ready
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.clubs.actions import create_club
from tournaments.entries.join import enter_player
from tournaments.models import Entry, Fixture, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings, read_settings

pytestmark = [pytest.mark.django_db]

LIST = "/api/v1/tournaments/"
BODY = {"name": "Serata", "format": "ko", "ruleset": "scopa", "length_kind": "deals", "length_value": 1}


def send(client: Client, address: str, body: Any = None, *, method: str = "post", key: str = "") -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return client.generic(
        method.upper(), address, json.dumps({} if body is None else body), "application/json", headers=headers
    )


def refusal(answer: Any) -> tuple[int, str]:
    assert answer.headers["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def faults(answer: Any) -> dict[str, str]:
    assert answer.status_code == 400, answer.content
    return {fault["field"]: fault["code"] for fault in answer.json()["errors"]}


@pytest.fixture
def key(organiser: Player) -> Client:
    """A client whose key may make tournaments, and organises those it makes."""
    return by_key(make_key(organiser))


def key_for(tournament: Tournament, player: Player | None = None) -> Client:
    return by_key(make_key(player or tournament.organiser, targets=[f"tournament:{tournament.public_id}"]))


@pytest.mark.rule("AP7")
def test_a_tournament_is_made_changed_opened_and_called_off_u7(key: Client, organiser: Player, anna: Player) -> None:
    made = send(key, LIST, {**BODY, "registration": "code", "join_code": "SERATA"})
    assert made.status_code == 201, made.content
    own = f"{LIST}{made.json()['public_id']}/"
    assert (made.json()["state"], made.json()["join_code"], made.json()["organiser"]) == ("draft", "SERATA", "Teresa")
    changed = send(key, own, {"max_entries": 16, "description": "*Ciao*"}, method="patch").json()
    assert (changed["max_entries"], changed["description"], changed["name"]) == (16, "*Ciao*", "Serata")
    assert send(key, f"{own}publish/").json()["state"] == "open"
    assert refusal(send(key, f"{own}publish/")) == (409, "not_a_draft")
    asked = send(key, LIST, {**BODY, "registration": "approval"}).json()
    assert (changed["guests_allowed"], asked["guests_allowed"]) == (True, False), (
        "the organiser answers for whoever enters"
    )
    assert send(key, f"{LIST}{asked['public_id']}/cancel/").status_code == 200
    kept = Tournament.objects.get(registration="code")
    enter_player(tournament_id=kept.pk, player=anna, now=timezone.now(), key="SERATA")
    assert refusal(send(key, f"{own}cancel/"))[1] == "reason_missing"
    called_off = send(key, f"{own}cancel/", {"reason": "Neve"}).json()
    assert (called_off["state"], called_off["cancelled_reason"]) == ("cancelled", "Neve")
    log = list(kept.log.exclude(code__in=("joined", "draw_committed")).values_list("code", "player"))
    assert log == [(code, organiser.pk) for code in ("created", "edited", "published", "cancelled")]


@pytest.mark.rule("AP8")
def test_another_format_or_game_keeps_the_options_that_both_have_and_drops_the_others(key: Client) -> None:
    """Drop what is nobody's wish; refuse by its name what the program says itself."""
    body = {**BODY, "format_options": {"third_place": True, "byes_by_lot": True}, "options": {"carte_viste": True}}
    made = send(key, LIST, body)
    assert made.status_code == 201, made.content
    own = f"{LIST}{made.json()['public_id']}/"
    groups = send(key, own, {"format": "gironi", "min_entries": 4}, method="patch")
    assert groups.status_code == 200, groups.content
    assert groups.json()["format_options"] == {
        "groups": 4,
        "qualify": 2,
        "third_place": True,
        "double": False,
        "apart": False,
    }
    girone = send(key, own, {"format": "girone"}, method="patch").json()
    assert (girone["format"], girone["format_options"]) == ("girone", {"double": False})
    like = send(key, own, {"ruleset": "asso-piglia-tutto"}, method="patch").json()
    assert (like["ruleset"], like["options"]) == ("asso-piglia-tutto", {"carte_viste": True})
    other = send(key, own, {"ruleset": "briscola"}, method="patch")
    assert (other.status_code, other.json().get("options")) == (200, {}), other.content
    foreign = {"format": "danese", "format_options": {"double": True}}
    assert refusal(send(key, own, foreign, method="patch")) == (409, "unknown_format_option")


@pytest.mark.rule("AP8")
def test_every_setting_can_be_written_u8(key: Client, opened: Opened) -> None:
    settings = {"club" if name == "club_id" else name for name in Settings.__slots__}
    assert settings | {"tie_break_order", "publish"} == set(NewTournamentBody().fields)
    tournament = opened(GIRONE)
    told = key.get(f"{LIST}{tournament.public_id}/").json()["tournament"]
    again = {name: told[name] for name in settings if told[name] is not None} | {"club": None}
    again |= {name: None for name in ("turn_timeout", "match_clock") if told[name] is None}
    made = send(key, LIST, again)
    assert made.status_code == 201, made.content
    copy = Tournament.objects.get(public_id=made.json()["public_id"])
    assert read_settings(copy) == read_settings(tournament)


@pytest.mark.rule("AP3")
def test_a_field_that_is_unknown_or_will_not_do_is_refused_by_its_name_u3(key: Client) -> None:
    assert faults(send(key, LIST, {**BODY, "colour": "red"})) == {"colour": "unknown"}
    assert faults(send(key, LIST, {**BODY, "state": "open"})) == {"state": "unknown"}
    assert faults(send(key, LIST, {"name": "x"})) == dict.fromkeys(
        ("format", "ruleset", "length_kind", "length_value"), "required"
    )
    assert faults(send(key, LIST, {**BODY, "max_entries": 10**30, "options": {"x": []}})) == {
        "max_entries": "max_value",
        "options.x": "invalid",
    }
    assert faults(send(key, LIST, {**BODY, "club": "nobodys"})) == {"club": "unknown_club"}
    assert faults(send(key, LIST, [1])) == {"": "invalid"}
    assert not Tournament.objects.exists()


@pytest.mark.rule("AP4")
@pytest.mark.parametrize("once", ["", "uno"])
@pytest.mark.parametrize(
    "body",
    [
        "{",
        '{"\\ud800": 1}',
        '{"options": {"\\ud800": 1}}',
        '{"name": "\\ud800"}',
        "[" * 100_000,
        '{"a":' * 20_000 + "1" + "}" * 20_000,
    ],
    ids=["cut", "half a character", "half in an option", "half in a value", "lists", "objects"],
)
def test_a_body_that_cannot_be_read_is_told_so_u4(key: Client, body: str, once: str) -> None:
    headers = {"Idempotency-Key": once} if once else {}
    answer = key.post(LIST, body, content_type="application/json", headers=headers)
    assert refusal(answer) == (400, "parse_error")
    assert not Tournament.objects.exists()


def test_a_whole_character_of_two_halves_is_read(key: Client) -> None:
    assert send(key, LIST, {**BODY, "name": "Serata \N{GRINNING FACE}"}).status_code == 201


@pytest.mark.rule("AP7")
def test_what_the_rules_refuse_is_told_by_its_code_and_values_u7(
    key: Client, organiser: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = send(key, LIST, {**BODY, "min_entries": 9, "max_entries": 8})
    assert refusal(answer) == (409, "entries_range")
    assert set(answer.json()["values"]) == {"low", "high"}
    assert refusal(send(key, LIST, {**BODY, "turn_timeout": None, "match_clock": None})) == (409, "clocks_missing")
    monkeypatch.setattr(caps, "MAX_UNDRAWN_TOURNAMENTS", 1)
    lifecycle.create_tournament(organiser=organiser, settings=KO, now=timezone.now())
    assert refusal(send(key, LIST, BODY)) == (409, "too_many_open")


@pytest.mark.rule("AP2")
def test_a_key_organises_what_was_chosen_and_no_more_u2(
    opened: Opened, organiser: Player, anna: Player, now: datetime
) -> None:
    one, other = opened(name="Una"), opened(name="Altra")
    club = create_club(by=organiser, name="Circolo", description="", now=now)
    mine = f"{LIST}{one.public_id}/cancel/"
    assert refusal(send(Client(), mine)) == (401, "token_needed")
    assert refusal(send(sign_in(organiser), mine)) == (401, "token_needed"), "a session writes nothing"
    assert refusal(send(by_key(make_key(organiser, scopes=["read", "play"])), mine)) == (403, "scope_missing")
    assert refusal(send(key_for(other), mine)) == (403, "not_chosen")
    assert refusal(send(key_for(one, anna), mine)) == (403, "not_organiser"), "no more than its owner may"
    assert refusal(send(key_for(one), LIST, BODY)) == (403, "not_chosen")
    of_club = by_key(make_key(organiser, targets=[f"club:{club.public_id}"]))
    assert refusal(send(of_club, LIST, BODY)) == (403, "not_chosen")
    made = send(of_club, LIST, {**BODY, "club": club.public_id})
    assert (made.status_code, made.json()["club"]) == (201, club.public_id)
    assert send(of_club, f"{LIST}{made.json()['public_id']}/publish/").status_code == 200
    assert refusal(send(of_club, mine)) == (403, "not_chosen")
    anew = by_key(make_key(organiser))
    assert refusal(send(anew, LIST, {**BODY, "club": club.public_id})) == (403, "not_chosen"), "new, but in no club"
    both = by_key(make_key(organiser, targets=["new", f"club:{club.public_id}"]))
    assert send(both, LIST, {**BODY, "club": club.public_id}).status_code == 201
    move = send(key_for(one), f"{LIST}{one.public_id}/", {"club": club.public_id}, method="patch")
    assert refusal(move) == (403, "not_chosen")
    assert send(key_for(one), mine).status_code == 200
    assert Tournament.objects.get(pk=other.pk).state == "open"


@pytest.mark.rule("AP6")
def test_a_write_sent_again_is_done_once_and_answered_alike_u6(key: Client) -> None:
    first = send(key, LIST, BODY, key="uno")
    again = send(key, LIST, dict(reversed(BODY.items())), key="uno")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert Tournament.objects.count() == 1
    assert refusal(send(key, LIST, {**BODY, "name": "Altra"}, key="uno")) == (409, "key_reused")
    assert send(key, LIST, BODY, key="due").json()["public_id"] != first.json()["public_id"]
    own = f"{LIST}{first.json()['public_id']}/"
    assert send(key, f"{own}publish/", key="uno").status_code == 200, "another route"
    assert send(key, f"{own}publish/", key="uno").status_code == 200
    assert Tournament.objects.count() == 2


@pytest.mark.rule("AP6")
def test_a_refusal_is_not_kept_and_a_key_lasts_a_day_u6(key: Client, organiser: Player) -> None:
    assert refusal(send(key, LIST, {**BODY, "min_entries": 9}, key="x")) == (409, "entries_range")
    assert not IdempotentAnswer.objects.exists()
    assert send(key, LIST, BODY, key="x").status_code == 201
    IdempotentAnswer.objects.update(created_at=timezone.now() - caps.ANSWERS_KEPT)
    assert send(key, LIST, {**BODY, "name": "Altra"}, key="x").status_code == 201
    assert Tournament.objects.count() == 2
    other = by_key(make_key(organiser))
    assert send(other, LIST, {**BODY, "name": "Terza"}, key="x").status_code == 201, "another key's own"
    for bad in ("é", "x" * 101, "a\x01b"):
        assert send(key, LIST, BODY, key=bad).status_code == 400


@pytest.mark.rule("AP6")
def test_a_write_without_an_answer_can_be_sent_again_too_u6(opened: Opened, anna: Player) -> None:
    tournament = opened()
    client, own = by_key(make_key(anna)), f"{LIST}{tournament.public_id}/"
    assert send(client, f"{own}join/").status_code == 200
    assert [send(client, f"{own}leave/", key="via").status_code for _time in range(2)] == [204, 204]
    assert refusal(send(client, f"{own}leave/")) == (409, "not_entered")


@pytest.mark.rule("AP7", "E3")
def test_players_enter_wait_check_in_leave_and_withdraw_u7_e3(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = opened(max_entries=2, starts_at=timezone.now() + caps.HOUR)
    own = f"{LIST}{tournament.public_id}/"
    clients = [by_key(make_key(player, scopes=["read", "play"])) for player in four]
    joined = [send(client, f"{own}join/", {"wait": True}).json() for client in clients[:3]]
    assert [row["waits"] for row in joined] == [False, False, True]
    assert refusal(send(clients[3], f"{own}join/")) == (409, "full")
    assert refusal(send(clients[0], f"{own}join/")) == (409, "already_entered")
    assert refusal(send(clients[0], f"{own}join/", {"partner": "Bruno"})) == (409, "not_pairs")
    assert refusal(send(clients[0], f"{own}check-in/")) == (409, "checkin_not_open")
    assert send(clients[0], f"{own}leave/").status_code == 204
    assert [row["name"] for row in clients[0].get(f"{own}entries/").json()["results"]] == ["Bruno", "Carla"]
    assert refusal(send(clients[0], f"{own}withdraw/")) == (409, "not_entered")
    Tournament.objects.filter(pk=tournament.pk).update(state="checkin")
    assert send(clients[1], f"{own}check-in/").json()["checked_in"] is True
    running = enter_all(opened(GIRONE), four, now)
    gone = send(clients[0], f"{LIST}{running.public_id}/withdraw/", {"reason": "Devo andare"})
    assert (gone.status_code, gone.json()["withdrawn"]) == (200, True)


@pytest.mark.rule("AP7", "E1")
def test_pairs_ask_by_name_or_by_a_link_u7_e1(opened: Opened, four: list[Player]) -> None:
    tournament = opened(GIRONE, seats_an_entry=2)
    own = f"{LIST}{tournament.public_id}/"
    anna, bruno, carla, dino = (by_key(make_key(player)) for player in four)
    assert refusal(send(anna, f"{own}join/")) == (409, "needs_partner")
    asked = send(anna, f"{own}join/", {"partner": "Bruno"}).json()
    assert (asked["confirmed"], asked["link_token"]) == (False, None)
    assert refusal(send(carla, f"{own}pair/accept/", {"entry": asked["id"]})) == (404, "invitation_gone")
    assert send(bruno, f"{own}pair/accept/", {"entry": asked["id"]}).json()["name"] == "Anna – Bruno"
    linked = send(carla, f"{own}join/", {"partner": None}).json()
    assert send(dino, f"{own}pair/accept/", {"token": linked["link_token"]}).json()["confirmed"] is True
    assert refusal(send(dino, f"{own}pair/decline/", {"entry": linked["id"]})) == (404, "invitation_gone")


@pytest.mark.rule("AP7")
def test_codes_cannot_be_tried_for_ever_u7(opened: Opened, anna: Player, settings: Any) -> None:
    tournament = opened(registration=Tournament.Registration.CODE, join_code="GIUSTO")
    client, own = by_key(make_key(anna)), f"{LIST}{tournament.public_id}/"
    settings.ACCOUNT_RATE_LIMITS = {**caps.ACCOUNT_RATES, "join_code": "2/m/user"}
    codes = [refusal(send(client, f"{own}join/", {"key": f"NO{number}"})) for number in range(3)]
    assert codes == [(403, "code_needed"), (403, "code_needed"), (429, "too_many_codes")]


@pytest.mark.rule("AP7", "E3")
def test_an_organiser_enters_names_and_answers_applicants_u7_e3(opened: Opened, four: list[Player]) -> None:
    tournament = opened(registration=Tournament.Registration.APPROVAL)
    client, own = key_for(tournament), f"{LIST}{tournament.public_id}/"
    rows = [{"player": "Anna"}, {"player": "Nessuno"}]
    answer = send(client, f"{own}entries/", {"entries": rows})
    assert refusal(answer) == (409, "list_refused")
    assert [(row["row"], row["code"]) for row in answer.json()["values"]["problems"]] == [(2, "unknown_name")]
    assert send(client, f"{own}entries/", {"entries": rows[:1]}).json() == {"entries": 0, "invitations": 1}
    for player in four[1:]:
        send(by_key(make_key(player)), f"{own}join/")
    bruno, carla, dino = (row["id"] for row in client.get(own).json()["applicants"])
    assert send(client, f"{own}entries/{bruno}/approve/").json()["name"] == "Bruno"
    assert send(client, f"{own}entries/{carla}/turn-down/").status_code == 204
    assert refusal(send(client, f"{own}entries/{carla}/approve/")) == (404, "entry_gone")
    assert send(client, f"{own}entries/{dino}/approve/").status_code == 200
    assert send(client, f"{own}entries/{dino}/", method="delete").status_code == 204
    assert refusal(send(client, f"{own}entries/{dino}/", method="delete")) == (404, "entry_gone")
    assert list(Entry.objects.filter(approved=True).values_list("pk", flat=True)) == [bruno]
    assert refusal(send(client, f"{own}entries/{bruno}/check-in/")) == (409, "checkin_not_open")
    assert faults(send(client, f"{own}entries/", {"entries": []})) == {"entries": "empty"}


@pytest.mark.rule("AP7", "F2")
def test_results_are_entered_corrected_and_annulled_u7_f2(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = enter_all(opened(GIRONE), four, now)
    client, own = key_for(tournament), f"{LIST}{tournament.public_id}/fixtures/"
    first = f"{own}1-1/"
    body = {"points": [8, 3], "reason": "Giocata al bar"}
    answer = send(client, f"{first}result/", body, method="put")
    assert answer.status_code == 200, answer.content
    assert (answer.json()["points"], answer.json()["winner"], answer.json()["state"]) == ([8, 3], 0, "done")
    assert client.get(first).json() == answer.json()
    assert refusal(send(client, f"{first}result/", {**body, "points": [99, 3]}, method="put")) == (409, "points_many")
    assert faults(send(client, f"{first}result/", {"points": [1], "winner": 2}, method="put")) == {
        "points": "min_length",
        "winner": "invalid_choice",
    }
    assert refusal(send(client, f"{first}result/", {"points": [7, 4]}, method="put")) == (409, "reason_missing")
    seen = {**body, "points": [7, 4], "stamp": client.get(first).json()["stamp"]}
    assert send(client, f"{first}result/", seen, method="put").json()["points"] == [7, 4]
    assert refusal(send(client, f"{first}result/", seen, method="put")) == (409, "fixture_changed")
    annulled = send(client, f"{first}annul/", {"reason": "Errore"}).json()
    assert (annulled["annulled"], annulled["winner"]) == (True, None)
    assert send(client, f"{first}restore/", {"reason": "Errore"}).json()["winner"] == 0
    forfeit = send(client, f"{own}1-2/forfeit/", {"reason": "Non c'erano", "forfeit_by": [1]}).json()
    assert (forfeit["winner"], forfeit["forfeit_by"], forfeit["decided_by"]) == (0, 1, "forfeit")
    both = send(client, f"{own}2-1/forfeit/", {"reason": "Nessuno", "forfeit_by": [1, 0]}).json()
    assert (both["double_forfeit"], both["winner"]) == (True, None)
    twice = send(client, f"{own}2-1/forfeit/", {"reason": "x", "forfeit_by": [1, 1]})
    assert faults(twice) == {"forfeit_by": "repeated"}
    assert refusal(send(client, f"{own}9-9/annul/", {"reason": "x"})) == (404, "no_such_fixture")
    assert refusal(send(key_for(tournament, four[0]), f"{first}annul/", {"reason": "x"})) == (403, "not_organiser")
    logged = tournament.log.filter(code__startswith="ruling_").values_list("code", "player")
    assert set(logged.values_list("player", flat=True)) == {tournament.organiser_id}


@pytest.mark.rule("AP7", "F2")
def test_clocks_are_held_and_entries_leave_and_come_back_u7_f2(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(GIRONE), four, timezone.now())
    open_ready(tournament, timezone.now() + caps.MINUTE)
    client, own = key_for(tournament), f"{LIST}{tournament.public_id}/"
    why = {"reason": "Va via la luce"}
    assert send(client, f"{own}pause/", why).json()["paused_at"] is not None
    assert refusal(send(client, f"{own}pause/", why)) == (409, "all_paused")
    assert send(client, f"{own}resume/", why).json()["paused_at"] is None
    playing = Fixture.objects.filter(round__tournament=tournament, state="playing").select_related("round").first()
    assert playing is not None
    table = f"{own}fixtures/{playing.round.number}-{playing.board}/"
    assert send(client, f"{table}pause/", why).status_code == 200
    assert send(client, f"{table}resume/", why).status_code == 200
    name = client.get(table).json()["first"]["name"]
    assert refusal(send(client, f"{table}time/", {**why, "player": "Nessuno", "minutes": 1})) == (409, "no_such_line")
    assert send(client, f"{table}time/", {**why, "player": name, "minutes": 1}).status_code in (200, 409)
    entry = client.get(f"{own}entries/").json()["results"][0]["id"]
    assert send(client, f"{own}entries/{entry}/withdraw/", why).json()["withdrawn"] is True
    back = send(client, f"{own}entries/{entry}/reinstate/", why).json()
    assert (back["done"], back["entry"]["withdrawn"]) == (True, False)
    assert refusal(send(client, f"{own}entries/999999/reinstate/", why)) == (404, "no_such_entry")


@pytest.mark.rule("AP7", "D4")
def test_rounds_are_drawn_and_published_u7_d4(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = enter_all(opened(publishes_rounds=True), four, now)
    client, own = key_for(tournament), f"{LIST}{tournament.public_id}/"
    draft = send(client, f"{own}rounds/draw/").json()
    assert (draft["round"], [pair["board"] for pair in draft["pairs"]]) == (1, [1, 2])
    assert client.get(f"{own}fixtures/").json()["results"] == []
    stale = send(client, f"{own}rounds/publish/", {"round": 1, "key": "another"})
    assert refusal(stale) == (409, "draft_changed")
    answer = send(client, f"{own}rounds/publish/", {"round": 1, "key": draft["key"]})
    assert answer.json()["state"] == "running"
    fixtures = client.get(f"{own}fixtures/", {"round": 1}).json()["results"]
    pairs = [(pair["first"], pair["second"]) for pair in draft["pairs"]]
    assert [(row["first"]["id"], row["second"]["id"]) for row in fixtures] == pairs


def test_no_key_learns_more_by_a_write_than_by_reading(opened: Opened, organiser: Player, anna: Player) -> None:
    draft = lifecycle.create_tournament(organiser=organiser, settings=KO, now=timezone.now())
    client = by_key(make_key(anna, targets=[f"tournament:{draft.public_id}"]))
    for act in ("join", "leave", "check-in", "withdraw", "publish", "cancel"):
        assert refusal(send(client, f"{LIST}{draft.public_id}/{act}/")) == (404, "not_found")
    assert AccessToken.objects.count() == 1


ODD_HOURS = ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "1999-12-31T23:59:59Z")


@pytest.mark.rule("AP3")
@pytest.mark.both_databases
@pytest.mark.parametrize("venue", ["site", "real"])
def test_hours_that_no_calendar_has_are_refused_by_name_wherever_they_stand(key: Client, venue: str) -> None:
    start = (timezone.now() + timedelta(days=2)).isoformat()
    for odd in ODD_HOURS:
        body = {**BODY, "venue": venue}
        assert faults(send(key, LIST, {**body, "starts_at": odd})) == {"starts_at": "hour_range"}
        hours = {**body, "starts_at": start, "round_hours": [start, odd]}
        assert faults(send(key, LIST, hours)) == {"round_hours.1": "hour_range"}
        made = send(key, LIST, body).json()
        assert faults(send(key, f"{LIST}{made['public_id']}/", {"starts_at": odd}, method="patch")) == {
            "starts_at": "hour_range"
        }
        moved = {"hours": [{"round": 1, "opens_at": odd}]}
        assert faults(send(key, f"{LIST}{made['public_id']}/rounds/hours/", moved, method="put")) == {
            "hours.0.opens_at": "hour_range"
        }
        Tournament.objects.all().delete()
    for address in ("/api/v1/archive/?year=1", "/api/v1/archive/?year=9998", "/archivio/?anno=0001"):
        assert key.get(address).status_code < 500, address
