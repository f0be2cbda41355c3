"""Naive twin of what orders the standings (R2, EV10): every value added up from the fixtures, tier by tier."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from bench.walker.facts import Facts, Meeting

PRESETS = {
    "standard": "vp,direct,mp,won",
    "svizzero": "vp,direct,buchholz_cut,buchholz,mp,won",
    "rete": "vp,mp",
    "club": "vp,direct,mp,lot",
}
Values = dict[int, Fraction]


def check_ranks(facts: Facts, seeds: Sequence[int], games: Sequence[Meeting]) -> Iterator[str]:
    """Compare the ranks (R2). ``games``: those that count."""
    criteria = PRESETS.get(facts.ties, facts.ties).split(",")
    ranks = _rank(facts, seeds, games, [code for code in criteria if code != "lot"])
    stored = {seed: facts.entries[seed].rank for seed in seeds}
    wanted = _loosen(ranks, stored) if "lot" in criteria else dict(ranks)
    if stored != wanted:
        yield f"R2, EV10: by {facts.ties} ranks are {stored}, not {wanted}"


def _loosen(ranks: Mapping[int, int], stored: Mapping[int, int | None]) -> dict[int, int | None]:
    """Return the ranks with what is level in any order: the lot has the last word."""
    loose: dict[int, int | None] = dict(ranks)
    for rank in set(ranks.values()):
        level = [seed for seed, own in ranks.items() if own == rank]
        if sorted(stored[seed] or 0 for seed in level) == list(range(rank, rank + len(level))):
            loose.update({seed: stored[seed] for seed in level})
    return loose


def _rank(facts: Facts, seeds: Sequence[int], games: Sequence[Meeting], criteria: Sequence[str]) -> dict[int, int]:
    """Return the ranks: the direct encounter is asked again of each part into which a later criterion splits (R2)."""
    ranks: dict[int, int] = {}
    by_wins = criteria[0] == "wins"

    def split(group: Sequence[int], left: Sequence[str], asked: Sequence[str]) -> Iterator[list[int]]:
        if len(group) == 1 or not left:
            yield list(group)
            return
        values = _ask(facts, left[0], group, games, seeds, by_wins=by_wins)
        done = [*asked, left[0]]
        if values is None or len(set(values.values())) == 1:
            yield from split(group, left[1:], done)
            return
        again = ["direct"] if left[0] != "direct" and "direct" in asked else []
        for value in sorted(set(values.values()), reverse=True):
            yield from split([seed for seed in group if values[seed] == value], [*again, *left[1:]], done)

    place = 1
    for group in split(seeds, criteria, []):
        ranks.update(dict.fromkeys(group, place))
        place += len(group)
    return ranks


def _ask(
    facts: Facts, code: str, group: Sequence[int], games: Sequence[Meeting], seeds: Sequence[int], *, by_wins: bool
) -> Values | None:
    """Return the value of each of a group, more being better; None where it can't be asked."""
    if code in ("vp", "mp", "won"):
        return {seed: Fraction(getattr(facts.entries[seed], code)) for seed in group}
    if code == "wins":
        return {seed: _score(facts, games, seed, by_wins=True) for seed in group}
    if code in ("buchholz", "buchholz_cut"):
        added = {seed: sorted(_list_addends(facts, games, seed, by_wins=by_wins)) for seed in group}
        return {seed: Fraction(sum(own[code == "buchholz_cut" :])) for seed, own in added.items()}
    among = [one for one in games if one.first in group and one.second in group]
    if code == "direct":
        if len({frozenset((one.first, one.second)) for one in among}) < len(group) * (len(group) - 1) // 2:
            return None
        return {
            seed: sum((_worth(one, by_wins=by_wins)[_side(one, seed)] for one in _of(among, seed)), Fraction(0))
            for seed in group
        }
    values: Values = {}
    for seed in group:
        value = Fraction(0)
        for one in _of(games, seed):
            side = _side(one, seed)
            worth = _worth(one, by_wins=by_wins)
            sign = -1 if facts.fewest else 1
            if code == "forfeits":
                value -= side in one.forfeits
            elif code == "points":
                value += sign * one.points[side]
            elif code == "difference":
                value += sign * (one.points[side] - one.points[1 - side])
            elif code == "sonneborn" and not one.unplayed and sum(worth):
                other = (one.second, one.first)[side]
                value += _score(facts, games, other or 0, by_wins=by_wins) * worth[side] / sum(worth)
        values[seed] = value
    return values


def _of(games: Sequence[Meeting], seed: int) -> list[Meeting]:
    return [one for one in games if seed in (one.first, one.second)]


def _side(one: Meeting, seed: int) -> int:
    return 0 if one.first == seed else 1


def _worth(one: Meeting, *, by_wins: bool) -> tuple[Fraction, Fraction]:
    """Return what a fixture is worth to its sides: VP, or wins."""
    if not by_wins:
        return Fraction(one.vp[0]), Fraction(one.vp[1])
    if one.winner is None:
        half = Fraction(0) if one.double else Fraction(1, 2)
        return half, half
    return Fraction(one.winner == 0), Fraction(one.winner == 1)


def _score(facts: Facts, games: Sequence[Meeting], seed: int, *, by_wins: bool) -> Fraction:
    """Return what the standings are of, byes included (D1, D3)."""
    if not by_wins:
        return Fraction(facts.entries[seed].vp)
    score = sum((_worth(one, by_wins=True)[_side(one, seed)] for one in _of(games, seed)), Fraction(0))
    if facts.format != "danese":
        return score
    until = facts.find_unknown("ready", "playing")
    for one in facts.meetings:
        if one.first == seed and one.second is None and one.round < until:
            kind = facts.out.get(one.round, {}).get(seed)
            score += 1 if kind is None else Fraction(kind != "absent", 2)
    return score


def _list_addends(facts: Facts, games: Sequence[Meeting], seed: int, *, by_wins: bool) -> Iterator[Fraction]:
    """Yield what each round adds to the Buchholz of an entry."""
    until = facts.find_unknown("ready", "playing")
    drawn = {one.round for one in facts.meetings if one.first is not None and one.round < until}
    for number in drawn:
        other = _find_opponent(facts, games, number, seed)
        if other is None:
            yield _score(facts, games, seed, by_wins=by_wins)
            continue
        theirs = Fraction(0)
        for turn in drawn:
            if _find_opponent(facts, games, turn, other) is None:
                theirs += Fraction(1, 2) if by_wins else 10
            theirs += sum(
                _worth(one, by_wins=by_wins)[_side(one, other)]
                for one in _of(games, other)
                if one.round == turn and not one.unplayed
            )
        yield theirs


def _find_opponent(facts: Facts, games: Sequence[Meeting], number: int, seed: int) -> int | None:
    """Return whom an entry met in a round, in a match that began or is to be played."""
    waiting = (one for one in facts.meetings if not one.over and one.state in ("waiting", "ready", "playing"))
    for one in (*(game for game in games if not game.unplayed), *waiting):
        if one.round == number and seed in (one.first, one.second) and one.second is not None:
            return one.second if one.first == seed else one.first
    return None
