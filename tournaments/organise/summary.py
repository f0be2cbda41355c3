"""The summary of a tournament that is about to be made: how long it may last, and how that was reckoned."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.game_wording import describe_game_counts
from tournaments.organise.duration import SECONDS_A_CARD, Estimate, TimeRange, estimate_duration

STEP_MINUTES = 5  # to which an estimate is rounded up


@dataclass(frozen=True, slots=True)
class Summary:
    """The estimated duration of a tournament as it would be stored now, in words, and how it was reckoned."""

    duration: str
    reckoning: str


def read_summary(form: Any) -> Summary:
    """Return the summary of a form without faults."""
    estimate = estimate_duration(form.read_settings())
    return Summary(describe_range(estimate.whole), describe_reckoning(estimate))


def describe_range(time: TimeRange) -> str:
    """Return a range of time in words: "da 40 minuti a 1 ora e 20"; one time where the two are the same in words."""
    least, most = describe_time(time.least), describe_time(time.most)
    if least == most:
        return _("circa %(time)s") % {"time": most}
    return _("da %(least)s a %(most)s") % {"least": least, "most": most}


def describe_time(time: timedelta) -> str:
    """Return a time in words, rounded up: to five minutes, beyond two days to days."""
    if time > timedelta(days=2):
        days = -(-time // timedelta(days=1))
        return ngettext("%(n)d giorno", "%(n)d giorni", days) % {"n": days}
    minutes = max(STEP_MINUTES, STEP_MINUTES * -(-time // timedelta(minutes=STEP_MINUTES)))
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return ngettext("%(n)d minuto", "%(n)d minuti", minutes) % {"n": minutes}
    whole = ngettext("%(n)d ora", "%(n)d ore", hours) % {"n": hours}
    return whole if not minutes else _("%(hours)s e %(minutes)d") % {"hours": whole, "minutes": minutes}


def describe_reckoning(estimate: Estimate) -> str:
    """Return how an estimate was reckoned, so that nobody takes it for a promise."""
    low, high = estimate.deals
    deals = ngettext("%(n)d smazzata", "%(n)d smazzate", high) % {"n": high}
    if low != high:
        deals = _("da %(low)d a %(high)d smazzate") % {"low": low, "high": high}
    rounds = ngettext("%(n)d turno", "%(n)d turni", estimate.rounds) % {"n": estimate.rounds}
    values = {
        "rounds": rounds,
        "entries": estimate.entries,
        "match": describe_range(estimate.match),
        "deals": deals,
        "quick": SECONDS_A_CARD[0],
        "slow": SECONDS_A_CARD[1],
    }
    words = _(
        "È una stima: %(rounds)s se gli iscritti sono %(entries)d, e una partita %(match)s: %(deals)s, una carta ogni "
        "%(quick)d-%(slow)d secondi."
    )
    parts = [words % values]
    games = describe_game_counts(estimate.counts)
    if games:
        parts.append(_("Gli incontri: %(games)s; chi ha vinto non ne gioca altre.") % {"games": games})
    if estimate.capped:
        real = _("Oltre, la ferma l'orologio del turno.")
        parts.append(real if estimate.by_hand else _("Oltre, la fermano i tempi scelti."))
    if estimate.by_hand:
        parts.append(_("C'è anche il tempo di contare, mescolare e dare le carte; non quello fra un turno e l'altro."))
    if estimate.waves > 1:
        parts.append(_("I tavoli non bastano per tutti: un turno si gioca in %(n)d volte.") % {"n": estimate.waves})
    return " ".join(parts)
