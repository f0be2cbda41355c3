"""The referee's acts told in words (F3): what was done, what was and what is, and why something was refused."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

Names = Sequence[str]  # of the two lines

ACTS = (
    "result",
    "annulled",
    "replay",
    "forfeit",
    "pause",
    "resume",
    "time",
    "replace",
    "withdrawn",
    "expelled",
    "reinstated",
    "returned",
)


def refusal(code: str, values: Mapping[str, Any]) -> str | None:
    """Why a referee can't do that; None for a code that isn't about it."""
    said = {
        "not_referee": _("Può farlo solo chi arbitra questo torneo."),
        "plays_there": _("Ci giochi tu: su questo incontro decide un altro arbitro."),
        "plays_against": _("Ci giochi contro anche tu, o potrebbe toccarti: su questa linea decide un altro arbitro."),
        "not_running": _("Il torneo non è ancora cominciato: non c'è niente da decidere."),
        "reason_missing": _("Scrivi il motivo: resta nel registro, e lo leggono tutti."),
        "reason_long": _("Il motivo è troppo lungo: al massimo %(limit)s caratteri."),
        "no_such_fixture": _("Questo incontro non c'è, o non ha ancora due avversari."),
        "no_such_line": _("Chi hai indicato non gioca in questo incontro."),
        "no_such_result": _("Questo risultato non è possibile."),
        "ko_needs_winner": _("In un'eliminazione diretta ci vuole un vincitore."),
        "ko_not_annulled": _("In un'eliminazione diretta un incontro non si annulla: qualcuno deve passare il turno."),
        "draw_uneven": _("Con punti diversi non è un pareggio: scegli chi vince."),
        "vp_range": _("I VP delle due linee, insieme, sono al massimo %(most)s."),
        "vp_to_the_loser": _("Chi vince non può avere meno VP di chi perde."),
        "not_played_yet": _("Non si è ancora giocato: non c'è niente da rigiocare."),
        "table_over": _("La partita è appena finita da sé: guarda com'è andata, poi decidi."),
        "no_open_table": _("A questo tavolo adesso non si gioca."),
        "no_such_call": _("Questa chiamata non è di questo torneo."),
        "paused_already": _("Questo tavolo è già sospeso."),
        "not_paused": _("Questo tavolo non è sospeso."),
        "minutes_range": _("Si restituiscono da 1 a %(high)s minuti alla volta."),
        "nothing_to_give": _("In questo momento questo giocatore non ha un tempo da allungare."),
        "line_left": _("Questa linea si è già ritirata."),
        "line_stays": _("Questa linea non è fuori: non c'è niente da riprendere."),
        "not_annulled": _("Questo incontro non è annullato."),
        "line_plays": _("Adesso questa linea sta giocando: si sostituisce prima del suo prossimo incontro."),
        "player_unknown": _("Qui nessuno si chiama così. Controlla il nome."),
        "player_entered": _("Gioca già in questo torneo."),
    }.get(code)
    return None if said is None else said % values


def act(code: str, detail: Mapping[str, Any]) -> str:
    """What a referee did: the codes of log entries, without ``ruling_``."""
    if code in ("pause", "resume") and detail.get("all"):
        count = int(detail.get("count", 0))
        said = (
            ngettext("Sospeso %(n)d tavolo", "Sospesi tutti i tavoli (%(n)d)", count)
            if code == "pause"
            else ngettext("Ripreso %(n)d tavolo", "Ripresi tutti i tavoli (%(n)d)", count)
        )
        return said % {"n": count}
    if code == "time":
        minutes = int(detail.get("minutes", 0))
        return ngettext("Restituito %(n)d minuto", "Restituiti %(n)d minuti", minutes) % {"n": minutes}
    return {
        "result": _("Risultato stabilito"),
        "annulled": _("Incontro annullato"),
        "replay": _("Partita da rigiocare"),
        "forfeit": _("Forfait dichiarato"),
        "pause": _("Tavolo sospeso"),
        "resume": _("Tavolo ripreso"),
        "replace": _("Giocatore sostituito"),
        "withdrawn": _("Linea ritirata"),
        "expelled": _("Linea espulsa"),
        "reinstated": _("Annullamento ritirato"),
        "returned": _("Linea di nuovo in gara"),
    }.get(code, "")


def result(seen: object, names: Names) -> str:
    """A result as it was kept with an act: "11–7, vince Anna · VP 12–8"; empty where there is none to tell of."""
    if isinstance(seen, int):
        return _("%(minutes)d:%(seconds)02d sull'orologio") % {"minutes": seen // 60, "seconds": seen % 60}
    if not isinstance(seen, Mapping) or "over" not in seen:
        return ""
    if seen["annulled"]:
        return _("annullata")
    if not seen["over"]:
        return _("in corso") if seen["playing"] else _("da giocare")
    return " · ".join(part for part in (_ended(seen, names), _worth(seen)) if part)


def _ended(seen: Mapping[str, Any], names: Names) -> str:
    points = seen["points"]
    score = "" if points is None else f"{points[0]}–{points[1]}"
    if len(seen["forfeits"]) == 2:
        return _("forfait di entrambe le linee")
    if seen["forfeits"]:
        return _("%(score)s, forfait di %(name)s") % {"score": score, "name": names[seen["forfeits"][0]]}
    if seen["winner"] is None:
        return _("%(score)s, pari") % {"score": score}
    return _("%(score)s, vince %(name)s") % {"score": score, "name": names[seen["winner"]]}


def _worth(seen: Mapping[str, Any]) -> str:
    if seen["vp"] is None:
        return ""
    said = f"VP {seen['vp'][0]}–{seen['vp'][1]}"
    mp = seen["mp"]
    return said if mp is None else f"{said} · MP {_signed(mp[0])}/{_signed(mp[1])}"


def _signed(value: int) -> str:
    return f"{value:+d}".replace("-", "−") if value else "0"
