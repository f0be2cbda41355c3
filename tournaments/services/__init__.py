"""What can be done to a tournament. Keyword-only, ``now`` passed in; refusals are TournamentError(code)."""

from tournaments.services.admission import approve, remove, renew_link, turn_down
from tournaments.services.ahead import play_ahead
from tournaments.services.calls import pass_on, see_to
from tournaments.services.checkin import check_in, check_in_at_desk
from tournaments.services.entries import enter_house, join, leave
from tournaments.services.errors import CODES, TournamentError
from tournaments.services.held import give_time, hold, let_run
from tournaments.services.imports import add, import_entries, problems_of, would_fill
from tournaments.services.life import Settings, cancel, create, edit, publish, settings_of
from tournaments.services.offers import keep_offer_open, missing_offers, play_now, put_on_show, put_out
from tournaments.services.pairs import confirm, decline, enter_pair, invite, with_house
from tournaments.services.recompute import recompute
from tournaments.services.referees import copy_referees, dismiss_referee, name_referee
from tournaments.services.reminders import remind_due
from tournaments.services.replacing import replace_player
from tournaments.services.returning import bring_back
from tournaments.services.rounds import remind_round
from tournaments.services.rounds import to_come as rounds_to_come
from tournaments.services.ruling import Act
from tournaments.services.rulings import Decision, annul, declare_forfeit, order_replay, reinstate, set_result
from tournaments.services.running import advance, open_due_fixture, record_result, start_due
from tournaments.services.seeds import place
from tournaments.services.series import (
    FURTHEST,
    create_series,
    edit_series,
    forget_series,
    open_next,
    resume_series,
    stop_series,
)
from tournaments.services.waiting import expire_due
from tournaments.services.withdrawing import withdraw

__all__ = [
    "CODES",
    "FURTHEST",
    "Act",
    "Decision",
    "Settings",
    "TournamentError",
    "add",
    "advance",
    "annul",
    "approve",
    "bring_back",
    "cancel",
    "check_in",
    "check_in_at_desk",
    "confirm",
    "copy_referees",
    "create",
    "create_series",
    "declare_forfeit",
    "decline",
    "dismiss_referee",
    "edit",
    "edit_series",
    "enter_house",
    "enter_pair",
    "expire_due",
    "forget_series",
    "give_time",
    "hold",
    "import_entries",
    "invite",
    "join",
    "keep_offer_open",
    "leave",
    "let_run",
    "missing_offers",
    "name_referee",
    "open_due_fixture",
    "open_next",
    "order_replay",
    "pass_on",
    "place",
    "play_ahead",
    "play_now",
    "problems_of",
    "publish",
    "put_on_show",
    "put_out",
    "recompute",
    "record_result",
    "reinstate",
    "remind_due",
    "remind_round",
    "remove",
    "renew_link",
    "replace_player",
    "resume_series",
    "rounds_to_come",
    "see_to",
    "set_result",
    "settings_of",
    "start_due",
    "stop_series",
    "turn_down",
    "with_house",
    "withdraw",
    "would_fill",
]
