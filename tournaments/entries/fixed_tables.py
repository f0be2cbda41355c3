"""Fixed tables (O3): who can't walk far always plays at the same table of the hall, in the first wave."""

from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import EntryDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.reads import read_entries_of
from tournaments.core.states import UNFINISHED
from tournaments.models import Tournament

MAX_TABLES = 2048  # of a hall: as many as a danese of 4,096 fills


@transaction.atomic
def fix_table(*, tournament_id: int, by: Player, entry_id: int, table: int | None, now: datetime) -> None:
    """Store the table at which an entry plays from its next fixture on; None: none of its own.

    TournamentError: not_organiser; not_real; over; entry_gone; fixed_table_range; fixed_table_taken, by another.
    """
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if not tournament.venue.numbers_tables:
        raise TournamentError("not_real")
    if tournament.state not in UNFINISHED:
        raise TournamentError("over")
    entry = tournament.entries.filter(pk=entry_id).first()
    if entry is None:
        raise TournamentError("entry_gone")
    if table is not None:
        _require_free(tournament, entry_id, table)
    entry.fixed_table = table
    entry.save(update_fields=["fixed_table"])
    write_log(tournament, "table_fixed", now, by, EntryDetail(entry=entry_id))
    store_version(tournament)


def _require_free(tournament: Tournament, entry_id: int, table: int) -> None:
    high = tournament.hall_tables or MAX_TABLES
    if not 1 <= table <= high:
        raise TournamentError("fixed_table_range", high=high)
    others = tournament.entries.filter(fixed_table=table, withdrawn_at=None).exclude(pk=entry_id)
    if other := others.first():
        raise TournamentError("fixed_table_taken", table=table, by=read_entries_of([other])[other.pk].name)
