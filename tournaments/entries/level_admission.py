"""Levels of lines in a tournament: the order of seeds by them (K1), and the range that it admits (L7)."""

from collections.abc import Collection, Sequence

from games.levels import ALONE, PAIRS, average_levels, read_levels
from players.models import Player
from tournaments.models import EntryMember, Tournament


def admits(tournament: Tournament, players: Collection[Player]) -> bool:
    """Tell if the level of this line is in the range that a tournament admits (L7)."""
    low, high = tournament.level_min, tournament.level_max
    if low is None and high is None:
        return True
    levels = read_levels([player.pk for player in players], tournament.ruleset, _find_form(tournament))
    value = average_levels([levels.get(player.pk) for player in players]).value
    return (low is None or value >= low) and (high is None or value <= high)


def order_by_level(tournament: Tournament, entry_ids: Sequence[int]) -> list[int]:
    """Return the entries with the best level first; who has none after those who have 1500, equals as listed (K1)."""
    members: dict[int, list[int]] = {}
    people = EntryMember.objects.filter(entry__in=entry_ids, person__player__isnull=False)
    for entry_id, player_id in people.values_list("entry_id", "person__player_id"):
        members.setdefault(entry_id, []).append(player_id)
    everybody = [player_id for players in members.values() for player_id in players]
    levels = read_levels(everybody, tournament.ruleset, _find_form(tournament))
    worth: dict[int, tuple[int, bool]] = {}
    for entry_id in entry_ids:
        member_levels = [levels.get(player_id) for player_id in members.get(entry_id, ())]
        worth[entry_id] = (
            average_levels(member_levels or [None]).value,
            any(level is not None for level in member_levels),
        )
    return sorted(entry_ids, key=lambda entry_id: worth[entry_id], reverse=True)


def _find_form(tournament: Tournament) -> str:
    return ALONE if tournament.entry_kind.sits_alone else PAIRS
