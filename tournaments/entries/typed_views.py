"""Views of the entries at real tables (O1-O3): the roll call, a corrected name, a fixed table."""

from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.core.errors import TournamentError
from tournaments.core.reads import read_entries_of
from tournaments.core.web import Notice, get_managed_or_404, run_and_report, show_notice
from tournaments.entries import checkin
from tournaments.entries.fixed_tables import fix_table
from tournaments.entries.forms import TypedEntryForm
from tournaments.entries.team_changes import add_to_team, rename_team
from tournaments.entries.typed_names import rename_person


@require_POST
def check_in_everybody(request: HttpRequest, public_id: str) -> HttpResponse:
    tournament, player = get_managed_or_404(request, public_id)

    def say_done(count: int) -> Notice:
        text = ngettext("Segnato presente %(n)d iscritto.", "Segnati presenti %(n)d iscritti.", count)
        return Notice("all_present", text % {"n": count})

    arguments: dict[str, Any] = {"tournament_id": tournament.pk, "by": player, "now": timezone.now()}
    run_and_report(request, checkin.check_in_everybody, say_done, **arguments)
    return redirect("tournament-entries", public_id)


@require_POST
def undo_roll_call(request: HttpRequest, public_id: str) -> HttpResponse:
    tournament, player = get_managed_or_404(request, public_id)

    def say_done(count: int) -> Notice:
        text = ngettext("Non è più segnato %(n)d iscritto.", "Non sono più segnati %(n)d iscritti.", count)
        return Notice("roll_call_undone", text % {"n": count})

    arguments: dict[str, Any] = {"tournament_id": tournament.pk, "by": player, "now": timezone.now()}
    run_and_report(request, checkin.undo_roll_call, say_done, **arguments)
    return redirect("tournament-entries", public_id)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_typed_entry(request: HttpRequest, public_id: str, entry_id: int) -> HttpResponse:
    """Show and take the form of one entry: its typed names, what tells them from namesakes, its fixed table."""
    tournament, player = get_managed_or_404(request, public_id)
    if not tournament.venue.enters_names:
        raise Http404
    entry = get_object_or_404(tournament.entries, pk=entry_id)
    form = TypedEntryForm(entry, request.POST or None)
    if request.method == "POST" and form.is_valid():
        arguments: dict[str, Any] = {"tournament_id": tournament.pk, "by": player, "now": timezone.now()}
        try:
            with transaction.atomic():
                for person_id, name, suffix, club in form.list_renamed():
                    rename_person(person_id=person_id, name=name, suffix=suffix, club=club, **arguments)
                if form.cleaned_data.get("team", entry.team_name) != entry.team_name:
                    rename_team(entry_id=entry.pk, name=form.cleaned_data["team"], **arguments)
                if more := form.list_more():
                    add_to_team(entry_id=entry.pk, names=more, **arguments)
                if form.cleaned_data["table"] != entry.fixed_table:
                    fix_table(entry_id=entry.pk, table=form.cleaned_data["table"], **arguments)
        except TournamentError as error:
            form.refuse(error)
        else:
            show_notice(request, Notice("saved", _("Modifiche salvate.")))
            return redirect("tournament-entries", public_id)
    name = read_entries_of([entry])[entry.pk].name
    context = {"tournament": tournament, "form": form, "name": name}
    return render(request, "tournaments/entries/typed_entry.html", context)
