"""A tournament from its draw to its final ranks: draw, open tables, take results in, advance.

Pairings and standings are the format's: this only stores the picture it gives, whole, after each result. Nothing is
patched. Every step is idempotent and guarded under the tournament's lock, so that the sweep, a page and a signal may
all ask for it.
"""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.urls import reverse

from games.models import Match
from games.services import errors, seating
from tournaments import broadcast
from tournaments.formats import FORMATS
from tournaments.models import EntryMember, Fixture, Round, Tournament
from tournaments.result import FixtureResult, ResultTerms, context_of, length_of
from tournaments.selectors import ENTERING
from tournaments.services import checkin, reminders, rounds, waiting
from tournaments.services.drawing import store_drawn
from tournaments.services.leavers import expel_absent
from tournaments.services.life import call_off
from tournaments.services.picture import store_picture
from tournaments.services.state import changed, locked, log, people_in

State = Tournament.State
BUSY_RETRY = timedelta(seconds=2)  # a player still sits elsewhere (E8): look again so much later


def start_due(*, tournament_id: int, now: datetime) -> bool:
    """Open the check-in (E4) or start (E5) where the hour has come; False where there was nothing to do."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        if tournament.state not in ENTERING or tournament.due_at is None or tournament.due_at > now:
            return False
        if tournament.state == State.OPEN and tournament.starts_at is not None and now < tournament.starts_at:
            checkin.open_due(tournament, now)
            return True
        draw_and_start(tournament, now)
        return True


def draw_and_start(tournament: Tournament, now: datetime) -> None:
    """Close the entries of a locked tournament, give out the seeds (K1), draw the lot and give every fixture its place.

    Pairs that nobody confirmed are out, and who hasn't checked in (E4). With fewer entries than the minimum it is
    cancelled instead.
    """
    checkin.close(tournament, now)
    entries = list(
        tournament.entries.in_place().order_by(F("placed").asc(nulls_last=True), "pk").values_list("pk", flat=True)
    )
    if len(entries) < max(tournament.min_entries, FORMATS[tournament.format].min_size):
        call_off(tournament, "too_few_entries", now)
        return
    waiting.dismiss(tournament, now)
    if tournament.seeding == Tournament.Seeding.LOT:
        secrets.SystemRandom().shuffle(entries)
    tournament.lot = secrets.token_hex(16)
    tournament.state = State.RUNNING
    tournament.drawn_at = now
    tournament.due_at = tournament.remind_at = None
    log(tournament, "drawn", now, order=entries, lot=tournament.lot)
    store_drawn(tournament, entries, now)
    rounds.plan_reminders(Round.objects.filter(tournament=tournament, number__gt=1), now)
    changed(tournament)
    people = people_in(tournament)
    broadcast.tell(tournament, people, "drawn")
    broadcast.mail(tournament, people, "drawn", now)


def open_due_fixture(*, fixture_id: int, now: datetime) -> Match | None:
    """Open the table of a fixture whose time has come (K4); None where there was nothing to do.

    If one of its players still sits at another table (E8), it stays ready and is tried again a little later.
    """
    tournament_id = Fixture.objects.values_list("round__tournament_id", flat=True).get(pk=fixture_id)
    with transaction.atomic():
        tournament = locked(tournament_id)
        fixture = Fixture.objects.select_for_update().get(pk=fixture_id)
        due = fixture.state == Fixture.State.READY and fixture.opens_at is not None and fixture.opens_at <= now
        if tournament.state != State.RUNNING or not due:
            return None
        try:
            with transaction.atomic():
                match = _open_table(tournament, fixture, now)
        except errors.SeatTaken:
            fixture.opens_at = now + BUSY_RETRY
            fixture.save(update_fields=["opens_at"])
            return None
        fixture.match = match
        fixture.state = Fixture.State.PLAYING
        fixture.opens_at = None
        fixture.save(update_fields=["match", "state", "opens_at"])
        log(tournament, "table_opened", now, fixture=fixture.pk)
        changed(tournament)
        return match


def _open_table(tournament: Tournament, fixture: Fixture, now: datetime) -> Match:
    members = EntryMember.objects.filter(entry__in=(fixture.first_id, fixture.second_id)).select_related("player")
    # R1: the first-named line sits at seat 0, and at 2 if it is a pair: partners face each other (G2).
    seats = sorted(members, key=lambda member: (member.position, member.entry_id != fixture.first_id))
    return seating.open_match(
        ruleset=tournament.ruleset,
        length=length_of(tournament),
        context=context_of(tournament, fixture),
        options=tournament.options,
        players=[member.player for member in seats],
        turn_timeout=tournament.turn_timeout,
        match_clock=tournament.match_clock,
        noshow_after=tournament.noshow_after,
        first_dealer=None,
        title=tournament.name,
        about_url=reverse("tournament", args=[tournament.public_id]),
        now=now,
    )


def record_result(*, match_id: int, now: datetime) -> bool:
    """Take in the result of a finished match and advance, once; False where there was nothing to do."""
    found = Fixture.objects.filter(match_id=match_id).values_list("pk", "round__tournament_id").first()
    if found is None:  # a free table
        return False
    with transaction.atomic():
        tournament = locked(found[1])
        fixture = Fixture.objects.select_for_update().get(pk=found[0])
        match = Match.objects.get(pk=match_id)
        over = match.status == Match.Status.FINISHED and match.stopped_at is None  # one that was stopped has no result
        if fixture.result_at is not None or not over or tournament.state != State.RUNNING:
            return False
        _write_result(tournament, fixture, match, now)
        log(tournament, "result", now, fixture=fixture.pk, score=[match.score_0, match.score_1])
        _advance(tournament, now)
        return True


def _write_result(tournament: Tournament, fixture: Fixture, match: Match, now: datetime) -> None:
    """The fixture's result from its match: MP and VP by V1-V5, R4 for a double forfeit, none of them in a KO (K3)."""
    context = context_of(tournament, fixture)
    if context == "ko" and match.winner is None and not match.both_forfeited:
        raise ValueError(f"a KO match without a winner: {match.pk}")
    FixtureResult.from_match(ResultTerms.of(tournament, context), match).write_to(fixture)
    fixture.state = Fixture.State.DONE
    fixture.result_at = now
    fixture.save()


def advance(*, tournament_id: int, now: datetime) -> None:
    """Recompute everything below the draw from the fixtures' results and store what differs."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        if tournament.state == State.RUNNING:
            _advance(tournament, now)


def _advance(tournament: Tournament, now: datetime) -> None:
    entries = list(tournament.entries.drawn())
    finished = store_picture(tournament, entries, now)
    while not finished and expel_absent(tournament, entries, now):
        finished = store_picture(tournament, entries, now)
    if finished:
        tournament.state = State.FINISHED
        tournament.finished_at = now
        log(tournament, "finished", now)
    reminders.tell_rounds(tournament, now)
    changed(tournament)
