"""Series: a tournament every week at the same hour of the organiser's clock, summer or winter (E7).

The sweep opens each tournament once, days ahead, and enters nobody. Where one can't be opened now (the organiser has
too many open ones), the series keeps the reason and retries until its start has passed, then goes on with the next. It
stops by itself when the organiser may no longer organise so. Locks: the organiser, then the series.
"""

import logging
import zoneinfo
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial

from django.db import transaction
from django.urls import reverse

from players import caps
from players.broadcast import notify
from players.models import Player
from players.selectors import list_time_zones
from tournaments.clubs.queries import list_clubs_to_organise_for
from tournaments.core import dates
from tournaments.core.circuit_marks import join_circuits
from tournaments.core.errors import TournamentError
from tournaments.models import Series, Tournament
from tournaments.organise.lifecycle import create_tournament, publish_tournament
from tournaments.organise.referees import copy_referees
from tournaments.organise.settings import Settings, check_settings, count_tournament
from tournaments.venues import SITE, VENUES

logger = logging.getLogger(__name__)

MAX_DAYS_AHEAD = 28  # from a tournament's opening to its start
RETRY_AFTER = timedelta(minutes=10)
WEEK = timedelta(days=7)
UNREPEATED_SETTINGS = ("starts_at", "round_hours")  # they belong to one day


@dataclass(frozen=True, slots=True)
class Weekly:
    """A day of the week (Monday is 0), the hour, and how many days ahead each tournament is opened (E7)."""

    weekday: int
    hour: time
    days_ahead: int


def compute_start(day: date, hour: time, zone: str) -> datetime:
    """Return that hour of that day in ``zone``. An hour the clock skips is moved on; of a repeated one, the first."""
    return datetime.combine(day, hour.replace(fold=0), zoneinfo.ZoneInfo(zone)).astimezone(UTC)


def compute_first_start(series: Series, after: datetime, after_day: date | None = None) -> datetime:
    """Return the first start later than ``after``, on a later day than ``after_day`` by the organiser's calendar."""
    day = after.astimezone(zoneinfo.ZoneInfo(series.time_zone)).date()
    if after_day is not None:
        day = max(day, after_day + timedelta(days=1))
    day += timedelta(days=(series.weekday - day.weekday()) % 7)
    start = compute_start(day, series.hour, series.time_zone)
    return start if start > after else compute_start(day + WEEK, series.hour, series.time_zone)


def create_series(
    *,
    organiser: Player,
    settings: Settings,
    weekly: Weekly,
    now: datetime,
    source: Tournament | None = None,
) -> Series:
    """Create a series that runs from now on.

    ``source`` is the tournament it repeats: it takes over its referees, and doesn't open its day a second time.
    """
    with transaction.atomic():
        if organiser.is_guest:
            raise TournamentError("not_a_member")
        Player.objects.select_for_update(no_key=True).get(pk=organiser.pk)  # two requests at once are counted in turn
        if Series.objects.filter(organiser=organiser, due_at__isnull=False).count() >= caps.MAX_RUNNING_SERIES:
            raise TournamentError("too_many_series", limit=caps.MAX_RUNNING_SERIES)
        count_tournament(organiser, now)
        series = Series(organiser=organiser)
        _write_choices(series, settings, weekly, now, referees_of=None if source is None else source.pk)
        if source is not None and source.starts_at is not None:
            _schedule_next(series, now, _local_day(series, source.starts_at))
        series.save()
        return series


def edit_series(*, series_id: int, by: Player, settings: Settings, weekly: Weekly, now: datetime) -> Series:
    """Change the tournaments still to be opened. A stopped series runs again."""
    with transaction.atomic():
        series = lock_own_series(series_id=series_id, by=by)
        if series.due_at is None:
            _require_below_limit(by)
        _write_choices(series, settings, weekly, now, referees_of=series.settings.get("referees_of"))
        series.save()
        return series


def stop_series(*, series_id: int, by: Player) -> None:
    """Open no more tournaments; the open ones stay."""
    with transaction.atomic():
        series = lock_own_series(series_id=series_id, by=by)
        series.due_at, series.trouble = None, ""
        series.save()


def resume_series(*, series_id: int, by: Player, now: datetime) -> None:
    """Run a stopped series again, from its next start on."""
    with transaction.atomic():
        series = lock_own_series(series_id=series_id, by=by)
        if series.due_at is None:
            _require_below_limit(by)
            _require_right(series, by)
            _schedule_next(series, now)
            series.save()


def delete_series(*, series_id: int, by: Player) -> None:
    """Delete a series; the tournaments it opened stay."""
    with transaction.atomic():
        lock_own_series(series_id=series_id, by=by).delete()


def open_next(*, series_id: int, now: datetime) -> Tournament | None:
    """Open the tournament that is due, once, however many callers ask. Safe to call at any time."""
    with transaction.atomic():
        row = Series.objects.filter(pk=series_id).first()
        if row is None:
            return None
        organisers = Player.objects.select_for_update(of=("self",), no_key=True).select_related("user")
        organiser = organisers.filter(pk=row.organiser_id).first()
        series = Series.objects.select_for_update().filter(pk=series_id, due_at__lte=now).first()
        if organiser is None or series is None:
            return None
        tournament = None
        try:
            _require_right(series, organiser)
        except TournamentError as error:
            series.due_at = None
            _record_trouble(series, error.code)
        else:
            if series.next_start <= now:  # no sweep ran before its hour had passed
                _schedule_next(series, now)
            if series.due_at is not None and series.due_at <= now:
                tournament = _open_tournament(series, organiser, now)
        series.save()
        return tournament


def _open_tournament(series: Series, organiser: Player, now: datetime) -> Tournament | None:
    """Open the next tournament, or record the reason why it can't be opened yet."""
    settings = read_series_settings(series)
    local = series.next_start.astimezone(zoneinfo.ZoneInfo(series.time_zone))
    name = dates.add_day_to_name(settings.name, local, organiser.user.language)
    try:
        with transaction.atomic():
            dated = replace(settings, name=name, starts_at=series.next_start)
            tournament = create_tournament(organiser=organiser, settings=dated, now=now, series=series)
            join_circuits(tournament, now)
            source = _find_referees_source(series, tournament)
            if source is not None:
                copy_referees(source=source, tournament=tournament)
            tournament = publish_tournament(tournament_id=tournament.pk, by=organiser, now=now)
    except TournamentError as error:
        series.due_at = now + RETRY_AFTER
        _record_trouble(series, error.code)
        return None
    series.trouble = ""
    _schedule_next(series, now, local.date())
    return tournament


def _find_referees_source(series: Series, tournament: Tournament) -> Tournament | None:
    """Return the tournament before it, else the one that the series repeats."""
    before = Tournament.objects.filter(series=series).exclude(pk=tournament.pk).order_by("-starts_at", "-pk").first()
    return before or Tournament.objects.filter(pk=series.settings.get("referees_of")).first()


def read_series_settings(series: Series) -> Settings:
    """Return the settings of the series' tournaments, without a start. Settings added since are at their default."""
    field_names = {field.name for field in fields(Settings)} - set(UNREPEATED_SETTINGS)
    kept = {name: value for name, value in series.settings.items() if name in field_names}
    venue = VENUES[kept.get("venue", SITE.code)]
    return Settings(**{**kept, "venue": venue, "club_id": series.club_id})


def _write_choices(
    series: Series, settings: Settings, weekly: Weekly, now: datetime, *, referees_of: int | None
) -> None:
    """Write the organiser's choices; TournamentError where no tournament could be run so.

    ``referees_of``: the tournament whose referees the first one takes over.
    """
    if not (0 <= weekly.weekday <= 6 and 1 <= weekly.days_ahead <= MAX_DAYS_AHEAD):
        raise TournamentError("series_range", high=MAX_DAYS_AHEAD)
    if settings.time_zone not in list_time_zones():
        raise TournamentError("unknown_time_zone")
    series.weekday, series.days_ahead = weekly.weekday, weekly.days_ahead
    series.hour = weekly.hour.replace(second=0, microsecond=0)
    series.time_zone, series.club_id = settings.time_zone, settings.club_id
    _require_right(series, series.organiser)
    latest = Tournament.objects.filter(series=series.pk).order_by("-starts_at").first() if series.pk else None
    _schedule_next(
        series, now, None if latest is None or latest.starts_at is None else _local_day(series, latest.starts_at)
    )
    check_settings(replace(settings, starts_at=series.next_start, round_hours=()))
    kept = {name: getattr(settings, name) for name in Settings.__slots__ if name not in UNREPEATED_SETTINGS}
    kept |= {"venue": settings.venue.code, "options": dict(settings.options)}
    kept |= {"format_options": dict(settings.format_options)}
    series.settings = kept if referees_of is None else {**kept, "referees_of": referees_of}
    series.trouble = ""


def _local_day(series: Series, at: datetime) -> date:
    return at.astimezone(zoneinfo.ZoneInfo(series.time_zone)).date()


def _schedule_next(series: Series, now: datetime, after_day: date | None = None) -> None:
    """Schedule the first start after ``now``, on a later day than ``after_day``."""
    series.next_start = compute_first_start(series, now, after_day)
    series.due_at = series.next_start - timedelta(days=series.days_ahead)


def lock_own_series(*, series_id: int, by: Player) -> Series:
    """Lock the organiser, then their series, until the transaction ends, and return it."""
    Player.objects.select_for_update(no_key=True).get(pk=by.pk)
    series = Series.objects.select_for_update().filter(pk=series_id, organiser=by).first()
    if series is None:
        raise TournamentError("not_series")
    return series


def _require_below_limit(by: Player) -> None:
    if Series.objects.filter(organiser=by, due_at__isnull=False).count() >= caps.MAX_RUNNING_SERIES:
        raise TournamentError("too_many_series", limit=caps.MAX_RUNNING_SERIES)


def _require_right(series: Series, organiser: Player) -> None:
    """Raise TournamentError where the organiser has no account any more, or may not organise for the club any more."""
    if organiser.kind != Player.Kind.MEMBER or not organiser.user.is_active:
        raise TournamentError("not_a_member")
    if series.club_id is not None and not list_clubs_to_organise_for(organiser).filter(pk=series.club_id).exists():
        raise TournamentError("not_of_club")


def _record_trouble(series: Series, code: str) -> None:
    """Record the reason why it doesn't go on, and notify the organiser, once."""
    if series.trouble == code:
        return
    series.trouble = code
    logger.warning("series %s opens nothing: %s", series.public_id, code)
    title = str(series.settings.get("name", ""))
    frame = {"t": "notice", "code": "series_held", "url": reverse("organiser-home"), "title": title}
    transaction.on_commit(partial(notify, series.organiser_id, frame))
