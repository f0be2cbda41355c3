"""Facts of a drawn tournament as the naive twin knows them: plain values, without anything that names it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Meeting:
    """A fixture as it is stored, its entries by seed. ``second`` None: alone."""

    round: int
    board: int
    first: int | None
    second: int | None
    state: str
    group: int | None = None
    over: bool = False
    annulled: bool = False  # by a referee
    winner: int | None = None
    double: bool = False
    vp: tuple[int, int] = (0, 0)
    mp: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)
    forfeits: frozenset[int] = frozenset()  # the sides that did
    unplayed: bool = False  # forfeited before the first card
    margin: int | None = None  # of points; None after a forfeit


@dataclass(frozen=True, slots=True)
class Standing:
    """An entry as it is stored; ``place``: as readers see its rank, None where they see none."""

    rank: int | None
    place: int | None
    played: int
    won: int
    mp: int
    vp: int
    left_after: int | None = None  # what it had when it left (R5)
    group: int | None = None
    house: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """A drawn tournament, without anything that names it."""

    format: str
    options: Mapping[str, bool | int]
    ties: str  # a preset, or criteria with commas between
    equal: bool
    finished: bool
    rounds: int
    bye: tuple[int, int]  # MP and VP (D1)
    entries: Mapping[int, Standing]
    meetings: tuple[Meeting, ...]
    out: Mapping[int, Mapping[int, str]] = field(default_factory=dict)  # by round, who doesn't play it: the kind
    banned: bool = False  # some pairs are forbidden (D4), which are asked before the rounds to come
    fewest: bool = False  # fewer points win (A1)
    # By seed, where those of one club were kept apart (EV9) and nobody changed places by hand.
    clubs: Mapping[int, frozenset[int]] = field(default_factory=dict)
    withheld: frozenset[int] = frozenset()  # rounds with equal deals whose results nobody was shown yet
    ways: frozenset[int] = frozenset()  # rounds that the organiser had paired otherwise, where there was no way (D1)

    @property
    def size(self) -> int:
        return len(self.entries)

    def find_unknown(self, *open_: str) -> int:
        """Return the first round that isn't in the standings: with equal deals one of which a fixture has one of these
        states (J10). What was shown to everybody stays there, though a result was taken back since."""
        after = self.rounds + 1
        if not self.equal:
            return after
        going_on = min((one.round for one in self.meetings if one.state in open_), default=after)
        return max(going_on, min(self.withheld, default=after))

    def list_round(self, number: int) -> list[Meeting]:
        """Return a round's fixtures, board by board."""
        return sorted((one for one in self.meetings if one.round == number), key=lambda one: one.board)
