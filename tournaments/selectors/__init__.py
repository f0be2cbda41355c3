"""What the pages, the API and the sockets read of tournaments: whole structures, ready to be shown.

It never writes and never decides a result: ranks and standings are those stored after each result. It says nothing of
running deals: what lies on a table is for ``games.selectors``. Words for the codes given here are in ``words.py``.
"""

from tournaments.selectors.lists import (
    called_off,
    current_of,
    home,
    listed,
    may_watch,
    visible,
)
from tournaments.selectors.pages import (
    all_lines,
    asked_by_link,
    cross_table,
    invitations,
    lines,
    page,
    reports_of,
    rounds,
    standings,
    waiting_of,
)
from tournaments.selectors.places import (
    ENTERING,
    UNDRAWN,
    UNFINISHED,
    colliding,
    opens_with,
    plain_code,
    refusal_to_join,
    to_check_in,
)
from tournaments.selectors.rights import may_judge, may_referee, may_run, referees_of, run_by
from tournaments.selectors.shown import (
    Cell,
    CrossRow,
    FixtureRow,
    Home,
    Invitation,
    Line,
    RoundRow,
    Separation,
    StandingRow,
    TournamentPage,
    Waiting,
)

__all__ = [
    "ENTERING",
    "UNDRAWN",
    "UNFINISHED",
    "Cell",
    "CrossRow",
    "FixtureRow",
    "Home",
    "Invitation",
    "Line",
    "RoundRow",
    "Separation",
    "StandingRow",
    "TournamentPage",
    "Waiting",
    "all_lines",
    "asked_by_link",
    "called_off",
    "colliding",
    "cross_table",
    "current_of",
    "home",
    "invitations",
    "lines",
    "listed",
    "may_judge",
    "may_referee",
    "may_run",
    "may_watch",
    "opens_with",
    "page",
    "plain_code",
    "referees_of",
    "refusal_to_join",
    "reports_of",
    "rounds",
    "run_by",
    "standings",
    "to_check_in",
    "visible",
    "waiting_of",
]
