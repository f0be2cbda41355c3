"""Playing ahead (R6): where rounds have hours of their own, two entries that both want to sit down sooner."""

from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import FixtureDetail
from tournaments.models import EntryMember, Fixture, Tournament


@transaction.atomic
def play_ahead(*, tournament_id: int, fixture_id: int, by: Player, now: datetime) -> bool:
    """Store that the player's entry wants to play this fixture now. Return True if it opens, because both want so.

    House players are always ready. TournamentError: not_running, no_such_fixture (not one's own), not_ahead.
    """
    tournament = lock_tournament(tournament_id)
    if tournament.state != Tournament.State.RUNNING:
        raise TournamentError("not_running")
    fixtures = Fixture.objects.of(tournament).select_for_update(of=("self",))
    fixture = fixtures.filter(pk=fixture_id).first()
    members = {} if fixture is None else _read_sides(fixture)
    line = next((line for line, players in members.items() if by.pk in {player.pk for player in players}), None)
    if fixture is None or line is None:
        raise TournamentError("no_such_fixture")
    if not (tournament.has_hours and fixture.venue.opens_tables and fixture.state == Fixture.State.READY):
        raise TournamentError("not_ahead")
    house = all(player.is_house for player in members[1 - line])
    both = house or fixture.ahead_by == 1 - line
    if both:
        fixture.opens_at = min(now, fixture.opens_at or now)
        write_log(tournament, "ahead", now, by, FixtureDetail(fixture=fixture.pk))
    else:
        fixture.ahead_by = line
    fixture.save(update_fields=["opens_at", "ahead_by"])
    store_version(tournament)
    return both


def _read_sides(fixture: Fixture) -> dict[int, list[Player]]:
    """Return the players of each side; at real tables some people have no account (O2)."""
    sides = {fixture.first_id: 0, fixture.second_id: 1}
    players: dict[int, list[Player]] = {0: [], 1: []}
    rows = EntryMember.objects.filter(entry__in=[side for side in sides if side is not None])
    for member in rows.with_people():
        if member.person.player is not None:
            players[sides[member.entry_id]].append(member.person.player)
    return players
