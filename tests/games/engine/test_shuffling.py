"""Decks, dealers and commitments from a secret: the example of J4, and another implementation."""

import random

import pytest

from games.engine import shuffling
from games.engine.cards import CARDS, NAMES
from tests.games import naive_shuffling
from tests.support.thorough import tries

SECRET = bytes(range(32))
SCOPE = "abc123"
NONCES = ["0" * 32, ""]
DEALS = {
    0: (
        "2s 2c 7d Cs Ad Cd Rb 7s Rc 6d Fd Fc 2d Fs 4d 7b 5d 4s 6s 4c Fb 3c Rd As 6c 2b 5s Rs 5c 3s 7c 3d Ab 3b 6b Ac "
        "5b Cc Cb 4b"
    ),
    1: "6c Fc 4b Ab 2d",
    4: "Fb 6d Ab Cc 6b",  # one number is passed over: else it would begin 2c Fs Fb 3c Cs
}
SEEDS = {1: [7, 0, 5, 6, 2, 4, 1, 3], 2: [6, 2, 5, 7, 0, 3, 4, 1]}  # by draw: places in a list of eight
LOT = "6447276a1a3eec3e34f489b62a76f71c"


@pytest.mark.rule("J1", "J4")
def test_the_commitment_of_the_example():
    commitment = "08be1c865a3e202aea680ff305cc940d6b6e09015db389f322e16af7de42a0d1"
    assert shuffling.compute_commitment(SCOPE, SECRET) == commitment


@pytest.mark.rule("J3", "J4")
@pytest.mark.parametrize("deal", DEALS)
def test_a_deck_of_the_example(deal):
    deck = " ".join(NAMES[card] for card in shuffling.shuffle_deck(SECRET, SCOPE, NONCES, deal))
    assert deck.startswith(DEALS[deal])
    assert len(deck) == 40 * 3 - 1


@pytest.mark.rule("J3", "J4")
def test_the_first_dealer_of_the_example():
    assert shuffling.draw_dealer(SECRET, SCOPE, NONCES, 2) == 1


@pytest.mark.rule("J2")
def test_each_nonce_its_place_the_scope_and_the_deal_make_another_deck():
    decks = [
        shuffling.shuffle_deck(SECRET, scope, nonces, deal)
        for scope in ("abc123", "abc124")
        for nonces in (["", ""], ["0" * 32, ""], ["", "0" * 32], ["", "", ""])
        for deal in range(3)
    ]
    assert len({tuple(deck) for deck in decks}) == len(decks)


@pytest.mark.rule("J2")
def test_the_hash_of_a_nonce_is_that_of_its_bytes():
    assert shuffling.hash_nonce("00" * 16) == "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb"


@pytest.mark.rule("J3a")
def test_the_draws_of_the_example():
    scope = f"{SCOPE}/draw"
    assert shuffling.draw_order(SECRET, scope, 1, 8) == SEEDS[1]
    assert shuffling.draw_order(SECRET, scope, 2, 8) == SEEDS[2]
    assert shuffling.draw_lot(SECRET, scope, 1) == LOT


@pytest.mark.rule("J3a", "J8")
def test_two_implementations_draw_the_same_seeds_and_the_same_lot():
    dice = random.Random(2)
    for size in (1, 2, 3, 40, 4096, *(dice.randint(2, 300) for _ in range(tries(30, 1_000)))):
        secret, number = dice.randbytes(32), dice.choice([1, 2, 10, 700])
        scope = "".join(dice.choices("aZ09", k=10)) + "/draw"
        drawn = [place + 1 for place in shuffling.draw_order(secret, scope, number, size)]
        assert drawn == naive_shuffling.seeds(secret, scope, number, size)
        assert shuffling.draw_lot(secret, scope, number) == naive_shuffling.lot(secret, scope, number)


@pytest.mark.rule("J8")
def test_two_implementations_agree():
    dice = random.Random(1)
    for _ in range(tries(1_000, 10_000)):
        secret = dice.randbytes(32)
        scope = "".join(dice.choices("aZ09/-", k=dice.randint(1, 64)))
        nonces = [dice.choice(["", dice.randbytes(16).hex()]) for _ in range(dice.randint(2, 4))]
        deal = dice.choice([0, 1, 9, 10, 40, 1234])
        assert shuffling.compute_commitment(scope, secret) == naive_shuffling.commit(scope, secret)
        deck = naive_shuffling.shuffled(secret, scope, nonces, deal)
        assert shuffling.shuffle_deck(secret, scope, nonces, deal) == [CARDS[card] for card in deck]
        hands = dice.choice([2, 4])
        assert shuffling.draw_dealer(secret, scope, nonces, hands) == naive_shuffling.dealer(
            secret, scope, nonces, hands
        )
