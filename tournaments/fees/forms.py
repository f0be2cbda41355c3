"""Forms of fees and prizes (O10)."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.core.reasons import MAX_REASON_CHARACTERS
from tournaments.fees.actions import MAX_CENTS, MAX_PRIZES, MAX_WHAT_CHARACTERS
from tournaments.fees.queries import GivenThing, SharedPlaces
from tournaments.fees.shares import Prize

NUMBER = r"(\d{1,3}\.\d{3}|\d{1,6})(?:[.,](\d{1,2}))?"
MONEY = rf"(?:€\s*{NUMBER}|{NUMBER}\s*(?:€|euro\b))(?:\s*[+&]\s*|\s+|$)"
# A number alone is money at the row's end, or before a plus: "1 prosciutto" is none.
AMOUNT = re.compile(rf"{MONEY}|{NUMBER}(?:\s*[+&]\s*|$)", re.IGNORECASE)


class PrizesField(forms.CharField):
    """Field of the prizes, a row a place: "100", "50,00 + un prosciutto", "una coppa"; cleaned, a list of ``Prize``."""

    widget = forms.Textarea(attrs={"rows": 5})

    def to_python(self, value: Any) -> Any:
        typed = [" ".join(row.split()) for row in str(value or "").splitlines()]
        while typed and not typed[-1]:
            typed.pop()
        if len(typed) > MAX_PRIZES:
            values = {"limit": MAX_PRIZES}
            raise forms.ValidationError(refusals.describe_refusal("prizes_many", values), code="prizes_many")
        return [self._read(row) for row in typed]

    def _read(self, row: str) -> Prize:
        amount = AMOUNT.match(row)
        what = row[amount.end() :] if amount else row
        if len(what) > MAX_WHAT_CHARACTERS:
            why = _("«%(typed)s» è troppo lungo: un premio si dice in %(limit)d caratteri.")
            values = {"typed": what[:MAX_WHAT_CHARACTERS], "limit": MAX_WHAT_CHARACTERS}
            raise forms.ValidationError(why % values, code="prize_long")
        return Prize(_count_cents(amount) if amount else 0, what)


def _count_cents(amount: re.Match[str]) -> int:
    whole, cents = next((amount[at], amount[at + 1]) for at in (1, 3, 5) if amount[at])
    return int(whole.replace(".", "")) * 100 + int((cents or "0").ljust(2, "0"))


def format_prizes(prizes: list[Prize]) -> str:
    """Return the prizes as ``PrizesField`` reads them."""
    return "\n".join(" + ".join(filter(None, (_format_cents(prize.cents), prize.what))) for prize in prizes)


def _format_cents(cents: int) -> str:
    return f"{cents // 100},{cents % 100:02d}" if cents else ""


class PrizeForm(forms.Form):
    """Form of what can't be divided of a shared place: who of those that share it gets it, and why."""

    entry = forms.ChoiceField(label=gettext_lazy("A chi"), required=False)
    reason = forms.CharField(
        label=gettext_lazy("Motivo"),
        help_text=gettext_lazy("Resta nel diario e sulla lista dei premi: lo leggono tutti."),
        max_length=MAX_REASON_CHARACTERS,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any, *, shared: SharedPlaces, given: GivenThing) -> None:
        chosen = given.thing.by == "choice"
        initial = {"entry": given.entry.entry_id if chosen else "", "reason": given.thing.reason}
        super().__init__(data, initial=initial, prefix=f"premio-{given.thing.place}")
        self.given = given
        by_name = sorted((draw.entry for draw in shared.drawn), key=lambda entry: entry.name.casefold())
        choices = [("", _("A sorte")), *((str(entry.entry_id), entry.name) for entry in by_name)]
        self.fields["entry"].choices = choices  # type: ignore[attr-defined]

    def read_entry_id(self) -> int | None:
        """Return who gets it, None by the lot; only after ``is_valid``."""
        return int(self.cleaned_data["entry"]) if self.cleaned_data["entry"] else None

    def refuse(self, error: TournamentError) -> None:
        self.add_error(None, refusals.make_form_error(error))


class FeesForm(forms.Form):
    fee = forms.DecimalField(
        label=gettext_lazy("Quota di un'iscrizione, in euro"),
        help_text=gettext_lazy("Per tutta la coppia, dove si gioca a coppie. Vuota: nessuna quota."),
        required=False,
        min_value=0,
        max_value=MAX_CENTS // 100,
        decimal_places=2,
        localize=True,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "size": 8}),
    )
    prizes = PrizesField(
        label=gettext_lazy("Premi"),
        help_text=gettext_lazy("Una riga per posto, dal primo: 100, oppure 50 + un prosciutto, oppure una coppa."),
        required=False,
    )

    per_person = forms.BooleanField(
        label=gettext_lazy("I premi sono per ciascuna persona"),
        help_text=gettext_lazy("Altrimenti un premio è di tutta la coppia, o di tutta la squadra."),
        required=False,
    )

    def __init__(self, data: Any = None, *, initial: Any = None, alone: bool = False, each_pays: bool = False) -> None:
        super().__init__(data, initial=initial)
        if each_pays:  # partners are drawn (EV2)
            self.fields["fee"].label = _("Quota a testa, in euro")
            self.fields["fee"].help_text = _(
                "Ognuno paga la sua, anche dopo il sorteggio delle coppie. Vuota: nessuna."
            )
        if alone:  # who enters is all of it
            del self.fields["per_person"]

    def count_fee_cents(self) -> int:
        """Return the fee in cents; only after ``is_valid``."""
        return int((self.cleaned_data["fee"] or Decimal(0)) * 100)

    def refuse(self, error: TournamentError) -> None:
        self.add_error(None, refusals.make_form_error(error))
