"""View of a player's own team on the site (J11): the page to name the others, or to play with partners of the house."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.selectors import player_for
from tournaments.core import states
from tournaments.core.errors import TournamentError
from tournaments.core.web import Notice, get_tournament_or_404, read_key, show_notice, show_refusal
from tournaments.entries import queries, team_entry
from tournaments.entries.forms import TeamForm
from tournaments.entries.pair_views import sign_in_visitor
from tournaments.entries.views import may_let_in, warn_of_collision
from tournaments.models import Tournament


@require_http_methods(["GET", "HEAD", "POST"])
def edit_team(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter a team: its name and the others, who are asked; or with partners of the house."""
    tournament = get_tournament_or_404(request, public_id)
    if not tournament.entry_kind.lists_people or tournament.venue.enters_names:
        raise Http404
    may_enter = tournament.state in states.ENTERING
    if request.method == "POST" and not may_enter:
        show_refusal(request, "drawn" if tournament.drawn_at else "registration_closed")
        return redirect("team", public_id)
    house = "casa" in request.POST
    form = TeamForm(tournament, request.POST if request.method == "POST" else None, house=house)
    if request.method == "POST" and form.is_valid():
        response = warn_of_collision(request, tournament)
        if response is None and may_let_in(request, tournament):
            response = sign_in_visitor(request, tournament)
        if response is not None:
            return response
        try:
            return _enter(request, tournament, form, house=house)
        except TournamentError as error:
            form.refuse(error)
    context = {
        "form": form,
        "tournament": tournament,
        "may_enter": may_enter,
        "full": queries.count_taken_places(tournament) >= tournament.max_entries,
    }
    return render(request, "tournaments/entries/team.html", context)


def _enter(request: HttpRequest, tournament: Tournament, form: TeamForm, *, house: bool) -> HttpResponse:
    player, now, key = player_for(request.user), timezone.now(), read_key(request, tournament)
    if player is None:
        show_refusal(request, "full" if tournament.drawn_at is None else "registration_closed")
    elif house:
        team = form.cleaned_data["team"]
        team_entry.enter_with_house(tournament_id=tournament.pk, player=player, team=team, now=now, key=key)
        show_notice(request, Notice("entered", _("Sei iscritto, con compagni della casa.")))
    else:
        team_entry.ask_team(tournament_id=tournament.pk, player=player, row=form.make_row(player), now=now, key=key)
        asked = _("Il posto è vostro, e gli altri lo sanno. La squadra è iscritta quando hanno accettato tutti.")
        show_notice(request, Notice("team_asked", asked))
    return redirect("tournament", tournament.public_id)
