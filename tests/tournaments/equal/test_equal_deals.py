"""Equal deals (J9): secrets committed to before the draw, nonces of whoever is entered, the same decks at all
tables."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.conf import LazySettings

from games import table_views
from games.models import Commitment, Match
from games.sealing import is_sealed, unseal
from games.selectors import build_record
from players.models import Player
from records.results import replay_record
from tests.games import naive_shuffling
from tests.support.entries import enter_all
from tests.support.equal import EQUAL, EQUAL_DANESE, add, begun, promise, read_decks
from tests.support.play import (
    OPENING,
    open_ready,
    play,
    ready,
    rounds_played,
    sit_down,
    stored_equals_recomputed,
)
from tests.support.tournaments import KO, Opened, catch_code
from tournaments.desk import results
from tournaments.desk.act import Act
from tournaments.entries import checkin
from tournaments.equal import nonces, secrets
from tournaments.hall import real_table_acts
from tournaments.models import Fixture, Round, Tournament
from tournaments.organise import lifecycle
from tournaments.running.results import show_rounds
from tournaments.running.start import start_due

ANNAS, BRUNOS = "a1" * 16, "b2" * 16


@pytest.mark.rule("J9")
@pytest.mark.parametrize(
    ("base", "changed", "code"),
    [
        (KO, {"equal_deals": True}, "equal_deals_ko"),
        (EQUAL, {"length_kind": "points", "length_value": 21}, "equal_deals_points"),
        (EQUAL, {"round_minutes": 60}, "equal_deals_hours"),
        (EQUAL, {"equal_deals": False, "tie_break": "percentuale"}, "percentage_without_equal_deals"),
    ],
)
def test_what_equal_deals_cannot_be_played_with_is_refused(
    organiser: Player, now: datetime, base: object, changed: dict[str, object], code: str
) -> None:
    settings = replace(base, **changed)  # type: ignore[type-var]
    assert catch_code(lifecycle.create_tournament, organiser=organiser, settings=settings, now=now) == code


@pytest.mark.rule("J9")
def test_hours_of_rounds_are_refused_with_equal_deals(organiser: Player, now: datetime) -> None:
    hours = {"starts_at": now + timedelta(hours=1), "round_hours": (now + timedelta(days=7),)}
    settings = replace(EQUAL, **hours)
    assert (
        catch_code(lifecycle.create_tournament, organiser=organiser, settings=settings, now=now) == "equal_deals_hours"
    )


@pytest.mark.rule("J9", "J1")
def test_every_round_is_committed_to_when_entries_open(opened: Opened, now: datetime) -> None:
    tournament = opened(EQUAL, max_entries=4)
    rows = secrets.list_commitments(tournament)
    assert [row.scope for row in rows] == [f"{tournament.public_id}/{number}" for number in (1, 2, 3)]
    for row in rows:
        secret = unseal(row.sealed)
        assert naive_shuffling.commit(row.scope, secret) == row.digest
        assert (row.secret, row.shared, row.stage) == ("", True, "hashes")
    assert len({row.digest for row in rows}) == 3


@pytest.mark.rule("J9")
def test_with_a_check_in_rounds_are_committed_to_when_it_opens(opened: Opened, now: datetime) -> None:
    start = now + timedelta(hours=1)
    tournament = opened(EQUAL, starts_at=start, checkin_minutes=15)
    assert not secrets.list_commitments(tournament)
    start_due(tournament_id=tournament.pk, now=start - timedelta(minutes=15))
    assert len(secrets.list_commitments(tournament)) == 3


@pytest.mark.rule("J9", "J2")
def test_nonces_are_those_of_the_people_in_the_order_of_registration(
    opened: Opened, four: list[Player], now: datetime, settings: LazySettings
) -> None:
    settings.MIXING_SECONDS = 5
    start = now + timedelta(hours=1)
    tournament = opened(EQUAL, starts_at=start, checkin_minutes=15)
    enter_all(tournament, four, now)
    assert catch_code(promise, tournament=tournament, player=four[0], nonce=ANNAS, now=now) == "nonces_over"
    window = start - timedelta(minutes=15)
    start_due(tournament_id=tournament.pk, now=window)
    assert catch_code(promise, tournament=tournament, player=four[0], nonce=ANNAS, now=window) == "nonces_over"
    for player in four:
        checkin.check_in(tournament_id=tournament.pk, player=player, now=window)
    promise(tournament, four[2], BRUNOS, window)
    promise(tournament, four[0], ANNAS, window)
    assert catch_code(add, tournament=tournament, player=four[0], nonce=ANNAS, now=window) == "nonces_over"
    start_due(tournament_id=tournament.pk, now=start)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.CHECKIN
    assert tournament.due_at == start + timedelta(seconds=10)
    assert catch_code(promise, tournament=tournament, player=four[1], nonce=ANNAS, now=start) == "nonces_over"
    assert catch_code(add, tournament=tournament, player=four[0], nonce=BRUNOS, now=start) == "nonce_refused"
    add(tournament, four[0], ANNAS, start)
    start_due(tournament_id=tournament.pk, now=start + timedelta(seconds=3))
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.CHECKIN, "somebody promised a nonce and is waited for"
    start_due(tournament_id=tournament.pk, now=start + timedelta(seconds=10))
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    rows = secrets.list_commitments(tournament)
    assert [row.nonces for row in rows] == [[ANNAS, "", "", ""]] * 3
    assert {row.stage for row in rows} == {"fixed"}


@pytest.mark.rule("J9", "J2")
def test_nobody_is_waited_for_once_all_promised_nonces_are_there(
    opened: Opened, four: list[Player], now: datetime, settings: LazySettings
) -> None:
    settings.MIXING_SECONDS = 5
    tournament = opened(EQUAL, max_entries=4)
    enter_all(tournament, four[:3], now)
    promise(tournament, four[1], BRUNOS, now)
    enter_all(tournament, four[3:], now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.OPEN
    add(tournament, four[1], BRUNOS, now + timedelta(seconds=1))
    tournament.refresh_from_db()
    assert tournament.due_at == now + timedelta(seconds=1)
    start_due(tournament_id=tournament.pk, now=now + timedelta(seconds=1))
    assert secrets.list_commitments(tournament)[0].nonces == ["", BRUNOS, "", ""]


@pytest.mark.rule("J9", "J3", "J6")
def test_all_tables_of_a_round_play_the_decks_of_its_secret(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = begun(opened, four, now)
    at = now + OPENING
    matches = open_ready(tournament, at)
    assert len(matches) == 2
    assert {match.opened_at for match in matches} == {at}
    assert {match.first_dealer for match in matches} == {0}
    for match in matches:
        view = table_views.build_table_view(match, 0, now)["shuffle"]
        assert (view["scope"], view["shared"], view["stage"]) == (f"{tournament.public_id}/1", True, "fixed")
    play(matches[0], at)
    commitment = secrets.list_commitments(tournament)[0]
    assert commitment.secret == "", "a table still plays its cards"
    assert all(is_sealed(deal.deck) for deal in matches[0].deals.with_results())
    matches[0].refresh_from_db()
    assert build_record(matches[0]) is None
    play(matches[1], at)
    commitment.refresh_from_db()
    secret = bytes.fromhex(commitment.secret)
    decks = ["".join(naive_shuffling.shuffled(secret, commitment.scope, [""] * 4, number)) for number in (0, 1)]
    for match in matches:
        match.refresh_from_db()
        assert read_decks(match) == decks
        record = build_record(match)
        assert record is not None
        assert record["shuffle"]["scope"] == commitment.scope
        assert replay_record(record)["ok"]
    assert commitment.reason == Commitment.Reason.PLAYED


@pytest.mark.rule("J9", "J5")
def test_after_the_end_every_secret_is_public(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = begun(opened, four[:3], now, base=EQUAL_DANESE)
    at = rounds_played(tournament, now)
    secrets.reveal_rounds(Tournament.objects.get(pk=tournament.pk), at)
    rows = secrets.list_commitments(tournament)
    assert [row.reason for row in rows] == [Commitment.Reason.PLAYED] * 2
    assert all(row.secret for row in rows)
    assert not Round.objects.filter(tournament=tournament, withheld=True).exists()
    assert stored_equals_recomputed(tournament)


@pytest.mark.rule("J9", "J5")
def test_a_cancelled_tournament_shows_secrets_that_were_never_dealt(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = opened(EQUAL, max_entries=4)
    lifecycle.cancel_tournament(tournament_id=tournament.pk, by=organiser, now=now)
    assert list(secrets.list_due_reveals(now)) == [tournament.pk]
    show_rounds(tournament_id=tournament.pk, now=now)
    assert {row.reason for row in secrets.list_commitments(tournament)} == {Commitment.Reason.NEVER_DEALT}
    assert list(secrets.list_due_reveals(now)) == []


@pytest.mark.rule("J9")
def test_a_replay_has_cards_of_its_own(opened: Opened, organiser: Player, four: list[Player], now: datetime) -> None:
    tournament = begun(opened, four, now)
    at = now + OPENING
    first, second = open_ready(tournament, at)
    at = play(first, at)
    act = Act(organiser, "carte scoperte", at)
    results.order_replay(tournament_id=tournament.pk, fixture_id=Fixture.objects.get(match=first).pk, act=act)
    (again,) = open_ready(tournament, at + OPENING)
    assert again.commitment is not None
    assert again.commitment.scope == f"{tournament.public_id}/1/r1"
    assert not again.commitment.shared
    assert again.withheld
    play(again, at + OPENING)
    again.refresh_from_db()
    assert again.withheld, "the round isn't over"
    play(second, at + OPENING)
    again.refresh_from_db()
    assert not again.withheld
    assert read_decks(again) != read_decks(Match.objects.get(pk=second.pk))
    assert Match.objects.get(pk=first.pk).withheld is False, "also what was replaced is shown"
    assert not ready(tournament) or ready(tournament)[0].round.number == 2


@pytest.mark.rule("J9", "J12")
def test_a_table_that_was_replaced_twice_is_shown_with_its_round(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = begun(opened, four, now)
    at = now + OPENING
    first, second = open_ready(tournament, at)
    fixture, replaced = Fixture.objects.get(match=first), [first]
    at = play(first, at)
    for _time in (1, 2):
        act = Act(organiser, "carte scoperte", at)
        results.order_replay(tournament_id=tournament.pk, fixture_id=fixture.pk, act=act)
        (again,) = open_ready(tournament, at + OPENING)
        replaced.append(again)
        at = play(again, at + OPENING)
    assert [match.commitment.scope.rpartition("/")[2] for match in replaced[1:] if match.commitment] == ["r1", "r2"]
    play(second, at)
    assert not Match.objects.filter(withheld=True).exists()
    assert all(build_record(Match.objects.get(pk=match.pk)) for match in replaced)


@pytest.mark.rule("J9", "O1")
def test_who_comes_back_from_a_real_table_has_other_cards_than_those_they_saw(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = begun(opened, four, now)
    at = now + OPENING
    first, _second = open_ready(tournament, at)
    sit_down(first, at)
    about = {"tournament_id": tournament.pk, "fixture_id": Fixture.objects.get(match=first).pk}
    act = Act(organiser, "manca la rete", at)
    real_table_acts.move_to_real_table(table=None, act=act, **about)
    real_table_acts.move_to_site(act=act, **about)
    (again,) = open_ready(tournament, at + OPENING)
    assert again.commitment is not None
    assert again.commitment.scope == f"{tournament.public_id}/1/r1"


def test_nobody_adds_a_nonce_where_they_are_not_entered(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = opened(EQUAL, max_entries=4)
    arguments = {"tournament_id": tournament.pk, "player": anna, "digest": "a" * 64, "now": now}
    assert catch_code(nonces.add_hash, **arguments) == "not_entered"
