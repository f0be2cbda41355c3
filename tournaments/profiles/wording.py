"""Words of people's pages: periods, levels, refusals about pairs, and what another site shows of a page."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.wording import name_ruleset
from players.models import FixedPair
from scoring.levels import LevelHistory
from tournaments.profiles.queries import PersonPage


def name_period(days: int | None) -> str:
    """Return the name of a period of so many days; None: everything."""
    if days is None:
        return _("da sempre")
    return {30: _("ultimi 30 giorni"), 90: _("ultimi tre mesi"), 365: _("ultimo anno")}[days]


def name_level(level: LevelHistory) -> str:
    """Return the name of the game and form that a level is of."""
    return f"{name_ruleset(level.ruleset)} · {_('a coppie') if level.form == 'pairs' else _('da soli')}"


def describe_person(page: PersonPage) -> str:
    """Return what another site shows of a person's page, in a line: only what this reader is shown."""
    facts = []
    if page.history.total:
        facts.append(ngettext("%(n)d partita", "%(n)d partite", page.history.total) % {"n": page.history.total})
    if page.tournaments.total:
        n = page.tournaments.total
        facts.append(ngettext("%(n)d torneo", "%(n)d tornei", n) % {"n": n})
    facts += [f"{name_level(level)} {level.level}" for level in page.levels[:2]]
    return " · ".join(facts) or _("La pagina di %(name)s al circolo delle carte italiane.") % {"name": page.person.name}


def name_fixed_pair(pair: FixedPair) -> str:
    """Return the name that a pair has given itself, else its players'."""
    return pair.name or " – ".join(player.name for player in pair.players)


def describe_pair_refusal(code: str) -> str:
    """Return why an act about a pair is refused."""
    return {
        "nobody_to_pair": _("Con questa persona non puoi formare una coppia: serve un altro socio."),
        "pair_exists": _("Siete già una coppia, o l'hai già chiesto."),
        "too_many_pairs": _("Hai troppe coppie fisse: prima lasciane una."),
        "pair_invitations": _("Hai fatto troppi inviti: riprova più tardi."),
        "no_such_pair": _("Questa coppia, o questo invito, non c'è più."),
        "pair_name_short": _("Un nome ha almeno due lettere."),
        "pair_name_long": _("Il nome è troppo lungo."),
        "pair_name_reserved": _("Questo nome è riservato al circolo: scegline un altro."),
    }[code]
