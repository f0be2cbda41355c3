"""Reads for the page of the lobby (B1): by game, who is here, who seeks, which tables wait, are played, and which
tournaments begin within the hour. They never write.

What is the same for everybody is read once in SHARED_SECONDS by each process, however many watch; what depends on the
reader (their seek, blocks, what others hide from them) is read for each.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from games.levels import ShownLevel, read_levels
from games.lobby import seek_queries
from games.lobby.kinds import OPTION_SETS, SeekKind, begin_kind
from games.lobby.queries import WaitingTable, list_tables
from games.lobby.seek_queries import OwnSeek
from games.lobby.seeks import find_kind
from games.models import Seek
from games.rules import RULESETS
from players import presence
from players.models import Player
from players.selectors import find_blocks_with, find_shown
from tournaments.core.shared_reads import SharedRead
from tournaments.core.states import ENTERING
from tournaments.core.visibility import find_unwatchable, list_tournaments, make_listed_condition
from tournaments.core.watched import TableToWatch, list_tables_to_watch
from tournaments.models import Tournament

SHARED_SECONDS = 1.0
WITHIN = timedelta(hours=1)
MOST_NAMED = 40  # people by name on the page; the others are counted
MOST_SEEKS = 10  # of one game


@dataclass(frozen=True, slots=True)
class SharedLobby:
    """Part of the lobby that everybody sees alike. ``here`` is None where nobody knows who is here."""

    at: datetime
    here: tuple[Player, ...] | None
    shown: frozenset[int]  # whom everybody may know to be here
    rated: frozenset[int]  # who seeks, and shows everybody their levels
    seeks: tuple[Seek, ...]
    tables: tuple[WaitingTable, ...]
    watched: tuple[TableToWatch, ...]
    playing: dict[str, int]
    tournaments: tuple[Tournament, ...]


@dataclass(frozen=True, slots=True)
class SeekRow:
    """A seek as one reader sees it. ``who`` is None where its person hides being here, ``level`` too, or where they
    hide that; ``asks``: it names the reader as partner; ``fits``: one click joins it."""

    seek: Seek
    kind: SeekKind
    who: Player | None
    seconds: int
    mine: bool
    asks: bool
    fits: bool
    level: ShownLevel | None

    @property
    def minutes(self) -> int:
        """Return how many whole minutes it has waited."""
        return self.seconds // 60


@dataclass(frozen=True, slots=True)
class LobbyGame:
    """Part of the lobby that is about one game."""

    ruleset: str
    kind: SeekKind  # that its button seeks
    seeks: tuple[SeekRow, ...]
    seekers: int  # those who aren't listed included
    tables: tuple[WaitingTable, ...]
    watched: tuple[TableToWatch, ...]
    tournaments: tuple[Tournament, ...]
    playing: int

    @property
    def is_quiet(self) -> bool:
        """Tell if nothing goes on in it."""
        return not (self.seeks or self.tables or self.watched or self.tournaments)

    @property
    def other_seekers(self) -> int:
        """Return how many seek it that aren't listed."""
        return self.seekers - len(self.seeks)


@dataclass(frozen=True, slots=True)
class LobbyPage:
    """The lobby as one reader sees it. ``at``: when what everybody sees alike was read; ``here``: those they may know
    to be here; ``here_count``: everybody, None where nobody knows."""

    at: datetime
    here: tuple[Player, ...]
    here_count: int | None
    seeking: int
    own: OwnSeek | None
    games: tuple[LobbyGame, ...]

    @property
    def asking(self) -> tuple[SeekRow, ...]:
        """Return the seeks that wait for the reader as their partner."""
        rows = (row for game in self.games for row in game.seeks if row.asks)
        return tuple(row for row in rows if self.own is None or not self.own.is_with(row.seek))

    @property
    def others_seeking(self) -> int:
        """Return how many seek a match besides the reader."""
        return max(0, self.seeking - (self.own is not None))

    @property
    def others_here(self) -> int:
        """Return how many are here that aren't named."""
        return max(0, (self.here_count or 0) - len(self.here))

    @property
    def has_levels(self) -> bool:
        """Tell if the page says a level of anybody, so that it explains them."""
        return any(
            any(row.level for row in game.seeks) or any(table.level for table in game.watched) for game in self.games
        )


def read_lobby(player: Player | None, now: datetime) -> LobbyPage:
    """Return the page of the lobby for this reader (None: a visitor)."""
    shared = _shared.read(now)
    seeks = list(shared.seeks) if player is None else seek_queries.renew_own_seek(shared.seeks, player)
    hidden = set() if player is None else _find_hidden(player)
    about = {seek.player_id: seek.player for seek in seeks} | {one.pk: one for one in shared.here or ()}
    rest = [one for pk, one in about.items() if pk not in shared.shown]
    shown = shared.shown | find_shown(rest, player, "presence") if rest else shared.shown
    here = tuple(one for one in shared.here or () if one.pk in shown and one.pk not in hidden)[:MOST_NAMED]
    tables = shared.tables if player is None else list_tables(player)
    refused = find_unwatchable([table.match.pk for table in shared.watched], player)
    seeks = [seek for seek in seeks if seek.player_id not in hidden]
    own = None if player is None else seek_queries.describe_own_seek(player, seeks, now)
    unrated = [seek.player for seek in seeks if seek.player_id not in shared.rated]
    rated = shared.rated | find_shown(unrated, player, "levels") if unrated else shared.rated
    rows = _describe_seeks(seeks, shown, rated, player, shared.at)
    games = tuple(
        LobbyGame(
            ruleset=ruleset,
            kind=begin_kind(ruleset),
            seeks=_choose_rows(row for row in rows if row.kind.ruleset == ruleset),
            seekers=sum(row.kind.ruleset == ruleset for row in rows),
            tables=tuple(table for table in tables if table.table.ruleset == ruleset),
            watched=tuple(
                table for table in shared.watched if table.match.ruleset == ruleset and table.match.pk not in refused
            )[: seek_queries.MOST_WATCHED],
            tournaments=tuple(one for one in shared.tournaments if one.ruleset == ruleset),
            playing=shared.playing.get(ruleset, 0),
        )
        for ruleset in RULESETS
        if ruleset in OPTION_SETS
    )
    count = None if shared.here is None else len(shared.here)
    return LobbyPage(shared.at, here, count, len(seeks), own, games)


def _choose_rows(rows: Iterable[SeekRow]) -> tuple[SeekRow, ...]:
    """Return the seeks of one game that are listed: the reader's own and those that ask for them first."""
    return tuple(sorted(rows, key=lambda row: not (row.mine or row.asks))[:MOST_SEEKS])


def _describe_seeks(
    seeks: list[Seek], shown: Collection[int], rated: Collection[int], player: Player | None, now: datetime
) -> list[SeekRow]:
    kinds = {find_kind(seek) for seek in seeks}
    own = {} if player is None else _read_own_levels(player, kinds, now)
    rows = []
    for seek in seeks:
        kind = find_kind(seek)
        mine = player is not None and seek.player_id == player.pk
        asks = player is not None and seek.partner_id == player.pk
        named = mine or asks or seek.player_id in shown
        level = own.get((kind.ruleset, kind.form), 1500)
        in_range = (seek.lowest is None or level >= seek.lowest) and (seek.highest is None or level <= seek.highest)
        rows.append(
            SeekRow(
                seek=seek,
                kind=kind,
                who=seek.player if named else None,
                seconds=max(0, int((now - seek.created_at).total_seconds())),
                mine=mine,
                asks=asks,
                fits=asks or (not mine and in_range),  # levels are accepted of opponents
                level=seek_queries.show_seek_level(seek) if named and seek.player_id in rated else None,
            )
        )
    return rows


def _read_own_levels(player: Player, kinds: set[SeekKind], now: datetime) -> dict[tuple[str, str], int]:
    levels = {}
    for ruleset, form in {(kind.ruleset, kind.form) for kind in kinds}:
        level = read_levels([player.pk], ruleset, form, now).get(player.pk)
        if level is not None:
            levels[ruleset, form] = level.value
    return levels


def _find_hidden(player: Player) -> set[int]:
    """Return whom the reader isn't shown, for a block of either (B6)."""
    return {other for pair in find_blocks_with([player.pk]) for other in pair if other != player.pk}


# --- What is the same for everybody ----------------------------------------------------------------------------------


def _make_shared(now: datetime) -> SharedLobby:
    ids = presence.find_here(now)
    people = None if ids is None else Player.objects.filter(pk__in=ids).exclude(kind=Player.Kind.HOUSE)
    soon = Q(starts_at__gte=now, starts_at__lte=now + WITHIN) | Q(standing_offer=True)
    tournaments = list_tournaments().filter(make_listed_condition(), soon, state__in=ENTERING)
    here = None if people is None else tuple(people.order_by("name_key"))
    seeks = tuple(seek_queries.list_seeks())
    return SharedLobby(
        at=now,
        here=here,
        shown=frozenset(find_shown([*(here or ()), *(seek.player for seek in seeks)], None, "presence")),
        rated=frozenset(find_shown([seek.player for seek in seeks], None, "levels")),
        seeks=seeks,
        tables=tuple(list_tables(None)),
        watched=tuple(list_tables_to_watch(now)),
        playing=dict(seek_queries.count_players_by_game()),
        tournaments=tuple(tournaments.order_by("starts_at", "pk")),
    )


_shared = SharedRead(_make_shared, SHARED_SECONDS)


def forget_shared() -> None:
    """Forget what was read: what a test changes is read anew."""
    _shared.forget()
