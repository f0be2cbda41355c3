"""The form of a circuit: what counts, for whom, and how."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms import FormValues
from players import caps
from players.markdown import MAX_MARKDOWN_CHARACTERS
from players.models import Player
from tournaments.circuits import wording
from tournaments.circuits.actions import MAX_NAME_CHARACTERS, MAX_PLACES, MAX_POINTS, CircuitTerms, read_terms
from tournaments.circuits.errors import CircuitError
from tournaments.clubs.queries import list_clubs_to_organise_for
from tournaments.models import Circuit

PLACE_FIELDS = ("places", "taking_part")
FIELDS_OF = {"name_missing": "name", "text_long": "description", "best_range": "best_of", "not_of_club": "club"}


class PlaceWorthField(forms.CharField):
    """Points of the first places, with spaces or commas between them."""

    def clean(self, value: Any) -> tuple[int, ...]:
        typed = str(super().clean(value)).replace(",", " ").replace(";", " ").split()
        if len(typed) > MAX_PLACES or not all(part.isascii() and part.isdigit() and len(part) <= 5 for part in typed):
            why = wording.describe_refusal("places_range", {"limit": MAX_PLACES, "high": MAX_POINTS})
            raise forms.ValidationError(why, code="places_range")
        return tuple(int(part) for part in typed)


class CircuitForm(forms.Form):
    """A circuit's terms; once one of its tournaments is drawn, its name and description alone."""

    name = forms.CharField(label=_("Nome del circuito"), max_length=MAX_NAME_CHARACTERS)
    description = forms.CharField(
        label=_("Che circuito è"),
        help_text=_(
            "Quando si gioca, che cosa si vince. Puoi usare Markdown: *corsivo*, **grassetto**, elenchi, link."
        ),
        max_length=MAX_MARKDOWN_CHARACTERS,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    club = forms.ChoiceField(label=_("Di chi è"), required=False)
    table = forms.ChoiceField(
        label=_("Che cosa si somma"),
        help_text=_("VP e MP ci sono solo nei tornei a girone, a gironi e danesi."),
        choices=Circuit.Table.choices,
        initial=Circuit.Table.POINTS,
        widget=forms.RadioSelect,
    )
    places = PlaceWorthField(
        label=_("Punti dei primi posti"),
        help_text=_("Dal primo in giù, per esempio: 10 7 5 3."),
        required=False,
    )
    taking_part = forms.IntegerField(
        label=_("Punti per chi gioca senza arrivare fra quelli"), min_value=0, max_value=MAX_POINTS, required=False
    )
    best_of = forms.IntegerField(
        label=_("Quanti risultati contano"),
        help_text=_("I migliori di ognuno. Vuoto: contano tutti. Dopo il primo sorteggio non si cambia più."),
        min_value=1,
        max_value=caps.MAX_CIRCUIT_TOURNAMENTS,
        required=False,
    )
    by_pairs = forms.BooleanField(
        label=_("Per coppie fisse"),
        help_text=_("Chi cambia compagno comincia da capo. Altrimenti ognuno ha i suoi punti."),
        required=False,
    )

    def __init__(
        self, *args: Any, player: Player, circuit: Circuit | None = None, begun: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        clubs = [(club.public_id, club.name) for club in list_clubs_to_organise_for(player)]
        club_field = self.fields["club"]
        assert isinstance(club_field, forms.ChoiceField)
        club_field.choices = [("", _("mio, senza circolo")), *clubs]
        self.circuit = circuit
        if circuit is not None or not clubs:
            del self.fields["club"]
        if begun:
            for name in ("table", "places", "taking_part", "best_of", "by_pairs"):
                del self.fields[name]
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        for name in self.errors if self.is_bound else ():
            if name in self.fields:
                self.fields[name].widget.attrs["aria-invalid"] = "true"

    def clean(self) -> FormValues:
        """Read the points of places only where the circuit adds those up: elsewhere they aren't shown."""
        data: FormValues = {**(super().clean() or {})}
        if "table" in self.fields and data.get("table") != Circuit.Table.PLACES:
            for name in PLACE_FIELDS:
                self.errors.pop(name, None)
            data |= {"places": (), "taking_part": 0}
        return data

    def read_terms(self) -> CircuitTerms:
        """Return the choices; only after ``is_valid``."""
        kept = CircuitTerms("") if self.circuit is None else read_terms(self.circuit)
        typed = {name: self.cleaned_data[name] for name in self.fields}
        if "taking_part" in typed:
            typed["taking_part"] = typed["taking_part"] or 0
        return CircuitTerms(**{**{name: getattr(kept, name) for name in CircuitTerms.__slots__}, **typed})

    def refuse(self, error: CircuitError) -> None:
        """Show a refusal beside its field."""
        field = "places" if error.code.startswith("places") else FIELDS_OF.get(error.code)
        field = field if field in self.fields else None
        self.add_error(
            field, forms.ValidationError(wording.describe_refusal(error.code, error.values), code=error.code)
        )
        if field is not None:
            self.fields[field].widget.attrs["aria-invalid"] = "true"


def read_circuit_values(circuit: Circuit) -> FormValues:
    """Return the form's initial values for a circuit."""
    terms = read_terms(circuit)
    values = {name: getattr(terms, name) for name in CircuitTerms.__slots__}
    return {**values, "places": " ".join(map(str, terms.places))}
