"""Laws of fixtures of several games (EV1), over formats and sizes: they end, and what is stored is what the results
give."""

from datetime import datetime
from random import Random
from typing import Any

import pytest

from tests.support.best_of import SCOPA, enter
from tests.support.real_tables import draw_real, publish_next
from tests.support.thorough import tries
from tests.support.tournaments import Opened
from tournaments.core.game_terms import GamesTerms, find_fixture_terms
from tournaments.core.result import FixtureResult
from tournaments.formats import FORMATS
from tournaments.models import Entry, Fixture, Tournament
from tournaments.organise.format_options import list_match_contexts
from tournaments.rounds.drafts import find_next_round
from tournaments.running.recompute import find_differences

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV1")]
SIZES = tries([5, 8], [4, 5, 6, 7, 8, 9, 12, 16, 21])
VP_OF = {(2, 0): 20, (2, 1): 15, (3, 0): 20, (3, 1): 17, (3, 2): 13, (4, 0): 20, (4, 1): 18, (4, 2): 15, (4, 3): 13}


def find_rules(code: str, dice: Random) -> dict[str, Any]:
    """Numbers of games that this format takes, all that it has."""
    contexts = tuple(list_match_contexts(FORMATS[code]))
    rules: dict[str, Any] = {"format": code, "games": dice.choice([3, 5, 7]), "only_games_won": dice.random() < 0.5}
    if len(contexts) > 1:
        rules["games_in_ko"] = dice.choice([1, 3, 5])
    if "ko" in contexts:
        rules |= {"late_games": 7, "late_from": "semifinal"}
    return rules


def play_fixture(fixture: Fixture, dice: Random, now: datetime) -> None:
    """Give a fixture a result of its terms, drawn."""
    tournament = Tournament.objects.get(pk=fixture.round.tournament_id)
    terms = find_fixture_terms(tournament, fixture)
    if not isinstance(terms, GamesTerms):
        enter(fixture, now, won=(21, dice.randrange(21)), winner=0)
        return
    won = [0, 0]
    games = []
    while max(won) < terms.winning_count:
        side = dice.randrange(2)
        won[side] += 1
        points = (21 + dice.randrange(3), dice.randrange(21))
        games.append(points if side == 0 else (points[1], points[0]))
    if terms.only_won:
        enter(fixture, now, won=(won[0], won[1]))
    else:
        enter(fixture, now, *games)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("code", sorted(FORMATS))
def test_every_format_ends_and_is_recomputed(opened: Opened, now: datetime, code: str, size: int) -> None:
    dice = Random(f"{code} {size}")
    least = {"min_entries": FORMATS[code].min_size, "max_entries": 64}
    options = {"gironi": {"groups": 2}, "danese": {"rounds": 3}}.get(code, {})
    tournament = draw_real(
        opened,
        max(size, FORMATS[code].min_size),
        now,
        **SCOPA,
        format_options=options,
        **least,
        **find_rules(code, dice),
    )
    while tournament.state == Tournament.State.RUNNING:
        ready = list(Fixture.objects.of(tournament).ready().select_related("round", "first"))
        for fixture in ready:
            play_fixture(fixture, dice, now)
        tournament.refresh_from_db()
        if tournament.state == Tournament.State.RUNNING and find_next_round(tournament) is not None:
            publish_next(tournament, now)
        else:
            assert ready or tournament.state == Tournament.State.FINISHED
    assert find_differences(tournament) == []
    assert all(Entry.objects.filter(tournament=tournament).values_list("rank", flat=True))
    for fixture in Fixture.objects.with_results().of(tournament).filter(vp_0__isnull=False, second__isnull=False):
        result = FixtureResult.from_fixture(fixture)
        assert result.points is not None
        assert result.vp is not None
        assert max(result.vp) == VP_OF[max(result.points), min(result.points)]
        assert sum(result.vp) == 20
