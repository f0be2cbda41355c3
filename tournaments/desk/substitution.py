"""A player takes another's place in an entry, between two of its fixtures (F2, E1, E8)."""

from django.db import transaction

from players.models import Player
from players.selectors import find_by_name
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import list_person_ids, store_version
from tournaments.core.log_details import ReplacementDetail
from tournaments.desk.act import Act, begin_act, write_act
from tournaments.models import Entry, Fixture, LineUp, LogEntry, Tournament


def replace_player(*, tournament_id: int, entry_id: int, player_id: int, name: str, act: Act) -> None:
    """Replace ``player_id`` by ``name`` in the entry from its next fixture on; what was played stays.

    TournamentError: the entry is playing now or has left, or the newcomer may not play in it (E1, guests, the house).
    """
    with transaction.atomic():
        tournament = begin_act(tournament_id, act)
        if tournament is None:
            return
        if tournament.state != Tournament.State.RUNNING:
            raise TournamentError("over")
        members = tournament.members.with_people().select_related("entry").filter(entry=entry_id)
        if members.of_player(act.by).exists():
            raise TournamentError("plays_there")
        member = members.filter(person__player=player_id).first()
        if member is None:
            raise TournamentError("no_such_entry")
        _require_free(member.entry)
        new = _find_substitute(tournament, name)
        old = member.require_player()
        detail = ReplacementDetail(
            entry=member.entry_id,
            members=list_person_ids(member.entry),
            changed=(member.person_id, new.person.pk),
        )
        _keep_line_ups(member.entry)
        member.person = new.person
        member.save(update_fields=["person"])
        write_act(tournament, "replace", act, detail)
        store_version(tournament)
        people = [player.pk for player in (old, new) if not player.is_house]
        about = LogEntry.objects.filter(tournament=tournament).order_by("-pk").values_list("pk", flat=True).first()
        notify.tell_people(tournament, people, "replaced")
        notify.mail_people(tournament, people, "replaced", act.now, about=about)


def _require_free(entry: Entry) -> None:
    if entry.withdrawn_at is not None:
        raise TournamentError("entry_left")
    sides = Fixture.objects.filter(state=Fixture.State.PLAYING)
    if sides.filter(first=entry).exists() or sides.filter(second=entry).exists():
        raise TournamentError("entry_plays")


def _keep_line_ups(entry: Entry) -> None:
    """Store the players of each of the entry's fixtures so far: its members, where nobody is named yet."""
    members = list(entry.members.order_by("position"))
    for side, name in enumerate(("first", "second")):
        own = Fixture.objects.played().filter(**{name: entry})
        unnamed = own.exclude(pk__in=LineUp.objects.filter(side=side, fixture__in=own).values("fixture"))
        LineUp.objects.bulk_create(
            LineUp(fixture_id=fixture, side=side, person_id=member.person_id, position=member.position)
            for fixture in unnamed.values_list("pk", flat=True)
            for member in members
        )


def _find_substitute(tournament: Tournament, name: str) -> Player:
    """Return the player of this name, if they may play for an entry here."""
    player = find_by_name(name)
    if player is None:
        raise TournamentError("player_unknown")
    if player.is_house and not tournament.house_allowed:
        raise TournamentError("house_not_allowed")
    if player.is_guest and not tournament.guests_allowed:
        raise TournamentError("guests_not_allowed")
    if tournament.members.of_player(player).exists():
        raise TournamentError("player_entered")
    return player
