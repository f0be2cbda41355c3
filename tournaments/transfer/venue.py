"""Venue of a tournament that travels: one of the site goes on at real tables elsewhere, and on the site when it is home
again (O1, O9)."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from tournaments.core.bulk import update_rows
from tournaments.models import Fixture, Tournament
from tournaments.organise.settings import Settings, apply_settings, drop_inapplicable, read_settings
from tournaments.running.plan_store import compute_round_opens_at
from tournaments.running.results import advance
from tournaments.venues import HALL

State = Tournament.State
# What follows from where it is played: it comes from where the tournament is, not from the file.
OF_VENUE = (
    "venue", "publishes_rounds", "turn_timeout", "match_clock", "pause", "checkin_minutes", "round_minutes",
    "round_hours",
)  # fmt: skip
RoundHours = Mapping[int, datetime | None]


def move_to_hall(tournament: Tournament, now: datetime) -> None:
    """Have a tournament of another site go on at real tables: an imported one opens no tables here. What is over stays
    as it was played."""
    if tournament.venue.types_results or tournament.state == State.FINISHED:
        return
    settings = replace(read_settings(tournament), venue=HALL)
    apply_settings(tournament, drop_inapplicable(settings))
    if tournament.state == State.CHECKIN:  # by the clock; the roll is called now, and who is ticked stays so
        tournament.state = State.OPEN
    tournament.save()
    tournament.rounds.filter(finished=False).update(opens_at=None)
    advance(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()


def read_round_hours(tournament: Tournament) -> RoundHours:
    """Return the hours of the rounds that are stored, by number."""
    return dict(tournament.rounds.values_list("number", "opens_at"))


def move_home(tournament: Tournament, home: Settings, hours: RoundHours) -> None:
    """Have a tournament that has come back be played as ``home`` says, with the ``hours`` its rounds had here.

    Somebody without an account sits at no table of the site: then it stays at real tables.
    """
    if tournament.venue == home.venue or _has_typed_names(tournament):
        return
    settings = replace(read_settings(tournament), **{name: getattr(home, name) for name in OF_VENUE})
    apply_settings(tournament, settings if tournament.drawn_at else drop_inapplicable(settings))
    tournament.save()
    rounds = list(tournament.rounds.filter(finished=False))
    for round_ in rounds:
        has_hour = round_.number in hours
        round_.opens_at = hours[round_.number] if has_hour else compute_round_opens_at(tournament, round_.number)
    update_rows(rounds, ["opens_at"])


def waits_for_slips(tournament: Tournament) -> bool:
    """Tell if fixtures wait at real tables: slips that were printed elsewhere have no codes of this site (O4)."""
    return tournament.venue.types_results and Fixture.objects.of(tournament).ready().exists()


def _has_typed_names(tournament: Tournament) -> bool:
    """Tell if somebody without an account is still in it."""
    return tournament.members.filter(person__player=None, entry__withdrawn_at=None).exists()
