"""What players tell whoever is above them.

``account_closing``: sender is Player; ``player``, ``name`` (what he will be called from now on) and ``now``. Sent
inside the transaction that closes the account: a receiver lets go of what is his, or raises AccountBusy to refuse.
"""

from django.dispatch import Signal

account_closing = Signal()


class AccountBusy(Exception):
    """The account can't be closed right now; ``code`` says why: at_table."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
