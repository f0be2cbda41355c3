"""Names for the rows that several parts ask for. Each is one condition: none of them runs a query or writes."""

from typing import TYPE_CHECKING, Self

from django.db.models import Q, QuerySet

from games.withheld import WithheldQuerySet, require_shown
from players.models import Player
from players.names import make_name_key

if TYPE_CHECKING:
    from tournaments.models import (  # noqa: F401 (named in quotes)
        Entry,
        EntryMember,
        Fixture,
        LineUp,
        NameClaim,
        PlayInvitation,
        RegisterCard,
        Tournament,
    )

HOUSE = Player.Kind.HOUSE


def match_name(name: str, path: str = "") -> Q:
    """Match the persons, at that path, whose public name contains this one; without letters and digits it is nobody's.

    Who is shown by initials isn't found by the name behind them (I1).
    """
    key = make_name_key(name)
    if not key:
        return Q(pk__in=())
    typed = Q(**{f"{path}typed_name__icontains": name, f"{path}initials": False})
    return Q(**{f"{path}player__name_key__contains": key}) | typed


class EntryQuerySet(QuerySet["Entry"]):
    def in_place(self) -> Self:
        """Entries that hold a place (E3). After the draw, all of them."""
        return self.filter(approved=True, waiting_since__isnull=True)

    def queue(self) -> Self:
        """The waiting list, the first of it first (E3)."""
        return self.filter(approved=True, waiting_since__isnull=False).order_by("waiting_since", "pk")

    def applicants(self) -> Self:
        """Entries without an answer yet, the first first (E3)."""
        return self.filter(approved=False).order_by("pk")

    def unconfirmed(self) -> Self:
        """Pairs whose second player hasn't said yes (E1)."""
        return self.filter(confirmed=False)

    def drawn(self) -> Self:
        """Entries that were drawn, the best seed first (K1)."""
        return self.filter(seed__isnull=False).order_by("seed")

    def of_player(self, player: Player) -> Self:
        """The player's own: at most one in a tournament (E1)."""
        return self.filter(members__person__player=player)

    def of_people(self) -> Self:
        """Entries with at least one person: those that aren't the house's alone (E8)."""
        account, kind = Q(members__person__player__isnull=False), Q(members__person__player__kind=HOUSE)
        return self.filter(Q(members__isnull=False) & ~(account & kind)).distinct()


class EntryMemberQuerySet(QuerySet["EntryMember"]):
    def people(self) -> Self:
        """Members that are people: all but bots."""
        return self.exclude(person__player__kind=HOUSE)

    def bots(self) -> Self:
        """Members that are house players."""
        return self.filter(person__player__kind=HOUSE)

    def of_player(self, player: Player) -> Self:
        """The player's own memberships: at most one in a tournament (E1)."""
        return self.filter(person__player=player)

    def named_like(self, name: str) -> Self:
        """Members whose name contains this one, whatever its case and accents."""
        return self.filter(match_name(name, "person__"))

    def with_people(self) -> Self:
        """Read persons and players along, in the same query."""
        return self.select_related("person__player")

    def player_ids(self) -> list[int]:
        """Run the query: the players of those who have an account, to whom something can be told."""
        return [pk for pk in self.values_list("person__player_id", flat=True) if pk is not None]


class FixtureQuerySet(WithheldQuerySet["Fixture"]):
    def of(self, tournament: "Tournament") -> Self:
        """The tournament's fixtures."""
        return self.filter(round__tournament=tournament)

    def of_entry(self, entry: "Entry | int") -> Self:
        """Fixtures in which the entry is one of the two."""
        return self.filter(Q(first=entry) | Q(second=entry))

    def played_by(self, player: Player) -> Self:
        """Fixtures at which a member of one of their entries sits or will sit: of a team's two tables one (J11)."""
        named = Q(line_ups__isnull=True) | Q(line_ups__person__player=player)
        return self.filter(named).distinct()

    def in_the_open(self) -> Self:
        """Fixtures of which everybody may know everything, once they are over (J12)."""
        return self.filter(require_shown("round__"))

    def firsts(self) -> Self:
        """One row a fixture: without the second tables of squadre di quattro (O12)."""
        return self.filter(part__lt=2)

    def seconds(self) -> Self:
        """The second tables of squadre di quattro (O12)."""
        return self.filter(part=2)

    def played(self) -> Self:
        """Fixtures with a result or a table, however they ended; what is to be replayed has neither (F2)."""
        return self.filter(Q(result_at__isnull=False) | Q(match__isnull=False))

    def open(self) -> Self:
        """Fixtures that aren't over."""
        return self.filter(state__in=self.model.OPEN)

    def ready(self) -> Self:
        """Fixtures whose two entries are known and whose table isn't open yet."""
        return self.filter(state=self.model.State.READY)

    def at_real_tables(self) -> Self:
        """Fixtures that have a table in a hall (O3), or were taken from the site to one, numbered or not (O1)."""
        return self.filter(Q(table__isnull=False) | Q(moved=True))

    def playing(self) -> Self:
        """Fixtures whose table is open."""
        return self.filter(state=self.model.State.PLAYING)


class LineUpQuerySet(QuerySet["LineUp"]):
    def of(self, tournament: "Tournament") -> Self:
        """The line-ups of the tournament's fixtures."""
        return self.filter(fixture__round__tournament=tournament)

    def of_player(self, player: Player) -> Self:
        """The fixtures the player is named for."""
        return self.filter(person__player=player)

    def people(self) -> Self:
        """Rows of people: all but bots."""
        return self.exclude(person__player__kind=HOUSE)

    def player_ids(self) -> list[int]:
        """Run the query: the players of those who have an account, to whom something can be told."""
        return [pk for pk in self.values_list("person__player_id", flat=True) if pk is not None]

    def with_people(self) -> Self:
        """Read persons and players along, in the same query."""
        return self.select_related("person__player")


class RegisterCardQuerySet(QuerySet["RegisterCard"]):
    def present(self) -> Self:
        """Cards that are no double of another (I1)."""
        return self.filter(merged_into__isnull=True)

    def with_people(self) -> Self:
        """Read the persons along, in the same query."""
        return self.select_related("person__player")

    def named_like(self, name: str) -> Self:
        """Cards with this in their name, whatever its case and accents, or in their number."""
        key = make_name_key(name)
        return self.filter(Q(name_key__contains=key) | Q(number__icontains=name)) if key else self.none()


class NameClaimQuerySet(QuerySet["NameClaim"]):
    def standing(self) -> Self:
        """Claims that the organiser has accepted and nobody took back."""
        return self.filter(state=self.model.State.ACCEPTED)

    def with_people(self) -> Self:
        """Read accounts and persons along, in the same query."""
        return self.select_related("player", "person__player")


class PlayInvitationQuerySet(QuerySet["PlayInvitation"]):
    def open(self) -> Self:
        """Invitations without an answer yet (E3)."""
        return self.filter(ended_at__isnull=True)

    def holding(self) -> Self:
        """Open invitations that hold a place in their tournament (E3)."""
        return self.open().filter(kind=self.model.Kind.ENTRY)
