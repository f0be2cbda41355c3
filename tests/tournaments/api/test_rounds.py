"""Rounds that aren't published, fees and calls, by programs: the services of the organiser's pages, by keys."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import reports
from players.models import Player
from tests.support.desk import start_refereed
from tests.support.entries import enter_all
from tests.support.keys import address_of, by_key, code, key_for, make_key, send
from tests.support.people import sign_in
from tests.support.play import OPENING, open_ready
from tests.support.real_tables import draw_real, list_round, open_real, type_names
from tests.support.tournaments import GIRONE, Opened
from tournaments.desk.results import Decision
from tournaments.entries.join import enter_player
from tournaments.hall.phone_results import TypedResult, type_result
from tournaments.hall.slip_codes import compute_code_digest, print_slips
from tournaments.models import Entry, Round, RoundBye
from tournaments.organise.settings import Settings
from tournaments.running.start import start_due

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
DANESE = Settings(
    name="Danese", format="danese", ruleset="scopa", length_kind="points", length_value=11, format_options={"rounds": 3}
)


def finish_round(key: Client, own: str, number: int) -> None:
    for row in key.get(f"{own}fixtures/?round={number}&state=ready").json()["results"]:
        assert (
            send(key, f"{own}fixtures/{number}-{row['board']}/result/", {"points": [11, 4]}, "put").status_code == 200
        )


@pytest.mark.rule("AP7", "D4")
def test_a_draft_is_read_swapped_by_hand_and_pairs_are_forbidden_u7_d4(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 6, now, DANESE)
    key, own = key_for(tournament), address_of(tournament)
    assert key.get(f"{own}rounds/draft/").status_code == 404
    finish_round(key, own, 1)
    first, second = list_round(tournament, 1)[0].first_id, list_round(tournament, 1)[1].first_id
    banned = send(key, f"{own}bans/", {"entries": [first, second]})
    assert (banned.status_code, banned.json()) == (201, {"pairs": 1})
    (ban,) = key.get(f"{own}bans/").json()
    assert {ban["first"], ban["second"]} == {first, second}
    draft = send(key, f"{own}rounds/draw/").json()
    pairs = {frozenset((row["first"], row["second"])) for row in draft["pairs"]}
    assert frozenset((first, second)) not in pairs
    assert key.get(f"{own}rounds/draft/").json() == draft
    swap = {"first": draft["pairs"][0]["second"], "second": draft["pairs"][1]["second"]}
    assert code(send(key, f"{own}rounds/swap/", {**swap, "key": "another"})) == (409, "draft_changed")
    assert code(send(key, f"{own}rounds/swap/", {"first": 1, "second": 2**31 - 1})) == (409, "swap_not_drafted")
    swapped = send(key, f"{own}rounds/swap/", {**swap, "key": draft["key"]})
    if swapped.status_code == 200:
        assert swapped.json()["pairs"][0]["second"] == swap["second"]
    else:
        assert swapped.json()["code"] in ("swap_rematch", "swap_forbidden")
    assert send(key, f"{own}bans/{ban['id']}/", method="delete").status_code == 204
    assert code(send(key, f"{own}bans/{ban['id']}/", method="delete")) == (404, "no_such_ban")


@pytest.mark.rule("AP7", "D3")
def test_byes_are_asked_for_and_taken_back_u7_d3(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = enter_all(opened(DANESE, max_entries=8), four, now)
    key, own = key_for(tournament), address_of(tournament)
    annas = by_key(make_key(four[0], scopes=["read", "play"]))
    asked = send(annas, f"{own}bye/", {"round": 2})
    entry = Entry.objects.get(members__person__player=four[0]).pk
    assert (asked.status_code, asked.json()["entry"], asked.json()["kind"]) == (201, entry, "asked")
    assert code(send(annas, f"{own}bye/", {"round": 2})) == (409, "bye_asked_already")
    assert key.get(f"{own}byes/").json() == [asked.json()]
    assert code(annas.get(f"{own}byes/")) == (403, "scope_missing")
    other = Entry.objects.exclude(pk=entry).order_by("pk")[0].pk
    absent = send(key, f"{own}byes/", {"entry": other, "round": 1, "kind": "absent"})
    assert (absent.status_code, absent.json()["round"]) == (201, 1)
    assert code(send(key, f"{own}byes/", {"entry": other, "round": 3, "kind": "asked"})) == (409, "bye_last_round")
    assert send(key, f"{own}byes/{absent.json()['id']}/", method="delete").status_code == 204
    assert send(annas, f"{own}bye/cancel/", {"round": 2}).status_code == 204
    assert code(send(annas, f"{own}bye/cancel/", {"round": 2})) == (404, "no_such_bye")
    assert not RoundBye.objects.exists()


@pytest.mark.rule("AP7", "O10")
def test_fees_prizes_and_refunds_are_noted_u7_o10(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    key, own = key_for(tournament), address_of(tournament)
    entry, _other = type_names(tournament, ["Ada", "Bice"], now)
    place = f"{own}entries/{entry.pk}/"
    assert code(send(key, f"{place}pay/")) == (409, "no_fee")
    fees = {"fee_cents": 500, "prizes": [{"cents": 600, "what": "un prosciutto"}, {"cents": 400}]}
    assert send(key, f"{own}fees/", fees, "put").json()["prizes"] == 1000
    assert send(key, f"{place}pay/").json() == {"entry": entry.pk, "name": "Ada", "cents": 500, "missing": 0}
    assert send(key, f"{place}pay/").json()["cents"] == 500
    assert code(send(key, f"{place}refund/", {"cents": 501})) == (409, "refund_range")
    assert send(key, f"{place}refund/", {"cents": 200}).json()["cents"] == 300
    told = key.get(f"{own}fees/").json()
    assert (told["fee_cents"], told["collected"], told["refunded"], told["balance"]) == (500, 500, 200, 300)
    assert (told["paid"], told["unpaid"], [row["cents"] for row in told["entries"]]) == (1, 1, [300, 0])
    assert send(key, f"{place}unpay/").json()["cents"] == 0
    assert code(send(key, f"{place}unpay/")) == (409, "not_paid")
    assert code(send(key, f"{own}entries/999999/pay/")) == (404, "entry_gone")
    assert Client().get(f"{own}prizes/").json()["prizes"][0] == {"cents": 600, "what": "un prosciutto"}
    assert Client().get(f"{own}fees/").status_code == 401


@pytest.mark.rule("AP7", "F4")
def test_calls_reach_a_referees_program_and_are_marked_as_seen_u7_f4(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = start_refereed(opened, four, referee, now)
    (match, *_rest) = open_ready(tournament, now + OPENING)
    caller = match.seats.order_by("number")[0].player
    reports.report(
        match_id=match.pk, reporter_id=caller.pk, reason="call", text="Venite", client_id="call-1", now=now + OPENING
    )
    key = by_key(make_key(referee, targets=[f"tournament:{tournament.public_id}"]))
    own = f"{address_of(tournament)}calls/"
    (call,) = key.get(own).json()
    assert (call["code"], call["by"], call["text"], call["match"]) == ("call", caller.name, "Venite", match.public_id)
    assert send(key, f"{own}{call['id']}/seen/").status_code == 204
    assert key.get(own).json() == []
    assert code(send(key, f"{own}999999/seen/")) == (404, "no_such_call")
    assert sign_in(four[0]).get(own).status_code == 403


@pytest.mark.rule("AP7", "O4")
def test_telephones_that_disagree_call_with_what_each_typed_u7_o4(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now)
    (printed, *_rest) = print_slips(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    for code_, points in zip(printed.codes, ((7, 4), (6, 5)), strict=True):
        typed = TypedResult((), Decision(points=points, winner=0))
        digest = compute_code_digest(tournament, code_)
        type_result(tournament_id=tournament.pk, digest=digest, typed=typed, now=now)
    key, own = key_for(tournament), address_of(tournament)
    (call,) = key.get(f"{own}calls/").json()
    assert (call["id"], call["code"], [one["points"] for one in call["typed"]]) == (None, "different", [[7, 4], [6, 5]])
    place = f"{own}fixtures/{call['fixture']}/"
    assert send(key, f"{place}result/", {"points": [6, 5]}, "put").status_code == 200
    assert key.get(f"{own}calls/").json() == []


@pytest.mark.rule("AP7", "R6")
def test_the_hours_of_rounds_that_have_not_begun_are_moved_u7_r6(opened: Opened, four: list[Player]) -> None:
    now = timezone.now()
    starts, hours = now - HOUR, (now + HOUR, now + 2 * HOUR)
    tournament = opened(GIRONE, starts_at=starts, round_hours=hours)
    key, own = key_for(tournament), f"{address_of(tournament)}rounds/hours/"
    moved = {"hours": [{"round": 3, "opens_at": (now + 5 * HOUR).isoformat()}]}
    assert code(send(key, own, moved, "put")) == (409, "not_running")
    for player in four:
        enter_player(tournament_id=tournament.pk, player=player, now=starts - HOUR)
    start_due(tournament_id=tournament.pk, now=starts)
    assert send(key, own, moved, "put").status_code == 200
    assert Round.objects.get(number=3).opens_at == now + 5 * HOUR
    early = {"hours": [{"round": 1, "opens_at": (now + 5 * HOUR).isoformat()}]}
    assert code(send(key, own, early, "put")) == (409, "round_begun")


@pytest.mark.rule("AP7", "F5")
def test_an_act_tells_what_it_would_do_and_does_nothing_u7_f5(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 6, now, DANESE)
    key, own = key_for(tournament), address_of(tournament)
    finish_round(key, own, 1)
    place, before = f"{own}fixtures/1-1/", key.get(f"{own}fixtures/1-1/").json()
    logged = tournament.log.count()
    body = {"points": [4, 11], "reason": "Scritto al contrario"}
    told = send(key, f"{place}preview/", {"act": "result", "body": body})
    assert told.status_code == 200, told.content
    assert {change["entry"]["id"] for change in told.json()["standings"]} >= {before["first"]["id"]}
    assert "notices" in told.json()["stays"]
    assert (told.json()["asked"], told.json()["closed"]) == (False, [])
    assert key.get(place).json() == before
    assert tournament.log.count() == logged
    wrong = send(key, f"{place}preview/", {"act": "result", "body": {"points": [1], "colour": "red"}}).json()
    assert {(fault["field"], fault["code"]) for fault in wrong["errors"]} >= {("body.colour", "unknown")}
    assert code(send(key, f"{place}preview/", {"act": "result", "body": {"points": [4, 11]}})) == (
        409,
        "reason_missing",
    )
    assert send(key, f"{place}preview/", {"act": "cheat"}).status_code == 400
    leaving = f"{own}entries/{before['first']['id']}/preview/"
    gone = send(key, leaving, {"act": "withdraw", "body": {"reason": "Malore", "expelled": False}})
    assert gone.status_code == 200, gone.content
    assert key.get(place).json()["first"]["withdrawn"] is False
