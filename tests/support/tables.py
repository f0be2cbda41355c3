"""Tables for the tests: two people seated at a match, and what they do there. Decks are put into the database before
anybody looks at them, which is the one way to choose one."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.db import transaction

from games import selectors, table_views
from games.engine import match as engine
from games.engine.cards import CARDS
from games.engine.game import Length
from games.engine.record import write_move
from games.locked_match import LockedMatch
from games.models import Deal, Match
from games.services import playing, seating
from games.services.settlement import deliver_when_over
from players.models import Player

FIRST, SECOND = "socket-of-seat-0", "socket-of-seat-1"
CONTROLS = (FIRST, SECOND, "socket-of-seat-2", "socket-of-seat-3")


def opened(players: list[Player], now: datetime, **changed: Any) -> Match:
    """A table that waits for its players: Scopa in one deal of a KO, seat 1 to lead, unless said otherwise."""
    chosen: dict[str, Any] = {
        "ruleset": "scopa",
        "length": Length("deals", 1),
        "context": "ko",
        "options": {},
        "turn_timeout": 30,
        "match_clock": 600,
        "noshow_after": 300,
        "first_dealer": 0,
        "title": "Finale",
    }
    return seating.open_match(players=players, now=now, **{**chosen, **changed})


def seated(players: list[Player], now: datetime, deck: str | None = None, **changed: Any) -> Match:
    """A match that has begun, with everybody at the table in the windows CONTROLS; ``deck`` names the cards on top."""
    match = opened(players, now, **changed)
    for player in players:
        if not player.is_house:
            seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now)
    for seat, player in enumerate(players):
        seating.sit_down(match_id=match.pk, player_id=player.pk, token=CONTROLS[seat], now=now)
    if deck is not None:
        stack(match, deck)
    return again(match)


def stack(match: Match, top: str) -> None:
    """Put these cards on top of the running deal's deck, before its first move."""
    names = top.split()
    rest = [name for name in CARDS if name not in names]
    Deal.objects.filter(match=match, finished=False).update(deck="".join(names + rest))
    Match.objects.filter(pk=match.pk).update(commitment=None)  # these cards come from no secret
    table_views.clear_caches()


def again(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def legal(match: Match) -> list[str]:
    """Return what the seat to move may play, without its number."""
    return [write_move(move).partition(" ")[2] for move in engine.legal(selectors.load_progress(again(match)))]


def play(match: Match, now: datetime, text: str | None = None, **changed: Any) -> playing.Ack:
    """The seat to move plays ``text``, or the first legal move."""
    current = again(match)
    seat = changed.get("seat", current.turn_seat)
    chosen = {
        "seat": seat,
        "control": CONTROLS[seat] if seat is not None else "",
        "text": text or write_move(engine.legal(selectors.load_progress(current))[0]).partition(" ")[2],
        "client_id": str(uuid4()),
        "version": current.version,
        "now": now,
    }
    return playing.play_move(match_id=match.pk, **{**chosen, **changed})


def play_out(match: Match, now: datetime, pause: timedelta = timedelta(seconds=1), choice: int = 0) -> datetime:
    """Play first legal moves, or the one at ``choice``, until the match is over, each one ``pause`` after its clock
    starts; gives the last instant.

    The moves of a deal are made in one transaction, by what the services make them with; its last one by the service.
    """
    while True:
        with transaction.atomic():
            now = _QuickTable.lock(match.pk, now).play_on(pause, choice)
        last = again(match)
        if last.status != Match.Status.PLAYING:
            return now
        assert last.turn_from is not None
        now = max(now, last.turn_from) + pause
        move = engine.legal(selectors.load_progress(last))[choice]
        play(match, now, write_move(move).partition(" ")[2])


class _QuickTable(LockedMatch):
    """A match in whose deal all moves but the last are made at once, each at its hour, and written together."""

    def play_on(self, pause: timedelta, choice: int) -> datetime:
        """Return the instant of the last move."""
        while self.playing:
            before = self.position.progress
            move = engine.legal(before)[choice]
            after = engine.play(before, move)
            if after.outcome is not None or len(after.deals) > len(before.deals):
                break
            assert self.match.turn_from is not None
            self.now = max(self.now, self.match.turn_from) + pause
            self._make(move)
            self._call()
        if self._rows:
            self._save()
            deliver_when_over(self)
        return self.now


THREE_SETTINGS = {
    "ruleset": "tressette-accusa",
    "length": Length("points", 11),
    "context": "free",
    "options": {"accusa": "facoltativa"},
    "first_dealer": 3,
}


def begin_three(players: list[Player], now: datetime, **changed: Any) -> Match:
    match = opened(players, now, **{**THREE_SETTINGS, **changed})
    for seat, player in zip((0, 1, 3), players, strict=True):
        if not player.is_house:
            seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now)
            seating.sit_down(match_id=match.pk, player_id=player.pk, token=CONTROLS[seat], now=now)
    return again(match)
