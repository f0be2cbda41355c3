"""The tournaments' pages and what is done on them. They parse, call one service or selector, and answer."""

from tournaments.views.acts import cancel, fill_with_house, join, leave, play_now, publish
from tournaments.views.clubs import club, club_act, club_edit, club_new, clubs
from tournaments.views.desk import desk, desk_fixture, desk_record, desk_seen
from tournaments.views.entries import (
    check_in,
    check_in_at_desk,
    decide,
    import_list,
    invite,
    manage,
    remove,
    renew_link,
    sample,
    type_code,
)
from tournaments.views.exports import calendar, calendar_page, export, own_calendar
from tournaments.views.leaving import ahead, withdraw
from tournaments.views.organiser import referee_dismiss, referee_name, referees
from tournaments.views.pages import edit, home, new, open_table, profile, seeds, tournament
from tournaments.views.pairs import answer, link, pair, with_house
from tournaments.views.public import code, embed, printed, standings
from tournaments.views.ranks import ranks_page
from tournaments.views.series import organiser_home, series_act, series_edit, series_new

__all__ = [
    "ahead",
    "answer",
    "calendar",
    "calendar_page",
    "cancel",
    "check_in",
    "check_in_at_desk",
    "club",
    "club_act",
    "club_edit",
    "club_new",
    "clubs",
    "code",
    "decide",
    "desk",
    "desk_fixture",
    "desk_record",
    "desk_seen",
    "edit",
    "embed",
    "export",
    "fill_with_house",
    "home",
    "import_list",
    "invite",
    "join",
    "leave",
    "link",
    "manage",
    "new",
    "open_table",
    "organiser_home",
    "own_calendar",
    "pair",
    "play_now",
    "printed",
    "profile",
    "publish",
    "ranks_page",
    "referee_dismiss",
    "referee_name",
    "referees",
    "remove",
    "renew_link",
    "sample",
    "seeds",
    "series_act",
    "series_edit",
    "series_new",
    "standings",
    "tournament",
    "type_code",
    "with_house",
    "withdraw",
]
