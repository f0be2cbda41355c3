"""Caps of the product: how much one person, one address and the whole site may take, and how long rows are kept.

Plain Python, no code: whoever refuses something reads the number here, and so do the tests. Sections belong to one
thing each; add a section rather than a file.
"""

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

OPEN_INVITATIONS_AN_ORGANISER = 64  # entries without an answer, in all of their tournaments
INVITATIONS_AN_ORGANISER_A_DAY = 256  # people invited, whatever they answered
OPEN_INVITATIONS_A_PERSON = 32  # without an answer, from everybody: later ones are refused
INVITATIONS_BY_ONE_TO_ONE_A_DAY = 3
PARTNERS_ASKED_AN_HOUR = 20  # by name, by one person
CLUB_INVITATIONS_AN_HOUR = 30  # of one club, to join it

# --- The front door: connections and sockets, of each web process ----------------------------------------------------

FILE_LIMIT = 65_536
"""Descriptors that a process asks for at its start, where the system lets it (AT9)."""

SPARE_FILES = 128
"""Descriptors that connections leave to databases, Redis, files and logs (AT9)."""

HALF_OPEN = 512
"""Connections that haven't sent the head of a request; beyond it the oldest of them is closed (AT9)."""

HEAD_SECONDS = 10.0
"""Time for a request's head, from the connection or, after another request, from its first byte (AT9)."""

HEAD_BYTES = 65_536
"""Length of a request's head (AT9)."""

BODY_SECONDS = 60.0
"""Time for a request's body after its head (AT9)."""

KEEP_ALIVE_SECONDS = 5
"""Time that a connection may wait after an answer without asking again (AT9)."""

CONNECTIONS_AN_ADDRESS = 512
"""Connections of one address that come without a proxy; of IPv6 its /64 is one (AT9)."""

VISITOR_SOCKETS_AN_ADDRESS = 50
"""Sockets of pages that people without an account have open from one address (AT9)."""

SOCKETS_A_PERSON = 5
"""Sockets of pages of one account, guests included (AT9)."""
