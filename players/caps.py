"""Caps: how much of anything one person, organiser or address may have at once (AT6). Only numbers."""

# --- Invitations (E3): the rooms entries, desk and clubs of tournaments -----------------------------------------------

OPEN_INVITATIONS_AN_ORGANISER = 64  # entries without an answer, in all of their tournaments
INVITATIONS_AN_ORGANISER_A_DAY = 256  # people invited, whatever they answered
OPEN_INVITATIONS_A_PERSON = 32  # without an answer, from everybody: later ones are refused
INVITATIONS_BY_ONE_TO_ONE_A_DAY = 3
PARTNERS_ASKED_AN_HOUR = 20  # by name, by one person
CLUB_INVITATIONS_AN_HOUR = 30  # of one club, to join it
