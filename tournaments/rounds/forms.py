"""Forms about the rounds of a tournament that aren't published: swaps by hand (D4), forbidden pairs, byes (D3)."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Person
from players.names import MAX_NAME_CHARACTERS
from tournaments.core.reasons import MAX_REASON_CHARACTERS
from tournaments.core.rows import EntryRow
from tournaments.core.wording import name_round
from tournaments.desk.wording import name_way
from tournaments.entries.forms import MAX_TEAM_CHARACTERS, keep_fields, make_another_field
from tournaments.models import RoundBye, Tournament

NOBODY = ("", "—")
Typed = dict[str, Any]  # the values that were refused, to be typed no second time


class SwapForm(forms.Form):
    first = forms.TypedChoiceField(label=gettext_lazy("Al posto di"), coerce=int)
    second = forms.TypedChoiceField(label=gettext_lazy("va"), coerce=int)

    def __init__(self, typed: Typed, *, entries: Sequence[EntryRow]) -> None:
        super().__init__(initial=typed, auto_id="swap-%s")
        for name in self.fields:
            self.fields[name].choices = [NOBODY, *_list_names(entries)]  # type: ignore[attr-defined]


class BanForm(forms.Form):
    entries = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Chi non deve incontrarsi"), coerce=int, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, typed: Typed, *, entries: Sequence[EntryRow]) -> None:
        super().__init__(initial=typed, auto_id="ban-%s")
        self.fields["entries"].choices = _list_names(entries)  # type: ignore[attr-defined]


class ByeForm(forms.Form):
    entry = forms.TypedChoiceField(label=gettext_lazy("Chi"), coerce=int)
    number = forms.TypedChoiceField(label=gettext_lazy("Turno"), coerce=int)
    kind = forms.ChoiceField(label=gettext_lazy("Perché"))

    def __init__(self, typed: Typed, *, rounds: Sequence[int], entries: Sequence[EntryRow]) -> None:
        super().__init__(initial=typed, auto_id="bye-%s")
        self.fields["entry"].choices = [NOBODY, *_list_names(entries)]  # type: ignore[attr-defined]
        self.fields["number"].choices = [(number, name_round("round", number)) for number in rounds]  # type: ignore[attr-defined]
        self.fields["kind"].choices = [  # type: ignore[attr-defined]
            (RoundBye.Kind.ASKED, _("riposo chiesto: 10 VP, uno solo")),
            (RoundBye.Kind.ABSENT, _("assente: niente punti")),
        ]


class WayForm(forms.Form):
    """The organiser's choice for a round that can't be paired (D1)."""

    way = forms.ChoiceField(label=gettext_lazy("Come si va avanti"))
    reason = forms.CharField(
        label=gettext_lazy("Motivo, che leggono tutti"),
        max_length=MAX_REASON_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, typed: Typed, *, ways: Sequence[str]) -> None:
        super().__init__(initial=typed, auto_id="way-%s")
        choices = [NOBODY, *((str(way), name_way(way)) for way in ways)]
        self.fields["way"].choices = choices  # type: ignore[attr-defined]


class LateForm(forms.Form):
    """Names of one entry that comes late (D2); of a team its name, and who is in it (O12)."""

    team = forms.CharField(label=gettext_lazy("Squadra"), max_length=MAX_NAME_CHARACTERS)
    people = forms.CharField(
        label=gettext_lazy("Chi ne fa parte"),
        help_text=gettext_lazy("I nomi, separati da una virgola."),
        max_length=MAX_TEAM_CHARACTERS,
    )
    player = forms.CharField(label=gettext_lazy("Chi arriva"), max_length=MAX_NAME_CHARACTERS)
    partner = forms.CharField(label=gettext_lazy("Il compagno"), max_length=MAX_NAME_CHARACTERS)
    another = make_another_field()

    def __init__(self, typed: Typed, *, tournament: Tournament, reserve: Person | None = None) -> None:
        super().__init__(initial=typed, auto_id="late-%s")
        names = tournament.entry_kind.fields
        if reserve is not None:  # who stayed out when pairs were drawn comes in with whoever comes late (EV2)
            self.fields["partner"].required = False
            self.fields["partner"].help_text = _("Vuoto: entra con %(name)s, che era rimasto fuori.") % {
                "name": reserve.public_name
            }
        keep_fields(self, (*names, "another") if tournament.venue.enters_names else names)
        for field in (self.fields[name] for name in names):
            field.widget.attrs.update({"autocomplete": "off", "autocapitalize": "words"})


def _list_names(entries: Sequence[EntryRow]) -> list[tuple[int, str]]:
    return sorted(((entry.entry_id, entry.name) for entry in entries), key=lambda choice: choice[1].casefold())
