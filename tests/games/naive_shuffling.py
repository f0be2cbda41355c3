"""Decks from a secret, as docs/rules/fair-deals.md says it, without any code of the product's."""

import hashlib
import hmac

RANKS = "A234567FCR"
CARDS = [rank + suit for suit in "dcbs" for rank in RANKS]
BLOCKS = 8  # of 32 bytes: 128 numbers, where 39 and the few passed over are needed
BYTES_A_BLOCK = 32


def commit(scope: str, secret: bytes) -> str:
    return hashlib.sha256(b"smazzata-1\x00commit\x00" + scope.encode("ascii") + b"\x00" + secret).hexdigest()


def numbers(secret: bytes, what: str, blocks: int = BLOCKS) -> list[int]:
    """Return the numbers that begin the stream, most of them never used."""
    stream = b"".join(
        hmac.new(secret, f"smazzata-1|{what}|{block}".replace("|", "\x00").encode("ascii"), hashlib.sha256).digest()
        for block in range(blocks)
    )
    return [int.from_bytes(stream[at : at + 2], "big") for at in range(0, len(stream), 2)]


def take(waiting: list[int], sides: int) -> int:
    multiples = 65536 // sides
    while waiting[0] >= multiples * sides:
        del waiting[0]
    return waiting.pop(0) % sides


def shuffled(secret: bytes, scope: str, nonces: list[str], deal: int) -> list[str]:
    waiting = numbers(secret, f"deal|{scope}|{deal}|{','.join(nonces)}")
    cards = list(CARDS)
    place = len(cards) - 1
    while place >= 1:
        other = take(waiting, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
        place -= 1
    return cards


def dealer(secret: bytes, scope: str, nonces: list[str], hands: int) -> int:
    return take(numbers(secret, f"dealer|{scope}|{','.join(nonces)}"), hands)


def seeds(secret: bytes, scope: str, number: int, size: int) -> list[int]:
    """Return a list's entries by their numbers, from 1, in the order of a draw; twice the stream is enough."""
    waiting = numbers(secret, f"seeds|{scope}|{number}|", BLOCKS + 4 * size // BYTES_A_BLOCK)
    order = list(range(1, size + 1))
    for place in reversed(range(1, size)):
        other = take(waiting, place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def lot(secret: bytes, scope: str, number: int) -> str:
    return "".join(f"{value:04x}" for value in numbers(secret, f"lot|{scope}|{number}|", 1)[:8])
