"""Views of people who get a partner at the draw (EV2): on which list they are, and who stays with whom."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.web.requests import read_number
from tournaments.core.web import Notice, get_managed_or_404, run_and_report
from tournaments.entries import partners


@require_POST
def choose_list(request: HttpRequest, public_id: str) -> HttpResponse:
    """Put somebody on list A or B, or on neither."""
    done = Notice("list_chosen", _("Lista cambiata."))
    return _act(
        request, public_id, partners.put_on_list, done, side=request.POST.get("lista", ""), **_read_entry(request)
    )


@require_POST
def tie_people(request: HttpRequest, public_id: str) -> HttpResponse:
    """Let two who came as a pair stay one."""
    entry_ids = [read_number(typed, 0) for typed in request.POST.getlist("entry")]
    done = Notice("pair_tied", _("Segnato: al sorteggio restano in coppia."))
    return _act(request, public_id, partners.tie_people, done, entry_ids=entry_ids)


@require_POST
def untie_people(request: HttpRequest, public_id: str) -> HttpResponse:
    """Let two who would have stayed a pair be drawn as everybody."""
    done = Notice("pair_untied", _("Tolto: si sorteggiano come gli altri."))
    return _act(request, public_id, partners.untie_people, done, **_read_entry(request))


def _read_entry(request: HttpRequest) -> dict[str, int]:
    return {"entry_id": read_number(request.POST.get("entry", ""), 0)}


def _act(request: HttpRequest, public_id: str, service: Any, done: Notice, **values: Any) -> HttpResponse:
    """Call a service for whoever runs the tournament, and go back to the page of its entries."""
    tournament, player = get_managed_or_404(request, public_id)
    run_and_report(request, service, done, tournament_id=tournament.pk, by=player, now=timezone.now(), **values)
    return redirect("tournament-entries", public_id)
