"""Calls give nothing away but what they say (N1): frames of two deals that differ only in what the reader can't know.

What that is, is worked out here from the deck, the moves and what each call names, by code that shares nothing with the
product.
"""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from games import match_cache, selectors, table_views
from games.engine import match as engine
from games.engine.game import Length
from games.engine.record import write_move
from games.models import Match
from games.services import seating
from players.models import Player
from tests.games.hidden import MOVE_CARD, compare_decks, read_position, split_deck
from tests.support.tables import CONTROLS, again, begin_three, opened, play, seated
from tests.support.thorough import tries

pytestmark = [pytest.mark.django_db, pytest.mark.rule("X1")]

PAIRS = tries(12, 3_200)  # for each game and viewer
EACH = tries(6, 60)  # for each moment
GAMES: dict[str, dict[str, Any]] = {
    "accuso": {
        "ruleset": "tresette",
        "length": Length("points", 11),
        "options": {"accuso": True, "vinco_subito": True, "carte_scoperte": True},
    },
    "buon gioco": {
        "ruleset": "tressette-classico",
        "length": Length("points", 31),
        "options": {"onori": True, "segnali": "tre"},
    },
    "morto": {"ruleset": "tressette-accusa", "length": Length("points", 11), "options": {"accusa": "facoltativa"}},
}


def known(game: str, deck: list[str], dealer: int, moves: list[str], viewer: int | None) -> set[str]:
    """Return the cards ``viewer`` has seen or heard of: their own, played, their partner's or morto's, named by
    a call."""
    hands: dict[int, set[str]] = {seat: set() for seat in range(4)}
    for place, card in enumerate(deck):
        turn = place // 5 if game == "morto" else place
        hands[(dealer + 1 + turn) % 4].add(card)
    seen = {card for text in moves if " play " in text for card in MOVE_CARD.findall(text)}
    if viewer is not None:
        seen |= hands[viewer]
        if game == "accuso" or (game == "morto" and viewer == 0):
            seen |= hands[(viewer + 2) % 4]
    for text in moves:
        if game != "buon gioco" or " accuso " not in text:
            continue
        caller = hands[int(text[0])]
        for code in text.split()[2].split("+"):  # these name their cards (C4)
            seen |= {card for card in caller if card[0] == code[2]} if "x" in code else set()
            seen |= {card for card in caller if card[0] in "32A" and card[1] == code[-1]} if ":" in code else set()
    return seen


def walk(game: str, players: list[Player], now: datetime, dice: random.Random) -> Iterator[Match]:
    """Random moments of random matches, calls out of turn included."""
    while True:
        chosen = {**GAMES[game], "context": "free", "match_clock": None, "first_dealer": 3}
        match = begin_three(players[:3], now, **chosen) if game == "morto" else seated(players, now, **chosen)
        at = now + timedelta(seconds=5)
        while again(match).status == Match.Status.PLAYING:
            yield again(match)
            moves = [
                move
                for move in engine.legal(selectors.load_progress(again(match)))
                if move.verb not in {"declare", "signal"}
            ]
            move = dice.choice([*(move for move in moves if move.verb != "play"), *moves[:1]])
            if move.verb == "play":
                move = dice.choice([move for move in moves if move.verb == "play"])
            seat = 0 if game == "morto" and move.seat == 2 else move.seat
            at = max(at, again(match).opening_until or at)
            play(match, at, write_move(move).partition(" ")[2], seat=seat, control=CONTROLS[seat])


def count_tells(game: str, players: list[Player], viewer: int | None, now: datetime) -> int:
    dice = random.Random(f"{game} {viewer}")
    told: list[bool] = []
    for match in walk(game, players, now, dice):
        deal, moves = read_position(match)
        seen = known(game, split_deck(deal.deck), deal.dealer, moves, viewer)
        told += compare_decks(match, seen, viewer, dice, EACH)
        if len(told) >= PAIRS:
            break
    return sum(told)


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("game", list(GAMES))
def test_calls_tell_what_they_say_and_nothing_else(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, game: str, viewer: int | None
) -> None:
    assert count_tells(game, [anna, bruno, carla, dino], viewer, now) == 0


@pytest.mark.parametrize("game", tries(["buon gioco"], ["buon gioco", "accuso"]))
def test_a_frame_that_told_whether_others_could_call_would_be_caught(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = table_views.build_version_part

    def leaking(match: Match, *args: Any) -> dict[str, Any]:
        frame = honest(match, *args)
        frame["calls"] = len(engine.legal(match_cache.read_match(match.pk).position.progress))  # type: ignore[union-attr]
        return frame

    monkeypatch.setattr(table_views, "build_version_part", leaking)
    assert count_tells(game, [anna, bruno, carla, dino], None, now) > 0


@pytest.mark.rule("C2", "C5")
def test_the_frames_of_a_deals_opening_differ_only_in_ones_own_cards_and_calls(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    """Nobody can tell before the first call whether anybody could call."""
    players, shown = [anna, bruno, carla, dino], set()
    for _ in range(tries(6, 40)):
        match = opened(players, now, **{**GAMES["buon gioco"], "first_dealer": 3})
        Match.objects.filter(pk=match.pk).update(public_id="same", commitment=None)  # which is another each time
        for player in players:
            seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now)
        table_views.clear_caches()
        shown.add(table_views.encode_views(match.pk, [None]).by_seat[None])
        Match.objects.filter(pk=match.pk).delete()
    assert len(shown) == 1
