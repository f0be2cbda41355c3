"""Form fields of the formula: the options of each format, and the hours of its rounds (R6).

Every option has its field; it is shown and read only where the chosen format has it, and the default holds where it was
left empty. The field's name is the option's.
"""

from django import forms
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as translate_marked  # texts that a format's file marks

from games.forms import FormValues, list_durations
from players.web.requests import read_number
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Format
from tournaments.models import Tournament
from tournaments.organise.format_options import ROUND_MINUTES

ORDERED = sorted(FORMATS.values(), key=lambda format_: format_.order)
OPTIONS = {  # of the formats, each with those that have it
    name: [format_ for format_ in ORDERED if name in format_.option_fields]
    for name in dict.fromkeys(name for format_ in ORDERED for name in format_.option_fields)
}
PAUSE_SECONDS = (5, 10, 30, 60, 120, 300, 600)  # before a fixture opens (K4)
DEFAULT_PAUSE_SECONDS = 10


class FormulaForm(forms.Form):
    round_minutes = forms.IntegerField(
        label=gettext_lazy("Minuti da un turno all'altro"),
        help_text=gettext_lazy(
            "Vuoto: ogni turno comincia quando è finito quello prima. Altrimenti a ore fisse, dall'inizio del torneo; "
            "se chi gioca è d'accordo si comincia prima."
        ),
        required=False,
        min_value=ROUND_MINUTES[0],
        max_value=ROUND_MINUTES[-1],
    )

    pause = forms.TypedChoiceField(
        label=gettext_lazy("Pausa prima di un incontro"),
        help_text=gettext_lazy("Da quando si sa contro chi si gioca a quando si apre il tavolo."),
        coerce=int,
        empty_value=None,
        required=False,
        initial=str(DEFAULT_PAUSE_SECONDS),
    )

    def list_pauses(self) -> list[tuple[str, str]]:
        """Return the pauses to choose from, with the present one."""
        now = read_number(str(self.get_initial_for_field(self.fields["pause"], "pause")), 0)
        return list_durations(sorted({*PAUSE_SECONDS, *([now] if now else [])}), off=False)

    def list_format_ids(self) -> list[str]:
        """Return the ids of the formats, in their order."""
        return [format_.id for format_ in sorted(FORMATS.values(), key=lambda format_: format_.order)]

    def read_formula(self, format_: Format) -> dict[str, bool | int]:
        """Return the options of the chosen format; only after ``is_valid``."""
        data = self.cleaned_data
        return {name: data[name] for name in OPTIONS if name in format_.options and data[name] is not None}


def _field(name: str, format_: Format) -> forms.Field:
    """Return the field of a format's option."""
    about = format_.option_fields[name]
    label, help_text = translate_marked(about.label), translate_marked(about.help_text)
    if name not in format_.ranges:
        return forms.BooleanField(label=label, help_text=help_text, required=False)
    low, high = format_.ranges[name][0], format_.ranges[name][-1]
    return forms.IntegerField(
        label=label,
        help_text=help_text,
        required=False,
        min_value=max(low, 1),
        max_value=high,
        initial=None if about.blank else format_.options[name],
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


# Before any form is made of this one: fields that it declares like its own.
FormulaForm.declared_fields.update({name: _field(name, having[0]) for name, having in OPTIONS.items()})


def read_formula_initial(tournament: Tournament) -> FormValues:
    """Return the initial values of these fields for a tournament; a number left to the format stays empty."""
    options = tournament.format_options
    return {name: options.get(name) or None for name in OPTIONS if options.get(name) or name not in options}
