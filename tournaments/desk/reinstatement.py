"""A referee takes a withdrawal or an expulsion back (F2, F3): the entry plays on, also the fixtures it gave up.

Its results count again as they were. The act is refused, with the fixtures named, where others were opened or decided
since because the entry was out. The forfeits it has by then are forgiven: three more expel it (R5).
"""

from collections.abc import Sequence

from django.db import transaction

from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import list_person_ids
from tournaments.core.log_details import ReturnDetail
from tournaments.core.permissions import may_judge_entry
from tournaments.core.result import NO_RESULT, WITHDRAWN, FixtureResult
from tournaments.desk.act import Act, begin_act, write_act
from tournaments.desk.results import recompute_after
from tournaments.entries import waiting_list
from tournaments.models import Entry, Fixture, LineUp
from tournaments.running import dependents

State = Fixture.State


def reinstate_entry(*, tournament_id: int, entry_id: int, act: Act) -> None:
    """Take the entry in again. TournamentError: no_such_entry, entry_stays, plays_against (F1), depended_on (F3)."""
    with transaction.atomic():
        tournament = begin_act(tournament_id, act)
        if tournament is None:
            return
        entry = tournament.entries.drawn().filter(pk=entry_id).first()
        if entry is None:
            raise TournamentError("no_such_entry")
        if entry.withdrawn_at is None:
            raise TournamentError("entry_stays")
        if not may_judge_entry(tournament, act.by, entry):
            raise TournamentError("plays_against")
        own = Fixture.objects.of_entry(entry).select_for_update(of=("self",))
        fixtures = list(own.select_related("round", "match").order_by("pk"))
        given_up = [fixture for fixture in fixtures if _was_given_up(fixture, entry)]
        for fixture in given_up:
            NO_RESULT.write_to(fixture)
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
        notify.tell_people(tournament, people, "returned")
        notify.mail_people(tournament, people, "returned", act.now, about=f"{entry.pk}:{left_at}")


def _was_given_up(fixture: Fixture, entry: Entry) -> bool:
    """Tell if a fixture ended because the entry left: not played, lost at its open table, or stopped there.

    A referee's later decision stands.
    """
    if fixture.ruled or fixture.annulled:
        return False
    match = fixture.match
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
    return sum(line in FixtureResult.from_fixture(fixture).forfeits for fixture, line in sides)
