"""All levels again, from the very first match on, and how they differ from what is stored (L6): for ``manage.py
recompute``.

What waits to be rated, and all that comes after it, isn't compared: it is late, not wrong.
"""

from collections.abc import Iterator
from datetime import datetime

from scoring import level_book
from scoring.counted_matches import Place
from scoring.level_book import BEGINNING, Rewriting
from scoring.models import Level
from scoring.replayed_levels import LevelKey, RatedStep, Standing


def list_differences() -> Iterator[str]:
    """Yield what is stored and isn't what the matches give, a sentence each; it writes nothing."""
    waiting = level_book.find_waiting()
    rewriting = level_book.compute_rewriting(BEGINNING)
    yield from _describe_steps(rewriting, waiting)
    if waiting is not None:
        return
    kinds = Level.objects.values_list("player_id", "ruleset", "form")
    wanted = {**dict.fromkeys(LevelKey(*kind) for kind in kinds), **rewriting.levels}
    for kind, stored, given in level_book.list_wrong_levels(wanted):
        yield f"{_name_kind(kind)}: {_describe_standing(stored)} → {_describe_standing(given)}"


def recompute_all(now: datetime) -> Iterator[str]:
    """Store what the matches give; yield what differed."""
    differences = list(list_differences())
    level_book.begin_whole_run(now=now)
    level_book.run(now=now)
    yield from differences


def _describe_steps(rewriting: Rewriting, waiting: Place | None) -> Iterator[str]:
    def is_over(step: RatedStep) -> bool:
        return waiting is None or Place(step.finished_at, step.match_id) < waiting

    for stored in filter(is_over, rewriting.gone.values()):
        yield f"{_name_step(stored)}: {stored.mu_after:.6f} ± {stored.sigma_after:.6f} → —"
    for stored, given in rewriting.other.values():
        if is_over(given):
            yield (
                f"{_name_step(given)}: {stored.mu_after:.6f} ± {stored.sigma_after:.6f}"
                f" → {given.mu_after:.6f} ± {given.sigma_after:.6f}"
            )
    for given in filter(is_over, rewriting.new):
        yield f"{_name_step(given)}: — → {given.mu_after:.6f} ± {given.sigma_after:.6f}"


def _name_step(step: RatedStep) -> str:
    return f"match {step.match_id} player {step.player_id} {step.ruleset} {step.form}"


def _name_kind(kind: LevelKey) -> str:
    return f"player {kind.player_id} {kind.ruleset} {kind.form}"


def _describe_standing(standing: Standing | None) -> str:
    if standing is None:
        return "—"
    return f"{standing.rating.mu:.6f} ± {standing.rating.sigma:.6f} ({standing.matches})"
