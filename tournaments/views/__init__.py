"""The tournaments' pages and what is done on them. They parse, call one service or selector, and answer."""

from tournaments.views.acts import cancel, fill_with_house, join, leave, play_now, publish
from tournaments.views.pages import edit, home, new, open_table, profile, seeds, tournament
from tournaments.views.pairs import answer, link, pair, with_house

__all__ = [
    "answer",
    "cancel",
    "edit",
    "fill_with_house",
    "home",
    "join",
    "leave",
    "link",
    "new",
    "open_table",
    "pair",
    "play_now",
    "profile",
    "publish",
    "seeds",
    "tournament",
    "with_house",
]
