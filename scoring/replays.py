"""A deal gone through again, told to a person: what happened at each step, in a sentence or several.

What a step led to is games.replays'; the sentences are those of the account. It decides nothing.
"""

from django.utils.translation import gettext as _

from games import words
from games.replays import DealReplay, Step, seen
from scoring import sentences, telling

HEARD = {"call", "play", "drawn", "note", "forfeit"}  # what the account says of a move; hands and counts are shown


def told(replayed: DealReplay, names: telling.Names) -> list[str]:
    """For each step what happened, as everybody saw it."""
    return [" ".join(_step(replayed, step, names)) for step in replayed.steps]


def title(replayed: DealReplay) -> str:
    """Which deal it is."""
    return telling.title(replayed.before)


def _step(replayed: DealReplay, step: Step, names: telling.Names) -> list[str]:
    if step.move is None:
        return _dealt(replayed, step, names)
    heard = [ended(entry.text) for entry in telling.moved(step.before, step.move, step.after, names)
             if entry.kind in HEARD]  # fmt: skip
    last = replayed.before.ruleset.last(step.state)
    if step.move.card >= 0 and not _captures(step):
        played = _("%(name)s gioca %(card)s.")
        heard.insert(0, played % {"name": names.seats[step.move.seat], "card": words.card_name(step.move.card)})
        if last is not None and last.taker is not None and (step.move.card, step.move.seat) in last.cards:
            heard.insert(1, _("La presa è di %(name)s.") % {"name": names.seats[last.taker]})
    if step.after.deal is None and not step.after.deals[-1].void:
        points = step.after.deals[-1].points
        values = {"points": sentences.versus(points), "score": sentences.versus(step.after.score)}
        heard.append(_("Punti della smazzata: %(points)s. Totale: %(score)s.") % values)
    return heard


def _captures(step: Step) -> bool:
    """Whether what was played lies on a table of nobody's cards, as in Scopa: each play stands for itself."""
    assert step.move is not None
    last = step.before.ruleset.last(step.state)
    return last is not None and len(last.cards) == 1 and last.cards[0] == (step.move.card, step.move.seat)


def _dealt(replayed: DealReplay, step: Step, names: telling.Names) -> list[str]:
    heard = [_("Si danno le carte: mazziere %(name)s.") % {"name": names.seats[replayed.before.dealer]}]
    view = seen(replayed, step, None)
    if view.table:
        heard.append(_("In tavola: %(cards)s.") % {"cards": sentences.cards(card.card for card in view.table)})
    if step.after.deal is None:
        heard.append(_("Smazzata annullata: con tre re o più in tavola si ridà."))
    return heard


def ended(sentence: str) -> str:
    """With its full stop."""
    return sentence if sentence[-1:] in ".!?»" else f"{sentence}."
