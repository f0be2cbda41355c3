"""Nothing hidden leaks: frames of a seat depend only on what it may know (N1), and hold no foreign card (N2).

Code that shares nothing with the product works out here, from the deck and the moves, what a seat may know.
"""

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import pytest
from django.utils import timezone

from games import match_cache, table_views
from games.engine.cards import CARDS
from games.engine.game import IllegalMove, Length
from games.models import Deal, Match
from games.services import errors
from players.models import Player
from tests.games.hidden import MOVE_CARD, compare_decks, read_position, split_deck
from tests.support.live import Site
from tests.support.tables import again, legal, play, seated
from tests.support.tables import opened as table
from tests.support.thorough import tries
from tests.support.wire import at_table

pytestmark = pytest.mark.django_db

PAIRS = tries(40, 12_000)  # for each game and viewer
EACH = tries(3, 60)  # for each moment
CARD = re.compile(r'"([A234567FCR][dcbs])"')


def known(ruleset: str, deck: list[str], dealer: int, moves: list[str], viewer: int | None) -> set[str]:
    """The cards that ``viewer`` has seen in this deal of two seats: dealt to it, on the table, played, drawn openly."""
    other = 1 - dealer
    played = {card for text in moves for card in MOVE_CARD.findall(text)}
    if ruleset == "scopa":
        hands = 1 + min(len(moves) // 6, 5)
        places = [*range(6), *range(10, 10 + 6 * (hands - 1))]
        seen = set(deck[6:10])
    else:
        places = list(range(20))
        seen = set(deck[20 : 20 + 2 * (len(moves) // 2)])  # drawn and shown after each trick
    owners = {deck[place]: (other, dealer)[turn % 2] for turn, place in enumerate(places)}
    return seen | played | {card for card, owner in owners.items() if owner == viewer}


def walk(players: list[Player], ruleset: str, now: datetime, dice: random.Random) -> Iterator[Match]:
    """Random moments of random matches, for ever."""
    while True:
        match = seated(players, now, ruleset=ruleset, length=Length("deals", 1), context="free")
        while again(match).status == Match.Status.PLAYING:
            yield again(match)
            play(match, now, dice.choice(legal(match)))


def count_tells(players: list[Player], ruleset: str, viewer: int | None, now: datetime, pairs: int) -> int:
    dice = random.Random(f"{ruleset} {viewer}")
    told: list[bool] = []
    for match in walk(players, ruleset, now, dice):
        deal, moves = read_position(match)
        seen = known(ruleset, split_deck(deal.deck), deal.dealer, moves, viewer)
        told += compare_decks(match, seen, viewer, dice, EACH)
        if len(told) >= pairs:
            break
    return sum(told)


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("ruleset", ["scopa", "tresette"])
def test_two_deals_that_differ_only_in_hidden_cards_look_the_same(
    anna: Player, bruno: Player, now: datetime, ruleset: str, viewer: int | None
) -> None:
    assert count_tells([anna, bruno], ruleset, viewer, now, PAIRS) == 0


@contextmanager
def planted_leak(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The frame says which card lies on top of the stock."""
    honest = table_views.build_version_part

    def leaking(match: Match, *args: object) -> dict[str, object]:
        frame: dict[str, object] = honest(match, *args)  # type: ignore[arg-type]
        frame["stock"] = split_deck(Deal.objects.get(match=match, finished=False).deck)[-1]
        return frame

    with monkeypatch.context() as patch:
        patch.setattr(table_views, "build_version_part", leaking)
        yield


@pytest.mark.parametrize("viewer", [0, None])
def test_a_planted_leak_is_caught(
    anna: Player, bruno: Player, now: datetime, viewer: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with planted_leak(monkeypatch):
        assert count_tells([anna, bruno], "scopa", viewer, now, 30) > 0


def test_no_frame_of_a_whole_match_names_a_card_its_reader_may_not_know(
    live_site: Site, anna: Player, bruno: Player, carla: Player, caplog: pytest.LogCaptureFixture
) -> None:
    match = table([anna, bruno], timezone.now(), ruleset="tresette", context="free")
    checked = 0
    with (
        at_table(live_site, match, anna) as annas,
        at_table(live_site, match, bruno) as brunos,
        at_table(live_site, match, carla) as carlas,
    ):
        readers = {0: annas, 1: brunos, None: carlas}
        version = max(socket.view(lambda view: view["status"] == "playing")["v"] for socket in readers.values())
        while again(match).status == Match.Status.PLAYING:
            for reader in readers.values():
                if reader.seen["v"] < version:
                    reader.view(lambda view: view["v"] >= version)  # noqa: B023
            deal, moves = read_position(match)
            for viewer, reader in readers.items():
                assert reader.seen["v"] == version
                allowed = known("tresette", split_deck(deal.deck), deal.dealer, moves, viewer)
                named = set(CARD.findall(json.dumps({**reader.seen, "legal": []})))
                assert named <= allowed, (viewer, named - allowed)
                checked += len(named)
            mover = readers[annas.seen["turn"]]
            mover.play("play zz")
            version = mover.play()["v"]
        for reader in readers.values():
            if reader.seen["status"] != "finished":  # the last view may have come before the last ack
                reader.view(lambda view: view["status"] == "finished")
    assert checked > 500
    assert not re.search(rf"\b{MOVE_CARD.pattern}\b", caplog.text)


def test_errors_and_representations_name_no_card(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    deal = Deal.objects.get(match=match, finished=False)
    shown = [repr(match_cache.read_match(match.pk)), repr(deal), str(deal), repr(match), str(match)]
    shown.append(repr(table_views.encode_views(match.pk, [0, 1, None])))
    with pytest.raises(IllegalMove) as refused:
        play(match, now, "play zz")
    shown.append(repr(refused.value))
    with pytest.raises(errors.Stale) as stale:
        play(match, now, version=0)
    shown.append(repr(stale.value))
    for text in shown:
        assert not any(card in text for card in (f"'{name}'" for name in CARDS)), text
        assert "".join(split_deck(deal.deck)) not in text
        assert "hands" not in text
