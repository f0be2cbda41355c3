"""Enter what a form of quick entry says (O4, O13): a result, a forfeit, or the agreed points of one's own match."""

from datetime import datetime
from typing import Any

from players.models import Player
from tournaments.core.rows import FixtureRow
from tournaments.desk import results
from tournaments.hall import own_results
from tournaments.hall.quick_forms import QuickForm
from tournaments.models import Fixture, Tournament


def enter_typed_result(
    tournament: Tournament,
    at: tuple[Fixture, FixtureRow],
    form: QuickForm,
    by: Player,
    now: datetime,
    later: list[Fixture] | None = None,
) -> None:
    """Enter a valid form's result of the fixture it shows; TournamentError where it is refused. ``later``: as for
    ``results.set_result``."""
    fixture, row = at
    about: dict[str, Any] = {
        "tournament_id": tournament.pk,
        "fixture_id": fixture.pk,
        "act": form.make_act(by, now),
    }
    if forfeits := form.list_forfeits():
        results.declare_forfeit(lines=forfeits, later=later, **about)
    elif row.mine:
        own_results.type_own_result(decision=form.make_decision(), **about)
    else:
        results.set_result(decision=form.make_decision(), later=later, **about)
