"""Rounds that the organiser publishes (D4): the draft of the next one, which nobody but the desk sees, and its
publication.

A draft is kept with the tournament, apart from its fixtures: nothing that reads entries, fixtures or standings can show
it. The draft of the first round is a draw that hasn't happened yet (E5, K1); that of a later one is of a format that
draws its rounds by the results. In the other formats later rounds follow from the draw, and wait for nothing but to be
published.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType

from django.db import transaction

from players.models import Player
from tournaments.core import reads
from tournaments.core.bulk import insert_rows, update_rows
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import RoundDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.signals import round_published
from tournaments.core.states import ENTERING
from tournaments.entries import checkin
from tournaments.equal import secrets as equal_secrets
from tournaments.formats import FORMATS
from tournaments.formats.protocol import NOTHING_DRAWN, Drawn, Plan, Slot
from tournaments.models import Fixture, Round, Tournament
from tournaments.running.club_lots import NO_CLUB_LOTS, ClubLots
from tournaments.running.line_clubs import read_clubs
from tournaments.running.partners import NO_PARTNERS, PartnerDraw, is_as_drawn
from tournaments.running.plan_basis import (
    make_draw,
    make_plan,
    read_leavers,
    read_published,
    read_rounds_by_number,
    read_stored_fixtures,
    read_wishes,
    weigh_wishes,
)
from tournaments.running.results import advance
from tournaments.running.start import SeedDraw, count_least_entries, draw_lots, start_drawn, tell_start

State = Tournament.State
Mates = Mapping[int, int]
NO_MATES: Mates = MappingProxyType({})
Pair = tuple[int, int | None]  # the ids of a board's entries, the first at seat 0; None: nobody to play against


@dataclass(frozen=True, slots=True)
class RoundDraft:
    """A round as it stands on the desk: its ``pairs``, board after board, and those that were ``drawn``.

    Of the first round also the ids of the entries in the ``order`` of their seeds, as they were ``listed`` before, and
    the ``lot``. ``draws``: it was drawn so often; ``swaps``: the entries that were swapped by hand since; ``apart``:
    how clubs were kept apart in the draw (EV9); ``partners``: the pairs that were drawn with it (EV2).
    """

    round: int
    pairs: tuple[Pair, ...]
    drawn: tuple[Pair, ...]
    order: tuple[int, ...] = ()
    lot: str = ""
    draws: int = 1
    swaps: tuple[tuple[int, int], ...] = ()
    listed: tuple[int, ...] = ()
    apart: ClubLots = NO_CLUB_LOTS
    partners: PartnerDraw = NO_PARTNERS

    @property
    def everybody(self) -> set[int]:
        """The entries that were drawn in it, those included that a pair is made of, and who stays out."""
        return set(self.partners.listed or self.order)

    @property
    def key(self) -> str:
        """The key of these very pairs, by which a desk says what it saw."""
        seen = (self.round, self.pairs, *([self.partners.couples] if self.partners.listed else []))
        return sha256(repr(seen).encode()).hexdigest()[:16]


def read_draft(tournament: Tournament) -> RoundDraft | None:
    """Return the draft that stands; None without one."""
    kept = tournament.draft
    if kept is None:
        return None
    pairs, drawn = (tuple((pair[0], pair[1]) for pair in kept[name]) for name in ("pairs", "drawn"))
    swaps = tuple((one, other) for one, other in kept["swaps"])
    listed = tuple(kept.get("listed", ()))  # one from before there were secrets has none
    order, apart = tuple(kept["order"]), ClubLots.from_json(kept.get("apart"))
    made = PartnerDraw.from_json(kept.get("partners"))
    return RoundDraft(kept["round"], pairs, drawn, order, kept["lot"], kept["draws"], swaps, listed, apart, made)


def store_draft(tournament: Tournament, draft: RoundDraft | None) -> None:
    """Store the draft of a locked tournament. It makes no new version: nobody is told that there is one."""
    tournament.draft = None if draft is None else asdict(draft)
    tournament.save(update_fields=["draft", "draws", "nonces_until"])


@transaction.atomic
def draw_round(*, tournament_id: int, by: Player, now: datetime) -> RoundDraft:
    """Draw the next round as a draft, in the place of the one that stands.

    TournamentError: not_organiser, rounds_publish_themselves, over, too_few_to_draw, round_not_over, nothing_to_draw,
    bans_in_the_way, round_stuck.
    """
    tournament = lock_publishing(tournament_id, by)
    before = read_draft(tournament)
    draft = _draw_first(tournament, now) if tournament.state in ENTERING else _draw_next(tournament)
    if before is not None and before.round == draft.round:
        draft = replace(draft, draws=max(draft.draws, before.draws + 1))
    store_draft(tournament, draft)
    return draft


@transaction.atomic
def publish_round(
    *, tournament_id: int, number: int, by: Player, now: datetime, seen: str = "", anyway: bool = False
) -> Round:
    """Publish a round: from now on everybody sees it, and its fixtures can be played.

    ``seen``: the key of the draft that was looked at. ``anyway``: also as it was drawn before a result changed.
    TournamentError: not_organiser, rounds_publish_themselves, over, round_suspended, round_published, no_draft,
    draft_changed, draft_stale, round_not_over.
    """
    tournament = lock_publishing(tournament_id, by)
    if tournament.paused_at is not None:
        raise TournamentError("round_suspended")
    draft = read_draft(tournament)
    if draft is not None and seen not in ("", draft.key):
        raise TournamentError("draft_changed")
    if tournament.state in ENTERING:
        if draft is None or number != 1:
            raise TournamentError("no_draft")
        _start(tournament, draft, now, by)
    round_ = Round.objects.filter(tournament=tournament, number=number).first()
    if round_ is None:
        raise TournamentError("no_draft")
    if round_.published_at is not None:
        raise TournamentError("round_published")
    if FORMATS[tournament.format].keeps_rounds:
        if draft is None or draft.round != number:
            raise TournamentError("no_draft")
        if number > 1:
            _require_fresh(tournament, draft, anyway=anyway)
        _seat_pairs(round_, draft.pairs)
    elif number not in list_waiting_rounds(tournament):
        raise TournamentError("round_not_over")
    starts = number == 1
    store_draft(tournament, None)
    round_.published_at = now
    round_.save(update_fields=["published_at"])
    called = (round_.name, number)
    detail = (
        RoundDetail(round=called) if draft is None else RoundDetail(round=called, draws=draft.draws, swaps=draft.swaps)
    )
    write_log(tournament, "round_published", now, by, detail)
    if starts:  # everybody is told of the draw, and of no round besides
        Fixture.objects.filter(round=round_).update(announced=True)
    advance(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()
    round_published.send(sender=Tournament, tournament=tournament, round=round_, now=now)
    if starts:
        tell_start(tournament, now)
    return round_


def is_stale(tournament: Tournament, draft: RoundDraft, *, pairs: tuple[Pair, ...] | None = None) -> bool:
    """Tell if drawing anew would give other pairs than those that were drawn: results or entries have changed since.

    ``pairs``: what ``draw_pairs`` gives for its round, where that is known.
    """
    if tournament.state in ENTERING:
        if set(checkin.list_entries_to_draw(tournament)) != draft.everybody:
            return True
        if draft.partners.listed and not is_as_drawn(tournament, draft.partners):
            return True
        return pair_first(tournament, draft.order, draft.lot, draft.partners.mates) != draft.drawn
    return (draw_pairs(tournament, draft.round) if pairs is None else pairs) != draft.drawn


def find_next_round(tournament: Tournament) -> int | None:
    """Return the number of the round to publish next; None after the last one."""
    if tournament.state in ENTERING:
        return 1
    waiting = tournament.rounds.filter(published_at__isnull=True).order_by("number")
    return waiting.values_list("number", flat=True).first()


def list_waiting_rounds(tournament: Tournament) -> list[int]:
    """Return the rounds that follow from the draw and could be played now, if they were published."""
    everything = frozenset(tournament.rounds.values_list("number", flat=True))
    plan = _plan_with(tournament, everything)
    published = read_published(tournament) or frozenset()
    return sorted({p.slot.round for p in plan.pairings if p.ready and p.slot.round not in published})


def draw_pairs(tournament: Tournament, number: int) -> tuple[Pair, ...]:
    """Return the pairs of the next round as the results give them now; empty while it can't be drawn."""
    return _list_pairs(*_plan_next(tournament, number), number)


def find_dead_end(tournament: Tournament, draft: RoundDraft) -> int | None:
    """Return the first round that couldn't be paired any more if this draft were published as it is (D1)."""
    if not FORMATS[tournament.format].keeps_rounds:
        return None
    if tournament.state in ENTERING:
        seeds = {pk: seed for seed, pk in enumerate(draft.order, start=1)}
        sides = [(seeds[first], None if second is None else seeds[second]) for first, second in draft.pairs]
        drawn = {Slot(1, board): pair for board, pair in enumerate(sides, start=1)}
        return _plan_first(tournament, draft.order, draft.lot, draft.partners.mates, drawn)[0].stuck
    drafted = {
        Slot(draft.round, board): Fixture(board=board, first_id=first, second_id=second)
        for board, (first, second) in enumerate(draft.pairs, start=1)
    }
    return _plan_with(tournament, frozenset(range(1, draft.round + 1)), drafted).stuck


def _plan_next(tournament: Tournament, number: int) -> tuple[Plan, Mapping[int, int]]:
    """Return the plan with that round drawn, and the ids of the entries by seed."""
    plan = _plan_with(tournament, frozenset(range(1, number + 1)))
    return plan, dict(enumerate(tournament.entries.drawn().values_list("pk", flat=True), start=1))


def _plan_with(
    tournament: Tournament, published: frozenset[int], drafted: Mapping[Slot, Fixture] = MappingProxyType({})
) -> Plan:
    """Return the plan as it would be with these rounds published, and with the fixtures of a draft."""
    entries = list(tournament.entries.drawn())
    fixtures = {**read_stored_fixtures(tournament, read_rounds_by_number(tournament)), **drafted}
    return make_plan(tournament, len(entries), fixtures, read_leavers(entries), published)


def _require_no_bans(tournament: Tournament, plan: Plan, ids: Mapping[int, int]) -> None:
    """Raise TournamentError where a round can't be drawn before a forbidden pair is allowed, with the pairs' names."""
    pairs = [tuple(ids[seed] for seed in pair) for pair in plan.lifted]
    named = reads.read_entries_of(tournament.entries.filter(pk__in={pk for pair in pairs for pk in pair}))
    if pairs:
        raise TournamentError("bans_in_the_way", bans="; ".join(" / ".join(named[pk].name for pk in p) for p in pairs))


def _list_pairs(plan: Plan, ids: Mapping[int, int], number: int) -> tuple[Pair, ...]:
    sides = ([side for side in (p.first, p.second) if side] for p in plan.pairings if p.slot.round == number)
    return tuple((ids[pair[0]], ids[pair[1]] if len(pair) == 2 else None) for pair in sides if pair)


def _draw_first(tournament: Tournament, now: datetime) -> RoundDraft:
    entry_ids = checkin.list_entries_to_draw(tournament)
    least = count_least_entries(tournament)
    if len(entry_ids) < least:
        raise TournamentError("too_few_to_draw", least=least)
    if equal_secrets.ask_nonces(tournament, now):  # browsers are told; the draft waits for its organiser anyhow
        store_version(tournament)
    draw = draw_lots(tournament, entry_ids, now)
    plan, ids = _plan_first(tournament, draw.order, draw.lot, draw.partners.mates)
    _require_no_bans(tournament, plan, ids)
    pairs = _list_pairs(plan, ids, 1)
    return RoundDraft(
        1, pairs, pairs, draw.order, draw.lot, draw.number, listed=draw.listed, apart=draw.apart, partners=draw.partners
    )


def pair_first(tournament: Tournament, order: Sequence[int], lot: str, mates: Mates = NO_MATES) -> tuple[Pair, ...]:
    """Return the first round's pairs of entries that nobody has drawn yet; ``mates``: as of ``PartnerDraw``."""
    return _list_pairs(*_plan_first(tournament, order, lot, mates), 1)


def _plan_first(
    tournament: Tournament, order: Sequence[int], lot: str, mates: Mates, drawn: Drawn = NOTHING_DRAWN
) -> tuple[Plan, Mapping[int, int]]:
    """Return the plan of a draw that hasn't happened yet, and the ids of the entries by seed; ``drawn``: its pairs."""
    format_ = FORMATS[tournament.format]
    seeds = {pk: seed for seed, pk in enumerate(order, start=1)}
    seeds |= {other: seeds[one] for other, one in mates.items()}
    byes, banned = weigh_wishes(*read_wishes(tournament), seeds)
    options = format_.freeze_options(tournament.format_options, len(order))
    draw = replace(make_draw(tournament, len(order)), byes=byes, banned=banned, options=options, lot=lot, published=1)
    if format_.keeps_rounds:
        draw = replace(draw, clubs=read_clubs(tournament, order, mates))
    plan = format_.plan(draw, {}, drawn=drawn)
    return plan, dict(enumerate(order, start=1))


def _draw_next(tournament: Tournament) -> RoundDraft:
    number = find_next_round(tournament)
    if number is None or not FORMATS[tournament.format].keeps_rounds:
        raise TournamentError("nothing_to_draw")
    plan, ids = _plan_next(tournament, number)
    _require_no_bans(tournament, plan, ids)
    pairs = _list_pairs(plan, ids, number)
    if not pairs:
        raise TournamentError("round_stuck" if plan.stuck == number else "round_not_over")
    return RoundDraft(number, pairs, pairs)


def list_drafted(pairs: Sequence[Pair]) -> set[int]:
    """Return the ids of the entries in these pairs."""
    return {entry for pair in pairs for entry in pair if entry is not None}


def _start(tournament: Tournament, draft: RoundDraft, now: datetime, by: Player) -> None:
    """Make the draft of the first round the draw. TournamentError: draft_stale."""
    stale = is_stale(tournament, draft)
    checkin.close_entries(tournament, now)
    in_place = set(tournament.entries.in_place().values_list("pk", flat=True))
    if stale or in_place != draft.everybody:
        raise TournamentError("draft_stale")
    swaps = () if FORMATS[tournament.format].keeps_rounds else draft.swaps  # there they change pairs, and no seeds
    draw = SeedDraw(draft.order, draft.lot, draft.draws, draft.listed, swaps, draft.apart, draft.partners)
    start_drawn(tournament, draw, now, by)
    tournament.save()


def _require_fresh(tournament: Tournament, draft: RoundDraft, *, anyway: bool) -> None:
    """Raise TournamentError unless these pairs can be published: as drawn, or ``anyway`` with all of them in play."""
    now = draw_pairs(tournament, draft.round)
    if not now:
        raise TournamentError("round_not_over")
    if now != draft.drawn and not (anyway and list_drafted(now) == list_drafted(draft.pairs)):
        raise TournamentError("draft_stale")


def _seat_pairs(round_: Round, pairs: Sequence[Pair]) -> None:
    """Store the pairs on the boards; the plan, which keeps what was drawn, makes fixtures of them."""
    stored = {fixture.board: fixture for fixture in Fixture.objects.filter(round=round_).firsts()}
    part = round_.tournament.entry_kind.first_part
    new = [Fixture(round=round_, board=board, part=part) for board in range(1, len(pairs) + 1) if board not in stored]
    boards = stored | {fixture.board: fixture for fixture in new}
    for board, (first, second) in enumerate(pairs, start=1):
        boards[board].first_id, boards[board].second_id = first, second
    update_rows(list(stored.values()), ["first", "second"])
    insert_rows(new)


def lock_publishing(tournament_id: int, by: Player) -> Tournament:
    """Lock a tournament whose rounds its organiser publishes. TournamentError: not_organiser,
    rounds_publish_themselves, over, not_running (a draft)."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if not tournament.publishes_rounds:
        raise TournamentError("rounds_publish_themselves")
    if tournament.state not in (*ENTERING, State.RUNNING):
        raise TournamentError("over" if tournament.state != State.DRAFT else "not_running")
    return tournament
