"""A tournament before its draw: created, published, edited, cancelled (E2). It never draws and never opens a table."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType

from django.db import transaction

from players.models import Player
from tournaments.core import draw_secret, notify
from tournaments.core.cancellation import call_off_tournament
from tournaments.core.errors import TournamentError
from tournaments.core.locking import list_people, lock_tournament, store_version, write_log
from tournaments.core.permissions import require_organiser
from tournaments.core.reasons import read_reason
from tournaments.core.states import ENTERING
from tournaments.entries import pair_holds, waiting_list
from tournaments.entries.import_list import tell_entered
from tournaments.entries.open_invitations import announce_invitations
from tournaments.entries.queries import count_taken_places
from tournaments.entries.schedule import MIN_CHECKIN, compute_checkin_opening, compute_next_due_at
from tournaments.entry_kinds import Numbers
from tournaments.equal import secrets
from tournaments.formats import FORMATS
from tournaments.models import Series, Tournament
from tournaments.organise.settings import (
    TEXTS,
    Settings,
    apply_settings,
    apply_texts,
    check_settings,
    check_texts,
    count_tournament,
    drop_inapplicable,
    read_settings,
    require_below_limit,
    require_club,
    require_date,
    require_future,
)
from tournaments.running import reminders, round_times

State = Tournament.State


@transaction.atomic
def create_tournament(
    *,
    organiser: Player,
    settings: Settings,
    now: datetime,
    standing_offer: bool = False,
    series: Series | None = None,
) -> Tournament:
    """Create a draft; ``series``: the one that opens it. TournamentError where the settings can't be run."""
    if organiser.is_guest:
        raise TournamentError("not_a_member")
    settings = drop_inapplicable(settings)
    check_settings(settings)
    require_club(organiser, settings.club_id)
    require_date(settings, now)
    require_below_limit(organiser)
    if series is None:
        count_tournament(organiser, now)
    tournament = Tournament(organiser=organiser, created_at=now, standing_offer=standing_offer, series=series)
    apply_settings(tournament, settings)
    tournament.save()
    write_log(tournament, "created", now, organiser if series is None else None)
    return tournament


@transaction.atomic
def publish_tournament(*, tournament_id: int, by: Player, now: datetime) -> Tournament:
    """Open the registration. Players whom the organiser entered or invited before are told now."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state != State.DRAFT:
        raise TournamentError("not_a_draft")
    require_future(tournament, now)
    tournament.state = State.OPEN
    secrets.commit_before_checkin(tournament, now)
    tournament.due_at = compute_next_due_at(tournament, now)
    tournament.remind_at = reminders.compute_remind_at(tournament, now)
    write_log(tournament, "published", now, by)
    draw_secret.commit_to_draw(tournament, now)
    store_version(tournament)
    tell_entered(tournament, list_people(tournament), now)
    announce_invitations(tournament, now)
    return tournament


@transaction.atomic
def edit_tournament(
    *,
    tournament_id: int,
    by: Player,
    settings: Settings,
    now: datetime,
    hours: Mapping[int, datetime] = MappingProxyType({}),
) -> Tournament:
    """Change anything until the draw, afterwards what ``TEXTS`` names and the hours of rounds, by number, that haven't
    begun (E2, E6, R6)."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state in (State.FINISHED, State.CANCELLED):
        raise TournamentError("over")
    before, settings = read_settings(tournament), drop_inapplicable(settings)
    if tournament.state == State.RUNNING:
        if replace(before, **{name: getattr(settings, name) for name in TEXTS}) != settings:
            raise TournamentError("drawn")
        check_texts(settings)
        round_times.move_rounds(tournament, hours, now, by)
        apply_texts(tournament, settings)
    else:
        check_settings(settings)
        if settings.club_id != tournament.club_id:
            if by.pk != tournament.organiser_id:
                raise TournamentError("not_of_club")
            require_club(by, settings.club_id)
        require_date(settings, now)
        entries = count_taken_places(tournament)
        if settings.max_entries < entries:
            raise TournamentError("entries_range", low=entries, high=FORMATS[settings.format].max_size)
        anybody = tournament.entries.exists() or tournament.invitations.holding().exists()
        if anybody and _describe_entry(settings) != _describe_entry(before):
            raise TournamentError("entered_already")
        if anybody and settings.venue != tournament.venue:
            raise TournamentError("entered_already")  # a typed name sits at no table of the site
        if tournament.imported_from and settings.venue.opens_tables:
            raise TournamentError("imported_real")
        apply_settings(tournament, settings)
        tournament.draft = None
        if tournament.state in ENTERING:
            require_future(tournament, now)
            pair_holds.renew_holds(tournament, now)
            _close_early_checkin(tournament, now)
            secrets.commit_before_checkin(tournament, now)
            waiting_list.move_up(tournament, now)
            tournament.due_at = compute_next_due_at(tournament, now)
            tournament.remind_at = reminders.compute_remind_at(tournament, now)
            _tell_if_moved(tournament, before.starts_at, now)
    if tournament.state != State.RUNNING:
        write_log(tournament, "edited", now, by)
    elif settings != before or not hours:
        write_log(tournament, "texts_edited", now, by)
    store_version(tournament)
    return tournament


@transaction.atomic
def cancel_tournament(
    *, tournament_id: int, by: Player, now: datetime, reason: str = "", closing: bool = False
) -> Tournament:
    """Cancel as the organiser. Tables in play may be played out; they count for nothing.

    Once it was published and somebody is entered or invited, there must be a reason (E2): reason_missing, reason_long.
    ``closing``: the organiser closes their account, which is the reason.
    """
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state in (State.FINISHED, State.CANCELLED):
        raise TournamentError("over")
    words = read_reason(reason, required=needs_reason(tournament) and not closing)
    call_off_tournament(tournament, "organiser_gone" if closing else "by_organiser", now, by, words)
    return tournament


def _describe_entry(settings: Settings) -> Numbers:
    """Return what an entry is by these settings, whatever its cards and the way in which partners are drawn: it isn't
    changed any more once there is one."""
    ways = Tournament.Partners
    partners = ways.ENTERED if settings.partners == ways.ENTERED else ways.LOT
    return Numbers.of(settings)._replace(equal_deals=False, partners=partners, pairs_stay=False)


def needs_reason(tournament: Tournament) -> bool:
    """Return whether cancelling it needs the organiser's reason: people are in it, or asked, and know of it (E2)."""
    if tournament.state == State.DRAFT:
        return False
    return tournament.members.people().exists() or tournament.invitations.open().exists()


def _tell_if_moved(tournament: Tournament, before: datetime | None, now: datetime) -> None:
    """Tell entered, waiting and asking players that the start has moved; forms know minutes, so less is no move."""
    after = tournament.starts_at
    if before == after or (before and after and abs(after - before) < timedelta(minutes=1)):
        return
    people = list_people(tournament)
    notify.tell_people(tournament, people, "start_moved")
    notify.mail_people(tournament, people, "start_moved", now, about=tournament.version, at=after)


def _close_early_checkin(tournament: Tournament, now: datetime) -> None:
    """Close an open check-in whose start was put off: it opens again, and players check in again. Brought nearer, it
    goes on."""
    if tournament.state != State.CHECKIN:
        return
    opens = compute_checkin_opening(tournament, now)
    start, asked = tournament.starts_at, tournament.checkin_minutes is not None
    if asked and start is not None and start - now < MIN_CHECKIN:
        return
    if opens is None or opens > now:
        tournament.state = State.OPEN
        tournament.members.update(checked_in_at=None)
