"""Form of a referee's say on the confronto of a fixture with equal deals (J10)."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.desk.comparison import ComparisonRuling
from tournaments.desk.forms import ActForm
from tournaments.desk.results import Pair
from tournaments.models import Fixture


class ComparisonForm(ActForm):
    """Form of what counts in the confronto of a round with equal deals (J10): all of it is what holds from now on."""

    what, title, button = "confronto", gettext_lazy("Correggi il confronto"), gettext_lazy("Correggi")
    note = gettext_lazy("Vale per la percentuale; il risultato e i VP restano come sono.")
    deals = forms.CharField(
        label=gettext_lazy("Punti di ogni smazzata"),
        help_text=gettext_lazy("Per esempio 3-1 2-2; un trattino per una che non c'è. Vuoto: quelli della partita."),
        max_length=300,
        required=False,
    )
    percent_0 = forms.DecimalField(min_value=0, max_value=100, decimal_places=2, required=False)
    percent_1 = forms.DecimalField(min_value=0, max_value=100, decimal_places=2, required=False)
    left_out = forms.BooleanField(
        label=gettext_lazy("Togli le sue smazzate dal confronto degli altri tavoli"), required=False
    )
    field_order = ("deals", "percent_0", "percent_1", "left_out", "reason")

    def __init__(self, data: Mapping[str, Any] | None = None, *, fixture: Fixture, **more: Any) -> None:
        super().__init__(data, **more)
        for side, name in enumerate(self.names):
            self.fields[f"percent_{side}"].label = _("Percentuale di %(name)s, se la stabilisci tu") % {"name": name}
        if fixture.is_shown:
            pairs = fixture.deal_points or ()
            self.initial["deals"] = " ".join("-" if pair is None else f"{pair[0]}-{pair[1]}" for pair in pairs)
            for side, percent in enumerate((fixture.percent_0, fixture.percent_1)):
                self.initial[f"percent_{side}"] = None if percent is None else Decimal(percent) / 100
            self.initial["left_out"] = fixture.left_out

    def clean_deals(self) -> tuple[Pair | None, ...]:
        deals: list[Pair | None] = []
        for word in self.cleaned_data["deals"].replace("–", "-").split():
            first, dash, second = word.partition("-")
            if word == "-":
                deals.append(None)
            elif dash and all(number.isascii() and number.isdigit() and len(number) <= 3 for number in (first, second)):
                deals.append((int(first), int(second)))
            else:
                why = _("«%(word)s» non sono i punti di una smazzata: scrivi 3-1.") % {"word": word}
                raise forms.ValidationError(why, code="deal_unread")
        return tuple(deals)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if (data.get("percent_0") is None) != (data.get("percent_1") is None):
            why = _("Scrivili tutti e due, o nessuno.")
            self.add_error("percent_0", forms.ValidationError(why, code="one_missing"))
        return data

    def make_ruling(self) -> ComparisonRuling:
        data = self.cleaned_data
        first, second = data["percent_0"], data["percent_1"]
        percent = None if first is None or second is None else (int(first * 100), int(second * 100))
        return ComparisonRuling(deals=data["deals"], percent=percent, left_out=data["left_out"])
