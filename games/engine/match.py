"""Deals into a match: what may be agreed, who deals, how long it lasts, ties and tie-break deals, forfeits (G3, G5-G8).

It decides when a match is over and who has won it, for any ruleset. It never decides what a card may do nor what a deal
is worth (the ruleset), nor MP and VP (scoring); it knows no clock and shuffles nothing: the deck is handed in.
Everything is immutable: each call returns the Progress after it, or raises and changes nothing (G10).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

from games.engine.cards import DECK_SIZE
from games.engine.game import (
    AutomaticCalls,
    Context,
    GameMove,
    HeaderError,
    IllegalMove,
    Last,
    LengthKind,
    MatchTerms,
    Points,
    Ruleset,
    Setup,
    Tally,
    View,
    add_points,
    count_hands,
)

WHOLE = list(range(DECK_SIZE))
LONGEST = {"deals": 20, "points": 101}  # V4
MOST_TIE_BREAKS = 3  # G7
MOST_HANDICAP = 20  # points that a line may start with (L7)
FORFEITS = frozenset({"noshow", "timeout", "clock", "abandon"})  # G8
OWN_TURN_FORFEITS = frozenset({"timeout", "clock"})

_new = tuple.__new__  # makes a NamedTuple in half the time of its own constructor
_offered: dict[str, Ruleset] = {}


def offer(*rulesets: Ruleset) -> dict[str, Ruleset]:
    """Put rulesets on offer; done once, by ``games.rules``. Returns the one list there is, by id."""
    for ruleset in rulesets:
        _offered[ruleset.id] = ruleset
    return _offered


@dataclass(frozen=True, slots=True)
class DealPoints:
    """A deal that is over: its dealer's seat, whether it was void (G5), and what each line scored in it."""

    dealer: int
    void: bool
    points: Points


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a match. ``margin`` as V1; ``offender`` is the line that forfeited."""

    winner: int | None
    decided_by: str
    margin: int
    offender: int | None


class Progress(NamedTuple):
    """A match at one moment. ``deal`` is the running deal's state; None between deals and after the end."""

    setup: Setup
    ruleset: Ruleset
    terms: MatchTerms
    deals: tuple[DealPoints, ...]  # finished, void and broken off
    dealer: int  # of the running deal, or of the next
    deal: Any | None
    score: Points
    stakes: Points  # won by each line so far: T6's extras, and the match's own at its end
    tie_break: int  # 0: a regular deal; 1 to 3 (G7)
    begun: bool  # whether a move has been made in this match
    outcome: Outcome | None
    tally: Tally | None  # the count of the deal just finished, until the next play
    last: Last | None  # its last trick or play, as long

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<Progress: {self.setup.ruleset}, {len(self.deals)} deals over, {self.score[0]}-{self.score[1]}>"

    @property
    def needs_deck(self) -> bool:
        """Return whether the next deal may be dealt."""
        return self.deal is None and self.outcome is None


def find_terms(setup: Setup) -> MatchTerms:
    """Return the ruleset's terms of a match set up so."""
    return find_ruleset(setup).terms(setup)


def find_ruleset(setup: Setup) -> Ruleset:
    """Return the ruleset of a match set up so."""
    return _offered[setup.ruleset]


def check(setup: Setup) -> None:
    """Raise HeaderError if a match may not be played so. Lengths without VP are refused by scoring, not here (V4)."""
    ruleset = _offered.get(setup.ruleset)
    if ruleset is None:
        raise HeaderError("unknown_ruleset")
    if setup.players not in ruleset.players:
        raise HeaderError("players_not_allowed")
    if setup.length.kind not in get_args(LengthKind) or not 1 <= setup.length.value <= LONGEST[setup.length.kind]:
        raise HeaderError("length_not_allowed")
    if setup.context not in get_args(Context):
        raise HeaderError("unknown_context")
    if not 0 <= setup.first_dealer < count_hands(setup.players):
        raise HeaderError("first_dealer_not_seated")
    if not all(0 <= points <= MOST_HANDICAP for points in setup.handicap):
        raise HeaderError("handicap_not_allowed")
    if any(setup.handicap) and setup.context != "free":
        raise HeaderError("handicap_only_free")
    for name, value in setup.options.items():
        option = ruleset.options.get(name)
        if option is None:
            raise HeaderError("unknown_option")
        if type(value) is not type(option.default):
            raise HeaderError("wrong_type")
        if value not in option.values:
            raise HeaderError("unknown_option_value")
    ruleset.check(setup)


def start(setup: Setup, deals: Iterable[DealPoints] = ()) -> Progress:
    """Return the match before its first deal, or after these ``deals`` (void ones included), none of which ended it.

    HeaderError as ``check``, ValueError if another deal can't follow these.
    """
    check(setup)
    ruleset = _offered[setup.ruleset]
    progress = Progress(
        setup=setup,
        ruleset=ruleset,
        terms=ruleset.terms(setup),
        deals=(),
        dealer=setup.first_dealer,
        deal=None,
        score=setup.handicap,
        stakes=(0, 0),
        tie_break=0,
        begun=False,
        outcome=None,
        tally=None,
        last=None,
    )
    for finished in deals:
        if finished.dealer != progress.dealer or progress.outcome is not None:
            raise ValueError("these deals don't follow one another: the deal that ends a match must be replayed")
        if finished.void:
            begun = progress.begun or progress.terms.opening_calls  # C2's void deals hold a move, S2's none
            progress = _add_void_deal(progress)._replace(begun=begun)
        else:
            progress = _add_scored_deal(progress, finished.points, None, None)
    if progress.outcome is not None:
        raise ValueError("these deals end the match: replay the last of them")
    return progress


def deal(progress: Progress, deck: Sequence[int]) -> Progress:
    """Deal the next deal; a deck is all forty cards, top first. A void deal (S2) is appended at once: deal again."""
    if not progress.needs_deck:
        raise ValueError("no deck is needed")
    if sorted(deck) != WHOLE:
        raise ValueError("a deck is the forty cards, each once")
    score = None if progress.tie_break else progress.score
    state = progress.ruleset.deal(progress.setup, deck, progress.dealer, score)
    if progress.ruleset.void(state):
        return _add_void_deal(progress)
    return progress._replace(deal=state)


def turn(progress: Progress) -> int | None:
    """Return the seat to move; None between deals and after the end."""
    return None if progress.deal is None else progress.ruleset.turn(progress.deal)


def legal(progress: Progress) -> Sequence[GameMove]:
    """List every move that may be made now. Forfeits are always possible and not listed."""
    return () if progress.deal is None else progress.ruleset.legal(progress.deal)


def automatic(progress: Progress, wanted: AutomaticCalls, move: GameMove | None = None) -> Sequence[GameMove]:
    """List the calls the system makes now, or together with ``move`` (X1): ordinary moves, to be played in this
    order."""
    return () if progress.deal is None else progress.ruleset.automatic(progress.deal, wanted, move)


def play(progress: Progress, move: GameMove) -> Progress:
    """Return the match after ``move``, which may be a forfeit (G8). IllegalMove if it is refused."""
    setup, ruleset, terms, deals, dealer, state, score, stakes, tie_break, _, outcome, _, _ = progress
    if state is None:
        raise IllegalMove("deal_over" if outcome is None else "match_over")
    if move.verb in FORFEITS:
        return _forfeit(progress, move)
    state = ruleset.play(state, move)
    if ruleset.turn(state) is not None:
        return _new(
            Progress,
            (setup, ruleset, terms, deals, dealer, state, score, stakes, tie_break, True, None, None, None),
        )
    progress = progress._replace(deal=None, begun=True)
    if ruleset.void(state):
        return _add_void_deal(progress)
    tally = ruleset.tally(state)
    return _add_scored_deal(progress, tally.points, tally, ruleset.last(state))


def forfeit_unplayed(setup: Setup, line: int) -> Progress:
    """Return the match that ``line`` forfeits before its first card: ``noshow`` in the first deal (G8, T11, A3, S9).

    No card is known by then, so that its points are the same with every deck. Raises HeaderError as ``check``.
    """
    progress, deck = start(setup), WHOLE
    while progress.needs_deck:  # a void deal is dealt again (S2)
        progress, deck = deal(progress, deck), [*deck[1:], deck[0]]
    return play(progress, GameMove(line, "noshow"))


def find_leader(terms: MatchTerms, score: Points) -> int | None:
    """Return the line that wins by these points (A1); None where they are level."""
    ours, theirs = score
    return None if ours == theirs else int((theirs > ours) != terms.fewest_wins)


def compute_margin(terms: MatchTerms, score: Points, winner: int | None) -> int:
    """Return V1's margin: the winner's points minus the loser's (a perdere the reverse), 0 where that is negative."""
    if winner is None:
        return 0
    ahead = score[winner] - score[1 - winner]
    return max(0, -ahead if terms.fewest_wins else ahead)


def subtract_handicap(setup: Setup, score: Points) -> Points:
    """Return what each line has scored itself: the points it started with count in no margin (L7)."""
    return (score[0] - setup.handicap[0], score[1] - setup.handicap[1])


def view(progress: Progress, seat: int | None) -> View:
    """Return the running deal as ``seat`` (None: a spectator) may know it; ValueError where none is running."""
    if progress.deal is None:
        raise ValueError("no deal is running")
    return progress.ruleset.view(progress.deal, seat)


def _add_void_deal(progress: Progress) -> Progress:
    """Add a void deal; the same dealer deals again (G3, G5)."""
    finished = DealPoints(progress.dealer, True, (0, 0))
    return progress._replace(deals=(*progress.deals, finished), deal=None, tally=None, last=None)


def _add_scored_deal(progress: Progress, points: Points, tally: Tally | None, last: Last | None) -> Progress:
    """Add a finished deal and see whether the match is over."""
    progress = progress._replace(
        deals=(*progress.deals, DealPoints(progress.dealer, False, points)),
        dealer=(progress.dealer + 1) % count_hands(progress.setup.players),  # G3
        deal=None,
        score=(progress.score[0] + points[0], progress.score[1] + points[1]),
        begun=True,
        tally=tally,
        last=last,
    )
    if progress.terms.extra_stake and 0 in points and (tally is None or tally.whole):  # T6: nothing but a cappotto
        progress = progress._replace(stakes=add_points(progress.stakes, 1 - points.index(0), 1))
    if tally is not None and tally.ending is not None:
        return _end(progress, tally.ending.line, tally.ending.decided_by, stakes=tally.ending.stakes)
    if not progress.tie_break and not _has_reached_length(progress):
        return progress
    ours, theirs = progress.score
    if ours != theirs:
        decided_by = f"tie_break_{progress.tie_break}" if progress.tie_break else "points"
        return _end(progress, find_leader(progress.terms, progress.score), decided_by)
    return _resolve_level_score(progress, tally)


def _has_reached_length(progress: Progress) -> bool:
    """Return whether the regular end has come (G6); void deals don't count (G5)."""
    kind, value = progress.setup.length
    if kind == "points":
        return max(progress.score) >= value
    return sum(not finished.void for finished in progress.deals) >= value


def _resolve_level_score(progress: Progress, tally: Tally | None) -> Progress:
    """Decide what follows a level score at the regular end or after a tie-break deal (G7, T8)."""
    rule = progress.terms.level
    if rule == "draw":
        return _end(progress, None, "draw")
    if rule == "tie_breaks" and progress.tie_break < MOST_TIE_BREAKS:
        return progress._replace(tie_break=progress.tie_break + 1)
    if tally is None or tally.last_taker is None:
        raise ValueError("the last taker of this deal decides the match: replay it")
    if rule == "last_trick":
        return _end(progress, tally.last_taker, "last_trick")
    return _end(progress, 1 - tally.last_taker, "tie_break_last_trick")


def _forfeit(progress: Progress, move: GameMove) -> Progress:
    """End the match by a forfeit of the whole line of ``move.seat`` (G8)."""
    setup, ruleset, state = progress.setup, progress.ruleset, progress.deal
    if not 0 <= move.seat < count_hands(setup.players):
        raise IllegalMove("no_such_seat")
    if move.card != -1 or move.takes or move.arg:
        raise IllegalMove("unreadable_move")
    if move.verb in OWN_TURN_FORFEITS and move.seat != ruleset.turn(state):
        raise IllegalMove("not_your_turn")
    if move.verb == "noshow" and progress.begun:
        raise IllegalMove("noshow_too_late")
    line = move.seat % 2
    points = ruleset.tally_forfeit(state, line).points
    progress = progress._replace(
        deals=(*progress.deals, DealPoints(progress.dealer, False, points)),
        deal=None,
        score=(progress.score[0] + points[0], progress.score[1] + points[1]),
        begun=True,
        tally=None,
        last=None,
    )
    return _end(progress, 1 - line, move.verb, offender=line)


def _end(
    progress: Progress, winner: int | None, decided_by: str, *, offender: int | None = None, stakes: int = 1
) -> Progress:
    """End the match, with V1's margin and the stakes for its winner."""
    if winner is None:
        return progress._replace(outcome=Outcome(None, decided_by, 0, offender))
    scored = subtract_handicap(progress.setup, progress.score)
    outcome = Outcome(winner, decided_by, compute_margin(progress.terms, scored, winner), offender)
    return progress._replace(outcome=outcome, stakes=add_points(progress.stakes, winner, stakes))
