"""The tournaments' pages and what is done on them. They parse, call one service or selector, and answer."""

from tournaments.views.acts import cancel, fill_with_house, join, leave, play_now, publish
from tournaments.views.clubs import club, club_act, club_edit, club_new, clubs
from tournaments.views.exports import calendar, calendar_page, export, own_calendar
from tournaments.views.pages import edit, home, new, open_table, profile, seeds, tournament
from tournaments.views.pairs import answer, link, pair, with_house
from tournaments.views.public import code, embed, printed, standings

__all__ = [
    "answer",
    "calendar",
    "calendar_page",
    "cancel",
    "club",
    "club_act",
    "club_edit",
    "club_new",
    "clubs",
    "code",
    "edit",
    "embed",
    "export",
    "fill_with_house",
    "home",
    "join",
    "leave",
    "link",
    "new",
    "open_table",
    "own_calendar",
    "pair",
    "play_now",
    "printed",
    "profile",
    "publish",
    "seeds",
    "standings",
    "tournament",
    "with_house",
]
