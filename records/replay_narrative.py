"""A deal replayed step by step, in words: a sentence or several for each step.

``games.replays`` makes the steps; the sentences are those of the narrative. It decides nothing.
"""

from django.utils.translation import gettext as _

from games import wording as game_wording
from games.replays import DealReplay, Step, build_view
from records import deal_narrative, wording

STEP_KINDS = {"call", "play", "drawn", "note", "forfeit"}  # hands and counts are shown, not described


def narrate_steps(replayed: DealReplay, names: deal_narrative.PlayerNames) -> list[str]:
    """Describe each step as everybody saw it."""
    return [" ".join(_describe_step(replayed, step, names)) for step in replayed.steps]


def _describe_step(replayed: DealReplay, step: Step, names: deal_narrative.PlayerNames) -> list[str]:
    if step.move is None:
        return _describe_dealing(replayed, step, names)
    narrated = deal_narrative.narrate_move(step.before, step.move, step.after, names)
    sentences = [end_sentence(sentence.text) for sentence in narrated if sentence.kind in STEP_KINDS]
    last = replayed.before.ruleset.last(step.state)
    if step.move.card >= 0 and not _plays_are_captures(step):
        played = _("%(name)s gioca %(card)s.")
        sentences.insert(
            0, played % {"name": names.seats[step.move.seat], "card": game_wording.name_card(step.move.card)}
        )
        if last is not None and last.taker is not None and (step.move.card, step.move.seat) in last.cards:
            sentences.insert(1, _("La presa è di %(name)s.") % {"name": names.seats[last.taker]})
    if step.after.deal is None and not step.after.deals[-1].void:
        points = step.after.deals[-1].points
        values = {"points": wording.write_score(points), "score": wording.write_score(step.after.score)}
        sentences.append(_("Punti della smazzata: %(points)s. Totale: %(score)s.") % values)
    return sentences


def _plays_are_captures(step: Step) -> bool:
    """Return True where the table holds nobody's cards, as in Scopa: every play stands for itself."""
    assert step.move is not None
    last = step.before.ruleset.last(step.state)
    return last is not None and len(last.cards) == 1 and last.cards[0] == (step.move.card, step.move.seat)


def _describe_dealing(replayed: DealReplay, step: Step, names: deal_narrative.PlayerNames) -> list[str]:
    sentences = [_("Si danno le carte: mazziere %(name)s.") % {"name": names.seats[replayed.before.dealer]}]
    view = build_view(replayed, step, None)
    if view.table:
        sentences.append(_("In tavola: %(cards)s.") % {"cards": wording.name_cards(card.card for card in view.table)})
    if view.turned is not None:
        sentences.append(_("Si gira: %(card)s.") % {"card": game_wording.name_card(view.turned)})
    if step.after.deal is None:
        sentences.append(_("Smazzata annullata: con tre re o più in tavola si ridà."))
    return sentences


def end_sentence(sentence: str) -> str:
    """Add the full stop, where there is none."""
    return sentence if sentence[-1:] in ".!?»" else f"{sentence}."
