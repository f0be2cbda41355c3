"""Signals of players to the apps above them.

``account_closing``: sender is Player; ``player``, ``name`` (the player's new name) and ``now``. Sent inside the
transaction that closes the account: a receiver gives up the player's places, or raises AccountBusy to refuse.

``name_hidden``: sender is Player; ``player``, who has the new name already, and ``now``. Sent inside the transaction.

``player_suspended``: sender is Player; ``player`` and ``now``. Sent inside the transaction that keeps the player from
playing (U2): a receiver gives up places at what hasn't begun.

``automatic_chosen``: sender is Player; ``player_id`` and ``now``. The player has chosen the calls that a table makes
for them (X1). Sent after the commit; a receiver reads the choice afresh.
"""

from django.dispatch import Signal

account_closing = Signal()
name_hidden = Signal()
automatic_chosen = Signal()
player_suspended = Signal()


class AccountBusy(Exception):
    """The account can't be closed right now; ``code`` says why: at_table."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
