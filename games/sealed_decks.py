"""All that is sealed in the database, gone through when keys change or are missed: at a start, and by ``deck_keys``.

It opens nothing for anybody to read, and decides nothing about a match.
"""

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Length

from games import sealing
from games.models import Deal, Match
from games.sealing import WrongKey


def find_unopenable() -> set[int]:
    """Return the ids of the matches that run and of which something can't be opened with any key."""
    lost = set()
    for deal in _list_sealed().iterator():
        try:
            sealing.unseal(deal.deck)
        except WrongKey:
            lost.add(deal.match_id)
    return lost


def seal_anew() -> int:
    """Seal everything with the first key; how much there was. Raises WrongKey, and then nothing has changed."""
    count = 0
    with transaction.atomic():
        for deal in _list_sealed().select_for_update(of=("self",)).iterator():
            Deal.objects.filter(pk=deal.pk).update(deck=sealing.seal(sealing.unseal(deal.deck)))
            count += 1
    return count


def _list_sealed() -> QuerySet[Deal]:
    running = Deal.objects.exclude(match__status=Match.Status.FINISHED)
    return running.annotate(characters=Length("deck")).exclude(characters=sealing.PLAIN_DECK_CHARACTERS).order_by("pk")
