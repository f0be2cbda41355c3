"""The result of a match that holds: a referee's where one ruled (F2), else its own; and which count for nobody.

It is read with each query and stored nowhere, so a ruling that is taken back leaves nothing behind. What each player
did at the table stays what the record says.
"""

from django.db.models import BooleanField, Case, F, IntegerField, Q, QuerySet, Value, When

from games.models import Match, SeatFacts
from tournaments.models import Fixture

ANNULLED = "annulled"
Outcome = SeatFacts.Outcome


def annotate_facts(rows: QuerySet[SeatFacts]) -> QuerySet[SeatFacts]:
    """Have each row say the result that holds, its player's side first: ``counted_outcome``, which may be ``annulled``,
    ``counted_for`` and ``counted_against``."""
    ruled = Q(match__fixture__ruled=True, match__fixture__annulled=False)
    points = [F("match__fixture__points_0"), F("match__fixture__points_1")]
    return rows.annotate(
        counted_outcome=Case(
            When(find_annulled("match__"), then=Value(ANNULLED)),
            When(ruled & Q(match__fixture__double_forfeit=True), then=Value(Outcome.LOST.value)),
            When(ruled & Q(match__fixture__winner=None), then=Value(Outcome.DRAWN.value)),
            When(ruled & Q(match__fixture__winner=F("side")), then=Value(Outcome.WON.value)),
            When(ruled, then=Value(Outcome.LOST.value)),
            default=F("outcome"),
        ),
        counted_for=Case(When(ruled, then=_take_side(*points)), default=F("points_for")),
        counted_against=Case(When(ruled, then=_take_side(*reversed(points))), default=F("points_against")),
    )


def annotate_matches(rows: QuerySet[Match]) -> QuerySet[Match]:
    """Have each match say the result that holds: ``held_winner``, ``held_0``, ``held_1`` and ``is_annulled``."""
    ruled = Q(fixture__ruled=True, fixture__annulled=False)
    return rows.annotate(
        is_annulled=Case(When(find_annulled(), then=True), default=False, output_field=BooleanField()),
        held_winner=Case(
            When(find_annulled(), then=None),
            When(ruled, then=F("fixture__winner")),
            default=F("winner"),
            output_field=IntegerField(),
        ),
        held_0=Case(When(ruled, then=F("fixture__points_0")), default=F("score_0")),
        held_1=Case(When(ruled, then=F("fixture__points_1")), default=F("score_1")),
    )


def find_annulled(match: str = "") -> Q:
    """Return the condition of a match that counts for nobody: annulled by the staff, by a referee or by R5, or one that
    no fixture holds any more, since it was ordered to be played anew. ``match``: the path that leads to it."""
    annulled = Q(**{f"{match}annulled_at__isnull": False}) | Q(**{f"{match}fixture__state": Fixture.State.ANNULLED})
    return annulled | (Q(**{f"{match}fixture__isnull": True}) & ~Q(**{f"{match}context": "free"}))


def _take_side(first: F, second: F) -> Case:
    return Case(When(side=0, then=first), default=second)
