"""The result of a fixture as one value: winner, forfeits, points, MP, VP and the way it was decided.

It is made from a match, from a forfeit before the first card or from a referee's ruling, and it alone knows how a
result is written to a fixture and read from it. It names no match: a fixture may be decided by one or by several. It
stores nothing and decides nothing about brackets or standings.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Self, cast

from games.engine import match as engine
from games.engine.game import Length, LengthKind, Setup
from games.engine.record import Json
from games.models import Match
from scoring import vp
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Context, Result
from tournaments.models import Fixture, Tournament

Pair = tuple[int, int]
FIELDS = (
    "winner", "double_forfeit", "forfeit_by", "points_0", "points_1", "mp_0", "mp_1", "vp_0", "vp_1", "decided_by",
)  # fmt: skip
COLUMNS = (*FIELDS, "games", "unplayed")  # of a fixture; what a result says to people are the others
FORFEIT = "forfeit"  # declared by a referee
WITHDRAWN = "withdrawn"  # of an entry that left


@dataclass(frozen=True, slots=True)
class GameScore:
    """A game of a fixture that has several (EV1): who won it, None as the points say; ``points`` None where it was
    given away."""

    winner: int | None = None
    points: Pair | None = None
    decided_by: str = ""

    @classmethod
    def from_json(cls, kept: Json) -> Self:
        """Return a game as ``asdict`` gave it to a column."""
        points = kept["points"]
        return cls(kept["winner"], None if points is None else (points[0], points[1]), kept["decided_by"])


Games = tuple[GameScore, ...]


@dataclass(frozen=True, slots=True)
class ResultTerms:
    """The terms that give points their MP and VP: the match as it is set up, and whether its own result counts in VP;
    one of two tables has none, but with the other (O12).

    A fixture of several games has ``game_terms.GamesTerms``, which answer the same.
    """

    setup: Setup
    has_vp: bool

    @classmethod
    def of(cls, tournament: Tournament, context: Context) -> Self:
        """Return the terms of the fixtures of a tournament whose matches end like ``context`` (K3, D1)."""
        setup = Setup(
            ruleset=tournament.ruleset,
            players=tournament.entry_kind.players,
            length=find_length(tournament),
            context=context,
            options=tournament.options,
            first_dealer=0,
        )
        return cls(setup, has_vp(tournament, context) and not tournament.entry_kind.has_parts)

    def compute_margin(self, points: Pair, winner: int | None, games: Games = ()) -> int:
        """Return by how much it was won (V1); of several games the sum of their margins (EV1)."""
        if games and winner is not None:
            ahead = sum_margins(self.setup, games)
            return -ahead if winner else ahead
        return engine.compute_margin(engine.find_terms(self.setup), points, winner)

    def compute_worth(
        self, winner: int | None, forfeits: tuple[int, ...], points: Pair, games: Games, margin: int
    ) -> vp.MatchPoints | None:
        """Return the MP and VP of a result (V1-V5, R4); None for a length that has none (V4)."""
        setup = self.setup
        if len(forfeits) == 2:
            return vp.compute_double_forfeit(setup.ruleset, setup.length)
        return vp.compute_points(setup.ruleset, setup.length, winner, margin, forfeits[0] if forfeits else None)

    def score_unplayed(self, offender: int) -> Pair:
        """Return the points of a forfeit before the first card (R4)."""
        return engine.forfeit_unplayed(self.setup, offender).score

    def compute_bye(self) -> Pair | None:
        """Return the MP and VP of a bye (D1); None for a length that has none."""
        return vp.compute_bye(self.setup.ruleset, self.setup.length)


@dataclass(frozen=True, slots=True)
class FixtureResult:
    """A fixture's result by line, 0 the first. ``winner`` is None in a draw, in a double forfeit and if annulled.

    ``forfeits`` are the lines that forfeited, in order. ``points`` is None where nothing was played or counted; ``mp``
    and ``vp`` are None where the format has none (K3). ``unplayed``: they forfeited before the first card (EV10). Of
    several games ``points`` are those won, and ``games`` each, where more than their number was written (EV1).
    """

    winner: int | None = None
    forfeits: tuple[int, ...] = ()
    points: Pair | None = None
    mp: Pair | None = None
    vp: Pair | None = None
    decided_by: str = ""
    unplayed: bool = False
    games: Games = ()

    @property
    def double_forfeit(self) -> bool:
        return len(self.forfeits) == 2

    @property
    def forfeit_by(self) -> int | None:
        """The line that forfeited alone."""
        return self.forfeits[0] if len(self.forfeits) == 1 else None

    @classmethod
    def from_match(cls, terms: ResultTerms, match: Match) -> Self:
        """Return the result of a match that ended by itself (V1-V5; R4 where nobody came); of one asked for with it."""
        match.require_results()
        forfeits = (0, 1) if match.both_forfeited else () if match.offender is None else (match.offender,)
        made = cls._make(
            terms, match.winner, forfeits, (match.score_0, match.score_1), match.margin or 0, match.decided_by
        )
        return replace(made, unplayed=bool(forfeits) and not was_begun(match))

    @classmethod
    def from_forfeit(
        cls,
        terms: ResultTerms,
        lines: Collection[int],
        decided_by: str,
        *,
        points: Pair | None = None,
        games: Games = (),
    ) -> Self:
        """Return the result of a forfeit of one line or both (V5, R4), with the points played by then.

        ``points`` is None before the first card: then it is worth what ``noshow`` is worth in the first deal.
        """
        forfeits = tuple(sorted(lines))
        unplayed = points is None
        if len(forfeits) == 2:
            made = cls._make(terms, None, forfeits, points or (0, 0), 0, decided_by, games)
            return replace(made, unplayed=unplayed)
        (offender,) = forfeits
        if points is None:
            points = terms.score_unplayed(offender)
        margin = terms.compute_margin(points, 1 - offender, games)
        return replace(cls._make(terms, 1 - offender, forfeits, points, margin, decided_by, games), unplayed=unplayed)

    @classmethod
    def from_ruling(
        cls,
        terms: ResultTerms,
        winner: int | None,
        points: Pair,
        decided_by: str = "",
        *,
        mp: Pair | None = None,
        vp: Pair | None = None,
        games: Games = (),
    ) -> Self:
        """Return a referee's result: MP and VP by the table of the points (V1, V2, V5), or as they are written."""
        if decided_by == FORFEIT and winner is not None:
            made = cls.from_forfeit(terms, (1 - winner,), FORFEIT, points=points, games=games)
        else:
            margin = terms.compute_margin(points, winner, games)
            made = cls._make(terms, winner, (), points, margin, decided_by, games)
        if not terms.has_vp:
            return made
        return replace(made, mp=mp or made.mp, vp=vp or made.vp)

    @classmethod
    def _make(
        cls,
        terms: ResultTerms,
        winner: int | None,
        forfeits: tuple[int, ...],
        points: Pair,
        margin: int,
        decided_by: str,
        games: Games = (),
    ) -> Self:
        if not terms.has_vp:
            return cls(winner, forfeits, points, decided_by=decided_by, games=games)
        worth = terms.compute_worth(winner, forfeits, points, games, margin)
        if worth is None:  # refused when the tournament was created (V4)
            raise ValueError(f"a length without VP: {terms.setup.ruleset} {terms.setup.length}")
        return cls(winner, forfeits, points, worth.mp, worth.vp, decided_by, games=games)

    @classmethod
    def from_fixture(cls, fixture: Fixture) -> Self:
        """Return the result stored with a fixture that was asked for with it; an empty one where there is none. A bye
        may have MP and VP (D1)."""
        fixture.require_results()
        return cls.told_by(fixture)

    @classmethod
    def told_by(cls, fixture: Fixture) -> Self:
        """Return the result as everybody may know it: an empty one while it is withheld (J12)."""
        if not fixture.tells_results:
            return cls()
        forfeits = (0, 1) if fixture.double_forfeit else () if fixture.forfeit_by is None else (fixture.forfeit_by,)
        alone = fixture.state == Fixture.State.BYE
        return cls(
            fixture.winner,
            forfeits,
            _pair(fixture.points_0, fixture.points_1),
            _pair(fixture.mp_0, 0 if alone else fixture.mp_1),
            _pair(fixture.vp_0, 0 if alone else fixture.vp_1),
            fixture.decided_by,
            fixture.unplayed,
            tuple(map(GameScore.from_json, fixture.games or ())),
        )

    def exchange_sides(self) -> Self:
        """Return the same result, the sides exchanged: of the second table of two with exchanged seats (J11), or as the
        second side has it."""

        def turn(pair: Pair | None) -> Pair | None:
            return None if pair is None else (pair[1], pair[0])

        return replace(
            self,
            winner=None if self.winner is None else 1 - self.winner,
            forfeits=tuple(sorted(1 - line for line in self.forfeits)),
            points=turn(self.points),
            mp=turn(self.mp),
            vp=turn(self.vp),
            games=tuple(
                GameScore(None if game.winner is None else 1 - game.winner, turn(game.points), game.decided_by)
                for game in self.games
            ),
        )

    def write_to(self, fixture: Fixture) -> None:
        """Give the fixture in memory this result in place of any other; an annulment (F2) is gone with that."""
        fixture.winner = self.winner
        fixture.double_forfeit, fixture.forfeit_by = self.double_forfeit, self.forfeit_by
        fixture.points_0, fixture.points_1 = self.points or (None, None)
        fixture.mp_0, fixture.mp_1 = self.mp or (None, None)
        fixture.vp_0, fixture.vp_1 = self.vp or (None, None)
        fixture.decided_by = self.decided_by
        fixture.unplayed = self.unplayed
        fixture.games = [asdict(game) for game in self.games] or None
        fixture.annulled = False

    @property
    def points_made(self) -> Pair | None:
        """The points that its sides made in all: those of its games, where it has several (EV1)."""
        if not self.games:
            return self.points
        written = [game.points for game in self.games if game.points is not None]
        return sum(pair[0] for pair in written), sum(pair[1] for pair in written)

    def as_played(
        self, *, annulled: bool = False, fewest_wins: bool = False, terms: ResultTerms | None = None
    ) -> Result:
        """Return what the formats know of it; ``fewest_wins``: fewer points are better (A1); the margin only by the
        ``terms`` of a match."""
        points = self.points_made or (0, 0)
        if fewest_wins:
            points = (-points[0], -points[1])
        margin = None
        if terms is not None and self.points is not None and self.winner is not None and not self.forfeits:
            margin = terms.compute_margin(self.points, self.winner, self.games)
        mp, vp_, begun = self.mp or (0, 0), self.vp or (0, 0), not self.unplayed
        return Result(self.winner, self.double_forfeit, mp, vp_, annulled, points, self.forfeit_by, begun, margin)


NO_RESULT = FixtureResult()


def sum_margins(setup: Setup, games: Games) -> int:
    """Return what line 0 is ahead by in the games that were played to their end (EV1)."""
    rules = engine.find_terms(setup)
    played = [game for game in games if game.points is not None]
    margins = (engine.compute_margin(rules, game.points or (0, 0), game.winner) for game in played)
    return sum(-margin if game.winner else margin for game, margin in zip(played, margins, strict=True))


def combine_tables(setup: Setup, tables: Sequence[Fixture]) -> FixtureResult | None:
    """Return the result of two tables together (O12); None until both are over, ``NO_RESULT`` where both are annulled.

    The differences are summed, and half of the sum, rounded away from zero, is the margin. A forfeited table counts by
    the MP that V5 gives the other side; one that is annulled, or that both forfeited, counts nothing. Who forfeits all
    of it forfeits the fixture.
    """
    if any(table.result_at is None for table in tables):
        return None
    results = [FixtureResult.from_fixture(table) for table in tables if not table.annulled]
    if not results:
        return NO_RESULT
    total = sum(_compute_difference(setup, result) for result in results)
    margin = (abs(total) + 1) // 2
    winner = None if total == 0 else int(total < 0)
    forfeits = tuple(side for side in (0, 1) if all(side in result.forfeits for result in results))
    if len(forfeits) == 2:
        worth, winner = vp.compute_double_forfeit(setup.ruleset, setup.length), None
    elif forfeits:
        winner = 1 - forfeits[0]
        worth = vp.compute_points(setup.ruleset, setup.length, winner, margin, forfeits[0])
    else:
        worth = vp.compute_points(setup.ruleset, setup.length, winner, margin)
    if worth is None:  # refused when the tournament was created (V4)
        raise ValueError(f"a length without VP: {setup.ruleset} {setup.length}")
    points = [result.points or (0, 0) for result in results]
    summed = (sum(pair[0] for pair in points), sum(pair[1] for pair in points))
    unplayed = all(result.unplayed for result in results)
    return FixtureResult(winner, forfeits, summed, worth.mp, worth.vp, FORFEIT if forfeits else "points", unplayed)


def was_begun(match: Match) -> bool:
    """Tell if a card of the match was played."""
    return match.pk is not None and match.moves.filter(text__contains=" play ").exists()


def _compute_difference(setup: Setup, result: FixtureResult) -> int:
    """Return what a table counts for side 0: the margin, after a forfeit that of V5 (O12)."""
    if result.winner is None:
        return 0
    size = engine.compute_margin(engine.find_terms(setup), result.points or (0, 0), result.winner)
    if result.forfeits:
        worth = vp.compute_points(setup.ruleset, setup.length, result.winner, size, result.forfeits[0])
        size = 0 if worth is None else worth.mp[result.winner]
    return -size if result.winner else size


def do_fewest_points_win(tournament: Tournament) -> bool:
    """Tell if fewer points are the better ones in its game (A1)."""
    terms = ResultTerms.of(tournament, FORMATS[tournament.format].context)
    return engine.find_terms(terms.setup).fewest_wins


def find_length(tournament: Tournament) -> Length:
    """Return the length of each of its matches."""
    return Length(cast(LengthKind, tournament.length_kind), tournament.length_value)


def find_context(tournament: Tournament, fixture: Fixture) -> Context:
    """Return how a fixture's match ends (K3, D1): what belongs to no group where entries have groups is KO (Q2)."""
    if fixture.group is None and fixture.first is not None and fixture.first.group is not None:
        return "ko"
    return FORMATS[tournament.format].context


def has_vp(tournament: Tournament, context: Context) -> bool:
    """Return whether a result of that context is worth VP in this tournament."""
    return FORMATS[tournament.format].has_vp and context == "round_robin"


def _pair(first: int | None, second: int | None) -> Pair | None:
    return None if first is None or second is None else (first, second)
