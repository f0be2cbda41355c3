"""Kinds of entries: one person, a pair (E1), a team of whom a line-up plays (O12), a team at two tables (O12, J11), a
person who gets a partner at the draw (EV2).

Nothing asks which kind it is, nor for the numbers that are stored of it: whoever needs to know something asks the kind
for it. Another one is one more function here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LEAST_OF_TEAM = 2  # people, whatever the game (O12)
ENTERED = "entered"  # partners as they enter; every other way draws them (EV2)


class Numbers(NamedTuple):
    """Numbers that are stored of a kind, in columns of these names."""

    seats_an_entry: int  # 2: partners sit at the table
    team_size: int  # the most people of a team; 0: no teams
    team_tables: int  # of a fixture
    equal_deals: bool = False
    partners: str = ENTERED  # how those of a pair find each other (EV2)
    pairs_stay: bool = False  # who comes as a pair may stay one (EV2)

    @classmethod
    def of(cls, stored: object) -> "Numbers":
        """Return the numbers of a tournament, or of its settings."""
        return cls(*(getattr(stored, name) for name in NUMBERS))


NUMBERS = Numbers._fields


class Words(NamedTuple):
    """Names of an entry of a kind, on pages."""

    one: "StrOrPromise"
    many: "StrOrPromise"
    first: "StrOrPromise"  # of the two of a fixture
    second: "StrOrPromise"
    counted: "StrOrPromise"  # "%(n)s …"
    enter: "StrOrPromise"  # by oneself


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryKind:
    """A kind of entry, with its answers."""

    seats: int  # how many of it sit at one table
    tables: int = 1  # of a fixture: its parts, which count together
    exchanges_seats: bool = False  # at the second table the second entry has seat 0; the deals' swings are summed (J11)
    least: int  # people it must have
    most: int  # people it may have
    has_name: bool = False  # of its own, which somebody types
    lists_people: bool = False  # its people are typed as a list; else the first and, if need be, the partner are
    has_line_ups: bool = False  # who plays is noted with each fixture: not everybody does, nor anywhere (O12)
    joins: int = 1  # so many entries become one at the draw (EV2)
    keeps_pairs: bool = False  # two who come as a pair may be one at the draw, too (EV2)
    until_draw: "EntryKind | None" = None  # what enters, where the draw makes the entries (EV2)
    words: Words

    @property
    def players(self) -> int:
        """Return how many people sit at a table."""
        return 2 * self.seats

    @property
    def line_up_size(self) -> int:
        """Return how many people of it play a fixture, once it is drawn: of those that the draw joins each has some."""
        return self.seats * self.tables // self.joins

    @property
    def most_typed(self) -> int:
        """Return how many people may be typed together; two who come as a pair are two entries (EV2)."""
        return 2 * self.most if self.keeps_pairs else self.most

    @property
    def has_parts(self) -> bool:
        """Tell if a fixture is played at several tables, which count together (O12)."""
        return self.tables > 1

    @property
    def first_part(self) -> int:
        """Return the part that a fixture's only or first row is (O12)."""
        return int(self.has_parts)

    @property
    def sits_alone(self) -> bool:
        """Tell if nobody sits opposite as a partner: levels and rankings are others then (L1)."""
        return self.seats == 1

    @property
    def enters_alone(self) -> bool:
        """Tell if whoever enters is all of it."""
        return self.most == 1

    @property
    def comes_alone(self) -> bool:
        """Tell if an account enters without a partner, named or asked."""
        return self.sits_alone or self.enters_alone

    @property
    def entering(self) -> "EntryKind":
        """Return what enters: another kind than what plays where the draw makes pairs of people (EV2)."""
        return self.until_draw or self

    @property
    def is_drawn_pair(self) -> bool:
        """Tell if the draw has made it of people who entered each alone (EV2)."""
        return self.until_draw is not None

    @property
    def awaits_partner(self) -> bool:
        """Tell if it gets its partner at the draw (EV2)."""
        return self.joins > 1

    def count_playing(self, entries: int) -> int:
        """Return how many of those that play so many entries make."""
        return entries // self.joins

    @property
    def names_partner(self) -> bool:
        """Tell if it is two people, of whom one enters and names the other (E1)."""
        return self.most == 2 and not self.lists_people

    @property
    def is_fixed_pair(self) -> bool:
        """Tell if it is two people who chose each other: one that the draw has made is for this tournament (EV2)."""
        return self.names_partner and not self.is_drawn_pair

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the names of the fields of a form in which an entry is typed."""
        people = ("people",) if self.lists_people else ("player", "partner")[: self.most_typed]
        return ("team", *people) if self.has_name else people

    def takes_over(self, other: "EntryKind") -> bool:
        """Tell if entries of another kind can be entries of this one as they are, or each of their people (O2, EV2)."""
        alike = (self.seats, self.has_name, self.lists_people) == (other.seats, other.has_name, other.lists_people)
        return alike and other.most <= self.most * self.joins


OF_PEOPLE = Words(
    _("Giocatore"), _("Giocatori"), _("Primo giocatore"), _("Secondo giocatore"),
    ngettext_lazy("%(n)s giocatore", "%(n)s giocatori", "n"), _("Iscriviti"),
)  # fmt: skip
OF_PAIRS = Words(
    _("Coppia"), _("Coppie"), _("Prima coppia"), _("Seconda coppia"),
    ngettext_lazy("%(n)s coppia", "%(n)s coppie", "n"), _("Iscrivi la tua coppia"),
)  # fmt: skip
OF_TEAMS = Words(
    _("Squadra"), _("Squadre"), _("Prima squadra"), _("Seconda squadra"),
    ngettext_lazy("%(n)s squadra", "%(n)s squadre", "n"), _("Iscrivi la tua squadra"),
)  # fmt: skip


def make_entry_of_few(numbers: Numbers) -> EntryKind | None:
    """Return one person, or a pair: all of it sit at the table (E1)."""
    if numbers.team_size:
        return None
    seats = numbers.seats_an_entry
    return EntryKind(
        seats=seats, tables=numbers.team_tables, least=seats, most=seats, words=OF_PEOPLE if seats == 1 else OF_PAIRS
    )


def make_drawn_pair(numbers: Numbers) -> EntryKind | None:
    """Return a pair that the draw makes of two people, who enter each alone (EV2)."""
    if numbers.partners == ENTERED or numbers.seats_an_entry == 1 or numbers.team_size:
        return None
    seats = numbers.seats_an_entry
    alone = EntryKind(seats=seats, least=1, most=1, joins=seats, keeps_pairs=numbers.pairs_stay, words=OF_PEOPLE)
    return EntryKind(seats=seats, least=seats, most=seats, until_draw=alone, words=OF_PAIRS)


def make_team(numbers: Numbers) -> EntryKind | None:
    """Return a team, of whom a line-up plays each fixture, at a table or at two (O12, J11)."""
    if not numbers.team_size:
        return None
    return EntryKind(
        seats=numbers.seats_an_entry,
        tables=numbers.team_tables,
        exchanges_seats=numbers.team_tables > 1 and numbers.equal_deals,
        least=max(LEAST_OF_TEAM, numbers.seats_an_entry * numbers.team_tables),
        most=numbers.team_size,
        has_name=True,
        lists_people=True,
        has_line_ups=True,
        words=OF_TEAMS,
    )


# The first that takes them.
MAKERS: list[Callable[[Numbers], EntryKind | None]] = [make_drawn_pair, make_entry_of_few, make_team]


def find_kind(numbers: Numbers) -> EntryKind:
    """Return what an entry of these numbers is."""
    return next(kind for make in MAKERS if (kind := make(numbers)) is not None)


def match_seats(seats: int, *, of: str = "") -> Q:
    """Return the query of tournaments in which so many of an entry sit at a table; ``of``: the way to them."""
    return Q(**{f"{of}seats_an_entry": seats})
