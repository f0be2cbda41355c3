"""Tournaments with equal deals in tests: settings, nonces, and decks as an independent implementation gives them."""

import hashlib
from dataclasses import replace
from datetime import datetime, timedelta

from games.engine.cards import NAMES
from games.models import Match
from games.sealing import read_deck
from players.models import Player
from tests.support.entries import enter_all
from tests.support.play import sit_down
from tests.support.tables import play_out
from tests.support.tournaments import GIRONE, Opened
from tournaments.equal import nonces
from tournaments.models import Tournament

EQUAL = replace(GIRONE, name="Carte uguali", ruleset="scopa", length_value=2, equal_deals=True)
EQUAL_DANESE = replace(EQUAL, name="Danese a carte uguali", format="danese", format_options={"rounds": 2})


def promise(tournament: Tournament, player: Player, nonce: str, now: datetime) -> None:
    digest = hashlib.sha256(bytes.fromhex(nonce)).hexdigest()
    nonces.add_hash(tournament_id=tournament.pk, player=player, digest=digest, now=now)


def add(tournament: Tournament, player: Player, nonce: str, now: datetime) -> None:
    nonces.add_nonce(tournament_id=tournament.pk, player=player, nonce=nonce, now=now)


def read_decks(match: Match) -> list[str]:
    """Return the decks of a match as names, deal by deal."""
    return [
        "".join(NAMES[card] for card in read_deck(deal.deck)) for deal in match.deals.with_results().order_by("number")
    ]


def begun(opened: Opened, players: list[Player], now: datetime, **changed: object) -> Tournament:
    """Return a running tournament with equal deals, started as it was full."""
    tournament = opened(changed.pop("base", EQUAL), **{"max_entries": len(players), **changed})
    enter_all(tournament, players, now)
    assert tournament.state == Tournament.State.RUNNING
    return tournament


def play_otherwise(match: Match, now: datetime) -> datetime:
    """Play a match to its end as ``play`` doesn't: always the last of the legal cards."""
    sit_down(match, now)
    return play_out(match, now, pause=timedelta(), choice=-1)
