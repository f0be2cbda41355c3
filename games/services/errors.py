"""Refusals of an action at a table: domain exceptions with a code of a closed list (docs/protocol.md)."""


class ActionRefused(Exception):
    """An action that isn't possible now; it changed nothing. ``code`` is from the closed list of docs/protocol.md.

    ``version`` is the match's current version, None where there is no match to speak of.
    """

    code = "refused"

    def __init__(self, version: int | None = None) -> None:
        super().__init__(self.code)
        self.version = version


class Stale(ActionRefused):
    """The table has moved on since the version the client saw (a move that came too late included)."""

    code = "stale"


class NotStarted(ActionRefused):
    """The match hasn't begun: somebody hasn't arrived yet."""

    code = "not_started"


class Finished(ActionRefused):
    """The match is over."""

    code = "finished"


class Replaced(ActionRefused):
    """A newer window controls this seat."""

    code = "replaced"


class NotConfirmed(ActionRefused):
    """Abandoning loses the match at once, so it must be confirmed."""

    code = "not_confirmed"


class Paused(ActionRefused):
    """A referee holds the clocks: nobody plays until they run again (F2)."""

    code = "paused"


class NothingToGive(ActionRefused):
    """No clock of this player's is running or kept: there is no time to give back (F2)."""

    code = "nothing_to_give"


class GoesWithCard(ActionRefused):
    """A declaration or a signal goes out together with the card it is about, never before it (T10, C3)."""

    code = "goes_with_card"


class CallsOpen(ActionRefused):
    """The first card of this deal waits until everybody has had time to call (C2, C5)."""

    code = "calls_open"


class WindowOver(ActionRefused):
    """The time to ask for other cards, or to announce a collatondrione, is over (C2, C5)."""

    code = "window_over"


class NoncesOver(ActionRefused):
    """This isn't the time to add a nonce, or the hash of one, to the secret of this match (J2)."""

    code = "nonces_over"


class NonceRefused(ActionRefused):
    """The nonce doesn't fit the hash that stands, or another hash stands already (J2)."""

    code = "nonce_refused"


class NotTraining(ActionRefused):
    """Only who trains against the house gets hints, and takes back (B7)."""

    code = "not_training"


class NothingToTakeBack(ActionRefused):
    """This player hasn't played a card yet."""

    code = "nothing_to_take_back"


class StudyRefused(ActionRefused):
    """Refusal of a hint to whoever sits live at a table, or plays in a round with equal deals (HP6). ``code`` is one of
    games/study.py's, or of those that register a check there."""

    def __init__(self, code: str, version: int | None = None) -> None:
        super().__init__(version)
        self.code = code
        self.args = (code,)


class NotSeated(ActionRefused):
    """This player has no seat at this table."""

    code = "not_seated"


class SeatTaken(ActionRefused):
    """Refusal to seat a player who sits live at another table (E8). ``player_id`` names them where that is known."""

    code = "seat_taken"

    def __init__(self, player_id: int | None = None) -> None:
        super().__init__()
        self.player_id = player_id
