"""The page of results by file (O4c): a list is uploaded or pasted, and comes in whole, or without the rows that are
wrong where the referee says so; those stay on the page, to be mended."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from tournaments.core.permissions import may_run
from tournaments.core.web import Notice, count_list, get_refereed_or_404, show_notice
from tournaments.desk import wording
from tournaments.hall.result_list import BOUNDS, HEADINGS, EnteredList, ListedResult, enter_list, read_list, write_list
from tournaments.lists.forms import SheetForm
from tournaments.lists.spreadsheet import Unreadable


class ResultSheetForm(SheetForm):
    """Form of a list of results; ``rows`` after ``is_valid``."""

    text_help = gettext_lazy("Una riga, sopra i risultati, dice che cosa c'è in ogni colonna.")
    text_label = gettext_lazy("O i risultati incollati")
    file_help = gettext_lazy("Al massimo 4 MB e 300 risultati.")
    headings = HEADINGS
    bounds = BOUNDS
    rows: list[ListedResult]

    def read_sheet(self, data: bytes | str) -> None:
        self.rows = read_list(data if isinstance(data, bytes) else data.encode())

    def describe(self, code: str) -> str:
        return wording.describe_unreadable_results(code) or super().describe(code)


@require_http_methods(["GET", "HEAD", "POST"])
def show_result_list(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form of a list of results, and take it: all of them come in, or every fault is told."""
    tournament, player = get_refereed_or_404(request, public_id)
    if not tournament.venue.types_results or tournament.drawn_at is None:
        raise Http404
    refused = count_list(request)
    if refused is not None:
        return refused
    form = ResultSheetForm(request.POST or None, request.FILES or None)
    left = read_left(request)
    done = EnteredList(0, 0, ())
    if form.is_bound and form.is_valid():
        done = enter_list(tournament=tournament, rows=form.rows, by=player, now=timezone.now())
        if not done.faults:
            show_notice(request, Notice("results_listed", _say_entered(done)))
            if not left:
                return redirect("tournament-results", public_id)
            form = ResultSheetForm(initial={"text": write_list(left)})
        elif left or not form.list_text:  # of a file that is too large to be shown whole
            form.data = {**form.data, "text": write_list([*form.rows, *left])}
        else:
            form.show_kept()
    problems = [
        (fault.number, wording.name_result_column(fault.column), fault.code, fault.why) for fault in done.faults
    ]
    faulty = {fault.number for fault in done.faults}
    rest = [row for row in form.rows if row.number not in faulty] if faulty else []
    wrong = [row for row in form.rows if row.number in faulty] if faulty else []
    runs = may_run(tournament, player)
    context = {
        "tournament": tournament,
        "may_run": runs,
        "form": form,
        "problems": problems,
        "problems_count": len(problems),
        "rest_count": len(rest),
        "rest": write_list(rest),
        "left": write_list([*wrong, *left]),
    }
    return render(request, "tournaments/hall/result_list.html", context)


def read_left(request: HttpRequest) -> list[ListedResult]:
    """Return the rows that were left out of the list that is sent, to be mended later."""
    try:
        return read_list(request.POST.get("left", "").encode())
    except Unreadable:
        return []


def _say_entered(done: EnteredList) -> str:
    text = ngettext("Entrato %(n)d risultato.", "Entrati %(n)d risultati.", done.entered) % {"n": done.entered}
    if done.repeats:
        text += " " + ngettext("%(n)d c'era già.", "%(n)d c'erano già.", done.repeats) % {"n": done.repeats}
    return text
