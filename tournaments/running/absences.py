"""Entries that are out of a running tournament before its end (R5): marked as withdrawn, or expelled for absence.

Their fixtures follow when the plan is stored: annulled by the format, or forfeited.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, Max, OuterRef, Q

from tournaments.core import notify
from tournaments.core.locking import write_log
from tournaments.core.log_details import ExpulsionDetail
from tournaments.formats import FORMATS
from tournaments.models import Entry, Fixture, Tournament

MAX_FORFEITS = 3  # with so many an entry is expelled (R5)


def mark_withdrawn(tournament: Tournament, entry: Entry, now: datetime, *, expelled: bool) -> None:
    """Mark the entry of a locked tournament as out from now on."""
    entry.withdrawn_at = now
    entry.withdrawn_after = _count_had(tournament, entry)
    entry.expelled = expelled
    entry.save(update_fields=["withdrawn_at", "withdrawn_after", "expelled"])


def tell_withdrawn(tournament: Tournament, entry: Entry, now: datetime) -> None:
    """Notify the entry's players on their pages, and by mail if they want."""
    people = entry.members.people().player_ids()
    code = "expelled" if entry.expelled else "withdrawn"
    notify.tell_people(tournament, people, code)
    notify.mail_people(tournament, people, code, now, about=entry.pk)


def expel_absent(tournament: Tournament, entries: Iterable[Entry], now: datetime) -> bool:
    """Expel every entry with three forfeits that has something left to play (R5). Return True if there was one.

    Those that a referee forgave don't count. Only where results count in VP: in a KO nobody forfeits more than once.
    """
    if not FORMATS[tournament.format].has_vp:
        return False
    staying = [entry for entry in entries if entry.withdrawn_at is None]
    absent = [entry for entry in staying if entry.forfeits - entry.forgiven >= MAX_FORFEITS]
    expelled = [entry for entry in absent if _has_more(tournament, entry)]
    for entry in expelled:
        mark_withdrawn(tournament, entry, now, expelled=True)
        detail = ExpulsionDetail(entry=entry.pk, count=entry.forfeits)
        write_log(tournament, "expelled", now, detail=detail)
        tell_withdrawn(tournament, entry, now)
    return bool(expelled)


def _count_had(tournament: Tournament, entry: Entry) -> int:
    """Count what the format asks of a leaver: the results it had, or the rounds that were drawn (D1)."""
    all_ = Fixture.objects.of(tournament).firsts()
    if FORMATS[tournament.format].leaver_has == "rounds":
        return all_.filter(first__isnull=False).aggregate(last=Max("round__number"))["last"] or 0
    own = all_.of_entry(entry).filter(group=entry.group).exclude(state=Fixture.State.REST)
    if not own.open().exists():
        return own.count()  # through with its girone: who leaves in the KO afterwards takes nothing back
    half = (
        Fixture.objects.open().seconds().filter(round=OuterRef("round"), board=OuterRef("board"))
    )  # one table is over
    had = own.filter(result_at__isnull=False, annulled=False).exclude(state=Fixture.State.ANNULLED)
    return had.exclude(Exists(half)).count()


def _has_more(tournament: Tournament, entry: Entry) -> bool:
    """Tell if the entry may still have to play: a fixture of its own, or a round that isn't drawn."""
    open_ = Fixture.objects.of(tournament).open()
    return open_.filter(Q(first=entry) | Q(second=entry) | Q(first__isnull=True, group__isnull=True)).exists()
