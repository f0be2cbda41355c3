"""Views that were sent, held against the cards that were hidden then (N2)."""

import json
import re

from games.engine import match as engine
from games.engine.cards import NAMES, list_cards
from games.engine.match import Progress
from games.engine.record import parse_move
from games.match_cache import build_setup
from games.models import Deal, Match, Move
from games.sealing import read_deck
from tests.flows.people import Person

CARD = re.compile(r"\b[A2-7FCR][dcbs]\b")


def expect_nothing_hidden_was_sent(person: Person) -> None:
    """Expect that no view names a card that lay in the stock or in another hand at its version (N2).

    The last deal's count, shown beside the running deal, names cards of that deal: it is left out.
    """
    histories: dict[str, list[tuple[int, Progress]]] = {}
    for seen in person.seen:
        frame = seen.frame
        if frame["status"] != "playing":
            continue
        if seen.table not in histories:
            histories[seen.table] = read_history(seen.table)
        named = set(CARD.findall(json.dumps({key: value for key, value in frame.items() if key != "previous"})))
        progress = next(progress for version, progress in reversed(histories[seen.table]) if version <= frame["v"])
        assert not named & list_secrets(progress, frame["seat"]), (person.name, frame)


def read_history(public_id: str) -> list[tuple[int, Progress]]:
    """Return the state of a match from each version on, from its stored decks and moves."""
    match = Match.objects.get(public_id=public_id)
    decks = iter(Deal.objects.filter(match=match).order_by("number").with_results().values_list("deck", flat=True))
    progress = engine.deal(engine.start(build_setup(match)), read_deck(next(decks)))
    history = [(0, progress)]
    for version, text in (
        Move.objects.filter(match=match).order_by("version").with_results().values_list("version", "text")
    ):
        progress = engine.play(progress, parse_move(text))
        while progress.needs_deck:
            progress = engine.deal(progress, read_deck(next(decks)))
        history.append((version, progress))
    return history


def list_secrets(progress: Progress, seat: int | None) -> set[str]:
    """List the cards in the stock and in the hands of others, but for those just drawn and shown (T1), and the one
    turned up (BR1)."""
    state = progress.deal
    assert state is not None
    last = progress.ruleset.last(state)
    shown = {card.card for card in last.drawn} if last else set()
    shown.add(getattr(state, "turned", None))
    secret = [
        *state.stock,
        *(card for owner, hand in enumerate(state.hands) if owner != seat for card in list_cards(hand)),
    ]
    return {NAMES[card] for card in secret if card not in shown}
