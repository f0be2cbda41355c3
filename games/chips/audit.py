"""The audit of the books (Z1): stored balances against the lines of the ledger, and computed again from them.

The lines are the truth and are never touched: a transfer that doesn't sum to 0 is told, and stays.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Count, F, QuerySet, Sum

from games.chips import actions
from games.models import ChipAccount, ChipHold, ChipTransfer, Match


def find_differences() -> list[str]:
    """Find what isn't in order in the books (Z1): one line for each fault, empty where there is none."""
    accounts = ChipAccount.objects.annotate(summed=Sum("entries__amount", default=0)).exclude(balance=F("summed"))
    faults = [f"account {row.pk}: balance {row.balance}, entries {row.summed}" for row in accounts]
    held = ChipAccount.objects.annotate(summed=Sum("holds__amount", default=0)).exclude(held=F("summed"))
    faults += [f"account {row.pk}: held {row.held}, holds {row.summed}" for row in held]
    transfers = ChipTransfer.objects.annotate(summed=Sum("entries__amount", default=0), lines=Count("entries"))
    faults += [
        f"transfer {row.pk}: {row.lines} entries, sum {row.summed}" for row in transfers.exclude(summed=0, lines__gt=1)
    ]
    low = ChipAccount.objects.filter(house=False, balance__lt=F("held"))
    faults += [f"account {row.pk}: balance {row.balance}, held {row.held}" for row in low]
    return faults + [f"match {hold.table.match_id}: stakes not settled" for hold in _find_unsettled()]


def _find_unsettled() -> QuerySet[ChipHold]:
    settled = ChipHold.objects.filter(
        table__match__status=Match.Status.FINISHED, table__match__settled_at__isnull=False
    )
    return settled.select_related("table")


def recompute_balances(now: datetime) -> Iterable[str]:
    """Compute every balance again from its lines, and settle what was left; return what differed."""
    faults = find_differences()
    if faults:
        for hold in _find_unsettled():  # each in a transaction of its own: a table is locked before any account
            if hold.table.match_id is not None:
                actions.settle_stakes(match_id=hold.table.match_id, now=now)
        with transaction.atomic():
            rows = ChipAccount.objects.select_for_update(of=("self",)).order_by("pk")
            for account in rows:
                balance = account.entries.aggregate(total=Sum("amount", default=0))["total"]
                held = account.holds.aggregate(total=Sum("amount", default=0))["total"]
                if (account.balance, account.held) != (balance, held):
                    ChipAccount.objects.filter(pk=account.pk).update(balance=balance, held=held)
    return faults
