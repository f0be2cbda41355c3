"""What players tell whoever is above them.

``account_closing``: sender is Player; ``player``, ``name`` (what he will be called from now on) and ``now``. Sent
inside the transaction that closes the account: a receiver lets go of what is his, or raises AccountBusy to refuse.

``automatic_chosen``: sender is Player; ``player_id`` and ``now``. He has chosen in his profile which calls the table
makes for him (X1). Sent after the commit; a receiver reads the choice afresh.
"""

from django.dispatch import Signal

account_closing = Signal()
automatic_chosen = Signal()


class AccountBusy(Exception):
    """The account can't be closed right now; ``code`` says why: at_table."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
