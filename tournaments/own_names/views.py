"""Views of people who enter by themselves at real tables (O2): the form, and the page of their own entry.

The browser keeps the keys of the entries it has made; whoever has an entry's address needs nothing else.
"""

from collections.abc import Collection
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players import caps
from players.selectors import player_for
from players.web.addresses import read_client_address
from players.web.requests import show_error
from tournaments.core.errors import TournamentError
from tournaments.core.reads import read_entries_of
from tournaments.core.rows import EntryRow
from tournaments.core.states import UNDER_WAY, UNDRAWN
from tournaments.core.web import Notice, build_address, get_tournament_or_404, read_key, show_notice, show_refusal
from tournaments.entries.partners import find_odd_entry
from tournaments.entries.queries import count_taken_places, find_self_refusal
from tournaments.entries.views import joined_message, wants_to_wait
from tournaments.formats import FORMATS
from tournaments.models import Entry, Tournament
from tournaments.own_names import self_entry
from tournaments.own_names.forms import OwnNamesForm

OWN_KEYS = "own_entries"  # in the session: by tournament, the keys of the entries this browser has made
MAX_TOURNAMENTS = 20


@require_http_methods(["GET", "HEAD", "POST"])
def enter_self(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form by which people enter themselves, and take it."""
    tournament = get_tournament_or_404(request, public_id)
    if not tournament.venue.enters_names:
        raise Http404
    if tournament.state == Tournament.State.RUNNING:
        return redirect("tournament-late", public_id)
    player, join_key = player_for(request.user), read_key(request, tournament)
    made = read_own_keys(request, tournament)
    if request.method != "POST":
        refusal = find_self_refusal(tournament, player, join_key)
        if refusal is not None:
            if refusal != "not_pairs":
                show_refusal(request, refusal)
            return redirect("tournament", public_id)
    form = OwnNamesForm(tournament, player, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        own_key = form.make_own_key()
        try:
            if player is None or tournament.entry_kind.lists_people:
                require_few_of_browser(made, own_key)
            entry = self_entry.enter_by_name(
                tournament_id=tournament.pk,
                player=player,
                people=form.list_people(),
                own_key=own_key,
                address=read_client_address(request),
                now=timezone.now(),
                join_key=join_key,
                wait=wants_to_wait(request),
                team=form.cleaned_data.get("team", ""),
                another=form.cleaned_data["another"],
            )
        except TournamentError as error:
            form.refuse(error)
        else:
            if not entry.link_digest:
                show_notice(request, joined_message(entry))
                return redirect("tournament", public_id)
            return lead_to_own_entry(request, tournament, own_key)
    form.mark_errors()
    context = {
        "tournament": tournament,
        "form": form,
        "full": count_taken_places(tournament) >= tournament.max_entries,
        "asks": tournament.registration == Tournament.Registration.APPROVAL,
    }
    return render(request, "tournaments/own_names/self_entry.html", context, status=422 if form.errors else 200)


def may_sit_out(tournament: Tournament, entry: Entry) -> bool:
    """Return whether who plays may still say that they sit a round out (D3)."""
    draws = FORMATS[tournament.format].keeps_rounds
    return draws and tournament.state in UNDER_WAY and entry.withdrawn_at is None


def lead_to_own_entry(request: HttpRequest, tournament: Tournament, own_key: str) -> HttpResponse:
    """Redirect who has entered to the page of the entry, the only one that shows its key; the browser keeps it."""
    kept = {name: keys for name, keys in request.session.get(OWN_KEYS, {}).items() if name != tournament.public_id}
    keys = list(dict.fromkeys([*read_own_keys(request, tournament), own_key]))
    request.session[OWN_KEYS] = dict([*kept.items(), (tournament.public_id, keys)][-MAX_TOURNAMENTS:])
    return redirect("own-entry", tournament.public_id, own_key)


def require_few_of_browser(made: Collection[str], own_key: str) -> None:
    """Raise TournamentError "self_many" for one more entry of a browser that has made as many as it may."""
    if own_key not in made and len(made) >= caps.SELF_ENTRIES_A_BROWSER:
        raise TournamentError("self_many", limit=caps.SELF_ENTRIES_A_BROWSER)


def read_own_keys(request: HttpRequest, tournament: Tournament) -> list[str]:
    """Return the keys of the entries that this browser has made in a tournament."""
    return list(request.session.get(OWN_KEYS, {}).get(tournament.public_id, []))


def list_own_entries(request: HttpRequest, tournament: Tournament) -> list[tuple[EntryRow, str]]:
    """Return the entries that this browser has made, with the addresses of their pages."""
    keys = read_own_keys(request, tournament)
    entries = self_entry.find_entries(tournament, keys) if keys else {}
    rows = read_entries_of(entries.values())
    return [(rows[entry.pk], reverse("own-entry", args=[tournament.public_id, key])) for key, entry in entries.items()]


@require_http_methods(["GET", "HEAD", "POST"])
def show_own_entry(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Show an entry to whoever has its address; a POST gives it up."""
    tournament = get_tournament_or_404(request, public_id)
    entry = self_entry.find_entry(tournament, token)
    asked = self_entry.find_late_request(tournament, token) if entry is None else None
    if entry is None and asked is None:
        gone = _("Questa iscrizione non c'è più, o il torneo è finito.")
        show_error(request, gone, "entry_gone")
        return redirect("tournament", public_id)
    if request.method == "POST":
        arguments: dict[str, Any] = {"tournament_id": tournament.pk, "own_key": token, "now": timezone.now()}
        try:
            self_entry.leave_by_key(**arguments)
        except TournamentError as error:
            show_refusal(request, error.code, error.values)
            return redirect("own-entry", public_id, token)
        show_notice(request, Notice("left", _("L'iscrizione è ritirata.")))
        return redirect("tournament", public_id)
    queue = list(tournament.entries.queue().values_list("pk", flat=True))
    context = {
        "tournament": tournament,
        "own": None if entry is None else read_entries_of([entry])[entry.pk],
        "token": token,
        "asked": asked,
        "is_odd": entry is not None and entry.pk == find_odd_entry(tournament),
        "place": queue.index(entry.pk) + 1 if entry is not None and entry.pk in queue else 0,
        "can_leave": asked is not None or tournament.state in UNDRAWN,
        "wishes": entry is not None and may_sit_out(tournament, entry),
        "address": build_address(request, "own-entry", public_id, token),
        "names_line_up": tournament.entry_kind.has_line_ups and entry is not None and entry.withdrawn_at is None,
        "again": find_self_refusal(tournament, None, read_key(request, tournament)) is None,
    }
    response = render(request, "tournaments/own_names/own_entry.html", context)
    response["Cache-Control"] = "no-store"
    return response
