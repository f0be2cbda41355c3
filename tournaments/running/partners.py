"""Pairs drawn of people who entered alone (EV2): read from the entries at the draw, and made of them as it starts.

Who plays with whom says ``formats.common.partners``; the order comes from the secret of the draw (J3a).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from tournaments.core import notify
from tournaments.core.bulk import update_rows
from tournaments.entries.partners import read_crowd
from tournaments.formats.common.partners import Couple, Crowd, pair_people
from tournaments.models import Entry, EntryMember, ForbiddenPairing, Payment, RoundBye, Tournament


@dataclass(frozen=True, slots=True)
class PartnerDraw:
    """Pairs that were drawn, in numbers of the list in which people stood, from 1: ``listed`` has their entries.

    ``out``: who stayed out, 0 for nobody; ``entered``, ``strengths``, ``sides``, ``tied``: as the draw found them.
    """

    listed: tuple[int, ...] = ()
    pairs: tuple[Couple, ...] = ()
    out: int = 0
    entered: tuple[int, ...] = ()
    strengths: tuple[int | None, ...] = ()
    sides: tuple[str, ...] = ()
    tied: tuple[Couple, ...] = ()

    @classmethod
    def from_json(cls, kept: Mapping[str, Sequence[object]] | None) -> "PartnerDraw":
        """Return what a draft has kept; nothing of one in which nobody awaited a partner."""
        if not kept or not kept["listed"]:
            return NO_PARTNERS
        values = {name: tuple(tuple(one) if isinstance(one, list) else one for one in kept[name]) for name in PARTS}
        return cls(out=kept["out"], **values)  # type: ignore[arg-type]

    @property
    def couples(self) -> tuple[tuple[int, int], ...]:
        """Return the ids of the entries that become one, the one that stays first."""
        return tuple((self.listed[one - 1], self.listed[other - 1]) for one, other in self.pairs)

    @property
    def mates(self) -> dict[int, int]:
        """Return the entry that each of those that end becomes part of."""
        return {other: one for one, other in self.couples}

    @property
    def left_out(self) -> int | None:
        """Return the id of the entry of whoever stayed out."""
        return self.listed[self.out - 1] if self.out else None


PARTS = ("listed", "pairs", "entered", "strengths", "sides", "tied")
NO_PARTNERS = PartnerDraw()


def make_pairs(crowd: Crowd, entry_ids: Sequence[int], order: Sequence[int]) -> PartnerDraw:
    """Return the pairs that an ``order`` of all people makes of them: their places below their number, as drawn."""
    return PartnerDraw(
        listed=tuple(entry_ids),
        pairs=pair_people(crowd, [place + 1 for place in order]),
        out=crowd.find_odd_one() or 0,
        entered=tuple(crowd.entered),
        strengths=tuple(crowd.strengths),
        sides=tuple(crowd.sides),
        tied=tuple(crowd.tied),
    )


def is_as_drawn(tournament: Tournament, made: PartnerDraw) -> bool:
    """Tell if lists and pairs that stay are as this draw found them."""
    crowd = read_crowd(tournament, made.listed)
    return tuple(crowd.sides) == made.sides and tuple(crowd.tied) == made.tied


def order_by_places(made: PartnerDraw, ranked: Sequence[int]) -> list[int]:
    """Return the pairs by the sum of the places that their people have in ``ranked``, equals by the better one (K1)."""
    places = {pk: place for place, pk in enumerate(ranked)}
    worth = {one: sorted((places[one], places[other])) for one, other in made.couples}
    return sorted(worth, key=lambda pk: (sum(worth[pk]), worth[pk]))


def join_partners(tournament: Tournament, made: PartnerDraw, now: datetime) -> tuple[int, ...]:
    """Make the pairs of a locked tournament that starts, and let who stays out know it. Return the person of each entry
    that was listed.

    What was noted of the entry that ends goes to the one that stays: payments, byes, forbidden pairs, its key.
    """
    rows = EntryMember.objects.filter(entry__in=made.listed, position=0).select_related("entry", "person__player")
    members = {member.entry_id: member for member in rows}
    persons = tuple(members[pk].person_id for pk in made.listed)
    mates, ending = made.mates, [members[other] for other in made.mates]
    _move_notes(mates)
    _fix_tables([(members[one].entry, members[other].entry) for one, other in made.couples])
    for member in ending:
        member.link_digest = member.entry.link_digest
        member.entry_id, member.position = mates[member.entry_id], 1
    update_rows(ending, ["entry", "position", "link_digest"])
    gone = list(mates)
    if made.left_out is not None:
        gone.append(made.left_out)
        player_id = members[made.left_out].person.player_id
        player_ids = [] if player_id is None else [player_id]
        notify.tell_people(tournament, player_ids, "left_out")
        notify.mail_people(tournament, player_ids, "left_out", now, why="odd")
    Entry.objects.filter(pk__in=gone).delete()
    tournament.entries.filter(tie__isnull=False).update(tie=None)
    return persons


def _move_notes(mates: Mapping[int, int]) -> None:
    """Have what was noted of entries that end be noted of those they become part of: payments, byes (D3), forbidden
    pairs (D4)."""
    payments = list(Payment.objects.filter(entry__in=mates))
    for payment in payments:
        payment.entry_id = mates[payment.entry_id or 0]
    update_rows(payments, ["entry"])
    for bye in RoundBye.objects.filter(entry__in=mates):
        if not RoundBye.objects.filter(entry=mates[bye.entry_id], number=bye.number).exists():
            bye.entry_id = mates[bye.entry_id]
            bye.save(update_fields=["entry"])
    for ban in ForbiddenPairing.objects.filter(Q(first__in=mates) | Q(second__in=mates)):
        first, second = sorted(mates.get(pk, pk) for pk in (ban.first_id, ban.second_id))
        if first != second:
            ForbiddenPairing.objects.get_or_create(tournament_id=ban.tournament_id, first_id=first, second_id=second)


def _fix_tables(couples: Sequence[tuple[Entry, Entry]]) -> None:
    """Give a pair the table that either of its people has for themselves (O3)."""
    fixed = [(one, other) for one, other in couples if one.fixed_table is None and other.fixed_table is not None]
    for one, other in fixed:
        one.fixed_table = other.fixed_table
    update_rows([one for one, _other in fixed], ["fixed_table"])
