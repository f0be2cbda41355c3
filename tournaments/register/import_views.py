"""The page of an import: a list is read, its faults are mended in place, then it is taken in (I1)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from players.models import Player
from tournaments.core.web import Notice, count_list, show_notice
from tournaments.models import Register, RegisterDraft
from tournaments.register import imports, queries, wording
from tournaments.register.errors import RegisterError
from tournaments.register.forms import PeopleForm
from tournaments.register.imports import DraftRow, Fault
from tournaments.register.web import add_register, for_keepers, show_refusal
from tournaments.sharing.file_formats import name_column

MAX_FAULTY_ROWS = 50  # of those that are shown to be mended at once
ALWAYS_SHOWN = ("name", "card_number")


@dataclass(frozen=True, slots=True)
class DraftCell:
    """Cell of a row that is mended, with its faults by code and sentence."""

    column: str
    label: str
    text: str
    faults: tuple[tuple[str, str], ...]
    box: bool = False


@dataclass(frozen=True, slots=True)
class FaultyRow:
    """Row of a draft with faults, and the cells in which they can be mended."""

    number: int
    name: str
    cells: tuple[DraftCell, ...]


@require_http_methods(["GET", "HEAD", "POST"])
@for_keepers
def import_people(request: HttpRequest, register: Register, player: Player) -> HttpResponse:
    """Show the draft of an import with its faults; a POST reads a list, mends rows, takes all in or throws it away."""
    refused = count_list(request)
    if refused is not None:
        return refused
    act = request.POST.get("act", "")
    form = PeopleForm(request.POST, request.FILES) if act == "read" else PeopleForm()
    if act == "read" and form.is_valid():
        imports.stage_list(register=register, by=player, rows=form.read_rows(), now=timezone.now())
        return redirect("register-import", queries.get_key(register))
    if act in ACTS:
        try:
            _require_shown(request, register, player)
            return ACTS[act](request, register, player)
        except RegisterError as error:
            show_refusal(request, error)
            return redirect("register-import", queries.get_key(register))
    draft = imports.find_draft(register, player)
    context: dict[str, object] = {"form": form, "draft": draft}
    if draft is not None:
        context |= _describe_draft(draft)
    return render(request, "tournaments/register/import.html", add_register(register, context))


def _require_shown(request: HttpRequest, register: Register, player: Player) -> None:
    """Require the draft that the page has shown, where it says which. RegisterError: no_draft, for another has come in
    its place."""
    draft = imports.find_draft(register, player)
    if draft is not None and request.POST.get("draft", str(draft.pk)) != str(draft.pk):
        raise RegisterError("no_draft")


def _import(request: HttpRequest, register: Register, player: Player) -> HttpResponse:
    rest = request.POST["act"] == "rest"
    checked = imports.import_draft(register=register, by=player, now=timezone.now(), without_faulty=rest)
    if checked.faults:  # somebody has changed the register since it was looked at
        return redirect("register-import", queries.get_key(register))
    count = len(checked.new) + len(checked.changes)
    text = ngettext("Nel registro: %(n)d persona della lista.", "Nel registro: %(n)d persone della lista.", count)
    show_notice(request, Notice("people_imported", text % {"n": count}))
    return redirect("register-import" if rest else "register", queries.get_key(register))


def _mend(request: HttpRequest, register: Register, player: Player) -> HttpResponse:
    draft = imports.find_draft(register, player)
    rows = [] if draft is None else imports.list_rows(draft)
    changes, dropped = _read_changes(request.POST, rows)
    imports.mend_rows(register=register, by=player, changes=changes, dropped=dropped, now=timezone.now())
    return redirect("register-import", queries.get_key(register))


def _drop(request: HttpRequest, register: Register, player: Player) -> HttpResponse:
    imports.drop_draft(register=register, by=player)
    show_notice(request, Notice("draft_dropped", _("La bozza non c'è più.")))
    return redirect("register", queries.get_key(register))


ACTS: dict[str, Callable[[HttpRequest, Register, Player], HttpResponse]] = {
    "import": _import,
    "rest": _import,
    "mend": _mend,
    "drop": _drop,
}


def _read_changes(posted: Mapping[str, str], rows: Sequence[DraftRow]) -> tuple[dict[int, dict[str, str]], list[int]]:
    """Return the cells that were typed, by row and column, and the rows that are left out."""
    changes: dict[int, dict[str, str]] = {}
    dropped = []
    for row in rows:
        before = f"r{row.number}-"
        if f"{before}drop" in posted:
            dropped.append(row.number)
        elif f"{before}name" in posted:  # the row was shown
            columns = [column for column in imports.CELLS if f"{before}{column}" in posted]
            changes[row.number] = {column: posted[f"{before}{column}"] for column in columns}
            changes[row.number]["another"] = posted.get(f"{before}another", "")
    return changes, dropped


def _describe_draft(draft: RegisterDraft) -> dict[str, object]:
    """Return what a page says of a draft as it was last checked: its faults by row, or how many people it brings."""
    findings, rows = imports.read_findings(draft), imports.list_rows(draft)
    if findings is None:
        return {"unseen": True, "rows_count": len(rows)}
    by_row: dict[int, list[Fault]] = {}
    for fault in findings.faults:
        by_row.setdefault(fault.row, []).append(fault)
    faulty = [_show_row(row, by_row[row.number]) for row in rows if row.number in by_row]
    return {
        "faulty": faulty[:MAX_FAULTY_ROWS],
        "faulty_more": max(0, len(faulty) - MAX_FAULTY_ROWS),
        "faults_count": len(findings.faults),
        "stopped_at": findings.stopped_at,
        "rows_count": len(rows),
        "rest_count": 0 if findings.stopped_at else len(rows) - len(faulty),
        "new_count": findings.new,
        "left_out": findings.left_out,
        "changes_count": findings.changes,
    }


def _show_row(row: DraftRow, faults: Sequence[Fault]) -> FaultyRow:
    shown = [column for column in imports.CELLS if column in ALWAYS_SHOWN or any(f.column == column for f in faults)]
    cells = [
        DraftCell(
            column,
            name_column(column),
            getattr(row, column),
            tuple((fault.code, wording.describe_fault(fault)) for fault in faults if fault.column == column),
        )
        for column in shown
    ]
    if row.another or any(fault.code in ("name_taken", "name_twice") for fault in faults):
        cells.insert(
            1, DraftCell("another", _("È un'altra persona con lo stesso nome"), "on" if row.another else "", (), True)
        )
    return FaultyRow(row.number, row.name, tuple(cells))
