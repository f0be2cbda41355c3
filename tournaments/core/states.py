"""Groups of a tournament's states."""

from tournaments.models import Tournament

State = Tournament.State
ENTERING = (State.OPEN, State.CHECKIN)  # one may enter and leave
UNDRAWN = (State.DRAFT, *ENTERING)
UNFINISHED = (*UNDRAWN, State.RUNNING)
UNDER_WAY = (*ENTERING, State.RUNNING)  # what who is entered knows of: a draft is its organiser's alone
