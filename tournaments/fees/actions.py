"""Fees and prizes as the organiser notes them (O10). No money is moved, and nothing else depends on them."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Sum

from players.clean_text import clean_line
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import PrizeDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.reads import read_entries
from tournaments.core.reasons import read_reason
from tournaments.fees.queries import read_paid, read_shares
from tournaments.fees.shares import Prize
from tournaments.models import Payment, Tournament

MAX_CENTS = 10_000_000  # of a fee, or of a prize
MAX_PRIZES = 64
MAX_WHAT_CHARACTERS = 80


@transaction.atomic
def set_fees(
    *,
    tournament_id: int,
    by: Player,
    fee_cents: int,
    prizes: Sequence[Prize],
    now: datetime,
    prizes_each: bool | None = None,
) -> None:
    """Store the fee of an entry, and the prize of each place, at any time. What was paid stays as it was.

    ``prizes_each``: a prize is for each person of an entry (EV11); None: as it was.

    TournamentError: not_organiser; cents_range; prizes_many.
    """
    tournament = _lock(tournament_id, by)
    if not all(0 <= cents <= MAX_CENTS for cents in (fee_cents, *(prize.cents for prize in prizes))):
        raise TournamentError("cents_range", high=MAX_CENTS // 100)
    if len(prizes) > MAX_PRIZES:
        raise TournamentError("prizes_many", limit=MAX_PRIZES)
    tournament.fee_cents = fee_cents
    tournament.prizes = [[prize.cents, clean_line(prize.what)[:MAX_WHAT_CHARACTERS]] for prize in prizes]
    if prizes_each is not None:
        tournament.prizes_each = prizes_each and not tournament.playing_kind.enters_alone
    tournament.save(update_fields=["fee_cents", "prizes", "prizes_each"])
    write_log(tournament, "fees_set", now, by)


@transaction.atomic
def give_prize(*, tournament_id: int, by: Player, place: int, entry_id: int | None, reason: str, now: datetime) -> None:
    """Give what can't be divided, of the prize of a place that several share, to one of them; without an entry leave
    it to the lot again. It is logged with its reason, and the log is where it is kept.

    TournamentError: not_organiser; prizes_not_final; reason_missing, reason_long; prize_not_shared; prize_not_among.
    """
    tournament = _lock(tournament_id, by)
    if tournament.state != Tournament.State.FINISHED:
        raise TournamentError("prizes_not_final")
    reason = read_reason(reason)
    rows = [row.share for row in read_shares(tournament, read_entries(tournament))]
    among = [share.entry_id for share in rows if share.first <= place <= share.last]
    what = next((thing.what for share in rows for thing in share.things if thing.place == place), "")
    if len(among) < 2 or not what:
        raise TournamentError("prize_not_shared")
    if entry_id is not None and entry_id not in among:
        raise TournamentError("prize_not_among")
    detail = PrizeDetail(place=place, what=what, reason=reason, entry=entry_id)
    write_log(tournament, "prize_given", now, by, detail)
    store_version(tournament)


@transaction.atomic
def mark_paid(*, tournament_id: int, by: Player, entry_id: int, now: datetime) -> None:
    """Note that an entry has paid the fee, or what of it is missing; once, however often the button is touched.

    TournamentError: not_organiser; no_fee; entry_gone.
    """
    tournament = _lock(tournament_id, by)
    if not tournament.fee_cents:
        raise TournamentError("no_fee")
    _require_entry(tournament, entry_id)
    _store_missing(tournament, [entry_id], by, now)


@transaction.atomic
def mark_all_paid(*, tournament_id: int, by: Player, entry_ids: Collection[int], now: datetime) -> int:
    """Note at once that each of these entries that hasn't paid the fee has. Return how many were noted.

    TournamentError: not_organiser; no_fee.
    """
    tournament = _lock(tournament_id, by)
    if not tournament.fee_cents:
        raise TournamentError("no_fee")
    return _store_missing(tournament, entry_ids, by, now)


def _store_missing(tournament: Tournament, entry_ids: Collection[int], by: Player, now: datetime) -> int:
    """Store the payments that are missing of these entries: one each, of a pair that was drawn one for each person
    (EV2). Return of how many entries."""
    paid, each_pays = read_paid(tournament, entry_ids), tournament.playing_kind.is_drawn_pair
    here = tournament.entries.filter(pk__in=entry_ids).annotate(people=Count("members")).values_list("pk", "people")
    missing = {pk: paid.count_missing(pk, people if each_pays else 1) for pk, people in here}
    Payment.objects.bulk_create(
        Payment(tournament=tournament, entry_id=pk, cents=tournament.fee_cents, at=now, by=by)
        for pk, fees in missing.items()
        for _fee in range(fees)
    )
    return sum(fees > 0 for fees in missing.values())


@transaction.atomic
def unmark_paid(*, tournament_id: int, by: Player, entry_id: int) -> None:
    """Take a touch back: what the entry paid last, at once, it never has. TournamentError: not_organiser; not_paid."""
    tournament = _lock(tournament_id, by)
    if _read_balance(tournament, entry_id) <= 0:
        raise TournamentError("not_paid")
    payments = tournament.payments.filter(entry=entry_id)
    last = payments.filter(cents__gt=0).latest("pk")
    touched = payments.filter(cents__gt=0, at=last.at).earliest("pk")
    payments.filter(pk__gte=touched.pk).delete()


@transaction.atomic
def note_refund(*, tournament_id: int, by: Player, entry_id: int, cents: int, now: datetime) -> None:
    """Note what an entry got back, at most what it has paid. TournamentError: not_organiser; entry_gone;
    refund_range."""
    tournament = _lock(tournament_id, by)
    most = _read_balance(tournament, entry_id)
    if not 0 < cents <= most:
        raise TournamentError("refund_range", most=most)
    Payment.objects.create(tournament=tournament, entry_id=entry_id, cents=-cents, at=now, by=by)


def _lock(tournament_id: int, by: Player) -> Tournament:
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    return tournament


def _read_balance(tournament: Tournament, entry_id: int) -> int:
    """Return what an entry has paid, refunds taken off. TournamentError: entry_gone."""
    _require_entry(tournament, entry_id)
    paid: int | None = tournament.payments.filter(entry=entry_id).aggregate(sum=Sum("cents"))["sum"]
    return paid or 0


def _require_entry(tournament: Tournament, entry_id: int) -> None:
    if not tournament.entries.filter(pk=entry_id).exists():
        raise TournamentError("entry_gone")
