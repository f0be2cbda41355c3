"""The organiser's own order of the entries (K1), until the draw makes seeds of it."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.models import Entry, Tournament
from tournaments.selectors import UNDRAWN
from tournaments.services.errors import TournamentError
from tournaments.services.life import require_organiser
from tournaments.services.state import changed, locked, log


@transaction.atomic
def place(*, tournament_id: int, by: Player, places: Mapping[int, int | None], now: datetime) -> None:
    """Put entries, by id, at these places; None, or not named: after them, in the order in which they came.

    Of two at the same place the earlier entry comes first. Ids of other tournaments are nobody's here.
    """
    tournament = locked(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn")
    if tournament.seeding != Tournament.Seeding.ORGANISER:
        raise TournamentError("not_seeded_by_organiser")
    entries = list(tournament.entries.in_place())
    for entry in entries:
        entry.placed = places.get(entry.pk)
    Entry.objects.bulk_update(entries, ["placed"])
    log(tournament, "seeded", now, by)
    changed(tournament)
