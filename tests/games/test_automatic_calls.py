"""The menu of a table lists the calls that a player may leave to the system there, and no others (X1)."""

from datetime import datetime

import pytest

from games import options, wording
from games.engine import match
from games.engine.game import AUTOMATIC, Length
from players.models import Player
from tests.games.random_matches import RandomMatch, choose_setups
from tests.games.setups import TABLES
from tests.support.people import sign_in
from tests.support.tables import seated

NONE, ALL = [frozenset[str]()] * 4, [frozenset(AUTOMATIC)] * 4


@pytest.mark.rule("X1")
@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_the_system_makes_no_call_of_a_players_choice_that_isnt_listed(ruleset: str, players: int) -> None:
    for setup in choose_setups(ruleset, players)[:8]:
        listed = options.list_automatic_calls(ruleset, setup.options)
        for progress, move in RandomMatch(setup, "automatic").moments():
            for card in (None, move):
                made = {call.verb for call in match.automatic(progress, ALL, card)}
                made -= {call.verb for call in match.automatic(progress, NONE, card)}
                assert made <= set(listed)


def test_every_listed_call_has_its_name_and_its_option() -> None:
    for ruleset, calls in options.AUTOMATIC_CALLS.items():
        choices = options.list_choices(ruleset)
        for verb, option in calls.items():
            assert verb in AUTOMATIC
            assert wording.AUTOMATIC_CALLS[verb]
            assert option is None or option[1] in choices[option[0]]


@pytest.mark.django_db
@pytest.mark.rule("X1")
@pytest.mark.parametrize(
    ("ruleset", "chosen", "listed"), [("scopa", {}, 0), ("tresette", {"accuso": True}, 1), ("tressette-accusa", {}, 0)]
)
def test_a_tables_menu_shows_those_of_its_game(
    ruleset: str, chosen: dict[str, bool], listed: int, anna: Player, bruno: Player, now: datetime
) -> None:
    table = seated([anna, bruno], now, ruleset=ruleset, length=Length("points", 21), options=chosen)
    page = sign_in(anna).get(f"/tavoli/{table.public_id}/").content.decode()
    assert page.count('name="automatic"') == listed
