"""The ledger of chips: accounts, transfers whose entries sum to 0, holds (Z1, Z2). It decides nothing.

Every function is called inside a transaction. Accounts are locked in the order of their numbers, after any free table
and match, and what is added to them is added by the database: no chip appears or vanishes, whoever writes at once. No
balance falls below what is held of it; the house's alone may be negative. The database refuses anything else.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db.models import F

from games.models import ChipAccount, ChipEntry, ChipHold, ChipTransfer, FreeTable, Match
from players.models import Player


def open_account(player: Player) -> ChipAccount:
    """Return the player's account; the first time an empty one is made."""
    return ChipAccount.objects.get_or_create(player=player)[0]


def find_house() -> ChipAccount:
    """Return the account of the house."""
    return ChipAccount.objects.get_or_create(house=True)[0]


def lock(account_ids: Iterable[int]) -> dict[int, ChipAccount]:
    """Lock these accounts and return them as they are now, by number."""
    rows = ChipAccount.objects.select_for_update(of=("self",)).filter(pk__in=set(account_ids)).order_by("pk")
    return {account.pk: account for account in rows}


def post(
    reason: ChipTransfer.Reason, amounts: Mapping[int, int], *, now: datetime, match: Match | None = None
) -> ChipTransfer | None:
    """Move chips between locked accounts (by number); None where nothing moves. The amounts must sum to 0."""
    moved = {account_id: amount for account_id, amount in sorted(amounts.items()) if amount}
    if sum(moved.values()) != 0:
        raise ValueError("a transfer's entries sum to 0")
    if not moved:
        return None
    transfer = ChipTransfer.objects.create(reason=reason, match=match, at=now)
    ChipEntry.objects.bulk_create(
        [ChipEntry(transfer=transfer, account_id=account_id, amount=amount) for account_id, amount in moved.items()]
    )
    for account_id, amount in moved.items():
        ChipAccount.objects.filter(pk=account_id).update(balance=F("balance") + amount)
    return transfer


def hold(table: FreeTable, account: ChipAccount, amount: int) -> None:
    """Hold chips of a locked account for a table, instead of what was held for it before."""
    before = ChipHold.objects.filter(table=table, account=account).first()
    if before is not None:
        release([before])
    ChipHold.objects.create(table=table, account=account, amount=amount)
    ChipAccount.objects.filter(pk=account.pk).update(held=F("held") + amount)


def release(holds: Iterable[ChipHold]) -> None:
    """Give held chips back to their locked accounts."""
    for held in holds:
        ChipAccount.objects.filter(pk=held.account_id).update(held=F("held") - held.amount)
        held.delete()
