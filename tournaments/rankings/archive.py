"""The archive (I2): finished tournaments by name, club, game, year and player, a page at a time, the latest first.

A page is found by where the one before ended, never by counting: the thousandth costs as much as the first. It never
writes.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from players import caps
from players.bounds import FIRST_YEAR, LAST_YEAR, is_within
from players.models import FORGOTTEN_NAME, Person, Player
from players.names import make_name_key
from tournaments.core.visibility import make_listed_condition
from tournaments.models import Club, EntryMember, LineUp, NameClaim, Tournament, TournamentPoints
from tournaments.rankings.points import find_bounds
from tournaments.rankings.queries import begin_with

PAGE_TOURNAMENTS = 25


@dataclass(frozen=True, slots=True)
class Wanted:
    """The tournaments that are looked for: those that fit all that is given."""

    name: str = ""
    club: str = ""  # a part of its name, or its public id
    ruleset: str = ""
    year: int | None = None
    player: str = ""  # the beginning of a name
    venue: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedTournament:
    """A finished tournament, with how many played and who won."""

    tournament: Tournament
    field: int
    winners: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """A page; ``older`` and ``newer`` are the cursors of those beside it, empty where there is none."""

    rows: tuple[ArchivedTournament, ...]
    older: str = ""
    newer: str = ""


@dataclass(frozen=True, slots=True)
class PlayedTournament:
    """A finished tournament of a person: their rank among the people who played, of how many; None where they have
    none. ``points``: those of the site, else of the club; ``claimed``: they were entered by name (O2)."""

    tournament: Tournament
    rank: int | None
    field: int | None
    points: int | None
    claimed: bool


def list_archived(wanted: Wanted) -> QuerySet[Tournament]:
    """Return the finished tournaments that everybody is shown and that are looked for, in no order."""
    over = Tournament.objects.filter(
        make_listed_condition(), state=Tournament.State.FINISHED, finished_at__isnull=False
    )
    if wanted.name:
        over = over.filter(name__icontains=wanted.name)
    if wanted.club:
        key = make_name_key(wanted.club)
        clubs = Q(public_id=wanted.club) | (Q(name_key__contains=key) if key else Q(pk__in=()))
        over = over.filter(club__in=Club.objects.filter(clubs).values("pk"))
    if wanted.ruleset:
        over = over.filter(ruleset=wanted.ruleset)
    if wanted.year is not None:
        in_range = FIRST_YEAR <= wanted.year <= LAST_YEAR
        over = over.filter(finished_at__range=find_bounds(wanted.year)) if in_range else over.none()
    if wanted.venue:
        over = over.filter(venue=wanted.venue)
    if wanted.player:
        people = find_people_named(wanted.player)
        entered = EntryMember.objects.filter(person__in=people).values("tournament")
        played = TournamentPoints.objects.filter(person__in=people).values("tournament")  # also who was replaced (F2)
        over = over.filter(Q(pk__in=entered) | Q(pk__in=played))
    return over


def read_archive(wanted: Wanted, *, after: str = "", before: str = "") -> ArchivePage:
    """Return the page of what ended before the cursor ``after``, or right after the cursor ``before``; else the
    first."""
    tournaments = list_archived(wanted).select_related("club")
    back = _read_cursor(before)
    if back is not None:
        later = tournaments.filter(_build_condition("gt", back)).order_by("finished_at", "pk")
        rows = list(later[: PAGE_TOURNAMENTS + 1])
        shown = rows[:PAGE_TOURNAMENTS][::-1]
        more_newer, more_older = len(rows) > PAGE_TOURNAMENTS, True
    else:
        at = _read_cursor(after)
        earlier = tournaments if at is None else tournaments.filter(_build_condition("lt", at))
        rows = list(earlier.order_by("-finished_at", "-pk")[: PAGE_TOURNAMENTS + 1])
        shown = rows[:PAGE_TOURNAMENTS]
        more_newer, more_older = at is not None, len(rows) > PAGE_TOURNAMENTS
    older = make_cursor(shown[-1]) if shown and more_older else ""
    newer = make_cursor(shown[0]) if shown and more_newer else ""
    return ArchivePage(tuple(describe_tournaments(shown)), older, newer)


def read_after(wanted: Wanted, *, after: int | None, limit: int) -> tuple[list[ArchivedTournament], int | None]:
    """Return at most so many, those behind the tournament with this key, and the key of the last if there are more."""
    tournaments = list_archived(wanted).select_related("club")
    if after is not None:
        at = Tournament.objects.filter(pk=after).values_list("finished_at", flat=True).first()
        tournaments = tournaments.none() if at is None else tournaments.filter(_build_condition("lt", (at, after)))
    rows = list(tournaments.order_by("-finished_at", "-pk")[: limit + 1])
    return describe_tournaments(rows[:limit]), rows[limit - 1].pk if len(rows) > limit else None


def describe_tournaments(tournaments: Sequence[Tournament]) -> list[ArchivedTournament]:
    """Return these tournaments with their fields and winners, in one query for any number."""
    firsts = TournamentPoints.objects.filter(tournament__in=tournaments, rank=1).select_related("person__player")
    winners: dict[int, list[TournamentPoints]] = {}
    for row in firsts.order_by("pk"):
        winners.setdefault(row.tournament_id, []).append(row)
    return [
        ArchivedTournament(
            one,
            winners[one.pk][0].field if one.pk in winners else 0,
            tuple(row.person for row in winners.get(one.pk, ())),
        )
        for one in tournaments
    ]


def list_tournaments_played(player: Player, limit: int | None = None) -> list[PlayedTournament]:
    """Return the finished tournaments that a player played in, the latest first, those at real tables in which a claim
    to a typed name stands among them (O2); in three queries."""
    claims = dict(NameClaim.objects.standing().filter(player=player).values_list("tournament_id", "person_id"))
    entered = EntryMember.objects.of_player(player).filter(tournament=OuterRef("pk"))
    named = LineUp.objects.of_player(player).filter(fixture__round__tournament=OuterRef("pk"))
    own = Q(pk__in=claims) | Q(Exists(entered)) | Q(Exists(named))
    over = Tournament.objects.filter(own, state=Tournament.State.FINISHED).select_related("club")
    tournaments = list(over.order_by("-finished_at", "-pk")[:limit])
    people = {player.person.pk, *claims.values()}
    best: dict[int, TournamentPoints] = {}
    for row in TournamentPoints.objects.filter(tournament__in=tournaments, person__in=people).order_by("-rank"):
        if row.person_id in (player.person.pk, claims.get(row.tournament_id)):
            best[row.tournament_id] = row
    return [_describe_played(one, best.get(one.pk), one.pk in claims) for one in tournaments]


def _describe_played(tournament: Tournament, row: TournamentPoints | None, claimed: bool) -> PlayedTournament:
    if row is None:
        return PlayedTournament(tournament, None, None, None, claimed)
    points = row.points if row.site_points is None else row.site_points
    return PlayedTournament(tournament, row.rank, row.field, points, claimed)


def find_people_named(name: str) -> Collection[int]:
    """Return the persons whose public name begins so, as many as a search shows; who is shown by initials, or left,
    isn't found (I1)."""
    accounts = begin_with(Player.objects.filter(user__is_active=True), "name_key", name)
    players = list(accounts.values_list("pk", flat=True)[: caps.RANKING_NAMES])
    typed = begin_with(Person.objects.filter(player=None, initials=False), "typed_key", name)
    typed = typed.exclude(typed_name=FORGOTTEN_NAME)
    claimed = NameClaim.objects.standing().filter(player__in=players).values_list("person_id", flat=True)
    own = Person.objects.filter(player__in=players).values_list("pk", flat=True)
    return {*own, *claimed, *typed.values_list("pk", flat=True)[: caps.RANKING_NAMES]}


def make_cursor(tournament: Tournament) -> str:
    """Return where a tournament stands in the archive."""
    assert tournament.finished_at is not None
    return f"{tournament.finished_at.isoformat()}_{tournament.pk}"


def _read_cursor(text: str) -> tuple[datetime, int] | None:
    hour, _mark, key = text.rpartition("_")
    if not key.isascii() or not key.isdigit() or len(key) > 18:
        return None
    try:
        at = datetime.fromisoformat(hour)
    except ValueError:
        return None
    return (at.astimezone(UTC), int(key)) if at.tzinfo is not None and is_within(at) else None


def _build_condition(side: str, at: tuple[datetime, int]) -> Q:
    hour, key = at
    behind = Q(**{f"finished_at__{side}": hour}) | Q(**{"finished_at": hour, f"pk__{side}": key})
    return Q(**{f"finished_at__{side}e": hour}) & behind  # the first is what an index is good for
