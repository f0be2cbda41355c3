"""Origin of the cards of a match: committed to before it, mixed by its players, published at its end (J1-J5)."""

import hashlib
import json
import logging
import os
import signal
from datetime import datetime, timedelta
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from games import match_cache, selectors, shuffles, table_views
from games.engine.cards import NAMES
from games.engine.game import Length
from games.locked_match import LockedMatch
from games.models import Commitment, Match
from games.sealing import read_deck, unseal
from games.selectors import LATE, build_record
from games.services import nonces, referee, seating, settlement
from games.services.errors import NonceRefused, NoncesOver, Replaced
from games.sweep import Sweep
from players.models import Player
from records.results import replay_record
from tests.games import naive_shuffling
from tests.support import empty_databases
from tests.support.people import sign_in, take_house
from tests.support.tables import CONTROLS, again, begin_three, opened, play, play_out, seated

ANNAS, BRUNOS = "a1" * 16, "b2" * 16
WAIT = timedelta(seconds=6)  # longer than either half, with the grace


@pytest.fixture
def mixing(settings: LazySettings) -> None:
    settings.MIXING_SECONDS = 5


def come(match: Match, players: list[Player], now: datetime) -> None:
    for seat, player in enumerate(players):
        seating.sit_down(match_id=match.pk, player_id=player.pk, token=CONTROLS[seat], now=now)


def promise(match: Match, seat: int, nonce: str, now: datetime, control: str | None = None) -> None:
    digest = hashlib.sha256(bytes.fromhex(nonce)).hexdigest()
    nonces.add_hash(
        match_id=match.pk, seat=seat, control=control or CONTROLS[seat], digest=digest, client_id="h", now=now
    )


def add(match: Match, seat: int, nonce: str, now: datetime) -> None:
    nonces.add_nonce(match_id=match.pk, seat=seat, control=CONTROLS[seat], nonce=nonce, client_id="n", now=now)


def read_commitment(match: Match) -> Commitment:
    return Commitment.objects.get(scope=match.public_id)


def read_secret(match: Match) -> bytes:
    return unseal(read_commitment(match).sealed)


def read_names(match: Match) -> list[str]:
    return [NAMES[card] for card in read_deck(match.deals.get().deck)]


@pytest.mark.rule("J1")
def test_a_secret_is_committed_to_before_anybody_sits(
    anna: Player, bruno: Player, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "games.shuffles"):
        match = opened([anna, bruno], now)
    row = read_commitment(match)
    assert naive_shuffling.commit(match.public_id, read_secret(match)) == row.digest
    assert len(read_secret(match)) == 32
    assert row.digest in caplog.text
    for viewer in (0, 1, None):
        assert table_views.build_table_view(match, viewer, now)["shuffle"]["commitment"] == row.digest
    assert read_secret(match) != read_secret(opened(take_house(count=2, now=now), now))


@pytest.mark.rule("J1")
def test_every_row_of_the_register_has_the_digest_of_the_one_before(anna: Player, bruno: Player, now: datetime) -> None:
    for _ in range(3):
        match = opened([anna, bruno], now)
        referee.stop(match_id=match.pk, now=now)
    before, rows = "0" * 64, list(Commitment.objects.order_by("number"))
    for number, row in enumerate(rows, start=1):
        assert (row.number, row.previous) == (number, before)
        said = ["smazzata-1", "row", str(number), f"{now:%Y-%m-%dT%H:%M:%SZ}", row.scope, row.digest, before]
        before = hashlib.sha256("\0".join(said).encode()).hexdigest()
    assert len(rows) == 3


@pytest.mark.rule("J1")
def test_the_sweep_lists_what_a_process_that_died_has_drawn(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    Commitment.objects.update(number=None, previous="")
    Sweep(clock=lambda: now + timedelta(seconds=3)).round()
    assert read_commitment(match).number is not None


@pytest.mark.rule("J2", "J3")
def test_browsers_add_their_nonces_and_the_cards_come_from_all_of_it(
    anna: Player, bruno: Player, now: datetime, mixing: None
) -> None:
    match = opened([anna, bruno], now, first_dealer=None)
    secret = read_secret(match)
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token=CONTROLS[0], now=now)
    promise(match, 0, ANNAS, now)
    seating.sit_down(match_id=match.pk, player_id=bruno.pk, token=CONTROLS[1], now=now)
    with pytest.raises(NoncesOver):
        add(match, 0, ANNAS, now)  # Bruno could choose another knowing it
    promise(match, 1, BRUNOS, now)
    assert read_commitment(match).stage == "nonces"
    add(match, 1, BRUNOS, now)
    assert again(match).status == Match.Status.WAITING
    add(match, 0, ANNAS, now)
    begun = again(match)
    assert begun.status == Match.Status.PLAYING
    assert read_names(match) == naive_shuffling.shuffled(secret, match.public_id, [ANNAS, BRUNOS], 0)
    assert begun.first_dealer == naive_shuffling.dealer(secret, match.public_id, [ANNAS, BRUNOS], 2)
    assert match.deals.get().dealer == begun.first_dealer
    shown = table_views.build_table_view(match, None, now)
    assert shown["shuffle"]["nonces"] == [ANNAS, BRUNOS]
    assert shown["deal"]["dealer"] == begun.first_dealer


@pytest.mark.rule("J2")
def test_a_nonce_that_is_not_there_in_time_is_the_empty_text(
    anna: Player, bruno: Player, now: datetime, mixing: None
) -> None:
    match = opened([anna, bruno], now)
    come(match, [anna, bruno], now)
    promise(match, 0, ANNAS, now)
    assert not settlement.expire_overdue(match_id=match.pk, now=now + timedelta(seconds=4))
    assert settlement.expire_overdue(match_id=match.pk, now=now + WAIT)  # Bruno's hash is waited for no longer
    assert again(match).status == Match.Status.WAITING
    with pytest.raises(NoncesOver):
        promise(match, 1, BRUNOS, now + WAIT)
    add(match, 0, ANNAS, now + WAIT)
    assert again(match).status == Match.Status.PLAYING
    assert read_commitment(match).nonces == [ANNAS, ""]


@pytest.mark.rule("J2")
def test_a_nonce_that_does_not_fit_its_hash_is_refused_and_then_missing(
    anna: Player, bruno: Player, now: datetime, mixing: None
) -> None:
    match = opened([anna, bruno], now)
    come(match, [anna, bruno], now)
    promise(match, 0, ANNAS, now)
    promise(match, 0, ANNAS, now)  # sent again
    with pytest.raises(NonceRefused):
        promise(match, 0, BRUNOS, now)
    promise(match, 1, BRUNOS, now)
    with pytest.raises(NonceRefused):
        add(match, 1, ANNAS, now)
    add(match, 0, ANNAS, now)
    assert settlement.expire_overdue(match_id=match.pk, now=now + WAIT)
    assert again(match).status == Match.Status.PLAYING
    assert read_commitment(match).nonces == [ANNAS, ""]
    with pytest.raises(NoncesOver):
        add(match, 1, BRUNOS, now + WAIT)


@pytest.mark.rule("J2")
def test_only_the_window_that_controls_the_seat_adds(anna: Player, bruno: Player, now: datetime, mixing: None) -> None:
    match = opened([anna, bruno], now)
    come(match, [anna, bruno], now)
    with pytest.raises(Replaced):
        promise(match, 0, ANNAS, now, control="another")


@pytest.mark.rule("J2")
def test_where_no_browser_answers_the_cards_are_dealt_after_one_wait_by_the_sweep(
    anna: Player, bruno: Player, now: datetime, mixing: None
) -> None:
    match = opened([anna, bruno], now)
    come(match, [anna, bruno], now)
    assert again(match).noshow_at is None
    Sweep(clock=lambda: now + WAIT).round()
    assert again(match).status == Match.Status.PLAYING
    assert read_commitment(match).nonces == ["", ""]


@pytest.mark.rule("J2")
def test_the_house_adds_nothing_and_is_not_waited_for(anna: Player, now: datetime, mixing: None) -> None:
    match = opened([anna, *take_house(count=1, now=now)], now)
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token=CONTROLS[0], now=now)
    promise(match, 0, ANNAS, now)
    add(match, 0, ANNAS, now)
    assert read_commitment(match).nonces == [ANNAS, ""]
    assert again(match).status == Match.Status.PLAYING
    both = opened(take_house(count=2, now=now), now)
    assert both.status == Match.Status.PLAYING


@pytest.mark.rule("J2")
def test_three_players_add_three_nonces(
    anna: Player, bruno: Player, carla: Player, now: datetime, mixing: None
) -> None:
    match = begin_three([anna, bruno, carla], now)
    for seat in (0, 1, 3):
        promise(match, seat, f"{seat}0" * 16, now)
    for seat in (3, 1, 0):
        add(match, seat, f"{seat}0" * 16, now)
    assert read_commitment(match).nonces == ["00" * 16, "10" * 16, "30" * 16]


@pytest.mark.rule("J2")
def test_a_referees_pause_holds_the_wait(anna: Player, bruno: Player, now: datetime, mixing: None) -> None:
    match = opened([anna, bruno], now)
    come(match, [anna, bruno], now)
    until = again(match).mixing_until
    referee.pause(match_id=match.pk, now=now)
    assert not settlement.expire_overdue(match_id=match.pk, now=now + 10 * WAIT)
    referee.resume(match_id=match.pk, now=now + timedelta(seconds=60))
    assert until is not None
    assert again(match).mixing_until == until + timedelta(seconds=60)


@pytest.mark.rule("J5")
@pytest.mark.parametrize("how", ["played", "stopped", "never_dealt"])
def test_the_secret_is_published_with_the_end_and_its_reason(
    how: str, anna: Player, bruno: Player, now: datetime
) -> None:
    match = (opened if how == "never_dealt" else seated)([anna, bruno], now, first_dealer=None)
    secret = read_secret(match)
    assert (read_commitment(match).secret, shuffles.read_shuffle(again(match))) == ("", None)
    if how == "played":
        play_out(match, now)
    elif how == "stopped":
        referee.stop(match_id=match.pk, now=now)
    else:
        settlement.expire_overdue(match_id=match.pk, now=now + timedelta(seconds=400))
    row = read_commitment(match)
    assert (row.secret, row.sealed, row.reason) == (secret.hex(), "", how)
    assert shuffles.list_hidden_too_long(now + timedelta(days=9)).count() == 0
    assert replay_record(build_record(again(match)))["ok"]


@pytest.mark.rule("J1")
def test_what_stays_hidden_a_day_after_its_end_is_counted(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    Match.objects.filter(pk=match.pk).update(finished_at=now)
    assert shuffles.list_hidden_too_long(now + timedelta(hours=23)).count() == 0
    assert shuffles.list_hidden_too_long(now + timedelta(hours=25)).count() == 1
    match.delete()
    assert shuffles.list_hidden_too_long(now + timedelta(hours=25)).count() == 1


@pytest.mark.rule("J6")
def test_the_record_says_where_its_decks_come_from_and_replays(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, length=Length("deals", 2), first_dealer=None)
    assert "shuffle" not in selectors.build_running_record(again(match)).record
    play_out(match, now)
    record = build_record(again(match))
    assert record is not None
    assert record["shuffle"]["dealer"] == "drawn"
    assert (record["shuffle"]["scope"], record["shuffle"]["nonces"]) == (match.public_id, ["", ""])
    assert replay_record(json.loads(json.dumps(record)))["complete"]


@pytest.mark.rule("J8")
def test_another_process_deals_the_same_cards(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    deck = list(read_deck(match.deals.get().deck))
    table_views.clear_caches()
    assert shuffles.deal(again(match), 0) == deck


def play_and_die(match: Match, now: datetime, number: int, told: Connection) -> None:
    """Play a card in a process of its own, and kill that as soon as the deal of this number is there."""
    deal = LockedMatch._deal

    def deal_and_die(table: LockedMatch, *more: Any) -> None:
        deal(table, *more)
        told.send(read_deck(table.match.deals.get(number=number).deck))
        os.kill(os.getpid(), signal.SIGKILL)

    LockedMatch._deal = deal_and_die  # type: ignore[method-assign]
    play(match, now)


@pytest.mark.both_databases
@pytest.mark.rule("J8")
def test_a_process_that_is_killed_between_two_deals_changes_no_card_of_the_next(
    transactional_db: None, anna: Player, bruno: Player, now: datetime
) -> None:
    """Kill it with the next cards dealt, before that is committed: whoever plays the last card again gets the same."""
    match = seated([anna, bruno], now, length=Length("deals", 2))
    dealt = match.deals.count()  # one, or more with too many kings on the cloth (S2)
    for _ in range(35):
        play(match, now)
    told, ours = Pipe(duplex=False)
    empty_databases.leave()  # the child opens a connection of its own
    child = get_context("fork").Process(target=play_and_die, args=(match, now, dealt, ours))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    assert match.deals.count() == dealt, "nothing of it is left"
    play(match, now)
    assert read_deck(match.deals.get(number=dealt).deck) == told.recv()


def test_a_match_from_before_there_were_commitments_goes_on(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, length=Length("deals", 2))
    Match.objects.filter(pk=match.pk).update(commitment=None)
    table_views.clear_caches()
    play_out(match, now)
    record = build_record(again(match))
    assert record is not None
    assert "shuffle" not in record
    assert replay_record(record)["complete"]
    assert table_views.build_table_view(again(match), None, now)["shuffle"] is None


@pytest.mark.rule("J5")
def test_nothing_shows_the_secret_or_a_sealed_deck_while_the_match_runs(
    anna: Player, bruno: Player, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        match = seated([anna, bruno], now, length=Length("deals", 2))
        while match.deals.count() < 2:
            play(match, now)
        row = read_commitment(match)
        staff = sign_in(bruno)
        bruno.user.is_staff = bruno.user.is_superuser = True
        bruno.user.save()
        shown = [repr(row), str(row), repr(match_cache.read_match(match.pk)), repr(again(match))]
        shown += [
            table_views.encode_views(match.pk, [seat]).by_seat[seat].decode() for seat in (0, 1, None, LATE)
        ]  # fmt: skip
        addresses = (f"/tavoli/{match.public_id}/", "/mazzi/registro/", f"/partite/{match.public_id}/verbale.json")
        for client in (Client(), sign_in(anna), staff):
            shown += [client.get(address).content.decode() for address in addresses]
            shown.append(client.get(f"/api/v1/matches/{match.public_id}/").content.decode())
        shown.append(staff.get(f"/admin/games/match/{match.pk}/change/").content.decode())
    secret = unseal(row.sealed)
    decks = list(match.deals.with_results().values_list("deck", flat=True))
    names = ["".join(NAMES[card] for card in read_deck(deck)) for deck in decks]
    hidden = [secret.hex(), secret.hex().upper(), row.sealed, repr(secret)[2:-1], *decks, *names]
    for text in [*shown, caplog.text]:
        assert not [each for each in hidden if each in text]
    assert any(row.digest in text for text in shown)
    play_out(match, now)
    assert secret.hex() in Client().get("/mazzi/registro/").content.decode()


def test_a_view_is_of_one_version_though_a_player_comes_while_it_is_read(
    anna: Player, bruno: Player, now: datetime, mixing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = opened([anna, bruno], now)
    come(match, [anna, bruno], now)
    read = match_cache.read_match

    def read_before(match_id: int) -> match_cache.CommittedMatch:
        standing = read(match_id)
        monkeypatch.setattr(match_cache, "read_match", read)
        promise(match, 0, ANNAS, now)
        return standing

    monkeypatch.setattr(match_cache, "read_match", read_before)
    frame = table_views.build_table_view(match, 0, now)
    assert frame["shuffle"]["hashes"][0] != "", "read after it was promised"
    assert frame["v"] == again(match).version
