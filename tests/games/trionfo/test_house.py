"""Trionfo in the house: services, clocks, frames, record, house players and pages know nothing of it and serve it."""

import json
import random
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from games import selectors, table_views
from games.engine.game import IllegalMove, Length
from games.models import Deal, Match
from games.services import playing, settlement
from players.models import Player
from players.services.house import create_house_player
from records.results import replay_record
from tests.games import naive_replay
from tests.games.hidden import split_deck
from tests.support.tables import again, legal, play, play_out, seated
from tournaments.core.errors import TournamentError
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("trionfo"),
]

TOP = "3d 4c Ad 5c Fb 6c 7d Fs 2d 2s Rs"  # seat 1 leads, and the trumps are spade
CARD = re.compile(r'"([A234567FCR][dcbs])"')


def trionfo(players: list[Player], now: datetime, **changed: object) -> Match:
    return seated(players, now, **{"ruleset": "trionfo", "context": "free", **changed})


def test_a_frame_shows_the_turned_card_and_the_own_hand_only(anna: Player, bruno: Player, now: datetime) -> None:
    match = trionfo([anna, bruno], now, deck=TOP)
    hands = (0, {"4c", "5c", "6c", "Fs", "2s"}), (1, {"3d", "Ad", "Fb", "7d", "2d"}), (None, set())
    for viewer, hand in hands:
        frame = table_views.build_table_view(match, viewer, now)
        assert (frame["turned"], frame["stock"]) == ("Rs", 30)
        assert set(CARD.findall(json.dumps(frame))) == hand | {"Rs"}


def test_two_deals_that_differ_only_in_hidden_cards_give_the_same_bytes(
    anna: Player, bruno: Player, now: datetime
) -> None:
    dice = random.Random(40)
    match = trionfo([anna, bruno], now)
    deal = Deal.objects.get(match=match)
    deck = split_deck(deal.deck)
    for viewer, own in ((0, {1, 3, 5, 7, 9}), (1, {0, 2, 4, 6, 8}), (None, set())):
        Deal.objects.filter(pk=deal.pk).update(deck=deal.deck)
        table_views.clear_caches()
        frame = table_views.encode_views(match.pk, [viewer]).by_seat[viewer]
        for _ in range(20):
            hidden = [at for at in range(40) if at not in own | {10}]
            mixed = dict(zip(hidden, dice.sample(hidden, len(hidden)), strict=True))
            Deal.objects.filter(pk=deal.pk).update(deck="".join(deck[mixed.get(at, at)] for at in range(40)))
            table_views.clear_caches()
            assert table_views.encode_views(match.pk, [viewer]).by_seat[viewer] == frame


def test_a_whole_match_is_played_counted_recorded_and_replayed(
    anna: Player, bruno: Player, now: datetime, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = trionfo([anna, bruno], now, length=Length("deals", 2))
    play_out(match, now)
    done = again(match)
    assert done.status == Match.Status.FINISHED

    record = selectors.build_record(done)
    assert record is not None
    result = replay_record(record)
    assert result == naive_replay.replay(record)
    assert result["score"] == [done.score_0, done.score_1]
    assert (result["winner"], result["margin"], result["vp"]) == (done.winner, done.margin, None)

    path = tmp_path / "verbale.json"
    path.write_text(json.dumps(record))
    call_command("replay", str(path))
    assert json.loads(capsys.readouterr().out) == result

    last = table_views.build_table_view(done, 0, now)
    assert [row["code"] for row in last["previous"]["rows"]] == ["tricks"]
    page = Client().get(f"/partite/{done.public_id}/")
    assert "Trionfo" in page.content.decode()
    assert "Prese" in page.content.decode()


def test_a_move_the_rules_dont_list_is_refused_and_changes_nothing(anna: Player, bruno: Player, now: datetime) -> None:
    match = trionfo([anna, bruno], now, deck=TOP)
    with pytest.raises(IllegalMove, match="card_not_in_hand"):
        play(match, now, "play 4c")
    assert again(match).version == match.version
    assert legal(match) == ["play Ad", "play 2d", "play 3d", "play 7d", "play Fb"]


def test_who_runs_out_of_time_gives_the_other_two_points(anna: Player, bruno: Player, now: datetime) -> None:
    match = trionfo([anna, bruno], now, deck=TOP, turn_timeout=30, match_clock=None)
    settlement.expire_overdue(match_id=match.pk, now=now + timedelta(seconds=31))
    done = again(match)
    assert (done.decided_by, done.winner, done.score_0, done.score_1) == ("timeout", 0, 2, 0)


def test_a_house_player_without_a_strategy_of_its_own_plays_it(anna: Player, now: datetime) -> None:
    match = trionfo([anna, create_house_player(now=now, name="Oreste")], now)
    while (current := again(match)).status == Match.Status.PLAYING:
        if current.bot_due_at is not None:
            now = current.bot_due_at
            playing.play_house_move(match_id=match.pk, now=now)
        else:
            play(match, now)
    assert again(match).winner is not None


def test_a_ko_of_it_can_be_made_and_a_girone_is_refused_for_want_of_vp(anna: Player, now: datetime) -> None:
    ko = Settings(name="Coppa", format="ko", ruleset="trionfo", length_kind="deals", length_value=1)
    assert lifecycle.create_tournament(organiser=anna, settings=ko, now=now).ruleset == "trionfo"
    girone = Settings(name="Girone", format="girone", ruleset="trionfo", length_kind="deals", length_value=1)
    with pytest.raises(TournamentError, match="length_without_vp"):
        lifecycle.create_tournament(organiser=anna, settings=girone, now=now)


def test_the_organisers_form_lists_it(client: Client, anna: Player, now: datetime) -> None:
    client.force_login(anna.user)
    assert "Trionfo" in client.get("/tornei/nuovo/").content.decode()
