"""Stored rankings (Y1) made anew: beside what readers are shown, which they are shown until the new one is whole.

The points of a tournament are noted as a change (``points.note_change``); a task goes through the changes every few
minutes, and through everything once a day. Nothing is ever reckoned in a request.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import BigIntegerField, Count, F, Q, QuerySet, Sum
from django.db.models.functions import Cast

from games.levels import ALONE
from players import caps
from players.models import FORGOTTEN_NAME, Person, Player, ProfileAudience
from players.names import make_name_key
from scoring.days import find_day
from scoring.levels import show_level
from scoring.models import Level
from tournaments.core.bulk import insert_rows
from tournaments.entry_kinds import match_seats
from tournaments.models import Club, Ranking, RankingChange, RankingRow, TournamentPoints
from tournaments.rankings.points import find_bounds
from tournaments.rankings.same_people import find_same_people
from tournaments.venues import list_where

Kind = Ranking.Kind
CHUNK = 2000  # rows of a transaction: nobody waits long for the one writer of SQLite


class ListedPerson(NamedTuple):
    """A person of a ranking, before they have a place."""

    value: int
    name_key: str
    person_id: int
    tournaments: int = 0
    uncertain: bool = False


Board = tuple[int | None, str, str, str, int]  # a ranking by what it is of: club, ruleset, form, kind, year


def refresh_rankings(*, now: datetime) -> int:
    """Make the rankings anew whose points or levels have changed, or that are of another day. Return how many."""
    changes = list(RankingChange.objects.order_by("pk")[: caps.RANKING_CHANGES_A_RUN])
    boards: dict[Board, None] = {}
    for change in changes:
        for club in dict.fromkeys((None, change.club_id)):
            boards[club, change.ruleset, change.form, Kind.EVER, 0] = None
            if change.year:
                boards[club, change.ruleset, change.form, Kind.YEAR, change.year] = None
    for ranking in _list_old(now):
        boards[name_board(ranking)] = None
    for ruleset, form in Level.objects.order_by().values_list("ruleset", "form").distinct():
        boards[None, ruleset, form, Kind.LEVEL, 0] = None
    made, skipped = 0, set()
    for board in boards:
        outcome = refresh_board(board, now)
        made += outcome is True
        if outcome is None:
            skipped.add(board)
    done = [change.pk for change in changes if not any(follows(board, change) for board in skipped)]
    RankingChange.objects.filter(pk__in=done).delete()
    return made


def refresh_board(board: Board, now: datetime, *, anyhow: bool = False) -> bool | None:
    """Make one ranking anew; of levels only where one has changed, or ``anyhow``. Return whether it was made; None
    where somebody else is at it."""
    club, ruleset, form, kind, year = board
    ranking, _new = Ranking.objects.get_or_create(
        club=None if club is None else Club.objects.get(pk=club), ruleset=ruleset, form=form, kind=kind, year=year
    )
    made_from = _describe_levels(ranking, now) if kind == Kind.LEVEL else ""
    if kind == Kind.LEVEL and made_from == ranking.made_from and not anyhow:
        return False
    stale = Q(busy_since=None) | Q(busy_since__lt=now - caps.RANKING_GIVEN_UP)
    if not Ranking.objects.filter(stale, pk=ranking.pk).update(busy_since=now):
        return None
    ranking.refresh_from_db()
    _drop_others(ranking)  # of a run that died
    standings = read_standings(ranking, now)
    generation = ranking.generation + 1
    for rows in _cut(list(_place(ranking, generation, standings))):
        with transaction.atomic():
            insert_rows(rows)
    ranking.generation, ranking.size = generation, len(standings)
    ranking.made_at, ranking.made_from, ranking.busy_since = now, made_from, None
    ranking.save()
    _drop_others(ranking)
    return True


def find_board_differences(
    ranking: Ranking, now: datetime
) -> list[tuple[int, tuple[int, int] | None, tuple[int, int] | None]]:
    """Return the persons whose stored rank and value aren't those they should have (Y4), with both."""
    rows = ranking.rows.filter(generation=ranking.generation)
    stored = {person: (rank, value) for person, rank, value in rows.values_list("person_id", "rank", "value")}
    given = {row.person_id: (row.rank, row.value) for row in _place(ranking, 0, read_standings(ranking, now))}
    people = sorted(stored.keys() | given.keys())
    return [(one, stored.get(one), given.get(one)) for one in people if stored.get(one) != given.get(one)]


def read_standings(ranking: Ranking, now: datetime) -> list[ListedPerson]:
    """Return who stands in a ranking, the best first; those level by name."""
    if ranking.kind == Kind.LEVEL:
        standings = list(_read_levels(ranking, now))
    elif ranking.club_id is None:
        standings = list(_read_site_points(ranking))
    else:
        standings = list(_read_club_points(ranking, ranking.club_id))
    return sorted(standings, key=lambda row: (-row.value, row.name_key, row.person_id))


def _read_site_points(ranking: Ranking) -> Iterator[ListedPerson]:
    """Yield the members with points that count on the site (Y1)."""
    counting = _list_points(ranking).filter(
        ~Q(tournament__venue__in=list_where(opens_tables=False)) | Q(tournament__club__vouched=True),
        site_points__gt=0,
        person__player__kind=Player.Kind.MEMBER,
        person__player__user__is_active=True,
    )
    sums = counting.order_by().values_list("person_id", "person__player__name_key")
    for person, name_key, total, count in sums.annotate(total=Sum("site_points"), count=Count("tournament")):
        yield ListedPerson(total, name_key, person, count)


def _read_club_points(ranking: Ranking, club_id: int) -> Iterator[ListedPerson]:
    """Yield the people with points in a club's tournaments, accounts or not; who left the site or had their name
    forgotten isn't listed (I1)."""
    rows = _list_points(ranking).filter(points__gt=0, tournament__club=club_id)
    points = list(rows.values_list("tournament_id", "person_id", "points"))
    same = find_same_people([(tournament, person) for tournament, person, _points in points], club_id)
    totals: dict[int, list[int]] = {}
    for tournament, person, value in points:
        total = totals.setdefault(same.get((tournament, person), person), [0, 0])
        total[0] += value or 0
        total[1] += 1
    gone = Q(player__user__is_active=False) | Q(player__kind=Player.Kind.HOUSE) | Q(typed_name=FORGOTTEN_NAME)
    for one in Person.objects.filter(pk__in=totals).exclude(gone).select_related("player"):
        yield ListedPerson(totals[one.pk][0], make_name_key(one.public_name), one.pk, totals[one.pk][1])


def _list_points(ranking: Ranking) -> QuerySet[TournamentPoints]:
    seats = 1 if ranking.form == ALONE else 2
    rows = TournamentPoints.objects.filter(match_seats(seats, of="tournament__"), tournament__ruleset=ranking.ruleset)
    if ranking.kind == Kind.YEAR:
        rows = rows.filter(tournament__finished_at__range=find_bounds(ranking.year))
    return rows


def _read_levels(ranking: Ranking, now: datetime) -> Iterator[ListedPerson]:
    """Yield the members who show their level to everybody (L5)."""
    for level in _list_levels(ranking).select_related("player__person"):
        shown = show_level(level, now)
        yield ListedPerson(shown.value, level.player.name_key, level.player.person.pk, level.matches, shown.uncertain)


def _list_levels(ranking: Ranking) -> QuerySet[Level]:
    everybody = ProfileAudience.Readers.EVERYBODY
    hidden = ProfileAudience.objects.exclude(levels=everybody).values("player")
    people = Level.objects.filter(player__kind=Player.Kind.MEMBER, player__user__is_active=True)
    return people.filter(ruleset=ranking.ruleset, form=ranking.form).exclude(player__in=hidden)


def _describe_levels(ranking: Ranking, now: datetime) -> str:
    """Return what is another text as soon as a level of the ranking is another one, or the day (L5)."""
    # Whole numbers, and weighed by person: a result turned round adds up to the same, and floats to another sum.
    weighed = Cast(F("mu") * 1_000_000, BigIntegerField()) * (F("player_id") % 9973 + 1)
    sums = _list_levels(ranking).aggregate(count=Count("pk"), total=Sum(weighed), matches=Sum("matches"))
    return f"{find_day(now)} {sums['count']} {sums['matches']} {sums['total']}"[:64]


def _place(ranking: Ranking, generation: int, standings: Sequence[ListedPerson]) -> Iterator[RankingRow]:
    """Yield the rows of a ranking: equals share the rank."""
    rank = 0
    for place, row in enumerate(standings, start=1):
        if place == 1 or row.value != standings[place - 2].value:
            rank = place
        yield RankingRow(
            ranking_id=ranking.pk,
            generation=generation,
            place=place,
            rank=rank,
            person_id=row.person_id,
            name_key=row.name_key,
            value=row.value,
            tournaments=row.tournaments,
            uncertain=row.uncertain,
        )


def _cut(rows: Sequence[RankingRow]) -> Iterator[Sequence[RankingRow]]:
    for start in range(0, len(rows), CHUNK):
        yield rows[start : start + CHUNK]


def _drop_others(ranking: Ranking) -> None:
    """Delete the rows of all generations but the one that readers are shown."""
    others = RankingRow.objects.filter(ranking=ranking).exclude(generation=ranking.generation)
    while keys := list(others.values_list("pk", flat=True)[:CHUNK]):
        RankingRow.objects.filter(pk__in=keys).delete()


def _list_old(now: datetime) -> Iterable[Ranking]:
    """Return the rankings that weren't made today: names, clubs and accounts change too."""
    rows = Ranking.objects.exclude(kind=Kind.LEVEL).filter(made_at__lt=now - caps.RANKING_KEPT)
    return rows.order_by("made_at")


def is_late(ranking: Ranking, now: datetime) -> bool:
    """Tell if a ranking of levels doesn't follow them yet."""
    return ranking.kind == Kind.LEVEL and ranking.made_from != _describe_levels(ranking, now)


def name_board(ranking: Ranking) -> Board:
    """Return what a ranking is of."""
    return ranking.club_id, ranking.ruleset, ranking.form, ranking.kind, ranking.year


def follows(board: Board, change: RankingChange) -> bool:
    """Tell if a ranking has to follow a change."""
    club, ruleset, form, _kind, year = board
    return (
        club in (None, change.club_id) and (ruleset, form) == (change.ruleset, change.form) and year in (0, change.year)
    )
