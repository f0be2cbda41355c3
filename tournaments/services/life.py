"""A tournament before its draw: set up, published, edited, cancelled (E2). It never draws and never opens a table."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from games.engine.game import Length, LengthKind
from games.options import fault, setup_of
from players.models import Player
from scoring import vp
from scoring.tiebreaks import PRESETS
from tournaments import broadcast
from tournaments.formats import FORMATS
from tournaments.models import Entry, Fixture, Tournament
from tournaments.selectors.rights import may_run
from tournaments.services import pending
from tournaments.services.errors import TournamentError
from tournaments.services.state import changed, locked, log, people_in

State = Tournament.State

OPEN_AT_ONCE = 10  # tournaments of one organiser that aren't drawn yet: nobody fills the front page alone
LATEST_START = timedelta(days=366)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything an organiser chooses. Times in seconds; ``starts_at`` None: starts as soon as it is full."""

    name: str
    format: str
    ruleset: str
    length_kind: LengthKind
    length_value: int
    format_options: Mapping[str, bool] = field(default_factory=dict)
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


def check(settings: Settings) -> None:
    """Raise TournamentError where a tournament can't be run so. The lengths a girone may have: V4."""
    if not settings.name.strip():
        raise TournamentError("name_missing")
    format_ = FORMATS.get(settings.format)
    if format_ is None:
        raise TournamentError("unknown_format")
    if not set(settings.format_options) <= set(format_.options):
        raise TournamentError("unknown_format_option")
    if settings.tie_break not in PRESETS:
        raise TournamentError("unknown_tie_break")
    length = Length(settings.length_kind, settings.length_value)
    players = 2 * settings.seats_an_entry
    wrong = fault(setup_of(settings.ruleset, players, length, format_.context, settings.options), vp.check_length)
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
    if not format_.min_size <= settings.min_entries <= settings.max_entries <= format_.max_size:
        raise TournamentError("entries_range", low=format_.min_size, high=format_.max_size)


@transaction.atomic
def create(*, organiser: Player, settings: Settings, now: datetime, standing_offer: bool = False) -> Tournament:
    """A new draft. TournamentError where the settings won't do."""
    if organiser.is_guest:
        raise TournamentError("not_a_member")
    check(settings)
    _require_date(settings.starts_at, now)
    _require_room(organiser)
    tournament = Tournament(organiser=organiser, created_at=now, standing_offer=standing_offer)
    _apply(tournament, settings)
    tournament.save()
    log(tournament, "created", now, organiser)
    return tournament


@transaction.atomic
def publish(*, tournament_id: int, by: Player, now: datetime) -> Tournament:
    """Open the registration."""
    tournament = locked(tournament_id)
    require_organiser(tournament, by)
    if tournament.state != State.DRAFT:
        raise TournamentError("not_a_draft")
    _require_future(tournament.starts_at, now)
    tournament.state = State.OPEN
    tournament.due_at = tournament.starts_at
    log(tournament, "published", now, by)
    changed(tournament)
    return tournament


@transaction.atomic
def edit(*, tournament_id: int, by: Player, settings: Settings, now: datetime) -> Tournament:
    """Change anything until the draw, afterwards the name alone (E2, E6)."""
    tournament = locked(tournament_id)
    require_organiser(tournament, by)
    if tournament.state in (State.FINISHED, State.CANCELLED):
        raise TournamentError("over")
    if tournament.state == State.RUNNING:
        before = settings_of(tournament)
        if asdict(settings) | {"name": ""} != asdict(before) | {"name": ""}:
            raise TournamentError("drawn")
        if not settings.name.strip():
            raise TournamentError("name_missing")
        tournament.name = settings.name.strip()
    else:
        check(settings)
        _require_date(settings.starts_at, now)
        entries = Entry.objects.filter(tournament=tournament).count()
        if settings.max_entries < entries:
            raise TournamentError("entries_range", low=entries, high=FORMATS[settings.format].max_size)
        if entries and settings.seats_an_entry != tournament.seats_an_entry:
            raise TournamentError("entered_already")
        _apply(tournament, settings)
        if tournament.state == State.OPEN:
            _require_future(tournament.starts_at, now)
            pending.renew(tournament, now)
            tournament.due_at = due_at(tournament, now)
    log(tournament, "edited", now, by)
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
    tournament.state = State.CANCELLED
    tournament.cancelled_because = because
    tournament.due_at = None
    tournament.finished_at = now
    Fixture.objects.filter(round__stage__tournament=tournament, opens_at__isnull=False).update(opens_at=None)
    log(tournament, "cancelled", now, by, because=because)
    changed(tournament)
    people = people_in(tournament)
    broadcast.tell(tournament, people, f"cancelled_{because}")
    broadcast.mail(tournament, people, "cancelled", now)


def due_at(tournament: Tournament, now: datetime) -> datetime | None:
    """When an open tournament starts by itself (E5): at its time, or at once when a sit and go is full."""
    if tournament.starts_at is not None:
        return tournament.starts_at
    complete = Entry.objects.filter(tournament=tournament, confirmed=True).count()
    return now if complete >= tournament.max_entries else None


def settings_of(tournament: Tournament) -> Settings:
    """The settings a tournament has, for a form to begin with."""
    return Settings(**{name: getattr(tournament, name) for name in Settings.__slots__})


def _apply(tournament: Tournament, settings: Settings) -> None:
    for name in Settings.__slots__:
        setattr(tournament, name, getattr(settings, name))
    tournament.name = settings.name.strip()
    tournament.options = dict(settings.options)
    tournament.format_options = dict(FORMATS[settings.format].options) | dict(settings.format_options)


def require_organiser(tournament: Tournament, by: Player) -> None:
    """TournamentError for who doesn't run it."""
    if not may_run(tournament, by):
        raise TournamentError("not_organiser")


def _require_room(organiser: Player) -> None:
    """TournamentError where a person has as many undrawn tournaments as one may have. The house isn't limited."""
    if organiser.is_house:
        return
    Player.objects.select_for_update(no_key=True).get(pk=organiser.pk)  # two drafts made at once are counted in turn
    undrawn = Tournament.objects.filter(organiser=organiser, state__in=(State.DRAFT, State.OPEN))
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
