"""Calendars of a tournament and of a player, as happenings (W2). It never writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from players.clean_text import clean_line
from players.models import Player
from tournaments.core import wording
from tournaments.models import EntryMember, Fixture, Tournament
from tournaments.pages.tournament_page import read_page
from tournaments.sharing.exports import SHARED_STATES

State = Tournament.State
ESTIMATED_LENGTH = timedelta(hours=2)  # of a tournament, until its end is known


@dataclass(frozen=True, slots=True)
class Happening:
    """Entry of a calendar. ``uid`` never changes; ``sequence`` grows with every change of the tournament."""

    uid: str
    sequence: int
    starts: datetime
    ends: datetime
    title: str
    tournament: Tournament
    cancelled: bool = False
    tentative: bool = False


def list_tournament_happenings(tournament: Tournament) -> list[Happening]:
    """Return a tournament's start, and its rounds that have an hour (R6). One that starts when it is full has no start
    before its draw."""
    start = _make_start(tournament)
    happenings = [] if start is None else [start]
    for round_ in read_page(tournament, None).schedule.rounds:
        if round_.opens_at is not None:
            happenings.append(
                Happening(
                    f"torneo-{tournament.public_id}-turno-{round_.number}@smazzata",
                    tournament.version,
                    round_.opens_at,
                    round_.opens_at + _estimate_round_length(tournament),
                    clean_line(f"{tournament.name}: {wording.name_round(round_.name, round_.number)}"),
                    tournament,
                    cancelled=tournament.state == State.CANCELLED,
                )
            )
    return happenings


def list_player_happenings(player: Player) -> list[Happening]:
    """Return the latest 200 tournaments a player is entered in, those they have played in, and the fixtures that have
    an hour, over or not. A fixture is in the calendar of whoever played it, also after a substitution (F2)."""
    members = EntryMember.objects.of_player(player).filter(tournament__state__in=SHARED_STATES)
    rows = list(members.select_related("tournament", "entry").order_by("-tournament_id")[:200])
    happenings: list[Happening] = []
    for row in rows:
        start = _make_start(row.tournament, tentative=not row.entry.approved or row.entry.waiting_since is not None)
        if start is not None:
            happenings.append(start)
    played = Fixture.objects.filter(line_ups__person__player=player, round__tournament__state__in=SHARED_STATES)
    left = Tournament.objects.filter(rounds__fixtures__in=played).exclude(pk__in=[row.tournament_id for row in rows])
    happenings += [start for start in map(_make_start, left.distinct().order_by("-pk")) if start is not None]
    happenings += _list_fixture_happenings([row.entry_id for row in rows], played)
    return happenings


def _list_fixture_happenings(entry_ids: Sequence[int], played: QuerySet[Fixture]) -> list[Happening]:
    """Return the fixtures whose round has an hour of its own (R6): the others are played as soon as they can be."""
    dated = Fixture.objects.filter(round__opens_at__isnull=False).select_related("round__tournament")
    fixtures = [
        *dated.filter(first__in=entry_ids).exclude(line_ups__side=0),
        *dated.filter(second__in=entry_ids).exclude(line_ups__side=1),
        *dated.filter(pk__in=played.values("pk")),
    ]
    happenings = []
    for fixture in fixtures:
        tournament = fixture.round.tournament
        starts = fixture.round.opens_at
        if starts is None or None in (fixture.first_id, fixture.second_id):
            continue
        happenings.append(
            Happening(
                f"incontro-{tournament.public_id}-{fixture.round.number}-{fixture.board}@smazzata",
                tournament.version,
                starts,
                starts + _estimate_round_length(tournament),
                clean_line(f"{tournament.name}: {wording.name_round(fixture.round.name, fixture.round.number)}"),
                tournament,
                cancelled=tournament.state == State.CANCELLED or fixture.state == Fixture.State.ANNULLED,
            )
        )
    return happenings


def _make_start(tournament: Tournament, *, tentative: bool = False) -> Happening | None:
    starts = tournament.starts_at or tournament.drawn_at
    if starts is None:
        return None
    ends = tournament.finished_at
    return Happening(
        f"torneo-{tournament.public_id}@smazzata",
        tournament.version,
        starts,
        ends if ends is not None and ends > starts else starts + ESTIMATED_LENGTH,
        clean_line(tournament.name),
        tournament,
        cancelled=tournament.state == State.CANCELLED,
        tentative=tentative,
    )


def _estimate_round_length(tournament: Tournament) -> timedelta:
    return timedelta(minutes=tournament.round_minutes or 60)
