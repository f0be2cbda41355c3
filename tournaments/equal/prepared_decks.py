"""Prepared decks of a round at real tables (J5's one exception, J9): who may see them before they are played, and that
each who did is named in the public log. It opens them to nobody who plays, and never before the round is published.
"""

from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from games import shuffles
from games.models import Commitment
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import RoundDetail
from tournaments.core.permissions import is_known_player, require_referee
from tournaments.equal import secrets
from tournaments.models import LogEntry, Round, Tournament


@dataclass(frozen=True, slots=True)
class PreparedDeck:
    """Deck of a deal, from 1: its cards, the first on top, which no representation shows; ``dealer``: the seat."""

    number: int
    dealer: int
    cards: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class PreparedRound:
    """Decks of a round with all it takes to make them again; ``secret`` is empty before the reveal."""

    commitment: Commitment = field(repr=False)
    decks: tuple[PreparedDeck, ...]


@transaction.atomic
def open_decks(*, tournament_id: int, number: int, by: Player, now: datetime) -> None:
    """Open the decks of a round to somebody who prepares them: from now on the public log names them, once.

    TournamentError: not_referee, decks_of_player, decks_closed.
    """
    tournament = lock_tournament(tournament_id)
    round_ = tournament.rounds.filter(number=number).first()
    require_preparer(tournament, round_, by)
    assert round_ is not None
    if has_opened(round_, by):
        return
    write_log(tournament, secrets.PREPARED, now, by, RoundDetail(round=(round_.name, round_.number)))
    store_version(tournament)


def require_preparer(tournament: Tournament, round_: Round | None, by: Player) -> None:
    """Raise TournamentError for whoever may not prepare the decks of a round now: not_referee, decks_of_player,
    decks_closed."""
    require_referee(tournament, by)
    if is_known_player(tournament, by):
        raise TournamentError("decks_of_player")
    if round_ is None or not is_open(tournament, round_):
        raise TournamentError("decks_closed")


def is_open(tournament: Tournament, round_: Round) -> bool:
    """Tell if the decks of a round are to be prepared: from its opening until its last table has finished."""
    running = tournament.state == Tournament.State.RUNNING and tournament.venue.types_results and tournament.equal_deals
    return running and not round_.is_shown and round_.published_at is not None and not round_.finished


def has_opened(round_: Round, player: Player) -> bool:
    """Tell if the log names the player as one who saw the decks of a round."""
    return secrets.list_preparations(round_).filter(player=player).exists()


def read_decks(tournament: Tournament, round_: Round) -> PreparedRound | None:
    """Return the decks of a round; the caller has seen to it that the reader may. None where the secret is lost."""
    row = tournament.round_secrets.filter(number=round_.number).select_related("commitment").first()
    if row is None or not (row.commitment.sealed or row.commitment.secret):
        return None
    hands = tournament.entry_kind.players
    decks = shuffles.list_decks(row.commitment, tournament.length_value)
    made = (PreparedDeck(k + 1, k % hands, tuple(cards)) for k, cards in enumerate(decks))
    return PreparedRound(row.commitment, tuple(made))


def list_preparers(round_: Round) -> list[LogEntry]:
    """Return what the log says of whoever saw the decks of a round before it was over, in order."""
    return list(secrets.list_preparations(round_))
