"""The outbox (W5): what happens in an organiser's tournaments is written down with it, once, without any name."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from players import caps
from players.models import Player
from players.services.close_account import close_account
from tests.support.best_of import OF_THREE, enter
from tests.support.desk import build_act, start_refereed
from tests.support.play import OPENING, entry_of, open_ready, play, rounds_played
from tests.support.real_tables import NAMES, draw_real, list_round
from tests.support.standings import create_field
from tests.support.teams import draw_teams
from tests.support.tournaments import GIRONE, KO, PAIRS, Opened
from tournaments.desk import results as desk_results
from tournaments.desk.act import Act
from tournaments.desk.results import Decision
from tournaments.entries import join
from tournaments.models import Fixture, Tournament, Webhook, WebhookDelivery
from tournaments.rounds import drafts
from tournaments.running import withdraw
from tournaments.running.results import advance, record_result
from tournaments.transfer.loans import lend_tournament
from tournaments.webhooks import actions

pytestmark = pytest.mark.django_db

URL = "https://93.184.215.14/hook"


@pytest.fixture
def webhook(organiser: Player, now: datetime) -> Webhook:
    return actions.create_webhook(owner=organiser, url=URL, now=now)


def read_kinds(webhook: Webhook) -> list[str]:
    return list(webhook.deliveries.order_by("pk").values_list("kind", flat=True))


def read_results(webhook: Webhook) -> list[str]:
    return [kind for kind in read_kinds(webhook) if kind.startswith("result.")]


def read_last(webhook: Webhook) -> tuple[str, Any]:
    delivery = webhook.deliveries.latest("pk")
    return delivery.kind, delivery.data


def ruled(fixture: Fixture, points: tuple[int, int], act: Any) -> None:
    winner = None if points[0] == points[1] else int(points[1] > points[0])
    desk_results.set_result(
        tournament_id=fixture.round.tournament_id,
        fixture_id=fixture.pk,
        decision=Decision(points=points, winner=winner),
        act=act,
    )


@pytest.mark.rule("W5")
def test_a_tournament_tells_its_start_each_result_and_its_end(
    opened: Opened, webhook: Webhook, four: list[Player], now: datetime
) -> None:
    tournament = opened(KO, max_entries=4)
    for player in four:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    assert read_kinds(webhook) == ["tournament.started", "round.drawn"]
    assert read_last(webhook)[1] == {
        "tournament": tournament.public_id, "round": 1, "round_name": "semifinal", "fixtures": 2,
    }  # fmt: skip
    rounds_played(Tournament.objects.get(), now)
    kinds = read_kinds(webhook)
    assert kinds[2:] == ["result.in", "result.in", "round.drawn", "result.in", "tournament.finished"]
    final = Fixture.objects.latest("round__number")
    results = [delivery.data for delivery in webhook.deliveries.filter(kind="result.in").order_by("pk")]
    assert results[-1] == {
        "tournament": tournament.public_id,
        "round": 2,
        "board": 1,
        "part": 0,
        "first": final.first_id,
        "second": final.second_id,
        "over": True,
        "winner": final.winner,
        "points": [final.points_0, final.points_1],
        "cards": None,
        "mp": None,
        "vp": None,
        "forfeit_by": None,
        "double_forfeit": False,
        "annulled": False,
        "decided_by": final.decided_by,
        "games": [],
    }
    _kind, end = read_last(webhook)
    assert [row["overall"] for row in end["standings"]] == [1, 2, 3, 3]


@pytest.mark.rule("W5", "D4")
def test_a_round_that_the_organiser_publishes_is_told_then_and_no_draft_of_it(
    opened: Opened, webhook: Webhook, organiser: Player, four: list[Player], now: datetime
) -> None:
    options = {"rounds": 2}
    tournament = opened(
        GIRONE, format="danese", max_entries=5, min_entries=4, format_options=options, publishes_rounds=True
    )
    for player in four:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    drafts.draw_round(tournament_id=tournament.pk, by=organiser, now=now)
    assert read_kinds(webhook) == []
    drafts.publish_round(tournament_id=tournament.pk, number=1, by=organiser, now=now)
    assert read_kinds(webhook) == ["tournament.started", "round.drawn"]


@pytest.mark.rule("W5")
def test_nothing_that_is_told_has_a_name_in_it(
    opened: Opened, webhook: Webhook, four: list[Player], now: datetime
) -> None:
    tournament = opened(GIRONE, name="Segretissimo", max_entries=4)
    for player in four:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    rounds_played(Tournament.objects.get(), now)
    told = json.dumps(list(webhook.deliveries.values_list("data", flat=True)))
    assert [name for name in ("Segretissimo", *(player.name for player in four)) if name in told] == []


@pytest.mark.rule("W5")
def test_a_correction_is_told_as_one_and_the_same_result_twice_is_not(
    opened: Opened, webhook: Webhook, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = start_refereed(opened, four, referee, now, GIRONE)
    fixture = Fixture.objects.filter(round__number=1).order_by("board").first()
    assert fixture is not None
    ruled(fixture, (6, 5), build_act(referee, now, key="1"))
    assert read_last(webhook)[0] == "result.in"
    before = webhook.deliveries.count()
    advance(tournament_id=tournament.pk, now=now)
    assert webhook.deliveries.count() == before, "recomputing tells nothing"
    ruled(fixture, (5, 6), build_act(referee, now, key="2"))
    kind, data = read_last(webhook)
    assert (kind, data["winner"], data["points"]) == ("result.corrected", 1, [5, 6])
    desk_results.annul_result(tournament_id=tournament.pk, fixture_id=fixture.pk, act=build_act(referee, now, key="3"))
    kind, data = read_last(webhook)
    assert (kind, data["annulled"], data["over"], data["points"]) == ("result.corrected", True, True, None)
    desk_results.order_replay(tournament_id=tournament.pk, fixture_id=fixture.pk, act=build_act(referee, now, key="4"))
    kind, data = read_last(webhook)
    assert (kind, data["over"], data["points"]) == ("result.corrected", False, None)
    ruled(fixture, (6, 5), build_act(referee, now, key="5"))
    assert read_last(webhook)[0] == "result.in"


@pytest.mark.rule("W5")
def test_results_that_a_withdrawal_annuls_or_gives_are_told_too(
    opened: Opened, webhook: Webhook, four: list[Player], now: datetime
) -> None:
    tournament = opened(GIRONE, max_entries=4)
    for player in four:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    now += OPENING
    for match in open_ready(tournament, now):
        now = max(now, play(match, now))
    leaver = entry_of(tournament, four[0])
    withdraw.withdraw_entry(tournament_id=tournament.pk, entry_id=leaver.pk, by=four[0], reason="", now=now)
    corrected = [delivery.data for delivery in webhook.deliveries.filter(kind="result.corrected")]
    assert [data["annulled"] for data in corrected] == [True], "played before half of them (R5)"


@pytest.mark.rule("W5")
def test_what_is_rolled_back_is_told_to_nobody(
    opened: Opened, webhook: Webhook, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(KO, max_entries=2)

    def draw_and_fail() -> None:
        with transaction.atomic():
            for player in (anna, bruno):
                join.enter_player(tournament_id=tournament.pk, player=player, now=now)
            assert WebhookDelivery.objects.exists()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        draw_and_fail()
    assert not WebhookDelivery.objects.exists()


@pytest.mark.rule("W5")
def test_only_the_organisers_webhooks_hear_and_only_from_then_on(
    opened: Opened, organiser: Player, four: list[Player], referee: Player, now: datetime
) -> None:
    others = actions.create_webhook(owner=referee, url=URL, now=now)
    start_refereed(opened, four, referee, now, GIRONE)
    fixtures = list(Fixture.objects.filter(round__number=1).order_by("board"))
    ruled(fixtures[0], (6, 5), build_act(referee, now, key="1"))
    late = actions.create_webhook(owner=organiser, url=URL, now=now)
    assert read_kinds(late) == []
    ruled(fixtures[1], (6, 5), build_act(referee, now, key="2"))
    assert read_results(late) == ["result.in"], "the one before it is known, and no news"
    ruled(fixtures[0], (5, 6), build_act(referee, now, key="3"))
    assert read_results(late) == ["result.in", "result.corrected"]
    old = actions.create_webhook(owner=organiser, url=URL, now=now + caps.WEBHOOK_LOOKBACK + timedelta(seconds=1))
    ruled(fixtures[0], (6, 5), build_act(referee, now, key="4"))
    assert read_kinds(old) == [], "it was drawn too long ago"
    assert read_kinds(others) == []
    ids = late.deliveries.values_list("event_id", flat=True)
    assert len(set(ids)) == len(ids)


def test_a_webhook_that_is_off_hears_nothing_and_put_on_again_only_what_is_new(
    opened: Opened, organiser: Player, webhook: Webhook, four: list[Player], referee: Player, now: datetime
) -> None:
    start_refereed(opened, four, referee, now, GIRONE)
    Webhook.objects.update(off_at=now)
    fixtures = list(Fixture.objects.filter(round__number=1).order_by("board"))
    ruled(fixtures[0], (6, 5), build_act(referee, now, key="1"))
    assert read_results(webhook) == []
    actions.put_webhook_on(webhook_id=webhook.pk, by=organiser, now=now)
    ruled(fixtures[1], (6, 5), build_act(referee, now, key="2"))
    assert read_results(webhook) == ["result.in"]


@pytest.mark.rule("W5")
def test_an_organiser_has_at_most_five(organiser: Player, now: datetime) -> None:
    for _number in range(caps.WEBHOOKS_A_PERSON):
        actions.create_webhook(owner=organiser, url=URL, now=now)
    with pytest.raises(actions.WebhookError, match=r"^too_many_webhooks$"):
        actions.create_webhook(owner=organiser, url=URL, now=now)


@pytest.mark.rule("W5", "O9")
def test_who_has_a_tournament_on_loan_makes_a_webhook_too(organiser: Player, opened: Opened, now: datetime) -> None:
    lent = create_field(opened, GIRONE, 4, now)
    lend_tournament(tournament_id=lent.pk, by=organiser, to="Sala", now=now)
    made = actions.create_webhook(owner=organiser, url=URL, now=now)
    Webhook.objects.update(off_at=now)
    actions.put_webhook_on(webhook_id=made.pk, by=organiser, now=now)
    assert Webhook.objects.get().off_at is None


def test_a_closed_account_has_none(organiser: Player, webhook: Webhook, opened: Opened, now: datetime) -> None:
    opened(KO)
    close_account(player_id=organiser.pk, now=now)
    assert not Webhook.objects.exists()


def test_without_webhooks_a_result_is_told_to_nobody(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(KO, max_entries=2)
    for player in (anna, bruno):
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    (match,) = open_ready(tournament, now + OPENING)
    play(match, now + OPENING)
    assert not record_result(match_id=match.pk, now=now), "taken in already"
    assert not WebhookDelivery.objects.exists()


@pytest.mark.rule("W5", "O12")
def test_two_tables_are_told_once_both_are_over(opened: Opened, webhook: Webhook, now: datetime) -> None:
    teams = {f"Squadra {letter}": [f"{letter}{name}" for name in NAMES[:4]] for letter in "AB"}
    tournament = draw_teams(opened, now, PAIRS, teams=teams, team_tables=2)
    one, other = Fixture.objects.of(tournament).select_related("round").order_by("part")
    ruled(one, (7, 4), Act(tournament.organiser, "", now))
    assert read_results(webhook) == []
    ruled(other, (9, 2), Act(tournament.organiser, "", now))
    assert read_results(webhook) == ["result.in", "result.in"]
    told = webhook.deliveries.filter(kind="result.in").order_by("pk")
    assert [(one.data["part"], one.data["points"], one.data["vp"]) for one in told] == [
        (1, [7, 4], [15, 5]), (2, [9, 2], [15, 5]),
    ]  # fmt: skip


@pytest.mark.both_databases
@pytest.mark.rule("W5", "EV1")
def test_other_points_of_a_game_are_a_correction_too(opened: Opened, webhook: Webhook, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, **OF_THREE)
    fixture = enter(list_round(tournament, 1)[0], now, (21, 11), (8, 21), (22, 15))
    kind, data = read_last(webhook)
    assert (kind, data["points"], data["games"][1]["points"]) == ("result.in", [2, 1], [8, 21])
    before = webhook.deliveries.count()
    advance(tournament_id=tournament.pk, now=now)
    assert webhook.deliveries.count() == before, "recomputing tells nothing"
    enter(fixture, now, (20, 22), (22, 17), (21, 20), reason="letto male")  # the same MP: −2 + 5 + 1
    kind, data = read_last(webhook)
    assert (kind, data["points"], data["games"][1]["points"]) == ("result.corrected", [2, 1], [22, 17])
