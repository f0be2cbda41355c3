"""Words of the lobby: named sets of options, forms and speeds by their codes; how far a rematch has come."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games.lobby.kinds import OPTION_SETS as SETS
from games.lobby.kinds import PAIRS, SPEEDS, USUAL, SeekKind
from games.options import USUAL_LENGTHS
from games.wording import describe_duration, describe_length, name_ruleset

MINUTE = 60
OPTION_SETS: dict[str, Promise] = {
    "solita": gettext_lazy("la solita"),
    "viste": gettext_lazy("a carte viste"),
    "quattro": gettext_lazy("con quattro carte a terra"),
    "mostra": gettext_lazy("mostrando al compagno le ultime carte"),
    "accusi": gettext_lazy("con accuso e cappotto"),
    "facoltativa": gettext_lazy("con l'accusa facoltativa"),
    "muta": gettext_lazy("senza segnali"),
}
FORMS: dict[str, Promise] = {"alone": gettext_lazy("in due"), "pairs": gettext_lazy("a coppie")}
SPEED_NAMES: dict[str, Promise] = {
    "lampo": gettext_lazy("lampo"),
    "normale": gettext_lazy("normale"),
    "calmo": gettext_lazy("calmo"),
}


def describe_kind(kind: SeekKind) -> str:
    """Return a kind in words: "Scopa, in due, a 11 punti, 30 secondi a giocata"; its set of options where it isn't the
    usual one."""
    length = kind.length
    parts = [name_ruleset(kind.ruleset), str(FORMS[kind.form]), describe_length(length.kind, length.value)]
    if kind.option_set != USUAL:
        parts.append(str(OPTION_SETS[kind.option_set]))
    turn = describe_duration(SPEEDS[kind.speed].turn_timeout)
    return ", ".join([*parts, _("%(turn)s a giocata") % {"turn": turn}])


def describe_terms(kind: SeekKind) -> str:
    """Return what a kind is besides its game: "in due, normale"; its set of options where it isn't the usual one."""
    options = [] if kind.option_set == USUAL else [str(OPTION_SETS[kind.option_set])]
    return ", ".join([str(FORMS[kind.form]), *options, str(SPEED_NAMES[kind.speed])])


def describe_times(speed: str) -> str:
    """Return the times of a speed, for a turn and for the whole match: "30 s · 10 min"."""
    times = SPEEDS[speed]
    turn = _("%(n)d s") % {"n": times.turn_timeout} if times.turn_timeout < MINUTE else _say_minutes(times.turn_timeout)
    return f"{turn} · {_say_minutes(times.match_clock)}"


def _say_minutes(seconds: int) -> str:
    return _("%(n)d min") % {"n": seconds // MINUTE}


def describe_set(ruleset: str, option_set: str) -> str:
    """Return a named set of a game's options in words: "Scopa, a 11 punti, a carte viste"."""
    length = USUAL_LENGTHS[ruleset]
    parts = [name_ruleset(ruleset), describe_length(length.kind, length.value)]
    if option_set != USUAL:
        parts.append(str(OPTION_SETS[option_set]))
    if SETS[ruleset][option_set].forms == PAIRS:
        parts.append(_("solo a coppie"))
    return ", ".join(parts)


def describe_rematch(reader: str | None, asking: Sequence[str], missing: Sequence[str]) -> str:
    """Return how far a rematch has come, said to one of the people by name: who has asked, and who hasn't yet (B5)."""
    others, left = ([name for name in names if name != reader] for names in (asking, missing))
    if reader in asking:
        words = ngettext(
            "Hai chiesto la rivincita: non l'ha ancora chiesta %(names)s.",
            "Hai chiesto la rivincita: non l'hanno ancora chiesta %(names)s.",
            len(left),
        )
        return words % {"names": join_names(left)}
    if not others:
        return (
            _("Nessuno ha ancora chiesto la rivincita: si gioca se la chiedete tutti entro un minuto.")
            if left
            else _("Se entro un minuto chiedi la rivincita, comincia subito.")
        )
    wanted = ngettext("%(names)s vuole la rivincita.", "%(names)s vogliono la rivincita.", len(others))
    lacking = (
        ngettext(
            "Oltre a te non l'ha ancora chiesta %(names)s.",
            "Oltre a te non l'hanno ancora chiesta %(names)s.",
            len(left),
        )
        if left
        else _("Manchi solo tu.")
    )
    return f"{wanted % {'names': join_names(others)}} {lacking % {'names': join_names(left)}}"


def join_names(names: Sequence[str]) -> str:
    """Return names as a sentence has them: "Anna, Bruno e Carla"."""
    return get_text_list(list(names), pgettext("tra gli ultimi due nomi", "e"))
