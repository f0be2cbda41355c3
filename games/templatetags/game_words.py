"""The words of ``games.wording`` for templates, and what a match is played by, said in full."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import template
from django.utils.translation import gettext as _

from games import options, wording
from games.rules import RULESETS

register = template.Library()

register.filter("ruleset_name", wording.name_ruleset)
register.filter("ruleset_line", wording.describe_ruleset)
register.filter("duration", wording.describe_duration)
register.filter("signed", wording.write_signed)
register.filter("absence", wording.describe_absence)


class ChosenOption(NamedTuple):
    """An option that holds: its name, its value where it isn't just on, and its sentence."""

    label: str
    value: str
    sentence: str


@register.filter("usual_words")
def describe_usual(ruleset: str) -> str:
    """Return the words for a game that most people play among its relatives, "" for the others."""
    return str(wording.USUAL_RULESETS.get(ruleset, ""))


@register.filter("captures")
def is_capturing_ruleset(ruleset: str) -> bool:
    """Return whether cards are taken from the table in a game."""
    return ruleset in options.CAPTURING_RULESETS


@register.simple_tag(name="same_name")
def explain_spelling() -> str:
    """Return the sentence on the two spellings of one name."""
    return str(wording.SAME_NAME)


@register.filter("played_to")
def describe_length(match: Any) -> str:
    """Return the length of a match, a tournament or a free table, in words."""
    return wording.describe_length(match.length_kind, match.length_value)


@register.filter("options_said")
def list_chosen_options(match: Any) -> list[ChosenOption]:
    """The options that hold in a match, a tournament or at a free table; none of a game that is no longer on offer."""
    if match.ruleset not in RULESETS:
        return []
    chosen: Mapping[str, Any] = match.options
    switched_on = []
    for name, values in options.list_choices(match.ruleset).items():
        value = chosen.get(name, values[0])
        label, sentence = wording.describe_option(match.ruleset, name)
        if value is True:
            switched_on.append(ChosenOption(label, "", sentence))
        elif isinstance(value, str) and (name not in options.MATTERS or options.is_on(match.ruleset, name, value)):
            switched_on.append(ChosenOption(label, wording.describe_option_value(name, value), sentence))
    handicap = getattr(match, "handicap", None)
    if handicap:
        sentence = _("Punti con cui si comincia: la partita non conta per i livelli.")
        switched_on.append(ChosenOption(_("Vantaggio"), f"{handicap[0]}–{handicap[1]}", sentence))
    return switched_on


@register.filter("automatic_calls")
def name_automatic_calls(match: Any) -> list[tuple[str, str]]:
    """The calls that a player may have the system make in a match, each with its name."""
    verbs = options.list_automatic_calls(match.ruleset, match.options)
    return [(verb, str(wording.AUTOMATIC_CALLS[verb])) for verb in verbs]


@register.filter("phrase")
def read_phrase(code: str) -> str:
    """Return a ready-made phrase of the chat in words; what is no longer on offer as its code."""
    return str(wording.PHRASES.get(code, code))
