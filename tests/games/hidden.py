"""Decks that differ only in cards a viewer may not know."""

import random
import re

from games import table_views
from games.engine.cards import NAMES
from games.engine.game import IllegalMove
from games.models import Deal, Match, Move
from games.sealing import read_deck

MOVE_CARD = re.compile(r"[A234567FCR][dcbs]")


def split_deck(stored: str) -> list[str]:
    """Return the cards of a deck as it is stored, sealed or in plain names."""
    return [NAMES[card] for card in read_deck(stored)]


def read_position(match: Match) -> tuple[Deal, list[str]]:
    deal = Deal.objects.get(match=match, finished=False)
    return deal, list(Move.objects.filter(deal=deal).order_by("ply").with_results().values_list("text", flat=True))


def encode_with_deck(match: Match, deck: list[str], viewer: int | None) -> bytes:
    """The viewer's frame were this the deck; IllegalMove if the moves could not have been made then."""
    Deal.objects.filter(match=match, finished=False).update(deck="".join(deck))
    table_views.clear_caches()
    return table_views.encode_views(match.pk, [viewer]).by_seat[viewer]


def mix_hidden(deck: list[str], seen: set[str], dice: random.Random) -> list[str]:
    """A deck that differs only in the places of cards nobody of ``seen`` is one of."""
    hidden = [card for card in deck if card not in seen]
    mixed = iter(dice.sample(hidden, len(hidden)))
    return [card if card in seen else next(mixed) for card in deck]


def compare_decks(match: Match, seen: set[str], viewer: int | None, dice: random.Random, count: int) -> list[bool]:
    """Return whether ``viewer``, who may know the cards ``seen``, could tell this deal from others that differ in the
    rest: an answer for each of ``count`` that differs and could have been played so."""
    deal, _ = read_position(match)
    deck = split_deck(deal.deck)
    mine = encode_with_deck(match, deck, viewer)
    told = []
    for _ in range(count):
        other = mix_hidden(deck, seen, dice)
        try:
            theirs = encode_with_deck(match, other, viewer)
        except IllegalMove:
            continue  # somebody would have had to play or call otherwise
        if other != deck:
            told.append(mine != theirs)
    Deal.objects.filter(pk=deal.pk).update(deck="".join(deck))
    table_views.clear_caches()
    return told
