"""Rankings in tests: finished tournaments with points that nobody had to play for."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from players.models import Person, Player
from tests.support.people import create_person
from tournaments.models import Club, Entry, EntryMember, Ranking, Tournament, TournamentPoints
from tournaments.rankings.points import note_change
from tournaments.rankings.refresh import refresh_rankings
from tournaments.venues import SITE, Venue


def create_over(
    organiser: Player,
    now: datetime,
    points: Mapping[Person, int],
    *,
    name: str = "Torneo del giovedì",
    ruleset: str = "scopa",
    pairs: bool = False,
    club: Club | None = None,
    venue: Venue = SITE,
    on_site: bool = True,
) -> Tournament:
    """Create a finished tournament that gave each of these persons so many points."""
    made = Tournament.objects.create(
        name=name, organiser=organiser, state="finished", format="ko", ruleset=ruleset, length_kind="deals",
        length_value=1, created_at=now - timedelta(hours=2), drawn_at=now - timedelta(hours=1), finished_at=now,
        seats_an_entry=1 + pairs, club=club, venue=venue,
    )  # fmt: skip
    ranked = sorted(points.items(), key=lambda row: -row[1])
    for rank, (person, value) in enumerate(ranked, start=1):
        entry = Entry.objects.create(tournament=made, created_at=now, seed=rank, rank=rank)
        EntryMember.objects.create(entry=entry, tournament=made, person=person)
        site = {"site_rank": rank, "site_field": len(ranked), "site_points": value} if on_site else {}
        TournamentPoints.objects.create(
            tournament=made, entry=entry, person=person, rank=rank, field=len(ranked), points=value, **site
        )
    note_change(made, now)
    return made


def create_people(count: int, now: datetime, start: int = 1) -> list[Person]:
    return [create_person(f"Persona{number:03d}", now).person for number in range(start, start + count)]


def make_rankings(now: datetime) -> None:
    refresh_rankings(now=now)


def find_ranking(kind: str, *, club: Club | None = None, ruleset: str = "scopa", form: str = "alone") -> Ranking:
    """Return the latest ranking of that kind."""
    return Ranking.objects.filter(club=club, ruleset=ruleset, form=form, kind=kind).order_by("-year")[0]


def read_rows(ranking: Ranking) -> list[tuple[int, str, int]]:
    """Return rank, name and value of everybody in a ranking, as they are listed."""
    rows = ranking.rows.filter(generation=ranking.generation).order_by("place").select_related("person__player")
    return [(row.rank, row.person.public_name, row.value) for row in rows]
