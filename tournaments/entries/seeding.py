"""The organiser's own order of the entries (K1), until the draw makes seeds of it, or pairs (EV2). It never draws."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.permissions import require_organiser
from tournaments.core.states import UNDRAWN
from tournaments.models import Entry


@transaction.atomic
def place_entries(*, tournament_id: int, by: Player, places: Mapping[int, int | None], now: datetime) -> None:
    """Store the places of entries, by id; an entry with None, or not named, comes after them in the order of entering.

    Of two at the same place the earlier entry comes first. Ids of other tournaments are ignored.
    """
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn")
    if not tournament.takes_places:
        raise TournamentError("not_seeded_by_organiser")
    entries = list(tournament.entries.in_place())
    for entry in entries:
        entry.placed = places.get(entry.pk)
    Entry.objects.bulk_update(entries, ["placed"])
    write_log(tournament, "seeded", now, by)
    store_version(tournament)
