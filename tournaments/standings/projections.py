"""What each line needs in the round that is being played (``scoring.projections``), kept by the tournament's version.

It speaks of the standings as they will be when this round is over: the final ones, if it is the last.
"""

from dataclasses import dataclass

from django.core.cache import cache

from games.engine.game import Length
from scoring.projections import Claim, Ending, RoundState, compute_claims, list_endings
from scoring.standings import compute_standings
from scoring.tiebreaks import Game
from tournaments.core.rows import FixtureRow, RoundRow, TournamentPage
from tournaments.models import Fixture, Tournament
from tournaments.standings.explained import StandingsTable, counting_games, standings_tables

State = Fixture.State
KEPT = 24 * 60 * 60  # seconds
PLACES = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Projection:
    """``claims`` by entry; ``final``: nothing is played after this round; ``passes``: so many of a group go on."""

    round: int
    final: bool
    passes: int | None
    claims: dict[int, tuple[Claim, ...]]


def project_standings(shown: TournamentPage) -> Projection | None:
    """None where there is nothing to say: no round with VP is being played, or tables of several rounds are open."""
    tournament = shown.header.tournament
    if tournament.state != Tournament.State.RUNNING or not shown.header.has_vp:
        return None
    key = f"projection:{tournament.public_id}:{tournament.version}"
    found = cache.get(key)
    if found is None:
        found = (_projected(shown),)
        cache.set(key, found, KEPT)
    return found[0]


def _projected(shown: TournamentPage) -> Projection | None:
    grouped = any(row.line.group is not None for row in shown.standings.rows)
    rounds = [round_ for round_ in shown.schedule.rounds if _in_tables(round_, grouped)]
    current = next((round_ for round_ in rounds if any(map(_open, round_.fixtures))), None)
    if current is None or current is rounds[0]:
        return None  # after one round there is little to be sure of
    later = [f for round_ in rounds if round_ is not current for f in round_.fixtures]
    if any(f.state == State.PLAYING for f in later):
        return None
    tournament = shown.header.tournament
    length = Length("points" if tournament.length_kind == "points" else "deals", tournament.length_value)
    ends = list_endings(tournament.ruleset, length)
    passes = tournament.format_options.get("qualify") if grouped else None
    places = (1, passes) if passes else PLACES
    out: dict[int, tuple[Claim, ...]] = {}
    for table in standings_tables(shown):
        running = [f for f in current.fixtures if _open(f) and f.group == table.group]
        if not running:
            continue
        now = _standing(shown, table, running, ends, outside=passes is None)
        by_seed = {row.line.seed: row.line.entry_id for row in table.rows}
        out.update((by_seed[seed], found) for seed, found in compute_claims(now, places).items())
    final = current is rounds[-1] and not any(map(_open, later))  # those of a danese are all there, to be drawn (D1)
    return Projection(current.number, final, passes, out)


def _in_tables(round_: RoundRow, grouped: bool) -> bool:
    return any(f.group is not None for f in round_.fixtures) if grouped else True


def _open(fixture: FixtureRow) -> bool:
    known = fixture.first is not None and fixture.second is not None
    return known and fixture.state in Fixture.OPEN and not fixture.annulled


def _standing(
    shown: TournamentPage, table: StandingsTable, running: list[FixtureRow], ends: tuple[Ending, ...], *, outside: bool
) -> RoundState:
    """``outside``: the house is out of competition, as in the places shown; it goes on from a group like anybody."""
    tournament = shown.header.tournament
    totals = {row.line.seed or 0: row.vp for row in table.rows}
    pairs = [(f.first.seed or 0, f.second.seed or 0) for f in running if f.first and f.second]
    games = counting_games(shown, table.group)
    return RoundState(
        totals,
        pairs,
        ends,
        tuple(games) if _ranks_by(games, shown, table) else None,
        tournament.tie_break,
        tournament.lot,
        frozenset(row.line.seed or 0 for row in table.rows if outside and row.out_of_competition),
    )


def _ranks_by(games: list[Game], shown: TournamentPage, table: StandingsTable) -> bool:
    """Whether the games alone give the stored ranks; else the format has reasons of its own."""
    stored = {row.line.seed: (row.rank, row.vp) for row in table.rows}
    seeds = [seed for seed in stored if seed is not None]
    if not {game.first for game in games} | {game.second for game in games} <= set(seeds):
        return False
    rows = compute_standings(seeds, games, shown.header.tournament.tie_break, shown.header.tournament.lot)
    return all(stored[row.line] == (row.rank, row.vp) for row in rows)
