"""Reads of the lobby (B1): who seeks what, which tables are played and how strong they are. They never write."""

from collections import Counter
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet

from games.engine.game import Length
from games.levels import FORM_OF, START, ShownLevel, average_levels, read_levels
from games.lobby.kinds import DEFAULT_KIND, SeekKind, recognise_kind
from games.lobby.pairing import ADMITTED, ADMITTED_A_SECOND
from games.lobby.seeks import OFFER_AFTER, SEATED_AFTER, find_kind
from games.models import Match, Seat, Seek
from games.prepared_sql import PreparedSql
from players.models import Player
from players.selectors import find_blocks_with, find_shown

SEEKS = PreparedSql(Seek)  # only read here
MOST_WATCHED = 12  # tables to watch on the page of the lobby
MOST_READ = 200  # running tables, the latest, of which those are the strongest


@dataclass(frozen=True, slots=True)
class OwnSeek:
    """A reader's own seek, and what it waits for. ``rivals``: how many others seek the very same; ``waiting``: how many
    seek anything. A partner is neither."""

    seek: Seek
    kind: SeekKind
    seconds: int
    admitted: int  # the difference of levels that is admitted by now
    rivals: int
    waiting: int
    partner_missing: bool
    house_offered: bool

    @property
    def level(self) -> ShownLevel | None:
        """Return the level with which it began."""
        return show_seek_level(self.seek)

    @property
    def missing(self) -> int:
        """Return how many people are missing at the table."""
        return self.kind.seats - (1 if self.seek.partner_id is None or self.partner_missing else 2)

    def is_with(self, seek: Seek) -> bool:
        """Tell if another's seek and this one are a pair."""
        return self.seek.partner_id == seek.player_id and not self.partner_missing

    @property
    def offered_at(self) -> datetime:
        """Return when the house is offered."""
        return self.seek.created_at + OFFER_AFTER

    @property
    def seated_at(self) -> datetime | None:
        """Return when they sit down with the house at the latest, as they chose beforehand (B4); None: not at all."""
        return self.seek.created_at + SEATED_AFTER if self.seek.house and not self.partner_missing else None

    @property
    def house_seconds(self) -> int:
        """Return the seconds that are left until then."""
        return max(0, int(SEATED_AFTER.total_seconds()) - self.seconds)

    @property
    def start(self) -> int:
        """Return the level they are taken for."""
        return START if self.seek.level is None else self.seek.level


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """A running table as the lobby lists it; ``level`` is the mean of the people at it, None where only the house
    plays, or one of them doesn't show everybody theirs."""

    match: Match
    sides: tuple[tuple[Player, ...], tuple[Player, ...]]
    level: ShownLevel | None

    @property
    def people(self) -> tuple[Player, ...]:
        """Return everybody who sits there."""
        return (*self.sides[0], *self.sides[1])

    @property
    def only_house(self) -> bool:
        """Tell if nobody but the house plays there."""
        return all(player.is_house for player in self.people)


def show_seek_level(seek: Seek) -> ShownLevel | None:
    """Return the level with which a seek began; None where its person had none."""
    return None if seek.level is None else ShownLevel(seek.level, seek.level_uncertain)


def list_seeks() -> list[Seek]:
    """List every seek with its person, the longest waiting first."""
    return list(Seek.objects.select_related("player", "partner").order_by("created_at", "pk"))


def list_seeks_for(player: Player) -> list[Seek]:
    """List every seek but those of people whom a block parts from the player: of them nothing is said (B6)."""
    parted = {pk for pair in find_blocks_with([player.pk]) for pk in pair} - {player.pk}
    return [seek for seek in list_seeks() if seek.player_id not in parted]


def renew_own_seek(seeks: Collection[Seek], player: Player) -> list[Seek]:
    """Return these seeks with the player's own as it stands now, whatever has been read before."""
    others = [seek for seek in seeks if seek.player_id != player.pk]
    own = Seek.objects.select_related("player", "partner").filter(player=player)
    return sorted([*others, *own], key=lambda seek: (seek.created_at, seek.pk))


def describe_own_seek(player: Player, seeks: Collection[Seek], now: datetime) -> OwnSeek | None:
    """Return the player's own seek among all; None where they seek nothing."""
    mine = next((seek for seek in seeks if seek.player_id == player.pk), None)
    if mine is None:
        return None
    kind = find_kind(mine)
    seconds = max(0, int((now - mine.created_at).total_seconds()))
    same = [seek for seek in seeks if seek.pk != mine.pk and find_kind(seek) == kind]
    partner = next((seek for seek in same if seek.player_id == mine.partner_id and seek.partner_id == player.pk), None)
    missing = mine.partner_id is not None and partner is None
    return OwnSeek(
        seek=mine,
        kind=kind,
        seconds=seconds,
        admitted=ADMITTED + ADMITTED_A_SECOND * seconds,
        rivals=len(same) - (partner is not None),
        waiting=len(seeks) - 1 - (partner is not None),
        partner_missing=missing,
        house_offered=not missing and now >= mine.created_at + OFFER_AFTER,
    )


def read_own_seek(player: Player, now: datetime) -> OwnSeek | None:
    """Return the player's own seek, read by itself; None where they seek nothing."""
    if not SEEKS.exists(player=player.pk):  # every page asks
        return None
    return describe_own_seek(player, list_seeks_for(player), now)


def count_own_matches(player: Player) -> dict[str, int]:
    """Return how many matches the player has sat down to, by game; training aside."""
    own = Seat.objects.filter(player=player, match__training=False).order_by()
    return dict(own.values_list("match__ruleset").annotate(Count("pk")))


def find_last_kind(player: Player) -> SeekKind:
    """Return the kind of match the player played last, which *Gioca subito* seeks again (B2)."""
    own = (
        Seat.objects.filter(player=player, match__training=False).select_related("match").order_by("-match_id").first()
    )
    if own is None:
        return DEFAULT_KIND
    match = own.match
    return recognise_kind(
        ruleset=match.ruleset,
        players=match.players,
        length=Length("deals" if match.length_kind == "deals" else "points", match.length_value),
        options=match.options,
        turn_timeout=match.turn_timeout,
    )


def list_watched_tables(now: datetime) -> list[WatchedTable]:
    """List the running tables that the lobby shows, the strongest first, as far as everybody is shown how strong they
    are; training is private (B7), and so is a table that only its link leads to."""
    running = Match.objects.filter(status=Match.Status.PLAYING, training=False).in_the_open()
    running = running.exclude(free_table__public=False)
    return describe_tables(running, MOST_READ, now)


def describe_tables(running: QuerySet[Match], most: int, now: datetime) -> list[WatchedTable]:
    """Return the latest of these matches, the strongest first, in as many queries for any number of them."""
    matches = list(running.order_by("-pk").prefetch_related("seats__player")[:most])
    people: dict[tuple[str, int], set[int]] = {}
    for match in matches:
        ids = {seat.player_id for seat in match.seats.all() if not seat.player.is_house}
        people.setdefault((match.ruleset, match.players), set()).update(ids)
    levels = {
        about: read_levels(ids, about[0], FORM_OF[about[1]], now) if about[1] in FORM_OF and ids else {}
        for about, ids in people.items()
    }
    shown = find_shown([seat.player for match in matches for seat in match.seats.all()], None, "levels")
    tables = [_describe_table(match, levels[match.ruleset, match.players], shown) for match in matches]
    tables.sort(key=lambda table: (-1 if table.level is None else table.level.value, table.match.pk), reverse=True)
    return tables


def _describe_table(match: Match, levels: Mapping[int, ShownLevel], shown: Set[int]) -> WatchedTable:
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    lines = tuple(tuple(seat.player for seat in seats if seat.number % 2 == line) for line in (0, 1))
    people = [seat.player_id for seat in seats if not seat.player.is_house]
    shows_everybody = bool(people) and shown >= set(people)
    level = average_levels([levels.get(player_id) for player_id in people]) if shows_everybody else None
    return WatchedTable(match, (lines[0], lines[1]), level)


def count_players_by_game() -> Counter[str]:
    """Count the people who sit at a table now, by game; the house aside."""
    rows = Seat.objects.filter(live=True).exclude(player__kind=Player.Kind.HOUSE)
    return Counter(rows.values_list("match__ruleset", flat=True))
