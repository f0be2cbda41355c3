"""Naive twin of the pairs that are drawn (EV2): from what a draw's page publishes, by words of its own and no code of
the product's."""

import hashlib
import hmac
from itertools import count
from typing import Any

Said = dict[str, Any]  # sorteggio.json


def find_order(said: Said, what: str, size: int) -> list[int]:
    """Numbers from 1 as the published secret mixes them for one purpose."""
    key = bytes.fromhex(said["secret"])
    head = b"\0".join(part.encode() for part in ("smazzata-1", what, said["scope"], str(said["number"]), ""))
    blocks = (hmac.new(key, head + b"\0" + str(block).encode(), hashlib.sha256).digest() for block in count())
    stream = (int.from_bytes(block[at : at + 2], "big") for block in blocks for at in range(0, 32, 2))
    mixed = list(range(1, size + 1))
    for top in range(size, 1, -1):
        limit = 65536 // top * top
        at = next(number for number in stream if number < limit) % top
        mixed[top - 1], mixed[at] = mixed[at], mixed[top - 1]
    return mixed


def find_pairs(said: Said) -> set[frozenset[int]]:
    """The pairs that must come of it."""
    made = said["partners"]
    together = {frozenset(pair) for pair in made["tied"]}
    gone = {made["out"], *(number for pair in together for number in pair)}
    drawn = [number for number in find_order(said, "pairs", len(made["people"])) if number not in gone]
    if made["way"] == "lot":
        return together | {frozenset(drawn[at : at + 2]) for at in range(0, len(drawn), 2)}
    if made["way"] == "strength":
        place = dict(enumerate(made["strengths"], start=1))
        strong = sorted([number for number in drawn if place[number] is not None], key=lambda number: place[number])
        weak = [strong.pop() for _ in range(len(strong) // 2)][::-1]
        ladder = strong + [number for number in drawn if place[number] is None] + weak
        above = ladder[: len(drawn) // 2]
        below = [number for number in drawn if number not in above]
        return together | {frozenset(pair) for pair in zip(above, below, strict=True)}
    one, other = ([number for number in drawn if made["sides"][number - 1] == side] for side in "AB")
    for number in drawn:
        if not made["sides"][number - 1]:
            (one if len(one) <= len(other) else other).append(number)
    mixed = {frozenset(pair) for pair in zip(one, other, strict=False)}
    over = one + other if not mixed else [n for n in one + other if not any(n in pair for pair in mixed)]
    return together | mixed | {frozenset(over[at : at + 2]) for at in range(0, len(over), 2)}


def find_odd_one(said: Said) -> int:
    """Return who must stay out; 0 for nobody."""
    made = said["partners"]
    together = {number for pair in made["tied"] for number in pair}
    alone = [number for number in made["entered"] if number not in together]
    if len(alone) % 2 == 0:
        return 0
    if made["way"] == "lists":
        on = {side: [number for number in alone if made["sides"][number - 1] == side] for side in ("A", "B", "")}
        if abs(len(on["A"]) - len(on["B"])) > len(on[""]):
            return int(max(on["A"], on["B"], key=len)[-1])
    return int(alone[-1])
