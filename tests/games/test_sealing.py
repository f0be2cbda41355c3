"""Decks at rest: sealed while their match runs, with a key that can be changed and can't be done without (J5)."""

from datetime import datetime

import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from config.environment import BrokenSetting
from config.launcher.prepare import refuse_wrong_deck_keys
from games import sealing, table_views
from games.engine.cards import DECK_SIZE
from games.engine.game import Length
from games.models import Commitment, Deal, Match
from games.sealing import WrongKey
from games.selectors import build_record
from games.services import referee
from players.models import Player
from tests.support.tables import again, opened, play, play_out, seated

pytestmark = pytest.mark.rule("J5")
OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()


def is_any_plain(match: Match) -> bool:
    return any(not sealing.is_sealed(deck) for deck in match.deals.with_results().values_list("deck", flat=True))


def test_decks_are_sealed_while_a_match_runs_and_plain_when_it_is_over(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, length=Length("deals", 2))
    first = match.deals.get()
    for _ in range(36):
        play(match, now)
    assert match.deals.count() == 2
    assert not is_any_plain(match)
    deck = sealing.read_deck(first.deck)
    assert sorted(deck) == list(range(DECK_SIZE))
    play_out(match, now)
    assert all(not sealing.is_sealed(deck) for deck in match.deals.with_results().values_list("deck", flat=True))
    assert sealing.read_deck(match.deals.get(pk=first.pk).deck) == deck


def test_decks_of_a_match_that_a_referee_stops_are_plain(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    referee.stop(match_id=match.pk, now=now)
    assert is_any_plain(match)


def test_two_seals_of_a_deck_have_nothing_in_common() -> None:
    deck = range(DECK_SIZE)
    first, second = sealing.seal_deck(deck), sealing.seal_deck(deck)
    assert first[40:] != second[40:]
    assert sealing.read_deck(first) == sealing.read_deck(second) == tuple(deck)


def test_a_match_dealt_before_decks_were_sealed_goes_on(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, deck="Ad 2d 3d")  # planted as it was stored then
    play_out(match, now)
    assert again(match).status == Match.Status.FINISHED


def test_keys_are_changed_in_three_steps(
    anna: Player, bruno: Player, now: datetime, settings: LazySettings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DECK_KEYS = [OLD]
    match = seated([anna, bruno], now)
    before = match.deals.get().deck

    settings.DECK_KEYS = [NEW, OLD]
    table_views.clear_caches()
    play(match, now)
    call_command("deck_keys", "reseal")
    assert match.deals.get().deck != before

    settings.DECK_KEYS = [NEW]
    table_views.clear_caches()
    call_command("deck_keys", "check")
    play_out(match, now)
    assert again(match).status == Match.Status.FINISHED


def test_a_missing_key_stops_the_start_with_one_sentence(
    anna: Player, bruno: Player, now: datetime, settings: LazySettings
) -> None:
    settings.DECK_KEYS = [OLD]
    match = seated([anna, bruno], now)
    refuse_wrong_deck_keys()
    settings.DECK_KEYS = [NEW]
    with pytest.raises(
        BrokenSetting, match=r"^DECK_KEYS opens nothing of 1 running matches or draws to come: [^.]*\.$"
    ):
        refuse_wrong_deck_keys()
    with pytest.raises(CommandError):
        call_command("deck_keys", "check")
    with pytest.raises(CommandError):
        call_command("deck_keys", "reseal")
    with pytest.raises(WrongKey):
        sealing.read_deck(Deal.objects.get(match=match).deck)


def test_matches_whose_key_is_lost_are_given_up_and_the_register_says_so(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, settings: LazySettings
) -> None:
    settings.DECK_KEYS = [OLD]
    lost = seated([anna, bruno], now)
    play(lost, now)
    settings.DECK_KEYS = [NEW]
    kept = seated([carla, dino], now)
    call_command("deck_keys", "give-up")
    over = again(lost)
    assert (over.status, over.stopped_at is None) == (Match.Status.FINISHED, False)
    assert build_record(over)["deals"] == []
    row = Commitment.objects.get(matches=lost)
    assert (row.reason, row.secret, row.sealed) == ("lost", "", "")
    assert again(kept).status == Match.Status.PLAYING
    refuse_wrong_deck_keys()


def test_a_table_whose_scope_is_not_its_own_is_given_up_before_its_first_card(
    anna: Player, bruno: Player, now: datetime, settings: LazySettings
) -> None:
    settings.DECK_KEYS = [OLD]
    waiting = opened([anna, bruno], now, scope="tournament/1/r1")  # ordered to be played anew (J9)
    settings.DECK_KEYS = [NEW]
    call_command("deck_keys", "give-up")
    assert again(waiting).status == Match.Status.FINISHED
    refuse_wrong_deck_keys()
