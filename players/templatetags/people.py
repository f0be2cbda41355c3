"""Names of people as links to their pages, with the mark of guests and of the house's players; and their faces."""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from players import faces
from players.models import Person, Player

register = template.Library()


@register.simple_tag
def person_link(who: Player | Person | None, mark: bool = True) -> SafeString | str:
    """Return the name of a player or a person, as a link where there is an account; ``mark``: whether to say that they
    are a guest, or the house's."""
    player: Player | Person | None = who
    if isinstance(who, Person):
        if who.player is None:
            return who.public_name
        player = who.player
    if not isinstance(player, Player):
        return ""
    link = link_name(player.name, player.public_id)
    marked = "" if not mark else _("casa") if player.is_house else _("ospite") if player.is_guest else ""
    return format_html('{} <span class="tag">{}</span>', link, marked) if marked else link


def link_name(name: str, public_id: str) -> SafeString:
    """Return a name as a link to the page of the player with that public id."""
    return format_html('<a class="person" href="{}">{}</a>', reverse("person", args=[public_id]), name)


@register.simple_tag
def people_links(people: Any) -> SafeString:
    """Return several names as links, with a point between them; no marks."""
    links = [person_link(who, mark=False) for who in people]
    return format_html(" · ".join(["{}"] * len(links)), *links)


@register.simple_tag(name="face")
def draw_face(who: Player | Person | str | None, size: int = 44) -> SafeString:
    """Draw a face of ``size`` pixels, beside which the name stands: round for people, the square back of a card for the
    house's players, an empty ring for nobody.

    ``who``: a player or a person, or the code of a face (``Fd`` to ``Rs``, ``back``).
    """
    player = who.player if isinstance(who, Person) else who
    code = faces.find_face(player) if isinstance(player, Player) else str(player or "")
    letter = faces.find_letter(who) if isinstance(who, Person) and player is None else ""
    return build_face(code, letter, size)


def build_face(code: str, letter: str, size: int) -> SafeString:
    """Return the drawing of a face by its code, or of the letter of whoever has no account."""
    kind = (
        " portrait-house"
        if code == faces.HOUSE_FACE
        else ""
        if code
        else " portrait-letter"
        if letter
        else " portrait-none"
    )
    drawing: SafeString | str = ""
    if code:
        drawing = format_html('<use href="{}"></use>', faces.build_face_address(code))
    elif letter:
        drawing = format_html('<text x="22" y="22" font-size="20">{}</text>', letter)
    return format_html(
        '<svg class="portrait{0}" viewBox="0 0 44 44" width="{1}" height="{1}" aria-hidden="true">{2}</svg>',
        kind,
        size,
        drawing,
    )
