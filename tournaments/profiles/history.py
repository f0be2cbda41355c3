"""History of a person: matches of the site, with what a referee ruled, and results of tournaments without a match.

A page of it costs the same number of queries, however long it is. It never writes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain

from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Value

from games.facts.queries import choose_facts
from games.models import SeatFacts
from games.withheld import require_shown
from players.models import Person, Player
from tournaments.core.last_results import CODES
from tournaments.core.reads import group_line_ups
from tournaments.core.results_in_force import annotate_facts, find_annulled
from tournaments.models import EntryMember, Fixture, LineUp, NameClaim

PAGE_ROWS = 20
MATCH, FIXTURE = "match", "fixture"


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A result as its person sees it: their side first. ``code``: how it was decided; ``table``: the match, if any."""

    at: datetime
    outcome: str  # won, lost, drawn or annulled
    score: tuple[int, int] | None
    partners: tuple[Person | Player, ...]
    opponents: tuple[Person | Player, ...]
    ruleset: str
    title: str
    tournament: str = ""  # its public id
    table: str = ""  # the public id of the match
    real: bool = False  # played at a real table
    replays: bool = False
    cards: tuple[int, int] | None = None  # card points, where the score counts deals (BR4)

    @property
    def code(self) -> str:
        """Return how it ended, as pages draw it: won, lost or even."""
        return CODES.get(self.outcome, "even")

    @property
    def shown_score(self) -> str:
        """Return the score as it is told: of a single deal its card points, where it has them; empty for none."""
        points = self.cards if self.cards is not None and self.score is not None and sum(self.score) < 2 else self.score
        return "" if points is None else f"{points[0]}–{points[1]}"

    @property
    def other_cards(self) -> str:
        """Return the card points that stand beside the score of several deals; empty for none."""
        beside = self.cards is not None and self.score is not None and sum(self.score) > 1
        return f"({self.cards[0]}–{self.cards[1]})" if beside and self.cards is not None else ""


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Page ``number`` of ``pages`` of ``total`` rows, the latest first."""

    rows: tuple[HistoryRow, ...] = ()
    number: int = 1
    pages: int = 1
    total: int = 0


@dataclass(slots=True)
class _Loaded:
    """Rows that a page shows, by id."""

    facts: dict[int, SeatFacts] = field(default_factory=dict)  # the person's own, by match
    fixtures: dict[int, Fixture] = field(default_factory=dict)
    people: dict[tuple[int, int], Sequence[Person]] = field(default_factory=dict)  # by fixture and side


def list_own_persons(player: Player) -> list[int]:
    """Return the ids of the persons a player is: their own, and typed names that they were told to be (O2)."""
    claims = NameClaim.objects.filter(player=player, state=NameClaim.State.ACCEPTED)
    return [
        *Person.objects.filter(player=player).values_list("pk", flat=True),
        *claims.values_list("person", flat=True),
    ]


def read_history(
    player: Player, number: int = 1, *, size: int = PAGE_ROWS, beside: Player | None = None
) -> HistoryPage:
    """Return the page of that number, or the nearest; ``beside``: only what was played with them on one side."""
    persons = list_own_persons(player)
    matches = SeatFacts.objects.filter(player=player).order_by()
    fixtures = list_fixtures_without_match(persons)
    if beside is not None:
        matches = matches.filter(match__facts__player=beside, match__facts__side=F("side"))
        fixtures = fixtures.none()
    total = matches.count() + fixtures.count()
    pages = max(1, -(-total // size))
    number = min(max(number, 1), pages)
    keys = matches.values_list("finished_at", "match_id", Value(MATCH, CharField()))
    others = fixtures.values_list("result_at", "pk", Value(FIXTURE, CharField()))
    latest = keys.union(others, all=True).order_by("-finished_at", "-match_id")
    chosen = list(latest[(number - 1) * size : number * size])
    loaded = _load(chosen, player)
    rows = tuple(row for key in chosen if (row := _build_row(key, loaded, frozenset(persons))) is not None)
    return HistoryPage(rows, number, pages, total)


def describe_matches(player: Player, facts: Sequence[SeatFacts]) -> list[HistoryRow]:
    """Return these matches of a player as their page shows them: with what a referee ruled."""
    keys = [(row.finished_at, row.match_id, MATCH) for row in facts]
    loaded = _load(keys, player)
    return [row for key in keys if (row := _build_row(key, loaded, frozenset())) is not None]


def list_fixtures_without_match(persons: Iterable[int]) -> QuerySet[Fixture]:
    """Return the fixtures that these persons have a result of, and no match that was played to its end: at real tables,
    by a referee, or because somebody didn't come; none whose result is withheld (J12)."""
    own = list(persons)
    named = LineUp.objects.filter(fixture=OuterRef("pk"))
    entered = EntryMember.objects.filter(person__in=own, entry__team_name="").values("entry")
    sides = Q(Exists(named.filter(person__in=own)))
    sides |= Q(first__in=entered) & ~Q(Exists(named.filter(side=0)))
    sides |= Q(second__in=entered) & ~Q(Exists(named.filter(side=1)))
    unplayed = require_shown("round__") & (Q(match=None) | Q(match__stopped_at__isnull=False))
    done = Fixture.objects.filter(state=Fixture.State.DONE, result_at__isnull=False, second__isnull=False)
    return done.filter(unplayed & sides).order_by()


def _load(keys: Iterable[tuple[datetime, int, str]], player: Player) -> _Loaded:
    rows = list(keys)
    loaded = _Loaded()
    own = SeatFacts.objects.filter(player=player, match__in=[pk for _at, pk, kind in rows if kind == MATCH])
    own = own.select_related("match__fixture__round__tournament").prefetch_related("match__seats__player")
    loaded.facts = {facts.match_id: facts for facts in annotate_facts(own)}
    fixtures = Fixture.objects.filter(pk__in=[pk for _at, pk, kind in rows if kind == FIXTURE])
    loaded.fixtures = fixtures.select_related("round__tournament").in_bulk()
    loaded.people = _read_people(list(loaded.fixtures.values()))
    return loaded


def _read_people(fixtures: Sequence[Fixture]) -> dict[tuple[int, int], Sequence[Person]]:
    """Return who played for each side of fixtures: its line-up, else the entry's members."""
    line_ups = group_line_ups(LineUp.objects.filter(fixture__in=fixtures))
    entries = {pk for pk in chain.from_iterable((one.first_id, one.second_id) for one in fixtures) if pk is not None}
    members: dict[int, list[Person]] = {}
    for member in EntryMember.objects.filter(entry__in=entries).with_people().order_by("position"):
        members.setdefault(member.entry_id, []).append(member.person)
    return {
        (one.pk, side): line_ups.get((one.pk, side)) or members.get(entry or 0, [])
        for one in fixtures
        for side, entry in enumerate((one.first_id, one.second_id))
    }


def _build_row(key: tuple[datetime, int, str], loaded: _Loaded, persons: frozenset[int]) -> HistoryRow | None:
    at, pk, kind = key
    if kind == FIXTURE:
        return _build_fixture_row(at, loaded.fixtures[pk], loaded.people, persons)
    return _build_match_row(at, loaded.facts[pk])


def _build_match_row(at: datetime, facts: SeatFacts) -> HistoryRow:
    """Return the row of a match from its person's facts, as ``annotate_facts`` gives them."""
    match, side = facts.match, facts.side
    fixture: Fixture | None = getattr(match, "fixture", None)
    seats = list(match.seats.all())
    held: tuple[int, int] = (facts.counted_for, facts.counted_against)  # type: ignore[attr-defined]  # annotated
    return HistoryRow(
        at=at,
        outcome=facts.counted_outcome,  # type: ignore[attr-defined]  # annotated
        score=_turn((match.score_0, match.score_1), side) if fixture is None else held,  # a handicap's points too (L7)
        partners=tuple(seat.player for seat in seats if seat.number % 2 == side and seat.pk != facts.pk),
        opponents=tuple(seat.player for seat in seats if seat.number % 2 != side),
        ruleset=match.ruleset,
        title=match.shown_title,
        tournament="" if fixture is None else fixture.round.tournament.public_id,
        table=match.public_id,
        replays=not match.both_forfeited,
        cards=_read_card_points(facts, held),
    )


def _read_card_points(facts: SeatFacts, held: tuple[int, int]) -> tuple[int, int] | None:
    """Return the card points of a match whose score counts deals; None where a referee ruled another score."""
    if facts.cards_for is None or facts.cards_against is None or held != (facts.points_for, facts.points_against):
        return None
    return facts.cards_for, facts.cards_against


def _build_fixture_row(
    at: datetime, fixture: Fixture, people: Mapping[tuple[int, int], Sequence[Person]], persons: frozenset[int]
) -> HistoryRow | None:
    both = [people.get((fixture.pk, side), ()) for side in (0, 1)]
    side = next((side for side in (0, 1) if any(person.pk in persons for person in both[side])), None)
    if side is None:  # somebody else plays for them since
        return None
    tournament = fixture.round.tournament
    return HistoryRow(
        at=at,
        outcome=_judge_fixture(fixture, side),
        score=_read_points(fixture, side),
        partners=tuple(person for person in both[side] if person.pk not in persons),
        opponents=tuple(both[1 - side]),
        ruleset=tournament.ruleset,
        title=tournament.shown_name,
        tournament=tournament.public_id,
        real=fixture.venue.types_results,
    )


def _judge_fixture(fixture: Fixture, side: int) -> str:
    if fixture.annulled:
        return "annulled"
    if fixture.double_forfeit:
        return "lost"
    return "drawn" if fixture.winner is None else "won" if fixture.winner == side else "lost"


def _read_points(fixture: Fixture, side: int) -> tuple[int, int] | None:
    if fixture.points_0 is None or fixture.points_1 is None:
        return None
    return _turn((fixture.points_0, fixture.points_1), side)


def _turn(pair: tuple[int, int], side: int) -> tuple[int, int]:
    return (pair[1], pair[0]) if side else pair


def choose_counted(player: Player) -> QuerySet[SeatFacts]:
    """Return the facts that a person's statistics count, with the results that hold: a referee's where one ruled, and
    nothing of what was annulled (F2, R5)."""
    return annotate_facts(choose_facts(player).exclude(find_annulled("match__")))
