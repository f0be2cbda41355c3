"""Seeks (B2): begun, heard of, ended, and paired by the sweep (B3, B4) into a table that opens at once.

Each call is one transaction; lock order: seeks → free table → match. Whom it seats is decided in ``pairing``; what is
due elsewhere, who is blocked and how strong somebody is, is asked of those who know. It moves no card.
"""

import logging
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q

from games import broadcast
from games.levels import START, read_levels
from games.lobby.actions import LobbyRefused, find_playing, open_match_of, require_leave_to_play
from games.lobby.conduct import find_seek_ban
from games.lobby.duties import find_due_people
from games.lobby.kinds import SPEEDS, SeekKind
from games.lobby.pairing import PlannedTable, Seeking, admit_each_other, pair_seeks, plan_house_tables
from games.models import FreeSeat, FreeTable, Match, Seat, Seek, Strength
from games.services.errors import SeatTaken
from players.models import Player
from players.selectors import find_blocks, find_relation, find_suspended
from players.services.house import HouseBusy, prepare_house_players, take_house_players

logger = logging.getLogger(__name__)

HEARD_WITHIN = timedelta(seconds=20)
HEAR_EVERY = timedelta(seconds=4)
OFFER_AFTER = timedelta(seconds=15)  # then a player of the house is offered (B4)
SEATED_AFTER = timedelta(seconds=30)  # at the latest, who chose the house beforehand (B4)
LAST_MATCHES = 3
# The middle of the bands that have their names (L5).
STRENGTH_LEVELS = {Strength.BEGINNER: 1100, Strength.CLUB: 1500, Strength.MASTER: 1900}


def seek_match(
    *,
    player: Player,
    kind: SeekKind,
    partner: Player | None = None,
    lowest: int | None = None,
    highest: int | None = None,
    house: bool = False,
    now: datetime,
) -> Seek:
    """Begin to seek, in the place of what the player sought before; the same again goes on with its wait.

    LobbyRefused: no_such_kind, no_such_partner, levels_crossed, suspended, seated_elsewhere, table_due, seek_ban.
    """
    if not kind.is_known:
        raise LobbyRefused("no_such_kind")
    if lowest is not None and highest is not None and lowest > highest:
        raise LobbyRefused("levels_crossed")
    if partner is not None:
        _require_partner(player, partner, kind)
    with transaction.atomic():
        require_leave_to_play(player, now)
        if find_playing([player.pk]) or FreeSeat.objects.filter(player=player).exists():
            raise LobbyRefused("seated_elsewhere")
        if find_due_people([player.pk], now):
            raise LobbyRefused("table_due")
        ban = find_seek_ban(player, now)
        if ban is not None:
            raise LobbyRefused("seek_ban", ban - now)
        level = read_levels([player.pk], kind.ruleset, kind.form, now).get(player.pk)
        terms = {
            "ruleset": kind.ruleset,
            "option_set": kind.option_set,
            "form": kind.form,
            "speed": kind.speed,
            "partner": partner,
        }
        before = Seek.objects.select_for_update().filter(player=player).first()
        same = before is not None and all(getattr(before, name) == value for name, value in terms.items())
        values = {
            **terms,
            # Who has no level seeks with an open range (B2).
            "lowest": None if level is None else lowest,
            "highest": None if level is None else highest,
            "house": house,
            "level": None if level is None else level.value,
            "level_uncertain": level is not None and level.uncertain,
            "met": _list_met(player, kind),
            "created_at": before.created_at if before is not None and same else now,
            "heard_at": now,
        }
        try:
            with transaction.atomic():
                own, _new = Seek.objects.update_or_create(player=player, defaults=values)
        except IntegrityError:  # sought twice at the same instant
            raise LobbyRefused("sought_already") from None
        broadcast.publish_seek_change()
        return own


def end_seek(*, player: Player) -> bool:
    """End the player's seek. False where there is none (any more)."""
    with transaction.atomic():
        deleted, _each = Seek.objects.filter(player=player).delete()
        if deleted:
            broadcast.publish_seek_change()
        return bool(deleted)


def hear_of(player_ids: Collection[int], now: datetime) -> int:
    """Note that pages of these people are open (B2). Return how many seeks it was news for."""
    due = Seek.objects.filter(player__in=player_ids, heard_at__lte=now - HEAR_EVERY)
    return due.update(heard_at=now) if due.exists() else 0


def join_seek(*, player: Player, seek_id: int, now: datetime) -> Match | None:
    """Seek the very match that somebody else seeks, as their partner where they named the player; where two who play
    alone fit, it opens at once. None: the seek goes on.

    LobbyRefused: seek_gone, and what ``seek_match`` refuses.
    """
    theirs = Seek.objects.filter(pk=seek_id).first()
    if theirs is None or theirs.player_id == player.pk or find_blocks([player.pk, theirs.player_id]):
        raise LobbyRefused("seek_gone")
    kind = find_kind(theirs)
    if theirs.partner_id == player.pk:
        seek_match(player=player, kind=kind, partner=theirs.player, now=now)
        return None
    mine = seek_match(player=player, kind=kind, now=now)
    if kind.seats > 2:
        return None
    own, other = list_seekings([mine, theirs])
    if not admit_each_other(own, other, now.timestamp()):
        return None
    return _open_table(kind, PlannedTable((own.people, other.people), (mine.pk, theirs.pk)), [mine, theirs], now)


def list_joinable(player: Player | None, now: datetime, ruleset: str = "") -> list[Seek]:
    """List the seeks that a press of the player's (None: of somebody without a level) would pair or go on with, of one
    game where it is named: nobody's who named a partner, nor whose levels leave the player out; those who play alone
    first, whose table opens at once, then by wait."""
    rows = Seek.objects.select_related("player").filter(partner=None).order_by("created_at", "pk")
    rows = rows.filter(ruleset=ruleset) if ruleset else rows
    seeks = [seek for seek in rows if player is None or seek.player_id != player.pk]
    if not seeks:
        return []
    ids = [seek.player_id for seek in seeks]
    parted = (
        set() if player is None else {pk for pair in find_blocks([player.pk, *ids]) for pk in pair if player.pk in pair}
    )
    levels = _read_levels(player, seeks, now)
    fitting = [seek for seek in seeks if seek.player_id not in parted and _admits(seek, levels, now)]
    return sorted(fitting, key=lambda seek: seek.form != "alone")


def _read_levels(player: Player | None, seeks: Iterable[Seek], now: datetime) -> dict[tuple[str, str], int]:
    """Return the player's levels in the games and forms of these seeks, where they have one."""
    if player is None:
        return {}
    about = {(seek.ruleset, seek.form) for seek in seeks}
    known = {key: read_levels([player.pk], *key, now).get(player.pk) for key in about}
    return {key: level.value for key, level in known.items() if level is not None}


def _admits(seek: Seek, levels: dict[tuple[str, str], int], now: datetime) -> bool:
    """Tell if a seek admits who has these levels, now (B3)."""
    level = levels.get((seek.ruleset, seek.form), START)
    theirs = _make_seeking([seek])
    return admit_each_other(theirs, replace(theirs, level=level, lowest=None, highest=None), now.timestamp())


def play_with_house(*, player: Player, now: datetime, chosen: bool = False) -> Match | None:
    """Take the offer of the house (B4): the seeker, with their partner where they have one, sits down with it at once.
    Who has ``chosen`` it waits for no offer.

    LobbyRefused: not_seeking, offer_later, partner_missing, house_busy.
    """
    mine = Seek.objects.filter(player=player).first()
    if mine is None:
        raise LobbyRefused("not_seeking")
    if now - mine.created_at < OFFER_AFTER and not (mine.house or chosen):
        raise LobbyRefused("offer_later", mine.created_at + OFFER_AFTER - now)
    kind = find_kind(mine)
    theirs = Seek.objects.filter(player=mine.partner_id, partner=player)
    rows = [mine, *(seek for seek in theirs if find_kind(seek) == kind)]
    unit = next(iter(list_seekings(rows)), None)
    if unit is None:
        raise LobbyRefused("partner_missing")
    plan = PlannedTable((unit.people, ()), (unit.key,))
    try:
        return _open_table(kind, plan, rows, now)
    except HouseBusy as busy:
        raise LobbyRefused(busy.code) from None


# --- The sweep -------------------------------------------------------------------------------------------------------


def list_due_seeks(now: datetime) -> Iterable[int]:
    """Return one piece of work while anybody seeks."""
    return (0,) if Seek.objects.exists() else ()


def pair_lobby(now: datetime) -> int:
    """End the seeks that are over, and open the tables of those that fit. Return how many were opened.

    Any number of workers may do so at once: a seek that another has locked is left to it.
    """
    drop_ended_seeks(now)
    rows = list(Seek.objects.select_related("player").order_by("pk"))
    blocked = find_blocks([row.player_id for row in rows])
    by_kind: dict[SeekKind, list[Seek]] = {}
    for row in rows:
        by_kind.setdefault(find_kind(row), []).append(row)
    opened = 0
    for kind, seeks in sorted(by_kind.items()):
        for plan in plan_tables(kind, seeks, blocked, now):
            try:
                opened += _open_table(kind, plan, seeks, now) is not None
            except HouseBusy:
                continue  # people wait on; the house has room again soon
            except Exception:  # one table stops no other
                logger.exception("a table of the lobby could not be opened: %s", kind)
    return opened


def plan_tables(
    kind: SeekKind, rows: Collection[Seek], blocked: Collection[frozenset[int]], now: datetime
) -> list[PlannedTable]:
    """Return the tables of one kind to open now, those with the house last."""
    units = [unit for unit in list_seekings(rows) if frozenset(unit.people) not in blocked]  # partners until then
    hour = now.timestamp()
    met = {frozenset((row.player_id, other)) for row in rows for other in row.met if other != row.player_id}
    tables = pair_seeks(units, hour, seats=kind.seats, blocked=blocked, recent=met)
    seated = {key for table in tables for key in table.keys}
    left = [unit for unit in units if unit.key not in seated]
    return tables + plan_house_tables(left, hour, seats=kind.seats, blocked=blocked)


def drop_ended_seeks(now: datetime) -> None:
    """End the seeks whose person left without a word, sits elsewhere, or has a table due soon (B2)."""
    people = list(Seek.objects.values_list("player_id", flat=True))
    busy = find_playing(people) | find_due_people(people, now) | find_suspended(people, now)
    busy |= set(FreeSeat.objects.filter(player__in=people).values_list("player_id", flat=True))
    with transaction.atomic():
        over = Q(heard_at__lte=now - HEARD_WITHIN) | Q(player__in=busy)
        locked = Seek.objects.select_for_update(skip_locked=True).filter(over).values_list("pk", flat=True)
        deleted, _each = Seek.objects.filter(pk__in=list(locked)).delete()
        if deleted:
            broadcast.publish_seek_change()


def find_kind(seek: Seek) -> SeekKind:
    """Return what a seek seeks."""
    return SeekKind(seek.ruleset, seek.option_set, seek.form, seek.speed)


def list_seekings(rows: Collection[Seek]) -> list[Seeking]:
    """Return the seeks of one kind as pairing sees them: two who name each other are one, and who waits for a partner
    isn't there yet. Its key is the first row's."""
    by_player = {row.player_id: row for row in rows}
    units = []
    for row in rows:
        partner = None if row.partner_id is None else by_player.get(row.partner_id)
        if row.partner_id is None:
            units.append(_make_seeking([row]))
        elif partner is not None and partner.partner_id == row.player_id and row.pk < partner.pk:
            units.append(_make_seeking([row, partner]))
    return units


def _make_seeking(rows: list[Seek]) -> Seeking:
    lowest = [row.lowest for row in rows if row.lowest is not None]
    highest = [row.highest for row in rows if row.highest is not None]
    return Seeking(
        key=rows[0].pk,
        people=tuple(row.player_id for row in rows),
        level=sum(START if row.level is None else row.level for row in rows) / len(rows),
        since=max(row.created_at.timestamp() for row in rows),
        lowest=max(lowest, default=None),
        highest=min(highest, default=None),
        house=all(row.house for row in rows),
    )


# --- Opening ---------------------------------------------------------------------------------------------------------


def _open_table(kind: SeekKind, plan: PlannedTable, rows: Iterable[Seek], now: datetime) -> Match | None:
    """Open the table that was planned; None where somebody it seats seeks it no more, or is another worker's.

    HouseBusy where the house has no player free.
    """
    people = [person for line in plan.lines for person in line]
    planned = {row.player_id: row for row in rows if row.player_id in people}
    missing = kind.seats - len(people)
    if missing:
        prepare_house_players(count=missing, now=now)  # before anything is locked
    with transaction.atomic():
        locked = Seek.objects.select_for_update(of=("self",), skip_locked=True).select_related("player")
        seeks = {seek.player_id: seek for seek in locked.filter(player__in=people).order_by("pk")}
        if len(seeks) < len(people) or any(_is_other(seeks[pk], planned[pk]) for pk in people):
            return None
        if find_suspended(people, now) or find_blocks(people):  # since it was planned (U2, B6)
            return None
        house = iter(take_house_players(count=missing, now=now))
        half = kind.seats // 2
        lines = [
            [*(seeks[person].player for person in line), *(next(house) for _seat in range(half - len(line)))]
            for line in plan.lines
        ]
        table = _make_table(kind, find_nearest_strength(seeks.values()), now)
        try:
            with transaction.atomic():
                table.match = open_match_of(
                    table, [player for pair in zip(*lines, strict=True) for player in pair], now
                )
        except SeatTaken:
            Seek.objects.filter(player__in=find_playing(people)).delete()
            return None
        table.save()
        Seek.objects.filter(pk__in=[seek.pk for seek in seeks.values()]).delete()
        broadcast.publish_seek_change()
        return table.match


def find_nearest_strength(seeks: Iterable[Seek]) -> Strength:
    """Return the strength of the house that is nearest to the level of these people (B4)."""
    levels = [START if seek.level is None else seek.level for seek in seeks]
    mean = sum(levels) / len(levels)
    return min(STRENGTH_LEVELS, key=lambda strength: abs(STRENGTH_LEVELS[strength] - mean))


def _make_table(kind: SeekKind, strength: Strength, now: datetime) -> FreeTable:
    speed = SPEEDS[kind.speed]
    return FreeTable(
        state=FreeTable.State.STARTED,
        ruleset=kind.ruleset,
        players=kind.seats,
        length_kind=kind.length.kind,
        length_value=kind.length.value,
        options=dict(kind.terms.options),
        turn_timeout=speed.turn_timeout,
        match_clock=speed.match_clock,
        strength=strength,
        opened_at=now,
    )


def _is_other(seek: Seek, planned: Seek) -> bool:
    """Tell if a seek isn't any more what the table was planned for."""
    names = ("pk", "ruleset", "option_set", "form", "speed", "partner_id", "lowest", "highest", "house", "created_at")
    return any(getattr(seek, name) != getattr(planned, name) for name in names)


def _require_partner(player: Player, partner: Player, kind: SeekKind) -> None:
    """Refuse a partner who can't be one. One who blocks the player may be named, and waited for: the player isn't to
    learn of it (B6)."""
    blocked = find_relation(player, partner).blocks
    if kind.form != "pairs" or partner.pk == player.pk or partner.is_house or not partner.user.is_active or blocked:
        raise LobbyRefused("no_such_partner")


def _list_met(player: Player, kind: SeekKind) -> list[int]:
    """List whom the player met in their last three matches of the game and form (B3), the house and training aside."""
    own = Seat.objects.filter(
        player=player, match__ruleset=kind.ruleset, match__players=kind.seats, match__training=False
    )
    last = list(own.order_by("-match_id").values_list("match_id", flat=True)[:LAST_MATCHES])
    others = Seat.objects.filter(match__in=last).exclude(player=player).exclude(player__kind=Player.Kind.HOUSE)
    return sorted(set(others.values_list("player_id", flat=True)))
