"""Hints for moderators (U3): what two players have in common. Hints, never verdicts: nothing acts upon them.

Marks are read as yes or no, and neither a digest nor a day leaves this module. Hands are read of matches that are over.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations
from statistics import median

from games import match_cache
from games.engine import match as engine
from games.engine import record as records
from games.engine.cards import NAMES
from games.engine.match import Progress
from games.models import Deal, Match, Move, Seat
from games.sealing import read_deck
from games.withheld import require_shown
from players.models import ConnectionMark, Player

LATEST = 50  # matches of each of the two that are looked at
TIMED = 8  # matches that the two played as partners, of which the pauses are read
ENOUGH = 15  # pauses of each kind, or nothing is said
# The ranks that count or take most, by game; elsewhere ace, two and three.
STRONG: Mapping[str, str] = {"scopa": "7", "asso-piglia-tutto": "7", "scopone": "7", "briscola": "A3"}
STRIKING = 0.75  # of the pauses with a strong hand longer than those with a weak one, or shorter


@dataclass(frozen=True, slots=True)
class SharedMarks:
    """Two players of one table, and whether they had an address or a browser in common on its day."""

    first: str
    second: str
    address: bool
    browser: bool


@dataclass(frozen=True, slots=True)
class Meetings:
    """Meetings of two players in the last matches of one of them, as partners and as opponents."""

    name: str
    other: str
    matches: int
    together: int
    against: int
    won: int  # of those against each other, by the first

    @property
    def always(self) -> bool:
        """Tell whether they have met in most of at least ten matches."""
        return self.matches >= 10 and self.together + self.against > self.matches * 0.8


@dataclass(frozen=True, slots=True)
class Timing:
    """Pauses of a player before a card, with a strong hand and with a weak one; seconds are medians."""

    name: str
    strong: float
    weak: float
    strong_count: int
    weak_count: int
    longer: float  # the share of pairs in which the pause with the strong hand is the longer one

    @property
    def percent(self) -> int:
        return round(100 * self.longer)

    @property
    def striking(self) -> bool:
        return self.longer >= STRIKING or self.longer <= 1 - STRIKING


def find_shared_marks(match: Match, players: Collection[Player]) -> list[SharedMarks]:
    """Tell of each two of these players whether they had a mark in common on the day of the match, in one query."""
    until = match.finished_at or match.opened_at
    days = {match.opened_at.date() - timedelta(days=1), match.opened_at.date(), until.date()}
    rows = ConnectionMark.objects.filter(player__in=[player.pk for player in players], day__in=days)
    marks: dict[tuple[int, str], set[tuple[str, object]]] = {}
    for player_id, kind, digest, day in rows.values_list("player_id", "kind", "digest", "day"):
        marks.setdefault((player_id, kind), set()).add((digest, day))
    address, browser = ConnectionMark.Kind.ADDRESS, ConnectionMark.Kind.BROWSER

    def share(one: Player, other: Player, kind: str) -> bool:
        return bool(marks.get((one.pk, kind), set()) & marks.get((other.pk, kind), set()))

    return [
        SharedMarks(one.name, other.name, share(one, other, address), share(one, other, browser))
        for one, other in combinations(players, 2)
    ]


def count_meetings(player: Player, other: Player) -> Meetings:
    """Count how often the two met in the player's last matches, in two queries."""
    finished = Seat.objects.filter(
        require_shown("match__"),  # nobody may see yet who won the others (J12)
        player=player,
        match__status=Match.Status.FINISHED,
        match__stopped_at=None,
        match__training=False,
    )
    own = dict(finished.order_by("-match__finished_at", "-pk").values_list("match_id", "number")[:LATEST])
    together = against = won = 0
    met = Seat.objects.filter(player=other, match__in=own).values_list("match_id", "number", "match__winner")
    for match_id, number, winner in met:
        if number % 2 == own[match_id] % 2:
            together += 1
        else:
            against += 1
            won += winner == own[match_id] % 2
    return Meetings(player.name, other.name, len(own), together, against, won)


def measure_timing(player: Player, partner: Player) -> Timing | None:
    """Compare the pauses of the player before a card, where there was a choice, by the strength of the hand, in the
    last matches of the two as partners. None where there are too few."""
    strong: list[float] = []
    weak: list[float] = []
    for match, seat in _list_matches_together(player, partner):
        pauses = list(_read_pauses(match, seat))
        if not pauses:
            continue
        usual = sum(strength for _seconds, strength in pauses) / len(pauses)
        strong += [seconds for seconds, strength in pauses if strength > usual]
        weak += [seconds for seconds, strength in pauses if strength <= usual]
    if min(len(strong), len(weak)) < ENOUGH:
        return None
    return Timing(player.name, median(strong), median(weak), len(strong), len(weak), _compare(strong, weak))


def _compare(strong: Sequence[float], weak: Sequence[float]) -> float:
    """Return the share of all pairs of pauses in which the one with the strong hand is longer; a tie is half."""
    longer = sum((a > b) + 0.5 * (a == b) for a in strong for b in weak)
    return longer / (len(strong) * len(weak))


def _list_matches_together(player: Player, partner: Player) -> Iterator[tuple[Match, int]]:
    own = Seat.objects.filter(
        require_shown("match__"),  # the hands of the others are nobody's to read yet (J12)
        player=player,
        match__status=Match.Status.FINISHED,
        match__players=4,
        match__seats__player=partner,
    )
    for seat in own.select_related("match").order_by("-match__finished_at")[: 2 * TIMED]:
        partners = (seat.number + 2) % 4
        if Seat.objects.filter(match=seat.match, number=partners, player=partner).exists():
            yield seat.match, seat.number


def _read_pauses(match: Match, seat: int) -> Iterator[tuple[float, float]]:
    """Yield the seconds before each card of that seat with which it could have played another, and the strength of its
    hand: the share of cards in it that count or take most."""
    moves: dict[int, list[Move]] = {}
    for move in Move.objects.with_results().filter(match=match).order_by("version"):
        moves.setdefault(move.deal_id, []).append(move)
    progress = engine.start(match_cache.build_setup(match))
    for deal in Deal.objects.with_results().filter(match=match).order_by("number"):
        progress = engine.deal(progress, read_deck(deal.deck))
        yield from _read_deal(progress, moves.get(deal.pk, ()), seat, match.ruleset)
        for move in moves.get(deal.pk, ()):
            progress = engine.play(progress, records.parse_move(move.text))


def _read_deal(progress: Progress, moves: Iterable[Move], seat: int, ruleset: str) -> Iterator[tuple[float, float]]:
    before = None
    for row in moves:
        move = records.parse_move(row.text)
        if before is not None and move.seat == seat and move.verb == "play" and progress.deal is not None:
            view = engine.view(progress, seat)
            hand = view.hands[seat].cards
            if len(hand) > 1 and len([one for one in view.legal if one.verb == "play"]) > 1:
                high = sum(_is_high(card, ruleset, view.turned) for card in hand)
                yield (row.played_at - before).total_seconds(), high / len(hand)
        before = row.played_at
        progress = engine.play(progress, move)


def _is_high(card: int, ruleset: str, turned: int | None = None) -> bool:
    """Return whether a card counts or takes most; every trump does where one is ``turned`` up."""
    trump = turned is not None and card // 10 == turned // 10
    return trump or NAMES[card][0] in STRONG.get(ruleset, "A23")
