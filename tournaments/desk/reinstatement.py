"""A referee takes a withdrawal or an expulsion back (F2, F3): the entry plays on, also the fixtures it gave up.

Its results count again as they were. The act is refused, with the fixtures named, where others were opened or decided
since because the entry was out. The forfeits it has by then are forgiven: three more expel it (R5). Nobody who left by
themself is made to play again: they are asked (E3).
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import list_person_ids, lock_tournament, store_version, write_log
from tournaments.core.log_details import ACT, EntryDetail, ReturnDetail
from tournaments.core.permissions import may_judge_entry
from tournaments.core.result import NO_RESULT, WITHDRAWN, FixtureResult
from tournaments.desk.act import Act, begin_act, write_act
from tournaments.desk.asking import ask_to_play, open_asked_act
from tournaments.desk.results import recompute_after
from tournaments.entries import waiting_list
from tournaments.entries.open_invitations import end_invitation, lock_inviter, require_invitable
from tournaments.models import Entry, Fixture, LineUp, LogEntry, PlayInvitation, Tournament
from tournaments.running import dependents
from tournaments.running.level_results import forget_matches

State = Fixture.State


def reinstate_entry(*, tournament_id: int, entry_id: int, act: Act) -> bool:
    """Take the entry in again. A player who left it themself is asked first, and it is in again when they accept (E3).

    Return whether it is in now. TournamentError: no_such_entry, entry_stays, plays_against (F1), depended_on (F3),
    not_invitable and its like.
    """
    with transaction.atomic():
        lock_inviter(act.by)
        tournament = begin_act(tournament_id, act)
        if tournament is None:
            return True
        if act.key and tournament.invitations.filter(act=act.key).exists():
            return False
        entry = _find_entry(tournament, entry_id, act)
        leaver = _find_leaver(tournament, entry)
        if leaver is None:
            _reinstate(tournament, entry, act)
            return True
        with transaction.atomic():  # what stands in the way is said now, not to whoever accepts
            _reinstate(tournament, entry, act)
            transaction.set_rollback(True)
        tournament.refresh_from_db()
        require_invitable(tournament, act.by, leaver, act.now)
        ask_to_play(tournament, PlayInvitation.Kind.RETURN, leaver, entry, act)
        write_log(tournament, "return_asked", act.now, act.by, EntryDetail(entry=entry_id))
        store_version(tournament)
        return False


@transaction.atomic
def return_to_play(*, tournament_id: int, player: Player, invitation_id: int, now: datetime) -> None:
    """Accept to play on after having left: the referee's act happens now. TournamentError: invitation_gone, also where
    it isn't possible any more, and depended_on."""
    lock_tournament(tournament_id)
    tournament, invitation, act = open_asked_act(tournament_id, player, invitation_id, PlayInvitation.Kind.RETURN, now)
    try:
        entry = _find_entry(tournament, invitation.entry_id or 0, act)
    except TournamentError as error:
        raise TournamentError("invitation_gone") from error
    end_invitation(invitation, PlayInvitation.Outcome.ACCEPTED, now)
    _reinstate(tournament, entry, act)


def _find_entry(tournament: Tournament, entry_id: int, act: Act) -> Entry:
    entry = tournament.entries.drawn().filter(pk=entry_id).first()
    if entry is None:
        raise TournamentError("no_such_entry")
    if entry.withdrawn_at is None:
        raise TournamentError("entry_stays")
    if not may_judge_entry(tournament, act.by, entry):
        raise TournamentError("plays_against")
    return entry


def _find_leaver(tournament: Tournament, entry: Entry) -> Player | None:
    """Return the player who withdrew the entry; None where a referee or the rules took it out, or who left is gone."""
    codes = ("withdrawn", "expelled", f"{ACT}withdrawn", f"{ACT}expelled")
    acts = LogEntry.objects.filter(tournament=tournament, code__in=codes, detail__entry=entry.pk)
    latest = acts.select_related("player__user").order_by("-pk").first()
    if latest is None or latest.code != "withdrawn" or latest.player is None or not latest.player.user.is_active:
        return None
    return latest.player


def _reinstate(tournament: Tournament, entry: Entry, act: Act) -> None:
    assert entry.withdrawn_at is not None
    own = Fixture.objects.with_results().of_entry(entry).select_for_update(of=("self",))
    fixtures = list(own.select_related("round", "match").order_by("pk"))
    given_up = [fixture for fixture in fixtures if _was_given_up(fixture, entry)]
    forget_matches([fixture.match_id for fixture in given_up], act.now)
    for fixture in given_up:
        NO_RESULT.write_to(fixture)
        fixture.own_cards = fixture.own_cards or fixture.match is not None  # its players have seen the round's (J9)
        fixture.match, fixture.result_at, fixture.announced = None, None, False
        fixture.state = State.WAITING
        fixture.save()
    LineUp.objects.filter(fixture__in=given_up).delete()  # the members play them now
    left_at = entry.withdrawn_at.isoformat(timespec="seconds")
    was_expelled = entry.expelled
    entry.withdrawn_at = entry.withdrawn_after = None
    entry.expelled = False
    entry.forgiven = _count_forfeits(fixtures, entry)
    entry.save(update_fields=["withdrawn_at", "withdrawn_after", "expelled", "forgiven"])
    dependents.require_no_dependents_of_entry(tournament, entry, given_up)
    detail = ReturnDetail(
        entry=entry.pk,
        members=list_person_ids(entry),
        was_expelled=was_expelled,
        left_at=left_at,
        again=tuple(fixture.pk for fixture in given_up),
    )
    write_act(tournament, "returned", act, detail)
    recompute_after(tournament, act.now, given_up)
    people = waiting_list.list_people_of_entries([entry])
    notify.recheck_watching(people)
    notify.tell_people(tournament, people, "returned")
    notify.mail_people(tournament, people, "returned", act.now, about=f"{entry.pk}:{left_at}")


def _was_given_up(fixture: Fixture, entry: Entry) -> bool:
    """Tell if a fixture ended because the entry left: not played, lost at its open table, or stopped there.

    A referee's later decision stands.
    """
    if fixture.ruled or fixture.annulled:
        return False
    match = None if fixture.match is None else fixture.match.with_results()
    if fixture.result_at is None:
        return match is not None and match.stopped_at is not None
    line = 0 if fixture.first_id == entry.pk else 1
    lost = line in FixtureResult.from_fixture(fixture).forfeits
    if match is None:
        return lost and fixture.decided_by == WITHDRAWN
    return lost and match.offender == line and match.finished_at == entry.withdrawn_at


def _count_forfeits(fixtures: Sequence[Fixture], entry: Entry) -> int:
    """Count the entry's forfeits that stay."""
    sides = ((fixture, 0 if fixture.first_id == entry.pk else 1) for fixture in fixtures if not fixture.annulled)
    lost = (fixture for fixture, line in sides if line in FixtureResult.from_fixture(fixture).forfeits)
    return len({(fixture.round_id, fixture.board) for fixture in lost})
