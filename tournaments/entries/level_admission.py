"""Levels of lines in a tournament: the order of seeds by them (K1), and the range that it admits (L7)."""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

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


def order_by_level(
    tournament: Tournament, entry_ids: Sequence[int], mates: Mapping[int, int] = MappingProxyType({})
) -> list[int]:
    """Return the entries with the best level first; who has none after those who have 1500, equals as listed (K1).
    ``mates``: the entry of these that each of others is part of (EV2)."""
    members: dict[int, list[int]] = {}
    people = EntryMember.objects.filter(entry__in=[*entry_ids, *mates], person__player__isnull=False)
    for entry_id, player_id in people.values_list("entry_id", "person__player_id"):
        members.setdefault(mates.get(entry_id, entry_id), []).append(player_id)
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


def rank_by_level(tournament: Tournament, entry_ids: Sequence[int]) -> list[int | None]:
    """Return the place of each of these entries of one person by their level, the best 1, equals the same; None who has
    none (EV2)."""
    people = EntryMember.objects.filter(entry__in=entry_ids, person__player__isnull=False)
    players = dict(people.values_list("entry_id", "person__player_id"))
    levels = read_levels(list(players.values()), tournament.ruleset, _find_form(tournament))
    values = {pk: levels[player_id].value for pk, player_id in players.items() if player_id in levels}
    best_first = sorted(-value for value in values.values())
    return [1 + bisect_left(best_first, -values[pk]) if pk in values else None for pk in entry_ids]


def _find_form(tournament: Tournament) -> str:
    return ALONE if tournament.entry_kind.sits_alone else PAIRS
