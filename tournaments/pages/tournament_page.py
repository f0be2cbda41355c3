"""Everything the page of a tournament shows to one reader. It never writes."""

from collections.abc import Iterable
from typing import Any

from players.models import Player
from tournaments.core.permissions import may_referee, may_run
from tournaments.core.reads import build_cross_table, read_all_lines, read_rounds, read_standings
from tournaments.core.rows import FixtureRow, Line, TournamentPage
from tournaments.core.states import ENTERING
from tournaments.entries.queries import list_invitations, may_check_in, read_waiting, refusal_to_join
from tournaments.formats import FORMATS
from tournaments.models import Fixture, LogEntry, Tournament


def read_page(tournament: Tournament, player: Player | None, key: str = "") -> TournamentPage:
    """Everything the tournament's page shows to ``player`` (None: a visitor who isn't signed in), who has this ``key``
    to enter with (E3)."""
    format_ = FORMATS[tournament.format]
    everybody = read_all_lines(tournament)
    by_id = {line.entry_id: line for line in everybody if line.approved and not line.waits}
    all_rounds = read_rounds(tournament, by_id, player)
    rows = read_standings(tournament, by_id, player)
    fixtures = [fixture for round_ in all_rounds for fixture in round_.fixtures]
    own = None if player is None else next((line for line in everybody if player.pk in line.player_ids), None)
    runs = may_run(tournament, player)
    live = tuple(fixture for fixture in fixtures if fixture.live)
    return TournamentPage(
        tournament=tournament,
        entries=tuple(by_id.values()),
        rounds=all_rounds,
        standings=rows,
        cross=() if format_.is_bracket else build_cross_table(rows, all_rounds),
        live=live,
        log=tuple(LogEntry.objects.filter(tournament=tournament).select_related("player")),
        waiting_list=tuple(line for line in everybody if line.waits),
        applicants=tuple(line for line in everybody if not line.approved) if runs else (),
        people=sum(not line.house for line in by_id.values()),
        total=len(by_id),
        tables_open=len(live),
        **next_table([fixture for fixture in fixtures if fixture.mine]),
        **viewer_context(tournament, player, own, total=len(by_id), key=key),
    )


def next_table(mine: Iterable[FixtureRow]) -> dict[str, Any]:
    """Where the reader's own fixtures, in order, lead him: to his open table, else to the next one."""
    own = list(mine)
    table = next((fixture.table for fixture in own if fixture.live), None)
    ahead = (fixture for fixture in own if fixture.state in (Fixture.State.READY, Fixture.State.WAITING))
    return {"my_table": table, "next_fixture": None if table else next(ahead, None)}


def viewer_context(
    tournament: Tournament, player: Player | None, own: Line | None, *, total: int, key: str = ""
) -> dict[str, Any]:
    """What a page shows of the tournament's format, and of what the reader, whose line is ``own``, may do in it."""
    format_ = FORMATS[tournament.format]
    entering = tournament.state in ENTERING
    entered = own is not None
    asks = tournament.seats_an_entry > 1 and entering and player is not None
    return {
        "is_bracket": format_.is_bracket,
        "has_vp": format_.has_vp,
        "entered": entered,
        "is_organiser": may_run(tournament, player),
        "is_referee": may_referee(tournament, player),
        "join_refusal": refusal_to_join(tournament, player, entered=entered, entries=total, key=key),
        "takes_entries": entering,
        "full": total >= tournament.max_entries,
        "can_leave": entered and entering,
        "own": own,
        "checks_in": own is not None and player is not None and may_check_in(tournament, player),
        "pairs": tournament.seats_an_entry > 1,
        "waiting": read_waiting(tournament, player) if asks and player is not None and entered else None,
        "invitations": list_invitations(player, tournament) if asks and player is not None else (),
    }
