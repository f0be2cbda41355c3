"""Decks made for a test: who gets which cards. The dice of a table are loaded with them before it is dealt."""

import pytest

from games import locked_match, shuffles
from games.engine.cards import CARDS
from games.engine.record import parse_deck
from games.locked_match import LockedMatch
from games.models import Match


def dealt(*hands: str, by_fives: bool = False) -> list[int]:
    """A deck that gives seat 0, 1, … these hands, when the last of them deals; what they lack is filled up.

    By threes of players as the three of M3: four hands.
    """
    named = {card for hand in hands for card in hand.split()}
    rest = [card for card in CARDS if card not in named]
    full = [[*hand.split(), *(rest.pop(0) for _ in range(10 - len(hand.split())))] for hand in hands]
    if by_fives:
        names = [card for half in (0, 5) for hand in full for card in hand[half : half + 5]]
    else:
        names = [hand[place] for place in range(10) for hand in full]
    return list(parse_deck(" ".join([*names, *rest])))


def load(monkeypatch: pytest.MonkeyPatch, *decks: list[int]) -> None:
    """The next tables are dealt these decks; the last of them again and again."""
    left = [list(deck) for deck in decks]
    monkeypatch.setattr(shuffles, "draw", lambda **_: None)
    monkeypatch.setattr(locked_match, "shuffle_deck", lambda: left.pop(0) if len(left) > 1 else list(left[0]))


def deal_without_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have tables that begin in this process forget their commitment: their cards are laid ready."""
    honest = LockedMatch.begin

    def begin(table: LockedMatch) -> None:
        Match.objects.filter(pk=table.match.pk).update(commitment=None)
        table.match.commitment = None
        honest(table)

    monkeypatch.setattr(LockedMatch, "begin", begin)
