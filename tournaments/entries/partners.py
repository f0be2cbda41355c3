"""People who enter alone and get a partner at the draw (EV2): who is on which list, who stays with whom, who would be
the odd one. It draws no pairs.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import EntriesDetail, EntryDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.states import UNDRAWN
from tournaments.entries.checkin import list_entries_expected
from tournaments.entries.level_admission import rank_by_level
from tournaments.formats.common.partners import LISTS, SIDES, STRENGTH, Crowd
from tournaments.models import Entry, Tournament

Seeding = Tournament.Seeding


def read_crowd(tournament: Tournament, entry_ids: Sequence[int]) -> Crowd:
    """Return the people of these entries, as they are listed, for a draw of partners; without their strengths."""
    rows = Entry.objects.in_bulk(entry_ids)
    numbers = {pk: number for number, pk in enumerate(entry_ids, start=1)}
    ties: dict[int, list[int]] = {}
    for pk in entry_ids:
        if rows[pk].tie is not None and tournament.entry_kind.keeps_pairs:
            ties.setdefault(rows[pk].tie or 0, []).append(numbers[pk])
    return Crowd(
        size=len(entry_ids),
        way=tournament.partners,
        entered=[numbers[pk] for pk in sorted(entry_ids)],
        sides=[rows[pk].side for pk in entry_ids],
        tied=[(pair[0], pair[1]) for pair in ties.values() if len(pair) == 2],
    )


def read_strengths(
    tournament: Tournament, entry_ids: Sequence[int], ranked: Sequence[int] = ()
) -> Sequence[int | None]:
    """Return the place of each by strength: a circuit's, where all are ``ranked`` by one, the organiser's or by level;
    None who has none (EV2). Empty where pairs are drawn otherwise."""
    if tournament.partners != STRENGTH:
        return ()
    if ranked:
        by_circuit = {pk: place for place, pk in enumerate(ranked, start=1)}
        return [by_circuit.get(pk) for pk in entry_ids]
    places = dict(Entry.objects.filter(pk__in=entry_ids).values_list("pk", "placed"))
    if tournament.seeding == Seeding.ORGANISER or any(place is not None for place in places.values()):
        return [places[pk] for pk in entry_ids]
    return rank_by_level(tournament, entry_ids)


@dataclass(frozen=True, slots=True)
class Lists:
    """Lengths of the lists A and B, how many are on ``none``, and how many pairs will be of one list (EV2)."""

    a: int
    b: int
    none: int
    same: int


def count_lists(tournament: Tournament) -> Lists | None:
    """Return how long the two lists are, of those who are expected; None where pairs aren't drawn of two lists."""
    if not tournament.entry_kind.awaits_partner or tournament.partners != LISTS:
        return None
    crowd = read_crowd(tournament, list_entries_expected(tournament))
    counted = Counter(crowd.sides)
    return Lists(counted["A"], counted["B"], counted[""], crowd.count_same())


def find_odd_entry(tournament: Tournament) -> int | None:
    """Return the entry of whoever would stay out if it were drawn now with all who are expected (EV2)."""
    if not tournament.entry_kind.awaits_partner:
        return None
    entry_ids = list_entries_expected(tournament)
    number = read_crowd(tournament, entry_ids).find_odd_one()
    return None if number is None else entry_ids[number - 1]


@transaction.atomic
def put_on_list(*, tournament_id: int, by: Player, entry_id: int, side: str, now: datetime) -> None:
    """Put somebody on list A or B, or on neither ("").

    TournamentError: not_organiser, drawn, registration_closed; no_lists; entry_gone.
    """
    tournament = _lock(tournament_id, by)
    if tournament.partners != LISTS or side not in ("", *SIDES):
        raise TournamentError("no_lists")
    if not tournament.entries.filter(pk=entry_id).update(side=side):
        raise TournamentError("entry_gone")
    write_log(tournament, "list_chosen", now, by, EntryDetail(entry=entry_id))
    store_version(tournament)


@transaction.atomic
def tie_people(*, tournament_id: int, by: Player, entry_ids: Sequence[int], now: datetime) -> None:
    """Let two people who came as a pair stay one at the draw.

    TournamentError: not_organiser, drawn, registration_closed; pairs_dont_stay; tie_two; tied_already.
    """
    tournament = _lock(tournament_id, by)
    if not tournament.entry_kind.keeps_pairs:
        raise TournamentError("pairs_dont_stay")
    entries = list(tournament.entries.filter(pk__in=entry_ids))
    if len(entries) != 2:
        raise TournamentError("tie_two")
    if any(entry.tie is not None for entry in entries):
        raise TournamentError("tied_already")
    tournament.entries.filter(pk__in=[entry.pk for entry in entries]).update(tie=find_next_tie(tournament))
    write_log(tournament, "pair_tied", now, by, EntriesDetail(entries=tuple(entry.pk for entry in entries)))
    store_version(tournament)


@transaction.atomic
def untie_people(*, tournament_id: int, by: Player, entry_id: int, now: datetime) -> None:
    """Let two who would have stayed a pair be drawn as everybody. TournamentError: not_organiser, drawn,
    registration_closed; entry_gone."""
    tournament = _lock(tournament_id, by)
    tie = tournament.entries.filter(pk=entry_id).values_list("tie", flat=True).first()
    if tie is None:
        raise TournamentError("entry_gone")
    entry_ids = tuple(tournament.entries.filter(tie=tie).order_by("pk").values_list("pk", flat=True))
    tournament.entries.filter(tie=tie).update(tie=None)
    write_log(tournament, "pair_untied", now, by, EntriesDetail(entries=entry_ids))
    store_version(tournament)


def find_next_tie(tournament: Tournament) -> int:
    """Return the number of the next two who stay a pair."""
    return 1 + (tournament.entries.aggregate(last=Max("tie"))["last"] or 0)


def _lock(tournament_id: int, by: Player) -> Tournament:
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    return tournament
