"""A danese of six that comes to a round without pairs (D1): three meet the others, until two triangles are left."""

from collections.abc import Sequence
from datetime import datetime

from players.models import Player
from tests.support.entries import enter_all
from tests.support.people import create_person
from tests.support.play import OPENING
from tests.support.tournaments import Opened
from tests.support.transfer import rule_ready
from tournaments.models import Fixture, Tournament
from tournaments.rounds import drafts

DANESE = {
    "format": "danese", "format_options": {"rounds": 4}, "length_kind": "deals", "length_value": 1,
    "publishes_rounds": True, "max_entries": 8,
}  # fmt: skip


def publish_pairs(tournament: Tournament, now: datetime, pairs: Sequence[tuple[int, int]] = ()) -> drafts.RoundDraft:
    """Publish the next round, with these pairs as if they had been swapped by hand."""
    draft = drafts.draw_round(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    tournament.refresh_from_db()
    if pairs:
        assert tournament.draft is not None
        tournament.draft["pairs"] = [list(pair) for pair in pairs]
        tournament.save(update_fields=["draft"])
    drafts.publish_round(tournament_id=tournament.pk, number=draft.round, by=tournament.organiser, now=now)
    tournament.refresh_from_db()
    return draft


def play_round(tournament: Tournament, now: datetime) -> None:
    rule_ready(tournament, tournament.organiser, now)
    tournament.refresh_from_db()


def pair_across(tournament: Tournament, turn: int) -> list[tuple[int, int]]:
    """Pairs of the first three with the last three, so that after three such rounds two triangles are left."""
    ids = list(tournament.entries.drawn().values_list("pk", flat=True))
    return [(ids[place], ids[3 + (place + turn) % 3]) for place in range(3)]


def play_two_rounds(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    """A danese of six that has played two rounds of four, the first three against the last three."""
    six = [*four, create_person("Elio", now), create_person("Fara", now)]
    tournament = enter_all(opened(**DANESE), six, now)
    publish_pairs(tournament, now)
    first = Fixture.objects.of(tournament).filter(first__isnull=False)
    met = {frozenset((fixture.first_id, fixture.second_id)) for fixture in first}
    assert met == {frozenset(pair) for pair in pair_across(tournament, 0)}, "halves (D1)"
    play_round(tournament, now)
    publish_pairs(tournament, now + OPENING, pair_across(tournament, 1))
    play_round(tournament, now + OPENING)
    return tournament


def play_to_dead_end(tournament: Tournament, now: datetime) -> None:
    """Play the third round, by hand against the last three again: nobody new is left for six to meet in the fourth."""
    publish_pairs(tournament, now + 2 * OPENING, pair_across(tournament, 2))
    play_round(tournament, now + 2 * OPENING)
