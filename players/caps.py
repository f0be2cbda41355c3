"""Caps: how much of anything one person, organiser or address may have at once (AT6). Only numbers."""

# --- Invitations (E3): the rooms entries, desk and clubs of tournaments -----------------------------------------------

OPEN_INVITATIONS_AN_ORGANISER = 64  # entries without an answer, in all of their tournaments
INVITATIONS_AN_ORGANISER_A_DAY = 256  # people invited, whatever they answered
OPEN_INVITATIONS_A_PERSON = 32  # without an answer, from everybody: later ones are refused
INVITATIONS_BY_ONE_TO_ONE_A_DAY = 3
PARTNERS_ASKED_AN_HOUR = 20  # by name, by one person
CLUB_INVITATIONS_AN_HOUR = 30  # of one club, to join it

# --- The front door: connections and sockets, of each web process ------------------------------------------------

FILE_LIMIT = 65_536  # descriptors a process asks for at its start, where the system lets it
SPARE_FILES = 128  # descriptors kept for databases, Redis, files and logs
HALF_OPEN = 512  # connections that haven't sent a whole head yet; beyond it the oldest of them is closed
HEAD_SECONDS = 10.0  # for a request's head, from the connection or from its first byte after another request
BODY_SECONDS = 60.0  # for its body, after that
KEEP_ALIVE_SECONDS = 5  # a connection without a request waits for the next one
CONNECTIONS_AN_ADDRESS = 512  # of one that comes without a proxy
VISITOR_SOCKETS_AN_ADDRESS = 50  # of people without an account
SOCKETS_A_PERSON = 5  # of an account, guests included
