"""Choice of whoever is shown what of one's page."""

from collections.abc import Mapping

from django.db import transaction

from players.models import Player, ProfileAudience
from players.selectors import PARTS, Readers


class BadAudience(ValueError):
    """Refusal of a choice: ``code`` is unknown_part or unknown_readers."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@transaction.atomic
def choose_audience(*, player: Player, readers: Mapping[str, str], indexed: bool | None = None) -> ProfileAudience:
    """Store who is shown these parts of the player's page; what isn't named stays as it was. BadAudience(code)."""
    if not set(readers) <= set(PARTS):
        raise BadAudience("unknown_part")
    if not set(readers.values()) <= set(Readers.values):
        raise BadAudience("unknown_readers")
    audience, _new = ProfileAudience.objects.select_for_update().get_or_create(player=player)
    for part, chosen in readers.items():
        setattr(audience, part, chosen)
    if indexed is not None:
        audience.indexed = indexed
    audience.save()
    return audience
