"""Leaving a running tournament: by oneself, or taken out by a referee (R5, F2). Nobody waits for a leaver.

Their open table ends at once, annulments and forfeits follow from the rules, and everything is recomputed.
"""

from datetime import datetime

from django.db import transaction

from games.models import Match, Seat
from games.services import errors, referee
from players.models import Player
from players.services.counted_acts import note_act
from tournaments.core.errors import TournamentError
from tournaments.core.locking import list_person_ids, lock_tournament, write_log
from tournaments.core.log_details import ACT, ActDetail, WithdrawalDetail
from tournaments.core.permissions import may_judge_entry, require_referee
from tournaments.core.reasons import read_reason
from tournaments.formats.protocol import Kind, Slot
from tournaments.models import Entry, Fixture, Tournament
from tournaments.running.abandonment import end_if_abandoned
from tournaments.running.absences import mark_withdrawn, tell_withdrawn
from tournaments.running.path_store import find_path_format
from tournaments.running.plan_basis import make_plan
from tournaments.running.results import advance, record_result

State = Fixture.State


@transaction.atomic
def withdraw_entry(
    *, tournament_id: int, entry_id: int, by: Player, reason: str, now: datetime, expelled: bool = False
) -> None:
    """Take an entry out of a running tournament, or expel it.

    Players take their own entry out, a partner the pair, without a reason; a referee any entry, with one, but for those
    they meet themselves: it would be their own win (F1). TournamentError: not_running, no_such_entry, entry_left,
    not_referee, plays_against, reason_missing, reason_long.
    """
    tournament = lock_tournament(tournament_id)
    if tournament.state != Tournament.State.RUNNING:
        raise TournamentError("not_running")
    entry = tournament.entries.drawn().filter(pk=entry_id).first()
    if entry is None:
        raise TournamentError("no_such_entry")
    if entry.withdrawn_at is not None:
        raise TournamentError("entry_left")
    own = entry.members.of_player(by).exists()
    ruled = expelled or not own
    if ruled:
        require_referee(tournament, by)
        if not own and not may_judge_entry(tournament, by, entry):
            raise TournamentError("plays_against")
    reason = read_reason(reason, required=ruled)
    tables = _lock_open_tables(entry)
    mark_withdrawn(tournament, entry, now, expelled=expelled)
    what = "expelled" if expelled else "withdrawn"
    if ruled:
        detail = ActDetail(reason=reason, entry=entry.pk, members=list_person_ids(entry))
        write_log(tournament, f"{ACT}{what}", now, by, detail)
    else:
        write_log(tournament, what, now, by, WithdrawalDetail(entry=entry.pk, reason=reason))
    for table in tables:
        _close_table(tournament, entry, table, now)
    left_over = Fixture.objects.of_entry(entry).open().select_related("round")
    advance(tournament_id=tournament.pk, now=now, changed=left_over)
    if not own:
        tell_withdrawn(tournament, entry, now)
    if own and tournament.standing_offer:
        note_act(withdrawals_key(by), now=now)
    end_if_abandoned(tournament_id=tournament.pk, now=now)


def withdrawals_key(player: Player) -> str:
    """Return the key under which the player's withdrawals from the house's tournaments are counted (AT6)."""
    return f"withdrawals:{player.pk}"


def _lock_open_tables(entry: Entry) -> list[Fixture]:
    """Lock the fixture the entry is playing now: of a team both tables (J11)."""
    playing = Fixture.objects.of_entry(entry).playing().filter(result_at__isnull=True).select_for_update(of=("self",))
    return list(playing.select_related("round", "match").order_by("part"))


def _close_table(tournament: Tournament, entry: Entry, fixture: Fixture, now: datetime) -> None:
    """End its table in play: lost by the leaver, or stopped where the fixture is annulled anyhow (R5)."""
    match = fixture.match
    if match is None:
        return
    if match.status != Match.Status.FINISHED:
        line = 0 if fixture.first_id == entry.pk else 1
        seats = Seat.objects.filter(match=match).order_by("number").values_list("number", flat=True)
        seat = next(number for number in seats if number % 2 == line)
        try:
            if _is_annulled(tournament, fixture):
                referee.stop(match_id=match.pk, now=now)
                return
            referee.forfeit(match_id=match.pk, seat=seat, now=now)
        except errors.Finished:  # its own clock was quicker
            pass
    record_result(match_id=match.pk, now=now)


def _is_annulled(tournament: Tournament, fixture: Fixture) -> bool:
    if find_path_format(tournament) is not None:
        return False
    size = tournament.entries.drawn().count()
    slot = Slot(fixture.round.number, fixture.board)
    kinds = (p.kind for p in make_plan(tournament, size, {}).pairings if p.slot == slot)
    return next(kinds) is Kind.ANNULLED
