"""All that is sealed in the database, gone through when keys change or are missed: at a start, and by ``deck_keys``.

It opens nothing for anybody to read, and decides nothing about a match.
"""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Length

from games import sealing
from games.models import Commitment, Deal, Match
from games.sealing import WrongKey
from games.withheld import require_withheld


def list_unopenable() -> set[str]:
    """Return the scopes of what is still to be played or drawn and can't be opened with any key: public ids of
    matches, rounds that share their decks (J9), and lots of tournaments (J3a)."""
    return {scope for scope, sealed in _list_sealed() if not _opens(sealed)}


def seal_anew() -> int:
    """Seal everything with the first key; how much there was. Raises WrongKey, and then nothing has changed."""
    with transaction.atomic():
        decks = list(_list_decks().select_for_update(of=("self",)))
        for deal in decks:
            Deal.objects.filter(pk=deal.pk).update(deck=sealing.seal(sealing.unseal(deal.deck)))
        commitments = list(_list_commitments().select_for_update(of=("self",)))
        for commitment in commitments:
            sealed = sealing.seal(sealing.unseal(commitment.sealed))
            Commitment.objects.filter(pk=commitment.pk).update(sealed=sealed)
    return len(decks) + len(commitments)


def _list_sealed() -> Iterator[tuple[str, str]]:
    """Yield a scope and something of it that is sealed."""
    yield from _list_commitments().values_list("scope", "sealed").iterator()
    yield from _list_decks().values_list("match__public_id", "deck").iterator()


def _list_commitments() -> QuerySet[Commitment]:
    return Commitment.objects.exclude(sealed="").order_by("pk")


def _list_decks() -> QuerySet[Deal]:
    running = Deal.objects.with_results().filter(~Q(match__status=Match.Status.FINISHED) | require_withheld("match__"))
    return running.annotate(characters=Length("deck")).exclude(characters=sealing.PLAIN_DECK_CHARACTERS).order_by("pk")


def _opens(sealed: str) -> bool:
    try:
        sealing.unseal(sealed)
    except WrongKey:
        return False
    return True
