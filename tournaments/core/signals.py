"""Signals of lower rooms to higher ones, in the same process."""

from django.dispatch import Signal

tournament_due = Signal()
"""A tournament's next timed step is due, e.g. a sit and go is full. Sent with ``tournament_id`` and ``now``, outside
any transaction of the sender: the place is theirs even if the draw fails, which the sweep then makes."""

round_published = Signal()
"""A round is published (D4): everybody may know its fixtures. Sent once a round, inside the transaction that publishes
it, with the locked ``tournament``, the ``round`` and ``now``, after its fixtures are stored."""

# sender=Tournament; kwargs: tournament, person_id, by, now. Sent in the transaction that brings a tournament back
# (O9) in which this name was forgotten elsewhere (I1).
name_forgotten_elsewhere = Signal()
