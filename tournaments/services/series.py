"""A tournament every week at the same hour of the organiser's clock, summer or winter (E7).

Each one is opened once, days ahead, by the sweep; it never enters anybody. Where one can't be opened now (too many of
his are open already), the series says why and tries again until its start has gone by, then goes on with the next. It
stops by itself when the organiser may no longer organise so. Locks: the organiser, then the series.
"""

import logging
import zoneinfo
from dataclasses import asdict, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.urls import reverse

from players.broadcast import notify
from players.models import Player
from players.selectors import time_zones
from tournaments.clubs.queries import list_clubs_to_organise_for
from tournaments.core import dates
from tournaments.core.errors import TournamentError
from tournaments.models import Series, Tournament
from tournaments.organise.lifecycle import create_tournament, publish_tournament
from tournaments.organise.referees import copy_referees
from tournaments.organise.settings import Settings, check_settings

logger = logging.getLogger(__name__)

SERIES_EACH = 10  # running ones of one organiser
FURTHEST = 28  # days before its start that one may be opened
RETRY_AFTER = timedelta(minutes=10)
WEEK = timedelta(days=7)
NOT_KEPT = ("starts_at", "round_hours")  # of the settings: hours of one day


def start_on(day: date, hour: time, zone: str) -> datetime:
    """That hour of that day in ``zone``. Skipped by the clock, it is as much later; had twice, it is the first."""
    return datetime.combine(day, hour.replace(fold=0), zoneinfo.ZoneInfo(zone)).astimezone(UTC)


def first_start(series: Series, after: datetime, after_day: date | None = None) -> datetime:
    """The first start later than ``after``, and on a later day than ``after_day`` by the organiser's calendar."""
    day = after.astimezone(zoneinfo.ZoneInfo(series.time_zone)).date()
    if after_day is not None:
        day = max(day, after_day + timedelta(days=1))
    day += timedelta(days=(series.weekday - day.weekday()) % 7)
    start = start_on(day, series.hour, series.time_zone)
    return start if start > after else start_on(day + WEEK, series.hour, series.time_zone)


def create_series(
    *,
    organiser: Player,
    settings: Settings,
    weekday: int,
    hour: time,
    days_ahead: int,
    now: datetime,
    source: Tournament | None = None,
) -> Series:
    """A series that runs from now on; ``source``: the tournament it repeats, whose referees it takes over, and whose
    own day isn't opened a second time."""
    with transaction.atomic():
        if organiser.is_guest:
            raise TournamentError("not_a_member")
        Player.objects.select_for_update(no_key=True).get(pk=organiser.pk)  # two made at once are counted in turn
        if Series.objects.filter(organiser=organiser, due_at__isnull=False).count() >= SERIES_EACH:
            raise TournamentError("too_many_series", limit=SERIES_EACH)
        series = Series(organiser=organiser)
        _say(series, settings, weekday, hour, days_ahead, now, {} if source is None else {"referees_of": source.pk})
        if source is not None and source.starts_at is not None:
            _begin(series, now, _day(series, source.starts_at))
        series.save()
        return series


def edit_series(
    *, series_id: int, by: Player, settings: Settings, weekday: int, hour: time, days_ahead: int, now: datetime
) -> Series:
    """Change those that are still to be opened; a stopped one runs again."""
    with transaction.atomic():
        series = _own(series_id, by)
        if series.due_at is None:
            _require_room(by)
        kept = {"referees_of": series.settings["referees_of"]} if "referees_of" in series.settings else {}
        _say(series, settings, weekday, hour, days_ahead, now, kept)
        series.save()
        return series


def stop_series(*, series_id: int, by: Player) -> None:
    """No more of them; those that are open stay."""
    with transaction.atomic():
        series = _own(series_id, by)
        series.due_at, series.trouble = None, ""
        series.save()


def resume_series(*, series_id: int, by: Player, now: datetime) -> None:
    with transaction.atomic():
        series = _own(series_id, by)
        if series.due_at is None:
            _require_room(by)
            _require_right(series, by)
            _begin(series, now)
            series.save()


def forget_series(*, series_id: int, by: Player) -> None:
    """Gone for good; the tournaments it opened stay."""
    with transaction.atomic():
        _own(series_id, by).delete()


def open_next(*, series_id: int, now: datetime) -> Tournament | None:
    """Open what is due, once, however many ask. Called by the sweep; safe to call any time."""
    with transaction.atomic():
        whose = Series.objects.filter(pk=series_id).first()
        if whose is None:
            return None
        organisers = Player.objects.select_for_update(of=("self",), no_key=True).select_related("user")
        organiser = organisers.filter(pk=whose.organiser_id).first()
        series = Series.objects.select_for_update().filter(pk=series_id, due_at__lte=now).first()
        if organiser is None or series is None:
            return None
        made = None
        try:
            _require_right(series, organiser)
        except TournamentError as error:
            series.due_at = None
            _trouble(series, error.code)
        else:
            if series.next_start <= now:  # nobody swept for so long that its hour went by
                _begin(series, now)
            if series.due_at is not None and series.due_at <= now:
                made = _open(series, organiser, now)
        series.save()
        return made


def _open(series: Series, organiser: Player, now: datetime) -> Tournament | None:
    """The next one, or the reason why not yet."""
    settings = settings_of_series(series)
    local = series.next_start.astimezone(zoneinfo.ZoneInfo(series.time_zone))
    name = dates.add_day_to_name(settings.name, local, organiser.user.language)
    try:
        with transaction.atomic():
            dated = replace(settings, name=name, starts_at=series.next_start)
            made = create_tournament(organiser=organiser, settings=dated, now=now, series=series)
            source = _whose_referees(series, made)
            if source is not None:
                copy_referees(source=source, tournament=made)
            made = publish_tournament(tournament_id=made.pk, by=organiser, now=now)
    except TournamentError as error:
        series.due_at = now + RETRY_AFTER
        _trouble(series, error.code)
        return None
    series.trouble = ""
    _begin(series, now, local.date())
    return made


def _whose_referees(series: Series, made: Tournament) -> Tournament | None:
    """The one before it, else the one the series was made from."""
    before = Tournament.objects.filter(series=series).exclude(pk=made.pk).order_by("-starts_at", "-pk").first()
    return before or Tournament.objects.filter(pk=series.settings.get("referees_of")).first()


def settings_of_series(series: Series) -> Settings:
    """What each tournament of it is set up with, without its start. Settings that are new since are as by default."""
    known = {field.name for field in fields(Settings)} - set(NOT_KEPT)
    kept = {name: value for name, value in series.settings.items() if name in known}
    return Settings(**{**kept, "club_id": series.club_id})


def _say(
    series: Series,
    settings: Settings,
    weekday: int,
    hour: time,
    days_ahead: int,
    now: datetime,
    more: dict[str, Any],
) -> None:
    """Write down what was chosen; TournamentError where no tournament could be run so."""
    if not (0 <= weekday <= 6 and 1 <= days_ahead <= FURTHEST):
        raise TournamentError("series_range", high=FURTHEST)
    if settings.time_zone not in time_zones():
        raise TournamentError("unknown_time_zone")
    series.weekday, series.hour, series.days_ahead = weekday, hour.replace(second=0, microsecond=0), days_ahead
    series.time_zone, series.club_id = settings.time_zone, settings.club_id
    _require_right(series, series.organiser)
    latest = Tournament.objects.filter(series=series.pk).order_by("-starts_at").first() if series.pk else None
    _begin(series, now, None if latest is None or latest.starts_at is None else _day(series, latest.starts_at))
    check_settings(replace(settings, starts_at=series.next_start, round_hours=()))
    kept = {name: value for name, value in asdict(settings).items() if name not in NOT_KEPT}
    series.settings, series.trouble = {**kept, **more}, ""


def _day(series: Series, at: datetime) -> date:
    return at.astimezone(zoneinfo.ZoneInfo(series.time_zone)).date()


def _begin(series: Series, now: datetime, after_day: date | None = None) -> None:
    """Go on with the first start that is still to come, and isn't on or before that day."""
    series.next_start = first_start(series, now, after_day)
    series.due_at = series.next_start - timedelta(days=series.days_ahead)


def _own(series_id: int, by: Player) -> Series:
    """His series, locked after himself."""
    Player.objects.select_for_update(no_key=True).get(pk=by.pk)
    series = Series.objects.select_for_update().filter(pk=series_id, organiser=by).first()
    if series is None:
        raise TournamentError("not_series")
    return series


def _require_room(by: Player) -> None:
    if Series.objects.filter(organiser=by, due_at__isnull=False).count() >= SERIES_EACH:
        raise TournamentError("too_many_series", limit=SERIES_EACH)


def _require_right(series: Series, organiser: Player) -> None:
    """TournamentError for who has no account any more, or may not organise for the club any more."""
    if organiser.kind != Player.Kind.MEMBER or not organiser.user.is_active:
        raise TournamentError("not_a_member")
    if series.club_id is not None and not list_clubs_to_organise_for(organiser).filter(pk=series.club_id).exists():
        raise TournamentError("not_of_club")


def _trouble(series: Series, code: str) -> None:
    """Remember why it doesn't go on, and tell the organiser, once."""
    if series.trouble == code:
        return
    series.trouble = code
    logger.warning("series %s opens nothing: %s", series.public_id, code)
    title = str(series.settings.get("name", ""))
    frame = {"t": "notice", "code": "series_held", "url": reverse("organiser-home"), "title": title}
    transaction.on_commit(partial(notify, series.organiser_id, frame))
