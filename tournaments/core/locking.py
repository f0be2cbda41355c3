"""The frame of every service: lock the tournament, log the change, store a new version.

It decides one thing: what is on loan at another site is changed by nobody here (O9).
"""

from datetime import datetime

from games.prepared_sql import PreparedSql
from players.models import Player
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.log_details import LogDetail, encode_detail
from tournaments.models import Entry, LogEntry, Tournament

NO_DETAIL = LogDetail()
# Every act reads and writes the whole row: by statements made once.
COLUMNS = [field.name for field in Tournament._meta.concrete_fields if not field.primary_key]
TOURNAMENTS = PreparedSql(Tournament, COLUMNS)


def lock_tournament(tournament_id: int, *, lent: bool = False) -> Tournament:
    """Lock the tournament until the transaction ends. First in the lock order: tournament, fixture, match.

    TournamentError "lent" for one that is on loan; with ``lent``, for whoever ends the loan or changes nothing, none.
    Tournament.DoesNotExist where there is none.
    """
    tournament = TOURNAMENTS.lock(tournament_id)
    if tournament is None:
        raise Tournament.DoesNotExist
    if tournament.lent_to and not lent:
        raise TournamentError("lent", to=tournament.lent_to)
    return tournament


def write_log(
    tournament: Tournament, code: str, now: datetime, by: Player | None = None, detail: LogDetail = NO_DETAIL
) -> None:
    """Log a change of state, with person and hour (E2); ``by`` is None where the system acted."""
    kept = encode_detail(code, detail)
    LogEntry.objects.create(tournament=tournament, player=by, at=now, code=code, detail=kept)


def list_person_ids(entry: Entry) -> tuple[int, ...]:
    """Return the ids of the persons who are an entry's members now."""
    return tuple(entry.members.order_by("position").values_list("person", flat=True))


def list_people(tournament: Tournament) -> list[int]:
    """Return the ids of the players of all entries but the house's."""
    return tournament.members.people().player_ids()


def store_version(tournament: Tournament) -> None:
    """Store the tournament as a new version and tell who is looking, after the commit."""
    tournament.version += 1
    TOURNAMENTS.update(tournament)
    notify.announce_change(tournament)
