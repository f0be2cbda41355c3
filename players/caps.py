"""Caps of the product: how much one person, one address and the whole site may take, and how long rows are kept.

Plain Python, no code but the two shapes below: whoever refuses something reads the number here, and so do the tests.
docs/limits.md explains them to people. Sections belong to one thing each; add a section rather than a file.
"""

from dataclasses import dataclass
from datetime import timedelta

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Cap:
    """Number of acts in a window of time that moves along."""

    most: int
    window: timedelta


Caps = tuple[Cap, ...]  # all of them hold; the longest window comes last

# --- Addresses: for visitors without an account --------------------------------------------------------------------

IPV6_PREFIX_BITS = 64
"""Bits of an IPv6 address that count: one household has them in common (AT6)."""

GUESTS_AN_ADDRESS: Caps = (Cap(20, 10 * MINUTE), Cap(100, DAY))
"""Guests let in from one address; those who came by a tournament's link, code or pair link count apart, for that
tournament (AT6)."""

GUESTS_AN_ADDRESS_IN_ALL: Caps = (Cap(600, DAY),)
"""Guests let in from one address by whatever way, in a hall too (AT6)."""

GUESTS_ON_THE_SITE: Caps = (Cap(20_000, DAY),)
"""Guests let in from everywhere: more is no evening but a flood (AT6)."""

SIGNUPS_AN_ADDRESS: Caps = (Cap(10, HOUR), Cap(30, DAY))
"""Accounts made from one address, guests who become members among them (AT6)."""

SIGNUPS_IN_A_HALL: Caps = (Cap(200, DAY),)
"""The same from an address that an organiser marked as a hall (AT6)."""

SIGNUPS_ON_THE_SITE: Caps = (Cap(2_000, DAY),)
"""Accounts made from everywhere (AT6)."""

PLAY_NOW_AN_ADDRESS: Caps = (Cap(60, HOUR), Cap(300, DAY))
"""*Gioca subito* by the guests of one address (AT6)."""

PLAY_NOW_IN_A_HALL: Caps = (Cap(600, HOUR), Cap(1_200, DAY))
"""The same from a hall (AT6)."""

# --- Halls: two hundred telephones in a bar are one address -------------------------------------------------------

HALLS_A_PERSON: Caps = (Cap(5, DAY),)
"""Addresses that one organiser may mark *in sala*; a tournament has one at a time, for its day (AT6)."""

HALL_ENDS_AT_HOUR = 6
"""Hour of the next morning, in the tournament's time zone, at which a hall's day is over (AT6)."""

DESK_PASSES = 8
"""Passes of one tournament's desk at once, each for one machine (O9)."""

# --- Persons: whoever has an account, guests too -------------------------------------------------------------------

PLAY_NOW_A_PERSON: Caps = (Cap(20, HOUR), Cap(100, DAY))
"""*Gioca subito* by one person; who leaves a tournament gets nothing back (AT6)."""

WITHDRAWALS_A_PERSON: Caps = (Cap(5, HOUR), Cap(20, DAY))
"""Withdrawals from the house's tournaments after which *Gioca subito* makes one wait (AT6)."""

ENTRIES_A_PERSON: Caps = (Cap(40, HOUR), Cap(200, DAY))
"""Entries of one person into any tournaments; who leaves again gets nothing back (AT6)."""

SELF_ENTRIES_A_BROWSER = 10
"""Entries by name, without an account, that one browser makes in one tournament (O2, AT6)."""

SELF_ENTRIES_A_PLACE = 2
"""The same from one address in a day, for each of its places: a whole hall enters by one address (O2, AT6)."""

SELF_ENTRIES_AN_ADDRESS: Caps = (Cap(600, DAY),)
"""The same from one address in all tournaments, in a hall too (O2, AT6)."""

CLAIMS_A_PERSON: Caps = (Cap(10, HOUR), Cap(30, DAY))
"""Claims of one account to be somebody who was entered by name (O2, AT6)."""

TRAININGS_A_PERSON: Caps = (Cap(60, HOUR), Cap(300, DAY))
"""Matches of training that one person begins (B7)."""

TRAINING_KEPT = 30 * DAY
"""Time for which training that is over is kept, for its player alone (B7)."""

ANALYSES_A_PERSON: Caps = (Cap(20, HOUR), Cap(60, DAY))
"""Matches of their own that one person has analysed (HP6)."""

RECORD_ANALYSES_A_PERSON: Caps = (Cap(10, DAY),)
"""Records that one member sends to have them analysed (HP6)."""

RECORD_ANALYSES_KEPT = 90 * DAY
"""Age at which the analysis of such a record is deleted (HP6)."""

FREE_TABLES_A_PERSON: Caps = (Cap(20, HOUR), Cap(100, DAY))
"""Free tables set up by one person (AT6)."""

MAX_STAKE = 1_000
"""Chips that the stake of a free table may be (Z2)."""

TOURNAMENTS_A_PERSON: Caps = (Cap(60, HOUR), Cap(200, DAY))
"""Tournaments and series made by one person; who cancels one gets nothing back (AT6)."""

FILES_A_PERSON: Caps = (Cap(20, HOUR), Cap(60, DAY))
"""Files of tournaments that one person brings, refused ones too: to check a big one takes seconds (O9, AT11)."""

MAX_UNDRAWN_TOURNAMENTS = 60
"""Tournaments of one organiser that aren't drawn yet: a season of Thursdays is prepared ahead (AT6)."""

MAX_REGISTER_CARDS = 5_000
"""People in one register (I1, AT6)."""

MAX_RUNNING_SERIES = 10
"""Series of one organiser that go on (AT6)."""

FIXED_PAIRS_A_PERSON = 20
"""Fixed pairs of one person, invitations without an answer among them (AT6)."""

PAIR_INVITATIONS_A_PERSON: Caps = (Cap(10, HOUR), Cap(30, DAY))
"""Invitations of one person to form a fixed pair; who takes one back gets nothing back (AT6)."""

MAX_RUNNING_CIRCUITS = 30
"""Circuits that one organiser has made and that haven't ended (Y3)."""

MAX_CIRCUIT_TOURNAMENTS = 120
"""Tournaments in a circuit: two a week all year, and more are another circuit (Y3)."""

MAX_CIRCUIT_LINKS = 500
"""Links of names in a circuit (Y3)."""

FOLLOWS_A_PERSON = 500
"""Friends that one person follows (B6, AT6)."""

FRIEND_CALLS_A_PERSON: Caps = (Cap(30, HOUR), Cap(100, DAY))
"""Calls of friends to tables and tournaments by one person (B6, AT6)."""

FRIEND_CALLS_BY_ONE_TO_ONE: Caps = (Cap(5, HOUR), Cap(10, DAY))
"""Calls of one friend by one person (B6, AT6)."""

FRIEND_CALL_HOLDS = timedelta(hours=2)
"""Age of a call of a friend at which it is no longer shown (B6)."""

QUITS_COUNTED = 50
"""Latest finished matches of which those count that a player left or let run out (U1)."""

QUITS_A_DAY = 3
"""Matches left within a day after which there are no free seeks for a while (U1)."""

SEEK_BAN = timedelta(minutes=30)
"""Time without free seeks, from the last of those matches on (U1)."""

NEW_ACCOUNT = timedelta(days=7)
"""Age below which an account is new: what it opens is on the front page once somebody else has entered (AT6)."""

CHAT_LINES_A_SEAT = Cap(5, timedelta(seconds=10))
"""Lines of one seat in a table's chat (AT6)."""

MAX_REPORTS_AT_A_TABLE, MAX_REPORTS_IN_A_DAY = 3, 10
"""Reports of one person (AT6)."""

MAX_CALLS_AT_A_TABLE, MAX_CALLS_IN_A_DAY = 5, 30
"""Calls of one person for the referee, who comes where a report would wait (F4, AT6)."""

# --- The house: its players are programs, and each table of theirs costs the tables of people ------------------------

MAX_HOUSE_ENTRIES = 64
"""Entries of the house alone in one tournament (AT6, E8)."""

MAX_HOUSE_PLAYERS_OF_ORGANISER = 128
"""House players at once in the unfinished tournaments of one organiser: two tournaments, or one of pairs (AT6)."""

MAX_HOUSE_PLAYERS_OF_ORGANISERS = 256
"""House players at once in the unfinished tournaments of all organisers but the house: the rest of them is for its own
offers and for free tables (AT6)."""

MAX_HOUSE_PLAYERS = 512
"""House players there are on the site; who is free is taken again (AT6)."""

# --- Time on the database: nobody's request may keep the others waiting ----------------------------------------------

WEB_STATEMENT_SECONDS = 5.0
"""Time after which PostgreSQL cancels one statement of a web process, its wait for locks included; on SQLite the time a
web process waits for the writer (AT6, AT7)."""

WEB_TRANSACTION_SECONDS = 10.0
"""Age of a transaction of a web request from which its next statement is refused, on both databases (AT6, AT7)."""

DELIVERY_LOCK_SECONDS = 0.5
"""Time that who played the last card waits for their tournament's lock; later the sweep passes the result on (AT7)."""

SWEEP_LOCK_SECONDS = 0.2
"""Time that the sweep waits for a lock on PostgreSQL before it takes the next row (AT7)."""

SWEEP_WRITER_SECONDS = 1.0
"""Time that the sweep waits for the writer on SQLite, where one lock is everybody's; then it looks again (AT7)."""

SWEEP_STATEMENT_SECONDS = 30.0
"""Time after which PostgreSQL cancels one statement of the sweep: a draw of thousands takes a hundredth (AT7)."""

MAX_REFUSED_LOCKS = 5
"""Rows of one kind of work whose locks the sweep waits for in one round: the others come first next time (AT7)."""

# --- Invitations (E3): the rooms entries, desk and clubs of tournaments -----------------------------------------------

OPEN_INVITATIONS_AN_ORGANISER = 64
"""Entries without an answer, in all tournaments of one organiser (AT6)."""

INVITATIONS_AN_ORGANISER_A_DAY = 256
"""People invited by one organiser, whatever they answered (AT6)."""

OPEN_INVITATIONS_A_PERSON = 32
"""Invitations of one person without an answer, from everybody: later ones are refused (AT6)."""

INVITATIONS_BY_ONE_TO_ONE_A_DAY = 3
"""Invitations of one person by another (AT6)."""

PARTNERS_ASKED_AN_HOUR = 20
"""Partners asked by name, by one person (AT6)."""

CLUB_INVITATIONS_AN_HOUR = 30
"""Invitations of one club, to join it (AT6)."""

# --- The front door: connections and sockets, of each web process ----------------------------------------------------

FILE_LIMIT = 65_536
"""Descriptors that a process asks for at its start, where the system lets it (AT9)."""

SPARE_FILES = 128
"""Descriptors that connections leave to databases, Redis, files and logs (AT9)."""

HALF_OPEN = 512
"""Connections that haven't sent the head of a request; beyond it the oldest of them are closed (AT9)."""

HALF_OPEN_SECONDS = 2.0
"""Time that each of them has all the same: after a restart thousands come back in one breath, and speak in the next."""

HEAD_SECONDS = 10.0
"""Time for a request's head, from the connection or, after another request, from its first byte (AT9)."""

HEAD_BYTES = 65_536
"""Length of a request's head (AT9)."""

BODY_SECONDS = 60.0
"""Time for a request's body after its head (AT9)."""

BODY_BYTES = 24 * 1024 * 1024
"""Length of a request's body, whatever it is for: a tournament's file has 16 MB at most (AT9)."""

KEEP_ALIVE_SECONDS = 5
"""Time that a connection may wait after an answer without asking again (AT9)."""

CONNECTIONS_AN_ADDRESS = 512
"""Connections of one address that come without a proxy; of IPv6 its /64 is one (AT9)."""

VISITOR_SOCKETS_AN_ADDRESS = 50
"""Sockets of pages that people without an account have open from one address (AT9)."""

VISITOR_SOCKETS_IN_A_HALL = 600
"""The same from a hall: everybody in the room looks on (AT6, AT9)."""

SOCKETS_A_PERSON = 5
"""Sockets of pages of one account, guests included (AT9)."""

# --- What goes out: requests to addresses that people give (players/outgoing.py), webhooks, pushed messages -----------

OUTGOING_SECONDS = 5.0
"""Time of one request to an address out there, from the look-up of its name to the last byte of its answer (W4)."""

OUTGOING_BYTES = 65_536
"""Length of the answer, its head included (W4)."""

PUSH_SECONDS = 3.0
"""Time of one message to a push service, which answers in a tenth of it: who keeps the site waiting keeps others'
messages waiting, too (U4, AT6)."""

PUSH_AT_ONCE = 16
"""Messages to push services that one run sends side by side (U4)."""

PUSH_DEVICES_A_PERSON = 5
"""Devices of one account that are told of its tables (U4)."""

PUSH_DEVICES_OFTEN: Caps = (Cap(20, HOUR),)
"""Devices that one person adds, also again: each lets the site call an address (U4, AT6)."""

PUSHES_A_DEVICE: Caps = (Cap(30, HOUR),)
"""Messages to one device (U4, AT6)."""

PUSH_ATTEMPTS = 3
"""Attempts at one message to a device (U4)."""

PUSH_FAILS_FOR = timedelta(days=3)
"""Time without any success after which a device is forgotten (U4)."""

PUSH_TABLE_HOLDS = timedelta(minutes=10)
"""Age of a table that nobody has come to, from which no device is told of it any more (U4)."""

PUSH_TURN_HOLDS = HOUR
"""The same of a turn without a clock (U4)."""

PUSH_KEPT = DAY
"""Age of a message to a device at which it is deleted (U4)."""

WEBHOOKS_A_PERSON = 5
"""Webhooks of one organiser (W5)."""

WEBHOOK_TESTS: Caps = (Cap(20, HOUR),)
"""Webhooks made, changed and tried by one organiser: each lets the site call an address (W5)."""

WEBHOOK_FAILS_FOR = timedelta(days=3)
"""Time without any success after which a webhook is off, and an event given up (W7)."""

WEBHOOK_SECRET_KEPT = DAY
"""Time that the secret before the last change still signs (W6)."""

WEBHOOK_LOOKBACK = timedelta(days=30)
"""Age of a draw of which a webhook made now still hears (W5)."""

WEBHOOK_LOG_KEPT = timedelta(days=30)
"""Time since an event was delivered or given up, until it is deleted from the log (W7)."""

# --- Tables nobody sits at -----------------------------------------------------------------------------------------

MAX_HOUSE_ONLY_TABLES = 60
"""Tables in play at once, on the whole site, at which nobody but the house sits; others wait (AT6)."""

HOUSE_ONLY_RETRY = timedelta(seconds=10)
"""Time until a table that waits for room among them is tried again (AT6)."""

# --- Requests: rates counted in the cache, as allauth and DRF write them -------------------------------------------

ACCOUNT_RATES: dict[str, str] = {
    "login_failed": "20/m/ip,10/10m/key",  # the key is the account: players/accounts.py
    "reset_password": "20/h/ip,5/h/key",
    "manage_email": "10/h/user",
    "confirm_email": "1/3m/key",  # mails to one address at sign-up; whoever meets it is told (players/accounts.py)
    "club_call": "30/h/user",  # asking to join, and inviting: each tells somebody
    "join_code": "10/10m/user,100/h/ip",  # a whole club may come by one address
    "join_code_visitor": "100/h/ip",
    "join_code_in_hall": "10/10m/user,1000/h/ip",
    "join_code_visitor_in_hall": "1000/h/ip",
    "desk_pass": "30/10m/ip",
}
"""Attempts at passwords, codes and addresses, and calls that tell somebody (AT3)."""

POST_RATES: dict[str, str] = {
    "posts_of_account": "120/m/user,1500/h/user",
    "posts_of_visitor": "240/m/ip",  # not from a hall: whoever enters there is a guest, and counted as one
    "entrances": "240/m/ip",
}
"""Forms sent by one account, or from one address without one: what no other cap counts is counted here (AT6). Log-ins
and sign-ups have a count of their own: a neighbour who sends much keeps nobody out."""

RECORD_CHECK_RATE = "30/m/ip"
"""Records checked on the page, from one address (AT6)."""

RECORD_STEP_RATE = "120/m/ip"
"""Steps through a checked record; without a script each is a request (AT6)."""

LESSON_STEP_RATE = "240/m/ip"
"""Cards played in lessons (B8), from one address; a class in one room plays together (AT6)."""

LIST_RATES: dict[str, str] = {"list_checks": "30/10m/user", "list_looks": "60/m/user"}
"""Lists of people that one account has checked (read, mended, taken in), and looks at one that waits to be mended: to
check thousands of rows takes seconds (I1, O2, AT6)."""

FILE_RATES: dict[str, str] = {"files_of_account": "30/m/user", "files_of_visitor": "30/m/ip"}
"""Files and sheets for paper, which are made of the whole of something for whoever asks: of one account, or of one
address without one; not from a hall. Those of a large tournament take seconds (W2, O9, AT6)."""

RECORD_API_RATE = "60/m/ip"
"""Records replayed by the API, from one address (AT6)."""

API_RATES: dict[str, str] = {"address": "120/min", "user": "900/min"}
"""Requests to the API: of one address without a key or with wrong ones, of one account, so that the results of a hall
of 512 tables go in at once. No page of the site polls it (AT6)."""

API_BODY_BYTES = 4 * 1024 * 1024
"""Length of what a program sends; a tournament's file may be longer (AT6)."""

# --- Keys of programs (the API) --------------------------------------------------------------------------------------

TOKENS_A_PERSON = 20
"""Keys of one account that haven't expired (AT6)."""

TOKEN_DAYS = (7, 30, 90, 366)
"""Lives that a key may have, in days."""

# --- Search engines ------------------------------------------------------------------------------------------------

SITEMAP_TOURNAMENTS = 2_000
"""Tournaments in the map for search engines, the latest (AT6)."""

SITEMAP_KEPT = HOUR
"""Time until that map is made anew (AT6)."""

# --- Rankings (Y1): made anew by a task, never in a request ---------------------------------------------------------

RANKING_EVERY = timedelta(minutes=2)
"""Time from one look at what has changed to the next: points are in the rankings that much later, and what it takes
to make those anew."""

RANKING_CHANGES_A_RUN = 5_000
"""Notes of changes that one look takes; the rest waits for the next."""

RANKING_GIVEN_UP = timedelta(minutes=15)
"""Time after which a ranking that somebody began to make and hasn't finished is made by somebody else."""

RANKING_KEPT = timedelta(days=1)
"""Age at which a ranking is made anew though no points have changed: names, accounts and clubs do."""

RANKING_NAMES = 50
"""People that a search in a ranking, or by player in the archive, shows at most."""

# --- Kept: how long rows stay that nobody will miss; people's history stays -----------------------------------------

FRIEND_CALLS_KEPT = DAY
"""Age of a call of a friend at which it is deleted (B6)."""

MARKS_KEPT = timedelta(days=30)
"""Age of the marks of an address and a browser at which they are deleted (U3)."""

COUNTED_ACTS_KEPT = DAY
"""Age of a counted act at which it is forgotten; no window above is longer (AT6)."""

ANSWERS_KEPT = DAY
"""Age of the answer to a program's write at which its key may be used anew."""

GUEST_UNUSED_KEPT = timedelta(days=1)
"""Time since a guest who never sat down was seen, until they are deleted (AT6)."""

GUEST_IDLE_KEPT = timedelta(days=30)
"""Time since a guest who has played was seen, until their account is closed; results stay (AT6)."""

LIST_DRAFT_KEPT = timedelta(days=7)
"""Time since a list to be read into a register (I1) or to be entered (E3, O2) was last touched, until it is deleted."""

HOUSE_TOURNAMENT_KEPT = timedelta(days=7)
"""Time since the end of a tournament in which no person has played, until it is deleted with its tables (AT6)."""

HOUSE_MATCH_KEPT = timedelta(days=7)
"""Time since the end of a match of the house alone in one of its own tournaments, until its cards are deleted; the
result stays in the tournament (AT6)."""

DRAFT_KEPT = timedelta(days=90)
"""Time since a draft that was never opened was last touched, until it is deleted (AT6)."""

HOUSE_PLAYER_KEPT = timedelta(days=1)
"""Age at which a house player whom nothing refers to is deleted, the oldest of the house aside (AT6)."""

HOUSE_PLAYERS_KEPT = 64
"""House players, the oldest, that always stay (AT6)."""

HOUSEKEEPING_LOOKBACK = timedelta(days=90)
"""Time after which ended tournaments aren't looked at again: what was to be deleted is (AT6)."""

HOUSEKEEPING_BATCH = 100
"""Rows that one step of the housekeeping takes at a time, each tournament in a transaction of its own (AT6)."""

HOUSEKEEPING_BATCHES = 20
"""Batches of each step in one run; the rest waits for the next (AT6)."""
