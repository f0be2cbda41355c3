"""Checks of a format's options and of the hours of rounds. It stores nothing."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from players.bounds import is_within
from tournaments.core.dates import LATEST_ROUND, require_order
from tournaments.core.errors import TournamentError
from tournaments.formats.protocol import Context, Draw, Format

MAX_ROUND_HOURS = 125  # a girone of 64, with return matches
ROUND_MINUTES = range(5, 7 * 24 * 60 + 1)  # from one round to the next (R6)


def check_options(format_: Format, options: Mapping[str, bool | int], max_entries: int) -> None:
    """Raise TournamentError unless so many entries can play by these options and the defaults of the others.

    unknown_format_option, option_range, and the format's own codes: groups_too_many, groups_too_few (Q1, D5),
    rounds_too_many (D1).
    """
    if not set(options) <= set(format_.options):
        raise TournamentError("unknown_format_option")
    for name, value in options.items():
        allowed = format_.ranges.get(name)
        if allowed is None and not isinstance(value, bool):
            raise TournamentError("unknown_format_option")
        if allowed is not None and (isinstance(value, bool) or not isinstance(value, int) or value not in allowed):
            raise TournamentError("option_range", name=name, low=allowed[0], high=allowed[-1])
    fault = format_.check_options({**format_.options, **options}, max_entries)
    if fault is not None:
        raise TournamentError(fault.code, **fault.values)


def keep_shared_options(format_: Format, options: Mapping[str, bool | int]) -> dict[str, bool | int]:
    """Return those of another format's options that this one has too, with values that it takes."""
    shared = {name: value for name, value in options.items() if name in format_.options}
    return {name: value for name, value in shared.items() if value in format_.ranges.get(name, (True, False))}


def check_hours(round_minutes: int | None, hours: Sequence[datetime], starts_at: datetime | None) -> None:
    """Raise TournamentError for hours of rounds that can't be meant (R6): round_minutes_range, round_hours_start (hours
    without a start), hour_range, round_hours_many, round_hours_order, round_hours_late."""
    if round_minutes is not None and round_minutes not in ROUND_MINUTES:
        raise TournamentError("round_minutes_range", low=ROUND_MINUTES[0], high=ROUND_MINUTES[-1])
    if not hours:
        return
    if starts_at is None:
        raise TournamentError("round_hours_start")
    if not all(is_within(hour) for hour in (starts_at, *hours)):
        raise TournamentError("hour_range")
    if len(hours) > MAX_ROUND_HOURS:
        raise TournamentError("round_hours_many", limit=MAX_ROUND_HOURS)
    require_order([starts_at, *hours])
    if hours[-1] > starts_at + LATEST_ROUND:
        raise TournamentError("round_hours_late")


def list_match_contexts(format_: Format) -> Iterable[Context]:
    """Return every way the format's matches may end: its own first, then those of other rounds."""
    return dict.fromkeys((format_.context, *format_.plan(Draw(format_.min_size, format_.options), {}).contexts))
