"""The signals upwards: a match is over, somebody at a table calls the referee. Sent after what they tell of has been
committed."""

from django.dispatch import Signal

# sender=Match, match_id: int, now: datetime. A receiver must be idempotent: it may be called again for the same match,
# and is, whenever it (or another receiver) raised. It locks tournament, then fixture, then match.
match_finished = Signal()

# sender=Match, match_id: int, now: datetime. A match that was withheld (J12) is everybody's to see. Sent inside the
# transaction that shows it.
match_revealed = Signal()

# sender=Match, match_id: int, now: datetime. The staff annulled a free match. Sent inside the transaction, which holds
# the match; only once for each.
match_annulled = Signal()

# sender=Match, match_id: int, now: datetime. An outage took more time than clocks are given back by themselves: they
# stand until a referee lets them run.
clocks_held = Signal()

# sender=Report, report_id: int, now: datetime. Told once; who missed it finds the call stored (F4).
referee_called = Signal()
