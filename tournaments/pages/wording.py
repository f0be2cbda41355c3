"""Sentences about what comes after a match in its tournament."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from records.wording import join_list
from tournaments.core.wording import write_ordinal
from tournaments.pages.after_match import AfterMatch


def describe_after_match(after: AfterMatch) -> str:
    """Return what comes next for the reader, in a sentence or two; empty for whoever isn't entered."""
    opponent = "" if after.opponent is None else after.opponent.name
    place = "" if after.place is None else write_ordinal(after.place)
    match after.code:
        case "over":
            text = _("Il torneo «%(name)s» è finito.") % {"name": after.tournament.shown_name}
            own = _("Hai chiuso al %(place)s posto.") % {"place": place} if place else ""
            return f"{text} {own}".strip()
        case "out":
            return (
                _("Per te il torneo finisce qui, al %(place)s posto.") % {"place": place}
                if place
                else _("Per te il torneo finisce qui.")
            )
        case "left":
            return _("Hai lasciato il torneo.")
        case "cancelled":
            return _("Il torneo è annullato.")
        case "settling":
            return _("Il torneo prende nota del risultato.")
        case "table":
            return _("Il tuo prossimo tavolo è aperto, contro %(name)s.") % {"name": opponent}
        case "hall":
            text = _("Il prossimo incontro è al tavolo vero, contro %(name)s: il risultato lo scrive l'arbitro.")
            return text % {"name": opponent}
        case "none":
            return ""
    first = _("Il prossimo incontro è contro %(name)s.") % {"name": opponent} if opponent else ""
    if after.code == "played":
        first = _("Hai giocato tutti i tuoi incontri.")
    return " ".join(sentence for sentence in (first, _describe_wait(after)) if sentence)


def _describe_wait(after: AfterMatch) -> str:
    """Return what has to end before the reader's next fixture, or is still to be known."""
    if after.code == "opens":
        return ""
    if not after.waited_for:
        if after.code == "played":
            return ""
        if after.code == "stuck":
            return _("Non restano abbastanza incontri nuovi: come si va avanti lo decide chi organizza.")
        if after.tournament.publishes_rounds:
            return _("Il prossimo turno lo pubblica chi organizza.")
        return "" if after.opponent is not None else _("Il prossimo avversario non si sa ancora.")
    tables = [
        _("%(first)s contro %(second)s") % {"first": first.name, "second": second.name}
        for first, second in after.waited_for
    ]
    if after.more:
        tables.append(ngettext("%(n)d altro tavolo", "%(n)d altri tavoli", after.more) % {"n": after.more})
    text = {
        "feeds": _("Il prossimo avversario viene da un tavolo ancora aperto. Si aspetta: %(tables)s."),
        "draw": _("Il prossimo turno si sorteggia quando finiscono i tavoli ancora aperti: %(tables)s."),
        "groups": _("Chi passa il turno si sa quando finiscono i tavoli ancora aperti: %(tables)s."),
    }.get(after.code) or _("Si aspetta la fine dei tavoli ancora aperti: %(tables)s.")
    return text % {"tables": join_list(tables)}
