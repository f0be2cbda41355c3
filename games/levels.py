"""A skill level as it is shown at the tables: a whole number, whether it is uncertain, and its band (L5).

What levels are made of is decided in ``scoring``, which registers the reader at start: tables know no ratings.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.utils import timezone

from players.models import Player
from players.selectors import find_shown

PlayForm = Literal["alone", "pairs"]  # the form of a match by which levels are kept apart (L1)
ALONE: PlayForm = "alone"
PAIRS: PlayForm = "pairs"
FORM_OF: Mapping[int, PlayForm] = {2: ALONE, 4: PAIRS}  # by the number of players; where three play there is none
START = 1500  # what who has no level is taken for
BANDS = (  # the least level of each, the lowest first
    (1200, "amateur"),
    (1400, "club"),
    (1600, "expert"),
    (1800, "master"),
    (2000, "grand_master"),
)
LOWEST_BAND = "beginner"


def find_band(value: int) -> str:
    """Return the code of the band that a level is in (L5)."""
    return next((code for least, code in reversed(BANDS) if value >= least), LOWEST_BAND)


@dataclass(frozen=True, slots=True)
class ShownLevel:
    """A level as everybody is shown it (L5); ``uncertain`` is the question mark."""

    value: int
    uncertain: bool

    @property
    def band(self) -> str:
        """Return the code of its band."""
        return find_band(self.value)

    def __str__(self) -> str:
        return f"{self.value}{'?' * self.uncertain}"


LevelReader = Callable[[Collection[int], str, str, datetime], dict[int, ShownLevel]]

_readers: list[LevelReader] = []


def register_reader(read: LevelReader) -> None:
    """Register who knows levels, at start."""
    if read not in _readers:
        _readers.append(read)


def read_levels(
    player_ids: Collection[int], ruleset: str, form: str, now: datetime | None = None
) -> dict[int, ShownLevel]:
    """Return the levels of these players in a ruleset and form, by id; who has none isn't in it (L1)."""
    levels: dict[int, ShownLevel] = {}
    for read in _readers:
        levels |= read(player_ids, ruleset, form, now or timezone.now())
    return levels


def read_shown_levels(
    people: Collection[Player], reader: Player | None, ruleset: str, players: int
) -> dict[int, ShownLevel]:
    """Return the levels of these people at a table of that many players, by id: of those alone who show theirs to the
    reader. Empty where that form has no level."""
    form = FORM_OF.get(players)
    return {} if form is None else read_levels(find_shown(people, reader, "levels"), ruleset, form)


def average_levels(levels: Collection[ShownLevel | None]) -> ShownLevel:
    """Return the level of a line: the mean of its people's (L5); who has none counts as 1500, uncertain."""
    values = [START if level is None else level.value for level in levels]
    mean = (2 * sum(values) + len(values)) // (2 * len(values))  # half up
    return ShownLevel(mean, any(level is None or level.uncertain for level in levels))
