"""The page of people's telephones (O4): the code of a slip opens its fixture, where one types and the other confirms.

The browser keeps the digest of the code alone; every act holds it against the slip anew.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from players.web.live import PageContext
from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.core.log_details import LoggedResult
from tournaments.core.reads import read_fixture_row
from tournaments.core.result_wording import describe_result
from tournaments.core.rows import FixtureRow
from tournaments.core.web import get_tournament_or_404
from tournaments.desk.act import read_result
from tournaments.hall import phone_results
from tournaments.hall.phone_forms import CodeForm
from tournaments.hall.phone_results import TypedResult, compute_seen, read_typed
from tournaments.hall.quick_entry import describe_typed, make_quick_form
from tournaments.hall.quick_forms import QuickForm
from tournaments.hall.slip_codes import MAX_WRONG, SlipSide, find_side, find_side_by_code
from tournaments.models import Tournament
from tournaments.running import round_clocks

OPENED = "slip_opened"  # in the session: by tournament, the digest of the code this browser has shown
WRONG = "slip_wrong"  # in the session: by tournament and round, how many codes were wrong
MAX_KEPT = 20

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class PhonePage:
    """A fixture as one of its sides sees it on a telephone."""

    at: SlipSide
    row: FixtureRow
    own: TypedResult | None
    other: TypedResult | None
    form: QuickForm
    own_words: str
    other_words: str
    result_words: str

    @property
    def stamp(self) -> str:
        """Return the stamp by which a confirmation says what it saw."""
        return compute_seen(self.other)

    @property
    def names(self) -> tuple[str, str]:
        """Return the names of this side and of the other."""
        assert self.row.first is not None
        assert self.row.second is not None
        sides = (self.row.first.name, self.row.second.name)
        return sides[self.at.side], sides[1 - self.at.side]

    @property
    def may_answer(self) -> bool:
        """Tell if this side may confirm, or object to, the unconfirmed result that is in."""
        return self.row.unconfirmed and self.at.slip.typed_by != self.at.side


@require_http_methods(["GET", "HEAD", "POST"])
def show_phone(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask for the code of a slip; then show its fixture, and take what its side says."""
    tournament = get_tournament_or_404(request, public_id)
    if not tournament.venue.types_results or tournament.drawn_at is None:
        raise Http404
    context: PageContext = {"tournament": tournament, "code_form": CodeForm(), "beside": CodeForm(prefix="beside")}
    status = 200
    if request.method == "POST":
        if _act(request, tournament, context):
            return redirect("tournament-phone", public_id)
        status = 422
    digest = request.session.get(OPENED, {}).get(public_id, "")
    if digest:
        try:
            page = _read_page(find_side(tournament, digest))
        except TournamentError as error:  # printed anew, or the round is over
            context.setdefault("refused", refusals.describe_refusal(error.code, error.values))
            _keep(request, OPENED, public_id, "")
        else:
            context["page"] = page
            now = timezone.now()
            context |= {"now": now, "clocks": round_clocks.read_clock_of(page.at.slip.fixture, now)}
            context.setdefault("form", page.form)
    response = render(request, "tournaments/hall/phone.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _act(request: HttpRequest, tournament: Tournament, context: PageContext) -> bool:
    """Do what was sent; False where it was refused, and why is in the context."""
    what = request.POST.get("what", "")
    try:
        if what == "close":
            _keep(request, OPENED, tournament.public_id, "")
            return True
        if what == "code":
            return _open(request, tournament, context)
        return _say(request, tournament, what, context)
    except TournamentError as error:
        context["refused"] = refusals.describe_refusal(error.code, error.values)
        return False


def _open(request: HttpRequest, tournament: Tournament, context: PageContext) -> bool:
    """Check a code, and remember its digest."""
    form = context["code_form"] = CodeForm(request.POST)
    if not form.is_valid():
        return False
    code = form.cleaned_data["code"]
    own = _try_code(request, tournament, lambda: find_side_by_code(tournament, code))
    _keep(request, OPENED, tournament.public_id, own.slip.get_digest(own.side))
    return True


def _say(request: HttpRequest, tournament: Tournament, what: str, context: PageContext) -> bool:
    """Take what the side of this browser's code types, confirms or objects to."""
    digest = request.session.get(OPENED, {}).get(tournament.public_id, "")
    page = _read_page(find_side(tournament, digest))
    about: dict[str, Any] = {"tournament_id": tournament.pk, "digest": digest, "now": timezone.now()}
    if what == "confirm":
        if page.other is None or page.stamp != request.POST.get("seen"):
            raise TournamentError("slip_changed")
        phone_results.confirm_result(seen=page.other, **about)
    elif what == "object":
        phone_results.object_to_result(**about)
    elif what == "beside":
        beside = context["beside"] = CodeForm(request.POST, prefix="beside")
        if not beside.is_valid():
            return False
        code = beside.cleaned_data["code"]
        _try_code(request, tournament, lambda: phone_results.confirm_beside(code=code, **about))
    else:
        form = context["form"] = make_quick_form(page.at.slip.fixture, page.row, request.POST)
        form.turn_to_side(page.at.side)
        if not form.is_valid():
            return False
        forfeits = form.list_forfeits()
        typed = TypedResult(forfeits) if forfeits else TypedResult((), form.make_decision())
        phone_results.type_result(typed=typed, **about)
    return True


def _try_code(request: HttpRequest, tournament: Tournament, act: Callable[[], Result]) -> Result:
    """Do what a code was typed for, and return its result; a wrong one is counted in this browser.

    TournamentError: slip_codes_many.
    """
    current = tournament.rounds.filter(published_at__isnull=False).order_by("-number").values_list("number", flat=True)
    name = f"{tournament.public_id}:{current.first()}"
    wrong = request.session.get(WRONG, {}).get(name, 0)
    if wrong >= MAX_WRONG:
        raise TournamentError("slip_codes_many")
    try:
        return act()
    except TournamentError as error:
        if error.code == "slip_code_wrong":
            _keep(request, WRONG, name, wrong + 1)
        raise


def _keep(request: HttpRequest, where: str, name: str, value: str | int) -> None:
    """Store a value in the session, beside the latest few of its kind; an empty one is forgotten."""
    kept = {key: old for key, old in request.session.get(where, {}).items() if key != name}
    request.session[where] = dict([*kept.items(), *([(name, value)] if value else [])][-MAX_KEPT:])


def _read_page(at: SlipSide) -> PhonePage:
    fixture = phone_results.read_fixture_of(at.slip)
    row = read_fixture_row(fixture, None)
    own, other = read_typed(at.slip, at.side), read_typed(at.slip, 1 - at.side)
    form = make_quick_form(fixture, row)
    form.turn_to_side(at.side)
    own_words, other_words = ("" if one is None else describe_typed(fixture, row, one) for one in (own, other))
    return PhonePage(
        at=at,
        row=row,
        own=own,
        other=other,
        form=form,
        own_words=own_words,
        other_words=other_words,
        result_words=_describe(row, read_result(fixture)),
    )


def _describe(row: FixtureRow, logged: LoggedResult) -> str:
    assert row.first is not None
    assert row.second is not None
    return describe_result(logged, (row.first.name, row.second.name))
