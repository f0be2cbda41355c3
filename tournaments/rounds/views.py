"""The page of a tournament's next rounds, for whoever runs it: the draft to publish, which nobody else sees (D4), swaps
by hand, forbidden pairs, byes and absences (D3)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from players.clean_text import clean_line
from players.models import Player
from players.selectors import player_for
from players.web.requests import read_number, show_error
from tournaments.core import reads
from tournaments.core.draw_secret import find_reserve
from tournaments.core.errors import TournamentError
from tournaments.core.format_wording import describe_apart
from tournaments.core.permissions import may_run
from tournaments.core.rows import EntryRow
from tournaments.core.states import ENTERING
from tournaments.core.web import Notice, get_tournament_or_404, show_notice, show_refusal
from tournaments.core.wording import name_hall_place
from tournaments.desk import wording as desk_wording
from tournaments.entries.checkin import list_entries_to_draw
from tournaments.entries.partners import find_odd_entry
from tournaments.formats import FORMATS
from tournaments.formats.protocol import WayOut
from tournaments.lists import wording as entries_wording
from tournaments.lists.people_list import split_people
from tournaments.models import Fixture, Round, RoundBye, Tournament
from tournaments.rounds import drafts, late_entries, late_requests, swaps
from tournaments.rounds import wishes as round_wishes
from tournaments.rounds.drafts import Pair
from tournaments.rounds.forms import BanForm, ByeForm, LateForm, SwapForm, Typed, WayForm
from tournaments.rounds.previews import ActPreview, preview_act
from tournaments.running import round_clocks, ways_out
from tournaments.running.real_tables import preview_places

Act = Callable[[HttpRequest, Tournament, Player, datetime], Notice]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A board of a round that isn't published; ``second`` is None for a bye or a rest.

    ``place``: the real table that it will have, in words (O3). ``waits``: for an opponent who isn't known yet (K4).
    """

    board: int
    first: EntryRow
    second: EntryRow | None
    place: str = ""
    waits: bool = False


@dataclass(frozen=True, slots=True)
class WaitingRound:
    """A round to publish. ``key``: of the draft that is shown; ``stale``: something has changed since it was drawn;
    ``is_partial``: not everybody who plays in it is known yet (K4).

    ``dead_end``: the round that can't be paired any more once it is published (D1). ``apart``: what the protection of
    clubs did, and the names of those who changed places for it (EV9). ``odd_one``: who stays out of its pairs (EV2).
    """

    number: int
    name: str
    boards: tuple[BoardRow, ...]
    key: str = ""
    draws: int = 0
    stale: bool = False
    is_partial: bool = False
    dead_end: int | None = None
    apart: str = ""
    parted: tuple[tuple[str, str], ...] = ()
    odd_one: str = ""

    @property
    def entries(self) -> list[EntryRow]:
        return [entry for row in self.boards for entry in (row.first, row.second) if entry is not None]


@dataclass(frozen=True, slots=True)
class StuckRound:
    """A round that can't be paired (D1), and what was ``chosen`` for it, in words; ``is_next``: all before it are
    over."""

    number: int
    name: str
    chosen: str
    form: WayForm | None
    is_next: bool


@require_http_methods(["GET", "HEAD", "POST"])
def show_rounds(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the rounds to publish to whoever runs the tournament, and do what is asked with them; 404 for the others."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    wishes = round_wishes.takes_wishes(tournament)
    asks = tournament.publishes_rounds or wishes or tournament.stuck_round is not None
    if player is None or not may_run(tournament, player) or not asks:
        raise Http404
    now = timezone.now()
    preview: ActPreview | None = None
    if request.method == "POST":
        act = ACTS.get(request.POST.get("act", ""))
        if act is None:
            raise Http404
        about = partial(act, request, tournament, player, now)
        try:
            preview = preview_act(request.POST, tournament, player, about)
            if preview is None:
                show_notice(request, about())
        except TournamentError as error:
            _refuse(request, error)
            if not _shows_form(tournament, request.POST["act"]):
                return redirect("tournament-rounds", public_id)
        else:
            if preview is None:
                return redirect("tournament-rounds", public_id)
        tournament.refresh_from_db()
    typed = {name: request.POST.getlist(name) if name == "entries" else value for name, value in request.POST.items()}
    by_id = reads.read_entries(tournament)
    entering = tournament.state in ENTERING
    publishes = tournament.publishes_rounds
    pairs = _pair_next(tournament) if publishes else ()
    waiting = read_waiting_rounds(tournament, by_id, pairs) if publishes else []
    late, reserve = late_entries.find_late_round(tournament), find_reserve(tournament)
    drafted = [entry for row in waiting if row.key for entry in row.entries]
    context = {
        "tournament": tournament,
        "now": now,
        "clocks": round_clocks.read_clocks(tournament, now),
        "typed": typed,
        "waiting": waiting,
        "preview": preview,
        "stuck": _read_stuck(tournament, typed),
        "draws": publishes and (entering or bool(pairs)),
        "over": not entering and drafts.find_next_round(tournament) is None,
        "swap": SwapForm(typed, entries=drafted) if drafted else None,
        "late": None if late is None else LateForm(typed, tournament=tournament, reserve=reserve),
        "late_round": late,
        "reserve": reserve,
        "odd": _find_odd(tournament, by_id),
        "asking_late": list(tournament.late_requests.select_related("player")) if late is not None else [],
        "left_out": _list_absent(tournament, by_id) if entering and tournament.venue.calls_roll else [],
        **(_read_wishes(tournament, by_id, typed) if wishes else {}),
    }
    response = render(request, "tournaments/rounds/rounds.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _shows_form(tournament: Tournament, act: str) -> bool:
    """Tell if the page still has the form of an act, to show what was typed in it; of late entries it may be gone."""
    return act != "late" or late_entries.find_late_round(tournament) is not None


def _read_stuck(tournament: Tournament, typed: Typed) -> StuckRound | None:
    """Return the round that can't be paired (D1), with the form of the choice or of its taking back."""
    ways, number = ways_out.list_ways(tournament), tournament.stuck_round
    if number is None or ways in ((), (WayOut.END,)):  # nothing to choose
        return None
    round_ = tournament.rounds.get(number=number)
    chosen = round_.way if round_.way in ways else ""
    others = [way for way in ways if way != chosen]
    return StuckRound(
        round_.number,
        round_.name,
        chosen and desk_wording.name_way(chosen),
        WayForm(typed, ways=others) if others else None,
        is_next=not tournament.rounds.filter(number__lt=round_.number, finished=False).exists(),
    )


def _refuse(request: HttpRequest, error: TournamentError) -> None:
    """Show why an act was refused; of the names of a late entry everything that is wrong."""
    if error.code != "list_refused":
        show_refusal(request, error.code, error.values)
        return
    for problem in error.values["problems"]:
        text = entries_wording.describe_problem(problem.code, problem.typed, problem.other)
        show_error(request, text, problem.code)


def _read_wishes(tournament: Tournament, by_id: Mapping[int, EntryRow], typed: Typed) -> dict[str, object]:
    """Return the forbidden pairs and the byes of rounds that aren't published, with the forms for more of them."""
    rounds = round_wishes.list_open_rounds(tournament)
    staying = [entry for entry in by_id.values() if not entry.withdrawn]
    byes = RoundBye.objects.filter(entry__in=by_id, number__in=rounds).exclude(kind=RoundBye.Kind.MISSED)
    bans = tournament.forbidden_pairings.filter(first__in=by_id, second__in=by_id)
    return {
        "bans": [(ban.pk, by_id[ban.first_id], by_id[ban.second_id]) for ban in bans],
        "ban": BanForm(typed, entries=staying),
        "byes": [(bye, by_id[bye.entry_id]) for bye in byes],
        "bye": ByeForm(typed, entries=staying, rounds=rounds) if rounds else None,
    }


def _find_odd(tournament: Tournament, by_id: Mapping[int, EntryRow]) -> EntryRow | None:
    """Return who would stay out if pairs were drawn now (EV2); None where nobody would, and once a draft says it."""
    entering = tournament.state in ENTERING and tournament.draft is None
    return by_id.get(find_odd_entry(tournament) or 0) if entering else None


def _list_absent(tournament: Tournament, by_id: Mapping[int, EntryRow]) -> list[EntryRow]:
    """Return the entries that a draw would leave out now: nobody ticked them at the roll call (O1)."""
    present = set(list_entries_to_draw(tournament))
    return [row for pk, row in by_id.items() if pk not in present]


def read_waiting_rounds(
    tournament: Tournament, by_id: Mapping[int, EntryRow], pairs: tuple[Pair, ...]
) -> list[WaitingRound]:
    """Return the rounds that can be published now: the draft, or those that follow from the draw.

    ``pairs``: of the next round, as it would be drawn now.
    """
    rows, order = _read_waiting(tournament, by_id, pairs)
    return [_place_boards(tournament, row, order) for row in rows] if tournament.venue.numbers_tables else rows


def _read_waiting(
    tournament: Tournament, by_id: Mapping[int, EntryRow], pairs: tuple[Pair, ...]
) -> tuple[list[WaitingRound], tuple[int, ...]]:
    """Return the rounds to publish, and of the first one the ids of the entries in the order of their seeds."""
    draft = drafts.read_draft(tournament)
    if draft is not None and tournament.state in (*ENTERING, Tournament.State.RUNNING):
        other_keys = {pk for pair in draft.pairs for pk in pair if pk is not None} - set(by_id)
        entries = {**by_id, **reads.read_entries_of(tournament.entries.filter(pk__in=other_keys))}
        couples = [(one, other) for one, other in draft.partners.couples if {one, other} <= entries.keys()]
        entries |= {one: reads.join_rows(entries[one], entries[other]) for one, other in couples}
        boards = [
            BoardRow(board, entries[first], None if second is None else entries.get(second))
            for board, (first, second) in enumerate(draft.pairs, start=1)
            if first in entries
        ]
        stale = drafts.is_stale(tournament, draft, pairs=pairs)
        name = _name(tournament, draft.round)
        dead_end = drafts.find_dead_end(tournament, draft)
        waiting = WaitingRound(draft.round, name, tuple(boards), draft.key, draft.draws, stale, dead_end=dead_end)
        if draft.partners.left_out in entries:
            waiting = replace(waiting, odd_one=entries[draft.partners.left_out or 0].name)
        if draft.apart.met:
            names = {pk: entry.name for pk, entry in entries.items()}
            parted = tuple((names.get(one, ""), names.get(other, "")) for one, other in draft.apart.swaps)
            waiting = replace(waiting, apart=describe_apart(*draft.apart.met), parted=parted)
        return [waiting], draft.order
    if tournament.state != Tournament.State.RUNNING or FORMATS[tournament.format].keeps_rounds:
        return [], ()
    numbers = drafts.list_waiting_rounds(tournament)
    rows = [_read_drawn_round(round_, by_id) for round_ in tournament.rounds.filter(number__in=numbers)]
    return [row for row in rows if row.boards], ()


def _place_boards(tournament: Tournament, waiting: WaitingRound, order: Sequence[int]) -> WaitingRound:
    """Return a round with the real tables that its boards get if it is published as it is (O3)."""
    seeds = {pk: seed for seed, pk in enumerate(order, start=1)}
    entries = tournament.entries.in_bulk([entry.entry_id for entry in waiting.entries])
    for pk, entry in entries.items():
        entry.seed = seeds.get(pk, entry.seed)
    fixtures = [
        Fixture(board=row.board, first=entries[row.first.entry_id], second=entries[row.second.entry_id])
        for row in waiting.boards
        if row.second is not None
    ]
    places = {board: name_hall_place(*place) for board, place in preview_places(tournament, fixtures).items()}
    return replace(waiting, boards=tuple(replace(row, place=places.get(row.board, "")) for row in waiting.boards))


def _read_drawn_round(round_: Round, by_id: Mapping[int, EntryRow]) -> WaitingRound:
    fixtures = list(Fixture.objects.filter(round=round_).firsts().order_by("board"))
    waiting = {fixture.board for fixture in fixtures if fixture.state == Fixture.State.WAITING}
    seated_fixtures = [fixture for fixture in fixtures if fixture.first_id or fixture.second_id]
    boards = [
        BoardRow(fixture.board, *_pair(fixture, by_id), waits=fixture.board in waiting) for fixture in seated_fixtures
    ]
    whole = {row.board for row in boards if row.second is not None}
    return WaitingRound(round_.number, round_.name, tuple(boards), is_partial=not waiting <= whole)


def _pair(fixture: Fixture, by_id: Mapping[int, EntryRow]) -> tuple[EntryRow, EntryRow | None]:
    """Return the entries of a fixture, of which one at least is known."""
    first, *others = (by_id[pk] for pk in (fixture.first_id, fixture.second_id) if pk)
    return first, next(iter(others), None)


def _name(tournament: Tournament, number: int) -> str:
    return tournament.rounds.filter(number=number).values_list("name", flat=True).first() or "round"


def _pair_next(tournament: Tournament) -> tuple[Pair, ...]:
    """Return the pairs of the next round, where it is drawn by the results; none while it can't be."""
    running = tournament.state == Tournament.State.RUNNING and FORMATS[tournament.format].keeps_rounds
    number = drafts.find_next_round(tournament) if running else None
    return () if number is None else drafts.draw_pairs(tournament, number)


def _draw(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    drafts.draw_round(tournament_id=tournament.pk, by=by, now=now)
    return Notice("round_drafted", _("Turno sorteggiato: lo vedi solo tu, finché non lo pubblichi."))


def _publish(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    drafts.publish_round(
        tournament_id=tournament.pk,
        number=read_number(request.POST.get("number", ""), 0),
        by=by,
        now=now,
        seen=request.POST.get("seen", ""),
        anyway="anyway" in request.POST,
    )
    return Notice("round_published", _("Turno pubblicato: adesso lo vedono tutti."))


def _swap(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    first, second = (read_number(request.POST.get(name, ""), 0) for name in ("first", "second"))
    seen = request.POST.get("seen", "")
    swaps.swap_entries(tournament_id=tournament.pk, first_id=first, second_id=second, by=by, now=now, seen=seen)
    return Notice("entries_swapped", _("Scambiati: guarda la bozza."))


def _ban(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    entry_ids = [read_number(typed, 0) for typed in request.POST.getlist("entries")]
    count = round_wishes.forbid_pairings(tournament_id=tournament.pk, entry_ids=entry_ids, by=by, now=now)
    text = ngettext("Vietato %(n)d incontro.", "Vietati %(n)d incontri.", count)
    return Notice("pairing_forbidden", text % {"n": count})


def _allow(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    ban_id = read_number(request.POST.get("ban", ""), 0)
    round_wishes.allow_pairing(tournament_id=tournament.pk, ban_id=ban_id, by=by, now=now)
    return Notice("pairing_allowed", _("Divieto tolto."))


def _leave_out(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    entry_id, number = (read_number(request.POST.get(name, ""), 0) for name in ("entry", "number"))
    about: dict[str, Any] = {"tournament_id": tournament.pk, "entry_id": entry_id, "number": number}
    round_wishes.leave_out(**about, kind=request.POST.get("kind", ""), by=by, now=now)
    return Notice("left_out_of_round", _("Segnato: in quel turno non gioca."))


def _take_bye_back(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    bye_id = read_number(request.POST.get("bye", ""), 0)
    round_wishes.take_bye_back(tournament_id=tournament.pk, bye_id=bye_id, by=by, now=now)
    return Notice("bye_taken_back", _("Tolto: in quel turno gioca."))


def _enter_late(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    team, people, *pair = (clean_line(request.POST.get(name, "")) for name in ("team", "people", "player", "partner"))
    names = split_people(people) if tournament.entry_kind.lists_people else pair[: tournament.entry_kind.most]
    if tournament.entry_kind.is_drawn_pair:
        names = [name for name in names if name]
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": by, "now": now, "another": "another" in request.POST}
    late_entries.enter_late_names(names=names, team=team, **about)
    return Notice("joined_late", _("In gara dal prossimo turno."))


def _answer_late(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    yes, request_id = "si" in request.POST, read_number(request.POST.get("request", ""), 0)
    late_requests.answer_late_request(tournament_id=tournament.pk, request_id=request_id, by=by, yes=yes, now=now)
    joined = Notice("joined_late", _("In gara dal prossimo turno."))
    return joined if yes else Notice("late_declined", _("Risposto di no."))


def _choose_way(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    number, reason = _read_choice(request)
    way = request.POST.get("way", "")
    ways_out.choose_way(tournament_id=tournament.pk, number=number, way=way, reason=reason, by=by, now=now)
    return Notice("way_chosen", _("Scelto: è nel diario, con il motivo."))


def _take_way_back(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    number, reason = _read_choice(request)
    ways_out.take_way_back(tournament_id=tournament.pk, number=number, reason=reason, by=by, now=now)
    return Notice("way_taken_back", _("Scelta ritirata: è nel diario, con il motivo."))


def _read_choice(request: HttpRequest) -> tuple[int, str]:
    """Return the round that a choice is for, and its reason."""
    return read_number(request.POST.get("number", ""), 0), request.POST.get("reason", "")


def _change_clock(request: HttpRequest, tournament: Tournament, by: Player, now: datetime) -> Notice:
    """Start a clock, hold it, let it run on or give more time (O6)."""
    place = round_clocks.ClockPlace.parse(request.POST.get("clock", ""))
    if place is None:
        raise TournamentError("no_clock")
    about: dict[str, Any] = {"tournament_id": tournament.pk, "place": place, "by": by, "now": now}
    act = request.POST["act"]
    if act == "clock-more":
        typed = request.POST.get("table", "").strip()
        minutes = read_number(request.POST.get("minutes", ""), 0)
        round_clocks.give_more(**about, minutes=minutes, table=read_number(typed, 0) if typed else None)
        return Notice("clock_extended", _("Minuti aggiunti."))
    change, text = {
        "clock-start": (round_clocks.start_clock, _("L'orologio è partito.")),
        "clock-pause": (round_clocks.pause_clock, _("L'orologio è fermo.")),
        "clock-resume": (round_clocks.resume_clock, _("L'orologio è ripartito.")),
    }[act]
    change(**about)
    return Notice("clock_changed", text)


ACTS: dict[str, Act] = {
    **dict.fromkeys(("clock-start", "clock-pause", "clock-resume", "clock-more"), _change_clock),
    "late": _enter_late,
    "late-answer": _answer_late,
    "draw": _draw,
    "publish": _publish,
    "swap": _swap,
    "ban": _ban,
    "allow": _allow,
    "bye": _leave_out,
    "no-bye": _take_bye_back,
    "way": _choose_way,
    "no-way": _take_way_back,
}
