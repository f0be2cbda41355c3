"""Rounds of a danese that can't be paired any more (D1): noted and logged as soon as that is sure.

What the organiser chooses for them is ``ways_out``'s.
"""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from tournaments.core.locking import write_log
from tournaments.core.log_details import RoundDetail
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Plan
from tournaments.models import RoundBye, Tournament
from tournaments.running.plan_basis import (
    make_plan,
    read_leavers,
    read_picture,
    read_rounds_by_number,
    read_stored_fixtures,
)

State = Tournament.State


def note_dead_end(tournament: Tournament, plan: Plan, now: datetime) -> None:
    """Note the first round that can't be paired after this plan, and log it where it is another one than before.

    The tournament is locked, and stored by the caller.
    """
    before, after = tournament.stuck_round, plan.stuck
    if before == after:
        return
    tournament.stuck_round = after
    if after is not None:
        write_log(tournament, "round_stuck", now, detail=RoundDetail(round=(plan.names[after - 1], after)))
    elif before is not None and not _is_paired(plan, before):
        write_log(tournament, "round_unstuck", now, detail=RoundDetail(round=(plan.names[before - 1], before)))


def _is_paired(plan: Plan, number: int) -> bool:
    return any(pairing.slot.round == number and pairing.first is not None for pairing in plan.pairings)


def note_wish(tournament: Tournament, now: datetime) -> None:
    """Note what a wish for the rounds to come makes of them: it changes nothing else that is planned."""
    if _is_drawn_on(tournament) and (tournament.stuck_round is not None or not _has_room(tournament)):
        note_dead_end(tournament, read_plan(tournament), now)


def _is_drawn_on(tournament: Tournament) -> bool:
    """Tell if rounds are still drawn by the results."""
    return tournament.state == State.RUNNING and FORMATS[tournament.format].keeps_rounds


def _has_room(tournament: Tournament) -> bool:
    """Tell if so many play that every round can be paired whoever has met whom, even if one more is away: in each of
    them everybody has half the places left as opponents (as ``rounds_ahead.has_spare_opponents``). No plan is made."""
    staying = tournament.entries.drawn().filter(withdrawn_at=None).count()
    away = RoundBye.objects.filter(entry__tournament=tournament).count()
    return staying - 1 - away >= 2 * (tournament.rounds.count() + 1)


def foresee_leaving(tournament: Tournament, entry_id: int) -> int | None:
    """Return the round that couldn't be paired any more if an entry left now; None where there is none by that."""
    if not _is_drawn_on(tournament) or _has_room(tournament):
        return None
    entries = list(tournament.entries.drawn())
    fixtures = read_stored_fixtures(tournament, read_rounds_by_number(tournament))
    drawn = max((slot.round for slot, fixture in fixtures.items() if fixture.first_id is not None), default=0)
    seed = next(seed for seed, entry in enumerate(entries, start=1) if entry.pk == entry_id)
    stuck = make_plan(tournament, len(entries), fixtures, {**read_leavers(entries), seed: drawn}).stuck
    return None if stuck == tournament.stuck_round else stuck


def foresee_wish(tournament: Tournament, wish: Callable[[], object]) -> int | None:
    """Return the round that couldn't be paired any more after a wish, which is carried out and taken back; None where
    there is none by that. Raise TournamentError where it would be refused."""
    with transaction.atomic():
        wish()
        stuck = Tournament.objects.filter(pk=tournament.pk).values_list("stuck_round", flat=True).get()
        transaction.set_rollback(True)
    return None if stuck == tournament.stuck_round else stuck


def read_plan(tournament: Tournament) -> Plan:
    """Return the plan as it is now."""
    return read_picture(tournament).make_plan()
