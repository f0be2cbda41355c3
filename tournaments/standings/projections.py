"""Per entry, the VP that make a place certain after the current round. Cached by the tournament's version.

It reads the tournament's page and ``scoring.projections``; it never ranks. Claims are about the standings after this
round: the final ones, if it is the last.
"""

from dataclasses import dataclass

from django.core.cache import cache

from games.engine.game import Length
from scoring.projections import Claim, Ending, RoundState, can_claim, compute_claims, list_endings, trusts
from scoring.standings import compute_standings
from scoring.tiebreaks import Game
from tournaments.core.reads import merge_tables
from tournaments.core.rows import FixtureRow, RoundRow, TournamentPage
from tournaments.models import Fixture, Tournament
from tournaments.standings.explained import StandingsTable, list_counting_games, read_standings_tables

State = Fixture.State
CACHE_SECONDS = 24 * 60 * 60
PLACES = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Projection:
    """The claims of a round, by entry.

    ``final``: nothing is played after this round; ``passes``: so many of a group go on.
    """

    round: int
    final: bool
    passes: int | None
    claims: dict[int, tuple[Claim, ...]]


def project_standings(shown: TournamentPage) -> Projection | None:
    """Return the claims of the current round; None without a round with VP, or with tables of several rounds open,
    where the standings don't go by VP first (EV10), and with equal deals, where nobody knows who has finished with
    what (J12)."""
    tournament = shown.header.tournament
    if not can_claim(tournament.tie_break):
        return None
    if tournament.equal_deals or tournament.state != Tournament.State.RUNNING or not shown.header.has_vp:
        return None
    key = f"projection:{tournament.public_id}:{tournament.version}"
    stored = cache.get(key)  # in a tuple: None is an answer, too
    if stored is None:
        stored = (_compute(shown),)
        cache.set(key, stored, CACHE_SECONDS)
    return stored[0]


def _compute(shown: TournamentPage) -> Projection | None:
    grouped = any(row.entry.group is not None for row in shown.standings.rows)
    rounds = [round_ for round_ in merge_tables(shown.schedule.rounds) if _is_in_tables(round_, grouped)]
    current = next((round_ for round_ in rounds if any(map(_is_open, round_.fixtures))), None)
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
    for table in read_standings_tables(shown):
        running = [f for f in current.fixtures if _is_open(f) and f.group == table.group]
        if not running:
            continue
        now = _make_state(shown, table, running, ends, outside=passes is None)
        by_seed = {row.entry.seed: row.entry.entry_id for row in table.rows}
        out.update((by_seed[seed], claims) for seed, claims in compute_claims(now, places).items())
    final = current is rounds[-1] and not any(map(_is_open, later))  # those of a danese are all there, to be drawn (D1)
    return Projection(current.number, final, passes, out)


def _is_in_tables(round_: RoundRow, grouped: bool) -> bool:
    return any(f.group is not None for f in round_.fixtures) if grouped else True


def _is_open(fixture: FixtureRow) -> bool:
    known = fixture.first is not None and fixture.second is not None
    return known and fixture.state in Fixture.OPEN and not fixture.annulled


def _make_state(
    shown: TournamentPage, table: StandingsTable, running: list[FixtureRow], ends: tuple[Ending, ...], *, outside: bool
) -> RoundState:
    """Return the round's state. ``outside``: the house is out of competition; it goes on from a group like anybody."""
    tournament = shown.header.tournament
    totals = {row.entry.seed or 0: row.vp for row in table.rows}
    pairs = [(f.first.seed or 0, f.second.seed or 0) for f in running if f.first and f.second]
    games = list_counting_games(shown, table.group)
    return RoundState(
        totals,
        pairs,
        ends,
        tuple(games) if _do_games_rank(games, shown, table) else None,
        tournament.tie_break,
        tournament.lot,
        frozenset(row.entry.seed or 0 for row in table.rows if outside and row.out_of_competition),
    )


def _do_games_rank(games: list[Game], shown: TournamentPage, table: StandingsTable) -> bool:
    """Tell if the games alone give the stored ranks; else the format has reasons of its own, or the order asks what
    nobody knows of a match that isn't over."""
    if not trusts(shown.header.tournament.tie_break):
        return False
    stored = {row.entry.seed: (row.rank, row.vp) for row in table.rows}
    seeds = [seed for seed in stored if seed is not None]
    if not {game.first for game in games} | {game.second for game in games} <= set(seeds):
        return False
    rows = compute_standings(seeds, games, shown.header.tournament.tie_break, shown.header.tournament.lot)
    return all(stored[row.seed] == (row.rank, row.vp) for row in rows)
