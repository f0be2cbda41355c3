"""The tournament's log and the acts of its referees, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording as games
from tournaments.core.format_wording import describe_option
from tournaments.core.wording import describe_cancellation, name_round

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


def name_act(code: str, detail: Mapping[str, Any]) -> str:
    """Return the name of a referee's act, by the code of its log entry without ``ruling_``."""
    if code in ("pause", "resume") and detail.get("all"):
        count = int(detail.get("count", 0))
        if not count:
            return _("Torneo sospeso") if code == "pause" else _("Torneo ripreso")
        text = (
            ngettext("Sospeso %(n)d tavolo", "Sospesi tutti i tavoli (%(n)d)", count)
            if code == "pause"
            else ngettext("Ripreso %(n)d tavolo", "Ripresi tutti i tavoli (%(n)d)", count)
        )
        return text % {"n": count}
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
        "withdrawn": _("Iscritto ritirato"),
        "expelled": _("Iscritto espulso"),
        "reinstated": _("Annullamento ritirato"),
        "returned": _("Iscritto di nuovo in gara"),
    }.get(code, "")


def describe_result(seen: object, names: Names) -> str:
    """Return a logged result in words: "11–7, vince Anna · VP 12–8"; empty where there is none."""
    if isinstance(seen, int):
        return _("%(minutes)d:%(seconds)02d sull'orologio") % {"minutes": seen // 60, "seconds": seen % 60}
    if not isinstance(seen, Mapping) or "over" not in seen:
        return ""
    if seen["annulled"]:
        return _("annullata")
    if not seen["over"]:
        return _("in corso") if seen["playing"] else _("da giocare")
    return " · ".join(part for part in (_describe_end(seen, names), _describe_points(seen)) if part)


def _describe_end(seen: Mapping[str, Any], names: Names) -> str:
    points = seen["points"]
    score = "" if points is None else f"{points[0]}–{points[1]}"
    if len(seen["forfeits"]) == 2:
        return _("doppio forfait")
    if seen["forfeits"]:
        return _("%(score)s, forfait di %(name)s") % {"score": score, "name": names[seen["forfeits"][0]]}
    if seen["winner"] is None:
        return _("%(score)s, pari") % {"score": score}
    if (how := seen["decided_by"]) not in ("", "points"):
        values = {"score": score, "name": names[seen["winner"]], "how": games.describe_decision(how)}
        return _("%(score)s, vince %(name)s %(how)s") % values
    return _("%(score)s, vince %(name)s") % {"score": score, "name": names[seen["winner"]]}


def _describe_points(seen: Mapping[str, Any]) -> str:
    if seen["vp"] is None:
        return ""
    text = f"VP {seen['vp'][0]}–{seen['vp'][1]}"
    mp = seen["mp"]
    return text if mp is None else f"{text} · MP {_format_signed(mp[0])}/{_format_signed(mp[1])}"


def _format_signed(value: int) -> str:
    return f"{value:+d}".replace("-", "−") if value else "0"


def _describe_count(code: str, count: int) -> str:
    """Return the words of a log entry with a count; empty for every other."""
    if code == "approved":
        words = ngettext("Iscrizione accettata", "%(n)d iscrizioni accettate", count)
    elif code == "moved_up":
        words = ngettext("Uno sale dalla lista d'attesa", "%(n)d salgono dalla lista d'attesa", count)
    elif code == "not_checked_in":
        words = ngettext("Uno non ha fatto il check-in: è fuori", "%(n)d senza check-in: sono fuori", count)
    elif code == "entered_by_list":
        words = ngettext("Chi organizza fa un'iscrizione", "Chi organizza fa %(n)d iscrizioni", count)
    else:
        return ""
    return words % {"n": count}


def describe_log_entry(code: str, detail: Mapping[str, Any]) -> str:
    """Return the words of a log entry (E2), without who and when; empty for what the page shows elsewhere."""
    if code == "house_joined":
        count = int(detail.get("count", 0))
        return ngettext("Si siede %(n)d giocatore della casa", "Si siedono %(n)d giocatori della casa", count) % {
            "n": count
        }
    counted = _describe_count(code, int(detail.get("count", 0)))
    if counted:
        return counted
    if code == "option_reduced":
        return _("Con %(entries)s iscritti: %(fact)s (erano previsti %(planned)s)") % {
            **detail,
            "fact": describe_option(str(detail.get("option")), detail.get("drawn")),
        }
    if code == "round_moved":
        return _("Nuova ora: %(round)s") % {"round": name_round(*detail.get("round", ("round", 0)))}
    if code == "cancelled":
        return " ".join((_("Torneo annullato."), describe_cancellation(str(detail.get("because", ""))))).strip()
    return {
        "created": _("Torneo creato"),
        "texts_edited": _("Presentazione modificata"),
        "referee_named": _("Un arbitro in più"),
        "referee_dismissed": _("Un arbitro in meno"),
        "edited": _("Regole modificate"),
        "published": _("Iscrizioni aperte"),
        "seeded": _("Teste di serie cambiate"),
        "joined": _("Nuovo iscritto"),
        "applied": _("Una richiesta di iscrizione"),
        "queued": _("Uno in lista d'attesa"),
        "declined": _("Richieste di iscrizione non accettate"),
        "removed": _("Un iscritto tolto da chi organizza"),
        "link_renewed": _("Nuovo link per iscriversi"),
        "checkin_opened": _("Check-in aperto"),
        "checked_in": _("Check-in"),
        "checked_out": _("Check-in tolto"),
        "left_out": _("Chi era in attesa resta fuori"),
        "invited": _("Nuova coppia, da confermare"),
        "link_made": _("Nuova coppia, da confermare"),
        "pair_joined": _("Coppia confermata"),
        "pair_expired": _("Una coppia non confermata perde il posto"),
        "pair_unconfirmed": _("Una coppia non confermata resta fuori"),
        "left": _("Un iscritto si ritira"),
        "withdrawn": _("Un iscritto si ritira dal torneo"),
        "expelled": _("Un iscritto è fuori: tre forfait"),
        "ahead": _("Due iscritti giocano prima del loro turno"),
        "drawn": _("Sorteggio fatto: si comincia"),
        "finished": _("Torneo concluso"),
    }.get(code, "")
