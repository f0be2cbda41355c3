"""Estimated duration of a tournament, from its game, length, format, field, clocks and tables. It promises nothing.

A range, and never one number: how long a match lasts depends on the cards and on the people. What is assumed of them
stands here, and the page says it: how many points a deal brings (deals counted over matches of the house's players, of
ten matches the quickest and the slowest left out), and how long people think about a card.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from scoring.best_of import count_needed
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Draw, FedFormat, Kind, Plan, Slot
from tournaments.game_counts import GameCounts
from tournaments.models import Tournament
from tournaments.organise.settings import Settings

CARDS_A_DEAL = 40
SECONDS_A_CARD = (3, 7)  # quick and slow people
SECONDS_BETWEEN_DEALS = (45, 90)  # with real cards somebody counts, shuffles and deals
POINTS_A_DEAL: Mapping[str, tuple[float, float]] = {  # of whoever wins: slow and quick matches
    "scopa": (1.8, 2.8),
    "asso-piglia-tutto": (1.8, 3.0),
    "scopone": (3.6, 6.0),
    "briscola": (0.6, 1.0),
    "tresette": (5.2, 7.0),
    "tresette-a-perdere": (5.2, 7.0),
    "tressette-accusa": (5.2, 10.5),
    "tressette-classico": (5.2, 10.5),
}
POINTS_OF_ANOTHER_GAME = (0.6, 10.5)


@dataclass(frozen=True, slots=True)
class TimeRange:
    """The least and the most time that something is likely to take."""

    least: timedelta
    most: timedelta


@dataclass(frozen=True, slots=True)
class Estimate:
    """Time that a tournament is likely to take, and what it is made of: its rounds, a match, the deals of a match."""

    whole: TimeRange
    match: TimeRange
    deals: tuple[int, int]
    rounds: int
    entries: int
    capped: bool  # slow people are stopped by their clocks
    by_hand: bool  # somebody shuffles and deals
    waves: int  # the most that a round takes, where the hall has fewer tables than fixtures (O3)
    counts: GameCounts  # of its fixtures (EV1)


def estimate_duration(settings: Settings) -> Estimate:
    """Return how long a tournament by these settings is likely to last, if all its places are taken."""
    deals = _estimate_deals(settings)
    match = _estimate_match(settings, deals)
    capped = match.most < _estimate_match(replace(settings, match_clock=None, clock_minutes=None), deals).most
    rounds = _list_rounds(settings)
    waves = [round_.waves for round_ in rounds]
    fixtures = [_estimate_match(settings, deals, round_.games) for round_ in rounds]
    return Estimate(
        whole=_add_rounds(settings, match, waves, fixtures),
        match=match,
        deals=deals,
        rounds=len(waves),
        entries=settings.max_playing,
        capped=capped,
        by_hand=settings.venue.types_results,
        waves=max(waves, default=1),
        counts=settings.game_counts,
    )


def _estimate_deals(settings: Settings) -> tuple[int, int]:
    if settings.length_kind == "deals":
        return settings.length_value, settings.length_value
    slow, quick = POINTS_A_DEAL.get(settings.ruleset, POINTS_OF_ANOTHER_GAME)
    return _divide_up(settings.length_value, quick), _divide_up(settings.length_value, slow)


def _divide_up(points: int, points_a_deal: float) -> int:
    return max(1, int(-(-points // points_a_deal)))


def _estimate_match(settings: Settings, deals: tuple[int, int], games: int = 1) -> TimeRange:
    """Return how long a match lasts; of several ``games`` from as few as win a fixture to all of them (EV1)."""
    by_hand = settings.venue.types_results
    a_deal = [CARDS_A_DEAL * seconds for seconds in SECONDS_A_CARD]
    if by_hand:
        a_deal = [seconds + between for seconds, between in zip(a_deal, SECONDS_BETWEEN_DEALS, strict=True)]
    least, most = (count * seconds for count, seconds in zip(deals, a_deal, strict=True))
    least, most = least * count_needed(games), most * games
    if settings.match_clock is not None and not by_hand:  # when everybody's clock has run out
        most = min(most, settings.entry_kind.players * settings.match_clock)
    if settings.clock_minutes is not None and by_hand:  # the round's clock (O6), after which the deal may be finished
        last = a_deal[1] if settings.clock_end == Tournament.ClockEnd.FINISH else 0
        most = min(most, 60 * settings.clock_minutes + last)
    return TimeRange(timedelta(seconds=min(least, most)), timedelta(seconds=most))


@dataclass(frozen=True, slots=True)
class _PlayedRound:
    """A round that is played after another: how often the hall's tables are filled for it (O3), once where there is a
    table for each fixture; and how many games a fixture of it has (EV1)."""

    waves: int
    games: int


def _list_rounds(settings: Settings) -> list[_PlayedRound]:
    """Return the rounds that are played one after the other. The third place is played beside the final, and upper
    rounds beside lower ones (EV4)."""
    format_, size = FORMATS[settings.format], settings.max_playing
    options = format_.freeze_options({**format_.options, **settings.format_options}, size)
    plan = format_.plan(Draw(size, options), {})
    played = Counter(pairing.slot.round for pairing in plan.pairings if pairing.kind is Kind.MATCH)
    if isinstance(format_, FedFormat) and not settings.round_hours and settings.round_minutes is None:
        played = _count_beside(format_, plan)
        rounds = sorted(played)
    else:
        rounds = [number for number, name in enumerate(plan.names, start=1) if name != "third_place"]
    tables = settings.hall_tables if settings.venue.numbers_tables else None
    tables = tables and max(1, tables // settings.entry_kind.tables)  # places of fixtures (O12)
    contexts = plan.contexts or (format_.context,) * len(plan.names)
    counts = settings.game_counts
    games = [counts.count(context, name) for context, name in zip(contexts, plan.names, strict=True)]
    return [_PlayedRound(max(1, -(-played[number] // tables)) if tables else 1, games[number - 1]) for number in rounds]


def _count_beside(format_: FedFormat, plan: Plan) -> Counter[int]:
    """Return how many fixtures are played at once, by how many others lead to them one after the other."""
    origins = format_.list_origins(plan.names)
    depths: dict[Slot, int] = {}
    for slot in sorted(origins):
        depths[slot] = 1 + max((depths[origin.slot] for side in origins[slot] for origin in side), default=0)
    return Counter(depths[pairing.slot] for pairing in plan.pairings if pairing.kind is Kind.MATCH)


def _add_rounds(settings: Settings, match: TimeRange, waves: Sequence[int], fixtures: Sequence[TimeRange]) -> TimeRange:
    """Add the rounds up, each with its ``fixtures``: one after the other with the pause between, or each at its hour
    (R6)."""
    if settings.venue.calls_roll:
        times = [(count * one.least, count * one.most) for count, one in zip(waves, fixtures, strict=True)]
        return TimeRange(sum((low for low, _ in times), timedelta()), sum((high for _, high in times), timedelta()))
    if settings.round_hours or settings.round_minutes is not None:
        last = _find_last_start(settings, len(waves))
        return TimeRange(last + match.least, last + match.most)
    pause = timedelta(seconds=settings.pause)
    return TimeRange(len(waves) * (match.least + pause), len(waves) * (match.most + pause))


def _find_last_start(settings: Settings, rounds: int) -> timedelta:
    """Return the time from the first round's start to the last one's: by the hours set, then by the minutes."""
    hours = settings.round_hours[: max(0, rounds - 1)]
    span = hours[-1] - settings.starts_at if hours and settings.starts_at is not None else timedelta(0)
    left = rounds - 1 - len(hours)
    if settings.round_minutes is not None:
        return span + left * timedelta(minutes=settings.round_minutes)
    before = hours[-2] if len(hours) > 1 else settings.starts_at
    step = hours[-1] - before if hours and before is not None else timedelta(0)
    return span + left * step
