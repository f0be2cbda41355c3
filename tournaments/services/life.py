"""A tournament before its draw: set up, published, edited, cancelled (E2). It never draws and never opens a table."""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

from django.db import transaction

from games.engine.game import Length, LengthKind
from games.options import fault, setup_of
from players.markdown import LONGEST, clean_text
from players.models import Player
from players.selectors import clubs_to_organise_for, time_zones
from players.text import clean_line
from scoring import vp
from scoring.tiebreaks import PRESETS
from tournaments import broadcast
from tournaments.formats import FORMATS
from tournaments.models import Fixture, Series, Tournament
from tournaments.selectors.places import ENTERING, UNDRAWN, plain_code
from tournaments.selectors.rights import may_run
from tournaments.services import pending, reminders, rounds, waiting
from tournaments.services.due import SHORTEST_CHECKIN, checkin_opens, due_at
from tournaments.services.errors import TournamentError
from tournaments.services.formulas import check_hours, check_options, contexts
from tournaments.services.state import changed, locked, log, people_in

State = Tournament.State

OPEN_AT_ONCE = 10  # tournaments of one organiser that aren't drawn yet: nobody fills the front page alone
TEXTS = ("name", "description", "time_zone")  # what may still change after the draw (E2)
LATEST_START = timedelta(days=366)
LONGEST_CHECKIN = 24 * 60  # minutes
CODE_LENGTH = (4, 16)
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # those that aren't taken for one another


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything an organiser chooses. Times in seconds; ``starts_at`` None: starts as soon as it is full."""

    name: str
    format: str
    ruleset: str
    length_kind: LengthKind
    length_value: int
    format_options: Mapping[str, bool | int] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    turn_timeout: int | None = 60
    match_clock: int | None = 900
    noshow_after: int = 300
    pause: int = 10
    tie_break: str = "standard"
    seats_an_entry: int = 1
    seeding: str = Tournament.Seeding.LOT
    min_entries: int = 2
    max_entries: int = 8
    guests_allowed: bool = True
    house_allowed: bool = False
    starts_at: datetime | None = None
    description: str = ""  # Markdown
    time_zone: str = "Europe/Rome"  # the organiser's (E7)
    club_id: int | None = None  # in whose name
    registration: str = Tournament.Registration.OPEN
    join_code: str = ""  # what one types (CODE); empty: one is made up
    checkin_minutes: int | None = None  # before the start (E4); None: off
    round_minutes: int | None = None  # from one round's start to the next (R6); None: as soon as the one before is over
    round_hours: tuple[datetime, ...] = ()  # of the second round and those after it (R6)


def check(settings: Settings) -> None:
    """Raise TournamentError where a tournament can't be run so. The lengths a girone may have: V4."""
    check_texts(settings)
    format_ = FORMATS.get(settings.format)
    if format_ is None:
        raise TournamentError("unknown_format")
    check_options(format_, settings.format_options, settings.max_entries)
    check_hours(settings.round_minutes, settings.round_hours, settings.starts_at)
    if settings.tie_break not in PRESETS:
        raise TournamentError("unknown_tie_break")
    length = Length(settings.length_kind, settings.length_value)
    players = 2 * settings.seats_an_entry
    for context in contexts(format_):
        wrong = fault(setup_of(settings.ruleset, players, length, context, settings.options), vp.check_length)
        if wrong is not None and wrong.code == "length_without_vp":
            raise TournamentError("length_without_vp", allowed=wrong.allowed)
        if wrong is not None:
            raise TournamentError("setup_refused", reason=wrong.code, about=wrong.about, allowed=wrong.allowed)
    if settings.turn_timeout is None and settings.match_clock is None:
        raise TournamentError("clocks_missing")
    if settings.seeding not in Tournament.Seeding.values:
        raise TournamentError("unknown_seeding")
    if settings.seeding == Tournament.Seeding.ORGANISER and settings.starts_at is None:
        raise TournamentError("seeding_needs_start")
    _check_entering(settings)
    if not format_.min_size <= settings.min_entries <= settings.max_entries <= format_.max_size:
        raise TournamentError("entries_range", low=format_.min_size, high=format_.max_size)


def check_texts(settings: Settings) -> None:
    """The same of what may change at any time."""
    if not clean_line(settings.name):
        raise TournamentError("name_missing")
    if len(clean_text(settings.description)) > LONGEST:
        raise TournamentError("text_too_long", limit=LONGEST)
    if settings.time_zone not in time_zones():
        raise TournamentError("unknown_time_zone")


@transaction.atomic
def create(
    *,
    organiser: Player,
    settings: Settings,
    now: datetime,
    standing_offer: bool = False,
    series: Series | None = None,
) -> Tournament:
    """A new draft, of a series if that opens it by itself. TournamentError where the settings won't do."""
    if organiser.is_guest:
        raise TournamentError("not_a_member")
    check(settings)
    _require_club(organiser, settings.club_id)
    _require_date(settings.starts_at, now)
    _require_room(organiser)
    tournament = Tournament(organiser=organiser, created_at=now, standing_offer=standing_offer, series=series)
    _apply(tournament, settings)
    tournament.save()
    log(tournament, "created", now, organiser if series is None else None)
    return tournament


@transaction.atomic
def publish(*, tournament_id: int, by: Player, now: datetime) -> Tournament:
    """Open the registration. Whom the organiser entered before hears of it now."""
    tournament = locked(tournament_id)
    require_organiser(tournament, by)
    if tournament.state != State.DRAFT:
        raise TournamentError("not_a_draft")
    _require_future(tournament.starts_at, now)
    tournament.state = State.OPEN
    tournament.due_at = due_at(tournament, now)
    tournament.remind_at = reminders.remind_at(tournament, now)
    log(tournament, "published", now, by)
    changed(tournament)
    tell_entered(tournament, people_in(tournament), now)
    return tournament


def tell_entered(tournament: Tournament, player_ids: Collection[int], now: datetime) -> None:
    """Tell these players that the organiser entered them."""
    broadcast.tell(tournament, player_ids, "entered_by_list")
    broadcast.mail(tournament, player_ids, "entered_by_list", now, about=tournament.version)


@transaction.atomic
def edit(
    *,
    tournament_id: int,
    by: Player,
    settings: Settings,
    now: datetime,
    hours: Mapping[int, datetime] = MappingProxyType({}),
) -> Tournament:
    """Change anything until the draw, afterwards what ``TEXTS`` names and the hours of rounds, by number, that haven't
    begun (E2, E6, R6)."""
    tournament = locked(tournament_id)
    require_organiser(tournament, by)
    if tournament.state in (State.FINISHED, State.CANCELLED):
        raise TournamentError("over")
    before = settings_of(tournament)
    if tournament.state == State.RUNNING:
        if replace(before, **{name: getattr(settings, name) for name in TEXTS}) != settings:
            raise TournamentError("drawn")
        check_texts(settings)
        rounds.move(tournament, hours, now, by)
        _apply_texts(tournament, settings)
    else:
        check(settings)
        if settings.club_id != tournament.club_id:
            if by.pk != tournament.organiser_id:
                raise TournamentError("not_of_club")
            _require_club(by, settings.club_id)
        _require_date(settings.starts_at, now)
        entries = tournament.entries.in_place().count()
        if settings.max_entries < entries:
            raise TournamentError("entries_range", low=entries, high=FORMATS[settings.format].max_size)
        anybody = tournament.entries.exists()
        if anybody and settings.seats_an_entry != tournament.seats_an_entry:
            raise TournamentError("entered_already")
        _apply(tournament, settings)
        if tournament.state in ENTERING:
            _require_future(tournament.starts_at, now)
            pending.renew(tournament, now)
            _shut_early_checkin(tournament, now)
            waiting.move_up(tournament, now)
            tournament.due_at = due_at(tournament, now)
            tournament.remind_at = reminders.remind_at(tournament, now)
            _tell_if_moved(tournament, before.starts_at, now)
    if tournament.state != State.RUNNING:
        log(tournament, "edited", now, by)
    elif settings != before or not hours:
        log(tournament, "texts_edited", now, by)
    changed(tournament)
    return tournament


@transaction.atomic
def cancel(*, tournament_id: int, by: Player, now: datetime) -> Tournament:
    """The organiser calls it off. Tables in play may be played out; they count for nothing."""
    tournament = locked(tournament_id)
    require_organiser(tournament, by)
    if tournament.state in (State.FINISHED, State.CANCELLED):
        raise TournamentError("over")
    call_off(tournament, "by_organiser", now, by)
    return tournament


def call_off(tournament: Tournament, because: str, now: datetime, by: Player | None = None) -> None:
    """Cancel a locked tournament, say why and tell everybody (E5)."""
    people = [] if tournament.state == State.DRAFT else people_in(tournament)  # of a draft nobody knows
    tournament.state = State.CANCELLED
    tournament.cancelled_because = because
    tournament.due_at = tournament.remind_at = None
    tournament.finished_at = now
    Fixture.objects.of(tournament).filter(opens_at__isnull=False).update(opens_at=None)
    log(tournament, "cancelled", now, by, because=because)
    changed(tournament)
    broadcast.tell(tournament, people, f"cancelled_{because}")
    broadcast.mail(tournament, people, "cancelled", now)


def _tell_if_moved(tournament: Tournament, before: datetime | None, now: datetime) -> None:
    """Whoever is entered, waits or asks hears that it starts at another hour; a form knows only minutes of it."""
    after = tournament.starts_at
    if before == after or (before and after and abs(after - before) < timedelta(minutes=1)):
        return
    people = people_in(tournament)
    broadcast.tell(tournament, people, "start_moved")
    broadcast.mail(tournament, people, "start_moved", now, about=tournament.version, at=after)


def _shut_early_checkin(tournament: Tournament, now: datetime) -> None:
    """The start was put off while the check-in was open: whoever had checked in does so again when it opens. Brought
    nearer, it goes on."""
    if tournament.state != State.CHECKIN:
        return
    opens = checkin_opens(tournament, now)
    start, asked = tournament.starts_at, tournament.checkin_minutes is not None
    if asked and start is not None and start - now < SHORTEST_CHECKIN:
        return
    if opens is None or opens > now:
        tournament.state = State.OPEN
        tournament.members.update(checked_in_at=None)


def settings_of(tournament: Tournament) -> Settings:
    """The settings a tournament has, for a form to begin with."""
    held = {name: getattr(tournament, name) for name in Settings.__slots__}
    return Settings(**{**held, "round_hours": tournament.hours_set})


def _apply(tournament: Tournament, settings: Settings) -> None:
    for name in Settings.__slots__:
        setattr(tournament, name, getattr(settings, name))
    _apply_texts(tournament, settings)
    tournament.options = dict(settings.options)
    tournament.round_hours = [at.astimezone(UTC).isoformat() for at in settings.round_hours]
    tournament.join_code = plain_code(settings.join_code)
    if settings.registration == Tournament.Registration.CODE and not tournament.join_code:
        tournament.join_code = "".join(secrets.choice(CODE_LETTERS) for _ in range(6))
    if settings.registration == Tournament.Registration.LINK and not tournament.join_token:
        tournament.join_token = new_token()
    tournament.format_options = dict(FORMATS[settings.format].options) | dict(settings.format_options)


def new_token() -> str:
    """Of a link that only who has it knows."""
    return secrets.token_urlsafe(16)


def _check_entering(settings: Settings) -> None:
    """TournamentError where nobody could enter so (E3, E4)."""
    if settings.registration not in Tournament.Registration.values:
        raise TournamentError("unknown_registration")
    code = plain_code(settings.join_code)
    if code and not CODE_LENGTH[0] <= len(code) <= CODE_LENGTH[1]:
        raise TournamentError("code_length", low=CODE_LENGTH[0], high=CODE_LENGTH[1])
    if settings.checkin_minutes is None:
        return
    if settings.starts_at is None:
        raise TournamentError("checkin_needs_start")
    if not 1 <= settings.checkin_minutes <= LONGEST_CHECKIN:
        raise TournamentError("checkin_range", high=LONGEST_CHECKIN)


def _apply_texts(tournament: Tournament, settings: Settings) -> None:
    tournament.name = clean_line(settings.name)
    tournament.description = clean_text(settings.description)
    tournament.time_zone = settings.time_zone


def _require_club(by: Player, club_id: int | None) -> None:
    """TournamentError where he may not organise in that club's name."""
    if club_id is not None and not clubs_to_organise_for(by).filter(pk=club_id).exists():
        raise TournamentError("not_of_club")


def require_organiser(tournament: Tournament, by: Player) -> None:
    """TournamentError for who doesn't run it."""
    if not may_run(tournament, by):
        raise TournamentError("not_organiser")


def _require_room(organiser: Player) -> None:
    """TournamentError where a person has as many undrawn tournaments as one may have. The house isn't limited."""
    if organiser.is_house:
        return
    Player.objects.select_for_update(no_key=True).get(pk=organiser.pk)  # two drafts made at once are counted in turn
    undrawn = Tournament.objects.filter(organiser=organiser, state__in=UNDRAWN)
    if undrawn.count() >= OPEN_AT_ONCE:
        raise TournamentError("too_many_open", limit=OPEN_AT_ONCE)


def _require_date(starts_at: datetime | None, now: datetime) -> None:
    """TournamentError for a start that nobody can mean: gone by, or more than a year away."""
    if starts_at is not None and starts_at < now:
        raise TournamentError("start_in_the_past")
    if starts_at is not None and starts_at > now + LATEST_START:
        raise TournamentError("start_too_far")


def _require_future(starts_at: datetime | None, now: datetime) -> None:
    if starts_at is not None and starts_at <= now:
        raise TournamentError("start_in_the_past")
