"""Nonces that the browsers of whoever is entered add to the secrets of a tournament's rounds (J2, J9): first the
hash of each, and when entries close the nonces themselves. It draws none, and starts nothing.
"""

from datetime import datetime

from django.db import transaction

from games.engine import shuffling
from games.models import Commitment
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version
from tournaments.core.states import ENTERING
from tournaments.equal import secrets
from tournaments.models import EntryMember, Tournament

Stage = Commitment.Stage


@transaction.atomic
def add_hash(*, tournament_id: int, player: Player, digest: str, now: datetime) -> None:
    """Keep the hash of the player's nonce, 64 hex digits. Safe to send again.

    TournamentError: not_entered; nonces_over, where none are taken; nonce_refused, for another than the one that
    stands.
    """
    tournament, member = _lock(tournament_id, player)
    if member.nonce_hash:
        if member.nonce_hash != digest:
            raise TournamentError("nonce_refused")
        return
    if secrets.is_awaited(tournament, member) or secrets.find_stage(tournament) != Stage.HASHES:
        raise TournamentError("nonces_over")
    if not shuffling.DIGEST.fullmatch(digest):
        raise TournamentError("nonce_refused")
    member.nonce_hash = digest
    member.save(update_fields=["nonce_hash"])
    store_version(tournament)


@transaction.atomic
def add_nonce(*, tournament_id: int, player: Player, nonce: str, now: datetime) -> None:
    """Keep the player's nonce, 32 hex digits. Safe to send again. With the last one nobody is waited for any more.

    TournamentError: not_entered; nonces_over, where none are taken; nonce_refused, where its hash doesn't fit.
    """
    tournament, member = _lock(tournament_id, player)
    if not nonce or not shuffling.NONCE.fullmatch(nonce) or shuffling.hash_nonce(nonce) != member.nonce_hash:
        raise TournamentError("nonce_refused")
    if member.nonce:
        return
    if secrets.find_stage(tournament) != Stage.NONCES:
        raise TournamentError("nonces_over")
    member.nonce = nonce
    member.save(update_fields=["nonce"])
    awaited = secrets.list_mixing_members(tournament).exclude(nonce_hash="").filter(nonce="")
    if tournament.due_at is not None and tournament.due_at > now and not awaited.exists():
        tournament.due_at = tournament.nonces_until = now
    store_version(tournament)


def _lock(tournament_id: int, player: Player) -> tuple[Tournament, EntryMember]:
    tournament = lock_tournament(tournament_id)
    member = tournament.members.of_player(player).select_related("entry").first()
    if member is None or not member.entry.approved or member.entry.waiting_since is not None:
        raise TournamentError("not_entered")
    if not tournament.equal_deals or tournament.state not in ENTERING:
        raise TournamentError("nonces_over")
    return tournament, member
