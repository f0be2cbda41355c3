"""The public register of commitments (J1), and the page that explains how decks are checked (J7). They only read."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from games import shuffles
from games.models import Commitment, RegisterHead
from players.web.requests import read_number

ROWS_A_PAGE = 50


def show_register(request: HttpRequest) -> HttpResponse:
    """Show commitments, the newest first; ``?fino=120`` those up to that number."""
    last = RegisterHead.objects.values_list("number", flat=True).first() or 0
    first_shown = min(read_number(request.GET.get("fino", ""), last), last)
    rows = Commitment.objects.filter(number__lte=first_shown, number__gt=first_shown - ROWS_A_PAGE).order_by("-number")
    context = {
        "rows": rows,
        "last": last,
        "hidden": shuffles.list_hidden_too_long(timezone.now()).count(),
        "older": first_shown - ROWS_A_PAGE if first_shown > ROWS_A_PAGE else None,
        "newer": min(first_shown + ROWS_A_PAGE, last) if first_shown < last else None,
    }
    return render(request, "games/register.html", context)


def explain_checks(request: HttpRequest) -> HttpResponse:
    """Say in 200 words how decks come about, what checking them proves, and what it doesn't."""
    return render(request, "games/fair_deals.html")
