"""A finished deal replayed on its page, step by step: without JavaScript here, with it in tests/browser."""

import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games import replays, selectors
from games.engine import record as verbale
from games.engine.game import Length
from games.models import Match, Seat
from games.services import playing
from players.models import Player
from records.deal_narrative import read_names
from records.replay_narrative import narrate_steps
from tests.support.arrangements import arrange_once
from tests.support.html import drop_layout
from tests.support.tables import CONTROLS, again, play, play_out, seated
from tests.support.thorough import tries

GOLDEN = sorted((Path(__file__).parent.parent / "games" / "golden").glob("*.json"))


def unplayed(record: dict[str, Any]) -> tuple[Match, list[Seat]]:
    """A match as a record describes it, that no database knows."""
    ((kind, value),) = record["length"].items()
    match = Match(
        ruleset=record["ruleset"],
        players=record["players"],
        length_kind=kind,
        length_value=value,
        context=record["context"],
        options=record.get("options", {}),
        first_dealer=0,
        status="finished",
    )
    return match, [Seat(number=seat, player=Player(name=f"Posto {seat}")) for seat in range(4)]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_deal_of_every_golden_record_is_gone_through_from_every_seat(path):
    record = json.loads(path.read_text())
    match, seats = unplayed(record)
    names = read_names(record, verbale.parse(record).setup)
    assert replays.replay_deal(record, 0) is replays.replay_deal(record, len(record["deals"]) + 1) is None
    before: tuple[int, int] | None = (0, 0)
    last = len(record["deals"])
    ends = {1, 2, last - 1, last}  # each deal is replayed after all those before it
    for place, recorded in enumerate(record["deals"], start=1):
        if place not in tries(ends, set(range(last + 1))):
            before = None
            continue
        replayed = replays.replay_deal(record, place)
        assert replayed is not None
        sentences = narrate_steps(replayed, names)
        assert len(sentences) == len(recorded["moves"]) + 1
        assert all(sentences), "each step has its sentence"
        opened = replays.build_frames(match, seats, replayed, None)
        assert len(opened) == len(sentences)
        assert before in (None, tuple(opened[0]["score"]))
        before = tuple(opened[-1]["score"])
        for number, frame in enumerate(opened):
            assert frame["v"] == number
            assert frame["legal"] == []
            assert all(hand["count"] == len(hand["cards"]) for hand in frame["hands"]), "every hand is open"
        for seat in tries([place % match.hands], list(range(match.hands))):
            if match.players == 3 and seat == 2:
                continue
            own = replays.build_frames(match, seats, replayed, seat)
            for frame, whole in zip(own, opened, strict=True):
                assert frame["hands"][seat] == whole["hands"][seat]
                assert [hand["count"] for hand in frame["hands"]] == [hand["count"] for hand in whole["hands"]]
                assert all(
                    set(a["cards"]) <= set(b["cards"]) for a, b in zip(frame["hands"], whole["hands"], strict=True)
                )
        scored = replayed.after.tally is not None
        assert [frame["previous"] is not None for frame in opened] == [False] * len(recorded["moves"]) + [scored]
    assert list(before) == record["result"]["score"]


@pytest.mark.parametrize("path", GOLDEN[::9], ids=lambda path: path.stem)
def test_the_changes_of_each_step_make_its_whole_frame_again(path):
    record = json.loads(path.read_text())
    replayed = replays.replay_deal(record, 1)
    assert replayed is not None
    whole = replays.build_frames(*unplayed(record), replayed, None)
    built: dict[str, Any] = {}
    for frame, change in zip(whole, replays.list_changes(whole), strict=True):
        built = {**built, **change}
        assert built == frame


def test_a_seat_sees_what_it_saw_then_and_no_more():
    record = json.loads(next(path for path in GOLDEN if path.stem == "tresette-4-deals").read_text())
    replayed = replays.replay_deal(record, 1)
    assert replayed is not None
    frame = replays.build_frames(*unplayed(record), replayed, 1)[0]
    assert [len(hand["cards"]) for hand in frame["hands"]] == [0, 10, 0, 0]


def test_a_void_deal_says_why_and_the_next_one_that_it_was_dealt_again():
    record = json.loads(next(path for path in GOLDEN if path.stem == "classico-redeal").read_text())
    void = next(place for place, deal in enumerate(record["result"]["deals"], start=1) if deal["void"])
    replayed = replays.replay_deal(record, void)
    assert replayed is not None
    assert replayed.void
    names = read_names(record, verbale.parse(record).setup)
    assert "annullata" in narrate_steps(replayed, names)[-1]
    after = replays.replay_deal(record, void + 1)
    if after is not None:
        match, seats = unplayed(record)
        seat = int(record["deals"][void - 1]["moves"][-1].split()[0])
        assert replays.build_frames(match, seats, after, None)[0]["deal"]["redealt"] == {"seat": seat}
        assert after.number == replayed.number


# --- The page -------------------------------------------------------------------------------------------------------


@arrange_once
def played(db: None, anna: Player, bruno: Player, now: datetime) -> Match:
    match = seated([anna, bruno], now, title="Finale", length=Length("deals", 2))
    play_out(match, now)
    return again(match)


def page(client: Client, match: Match, place: int = 1, **query: str | int) -> str:
    answer = client.get(f"/partite/{match.public_id}/smazzate/{place}/", query)
    assert answer.status_code == 200
    return drop_layout(answer.content.decode())


def frames_in(text: str) -> dict[str, Any]:
    script = re.search(r'<script id="replay-data" type="application/json"[^>]*>(.*?)</script>', text, re.S)
    assert script is not None
    return json.loads(script[1])


@pytest.mark.rule("G1")
def test_cards_are_told_as_the_reader_sees_them_drawn(client: Client, played: Match, anna: Player) -> None:
    assert anna.user is not None
    client.force_login(anna.user)
    pages = [page(client, played), client.get(f"/partite/{played.public_id}/").content.decode()]
    assert all("denari" in text and "quadri" not in without_scripts(text) for text in pages)
    type(anna.user).objects.filter(pk=anna.user_id).update(deck="francesi")
    for text in (page(client, played), client.get(f"/partite/{played.public_id}/").content.decode()):
        assert "quadri" in without_scripts(text)
        assert not re.search(r"\b(denari|coppe|spade|bastoni)\b", without_scripts(text))


def without_scripts(text: str) -> str:
    return re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


def test_each_step_is_a_page_with_links_to_the_others(client: Client, played: Match) -> None:
    record = selectors.build_record(played)
    assert record is not None
    last = len(record["deals"][0]["moves"])
    first = page(client, played)
    assert f"Mossa 0 di {last}" in first
    assert re.search(r'id="next"[^>]*href="\?mossa=1"', first)
    assert re.search(rf'id="final"[^>]*href="\?mossa={last}"', first)
    assert first.count('<li><a href="?mossa=') == last + 1
    third = page(client, played, mossa=3, posto=1)
    assert re.search(r'id="previous"[^>]*href="\?posto=1&amp;mossa=2"', third)
    assert re.search(r'href="\?posto=1&amp;mossa=3" aria-current="step"', third)
    assert "2 carte coperte" in third or "3 carte coperte" in third
    assert frames_in(third)["at"] == 3
    assert ("count-table" in first, "count-table" in page(client, played, mossa=last)) == (False, True)
    assert "Punti della smazzata" in page(client, played, mossa=last)


@pytest.mark.parametrize(
    "query", [{"mossa": 9999}, {"mossa": "-1"}, {"mossa": "x"}, {"mossa": "١"}, {"posto": 7}, {"posto": "a"}]
)
def test_an_odd_address_shows_what_it_can(client: Client, played: Match, query: dict[str, Any]) -> None:
    assert frames_in(page(client, played, **query))["frames"][0]["seat"] is None


def test_it_is_linked_from_the_result_and_to_its_neighbours(client: Client, played: Match) -> None:
    result = client.get(f"/partite/{played.public_id}/").content.decode()
    last = played.deals.count()  # two, and void ones
    for place in range(1, last + 1):
        assert f"/partite/{played.public_id}/smazzate/{place}/" in result
    assert f"/partite/{played.public_id}/smazzate/2/" in page(client, played, 1)
    assert f"/partite/{played.public_id}/smazzate/{last + 1}/" not in page(client, played, last)
    assert client.get(f"/partite/{played.public_id}/smazzate/{last + 1}/").status_code == 404
    assert client.get(f"/partite/{played.public_id}/smazzate/0/").status_code == 404


def test_a_running_match_has_none_not_even_of_its_finished_deals_n4(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, length=Length("points", 101))
    while not again(match).score_0 + again(match).score_1:
        turn_from = again(match).turn_from
        assert turn_from is not None
        now = max(now, turn_from) + timedelta(seconds=1)
        play(match, now)
    for reader in (None, anna):
        if reader is not None:
            client.force_login(reader.user)
        assert client.get(f"/partite/{match.public_id}/smazzate/1/").status_code == 404


def test_a_match_broken_off_is_gone_through_as_far_as_it_went(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)
    playing.abandon(match_id=match.pk, seat=1, control=CONTROLS[1], confirm=True, client_id="x", now=now)
    assert "abbandona e perde la partita" in page(client, again(match), mossa=1)
