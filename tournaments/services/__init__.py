"""What can be done to a tournament. Keyword-only, ``now`` passed in; refusals are TournamentError(code)."""

from tournaments.services.entries import enter_house, join, leave
from tournaments.services.errors import CODES, TournamentError
from tournaments.services.life import Settings, cancel, create, edit, publish, settings_of
from tournaments.services.offers import keep_offer_open, missing_offers, play_now, put_on_show, put_out
from tournaments.services.pairs import confirm, decline, enter_pair, invite, with_house
from tournaments.services.pending import expire_due
from tournaments.services.running import advance, open_due_fixture, record_result, start_due
from tournaments.services.seeds import place

__all__ = [
    "CODES",
    "Settings",
    "TournamentError",
    "advance",
    "cancel",
    "confirm",
    "create",
    "decline",
    "edit",
    "enter_house",
    "enter_pair",
    "expire_due",
    "invite",
    "join",
    "keep_offer_open",
    "leave",
    "missing_offers",
    "open_due_fixture",
    "place",
    "play_now",
    "publish",
    "put_on_show",
    "put_out",
    "record_result",
    "settings_of",
    "start_due",
    "with_house",
]
