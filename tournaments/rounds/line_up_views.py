"""The organiser's page of the line-ups of teams (O12): who plays next, and who plays what waits for its result."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.models import Person, Player
from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.core.reads import LineUps, group_line_ups, make_fixture_row, read_entries, read_entries_of
from tournaments.core.rows import EntryRow, FixtureRow
from tournaments.core.web import Notice, get_managed_or_404, get_tournament_or_404, show_notice
from tournaments.models import EntryMember, Fixture, LineUp, Tournament
from tournaments.own_names.self_entry import find_entry
from tournaments.running.line_ups import OPEN_STATES, change_line_up, choose_line_up, name_line_up


class LineUpForm(forms.Form):
    """Form of whoever of a team plays, by their ids: at its table, or at each of two (O12)."""

    people = forms.TypedMultipleChoiceField(coerce=int, required=False, widget=forms.CheckboxSelectMultiple)
    people_2 = forms.TypedMultipleChoiceField(coerce=int, required=False, widget=forms.CheckboxSelectMultiple)
    card = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        tournament: Tournament,
        *,
        card: str,
        members: Sequence[EntryMember],
        playing: Sequence[int],
    ) -> None:
        seats, two = tournament.entry_kind.seats, tournament.entry_kind.has_parts
        playing_2 = playing[seats:]
        super().__init__(
            data, initial={"people": playing[:seats], "people_2": playing_2, "card": card}, auto_id=f"{card}-%s"
        )
        names = [(member.person_id, member.person.name) for member in members]
        for name, label in (("people", _("Primo tavolo") if two else ""), ("people_2", _("Secondo tavolo"))):
            self.fields[name].choices = names  # type: ignore[attr-defined]
            self.fields[name].label = label
        if not two:
            del self.fields["people_2"]

    def list_people(self) -> list[int]:
        """Return who plays, the first table first; only after ``is_valid``."""
        return [*self.cleaned_data["people"], *self.cleaned_data.get("people_2", ())]

    def list_groups(self) -> list[forms.BoundField]:
        """Return the fields of people, a table each."""
        return [self[name] for name in self.fields if name != "card"]


@dataclass(frozen=True, slots=True)
class LineUpCard:
    """A team with whoever plays: next, or a ``fixture`` that waits for its result. ``named``: the team has said so."""

    key: str
    entry: EntryRow
    people: str
    form: LineUpForm
    named: bool = False
    fixture: FixtureRow | None = None
    side: int = 0


@require_http_methods(["GET", "HEAD", "POST"])
def show_line_ups(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show who of each team plays, and take what is sent of one of them."""
    tournament, player = get_managed_or_404(request, public_id)
    if not tournament.names_line_ups or tournament.state not in OPEN_STATES:
        raise Http404
    cards = list(_list_cards(tournament, request))
    sent = next((card for card in cards if card.form.is_bound), None)
    if sent is not None and sent.form.is_valid() and _store(sent, tournament, player):
        show_notice(request, Notice("line_up_named", _("%(name)s: formazione scritta.") % {"name": sent.entry.name}))
        return redirect("tournament-line-ups", public_id)
    context = {
        "tournament": tournament,
        "next": [card for card in cards if card.fixture is None],
        "playing": [card for card in cards if card.fixture is not None],
        "size": tournament.entry_kind.line_up_size,
    }
    return render(request, "tournaments/rounds/line_ups.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def show_own_line_up(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Show who plays next to a team that entered by itself, by the address of its entry, and take what it says."""
    tournament = get_tournament_or_404(request, public_id)
    entry = find_entry(tournament, token)
    if entry is None or entry.withdrawn_at is not None or not tournament.entry_kind.has_line_ups:
        raise Http404
    members = list(entry.members.with_people().order_by("position"))
    playing = choose_line_up(tournament, members)
    card = LineUpCard(
        key=f"t{entry.pk}",
        entry=read_entries_of([entry])[entry.pk],
        people=", ".join(member.person.public_name for member in playing),
        form=_make_form(request, tournament, f"t{entry.pk}", members, [member.person_id for member in playing]),
        named=any(member.line_up is not None for member in members),
    )
    if card.form.is_bound and card.form.is_valid() and _store(card, tournament, None):
        show_notice(request, Notice("line_up_named", _("Formazione scritta: vale dal prossimo turno.")))
        return redirect("own-line-up", public_id, token)
    context = {"tournament": tournament, "card": card, "token": token, "size": tournament.entry_kind.line_up_size}
    response = render(request, "tournaments/rounds/own_line_up.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _store(card: LineUpCard, tournament: Tournament, player: Player | None) -> bool:
    """Store what was sent, by the organiser or by the team itself; False where it was refused, and why is beside it."""
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": player, "now": timezone.now()}
    about["person_ids"] = card.form.list_people()
    try:
        if card.fixture is None:
            name_line_up(entry_id=card.entry.entry_id, **about)
        elif player is not None:
            change_line_up(fixture_id=card.fixture.id, side=card.side, **about)
    except TournamentError as error:
        card.form.add_error("people", refusals.make_form_error(error))
        return False
    return True


def _list_cards(tournament: Tournament, request: HttpRequest) -> Iterator[LineUpCard]:
    """Yield each team with whoever plays next, and the teams of each fixture that waits for its result."""
    by_id = {pk: row for pk, row in read_entries(tournament).items() if not row.withdrawn}
    teams: dict[int, list[EntryMember]] = {pk: [] for pk in by_id}
    for member in tournament.members.with_people().filter(entry__in=teams).order_by("position"):
        teams[member.entry_id].append(member)
    for pk, members in teams.items():
        playing = choose_line_up(tournament, members)
        yield LineUpCard(
            key=f"t{pk}",
            entry=by_id[pk],
            people=", ".join(member.person.name for member in playing),
            form=_make_form(request, tournament, f"t{pk}", members, [member.person_id for member in playing]),
            named=any(member.line_up is not None for member in members),
        )
    fixtures = list(_list_changeable(tournament))
    line_ups = _read_line_ups(fixtures)
    for fixture in fixtures:
        if fixture.part == 2:
            continue
        row = make_fixture_row(fixture, by_id, line_ups, None)
        for side, entry in enumerate((row.first, row.second)):
            if entry is not None:
                playing_now = line_ups.get((fixture.pk, side), ())
                key = f"f{fixture.pk}-{side}"
                ids = [person.pk for person in playing_now]
                yield LineUpCard(
                    key=key,
                    entry=entry,
                    people=", ".join(person.name for person in playing_now),
                    form=_make_form(request, tournament, key, teams[entry.entry_id], ids),
                    fixture=row,
                    side=side,
                )


def _list_changeable(tournament: Tournament) -> Iterator[Fixture]:
    """Yield the fixtures whose line-ups can change: no table of theirs has a result."""
    ready = Fixture.objects.of(tournament).ready().select_related("round", "match")
    fixtures = ready.order_by("round__number", "wave", "table")
    whole = Counter((fixture.round_id, fixture.board) for fixture in fixtures)
    return (one for one in fixtures if whole[one.round_id, one.board] == tournament.entry_kind.tables)


def _read_line_ups(fixtures: Sequence[Fixture]) -> LineUps:
    """Return who plays for which side, of two tables both with the first."""
    by_table = group_line_ups(LineUp.objects.filter(fixture__in=fixtures))
    places = {fixture.pk: (fixture.round_id, fixture.board) for fixture in fixtures}
    firsts = {places[fixture.pk]: fixture.pk for fixture in fixtures if fixture.part < 2}
    people: dict[tuple[int, int], list[Person]] = {}
    for fixture in sorted(fixtures, key=lambda one: one.part):
        for side in (0, 1):
            people.setdefault((firsts[places[fixture.pk]], side), []).extend(by_table.get((fixture.pk, side), ()))
    return people


def _make_form(
    request: HttpRequest, tournament: Tournament, key: str, members: Sequence[EntryMember], playing: Sequence[int]
) -> LineUpForm:
    sent = request.POST if request.method == "POST" and request.POST.get("card") == key else None
    return LineUpForm(sent, tournament, card=key, members=members, playing=playing)
