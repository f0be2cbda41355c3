"""Kinds of acts, and what is chosen among for them: names, entries, fixtures, decisions, by dice of each act's own."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from bench.walker.modes import Game
from players.models import Player
from tournaments.core.game_terms import GamesTerms, find_fixture_terms
from tournaments.core.result import GameScore, find_context
from tournaments.desk.act import Act, compute_stamp
from tournaments.desk.results import Decision
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import (
    Entry,
    Fixture,
    Tournament,
)

if TYPE_CHECKING:
    from bench.walker.walk import Walk

Chosen = TypeVar("Chosen")
State = Tournament.State
FIRST_NAMES = (
    "Ada", "Bice", "Ciro", "Dora", "Elio", "Fede", "Gino", "Ines", "Lino", "Mara", "Nora", "Otto", "Pia", "Rino",
    "Sara", "Tino",
)  # fmt: skip
NAMES = tuple(f"{first} {last}" for last in ("Neri", "Verdi", "D'Amico", "Peña Weiß") for first in FIRST_NAMES)
CLUBS = ("", "Arci", "Bar Sport", "Casa del Popolo")  # of people at real tables
TEAMS = ("Leoni", "Volpi", "Orsi", "Lupi", "Gatti", "Falchi", "Tassi", "Cervi", "Aquile", "Draghi", "Lepri")
WHY = "Così ha visto l'arbitro"
ANYBODY = "*"  # among those who were said to be others: whoever a page has entered may be


class Call(NamedTuple):
    """Act that is about to be done: ``words`` of what, and by whom. ``clock``: time passes, by nobody."""

    words: str
    run: Callable[[], Any]


Chooser = Callable[["Walk", Random], Call | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """Kind of act: how likely it is before the draw, while it is played and after its end."""

    name: str
    choose: Chooser
    entering: int = 0
    running: int = 0
    over: int = 0
    only: Callable[[Any], bool] = lambda modes: True

    def weigh(self, walk: "Walk") -> int:
        state = walk.tournament.state
        if not self.only(walk.modes):
            return 0
        if state in (State.DRAFT, State.OPEN, State.CHECKIN):
            return self.entering
        return self.running if state == State.RUNNING else self.over if state == State.FINISHED else 0


KINDS: list[Kind] = []


def act(**weights: Any) -> Callable[[Chooser], Chooser]:
    """Add a kind of act."""

    def add(choose: Chooser) -> Chooser:
        KINDS.append(Kind(choose.__name__, choose, **weights))
        return choose

    return add


def pick(dice: Random, among: Iterable[Chosen]) -> Chosen | None:
    """Return one of these; None where there is none."""
    choices = list(among)
    return dice.choice(choices) if choices else None


def staff(walk: "Walk", dice: Random) -> Player:
    """Return who acts at the desk: mostly the organiser, now and then somebody who may not."""
    referee, other = walk.world.referees
    return dice.choices([walk.world.organiser, referee, other, walk.world.players[0]], [12, 4, 3, 1])[0]


def name(walk: "Walk", player: Player) -> str:
    """Return who somebody is, in the list of acts."""
    if player == walk.world.organiser:
        return "organiser"
    if player in walk.world.referees:
        return f"referee {walk.world.referees.index(player) + 1}"
    return f"player {walk.world.players.index(player) + 1}" if player in walk.world.players else "house"


def list_fixtures(walk: "Walk") -> list[Fixture]:
    """Return the fixtures in which two meet."""
    rows = Fixture.objects.of(walk.tournament).filter(first__isnull=False, second__isnull=False)
    return list(rows.select_related("round", "first", "second").order_by("round__number", "board", "part"))


def pick_fixture(walk: "Walk", dice: Random, *, open_: int = 6) -> Fixture | None:
    """Return a fixture: so many times likelier one that can be played now."""
    rows = list_fixtures(walk)
    weights = [open_ if row.state in (Fixture.State.READY, Fixture.State.PLAYING) else 1 for row in rows]
    return dice.choices(rows, weights)[0] if rows else None


def place(fixture: Fixture) -> str:
    """Return a fixture's round and board."""
    return f"{fixture.round.number}-{fixture.board}" + (f"-{fixture.part}" if fixture.part else "")


def list_entries(walk: "Walk") -> list[Entry]:
    """Return the entries in their order."""
    return list(walk.tournament.entries.order_by("seed", "pk"))


def label(walk: "Walk", entry: Entry) -> str:
    """Return an entry's place in the order of entering."""
    return f"entry {list(walk.tournament.entries.order_by('pk').values_list('pk', flat=True)).index(entry.pk) + 1}"


def draw_decision(walk: "Walk", dice: Random, fixture: Fixture, *, wrong: float = 0.04) -> Decision:
    """Return points that a match of this game can have, and so often some that it can't."""
    game, context = walk.modes.game, find_context(walk.tournament, fixture)
    terms = find_fixture_terms(walk.tournament, fixture)
    if isinstance(terms, GamesTerms):
        return _draw_games(game, terms, dice, wrong)
    if dice.random() < wrong:
        points = (dice.randint(0, 30), dice.randint(0, 30))
        return Decision(points=points, winner=dice.choice((None, 0, 1)))
    if game.level and context == "round_robin" and dice.random() < 0.2:
        points = dice.choice(game.level)
        return Decision(points=points, winner=None, deals=(points,))
    deals = dice.choice(game.deals)
    winner = dice.randrange(2)
    deals = tuple((b, a) for a, b in deals) if winner else deals
    points = (sum(a for a, _b in deals), sum(b for _a, b in deals))
    told = walk.tournament.equal_deals or dice.random() < 0.3
    return Decision(points=points, winner=winner, deals=deals if told else ())


def _draw_games(game: Game, terms: GamesTerms, dice: Random, wrong: float) -> Decision:
    """Return games of which one side wins more than half (EV1), and so often others; now and then one that a referee
    gives away."""
    won, games = [0, 0], []
    while max(won) < terms.winning_count:
        winner = dice.randrange(2)
        won[winner] += 1
        deals = dice.choice(game.deals)
        first, second = sum(a for a, _b in deals), sum(b for _a, b in deals)
        points = None if dice.random() < 0.05 else (second, first) if winner else (first, second)
        games.append(GameScore(winner if points is None else None, points))
    if dice.random() < wrong:
        games = games[:-1] if dice.random() < 0.5 else [*games, games[0]]
        won = [dice.randint(0, 4), dice.randint(0, 4)]
    if terms.only_won:
        return Decision(points=(won[0], won[1]), winner=None)
    return Decision(points=(0, 0), winner=None, games=tuple(games))


def draw_lines(dice: Random) -> tuple[int, ...]:
    """Return who forfeits: a side or both."""
    return dice.choice(((0,), (1,), (0, 1), (0, 1)))


def make_act(walk: "Walk", by: Player, dice: Random, fixture: Fixture | None = None) -> Act:
    """Return the frame of a referee's act, as their page sends it."""
    reason = "" if dice.random() < 0.1 else WHY
    stamp = compute_stamp(fixture) if fixture is not None and dice.random() < 0.5 else ""
    return Act(by=by, reason=reason, now=walk.now, key=f"{dice.random():.17f}", stamp=stamp)


def draw_names(walk: "Walk", dice: Random, count: int) -> list[str]:
    """Return so many names that nobody here has; now and then one that somebody has."""
    taken = set(walk.tournament.members.values_list("person__typed_name", flat=True))
    free = [one for one in NAMES if one not in taken]
    names = dice.sample(free, min(count, len(free)))
    names_taken = sorted(taken & set(NAMES))
    if names and names_taken and dice.random() < 0.08:
        names[0] = dice.choice(names_taken)
    return names


def draw_typed(walk: "Walk", dice: Random, number: int) -> TypedEntry | None:
    """Return an entry as somebody types it."""
    tournament = walk.tournament
    kind = tournament.entry_kind
    more = walk.modes["kind"] == "team" or kind.keeps_pairs
    size = kind.line_up_size + (dice.randint(0, 1) if more else 0)
    names = draw_names(walk, dice, max(size, kind.least))
    taken = set(tournament.entries.values_list("team_name", flat=True))
    team = pick(dice, [one for one in TEAMS if one not in taken]) if kind.has_name else ""
    if len(names) < size or team is None:
        return None
    another = dice.random() < 0.1
    if another:
        walk.others.update(name.casefold() for name in names)
    clubs = [dice.choice(CLUBS) if walk.modes.apart else "" for _name in names]
    return TypedEntry(number, tuple(map(TypedPerson, names, clubs)), team=team, another=another)


def say_typed(row: TypedEntry) -> str:
    names = " – ".join(person.name for person in row.people)
    return names + (f" ({row.team})" if row.team else "") + (", another" if row.another else "")


def decide(walk: "Walk", dice: Random, service: Any, words: str, *, open_: int = 6, **more: Any) -> Call | None:
    """Return an act of a referee about a fixture: what ``service`` does; None where there is no fixture."""
    fixture, by = pick_fixture(walk, dice, open_=open_), staff(walk, dice)
    if fixture is None:
        return None
    if more.pop("decides", False):
        more["decision"] = draw_decision(walk, dice, fixture)
        words = f"enters {more['decision'].points[0]}-{more['decision'].points[1]} for"
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "fixture_id": fixture.pk}
    own = make_act(walk, by, dice, fixture)
    return Call(f"{name(walk, by)} {words} {place(fixture)}", lambda: service(act=own, **about, **more))
