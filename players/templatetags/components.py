"""Small pictures that pages share: seats taken, the last matches, one result. Each says itself in words too."""

from collections.abc import Sequence

from django import template

from players.web.live import PageContext
from players.wording import count_outcomes, name_outcome

MOST_DOTS = 8  # seats; more are a bar
LAST = 10

register = template.Library()


@register.inclusion_tag("components/_seat_dots.html")
def seat_dots(places: int, people: int, house: int = 0) -> PageContext:
    """Show how many of some places people and house players have taken."""
    taken = people + house
    kinds = ["person"] * people + ["house"] * house + ["free"] * (places - taken)
    return {"dots": kinds if places <= MOST_DOTS else None, "taken": taken, "places": places}


@register.inclusion_tag("components/_last_ten.html")
def last_ten(outcomes: Sequence[str]) -> PageContext:
    """Show how the last ten matches ended, of codes in their order of time: the newest is at the right."""
    shown = list(outcomes)[-LAST:]
    return {"dots": shown, "said": count_outcomes(shown)}


@register.inclusion_tag("components/_outcome.html")
def outcome(code: str, score: str) -> PageContext:
    """Show a score as a field that says whether it was won, lost or even."""
    return {"code": code, "word": name_outcome(code), "score": score}


register.filter("outcome_name", name_outcome)
