"""Kinds of entries, for whatever reads or checks names without a tournament."""

from tournaments.entry_kinds import EntryKind, Numbers, find_kind


def make_kind(*, pairs: bool = False, teams: bool = False) -> EntryKind:
    """Return one person or a pair; or a team of six at most, of whom one or two play."""
    return find_kind(Numbers(1 + pairs, 6 * teams, 1))
