"""Board of the lobby: a tile for each game, and one list of everything there is to join or to watch,
the most pressing first (B1). It is made of what one reader may see, and reads nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.decks import MOTIFS
from games.lobby.queries import WaitingTable
from games.lobby.tiles import GameTile
from tournaments.core.watched import TableToWatch
from tournaments.models import Tournament
from tournaments.tonight.queries import LobbyGame, LobbyPage, SeekRow

SEEKS, TABLES, TOURNAMENTS, WATCHED = "seeks", "tables", "tournaments", "watched"


@dataclass(frozen=True, slots=True)
class LobbyRow:
    """Row of the list: of which sort it is, its game, and what it tells of."""

    sort: str
    ruleset: str
    about: SeekRow | WaitingTable | Tournament | TableToWatch


@dataclass(frozen=True, slots=True)
class LobbyBoard:
    """The tiles and the list. ``unlisted``: how many seek besides those in the list."""

    tiles: tuple[GameTile, ...]
    rows: tuple[LobbyRow, ...]
    unlisted: int

    @property
    def is_empty(self) -> bool:
        """Tell if nobody waits for a match, so that whoever seeks waits alone."""
        return not any(tile.waiting for tile in self.tiles)

    @property
    def counts(self) -> dict[str, int]:
        """Return how many rows there are of each sort."""
        counted = dict.fromkeys((SEEKS, TABLES, TOURNAMENTS, WATCHED), 0)
        for row in self.rows:
            counted[row.sort] += 1
        counted[SEEKS] += self.unlisted
        return counted


def lay_out(page: LobbyPage, played: Mapping[str, int]) -> LobbyBoard:
    """Return the board of a page; ``played``: how often its reader has played each game, which orders the tiles."""
    games = {game.ruleset: game for game in page.games}
    usual = [ruleset for ruleset in MOTIFS if ruleset in games]
    ordered = sorted(usual, key=lambda ruleset: -played.get(ruleset, 0))
    tiles = tuple(_make_tile(games[ruleset], page) for ruleset in ordered)
    rows = tuple(_list_rows([games[ruleset] for ruleset in ordered], page))
    return LobbyBoard(tiles, rows, sum(game.other_seekers for game in page.games))


def _make_tile(game: LobbyGame, page: LobbyPage) -> GameTile:
    own = page.own is not None and page.own.kind.ruleset == game.ruleset
    return GameTile(game.kind, max(0, game.seekers - own), own)


def _list_rows(games: list[LobbyGame], page: LobbyPage) -> Iterator[LobbyRow]:
    """List whoever asks for the reader, then seeks they can take, other seeks, free seats, tournaments, tables to
    watch, the strongest first."""
    seeks = [
        row for game in games for row in game.seeks if not row.mine and not (page.own and page.own.is_with(row.seek))
    ]
    for seek in sorted(seeks, key=lambda row: (not row.asks, not row.fits)):
        yield LobbyRow(SEEKS, seek.kind.ruleset, seek)
    for waiting in sorted((one for game in games for one in game.tables), key=lambda one: one.free):
        yield LobbyRow(TABLES, waiting.table.ruleset, waiting)
    soon = [one for game in games for one in game.tournaments]
    for tournament in sorted(soon, key=lambda one: (one.starts_at is not None, one.starts_at or one.created_at)):
        yield LobbyRow(TOURNAMENTS, tournament.ruleset, tournament)
    watched = [one for game in games for one in game.watched]
    for table in sorted(watched, key=lambda one: one.worth, reverse=True):
        yield LobbyRow(WATCHED, table.match.ruleset, table)
