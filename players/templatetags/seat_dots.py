"""Places of a table or a tournament as dots: people first, then the house, then those that are free."""

from django import template

register = template.Library()

PERSON, HOUSE, FREE = "person", "house", "free"


@register.simple_tag
def list_dots(taken: int, house: int, places: int) -> list[str]:
    """Return what each place is, in the order in which they are drawn."""
    people = max(0, taken - house)
    return [*[PERSON] * people, *[HOUSE] * (taken - people), *[FREE] * max(0, places - taken)]
