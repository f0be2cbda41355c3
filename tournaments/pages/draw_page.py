"""Page of a tournament's draw: the commitment to its lots, and once they are drawn all it takes to draw them again
(J3a, J7). It never writes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.engine.record import Json
from games.engine.shuffling import SCHEME
from games.models import Commitment
from games.views import build_script
from players.models import Person
from players.web.live import PageContext, keep_from_search
from tournaments.core import reads
from tournaments.core.draw_secret import make_scope, read_drawn
from tournaments.core.format_wording import describe_apart
from tournaments.core.log_details import CommitmentDetail, DrawDetail, DrawnPartners
from tournaments.core.visibility import is_indexed
from tournaments.core.web import get_tournament_or_404
from tournaments.models import Tournament

SCRIPT = "js/check/draw.js"
MODULES = ("decks", "dom", "sha256")  # of the table's modules


@dataclass(frozen=True, slots=True)
class DrawnEntry:
    """An entry by the ``number`` it had in the list before the draw, from 1, with its name and its seed."""

    number: int
    name: str
    seed: int


@dataclass(frozen=True, slots=True)
class DrawnPerson:
    """A person who entered alone (EV2), by the ``number`` in the list before the draw, with the name of the partner; ""
    for whoever stayed out. ``stays``: they came as a pair."""

    number: int
    name: str
    mate: str
    side: str
    stays: bool


@require_safe
def show_draw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show where the lots of a tournament come from; 404 where there is no commitment."""
    tournament = get_tournament_or_404(request, public_id)
    drawn = read_drawn(tournament)
    committed = _read_committed(tournament, drawn)
    if committed is None:
        raise Http404
    context: PageContext = {
        "tournament": tournament,
        "committed": committed,
        "drawn": drawn,
        "secret": drawn.secret if drawn is not None else _read_published(tournament),
    }
    if drawn is not None:
        entries = _list_entries(tournament, drawn)
        names = {entry.number: entry.name for entry in entries}
        context |= {"entries": entries, "swaps": _name_pairs(drawn.swapped, names)}
        if drawn.partners is not None:
            context["partners"] = _list_people(drawn.partners)
        if drawn.of_one_club:
            context["apart"] = describe_apart(*drawn.of_one_club)
            context["parted"] = _name_pairs(drawn.parted, names)
        if drawn.secret:
            check = _describe(tournament, drawn, entries)
            context |= {"draw_check": check, "draw_check_words": _list_words(), **build_script(SCRIPT, MODULES)}
    response = render(request, "tournaments/pages/draw.html", context)
    return response if is_indexed(tournament) else keep_from_search(response)


@require_safe
def send_draw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Send all it takes to draw the lots again, as a file for docs/examples/check_draw.mjs; 404 before the draw."""
    tournament = get_tournament_or_404(request, public_id)
    drawn = read_drawn(tournament)
    if drawn is None or not drawn.secret:
        raise Http404
    whole = _describe(tournament, drawn, _list_entries(tournament, drawn))
    response = JsonResponse(whole, json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="sorteggio-{tournament.public_id}.json"'
    return response


def _read_committed(tournament: Tournament, drawn: DrawDetail | None) -> CommitmentDetail | None:
    """Return the commitment from which the lots come: of the draw that was made, else of the one to come."""
    if drawn is not None:
        return CommitmentDetail(scope=drawn.scope, commitment=drawn.commitment)
    if not tournament.draw_commitment:
        return None
    return CommitmentDetail(scope=make_scope(tournament), commitment=tournament.draw_commitment)


def _name_pairs(pairs: Iterable[tuple[int, int]], names: Mapping[int, str]) -> list[tuple[str, str]]:
    return [(names[one], names[other]) for one, other in pairs]


def _read_published(tournament: Tournament) -> str:
    """Return the secret of a tournament that was never drawn here, once it is published."""
    of_it = Commitment.objects.filter(scope=make_scope(tournament))
    return of_it.values_list("secret", flat=True).first() or ""


def _list_entries(tournament: Tournament, drawn: DrawDetail) -> list[DrawnEntry]:
    """Return the entries that were drawn, in the order of the list before; a name that is gone is empty."""
    entries = reads.read_entries_of(tournament.entries.filter(pk__in=drawn.order))
    listed = [
        DrawnEntry(number, entries[pk].name if pk in entries else "", seed)
        for seed, (pk, number) in enumerate(zip(drawn.order, drawn.numbers, strict=True), start=1)
    ]
    return sorted(listed, key=lambda entry: entry.number)


def _list_people(made: DrawnPartners) -> list[DrawnPerson]:
    """Return the people of whom pairs were drawn, as they were listed (EV2); a name that is gone is empty."""
    stored = Person.objects.select_related("player").in_bulk(made.people)
    names = [stored[pk].public_name if pk in stored else "" for pk in made.people]
    mates = {one: other for pair in made.pairs for one, other in (pair, pair[::-1])}
    tied = {number for pair in made.tied for number in pair}
    return [
        DrawnPerson(
            number,
            name,
            names[mates[number] - 1] if number in mates else "",
            made.sides[number - 1] if made.sides else "",
            number in tied,
        )
        for number, name in enumerate(names, start=1)
    ]


def _describe_partners(tournament: Tournament, made: DrawnPartners | None) -> Json | None:
    """Return all it takes to draw the pairs again (EV2); None where none were drawn."""
    if made is None:
        return None
    return {
        "way": tournament.partners,
        "people": [person.name for person in _list_people(made)],
        "pairs": [list(pair) for pair in made.pairs],
        "out": made.out,
        "entered": list(made.entered),
        "strengths": list(made.strengths),
        "sides": list(made.sides),
        "tied": [list(pair) for pair in made.tied],
    }


def _describe(tournament: Tournament, drawn: DrawDetail, entries: list[DrawnEntry]) -> Json:
    """Return all it takes to draw the lots again (docs/rules/fair-deals.md)."""
    return {
        "scheme": SCHEME,
        "scope": drawn.scope,
        "commitment": drawn.commitment,
        "secret": drawn.secret,
        "number": drawn.number,
        "seeding": tournament.seeding,
        "names": [entry.name for entry in entries],
        "numbers": list(drawn.numbers),
        "clubs": [list(own) for own in drawn.clubs],
        "parted": [list(pair) for pair in drawn.parted],
        "swapped": [list(pair) for pair in drawn.swapped],
        "lot": drawn.lot,
        "partners": _describe_partners(tournament, drawn.partners),
    }


def _list_words() -> dict[str, str]:
    """Return the script's words, by code; it fills names in braces."""
    return {
        "agrees": _("Il sorteggio torna: {n} iscritti, nell'ordine che viene dal segreto pubblicato."),
        "given": _("Il sorteggio torna. L'ordine delle teste di serie non viene dalla sorte, o solo in parte."),
        "differs": _("Non tornano con il segreto: {what}."),
        "commitment": _("impegno"),
        "lot": _("lotto"),
        "order": _("ordine delle teste di serie"),
        "pairs": _("coppie"),
    }
