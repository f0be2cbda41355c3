"""The tournaments' pages. They parse, call one service or selector, and answer; words come from ``words``."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from games.models import Seat
from players.selectors import player_of


def open_table(request: HttpRequest) -> dict[str, Any]:
    """Context of every template (W1): ``open_table`` with url and title where a table waits for the reader elsewhere."""

    def find() -> dict[str, str] | None:
        player = player_of(getattr(request, "user", None))
        match = getattr(request, "resolver_match", None)
        if player is None or (match is not None and match.url_name == "table"):
            return None
        seat = Seat.objects.filter(player=player, live=True).select_related("match").first()
        if seat is None:
            return None
        return {"url": reverse("table", args=[seat.match.public_id]), "title": seat.match.title}

    return {"open_table": SimpleLazyObject(find)}
