"""Sentences about play-offs (EV11)."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tournaments.core.rows import EntryRow
from tournaments.core.wording import write_ordinal
from tournaments.play_offs.queries import PlayOffMatch, ShownPlayOff


def name_play_off(number: int, rank: int) -> str:
    """Return what a play-off is called."""
    return _("Spareggio %(number)d per il %(place)s posto") % {"number": number, "place": write_ordinal(rank)}


def describe_state(play_off: ShownPlayOff) -> str:
    """Return how a play-off stands, and what it does to the standings."""
    return {
        "running": _("Si gioca: finché non è finito, il posto resta diviso."),
        "counts": _("Finito: decide i posti di chi l'ha giocato, e nient'altro."),
        "idle": _("Senza effetto: adesso chi l'ha giocato non divide un posto, o lo divide anche con altri."),
    }[play_off.state]


def describe_play_off_length(length: str) -> str:
    """Return the sentence of how long each match is, of a length in words."""
    return _("Ogni partita: %(length)s.") % {"length": length}


def describe_match(match: PlayOffMatch) -> str:
    """Return a match's score, or what it waits for."""
    result = match.result
    if match.bye:
        return _("passa il turno")
    if result is None:
        return _("da giocare") if match.ready else ""
    if result.double_forfeit:
        return _("persa a tavolino da entrambi")
    score = "" if result.points is None else f"{result.points[0]}–{result.points[1]}"
    if result.winner is None:
        return score
    values = {"score": score, "name": match.names[result.winner]}
    text = _("%(score)s, vince %(name)s a tavolino") if result.forfeits else _("%(score)s, vince %(name)s")
    return text % values


def list_names(entries: Iterable[EntryRow]) -> str:
    """Return the names of entries in a row."""
    return ", ".join(entry.name for entry in entries)
