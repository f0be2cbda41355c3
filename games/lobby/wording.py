"""Words of the lobby: named sets of options, forms and speeds by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.lobby.kinds import OPTION_SETS as SETS
from games.lobby.kinds import SPEEDS, USUAL, SeekKind
from games.wording import describe_duration, describe_length, name_ruleset

OPTION_SETS: dict[str, Promise] = {
    "solita": gettext_lazy("la solita"),
    "viste": gettext_lazy("a carte viste"),
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
    """Return a kind in words: "Scopa, in due, a 11 punti, normale"; its set of options where it isn't the usual one."""
    length = kind.terms.length
    parts = [name_ruleset(kind.ruleset), str(FORMS[kind.form]), describe_length(length.kind, length.value)]
    if kind.option_set != USUAL:
        parts.append(str(OPTION_SETS[kind.option_set]))
    return ", ".join([*parts, str(SPEED_NAMES[kind.speed])])


def describe_speed(speed: str) -> str:
    """Return a speed with its times: "lampo: 15 secondi a giocata, 3 minuti a partita"."""
    times = SPEEDS[speed]
    return _("%(speed)s: %(turn)s a giocata, %(match)s a partita") % {
        "speed": SPEED_NAMES[speed],
        "turn": describe_duration(times.turn_timeout),
        "match": describe_duration(times.match_clock),
    }


def describe_set(ruleset: str, option_set: str) -> str:
    """Return a named set of a game's options in words: "Scopa, a 11 punti, a carte viste"."""
    length = SETS[ruleset][option_set].length
    named = "" if option_set == USUAL else f", {OPTION_SETS[option_set]}"
    return f"{name_ruleset(ruleset)}, {describe_length(length.kind, length.value)}{named}"
