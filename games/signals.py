"""The only signal upwards: a match is over. Sent by a transaction of its own, after the result has been committed."""

from django.dispatch import Signal

# sender=Match, match_id: int, now: datetime. A receiver must be idempotent: it may be called again for the same match,
# and is, whenever it (or another receiver) raised. It locks tournament, then fixture, then match.
match_finished = Signal()
