"""Reads of what comes after a tournament match for one of its players: their next table, whom they wait for, or where
they ended up; and the podium once the tournament is over. It never writes.

As many queries for any field: of a bracket no more is read than what leads to the reader's next fixture.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from games.models import Match
from players.models import Player
from tournaments.core.reads import read_entries_of
from tournaments.core.rows import EntryRow
from tournaments.core.visibility import is_knocked_out
from tournaments.core.watched import TableToWatch, list_tables_of
from tournaments.formats import FORMATS
from tournaments.formats.protocol import FedFormat, Slot
from tournaments.models import Entry, Fixture, Tournament
from tournaments.querysets import FixtureQuerySet
from tournaments.standings.podium import Podium, build_podium
from tournaments.standings.ranking_pages import read_ranking_page

State = Fixture.State
MOST_NAMED = 3  # fixtures that are waited for
OFF_BRACKET = ("group", "third_place")  # rounds whose winners go nowhere in the bracket


@dataclass(frozen=True, slots=True)
class AfterMatch:
    """Course of a tournament from here on, for one reader.

    ``code``: ``table`` (theirs is open), ``opens`` (soon, at ``opens_at``), ``hall`` (at a real table), ``wait``
    (the opponent is known, other fixtures come first), ``feeds`` (who wins ``waited_for`` is the opponent),
    ``draw`` (the next round is drawn after them), ``stuck`` (it can't be paired, and waits for the organiser's
    choice), ``groups`` (who goes on is known after them), ``played`` (all of theirs), ``out`` (of the bracket),
    ``left``, ``over`` (the tournament), ``cancelled``, ``settling`` (the result is being taken in), or ``none``:
    the reader isn't entered.
    """

    code: str
    tournament: Tournament
    table: str | None = None  # public id
    opponent: EntryRow | None = None
    until: datetime | None = None  # when who hasn't come to the open table loses (G8)
    opens_at: datetime | None = None
    waited_for: tuple[tuple[EntryRow, EntryRow], ...] = ()
    more: int = 0  # others that are waited for
    podium: Podium | None = None
    place: int | None = None
    entered: bool = True  # whether the reader played in it
    watch: TableToWatch | None = None  # the best table to watch meanwhile, for whoever may

    @property
    def plays_again(self) -> bool:
        """Tell whether the reader has played all of theirs, of a tournament that is always on offer."""
        done = self.code in ("played", "out") or (self.code == "over" and self.entered)
        return done and self.tournament.standing_offer


def read_after_match(match_id: int, player: Player | None, now: datetime) -> AfterMatch | None:
    """Return what comes after this match for the reader; None where it is no tournament's."""
    tournament = Tournament.objects.filter(rounds__fixtures__match=match_id).first()
    if tournament is None:
        return None
    if tournament.state == Tournament.State.FINISHED:
        rows = read_ranking_page(tournament, player).rows
        own = next((row for row in rows if row.mine), None)
        place = None if own is None else own.place
        return AfterMatch("over", tournament, podium=build_podium(rows), place=place, entered=own is not None)
    if tournament.state == Tournament.State.CANCELLED:
        return AfterMatch("cancelled", tournament)
    entry = None if player is None else tournament.entries.of_player(player).first()
    if player is None or entry is None:
        return AfterMatch("none", tournament)
    if entry.withdrawn_at is not None:
        return AfterMatch("left", tournament)
    upcoming = Fixture.objects.of(tournament).of_entry(entry).open().played_by(player).select_related("round", "match")
    following = upcoming.order_by("round__number", "part").first()
    if following is not None and following.match_id == match_id:
        return AfterMatch("settling", tournament)
    if following is not None and following.state != State.WAITING:
        return _describe_next(tournament, entry, following)
    if following is None and is_knocked_out(tournament, player):
        return _describe_out(tournament, entry, now)
    return _describe_waiting(tournament, entry, following)


def _describe_next(tournament: Tournament, entry: Entry, following: Fixture) -> AfterMatch:
    """Describe a fixture whose two entries are known, and whose turn has come."""
    opponent = _find_opponent(entry, following)
    match = following.match
    if match is not None:
        until = match.noshow_at if match.status == Match.Status.WAITING and match.paused_at is None else None
        return AfterMatch("table", tournament, table=match.public_id, opponent=opponent, until=until)
    if following.opens_at is None:
        return AfterMatch("hall", tournament, opponent=opponent)
    return AfterMatch("opens", tournament, opponent=opponent, opens_at=following.opens_at)


def _describe_out(tournament: Tournament, entry: Entry, now: datetime) -> AfterMatch:
    """Describe where somebody ended up who is out of the bracket, and what they may watch, one deal late (W3)."""
    house = tournament.members.bots().exists()  # places are counted among people, and known at the end (E8)
    best = next(iter(list_tables_of(tournament, now)), None)
    return AfterMatch("out", tournament, place=None if house else entry.rank, watch=best)


def _describe_waiting(tournament: Tournament, entry: Entry, following: Fixture | None) -> AfterMatch:
    """Describe what somebody waits for whose next fixture can't be played yet, or isn't known."""
    opponent = None if following is None else _find_opponent(entry, following)
    code, before = _find_what_comes_before(tournament, entry, following)
    known = before.filter(first__isnull=False, second__isnull=False).exclude(Q(first=entry) | Q(second=entry))
    first = list(known.order_by("round__number", "board")[:MOST_NAMED])
    rows = read_entries_of(Entry.objects.filter(pk__in=[side for f in first for side in (f.first_id, f.second_id)]))
    pairs = tuple((rows[f.first_id], rows[f.second_id]) for f in first if f.first_id and f.second_id)
    more = known.count() - len(pairs) if len(pairs) == MOST_NAMED else 0
    code = "stuck" if code == "draw" and not pairs and _waits_for_a_way(tournament) else code
    return AfterMatch(code, tournament, opponent=opponent, waited_for=pairs, more=more)


def _waits_for_a_way(tournament: Tournament) -> bool:
    """Tell if the organiser still has to choose how the next round is played, which can't be paired (D1)."""
    if tournament.stuck_round is None:
        return False
    waiting = tournament.rounds.filter(published_at__isnull=True, number__lte=tournament.stuck_round)
    return list(waiting.values_list("number", "way")) == [(tournament.stuck_round, "")]


def _find_what_comes_before(
    tournament: Tournament, entry: Entry, following: Fixture | None
) -> tuple[str, FixtureQuerySet]:
    """Return the code of what is waited for, and the open fixtures that come before."""
    open_ = Fixture.objects.of(tournament).open()
    if following is None:
        undrawn = open_.filter(first=None, second=None, group=None)
        code = "groups" if entry.group is not None else "draw" if undrawn.exists() else "played"
        return code, open_
    before = open_.filter(round__number__lt=following.round.number)
    if following.first_id is not None and following.second_id is not None:
        return "wait", before
    format_ = FORMATS[tournament.format]
    if isinstance(format_, FedFormat):
        return "feeds", before.filter(_list_origins(format_, tournament, following, before))
    feeders = _list_feeders(tournament, following)
    return "feeds", before if feeders is None else before.filter(feeders)


def _list_origins(format_: FedFormat, tournament: Tournament, following: Fixture, before: FixtureQuerySet) -> Q:
    """Return the same condition where those who lose play on (EV4): of all rounds that lead to the missing side."""
    names = list(tournament.rounds.order_by("number").values_list("name", flat=True))
    origins = format_.list_origins(names)
    side = 0 if following.first_id is None else 1
    leading: set[Slot] = set()
    waiting = [origin.slot for origin in origins[Slot(following.round.number, following.board)][side]]
    while waiting:
        slot = waiting.pop()
        if slot not in leading:
            leading.add(slot)
            waiting += [origin.slot for half in origins[slot] for origin in half]
    open_ = before.values_list("pk", "round__number", "board")
    return Q(pk__in=[pk for pk, number, board in open_ if Slot(number, board) in leading])


def _list_feeders(tournament: Tournament, following: Fixture) -> Q | None:
    """Return the condition of the fixtures from which the missing side of one in a bracket comes, through however many
    rounds; None for the first round of a bracket, whose sides come from groups."""
    rounds = tournament.rounds.exclude(name__in=OFF_BRACKET).filter(number__lt=following.round.number)
    numbers = list(rounds.order_by("-number").values_list("number", flat=True))
    if not numbers:
        return None
    side = 0 if following.first_id is None else 1
    feeder = 2 * following.board - 1 + side
    feeding = Q(pk__in=())
    for depth, number in enumerate(numbers):
        width = 1 << depth
        feeding |= Q(round__number=number, board__gt=(feeder - 1) * width, board__lte=feeder * width)
    return feeding


def _find_opponent(entry: Entry, fixture: Fixture) -> EntryRow | None:
    """Return the other entry of a fixture, if it is known."""
    other = fixture.second_id if fixture.first_id == entry.pk else fixture.first_id
    return None if other is None else read_entries_of(Entry.objects.filter(pk=other))[other]
