"""Entries in tests: enter players, and read who is in and who waits by name."""

from datetime import datetime
from typing import Any

from players.models import Player
from tests.support.tournaments import Opened
from tournaments.entries import invitations, join
from tournaments.models import EntryMember, Invitee, PlayInvitation, Tournament
from tournaments.organise.settings import Settings, read_settings


def enter_all(tournament: Tournament, players: list[Player], now: datetime) -> Tournament:
    for player in players:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    tournament.refresh_from_db()
    return tournament


def list_names(rows: Any) -> list[str]:
    entries = [entry.pk for entry in rows]
    members = EntryMember.objects.filter(entry__in=entries).select_related("person__player").order_by("position")
    by_entry = {entry: [m.person.name for m in members if m.entry_id == entry] for entry in entries}
    return ["+".join(by_entry[entry]) for entry in entries]


def list_placed(tournament: Tournament) -> list[str]:
    return list_names(tournament.entries.in_place().order_by("pk"))


def list_waiting(tournament: Tournament) -> list[str]:
    return list_names(tournament.entries.queue())


def change_settings(tournament: Tournament, **values: Any) -> Settings:
    before = read_settings(tournament)
    return Settings(**{name: values.get(name, getattr(before, name)) for name in Settings.__slots__})


def fill_sit_and_go(opened: Opened, players: list[Player], now: datetime, **settings: object) -> Tournament:
    """A sit and go that these players filled, so that it is drawn."""
    tournament = opened(min_entries=len(players), max_entries=len(players), **settings)
    for player in players:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    tournament.refresh_from_db()
    return tournament


def accept_all(tournament: Tournament, now: datetime) -> Tournament:
    """Everybody who is invited to play in the tournament accepts, in the order of the invitations."""
    for row in Invitee.objects.filter(
        invitation__tournament=tournament, invitation__ended_at=None, accepted_at=None
    ).order_by("pk"):
        invitations.accept_invitation(
            tournament_id=tournament.pk, player=row.player, invitation_id=row.invitation_id, now=now
        )
    tournament.refresh_from_db()
    return tournament


def find_invitation(tournament: Tournament, player: Player) -> PlayInvitation:
    """Return the open invitation of that player."""
    return PlayInvitation.objects.open().get(tournament=tournament, invitees__player=player)
