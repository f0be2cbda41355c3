"""Answer to a problem in words and bars: each play with what it is worth, why the best one is, and how it goes on."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording as game_wording
from games.engine.cards import list_cards
from games.engine.game import GameMove
from games.engine.record import parse_move
from records import wording
from records.deal_narrative import PlayerNames
from records.models import CardProblem
from records.problems.positions import describe_choice
from records.problems.search import BRISCOLA, read_play

WIDTH = 100.0  # of the bars, from the least worth to the greatest, zero among them


@dataclass(frozen=True, slots=True)
class PlayBar:
    """Play with its worth, and the bar that shows it: where it begins and how long it is, of ``WIDTH``."""

    card: str
    name: str
    takes: str
    worth: str
    ahead: str
    best_in: int
    start: str
    length: str
    is_best: bool
    is_chosen: bool
    was_played: bool


@dataclass(frozen=True, slots=True)
class ProblemAnswer:
    """Answer as its page shows it."""

    right: bool
    best: str
    chosen: str
    reasons: tuple[str, ...]
    best_line: str
    chosen_line: str
    bars: tuple[PlayBar, ...]
    zero: str
    counts_ahead: bool


def build_answer(problem: CardProblem, chosen: str, names: PlayerNames) -> ProblemAnswer:
    """Return the answer to a problem for whoever has chosen this play."""
    points = [float(play["points"]) for play in problem.plays]
    least, most = min(0.0, *points), max(0.0, *points)
    scale = WIDTH / (most - least or 1.0)
    mine = next(play for play in problem.plays if play["move"] == chosen)
    bars = []
    for play, worth in zip(problem.plays, points, strict=True):
        choice = describe_choice(read_play(play["move"], problem.seat))
        bars.append(
            PlayBar(
                choice.card,
                choice.name,
                choice.takes,
                write_worth(worth),
                _("%(n)d su %(ways)d") % {"n": play["ahead_in"], "ways": problem.ways},
                play["best_in"],
                f"{(min(worth, 0.0) - least) * scale:.1f}",
                f"{max(abs(worth) * scale, 0.5):.1f}",
                play["move"] == problem.best,
                play["move"] == chosen,
                play["move"] == problem.played,
            )
        )
    best = problem.plays[0]
    return ProblemAnswer(
        right=chosen == problem.best,
        best=_name_play(read_play(problem.best, problem.seat)),
        chosen=_name_play(read_play(chosen, problem.seat)),
        reasons=tuple(_explain(problem, mine)),
        best_line=_narrate_line(best["line"], names),
        chosen_line="" if mine is best else _narrate_line(mine["line"], names),
        bars=tuple(bars),
        zero=f"{-least * scale:.1f}",
        counts_ahead=problem.ruleset == BRISCOLA,
    )


def write_worth(points: float) -> str:
    """Write a worth with its sign: "+1,25", "−2"."""
    rounded = round(abs(points), 2)
    text = number_format(rounded, 0 if rounded == int(rounded) else 2)
    return text if not rounded else f"{'+' if points > 0 else '−'}{text}"


def _explain(problem: CardProblem, mine: dict[str, object]) -> list[str]:
    best, second = problem.plays[0], problem.plays[1]
    gap = {"gap": write_worth(best["points"] - second["points"]).lstrip("+"), "other": _name(second, problem)}
    if problem.ways == 1:
        reasons = [
            _("Chi ricorda le carte uscite sa dove sta ognuna delle altre: c'è un solo modo."),
            _("Da lì in poi, giocando tutti al meglio, la carta giusta rende %(gap)s punti più di %(other)s.") % gap,
        ]
    else:
        about = {"n": problem.ways, "best_in": best["best_in"]}
        reasons = [
            ngettext(
                "Le carte che non vedi possono stare in %(n)d modo, e si contano tutti allo stesso modo.",
                "Le carte che non vedi possono stare in %(n)d modi, e si contano tutti allo stesso modo.",
                problem.ways,
            )
            % about,
            _("In %(best_in)d di questi nessuna carta rende più di quella giusta.") % about,
            _("In media rende %(gap)s punti più di %(other)s, che viene dopo.") % gap,
        ]
    if mine is not best:
        lost = write_worth(float(best["points"]) - float(str(mine["points"]))).lstrip("+")
        reasons.append(_("La tua scelta costa %(lost)s punti.") % {"lost": lost})
    return reasons


def _name(play: dict[str, object], problem: CardProblem) -> str:
    return _name_play(read_play(str(play["move"]), problem.seat))


def _name_play(play: GameMove) -> str:
    name = game_wording.name_card(play.card)
    if not play.takes:
        return name
    return _("%(card)s (prende %(taken)s)") % {"card": name, "taken": wording.name_cards(list_cards(play.takes))}


def _narrate_line(line: Sequence[str], names: PlayerNames) -> str:
    """Return how it goes on if everybody plays best, where that is known."""
    moves = [parse_move(text) for text in line]
    return ", ".join(f"{names.seats[move.seat]} {_name_play(move)}" for move in moves)
