"""What can be done to a tournament. Keyword-only, ``now`` passed in; refusals are TournamentError(code)."""

from tournaments.services.admission import approve, remove, renew_link, turn_down
from tournaments.services.checkin import check_in, check_in_at_desk
from tournaments.services.entries import enter_house, join, leave
from tournaments.services.errors import CODES, TournamentError
from tournaments.services.held import give_time, hold, let_run
from tournaments.services.life import Settings, cancel, create, edit, publish, settings_of
from tournaments.services.offers import keep_offer_open, missing_offers, play_now, put_on_show, put_out
from tournaments.services.pairs import confirm, decline, enter_pair, invite, with_house
from tournaments.services.reminders import remind_due
from tournaments.services.replacing import replace_player
from tournaments.services.ruling import Act
from tournaments.services.rulings import Decision, annul, declare_forfeit, order_replay, set_result
from tournaments.services.running import advance, open_due_fixture, record_result, start_due
from tournaments.services.seeds import place
from tournaments.services.waiting import expire_due

__all__ = [
    "CODES",
    "Act",
    "Decision",
    "Settings",
    "TournamentError",
    "advance",
    "annul",
    "approve",
    "cancel",
    "check_in",
    "check_in_at_desk",
    "confirm",
    "create",
    "declare_forfeit",
    "decline",
    "edit",
    "enter_house",
    "enter_pair",
    "expire_due",
    "give_time",
    "hold",
    "invite",
    "join",
    "keep_offer_open",
    "leave",
    "let_run",
    "missing_offers",
    "open_due_fixture",
    "order_replay",
    "place",
    "play_now",
    "publish",
    "put_on_show",
    "put_out",
    "record_result",
    "remind_due",
    "remove",
    "renew_link",
    "replace_player",
    "set_result",
    "settings_of",
    "start_due",
    "turn_down",
    "with_house",
]
