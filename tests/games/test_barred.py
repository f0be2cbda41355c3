"""Views tell the player to move which cards of the hand can't just be put down, and why (G10): the rules' own words."""

from datetime import datetime

import pytest

from games import table_views
from games.engine.game import Length
from games.models import Match
from players.models import Player
from tests.support.tables import again, play, seated


def barred(match: Match, seat: int | None, now: datetime) -> dict[str, str]:
    return dict(table_views.build_table_view(match, seat, now)["barred"])


@pytest.mark.rule("G10", "T2")
def test_who_must_follow_suit_is_told_which_cards_do_not(db: None, anna: Player, bruno: Player, now: datetime) -> None:
    hands = ("3d 4d 5c 6c 7c Ac 2c Fb Cb Rb", "Ad 7d 3c 4c 4b 5b 6b 7b As 2s")
    deck = " ".join(" ".join(pair) for pair in zip(*(hand.split() for hand in hands), strict=True))
    match = seated([anna, bruno], now, deck, ruleset="tresette", length=Length("deals", 1), first_dealer=1)
    assert barred(match, 0, now) == {}
    play(match, now, "play 3d")
    match = again(match)
    assert barred(match, 0, now) == barred(match, None, now) == {}
    assert barred(match, 1, now) == dict.fromkeys(("3c", "4c", "4b", "5b", "6b", "7b", "As", "2s"), "must_follow_suit")


@pytest.mark.rule("G10", "S4")
def test_who_can_take_is_told_which_cards_can_not_be_discarded(
    db: None, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, "7c 2b 5c 3b 6c 4b 4d 3s Rd Rc", first_dealer=1)
    assert barred(match, 0, now) == {"7c": "must_take"}
    assert barred(match, 1, now) == {}
