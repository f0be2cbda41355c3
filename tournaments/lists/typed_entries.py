"""Entries as they are typed, pasted or imported: names that nobody has looked at yet."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TypedPerson:
    """A person as they were typed. ``club`` and ``card`` tell namesakes apart; the card is shown to nobody.

    ``row``: where they stand in a list; 0: where their entry does. ``minor``: everybody is shown initials alone (I1).
    ``side``: A or B, where pairs are drawn of two lists (EV2).
    """

    name: str
    club: str = ""
    card: str = ""
    row: int = 0
    minor: bool = False
    side: str = ""


@dataclass(frozen=True, slots=True)
class TypedEntry:
    """An entry as it was typed. ``number``: its row, from 1; ``placed``: the organiser's own order (K1); ``team``: the
    name of a team (O12); ``another``: its people are others than those who are called so already."""

    number: int
    people: tuple[TypedPerson, ...]
    placed: int | None = None
    team: str = ""
    another: bool = False
