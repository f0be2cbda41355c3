"""Form fields of what orders the standings (R2, EV10): a preset, or an order of one's own, criterion by criterion.

The criteria are a list of plain selects, so that it works without a script; what is left empty between them is skipped.
"""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms import FormValues
from scoring.tiebreaks import CRITERIA, EARLIER, HEADS, OF_ROUNDS, PRESETS, VP, read_order, write_order
from tournaments.core.order_wording import is_preset, list_presets, name_criterion
from tournaments.formats.protocol import Format
from tournaments.models import Tournament
from tournaments.organise.settings import fits_format, propose_tie_break

OWN = "own"  # the choice of an order of one's own
PLACES = tuple(f"order_{number}" for number in range(1, len(CRITERIA) - len(HEADS) + 3))  # VP may also come later
SHOWN = 8  # of the places; the others where they are filled


class OrderForm(forms.Form):
    tie_break = forms.ChoiceField(
        label=gettext_lazy("A parità di VP"),
        help_text=gettext_lazy("Decide chi sta davanti. Un sorteggio si fa all'inizio e resta scritto."),
        required=False,
        initial="",
    )

    def find_format(self) -> Format:
        """Return the format that is chosen now."""
        raise NotImplementedError

    def offer_orders(self) -> None:
        """Give the fields their choices, and what is proposed for the format where nothing, or what it hasn't, is
        chosen."""
        format_ = self.find_format()
        if not self.is_bound:
            chosen = str(self.get_initial_for_field(self.fields["tie_break"], "tie_break") or "")
            if chosen != OWN and (chosen not in PRESETS or not fits_format(chosen, format_)):
                self.initial["tie_break"] = propose_tie_break(format_)
        _choose(self.fields["tie_break"], [*list_presets(), (OWN, _("Un ordine a scelta"))])
        of_rounds = OF_ROUNDS if not self.is_bound and not format_.keeps_rounds else ()
        later = [code for code in CRITERIA if (code not in HEADS or code == VP) and code not in of_rounds]
        names = {code: name_criterion(code) for code in CRITERIA}
        for number, name in enumerate(PLACES):
            field = self.fields[name]
            field.label = _("A parità, %(n)d") % {"n": number} if number else _("Che cosa conta")
            empty = [("", _("niente altro: ex aequo"))] if number else []
            _choose(field, [*empty, *((code, names[code]) for code in (later if number else HEADS))])

    def list_order_names(self) -> list[str]:
        """Return the fields of an order of one's own, those that are shown."""
        return [name for number, name in enumerate(PLACES) if number < SHOWN or self[name].value()]

    def read_tie_break(self, format_: Format) -> str:
        """Return the order that was chosen, as it is stored; only after ``is_valid``."""
        data = self.cleaned_data
        if not format_.has_vp:
            return "standard"
        if data["tie_break"] != OWN:
            return data["tie_break"] or propose_tie_break(format_)
        first, *others = (data[name] for name in PLACES)
        return write_order([first or HEADS[0], *filter(None, others)])


def _choose(field: forms.Field, offered: list[tuple[str, Any]]) -> None:
    assert isinstance(field, forms.ChoiceField)
    field.choices = offered


# Before any form is made of this one: fields that it declares like its own.
OrderForm.declared_fields.update({name: forms.ChoiceField(required=False) for name in PLACES})


def read_order_initial(tournament: Tournament) -> FormValues:
    """Return the initial values of these fields for a tournament; a reading of before is the preset of today."""
    code = tournament.tie_break
    criteria = read_order(code).criteria
    preset = write_order(criteria) if code in EARLIER else code
    return {"tie_break": preset if is_preset(preset) else OWN, **dict(zip(PLACES, criteria, strict=False))}
