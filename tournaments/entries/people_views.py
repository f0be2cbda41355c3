"""Views of lists of people at real tables (O2): a file, pasted text, or the entries of an earlier tournament."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.clean_text import clean_line
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.web import Notice, count_list, show_notice, show_refusal
from tournaments.entries import wording
from tournaments.entries.forms import PeopleRowsForm, SheetForm, TypedPeopleForm, encode_people
from tournaments.entries.list_drafts import (
    drop_draft,
    find_draft,
    keep_draft,
    keep_problems,
    read_problems,
    settle_draft,
)
from tournaments.entries.list_problems import Problem, list_bad_rows
from tournaments.entries.take_over import list_sources, take_over_entries
from tournaments.entries.typed_entries import TypedEntry
from tournaments.entries.typed_names import check_typed, type_entries
from tournaments.models import EntryListDraft, Tournament

MAX_SHOWN = 100


def import_people(request: HttpRequest, tournament: Tournament, player: Player) -> HttpResponse:
    """Show what a list holds, with each fault; the second click enters all of it. Or take over an earlier tournament's
    entries."""
    refused = count_list(request)
    if refused is not None:
        return refused
    if request.method == "POST" and "da" in request.POST:
        return _take_over(request, tournament, player)
    if request.method == "POST" and "butta" in request.POST:
        return throw_away(request, tournament, player)
    draft = find_draft(tournament, player)
    form = TypedPeopleForm(tournament, None if draft is None else {"text": draft.text})
    rows: list[TypedEntry] = []
    problems: list[Problem] = []
    count = 0  # of problems, where more were found than are kept
    if request.method == "POST" and PeopleRowsForm.is_sent(request.POST):
        again = PeopleRowsForm(request.POST)
        if not again.is_valid():
            messages.error(request, wording.describe_unreadable("not_a_sheet"), extra_tags="not_a_sheet")
            return redirect("tournament-import", tournament.public_id)
        rows = again.cleaned_data["rows"]
        try:
            type_entries(tournament_id=tournament.pk, by=player, rows=rows, now=timezone.now())
        except TournamentError as error:
            if error.code != "list_refused":
                show_refusal(request, error.code, error.values)
                return redirect("tournament", tournament.public_id)
            problems = error.values["problems"]
        else:
            left = again.leaves_some
            entered = {number for row in rows for number in (row.number, *(person.row for person in row.people))}
            settle_draft(tournament=tournament, by=player, entered=entered, some_left=left, now=timezone.now())
            show_notice(request, _say_entered(len(rows)))
            return redirect("tournament-import" if left else "tournament-entries", tournament.public_id)
    else:
        if request.method == "POST":
            form = TypedPeopleForm(tournament, request.POST, request.FILES)
            draft = keep_list(form, tournament, player) or draft
        if form.is_valid():
            rows = form.list_entries()
            known = None if draft is None or request.method == "POST" else read_problems(draft)
            if known is not None:
                count, problems = known
            else:
                problems = [*form.people.problems, *check_typed(tournament, rows)]
                problems.sort(key=lambda problem: problem.row)
                if draft is not None:
                    keep_problems(draft, problems)
    good = _leave_out(rows, problems) if count <= len(problems) else []
    context = {
        "tournament": tournament,
        "form": form,
        "people": form.people,
        "rest": encode_people(good) if problems and good else "",
        "rest_count": len(good),
        "rows": rows[:MAX_SHOWN],
        "rows_count": len(rows),
        "problems": describe_problems(sorted(problems, key=lambda problem: problem.row)[:MAX_SHOWN]),
        "problems_count": count or len(problems),
        "problems_more": max(0, (count or len(problems)) - MAX_SHOWN),
        "ready": "" if problems or not rows else encode_people(rows),
        "sources": list_sources(tournament, player),
        "draft": draft,
    }
    return render(request, "tournaments/entries/people.html", context)


def _leave_out(rows: Sequence[TypedEntry], problems: Sequence[Problem]) -> list[TypedEntry]:
    """Return the entries that have no problem in any of their rows."""
    bad = list_bad_rows(problems)
    return [row for row in rows if bad.isdisjoint({row.number, *(person.row for person in row.people)})]


def keep_list(form: SheetForm, tournament: Tournament, player: Player) -> EntryListDraft | None:
    """Keep what a form brought as a draft, faults and all, and show it as text. Return it; None for nothing to keep."""
    form.is_valid()
    form.show_kept()
    if not form.list_text.strip():
        return None
    return keep_draft(tournament=tournament, by=player, text=form.list_text, now=timezone.now())


def throw_away(request: HttpRequest, tournament: Tournament, player: Player) -> HttpResponse:
    """Throw the reader's draft away."""
    drop_draft(tournament=tournament, by=player)
    show_notice(request, Notice("draft_dropped", _("La bozza non c'è più.")))
    return redirect("tournament-import", tournament.public_id)


def describe_problems(problems: Sequence[Problem]) -> list[tuple[int, str, str, str]]:
    """Return each problem's row, column, code and sentence."""
    return [
        (
            problem.row,
            wording.name_column(problem.about),
            problem.code,
            wording.describe_problem(problem.code, problem.typed, problem.other),
        )
        for problem in problems
    ]


def _say_entered(count: int) -> Notice:
    return Notice("imported", ngettext("%(n)d iscritto.", "%(n)d iscritti.", count) % {"n": count})


def _take_over(request: HttpRequest, tournament: Tournament, player: Player) -> HttpResponse:
    """Enter the people of the earlier tournament that the form names."""
    named = clean_line(request.POST["da"])
    source = next((one for one in list_sources(tournament, player) if one.public_id == named), None)
    try:
        count = take_over_entries(
            tournament_id=tournament.pk, source_id=0 if source is None else source.pk, by=player, now=timezone.now()
        )
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
        return redirect("tournament-import", tournament.public_id)
    show_notice(request, _say_entered(count) if count else Notice("all_in_already", _("Ci sono già tutti.")))
    return redirect("tournament-entries", tournament.public_id)
