"""Sentences of refusals: the rows of ``core.errors`` with what their values say. It refuses nothing itself."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from games import wording as games
from games.wording import describe_lengths
from players.wording import describe_hour_bounds, describe_wait
from tournaments.core.errors import REFUSALS, TournamentError
from tournaments.core.result_wording import describe_result
from tournaments.core.wording import describe_decision, describe_euros, name_fixture

SUMS_LISTED = 4  # sums of points that a refusal names one by one


def make_form_error(error: TournamentError) -> ValidationError:
    """Return a refusal as the error of a form, with its sentence and its code."""
    return ValidationError(describe_refusal(error.code, error.values), code=error.code)


def describe_refusal(code: str, values: Mapping[str, Any] | None = None) -> str:
    """Return the sentence of a code of ``tournaments.core.errors``."""
    details = dict(values or {})
    if code in COMPOSED:
        return COMPOSED[code](details)
    text = str(REFUSALS[code])
    return text % {**details, **_describe_values(details)} if "%(" in text else text


def _describe_dependents(values: Mapping[str, Any]) -> str:
    fixtures = "; ".join(name_fixture(*place) for place in values["fixtures"])
    return str(REFUSALS["depended_on"]) % {"fixtures": fixtures}


def _describe_lengths_with_vp(values: Mapping[str, Any]) -> str:
    if not values["allowed"]:
        return _("Questo gioco non ha una tabella dei VP: in un girone non si può giocare.")
    return str(REFUSALS["length_without_vp"]) % {"allowed": describe_lengths(values["allowed"])}


def _describe_conflict(values: Mapping[str, Any]) -> str:
    """Return the refusal of an act on a fixture that somebody else has changed meanwhile, with what stands there."""
    stored = describe_result(values["stored"], values["names"])
    if values["by"] is None:
        now = _("Nel frattempo questo incontro è cambiato: adesso è %(stored)s.") % {"stored": stored}
    else:
        now = _("Nel frattempo %(by)s ha cambiato questo incontro: adesso è %(stored)s.") % {
            "by": values["by"],
            "stored": stored,
        }
    typed = values.get("typed")
    own = _("Il tuo non è stato scritto: %(typed)s.") % {"typed": typed} if typed else _("Il tuo non è stato scritto.")
    return f"{now} {own}"


def _describe_values(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the codes, sums and waits among the values of a refusal in words."""
    named = {}
    if "wait" in values:
        named["wait"] = describe_wait(values["wait"])
    if "victories" in values:
        named["ways"] = _(" o ").join(map(describe_decision, values["victories"]))
    if "victory" in values:
        named["way"] = describe_decision(values["victory"])
    totals: Sequence[int] = values.get("totals", ())
    if len(totals) > SUMS_LISTED:
        named["sums"] = _("da %(low)d a %(high)d") % {"low": totals[0], "high": totals[-1]}
    elif totals:
        named["sums"] = _(" o ").join(str(total) for total in totals)
    return named


def _describe_game(values: Mapping[str, Any]) -> str:
    """Return the refusal of one game among several (EV1)."""
    why = describe_refusal(values["fault"], values["details"])
    return str(REFUSALS["game_impossible"]) % {"game": values["game"], "why": why[:1].lower() + why[1:]}


COMPOSED: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "depended_on": _describe_dependents,
    "fixture_changed": _describe_conflict,
    "game_impossible": _describe_game,
    "hour_range": lambda values: describe_hour_bounds(),
    "length_without_vp": _describe_lengths_with_vp,
    "play_off_length": lambda values: (
        str(REFUSALS["play_off_length"]) % {"allowed": describe_lengths(values["allowed"])}
    ),
    "refund_range": lambda values: str(REFUSALS["refund_range"]) % {"most": describe_euros(values["most"])},
    "setup_refused": lambda values: games.describe_setup_fault(values["about"], values["reason"], values["allowed"]),
}
