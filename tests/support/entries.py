"""Entries in tests: enter players, and read who is in and who waits by name."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import F

from players.models import Player
from tests.support.tournaments import Opened
from tournaments.core.log_details import NameDetail, encode_detail
from tournaments.entries import invitations, join
from tournaments.entries.queries import count_taken_places
from tournaments.models import Entry, EntryMember, Invitee, LogEntry, PlayInvitation, Tournament
from tournaments.organise.settings import Settings, read_settings


def enter_all(tournament: Tournament, players: Sequence[Player], now: datetime) -> Tournament:
    """Enter these players one after the other. Where anybody may enter and there is a place for all, what the service
    would write for all but the last is written at once: what it asks at each entry is most of what it takes."""
    if len(players) > 1 and _may_anybody_enter(tournament, len(players)):
        _write_entries(tournament, players[:-1], now)
        players = players[-1:]
    for player in players:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    tournament.refresh_from_db()
    return tournament


def _may_anybody_enter(tournament: Tournament, count: int) -> bool:
    """Return whether so many may enter alone, and the last of them alone can be what it starts for."""
    now_stored = Tournament.objects.get(pk=tournament.pk)
    return (
        now_stored.state == Tournament.State.OPEN
        and now_stored.registration == Tournament.Registration.OPEN
        and now_stored.entry_kind.enters_alone
        and count_taken_places(now_stored) + count <= now_stored.max_entries
    )


def _write_entries(tournament: Tournament, players: Sequence[Player], now: datetime) -> None:
    """Write what the service leaves of these entries, but for its count of how often somebody enters."""
    entries = Entry.objects.bulk_create([Entry(tournament=tournament, created_at=now) for _player in players])
    EntryMember.objects.bulk_create(
        EntryMember(entry=entry, tournament=tournament, person=player.person)
        for entry, player in zip(entries, players, strict=True)
    )
    LogEntry.objects.bulk_create(
        LogEntry(
            tournament=tournament,
            player=player,
            at=now,
            code="joined",
            detail=encode_detail("joined", NameDetail(name=player.name)),
        )
        for player in players
    )
    Tournament.objects.filter(pk=tournament.pk).update(version=F("version") + len(players))


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
    return enter_all(opened(min_entries=len(players), max_entries=len(players), **settings), players, now)


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
