"""The matches that count for levels (L2), in the order in which they are rated, with what each is worth (L3).

A match's own result holds unless whoever runs it upstairs says another: they register a reader at start. It writes
nothing.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import NamedTuple, cast

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.engine.game import Length, LengthKind
from games.levels import FORM_OF
from games.models import Match, Seat
from players.models import Player
from scoring import ratings
from scoring.days import ROME, find_day
from scoring.models import LevelStep

MOST_A_DAY = 3  # of the same two lines (L2)
BATCH = 500

# Line 0's share of these matches, by id; None for one that counts for nobody. What isn't in it has no say upstairs.
RuledShares = Callable[[Collection[int]], Mapping[int, float | None]]
_rulings: list[RuledShares] = []


def register_rulings(read: RuledShares) -> None:
    """Register who knows results that aren't the match's own, at start."""
    if read not in _rulings:
        _rulings.append(read)


class Place(NamedTuple):
    """Place of a match in the order of levels (L6)."""

    finished_at: datetime
    match_id: int


@dataclass(frozen=True, slots=True)
class CountedMatch:
    """Match that counts for levels. ``lines`` are the ids of its players; ``share`` is line 0's."""

    place: Place
    ruleset: str
    form: str
    lines: tuple[tuple[int, ...], tuple[int, ...]]
    share: float


def list_counted(since: Place | None = None) -> Iterator[list[CountedMatch]]:
    """Yield the matches that count, from a place on, in batches and in order."""
    meetings = _Meetings(since)
    for batch in _list_batches(since):
        counted = list(_build(batch))
        meetings.look_up(counted)
        yield [match for match in counted if meetings.admit(match)]


def find_countable(match_ids: Collection[int]) -> list[int]:
    """Return those of these matches that are over and could count, whatever their result is."""
    return list(_list_finished().filter(pk__in=match_ids).values_list("pk", flat=True))


def count_from(since: Place | None) -> int:
    """Return how many matches there are from a place on, counting or not."""
    return _list_finished().filter(follow(since)).count()


def follow(since: Place | None, prefix: str = "id") -> Q:
    """Return the condition of rows at this place or after it; ``prefix`` is the column of the match."""
    if since is None:
        return Q()
    return Q(finished_at__gt=since.finished_at) | Q(finished_at=since.finished_at, **{f"{prefix}__gte": since.match_id})


def _list_finished() -> QuerySet[Match]:
    """List the finished matches in which nothing but members sits, and that may count (L2)."""
    others = Seat.objects.filter(match=OuterRef("pk")).exclude(kind=Player.Kind.MEMBER)
    matches = Match.objects.in_the_open().filter(  # of others nobody may see yet who won (J12)
        status=Match.Status.FINISHED,
        players__in=FORM_OF,
        training=False,
        absence=Match.Absence.LOSES,
    )
    return matches.exclude(Exists(others))


def _list_batches(since: Place | None) -> Iterator[list[Match]]:
    """Yield the finished matches in order, read by place: what comes in meanwhile shifts nothing."""
    rows, condition = _list_finished().order_by("finished_at", "id"), follow(since)
    while batch := list(rows.filter(condition)[:BATCH]):
        yield batch
        last = batch[-1]
        condition = Q(finished_at__gt=last.finished_at) | Q(finished_at=last.finished_at, id__gt=last.pk)


def _build(batch: Collection[Match]) -> Iterator[CountedMatch]:
    seated: dict[int, list[tuple[int, int]]] = {}
    seats = Seat.objects.filter(match__in=[match.pk for match in batch]).order_by("number")
    for match_id, number, player_id in seats.values_list("match_id", "number", "player_id"):
        seated.setdefault(match_id, []).append((number, player_id))
    shares = read_shares(batch)
    for match in batch:
        share = shares.get(match.pk)
        if share is None or match.finished_at is None:
            continue
        first, second = (tuple(player for number, player in seated[match.pk] if number % 2 == line) for line in (0, 1))
        place = Place(match.finished_at, match.pk)
        yield CountedMatch(place, match.ruleset, FORM_OF[match.players], (first, second), share)


class _Meetings:
    """Meetings of the same two lines, day by day (L2). Of the day of ``since`` those before it have their steps."""

    def __init__(self, since: Place | None) -> None:
        self.since = since
        self.met: Counter[object] = Counter()
        self.people: set[int] = set()  # whose matches of that day, before ``since``, have been looked up
        self.looked_up: set[int] = set()  # those matches

    def look_up(self, matches: Collection[CountedMatch]) -> None:
        if self.since is None:
            return
        day = find_day(self.since.finished_at)
        today = [match for match in matches if find_day(match.place.finished_at) == day]
        people = {player for match in today for line in match.lines for player in line} - self.people
        if not people:
            return
        self.people |= people
        begins = datetime.combine(day, time(), ROME)
        before = LevelStep.objects.filter(finished_at__gte=begins).exclude(follow(self.since, "match_id"))
        theirs = set(before.filter(player__in=people).values_list("match_id", flat=True)) - self.looked_up
        self.looked_up |= theirs
        forms: dict[int, str] = {}
        lines: dict[int, tuple[set[int], set[int]]] = {}
        for step in LevelStep.objects.filter(match__in=theirs):
            forms[step.match_id] = step.form
            lines.setdefault(step.match_id, (set(), set()))[step.line].add(step.player_id)
        self.met.update(_name_meeting(day, forms[match_id], *lines[match_id]) for match_id in theirs)

    def admit(self, match: CountedMatch) -> bool:
        """Note that the lines met; tell if this time counts still."""
        meeting = _name_meeting(find_day(match.place.finished_at), match.form, *match.lines)
        self.met[meeting] += 1
        return self.met[meeting] <= MOST_A_DAY


def _name_meeting(day: date, form: str, first: Collection[int], second: Collection[int]) -> object:
    return day, form, frozenset((frozenset(first), frozenset(second)))


def read_shares(matches: Collection[Match]) -> dict[int, float]:
    """Return line 0's share of each match that has one, by id: of the result in force (L3)."""
    elsewhere = [match.pk for match in matches if match.context != "free"]
    ruled: dict[int, float | None] = {}
    for read in _rulings:
        ruled.update(read(elsewhere) if elsewhere else {})
    shares: dict[int, float] = {}
    for match in matches:
        # What no fixture holds any more was played anew: it counts for nobody.
        share = compute_own_share(match) if match.context == "free" else ruled.get(match.pk)
        if share is not None:
            shares[match.pk] = share
    return shares


def compute_own_share(match: Match) -> float | None:
    """Return line 0's share of a match by its own result; None where it has none that counts (L2, L3)."""
    if match.stopped_at is not None or match.annulled_at is not None or match.both_forfeited or any(match.handicap):
        return None
    length = Length(cast(LengthKind, match.length_kind), match.length_value)
    return ratings.compute_share(
        match.ruleset, length, match.winner, match.margin or 0, match.decided_by, match.offender
    )
