"""The check-in, the draw and the start, at their hours (E4, E5). Safe to call any time."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.db.models import F

from games.engine import shuffling
from players.models import Player
from tournaments.core import draw_secret, notify
from tournaments.core.bulk import read_rows
from tournaments.core.cancellation import call_off_tournament
from tournaments.core.locking import list_people, lock_tournament, store_version, write_log
from tournaments.core.log_details import DrawDetail, DrawnPartners, OptionDetail
from tournaments.core.states import ENTERING
from tournaments.entries import checkin, waiting_list
from tournaments.entries.level_admission import order_by_level
from tournaments.entries.partners import read_crowd, read_strengths
from tournaments.equal import secrets as equal_secrets
from tournaments.formats import FORMATS
from tournaments.models import Round, Tournament
from tournaments.rankings.points import mark_counting_entries
from tournaments.running import round_times
from tournaments.running.club_lots import NO_CLUB_LOTS, ClubLots, draw_clubs, swap_order
from tournaments.running.partners import (
    NO_PARTNERS,
    PartnerDraw,
    join_partners,
    make_pairs,
    order_by_places,
)
from tournaments.running.plan_store import PLANNED, store_draw
from tournaments.webhooks import outbox

State = Tournament.State
# The ids of the entries in the order of their seeds, from them as they stand, and as they were drawn for equals.
SeedOrder = Callable[[Tournament, Sequence[int], Sequence[int], datetime], list[int]]
_SEED_ORDERS: dict[str, SeedOrder] = {}


@dataclass(frozen=True, slots=True)
class SeedDraw:
    """The ids of the entries in the ``order`` of their seeds, and the ``lot``; ``number``: it was drawn so often.

    ``listed``: the entries as they stood before; ``swaps``: those that changed places by hand since (D4), after those
    of ``apart``, which keep clubs apart (EV9). Of pairs that were drawn (EV2) the entries are those that stay, and
    ``partners`` says the others.
    """

    order: tuple[int, ...]
    lot: str
    number: int
    listed: tuple[int, ...]
    swaps: tuple[tuple[int, int], ...] = ()
    apart: ClubLots = NO_CLUB_LOTS
    partners: PartnerDraw = NO_PARTNERS


def start_due(*, tournament_id: int, now: datetime) -> bool:
    """Open the check-in (E4) or start (E5) where the hour has come; False where there was nothing to do."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        if tournament.state not in ENTERING or tournament.due_at is None or tournament.due_at > now:
            return False
        if tournament.state == State.OPEN and tournament.starts_at is not None and now < tournament.starts_at:
            checkin.open_checkin(tournament, now)
            return True
        if equal_secrets.ask_nonces(tournament, now):
            tournament.due_at = tournament.nonces_until
            store_version(tournament)
            return True
        draw_and_start(tournament, now)
        return True


def draw_and_start(tournament: Tournament, now: datetime) -> None:
    """Close the entries of a locked tournament, give out the seeds (K1), draw the lot and give every fixture its place.

    Pairs that nobody confirmed are out, and who hasn't checked in (E4). With fewer entries than the minimum it is
    cancelled instead.
    """
    checkin.close_entries(tournament, now)
    in_place = tournament.entries.in_place().order_by(F("placed").asc(nulls_last=True), "pk")
    order = list(in_place.values_list("pk", flat=True))
    if len(order) < count_least_entries(tournament):
        call_off_tournament(tournament, "too_few_entries", now)
        return
    start_drawn(tournament, draw_lots(tournament, order, now), now)
    store_version(tournament)
    tell_start(tournament, now)


def count_least_entries(tournament: Tournament) -> int:
    """Return the entries without which it can't start: the organiser's minimum, or the format's."""
    return max(tournament.min_entries, tournament.entry_kind.joins * FORMATS[tournament.format].min_size)


def register_seed_order(seeding: str, order: SeedOrder) -> None:
    """Say how the entries of tournaments with this seeding are put in order at their draw."""
    _SEED_ORDERS[seeding] = order


def draw_lots(tournament: Tournament, entry_ids: Sequence[int], now: datetime) -> SeedDraw:
    """Draw the seeds of the entries, unless the organiser, levels or a circuit give them (K1), and the lot (J3a); then
    those of one club are parted (EV9). Where people entered alone their pairs are drawn first (EV2).

    Each draw of a tournament is another, and counted; without a secret of its own each is from one that nobody keeps.
    """
    tournament.draws += 1
    secret = draw_secret.read_draw_secret(tournament) or secrets.token_bytes(shuffling.SECRET_BYTES)
    scope, number = draw_secret.make_scope(tournament), tournament.draws
    partners = NO_PARTNERS
    if tournament.entry_kind.awaits_partner:
        partners = _draw_partners(tournament, entry_ids, (secret, scope, number), now)
        entry_ids = [one for one, _other in partners.couples]
    order = list(entry_ids)
    drawn = [order[place] for place in shuffling.draw_order(secret, scope, number, len(order))]
    if tournament.seeding == Tournament.Seeding.LOT:
        order = drawn
    elif tournament.seeding == Tournament.Seeding.LEVELS:
        order = order_by_level(tournament, drawn, partners.mates)
    elif partners.listed:
        order = order_by_places(partners, _rank(tournament, partners.listed, partners.listed, now))
    else:
        order = _rank(tournament, order, drawn, now)
    lot = shuffling.draw_lot(secret, scope, number)
    apart = draw_clubs(tournament, entry_ids, order, lot, partners.mates)
    return SeedDraw(swap_order(order, apart.swaps), lot, number, tuple(entry_ids), apart=apart, partners=partners)


def _draw_partners(
    tournament: Tournament, entry_ids: Sequence[int], draw: tuple[bytes, str, int], now: datetime
) -> PartnerDraw:
    """Draw the pairs of a tournament whose people enter alone (EV2), from its secret: in a stream of their own."""
    order = shuffling.draw_people(*draw, len(entry_ids))
    drawn = [entry_ids[place] for place in order]
    ranked = _rank(tournament, entry_ids, drawn, now) if tournament.seeding in _SEED_ORDERS else ()
    crowd = replace(read_crowd(tournament, entry_ids), strengths=read_strengths(tournament, entry_ids, ranked))
    return make_pairs(crowd, entry_ids, order)


def _rank(tournament: Tournament, entry_ids: Sequence[int], drawn: Sequence[int], now: datetime) -> list[int]:
    """Return the entries in the order of their seeds, where neither lot nor levels give it."""
    if tournament.seeding in _SEED_ORDERS:
        return _SEED_ORDERS[tournament.seeding](tournament, entry_ids, drawn, now)
    return list(entry_ids)


def start_drawn(tournament: Tournament, draw: SeedDraw, now: datetime, by: Player | None = None) -> None:
    """Start a locked tournament whose entries are closed: the draw's are all that have a place."""
    waiting_list.drop_unplaced(tournament, now)
    people = join_partners(tournament, draw.partners, now) if draw.partners.listed else ()
    mark_counting_entries(tournament)
    rows = {entry.pk: entry for entry in read_rows(tournament.entries.in_place(), PLANNED)}
    tournament.lot = draw.lot
    tournament.state = State.RUNNING
    tournament.drawn_at = now
    tournament.due_at = tournament.remind_at = None
    equal_secrets.fix_nonces(tournament, now)
    write_log(tournament, "drawn", now, by, _reveal(tournament, draw, people, now))
    _freeze_options(tournament, len(draw.order), now)
    outbox.tell_start(tournament, len(draw.order), now)
    store_draw(tournament, [rows[pk] for pk in draw.order], now)
    round_times.plan_reminders(Round.objects.filter(tournament=tournament, number__gt=1), now)


def _reveal(tournament: Tournament, draw: SeedDraw, people: Sequence[int], now: datetime) -> DrawDetail:
    """Publish the secret of the lots, from which nothing is drawn any more (J5), and return what is logged of them.
    ``people``: of whom pairs were drawn, as they were listed (EV2)."""
    partners = _describe_partners(draw.partners, people)
    if not tournament.draw_commitment or not draw.listed:
        return DrawDetail(order=draw.order, lot=draw.lot, partners=partners)
    numbers = {pk: number for number, pk in enumerate(draw.listed, start=1)}
    return DrawDetail(
        order=draw.order,
        lot=draw.lot,
        scope=draw_secret.make_scope(tournament),
        commitment=tournament.draw_commitment,
        secret=draw_secret.reveal_draw(tournament, draw_secret.Reason.DRAWN, now),
        number=draw.number,
        numbers=tuple(numbers[pk] for pk in draw.order),
        swapped=tuple((numbers[one], numbers[other]) for one, other in draw.swaps),
        clubs=draw.apart.clubs,
        parted=tuple((numbers[one], numbers[other]) for one, other in draw.apart.swaps),
        of_one_club=draw.apart.met,
        partners=partners,
    )


def _describe_partners(made: PartnerDraw, people: Sequence[int]) -> DrawnPartners | None:
    """Return what is logged of pairs that were drawn; None where there are none."""
    if not made.listed:
        return None
    return DrawnPartners(
        people=tuple(people),
        pairs=made.pairs,
        out=made.out,
        entered=made.entered,
        strengths=made.strengths,
        sides=made.sides,
        tied=made.tied,
    )


def tell_start(tournament: Tournament, now: datetime) -> None:
    """Tell everybody that it is drawn."""
    people = list_people(tournament)
    notify.tell_people(tournament, people, "drawn")
    notify.mail_people(tournament, people, "drawn", now)


def _freeze_options(tournament: Tournament, size: int, now: datetime) -> None:
    """Give the format's options what so many entries can play (E6, D1, Q1); what is less than planned is logged."""
    before = tournament.format_options
    tournament.format_options = dict(FORMATS[tournament.format].freeze_options(before, size))
    less = {name: value for name, value in tournament.format_options.items() if before.get(name) not in (value, 0)}
    for name, value in less.items():
        detail = OptionDetail(option=name, planned=before.get(name), drawn=value, entries=size)
        write_log(tournament, "option_reduced", now, detail=detail)
