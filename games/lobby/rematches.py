"""The *rivincita* (B5): after a free match everybody of both sides asks for another, and the next table opens.

Each call is one transaction that holds the row of the table that is over, so of the last two who ask at once one opens
it; lock order: free table → match. It moves no card. Tournaments have no rematches: their matches have no free table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from games.chips.actions import hold_stakes, settle_stakes
from games.chips.errors import ChipsRefused
from games.engine.game import Points
from games.lobby import queries
from games.lobby.actions import LobbyRefused, find_playing, open_match_of, require_leave_to_play, require_nowhere
from games.models import Deal, FreeSeat, FreeTable, Match, RematchWish, Seat
from games.services.errors import SeatTaken
from players.broadcast import notify
from players.models import Player
from players.selectors import find_blocks, find_suspended
from players.services.house import HouseBusy, find_busy_house_players, prepare_house_players, take_house_players

ASK_WITHIN = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Evening:
    """Score of the matches that the same people have played one after the other: those won by each line, and drawn."""

    won: Points
    drawn: int

    @property
    def played(self) -> int:
        return sum(self.won) + self.drawn


@dataclass(frozen=True, slots=True)
class RematchStand:
    """State of a rematch, as one reader sees it. ``seconds``: until nobody may ask any more; 0: over."""

    evening: Evening
    seconds: int
    reader: str | None  # the reader's name; None: who didn't sit at this table
    asking: tuple[str, ...]  # names of the people who have asked
    missing: tuple[str, ...]  # and of those who haven't
    rematch: FreeTable | None

    @property
    def mine(self) -> bool:
        return self.reader is not None

    @property
    def has_asked(self) -> bool:
        return self.reader in self.asking

    @property
    def open(self) -> bool:
        return self.mine and self.seconds > 0 and self.rematch is None


def ask_rematch(*, match_id: int, player: Player, now: datetime) -> Match | None:
    """Ask for another match at the table where this one was played; house players say yes at once.

    Return the match that opens with the last wish, or has opened already, else None. LobbyRefused: no_rematch,
    rematch_over, not_here, seated_elsewhere, rematch_left, house_busy; with a stake too_few_chips, stakes_off and,
    where it is another's, rematch_chips.
    """
    if Match.objects.filter(pk=match_id, house_seats__gt=0).exists():
        try:
            prepare_house_players(count=3, now=now)  # before anybody could wait for this table
        except HouseBusy as busy:
            raise LobbyRefused(busy.code) from None
    with transaction.atomic():
        table = _lock_table(match_id)
        rematch = FreeTable.objects.select_related("match").filter(previous=table).first()
        match = table.match
        assert match is not None
        players = list(Player.objects.filter(seats__match=match).order_by("seats__number"))
        if player not in players:
            raise LobbyRefused("not_here")
        if rematch is not None:
            return rematch.match
        _require_time(match, now)
        require_leave_to_play(player, now)
        require_nowhere(player)
        RematchWish.objects.get_or_create(table=table, player=player, defaults={"at": now})
        people = [person.pk for person in players if not person.is_house]
        wishes = set(RematchWish.objects.filter(table=table).values_list("player_id", flat=True))
        if wishes.issuperset(people):
            return _open_rematch(table, match, players, player, now)
        path = reverse("table", args=[match.public_id])
        for person_id in people:
            transaction.on_commit(partial(notify, person_id, {"t": "rematch", "url": path}))
        return None


def read_stand(match: Match, player: Player | None, now: datetime) -> RematchStand | None:
    """Read how far a rematch of this finished match has come; None where there is none to be had, nor an evening."""
    table = FreeTable.objects.filter(match=match).first()
    if table is None or match.status != Match.Status.FINISHED or match.finished_at is None:
        return None
    rematch = FreeTable.objects.select_related("match").filter(previous=table).first()
    seats = Seat.objects.filter(match=match).select_related("player")
    people = {seat.player_id: seat.player.name for seat in seats if not seat.player.is_house}
    wishes = set(RematchWish.objects.filter(table=table).values_list("player_id", flat=True))
    left = match.finished_at + ASK_WITHIN - now
    return RematchStand(
        evening=count_evening(table),
        seconds=max(0, -(-left // timedelta(seconds=1))) if _has_result(match) else 0,
        reader=None if player is None else people.get(player.pk),
        asking=tuple(name for pk, name in people.items() if pk in wishes),
        missing=tuple(name for pk, name in people.items() if pk not in wishes),
        rematch=rematch,
    )


def count_evening(table: FreeTable) -> Evening:
    """Count the matches of this evening, up to this table's (B5)."""
    first = table.first_id or table.pk
    rows = FreeTable.objects.filter(Q(pk=first) | Q(first=first), pk__lte=table.pk, match__status=Match.Status.FINISHED)
    counted = rows.filter(match__stopped_at=None, match__annulled_at=None, match__both_forfeited=False)
    winners = list(counted.values_list("match__winner", flat=True))
    return Evening((winners.count(0), winners.count(1)), winners.count(None))


def compute_next_dealer(match: Match) -> int:
    """Return the dealer of the next match between the same people (G3)."""
    last = Deal.objects.filter(match=match, void=False).order_by("-number").first()
    return match.first_dealer if last is None else (last.dealer + 1) % match.hands


def _lock_table(match_id: int) -> FreeTable:
    rows = FreeTable.objects.select_for_update()  # its match is read once it is held
    table = rows.filter(match_id=match_id, state=FreeTable.State.STARTED).first()
    if table is None:
        raise LobbyRefused("no_rematch")
    return table


def _has_result(match: Match) -> bool:
    """Tell if the match was played to a result; who didn't come to it, or was stopped, plays no rematch."""
    return match.status == Match.Status.FINISHED and match.stopped_at is None and not match.both_forfeited


def _require_time(match: Match, now: datetime) -> None:
    if not _has_result(match):
        raise LobbyRefused("no_rematch")
    if match.finished_at is None or now >= match.finished_at + ASK_WITHIN:
        raise LobbyRefused("rematch_over")


def _open_rematch(table: FreeTable, match: Match, players: Sequence[Player], asker: Player, now: datetime) -> Match:
    """Open the next table with the same settings, for the same people in their seats and the next dealer (G3)."""
    people = [player.pk for player in players if not player.is_house]
    if (
        find_playing(people)
        or FreeSeat.objects.filter(player__in=people).exists()
        or find_suspended(people, now)
        or find_blocks(people)
    ):
        raise LobbyRefused("rematch_left")
    seated = _replace_busy(players, now)
    rematch = FreeTable(
        state=FreeTable.State.STARTED,
        previous=table,
        first_id=table.first_id or table.pk,
        opened_at=now,
        **{name: getattr(table, name) for name in queries.SETTINGS},
    )
    try:
        opened = open_match_of(rematch, seated, now, first_dealer=compute_next_dealer(match))
    except SeatTaken:
        raise LobbyRefused("rematch_left") from None
    rematch.match = opened
    rematch.save()
    if table.stake:
        settle_stakes(match_id=match.pk, now=now)  # what was won may be staked again
        _stake_again(rematch, opened, asker)
    return opened


def _stake_again(rematch: FreeTable, match: Match, asker: Player) -> None:
    """Hold the stakes of the next match too (Z2)."""
    players = {seat.number: seat.player for seat in match.seats.select_related("player__user")}
    try:
        hold_stakes(table=rematch, players=players)
    except ChipsRefused as refused:
        raise LobbyRefused(refused.code if refused.player == asker else "rematch_chips") from None


def _replace_busy(players: Sequence[Player], now: datetime) -> list[Player]:
    """Return the players with others of the house in the places of those who are busy by now."""
    house = [player for player in players if player.is_house]
    if not house:
        return list(players)
    busy = find_busy_house_players()
    try:
        taken = take_house_players(count=len(house), now=now)  # those who stay may be among them
    except HouseBusy as refused:
        raise LobbyRefused(refused.code) from None
    others = iter([player for player in taken if player not in house])
    return [next(others) if player.is_house and player.pk in busy else player for player in players]
