"""Problems of the rows of a list, by their codes. It checks nothing."""

from collections.abc import Iterable
from dataclasses import dataclass

PROBLEMS = frozenset(
    {
        "player_missing",
        "unknown_name",
        "name_of_house",
        "name_of_guest",  # where guests aren't allowed
        "twice",  # values: row, where it stood first
        "in_already",
        "invited_already",
        "not_invitable",  # why is nobody's business
        "no_invitations",  # values: how many are left
        "partner_missing",
        "partner_unwanted",  # single players
        "same_person",  # twice in one pair
        "card_twice",  # values: row
        "pair_missing",  # no pair number
        "pair_size",  # values: how many have this pair number
        "team_missing",  # no name of the team
        "team_in_already",
        "team_small",  # values: least people
        "team_big",  # values: most people
        "same_in_team",
        "level_no_number",
        "namesake",  # without a suffix that tells them apart
        "name_short",
        "name_long",
        "name_characters",
        "name_letters",
        "name_reserved",
        "no_room",  # values: limit
        "seed_no_number",
        "seed_twice",  # values: row
        "seeds_by_lot",
    }
)


@dataclass(frozen=True, slots=True)
class Problem:
    """Problem of a row: ``code`` is one of PROBLEMS; ``about`` is player, partner or seed; ``typed`` the text there;
    ``other`` the row or the limit that the code speaks of."""

    row: int
    code: str
    about: str
    typed: str = ""
    other: int = 0


def list_bad_rows(problems: Iterable[Problem]) -> set[int]:
    """Return the rows that have a problem: the others can be entered without them."""
    return {problem.row for problem in problems}
