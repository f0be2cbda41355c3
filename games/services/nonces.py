"""Nonces that the browsers of a match's players add to its secret before the first card (J2): first the hash of each,
and when all hashes stand, the nonces. It draws none and deals nothing: ``locked_match`` goes on when they are there.
"""

from collections.abc import Callable

from django.db import transaction

from games import shuffles
from games.clocks import Now
from games.engine.shuffling import hash_nonce
from games.locked_match import LockedMatch
from games.models import Commitment
from games.services.errors import NonceRefused, NoncesOver, Replaced
from games.services.playing import Ack
from games.services.settlement import deliver_when_over


def add_hash(*, match_id: int, seat: int, control: str, digest: str, client_id: str, now: Now) -> Ack:
    """Keep the hash of the nonce of the player at ``seat``. Safe to send again.

    Raises Replaced; NoncesOver once hashes are no longer taken; NonceRefused for another than the one that stands.
    """

    def put(commitment: Commitment, place: int) -> bool:
        if commitment.hashes[place]:
            if commitment.hashes[place] != digest:
                raise NonceRefused
            return False
        if commitment.stage != Commitment.Stage.HASHES:
            raise NoncesOver
        commitment.hashes[place] = digest
        return True

    return _add(match_id, seat, control, client_id, now, put)


def add_nonce(*, match_id: int, seat: int, control: str, nonce: str, client_id: str, now: Now) -> Ack:
    """Keep the nonce of the player at ``seat``. Safe to send again.

    Raises Replaced; NoncesOver before and after nonces are taken; NonceRefused for one that its hash doesn't fit.
    """

    def put(commitment: Commitment, place: int) -> bool:
        if commitment.hashes[place] != hash_nonce(nonce):
            raise NonceRefused
        if commitment.nonces[place]:
            return False
        if commitment.stage != Commitment.Stage.NONCES:
            raise NoncesOver
        commitment.nonces[place] = nonce
        return True

    return _add(match_id, seat, control, client_id, now, put)


def _add(
    match_id: int, seat: int, control: str, client_id: str, now: Now, put: Callable[[Commitment, int], bool]
) -> Ack:
    with transaction.atomic():
        table = LockedMatch.lock(match_id, now)
        match = table.match
        table.expire()
        if not shuffles.takes_nonces(match):
            raise NoncesOver(match.version)
        if match.controls[seat] != control:
            raise Replaced(match.version)
        commitment = shuffles.lock(match)
        if put(commitment, shuffles.find_place(match, seat)):
            commitment.save(update_fields=["hashes", "nonces"])
            table.mix(commitment)
        deliver_when_over(table)
    return Ack(client_id, match.version)
