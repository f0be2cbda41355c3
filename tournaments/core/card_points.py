"""Card points of fixtures, beside results that only count deals won (BR4): as the facts of their matches have them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from django.db.models import F, Q

from games.engine.game import Points
from games.engine.match import find_terms
from games.models import SeatFacts
from games.withheld import require_shown
from tournaments.core.result import ResultTerms
from tournaments.formats import FORMATS
from tournaments.models import Fixture, Tournament

CardPoints = Mapping[int, Points]  # by fixture, the first side's before the second's
NO_CARDS: CardPoints = MappingProxyType({})


def read_card_points(tournament: Tournament, fixtures: Iterable[Fixture | int]) -> CardPoints:
    """Return the card points of these fixtures, in one query for any number, and none where the score tells them.

    Left out are those without a counted deal on the site, those a referee ruled another score of, and what is withheld
    (J12).
    """
    if not find_terms(ResultTerms.of(tournament, FORMATS[tournament.format].context).setup).card_points:
        return NO_CARDS
    rows = SeatFacts.objects.filter(
        Q(cards_for__gt=0) | Q(cards_against__gt=0),
        require_shown("match__fixture__round__"),
        match__fixture__in=fixtures,
        side=0,
        points_for=F("match__fixture__points_0"),
        points_against=F("match__fixture__points_1"),
    )
    known = rows.values_list("match__fixture", "cards_for", "cards_against")
    return {fixture: (ours or 0, theirs or 0) for fixture, ours, theirs in known}
