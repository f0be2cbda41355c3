"""Services for people: arrival, sessions, preferences, mails, and the end of an account.

Keyword-only, the hour is an argument, one transaction each.
"""

from players.services.calendar import drop_calendar, renew_calendar
from players.services.close_account import close_account
from players.services.mail import forget_sent_mails, mail_account, mail_reset, mail_to, send_due_mails
from players.services.mail_preferences import read_wish, stop_mails
from players.services.players import (
    ARRIVAL_WINDOW,
    GUESTS_AN_ADDRESS,
    GUESTS_AN_ADDRESS_A_DAY,
    HOUSE_NAMES,
    IDLE_AFTER,
    UNUSED_AFTER,
    NameTaken,
    NotAGuest,
    TooManyGuests,
    choose_automatic,
    convert_guest,
    create_guest,
    create_house_player,
    create_member,
    ensure_player,
    expire_guests,
    is_name_taken,
    take_house_players,
    touch_seen,
)
from players.services.sessions import end_session, forget_ended_sessions, note_session

__all__ = [
    "ARRIVAL_WINDOW",
    "GUESTS_AN_ADDRESS",
    "GUESTS_AN_ADDRESS_A_DAY",
    "HOUSE_NAMES",
    "IDLE_AFTER",
    "UNUSED_AFTER",
    "NameTaken",
    "NotAGuest",
    "TooManyGuests",
    "choose_automatic",
    "close_account",
    "convert_guest",
    "create_guest",
    "create_house_player",
    "create_member",
    "drop_calendar",
    "end_session",
    "ensure_player",
    "expire_guests",
    "forget_ended_sessions",
    "forget_sent_mails",
    "is_name_taken",
    "mail_account",
    "mail_reset",
    "mail_to",
    "note_session",
    "read_wish",
    "renew_calendar",
    "send_due_mails",
    "stop_mails",
    "take_house_players",
    "touch_seen",
]
