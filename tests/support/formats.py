"""Plain formats in tests: results drawn by dice, and a whole tournament played out."""

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random

from tournaments.formats.protocol import Context, Draw, Format, Plan, Result, Slot

OTHER_OPTIONS = {
    "groups": 2,
    "qualify": 3,
    "rounds": 63,
    "late": 3,
    "apart_seeds": 3,
}  # other numbers than the defaults


def list_options(format_: Format) -> Iterable[Mapping[str, bool | int]]:
    """The defaults, and each option changed alone; in a bracket, where they touch each other, all together too."""
    changed = {name: OTHER_OPTIONS[name] if name in format_.ranges else True for name in format_.options}
    yield format_.options
    for name, value in changed.items():
        yield {**format_.options, name: value}
    if format_.is_bracket and len(changed) > 1:
        yield changed


def play_tournament(
    format_: Format, draw: Draw, dice: Random, double_forfeits: float
) -> tuple[Plan, dict[Slot, Result]]:
    """Play every ready pairing in an order of the dice's, checking the picture at every step.

    Small fields one result at a time, larger ones a handful at a time, the largest whatever is ready.
    """
    results: dict[Slot, Result] = {}
    plan = format_.plan(draw, results)
    known: dict[Slot, tuple[int | None, int | None]] = {}
    while not plan.finished:
        waiting = [p for p in plan.pairings if p.ready and p.slot not in results]
        assert waiting, "not finished, and nothing can be played"
        busy = Counter(entry for p in waiting for entry in (p.first, p.second))
        assert max(busy.values()) == 1, "an entry would sit at two tables"
        known |= {p.slot: (p.first, p.second) for p in waiting}
        handful = 1 if draw.size <= 6 else len(waiting) if draw.size > 20 else dice.randint(1, len(waiting))
        for pairing in dice.sample(waiting, handful):
            results[pairing.slot] = draw_result(find_context(format_, plan, pairing.slot), dice, double_forfeits)
        plan = format_.plan(draw, results)
        assert all(known[p.slot] == (p.first, p.second) for p in plan.pairings if p.slot in known)
    return plan, results


def find_context(format_: Format, plan: Plan, slot: Slot) -> Context:
    return plan.contexts[slot.round - 1] if plan.contexts else format_.context


def draw_result(context: Context, dice: Random, double_forfeits: float) -> Result:
    if dice.random() < double_forfeits:
        return Result(None, True, (-9, -9), (0, 0))
    if context == "ko":
        return Result(dice.randrange(2), margin=dice.choice((None, 0, 1, 1, 2, 5)))
    margin = dice.randrange(-12, 13)
    winner = None if margin == 0 else int(margin < 0)
    return Result(winner, False, (margin, -margin), (10 + margin // 2, 10 - margin // 2))
