"""Changes of a team that is entered (O12): its name, and people who join it, also after the draw."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from players.models import Player
from players.names import clean_typed_name, make_name_key
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import EntriesDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.states import UNFINISHED
from tournaments.entries.typed_names import store_people
from tournaments.lists.name_checks import check_name
from tournaments.lists.problems import Problem
from tournaments.models import Entry, EntryMember


@transaction.atomic
def rename_team(*, tournament_id: int, by: Player, entry_id: int, name: str, now: datetime) -> None:
    """Correct a team's name. TournamentError: not_organiser, no_such_entry; list_refused (``problems``)."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    entry = tournament.entries.exclude(team_name="").filter(pk=entry_id).first()
    if entry is None:
        raise TournamentError("no_such_entry")
    problems = list(check_name(1, "team", name))
    others = tournament.entries.exclude(pk=entry.pk).values_list("team_name", flat=True)
    if not problems and make_name_key(name) in map(make_name_key, others):
        problems.append(Problem(1, "team_in_already", "team", name))
    if problems:
        raise TournamentError("list_refused", problems=problems)
    entry.team_name = clean_typed_name(name)
    entry.save(update_fields=["team_name"])
    write_log(tournament, "renamed", now, by)
    store_version(tournament)


@transaction.atomic
def add_to_team(*, tournament_id: int, by: Player, entry_id: int, names: Sequence[str], now: datetime) -> None:
    """Enter more people in a team. TournamentError: not_organiser, over, no_such_entry, team_full, bad_name."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in UNFINISHED:
        raise TournamentError("over")
    entry = Entry.objects.exclude(team_name="").filter(tournament=tournament, pk=entry_id, withdrawn_at=None).first()
    if entry is None:
        raise TournamentError("no_such_entry")
    members = list(entry.members.order_by("position"))
    if len(members) + len(names) > tournament.entry_kind.most:
        raise TournamentError("team_full", high=tournament.entry_kind.most)
    here = members[0].checked_in_at
    EntryMember.objects.bulk_create(
        EntryMember(entry=entry, tournament=tournament, person=person, position=position, checked_in_at=here)
        for position, person in enumerate(store_people(tournament, names), start=members[-1].position + 1)
    )
    write_log(tournament, "team_grown", now, by, EntriesDetail(entries=(entry.pk,)))
    store_version(tournament)
