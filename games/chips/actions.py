"""Acts with chips: topped up, held while one sits, settled with the result, given back, handed over (Z2-Z5).

Each call is one transaction, or part of the caller's; lock order: free table → match → accounts by number. It opens no
table and ends no match.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import cast

from django.db import transaction

from games.chips import ledger, queries, terms
from games.chips.errors import ChipsRefused
from games.models import ChipAccount, ChipEntry, ChipHold, ChipTransfer, FreeTable, Match, Seat
from players.models import Player, User

Reason = ChipTransfer.Reason


def show_chips(*, player: Player, shown: bool) -> None:
    """Show the player chips and stakes from now on, or nothing of them (Z5)."""
    User.objects.filter(pk=player.user_id).update(chips=shown)
    player.user.chips = shown


def top_up(*, player: Player, now: datetime) -> int:
    """Top the player's chips up to 100, once a day (Z4). Return how many came. ChipsRefused: stake_members,
    topped_up, enough_chips."""
    if player.kind != Player.Kind.MEMBER:
        raise ChipsRefused("stake_members")
    today = queries.read_day(now)
    with transaction.atomic():
        own, house = ledger.open_account(player).pk, ledger.find_house().pk
        account = ledger.lock([own, house])[own]
        if account.topped_up_on is not None and account.topped_up_on >= today:
            raise ChipsRefused("topped_up")
        missing = queries.TOPPED_UP_TO - account.balance
        if missing <= 0:
            raise ChipsRefused("enough_chips")
        ledger.post(Reason.TOP_UP, {own: missing, house: -missing}, now=now)
        ChipAccount.objects.filter(pk=own).update(topped_up_on=today)
    return missing


def hold_stakes(*, table: FreeTable, players: Mapping[int, Player]) -> None:
    """Hold what these players can lose, by their seats at a locked table; nothing where it has no stake (Z2).

    ChipsRefused, with the player: stake_members, stakes_off, too_few_chips.
    """
    if not table.stake:
        return
    for player in players.values():
        if player.kind != Player.Kind.MEMBER:
            raise ChipsRefused("stake_members", player)
        if not player.user.chips:
            raise ChipsRefused("stakes_off", player)
    own = {seat: ledger.open_account(player).pk for seat, player in players.items()}
    accounts = ledger.lock(own.values())
    for seat, player in players.items():
        account = accounts[own[seat]]
        before = ChipHold.objects.filter(table=table, account=account).first()
        amount = queries.compute_greatest_loss(table, seat)
        if account.balance - account.held + (before.amount if before else 0) < amount:
            raise ChipsRefused("too_few_chips", player)
        ledger.hold(table, account, amount)


def release_stakes(*, table: FreeTable, player_ids: Iterable[int] | None = None) -> None:
    """Give back what these people hold at a locked table, or everybody: they don't play there."""
    if table.stake:
        holds = ChipHold.objects.filter(table=table)
        if player_ids is not None:
            holds = holds.filter(account__player__in=player_ids)
        ledger.lock(holds.values_list("account_id", flat=True))
        ledger.release(holds)


def settle_stakes(*, match_id: int, now: datetime) -> None:
    """Pay the stakes of a finished match and give back what was held for it (Z3); done again it changes nothing."""
    with transaction.atomic():
        tables = FreeTable.objects.select_for_update(of=("self",))
        table = tables.filter(match_id=match_id, stake__gt=0).first()
        if table is None:
            return
        match = Match.objects.get(pk=match_id)  # read after the lock: it may have been annulled while this waited
        if match.status != Match.Status.FINISHED:
            return
        holds = {hold.account_id: hold for hold in ChipHold.objects.filter(table=table)}
        if not holds:
            return
        accounts = ledger.lock(holds)
        seats = dict(Seat.objects.filter(match=match).values_list("player_id", "number"))
        by_seat = {seats[cast(int, account.player_id)]: account.pk for account in accounts.values()}
        # Nobody loses more than was held when they sat down.
        held = min(
            hold.amount // terms.count_shares(seat, table.players)
            for seat, hold in ((seat, holds[account_id]) for seat, account_id in by_seat.items())
        )
        moved = queries.compute_moved(table, match)
        amount = min(moved.amount, held)
        ledger.release(holds.values())
        split = terms.split(moved.line, amount, list(by_seat), table.players)
        ledger.post(Reason.SETTLEMENT, {by_seat[seat]: chips for seat, chips in split.items()}, now=now, match=match)


def reverse_stakes(*, match_id: int, now: datetime) -> None:
    """Give the stakes of an annulled match back (Z3): from whoever won them as far as they have them still, the rest
    from the house. Done again it changes nothing. Called with the match locked."""
    with transaction.atomic():
        match = Match.objects.get(pk=match_id)
        entries = list(ChipEntry.objects.filter(transfer__match=match, transfer__reason=Reason.SETTLEMENT))
        if not entries or ChipTransfer.objects.filter(match=match, reason=Reason.ANNULMENT).exists():
            return
        house = ledger.find_house().pk
        accounts = ledger.lock([house, *(entry.account_id for entry in entries)])
        amounts = dict.fromkeys(accounts, 0)
        for entry in entries:
            account = accounts[entry.account_id]
            back = -min(entry.amount, account.balance - account.held)  # what they have, and isn't held elsewhere
            if account.player_id is None and back > 0:
                continue  # closed: what it would get back is the house's
            amounts[account.pk] = back
        amounts[house] = -sum(amounts.values())
        ledger.post(Reason.ANNULMENT, amounts, now=now, match=match)


def lock_tables(*, player: Player) -> list[int]:
    """Lock the free tables at which this player's chips are held, by number, and return them: before any account, by
    whoever has to do with several of them in one transaction (Z1)."""
    tables = FreeTable.objects.select_for_update(of=("self",)).filter(chip_holds__account__player=player)
    return list(tables.order_by("pk").values_list("pk", flat=True))


def close_chips(*, player: Player, now: datetime) -> bool:
    """Give a closing account's chips to the house (Z4); False while some are held at a table, which is being played."""
    with transaction.atomic():
        own = ChipAccount.objects.filter(player=player).first()
        if own is None:
            return True
        over = FreeTable.objects.filter(pk__in=lock_tables(player=player), match__status=Match.Status.FINISHED)
        matches = dict(over.values_list("pk", "match_id"))
        house = ledger.find_house().pk
        # All accounts at once, and so in their order: of several matches each would lock its own players' alone.
        ledger.lock([own.pk, house, *ChipHold.objects.filter(table__in=matches).values_list("account_id", flat=True)])
        for match_id in matches.values():
            settle_stakes(match_id=match_id, now=now)
        account = ledger.lock([own.pk])[own.pk]
        if account.held:
            return False
        ledger.post(Reason.CLOSING, {account.pk: -account.balance, house: account.balance}, now=now)
        ChipAccount.objects.filter(pk=account.pk).update(player=None)
        return True
