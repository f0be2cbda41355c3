"""``python -m bench.house_times TABLES PLAYS``: how long house players take, by whether they had a choice.

It opens tables of four at which the house plays Tresette with itself, waits until so many plays of each were made by
the worker that is measured, and prints two lists of seconds as JSON: for plays of the only legal card, and of one among
several. A play's time is that since the play before it in the same trick. Which cards were legal it works out itself.
"""

import json
import sys
from collections import defaultdict

from bench.programs import set_up_django
from tests.support.waiting import until

SEATS, PATIENCE = 4, 3.0  # seconds a play may take on average


def main() -> int:
    set_up_django()
    from bench.stage import open_house_tables
    from games.models import Deal, Move
    from tests.games.hidden import split_deck

    tables, plays = int(sys.argv[1]), int(sys.argv[2])
    opened = open_house_tables(tables)
    made = Move.objects.filter(deal__match__in=opened, deal__number=0)
    until(
        lambda: made.count() >= tables * plays,
        seconds=plays * PATIENCE,
        what="the house to play",
    )
    forced: list[float] = []
    chosen: list[float] = []
    moves = defaultdict(list)
    for deal, text, at in made.order_by("ply").with_results().values_list("deal_id", "text", "played_at"):
        moves[deal].append((text, at))
    for deal in Deal.objects.filter(pk__in=moves):
        hands = split_hands(split_deck(deal.deck), deal.dealer)
        before = None
        led = ""
        for ply, (text, at) in enumerate(moves[deal.pk]):
            seat, card = int(text[0]), text.split()[-1]
            if ply % SEATS == 0:
                led = card[1]
            else:
                legal = [held for held in hands[seat] if held[1] == led] or hands[seat]
                (forced if len(legal) == 1 else chosen).append((at - before).total_seconds())
            hands[seat].remove(card)
            before = at
    json.dump([forced, chosen], sys.stdout)
    return 0


def split_hands(deck: list[str], dealer: int) -> list[list[str]]:
    """Deal a deck to four, one card after the other from the dealer's left."""
    hands: list[list[str]] = [[] for _ in range(SEATS)]
    for place in range(40):
        hands[(dealer + 1 + place) % SEATS].append(deck[place])
    return hands


if __name__ == "__main__":
    sys.exit(main())
