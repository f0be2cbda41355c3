"""What an organiser chooses of a format and of its rounds' hours, before it is drawn (E6): whether it can be so."""

from collections.abc import Iterable, Mapping

from tournaments.formats.gironi import LEAST
from tournaments.pairing import Context, Draw, Format
from tournaments.services.errors import TournamentError

ROUND_MINUTES = range(5, 7 * 24 * 60 + 1)  # from one round to the next (R6)


def check_options(format_: Format, options: Mapping[str, bool | int], max_entries: int) -> None:
    """TournamentError: unknown_format_option, option_range, groups_too_many (a group has at least two lines)."""
    if not set(options) <= set(format_.options):
        raise TournamentError("unknown_format_option")
    for name, value in options.items():
        allowed = format_.ranges.get(name)
        if allowed is None and not isinstance(value, bool):
            raise TournamentError("unknown_format_option")
        if allowed is not None and (isinstance(value, bool) or not isinstance(value, int) or value not in allowed):
            raise TournamentError("option_range", name=name, low=allowed[0], high=allowed[-1])
    groups = int(options.get("groups", format_.options.get("groups", 0)))
    if max_entries < LEAST * groups:
        raise TournamentError("groups_too_many", groups=groups, least=LEAST * groups)


def check_hours(round_minutes: int | None) -> None:
    """TournamentError("round_minutes_range") for hours of rounds that nobody can mean."""
    if round_minutes is not None and round_minutes not in ROUND_MINUTES:
        raise TournamentError("round_minutes_range", low=ROUND_MINUTES[0], high=ROUND_MINUTES[-1])


def contexts(format_: Format) -> Iterable[Context]:
    """Every way its matches may end: the form's own first, then those of rounds that are otherwise."""
    return dict.fromkeys((format_.context, *format_.plan(Draw(format_.min_size, format_.options), {}).contexts))
