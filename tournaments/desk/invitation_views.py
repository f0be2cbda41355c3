"""The answer to an invitation (E3): to an entry, or to an act of a referee that waits for it (F2)."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.selectors import player_for
from players.web.requests import read_number
from tournaments.core.web import Notice, get_tournament_or_404, run_act
from tournaments.desk import reinstatement, substitution
from tournaments.entries import invitations
from tournaments.entries.views import blocked_message, warn_of_collision
from tournaments.models import Entry, PlayInvitation

Kind = PlayInvitation.Kind
ACCEPT = {
    Kind.ENTRY: invitations.accept_invitation,
    Kind.PLACE: substitution.take_place,
    Kind.RETURN: reinstatement.return_to_play,
}


@require_POST
def answer_invitation(request: HttpRequest, public_id: str) -> HttpResponse:
    """Accept an invitation (``si``), refuse it, or refuse all of whoever made it for good (``mai``)."""
    tournament = get_tournament_or_404(request, public_id)
    invitation_id = read_number(request.POST.get("invitation", ""), 0)
    if "mai" in request.POST:
        return run_act(request, public_id, invitations.refuse_for_good, blocked_message, invitation_id=invitation_id)
    if "si" not in request.POST:
        refused = Notice("invitation_refused", _("Hai detto di no: lo abbiamo fatto sapere."))
        return run_act(request, public_id, invitations.refuse_invitation, refused, invitation_id=invitation_id)
    player = player_for(request.user)
    kinds = PlayInvitation.objects.filter(pk=invitation_id, tournament=tournament, invitees__player=player)
    kind = Kind(kinds.values_list("kind", flat=True).first() or Kind.ENTRY)
    collides = warn_of_collision(request, tournament, asked=True) if kind != Kind.RETURN else None
    if collides is not None:
        return collides
    done: Notice | Callable[[Any], Notice] = _accepted_message if kind == Kind.ENTRY else _name_act_done(kind)
    return run_act(request, public_id, ACCEPT[kind], done, invitation_id=invitation_id)


def _accepted_message(entry: Entry | None) -> Notice:
    if entry is None:
        return Notice("accepted_alone", _("Hai accettato: la coppia vale quando accetta anche l'altro."))
    return Notice("entered", _("Sei iscritto. Quando il tuo tavolo si apre te lo diciamo su ogni pagina."))


def _name_act_done(kind: str) -> Notice:
    if kind == Kind.PLACE:
        return Notice("place_taken", _("Il posto è tuo, dal prossimo incontro."))
    return Notice("returned", _("Sei di nuovo in gara."))
