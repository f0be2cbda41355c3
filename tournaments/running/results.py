"""Results of matches become results of fixtures, once, and the tournament advances."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from games.models import Match
from tournaments.core.circuit_marks import mark_circuits
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import FixtureDetail, RoundDetail
from tournaments.core.result import FixtureResult, ResultTerms, find_context
from tournaments.equal import secrets
from tournaments.formats.protocol import Slot
from tournaments.models import Fixture, Tournament
from tournaments.rankings.points import store_points
from tournaments.running import reminders
from tournaments.running.abandonment import end_if_abandoned
from tournaments.running.absences import expel_absent
from tournaments.running.level_results import note_changed_results
from tournaments.running.path_store import find_path_format, store_path
from tournaments.running.plan_store import store_plan
from tournaments.webhooks import outbox

State = Tournament.State


def record_result(*, match_id: int, now: datetime) -> bool:
    """Take in the result of a finished match and advance, once; False where there was nothing to do."""
    row = Fixture.objects.filter(match_id=match_id).values_list("pk", "round__tournament_id").first()
    if row is None:  # a free table
        return False
    with transaction.atomic():
        tournament = lock_tournament(row[1])
        fixture = Fixture.objects.with_results().select_related("round").select_for_update(of=("self",)).get(pk=row[0])
        match = Match.objects.with_results().get(pk=match_id)
        over = match.status == Match.Status.FINISHED and match.stopped_at is None  # one that was stopped has no result
        if fixture.result_at is not None or not over or tournament.state != State.RUNNING:
            return False
        _write_result(tournament, fixture, match, now)
        score = (match.score_0, match.score_1) if fixture.is_shown else None
        detail = FixtureDetail(fixture=fixture.pk, score=score)
        write_log(tournament, "result", now, detail=detail)
        _advance(tournament, now, [slot_of(fixture)])
        return True


def _write_result(tournament: Tournament, fixture: Fixture, match: Match, now: datetime) -> None:
    """Write the fixture's result from its match: MP and VP by V1-V5, R4 for a double forfeit, none of them in a KO
    (K3)."""
    context = find_context(tournament, fixture)
    if context == "ko" and match.winner is None and not match.both_forfeited:
        raise ValueError(f"a KO match without a winner: {match.pk}")
    FixtureResult.from_match(ResultTerms.of(tournament, context), match).write_to(fixture)
    fixture.state = Fixture.State.DONE
    fixture.result_at = now
    fixture.save()


def advance(*, tournament_id: int, now: datetime, changed: Collection[Fixture] | None = None) -> None:
    """Recompute everything below the draw from the fixtures' results and store what differs.

    ``changed``: the fixtures alone that have another result, or whose entry left, where it is known. Then in a bracket
    only what hangs on them is read and stored.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        if tournament.state == State.RUNNING:
            _advance(tournament, now, None if changed is None else [slot_of(fixture) for fixture in changed])
            # In a bracket no other result changes with it; elsewhere who leaves may have results annulled (R5).
            note_changed_results(tournament, now, changed if find_path_format(tournament) is not None else None)


@transaction.atomic
def show_rounds(*, tournament_id: int, now: datetime) -> None:
    """Show what nobody has to be kept from any more (J5, J12), where the last result didn't."""
    tournament = lock_tournament(tournament_id)
    if secrets.reveal_rounds(tournament, now):
        outbox.tell_results(tournament, now)
        store_version(tournament)


def slot_of(fixture: Fixture) -> Slot:
    """Return the place of a fixture."""
    return Slot(fixture.round.number, fixture.board)


def _advance(tournament: Tournament, now: datetime, changed: Collection[Slot] | None) -> None:
    format_ = find_path_format(tournament)
    expelled, was_over = False, tournament.finished_at is not None
    if format_ is not None and changed is not None and not tournament.play_offs_opened:  # those reorder any rank (EV11)
        finished = store_path(tournament, format_, changed, now)
    else:
        finished, expelled = _store_whole(tournament, now)
    if tournament.equal_deals:
        secrets.reveal_rounds(tournament, now)
    outbox.tell_results(tournament, now)
    if finished:
        tournament.state = State.FINISHED
        tournament.paused_at = None
        if tournament.finished_at is None:  # a correction after the end leaves it as it was (F3)
            tournament.finished_at = now
            _log_dropped_rounds(tournament, now)
            write_log(tournament, "finished", now)
            outbox.tell_end(tournament, now)
    if tournament.finished_at is not None:
        store_points(tournament, now)
    if not finished:
        tournament.finished_at = tournament.closed_at = None
    if finished or was_over:
        mark_circuits(tournament, now)
    reminders.tell_rounds(tournament, now)
    store_version(tournament)
    if expelled:
        note_changed_results(tournament, now)
        end_if_abandoned(tournament_id=tournament.pk, now=now)


def _log_dropped_rounds(tournament: Tournament, now: datetime) -> None:
    """Log that the tournament ends before a round that can't be paired (D1)."""
    if tournament.stuck_round is not None:
        stuck = tournament.rounds.get(number=tournament.stuck_round)
        write_log(tournament, "rounds_dropped", now, detail=RoundDetail(round=(stuck.name, stuck.number)))


def _store_whole(tournament: Tournament, now: datetime) -> tuple[bool, bool]:
    """Store the whole plan. Return whether the tournament is finished, and whether somebody was expelled (R5)."""
    entries = list(tournament.entries.drawn())
    finished, expelled = store_plan(tournament, entries, now), False
    while not finished and expel_absent(tournament, entries, now):
        finished, expelled = store_plan(tournament, entries, now), True
    return finished, expelled
