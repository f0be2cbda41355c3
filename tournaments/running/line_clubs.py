"""Clubs of entries (EV9), read from what the list says and from the clubs that accounts are members of.

An entry is of all clubs of its people. Clubs are compared by their names, however these are written.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from players.names import make_name_key
from tournaments.formats import FORMATS
from tournaments.formats.protocol import ClubFormat, Clubs
from tournaments.models import ClubMember, Tournament


def find_club_format(tournament: Tournament) -> ClubFormat | None:
    """Return the format of a tournament that keeps those of one club apart; None where nobody does."""
    format_ = FORMATS[tournament.format]
    if isinstance(format_, ClubFormat) and format_.protects_clubs(tournament.format_options):
        return format_
    return None


def read_clubs(
    tournament: Tournament, entries: Sequence[int], mates: Mapping[int, int] = MappingProxyType({})
) -> Clubs:
    """Return the clubs of these entries, by numbers, in their order; none where nobody is kept apart. ``mates``: the
    entry of these that each of others is part of (EV2)."""
    if find_club_format(tournament) is None:
        return ()
    members = list(tournament.members.order_by().values_list("entry_id", "club", "person__player_id"))
    memberships: defaultdict[int, list[str]] = defaultdict(list)
    players = {player for _entry, _club, player in members if player is not None}
    if players:
        own = ClubMember.objects.filter(confirmed=True, player__person__memberships__tournament=tournament)
        for player, key in own.values_list("player_id", "club__name_key"):
            memberships[player].append(key)
    keys: defaultdict[int, set[str]] = defaultdict(set)
    for entry, club, player in members:
        keys[mates.get(entry, entry)].update(
            key for key in (make_name_key(club), *memberships.get(player or 0, ())) if key
        )
    numbers: dict[str, int] = {}
    return tuple(
        frozenset(numbers.setdefault(key, len(numbers) + 1) for key in sorted(keys[entry])) for entry in entries
    )
