"""Views of lists of people at real tables (O2): a file, pasted text, or the entries of an earlier tournament."""

from collections.abc import Collection, Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.clean_text import clean_line
from players.models import Player
from players.web.requests import show_error
from tournaments.core.errors import TournamentError
from tournaments.core.web import Notice, show_notice, show_refusal
from tournaments.entries.take_over import list_sources, take_over_entries
from tournaments.entries.typed_names import check_typed, type_entries
from tournaments.lists import wording
from tournaments.lists.drafts import (
    ListFindings,
    find_draft,
    find_problems,
    keep_draft,
    list_good_rows,
    mark_draft,
    settle_draft,
)
from tournaments.lists.forms import PeopleRowsForm, SheetForm, TypedPeopleForm, encode_people
from tournaments.lists.problems import Problem
from tournaments.lists.typed_entries import TypedEntry
from tournaments.models import EntryListDraft, Tournament

MAX_SHOWN = 100


def import_people(request: HttpRequest, tournament: Tournament, player: Player) -> HttpResponse:
    """Show what a list holds, with each fault; the second click enters all of it. Or take over an earlier tournament's
    entries."""
    if request.method == "POST" and "da" in request.POST:
        return _take_over(request, tournament, player)
    if request.method == "POST" and "butta" in request.POST:
        return throw_away(request, tournament, player)
    draft = find_draft(tournament, player)
    form = TypedPeopleForm(tournament, None if draft is None else {"text": draft.text})
    rows: list[TypedEntry] = []
    findings = ListFindings()
    if request.method == "POST" and PeopleRowsForm.is_sent(request.POST):
        again = PeopleRowsForm(request.POST)
        if not again.is_valid():
            show_error(request, wording.describe_unreadable("not_a_sheet"), "not_a_sheet")
            return redirect("tournament-import", tournament.public_id)
        rows, mark = again.cleaned_data["rows"], again.mark
        try:
            type_entries(tournament_id=tournament.pk, by=player, rows=rows, now=timezone.now())
        except TournamentError as error:
            if error.code != "list_refused":
                show_refusal(request, error.code, error.values)
                return redirect("tournament", tournament.public_id)
            findings = _sort_problems(error.values["problems"])
        else:
            left = again.leaves_some
            entered = {number for row in rows for number in _list_numbers(row)}
            headings = TypedPeopleForm.headings if left else None
            settle_draft(draft, mark, entered=entered, left=headings, now=timezone.now())
            show_notice(request, _say_entered(len(rows)))
            return redirect("tournament-import" if left else "tournament-entries", tournament.public_id)
    else:
        if request.method == "POST":
            form = TypedPeopleForm(tournament, request.POST, request.FILES)
            draft = keep_list(form, tournament, player) or draft
        mark = mark_draft(draft)
        if form.is_valid():
            rows = form.list_entries()
            findings = find_problems(
                draft,
                lambda: _sort_problems([*form.people.problems, *check_typed(tournament, rows)]),
                anew=request.method == "POST",
            )
    good = list_good_rows(rows, findings, _list_numbers)
    context = {
        "tournament": tournament,
        "form": form,
        "people": form.people,
        "rest": encode_people(good, mark),
        "rest_count": len(good),
        "rows": rows[:MAX_SHOWN],
        "rows_count": len(rows),
        "problems": describe_problems(findings.first[:MAX_SHOWN]),
        "problems_count": findings.count,
        "problems_more": max(0, findings.count - MAX_SHOWN),
        "ready": "" if findings.count else encode_people(rows, mark),
        "sources": list_sources(tournament, player),
        "draft": draft,
        "mark": mark_draft(draft),
    }
    return render(request, "tournaments/entries/people.html", context)


def _list_numbers(entry: TypedEntry) -> Collection[int]:
    """Return the numbers of an entry's rows."""
    return {entry.number, *(person.row for person in entry.people)}


def _sort_problems(problems: Sequence[Problem]) -> ListFindings:
    return ListFindings(len(problems), sorted(problems, key=lambda problem: problem.row))


def keep_list(form: SheetForm, tournament: Tournament, player: Player) -> EntryListDraft | None:
    """Keep what a form brought as a draft, faults and all, and show it as text. Return it; None for nothing to keep."""
    form.is_valid()
    form.show_kept()
    if not form.list_text.strip():
        return None
    return keep_draft(tournament=tournament, by=player, text=form.list_text, now=timezone.now())


def throw_away(request: HttpRequest, tournament: Tournament, player: Player) -> HttpResponse:
    """Throw the draft away that the reader was shown; another stays, and is shown."""
    draft = find_draft(tournament, player)
    mark = request.POST.get("mark", mark_draft(draft))
    settle_draft(draft, mark, entered=(), left=None, now=timezone.now())
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
