"""Tombstones of forgotten names (I1): where a name isn't to come back, known by a digest from which nobody reads it.

They are exported before a copy is restored, and applied to it. The digest is keyed by the site's secret
(players/keyed_digests.py).
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from players.keyed_digests import compute_keyed_digest, list_keyed_digests
from players.names import make_name_key
from tournaments.models import ForgottenName, Register, Tournament

SALT = "tournaments.forgotten"


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A forgotten name and its place, by public ids: a club's register, an organiser's, or a tournament."""

    digest: str
    club: str = ""
    organiser: str = ""
    tournament: str = ""

    def find_register(self) -> Register | None:
        """Return the register that has forgotten the name, None where it was a tournament."""
        if not (self.club or self.organiser):
            return None
        return Register.objects.filter(
            **{"club__public_id": self.club} if self.club else {"organiser__public_id": self.organiser}
        ).first()

    def find_tournament(self) -> Tournament | None:
        """Return the tournament that has forgotten the name, None where it was a register."""
        return Tournament.objects.filter(public_id=self.tournament).first() if self.tournament else None


def make_digest(name: str) -> str:
    """Return what a forgotten name is known again by."""
    return compute_keyed_digest(SALT, make_name_key(name))


def is_forgotten(name: str, forgotten: Collection[str]) -> bool:
    """Tell if a name has one of these digests, by the present key or one of before."""
    return any(digest in forgotten for digest in list_keyed_digests(SALT, make_name_key(name)))


def bury(digest: str, now: datetime, *, register: Register | None = None, tournament: Tournament | None = None) -> None:
    """Store the tombstone of a name in a register or a tournament."""
    ForgottenName.objects.get_or_create(register=register, tournament=tournament, digest=digest, defaults={"at": now})


def read_forgotten(register: Register) -> frozenset[str]:
    """Return the digests of the names that a register has forgotten."""
    rows = ForgottenName.objects.filter(register_id=register.pk, tournament=None)
    return frozenset() if register.pk is None else frozenset(rows.values_list("digest", flat=True))


def list_tombstones() -> list[Tombstone]:
    """Return all tombstones of the site, the oldest first."""
    rows = ForgottenName.objects.select_related("register__club", "register__organiser", "tournament").order_by("pk")
    return [_describe(row) for row in rows]


def _describe(row: ForgottenName) -> Tombstone:
    if row.tournament is not None:
        return Tombstone(row.digest, tournament=row.tournament.public_id)
    register = row.register
    club = register.club if register is not None else None
    organiser = register.organiser if register is not None else None
    return Tombstone(
        row.digest,
        club="" if club is None else club.public_id,
        organiser="" if organiser is None else organiser.public_id,
    )
