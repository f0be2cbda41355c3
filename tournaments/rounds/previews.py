"""Previews of what is asked for the rounds to come (F5): the choice for a round that can't be paired (D1), and any act
by which a round comes to be one.

It shows what an act would do and what was typed, to be confirmed as it is; it does nothing itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from django.http import QueryDict

from players.models import Player
from tournaments.desk.rehearsal import Consequences, rehearse
from tournaments.models import Tournament

CHOICES = ("way", "no-way")  # always shown before they are done
WISHES = ("bye", "no-bye", "late", "late-answer")  # shown where a round can't be paired after them
LEFT_OUT = ("csrfmiddlewaretoken", "sure")


@dataclass(frozen=True, slots=True)
class ActPreview:
    """Consequences of an act, with what was ``typed`` and its ``seal``, by which it is confirmed."""

    consequences: Consequences
    typed: tuple[tuple[str, str], ...]
    seal: str


def preview_act(sent: QueryDict, tournament: Tournament, by: Player, act: Callable[[], object]) -> ActPreview | None:
    """Return what has to be shown before an act is done; None where it was confirmed, or nothing has to be.

    Raise TournamentError where it would be refused.
    """
    name = sent.get("act", "")
    typed = tuple((key, value) for key, values in sent.lists() if key not in LEFT_OUT for value in values)
    seal = sha256(repr(sorted(typed)).encode()).hexdigest()[:16]
    if name not in (*CHOICES, *WISHES) or tournament.drawn_at is None or sent.get("sure") == seal:
        return None
    consequences = rehearse(tournament, by, act)
    if name in WISHES and consequences.stuck is None:
        return None
    return ActPreview(consequences, typed, seal)
