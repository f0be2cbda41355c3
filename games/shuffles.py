"""Origin of the cards of a match: a secret that is drawn and committed to before it, nonces that its players add,
and what is shown of both, and when (J1-J5). A tournament's lots have a secret of their own, to which nobody adds (J3a).

Every commitment is listed in the public register, a chain in which each row has the digest of the one before. A secret
leaves this module as cards or lots, and in the open once nothing can come from it any more. It decides neither when a
match begins or ends, or a tournament is drawn, nor who may add a nonce.
"""

import hashlib
import logging
import secrets
from datetime import datetime, timedelta
from functools import partial

from django.db import OperationalError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.engine import shuffling
from games.engine.game import list_seats
from games.engine.record import Json, Shuffle, write_stored_deck
from games.match_cache import MAX_MATCHES, ProcessCache
from games.models import Commitment, Deal, Match, RegisterHead
from games.sealing import is_sealed, read_deck, seal, unseal

logger = logging.getLogger(__name__)

REGISTER_START = "0" * 64  # stands where the first row has the digest of the one before
HIDDEN_TOO_LONG = timedelta(hours=24)
DRAW = "/draw"  # ends the scope of a tournament's lots, after its public id

_fixed: ProcessCache[Json] = ProcessCache(MAX_MATCHES)  # what frames say, once it can't change: by commitment


# --- Drawn and listed ------------------------------------------------------------------------------------------------


def draw(*, scope: str, players: int, dealer_drawn: bool, now: datetime, shared: bool = False) -> Commitment | None:
    """Draw a secret for the match of that public id, or for a tournament's draw (``DRAW``), and commit to it (J1). It
    is listed as soon as this is committed.

    ``dealer_drawn``: the first dealer is to come from it, too (J3a). ``shared``: it is for the matches of a round (J9).
    None would leave the match without one.
    """
    secret = secrets.token_bytes(shuffling.SECRET_BYTES)
    commitment = Commitment.objects.create(
        scope=scope,
        digest=shuffling.compute_commitment(scope, secret),
        sealed=seal(secret),
        dealer_drawn=dealer_drawn,
        shared=shared,
        hashes=[""] * players,
        nonces=[""] * players,
        drawn_at=now.replace(microsecond=0),
    )
    logger.info("what is drawn for %s is committed to: %s", scope, commitment.digest)
    transaction.on_commit(_list_at_once, robust=True)
    return commitment


def _list_at_once() -> None:
    """List what was drawn; where that can't be done now, the sweep does it in a moment."""
    try:
        list_drawn()
    except OperationalError as error:
        logger.info("the register is left to the sweep: %s", type(error).__name__)


def list_drawn() -> int:
    """List in the register what was drawn, in a short transaction of its own that waits for nobody's; how many rows.

    Whoever has the register now lists what they see. The sweep does it again where something was left.
    """
    if not Commitment.objects.filter(number=None).exists():
        return 0
    with transaction.atomic():
        head = RegisterHead.objects.select_for_update(skip_locked=True).filter(pk=1).first()
        if head is None:
            head, made = RegisterHead.objects.get_or_create(pk=1, defaults={"number": 0, "digest": REGISTER_START})
            if not made:  # somebody else's now
                return 0
        rows = list(Commitment.objects.filter(number=None).order_by("pk"))
        for row in rows:
            row.number, row.previous = head.number + 1, head.digest
            row.save(update_fields=["number", "previous"])
            head.number, head.digest = row.number, digest_row(row)
        if rows:
            head.save()
    return len(rows)


def digest_row(row: Commitment) -> str:
    """Return the digest of a row of the register, which the next one has: SHA-256 of what it says, with zero bytes
    between."""
    parts = (shuffling.SCHEME, "row", str(row.number), write_hour(row.drawn_at), row.scope, row.digest, row.previous)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def write_hour(at: datetime) -> str:
    """Write an hour as the register has it, in UTC."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def list_unlisted(now: datetime) -> list[int]:
    """Return one number if something that was drawn isn't in the register yet: for the sweep, which needs a key."""
    late = Commitment.objects.filter(number=None, drawn_at__lte=now - timedelta(seconds=2))
    return [0] if late.exists() else []


def list_hidden_too_long(now: datetime) -> QuerySet[Commitment]:
    """Return the commitments whose secret is hidden a day after their last match was over, or is gone. A shared one
    that no match has used waits for its tournament; a draw's is published with its end itself, if it isn't lost."""
    later = Match.objects.filter(
        Q(finished_at=None) | Q(finished_at__gte=now - HIDDEN_TOO_LONG), commitment=OuterRef("pk")
    )
    of_draw = Q(scope__endswith=DRAW)
    unused = Q(matches=None) & ~of_draw & (Q(shared=True) | Q(drawn_at__gte=now - HIDDEN_TOO_LONG))
    waiting = of_draw & (~Q(sealed="") | Q(drawn_at__gte=now - HIDDEN_TOO_LONG))
    hidden = Commitment.objects.filter(~Exists(later), secret="").exclude(unused).exclude(waiting)
    return hidden.distinct().order_by("pk")


# --- Nonces ----------------------------------------------------------------------------------------------------------


def lock(match: Match) -> Commitment:
    """Return the commitment of a match whose row the caller has locked, to be written."""
    assert match.commitment_id is not None
    return Commitment.objects.select_for_update(of=("self",)).get(pk=match.commitment_id)


def find_place(match: Match, seat: int) -> int:
    """Return the place of a player's nonce among those of all players."""
    return list_seats(match.players).index(seat)


def takes_nonces(match: Match) -> bool:
    """Return whether browsers add nonces at this table: to what a round shares they were added before it (J9)."""
    return (
        match.commitment_id is not None and not Commitment.objects.filter(pk=match.commitment_id, shared=True).exists()
    )


def list_present(match: Match) -> list[int]:
    """Return the places of the people whose nonces are waited for: all that sit there themselves."""
    absent = match.house_seats | match.taken_over
    return [place for place, seat in enumerate(list_seats(match.players)) if not absent >> seat & 1]


def fix(match: Match) -> bool:
    """Let the nonces stand as they are, before the first card; the first dealer comes from them, where one is drawn.

    Return whether the match's setup has changed by it.
    """
    return takes_nonces(match) and _fix(match, lock(match))


def _fix(match: Match, commitment: Commitment) -> bool:
    """Fix the nonces of a locked commitment, as ``fix``."""
    if commitment.stage == Commitment.Stage.FIXED:
        return False
    commitment.stage = Commitment.Stage.FIXED
    commitment.save(update_fields=["stage"])
    if not commitment.dealer_drawn:
        return False
    secret = unseal(commitment.sealed)
    match.first_dealer = shuffling.draw_dealer(secret, commitment.scope, commitment.nonces, match.hands)
    return True


# --- Cards -----------------------------------------------------------------------------------------------------------


def deal(match: Match, number: int) -> list[int]:
    """Return the deck of that deal, from 0 (J3)."""
    assert match.commitment_id is not None
    commitment = Commitment.objects.get(pk=match.commitment_id)
    return shuffling.shuffle_deck(unseal(commitment.sealed), commitment.scope, commitment.nonces, number)


def list_decks(commitment: Commitment, count: int) -> list[list[int]]:
    """Return the first decks of what a round shares, revealed or not: for whoever prepares them at real tables (J5)."""
    secret = unseal(commitment.sealed) if commitment.sealed else bytes.fromhex(commitment.secret)
    return [shuffling.shuffle_deck(secret, commitment.scope, commitment.nonces, number) for number in range(count)]


def reveal(match: Match, now: datetime) -> None:
    """Publish the secret of a match that is over, and store its decks in plain: no card of theirs can be played any
    more (J5). What is shared waits for ``reveal_shared``."""
    if match.commitment_id is not None and not takes_nonces(match):
        return
    dealt = _open_decks(match)
    if match.commitment_id is None:
        return
    commitment = lock(match)
    if not commitment.sealed:  # it is lost
        return
    _fix(match, commitment)  # it may have ended before it began
    reason = Commitment.Reason.PLAYED if dealt else Commitment.Reason.NEVER_DEALT
    _publish(commitment, Commitment.Reason.STOPPED if match.stopped_at is not None else reason, now)


def reveal_shared(commitment_id: int, now: datetime, *, played: bool = False) -> None:
    """Publish a secret that matches share, with the decks of all of them; not while one of them runs (J5). ``played``:
    its cards were, at tables outside the site."""
    commitment = Commitment.objects.select_for_update(of=("self",)).get(pk=commitment_id)
    matches = list(commitment.matches.order_by("pk"))
    if any(match.status != Match.Status.FINISHED for match in matches):
        raise ValueError(f"a match of {commitment.scope} runs")
    dealt = [match for match in matches if _open_decks(match)]
    commitment.stage = Commitment.Stage.FIXED
    if not commitment.sealed:  # it is lost
        return
    reason = Commitment.Reason.PLAYED if dealt or played else Commitment.Reason.NEVER_DEALT
    _publish(commitment, reason, now)


def _open_decks(match: Match) -> bool:
    """Store the decks of a match in plain; return whether it has any."""
    decks = list(Deal.objects.with_results().filter(match=match).values_list("pk", "deck"))
    for pk, deck in decks:
        if is_sealed(deck):
            Deal.objects.filter(pk=pk).update(deck=write_stored_deck(read_deck(deck)))
    return bool(decks)


def _publish(commitment: Commitment, reason: str, now: datetime) -> None:
    """Publish the secret of a locked commitment."""
    commitment.secret, commitment.sealed = unseal(commitment.sealed).hex(), ""
    commitment.revealed_at, commitment.reason = now, reason
    commitment.save(update_fields=["secret", "sealed", "revealed_at", "reason", "stage"])


# --- Lots of a tournament --------------------------------------------------------------------------------------------


def read_lots_secret(scope: str) -> bytes | None:
    """Return the secret of a tournament's lots, to draw them with; None once it is published, or lost with its key."""
    sealed = Commitment.objects.filter(scope=scope).values_list("sealed", flat=True).first()
    return unseal(sealed) if sealed else None


def reveal_lots(scope: str, reason: str, now: datetime) -> str:
    """Publish the secret of a tournament's lots: nothing is drawn from it any more (J5). Return it in hex, empty where
    it is lost, or was never there."""
    commitment = Commitment.objects.select_for_update(of=("self",)).filter(scope=scope).first()
    if commitment is None:
        return ""
    if commitment.sealed:
        _publish(commitment, reason, now)
    return commitment.secret


# --- Shown -----------------------------------------------------------------------------------------------------------


def read_shuffle(match: Match) -> Shuffle | None:
    """Return the origin of a match's decks as its record has it (J6); None before it is published, or without one."""
    return None if match.commitment_id is None else read_origin(match.commitment)


def read_origin(commitment: Commitment | None) -> Shuffle | None:
    """Return what a commitment says of the decks that came from it; None before its secret is published."""
    if commitment is None or not commitment.secret:
        return None
    return Shuffle(
        commitment.scope,
        commitment.digest,
        tuple(commitment.nonces),
        bytes.fromhex(commitment.secret),
        commitment.dealer_drawn,
    )


def build_part(match: Match) -> Json | None:
    """Return what frames say of the commitment and the nonces; None where there is none."""
    if match.commitment_id is None:
        return None
    hit = _fixed.get(match.commitment_id)
    if hit is not None:
        return hit
    commitment = Commitment.objects.get(pk=match.commitment_id)
    opened = commitment.stage != Commitment.Stage.HASHES
    part: Json = {
        "scope": commitment.scope,
        "commitment": commitment.digest,
        "shared": commitment.shared,
        "stage": commitment.stage,
        "hashes": commitment.hashes,
        "nonces": commitment.nonces if opened else [""] * len(commitment.nonces),
    }
    if commitment.stage == Commitment.Stage.FIXED:
        transaction.on_commit(partial(_fixed.put, match.commitment_id, part))
    return part


def clear_cache() -> None:
    """Clear the cache of this process."""
    _fixed.clear()
