"""Points of finished tournaments (Y2), stored when one ends or is corrected, and read by rankings and circuits.

It decides which entries and people count. What a rank is worth is ``scoring.tournament_points``'.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, QuerySet

from players.models import Person, Player
from players.names import make_name_key
from scoring.days import ROME, find_day
from scoring.tournament_points import (
    RankedLine,
    compute_tournament_points,
    count_ranks,
    divide_points,
    rank_lines,
)
from tournaments.core.bulk import insert_rows, read_rows, update_rows
from tournaments.core.result import FORFEIT, WITHDRAWN
from tournaments.entry_kinds import NUMBERS
from tournaments.models import (
    Entry,
    EntryMember,
    Fixture,
    LineUp,
    Ranking,
    RankingChange,
    RankingRow,
    Tournament,
    TournamentPoints,
)

NOSHOW = "noshow"
PLAYED = ("round", "board", "first", "second", "double_forfeit", "forfeit_by", "decided_by", "match")
STORED = ("rank", "field", "points", "site_rank", "site_field", "site_points")

Slot = tuple[int, int]  # a round's key and a board
Side = tuple[int, int]  # a fixture's key and 0 or 1


class PersonPoints(NamedTuple):
    """Rank and points of a person by an entry: among all entries of people, and among those that count on the site."""

    rank: int
    field: int
    points: int | None  # None: fewer than four entries count, or they played too little of their team's fixtures
    site_rank: int | None = None
    site_field: int | None = None
    site_points: int | None = None


Key = tuple[int, int]  # of an entry and of a person
Computed = dict[Key, PersonPoints]


@dataclass(slots=True)
class EntryRun:
    """An entry of people: the fixtures it played, and how many of them each of its people did, and each line-up."""

    entry: Entry
    fixtures: int
    by_person: dict[int, int]
    by_line_up: dict[tuple[int, ...], int]


# --- What counts ------------------------------------------------------------------------------------------------------


def mark_counting_entries(tournament: Tournament, late: Entry | None = None) -> None:
    """Mark the entries whose people all have confirmed accounts now, at the draw (Y1), or this ``late`` one; the house
    is nobody."""
    confirmed = EmailAddress.objects.filter(user__player__person=OuterRef("person"), verified=True)
    members = EntryMember.objects.people().filter(tournament=tournament)
    if late is not None:
        members = members.filter(entry=late)
    account_holders = members.filter(person__player__kind=Player.Kind.MEMBER, person__player__user__is_active=True)
    strangers = members.exclude(pk__in=account_holders.filter(Exists(confirmed)).values("pk"))
    tournament.entries.filter(pk__in=members.values("entry")).exclude(pk__in=strangers.values("entry")).update(
        counts_on_site=True
    )


def compute_points(tournament: Tournament) -> Computed:
    """Return rank and points of everybody who has any in a finished tournament; of another one nobody has."""
    if tournament.state != Tournament.State.FINISHED:
        return {}
    entries = list(tournament.entries.drawn())
    runs = [run for run in read_runs(tournament, entries) if not run.entry.expelled]
    everybody = count_ranks(entry.rank for entry in entries)
    whole = _compute_worth(runs, everybody)
    on_site = [] if tournament.imported_from else [run for run in runs if run.entry.counts_on_site]
    site = _compute_worth(on_site, everybody)
    computed: Computed = {}
    for run in runs:
        own, own_on_site = whole[run.entry.pk], site.get(run.entry.pk)
        shares = _divide(tournament, run, own.points)
        site_shares = {} if own_on_site is None else _divide(tournament, run, own_on_site.points)
        for person in run.by_person:
            points = PersonPoints(own.rank, own.field, shares.get(person))
            if own_on_site is not None:
                points = points._replace(
                    site_rank=own_on_site.rank, site_field=own_on_site.field, site_points=site_shares.get(person)
                )
            computed[run.entry.pk, person] = points
    return computed


def _compute_worth(runs: Iterable[EntryRun], everybody: Mapping[int, int]) -> dict[int, PersonPoints]:
    """Return rank, field and points of each entry among these; ``everybody``: how many entries have each rank (K5)."""
    ranked = [RankedLine(run.entry.pk, run.entry.rank or 0, run.entry.withdrawn_at is None) for run in runs]
    earned = compute_tournament_points(ranked, everybody)
    return {
        key: PersonPoints(rank, len(ranked), earned[key].points if key in earned else None)
        for key, rank in rank_lines(ranked, everybody).items()
    }


def _divide(tournament: Tournament, run: EntryRun, points: int | None) -> dict[int, int]:
    if points is None:
        return {}
    return divide_points(points, run.by_person, run.fixtures, team=tournament.entry_kind.has_line_ups)


def read_runs(tournament: Tournament, entries: Iterable[Entry]) -> list[EntryRun]:
    """Return the entries of people that played a fixture that counts: ``entries`` without the house's (E8)."""
    members: dict[int, list[int]] = {}
    for member in tournament.members.people().order_by("position"):
        members.setdefault(member.entry_id, []).append(member.person_id)
    line_ups: dict[Side, list[int]] = {}
    named: set[Side] = set()  # the house alone may be
    for fixture_id, side, person_id, kind in LineUp.objects.of(tournament).values_list(
        "fixture_id", "side", "person_id", "person__player__kind"
    ):
        named.add((fixture_id, side))
        if kind != Player.Kind.HOUSE:
            line_ups.setdefault((fixture_id, side), []).append(person_id)
    played: dict[int, set[Slot]] = {}
    by_person: dict[int, dict[int, set[Slot]]] = {}
    by_line_up: dict[int, dict[tuple[int, ...], set[Slot]]] = {}
    done = (
        Fixture.objects.with_results()
        .of(tournament)
        .filter(state=Fixture.State.DONE, first__isnull=False, second__isnull=False)
    )
    for fixture in read_rows(done.order_by(), PLAYED):
        slot = (fixture.round_id, fixture.board)
        for side, entry_id in enumerate((fixture.first_id, fixture.second_id)):
            if entry_id is None or not _came(fixture, side):
                continue
            played.setdefault(entry_id, set()).add(slot)
            at = (fixture.pk, side)
            people = line_ups.get(at, []) if at in named else members.get(entry_id, [])
            by_line_up.setdefault(entry_id, {}).setdefault(tuple(sorted(people)), set()).add(slot)
            for person_id in people:
                by_person.setdefault(entry_id, {}).setdefault(person_id, set()).add(slot)
    return [
        EntryRun(
            entry,
            len(played[entry.pk]),
            {person: len(slots) for person, slots in own.items()},
            {people: len(slots) for people, slots in by_line_up[entry.pk].items()},
        )
        for entry in entries
        if entry.pk in members and (own := by_person.get(entry.pk)) is not None
    ]


def _came(fixture: Fixture, side: int) -> bool:
    """Tell if the side played the fixture: it didn't lose it by not coming."""
    if not fixture.double_forfeit and fixture.forfeit_by != side:
        return True
    unplayed = fixture.decided_by in (NOSHOW, WITHDRAWN)
    return not unplayed and not (fixture.decided_by == FORFEIT and fixture.match_id is None)


# --- Stored -----------------------------------------------------------------------------------------------------------


def store_points(tournament: Tournament, now: datetime) -> bool:
    """Store the points of a locked tournament as its results give them now: of one that isn't over there are none.

    Return whether anything changed; the rankings follow.
    """
    computed, stored = compute_points(tournament), _read_stored(tournament)
    if {key: _read_values(row) for key, row in stored.items()} == computed:
        return False
    tournament.points.filter(pk__in=[row.pk for key, row in stored.items() if key not in computed]).delete()
    changed = [row for key, row in stored.items() if key in computed and _read_values(row) != computed[key]]
    for row in changed:
        _write_values(row, computed[row.entry_id, row.person_id])
    update_rows(changed, STORED)
    new = [
        TournamentPoints(tournament=tournament, entry_id=key[0], person_id=key[1]) for key in computed.keys() - stored
    ]
    for row in new:
        _write_values(row, computed[row.entry_id, row.person_id])
    insert_rows(new)
    note_change(tournament, now)
    return True


def note_change(tournament: Tournament, now: datetime) -> None:
    """Have the rankings follow the points of a tournament that is or was over."""
    if tournament.finished_at is None:
        return
    RankingChange.objects.create(
        club_id=tournament.club_id,
        ruleset=tournament.ruleset,
        form=find_form(tournament),
        year=find_year(tournament.finished_at),
        at=now,
    )


def note_changes(tournaments: QuerySet[Tournament], now: datetime) -> None:
    """Have the rankings follow what has changed in these finished tournaments: their club, or who somebody is."""
    over = tournaments.filter(state=Tournament.State.FINISHED, finished_at__isnull=False)
    noted = {
        (row.club_id, row.ruleset, find_form(row), find_year(row.finished_at))
        for row in over.only("club_id", "ruleset", "finished_at", *NUMBERS)
        if row.finished_at is not None
    }
    RankingChange.objects.bulk_create(
        RankingChange(club_id=club, ruleset=ruleset, form=form, year=year, at=now)
        for club, ruleset, form, year in noted
    )


def forget_player(player: Player, now: datetime) -> None:
    """Take a closing account out of the rankings; the ranks of the others follow."""
    rows = RankingRow.objects.filter(person__player=player)
    _note_boards(rows, now)
    rows.delete()


def follow_names(person_ids: Collection[int], now: datetime) -> None:
    """Have rankings find these people, from now on, by the name that everybody is shown (I1) and by no other."""
    rows = RankingRow.objects.filter(person__in=person_ids)
    _note_boards(rows, now)
    for person in Person.objects.filter(pk__in=rows.values("person")).select_related("player"):
        RankingRow.objects.filter(person=person).update(name_key=make_name_key(person.public_name))


def _note_boards(rows: QuerySet[RankingRow], now: datetime) -> None:
    """Have the rankings of points in which these rows are made anew."""
    of_points = rows.exclude(ranking__kind=Ranking.Kind.LEVEL)
    boards = set(of_points.values_list("ranking__club_id", "ranking__ruleset", "ranking__form", "ranking__year"))
    RankingChange.objects.bulk_create(
        RankingChange(club_id=club, ruleset=ruleset, form=form, year=year, at=now)
        for club, ruleset, form, year in boards
    )


def read_points(tournament: Tournament) -> dict[int, PersonPoints]:
    """Return the stored rank and points of a finished tournament by person, among all entries of people.

    Who played for two entries has the points of both, and the rank of the better one.
    """
    by_person: dict[int, PersonPoints] = {}
    for row in tournament.points.order_by("rank", "pk"):
        own, before = _read_values(row), by_person.get(row.person_id)
        if before is not None:
            total = None if own.points is None and before.points is None else (own.points or 0) + (before.points or 0)
            own = before._replace(points=total)
        by_person[row.person_id] = own
    return by_person


def find_point_differences(tournament: Tournament) -> list[tuple[Key, PersonPoints | None, PersonPoints | None]]:
    """Return the entry and person, with stored and computed points, where those differ (Y4)."""
    computed, stored = compute_points(tournament), _read_stored(tournament)
    before = {key: _read_values(row) for key, row in stored.items()}
    keys = sorted(computed.keys() | before.keys())
    return [(key, before.get(key), computed.get(key)) for key in keys if before.get(key) != computed.get(key)]


def find_form(tournament: Tournament) -> str:
    """Return the form of play of a tournament."""
    return str(Ranking.Form.ALONE if tournament.playing_kind.sits_alone else Ranking.Form.PAIRS)


def find_year(hour: datetime) -> int:
    """Return the year in which this hour lies, in Rome."""
    return find_day(hour).year


def find_bounds(year: int) -> tuple[datetime, datetime]:
    """Return the first instant of a year, in Rome, and the last one."""
    start, end = (datetime(number, 1, 1, tzinfo=ROME) for number in (year, year + 1))
    return start, end - timedelta(microseconds=1)


def _read_stored(tournament: Tournament) -> Mapping[Key, TournamentPoints]:
    return {(row.entry_id, row.person_id): row for row in tournament.points.all()}


def _read_values(row: TournamentPoints) -> PersonPoints:
    return PersonPoints(*(getattr(row, name) for name in STORED))


def _write_values(row: TournamentPoints, points: PersonPoints) -> None:
    for name, value in zip(STORED, points, strict=True):
        setattr(row, name, value)
