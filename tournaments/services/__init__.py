"""What can be done to a tournament. Keyword-only, ``now`` passed in; refusals are TournamentError(code)."""

from tournaments.services.entries import enter_house, join, leave
from tournaments.services.errors import CODES, TournamentError
from tournaments.services.life import Settings, cancel, create, edit, publish, settings_of
from tournaments.services.offers import keep_offer_open, missing_offers, play_now, put_on_show, put_out
from tournaments.services.running import advance, open_due_fixture, record_result, start_due

__all__ = [
    "CODES",
    "Settings",
    "TournamentError",
    "advance",
    "cancel",
    "create",
    "edit",
    "enter_house",
    "join",
    "keep_offer_open",
    "leave",
    "missing_offers",
    "open_due_fixture",
    "play_now",
    "publish",
    "put_on_show",
    "put_out",
    "record_result",
    "settings_of",
    "start_due",
]
