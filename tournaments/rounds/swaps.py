"""Swaps by hand in the draft of a round (D4). What the rules don't let be is refused with its reason."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.formats import FORMATS
from tournaments.models import Fixture, RoundBye, Tournament
from tournaments.rounds.drafts import (
    Pair,
    RoundDraft,
    list_drafted,
    lock_publishing,
    pair_first,
    read_draft,
    store_draft,
)


@transaction.atomic
def swap_entries(
    *, tournament_id: int, first_id: int, second_id: int, by: Player, now: datetime, seen: str = ""
) -> RoundDraft:
    """Let two entries of the draft change places. The publication logs it.

    Of a format that pairs everybody at the draw they change their seeds. TournamentError: not_organiser,
    rounds_publish_themselves, over, no_draft, draft_changed, swap_not_drafted, swap_rematch, swap_bye_twice,
    swap_bye_asked, swap_forbidden.
    """
    tournament = lock_publishing(tournament_id, by)
    draft = read_draft(tournament)
    if draft is None:
        raise TournamentError("no_draft")
    if seen not in ("", draft.key):
        raise TournamentError("draft_changed")
    if first_id == second_id or not {first_id, second_id} <= list_drafted(draft.pairs):
        raise TournamentError("swap_not_drafted")
    places = {first_id: second_id, second_id: first_id}
    if FORMATS[tournament.format].keeps_rounds:
        pairs = tuple((places.get(a, a), b if b is None else places.get(b, b)) for a, b in draft.pairs)
        for pair in set(pairs) - set(draft.pairs):
            _require_possible(tournament, draft, pair)
        draft = replace(draft, pairs=pairs)
    else:
        order = tuple(places.get(pk, pk) for pk in draft.order)
        pairs = pair_first(tournament, order, draft.lot, draft.partners.mates)
        draft = replace(draft, order=order, pairs=pairs, drawn=pairs)
    draft = replace(draft, swaps=(*draft.swaps, (first_id, second_id)))
    store_draft(tournament, draft)
    return draft


def _require_possible(tournament: Tournament, draft: RoundDraft, pair: Pair) -> None:
    """Raise TournamentError for a board that a swap would make and the rules don't let be (D1, D3, D4)."""
    (first, second), number = pair, draft.round
    played = Fixture.objects.of(tournament).of_entry(first).exclude(round__number=number)
    if second is None:
        asked = dict(RoundBye.objects.filter(entry=first).values_list("number", "kind"))
        if any(other not in asked for other in played.filter(second=None).values_list("round__number", flat=True)):
            raise TournamentError("swap_bye_twice")
        return
    mates = {one: other for one, other in draft.partners.couples if one in pair}
    sides = [{pk, mates.get(pk, pk)} for pk in (first, second)]
    if RoundBye.objects.filter(entry__in=sides[0] | sides[1], number=number).exists():
        raise TournamentError("swap_bye_asked")
    if played.of_entry(second).exists():
        raise TournamentError("swap_rematch")
    meet = Q(first__in=sides[0], second__in=sides[1]) | Q(first__in=sides[1], second__in=sides[0])
    if tournament.forbidden_pairings.filter(meet).exists():
        raise TournamentError("swap_forbidden")
