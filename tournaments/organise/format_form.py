"""What an organiser's form asks about the formula: the options of each format, and the hours of its rounds (R6).

Every option has its field; it is shown and read only where the chosen format has it, and the default holds where it was
left empty. The field's name is the option's.
"""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from games.forms import list_durations
from tournaments.core import refusals
from tournaments.formats import FORMATS
from tournaments.models import Tournament
from tournaments.organise.format_options import ROUND_MINUTES
from tournaments.pairing import Format

# The options of the formats (K2, K4, R1, Q1, D1).
SWITCHES = ("third_place", "byes_by_lot", "double")
NUMBERS = ("groups", "qualify", "rounds")
PAUSES = (5, 10, 30, 60, 120, 300, 600)  # seconds before a fixture opens (K4)
PAUSE = 10  # unless chosen


class FormulaForm(forms.Form):
    third_place = forms.BooleanField(
        label=gettext_lazy("Finale per il terzo posto"),
        help_text=gettext_lazy("Chi perde le semifinali gioca ancora; altrimenti sono terzi tutti e due."),
        required=False,
    )
    byes_by_lot = forms.BooleanField(
        label=gettext_lazy("Chi passa il primo turno si sorteggia"),
        help_text=gettext_lazy("Quando gli iscritti non riempiono il tabellone; altrimenti passano le prime teste."),
        required=False,
    )
    double = forms.BooleanField(
        label=gettext_lazy("Andata e ritorno"),
        help_text=gettext_lazy("Ognuno incontra ogni altro due volte, a posti scambiati."),
        required=False,
    )
    groups = forms.IntegerField(
        label=gettext_lazy("Quanti gironi"),
        help_text=gettext_lazy("Riempiti a serpentina secondo le teste di serie; almeno due iscritti in ognuno."),
        required=False,
        min_value=FORMATS["gironi"].ranges["groups"][0],
        max_value=FORMATS["gironi"].ranges["groups"][-1],
        initial=FORMATS["gironi"].options["groups"],
    )
    qualify = forms.IntegerField(
        label=gettext_lazy("Quanti passano da ogni girone"),
        help_text=gettext_lazy("Vanno al tabellone: chi vince un girone incontra l'ultimo di chi passa da un altro."),
        required=False,
        min_value=FORMATS["gironi"].ranges["qualify"][0],
        max_value=FORMATS["gironi"].ranges["qualify"][-1],
        initial=FORMATS["gironi"].options["qualify"],
    )
    rounds = forms.IntegerField(
        label=gettext_lazy("Quanti turni"),
        help_text=gettext_lazy("Lascia vuoto per quelli proposti: con 8 iscritti 3, con 16 sono 4, con 32 sono 5."),
        required=False,
        min_value=1,
        max_value=FORMATS["danese"].ranges["rounds"][-1],
    )
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
        initial=str(PAUSE),
    )

    def pauses(self) -> list[tuple[str, str]]:
        """The pauses to choose from, with the one there is."""
        now = self.get_initial_for_field(self.fields["pause"], "pause")
        return list_durations(sorted({*PAUSES, *([now] if isinstance(now, int) else [])}), off=False)

    def check_formula(self, data: dict[str, Any]) -> None:
        """Refuse a switch that the chosen format hasn't; a number is simply not read then."""
        format_ = FORMATS.get(data.get("format", ""))
        for name in SWITCHES:
            if format_ is not None and data.get(name) and name not in format_.options:
                self.add_error(name, refusals.describe_foreign_option(name))

    def formula(self, format_: Format) -> dict[str, bool | int]:
        """The options of the chosen format; only after ``is_valid``."""
        data = self.cleaned_data
        chosen: dict[str, bool | int] = {name: data[name] for name in SWITCHES if name in format_.options}
        return chosen | {name: data[name] for name in NUMBERS if name in format_.options and data[name] is not None}


def formula_initial(tournament: Tournament) -> dict[str, Any]:
    """Those fields as a tournament has them."""
    options = tournament.format_options
    numbers = {name: options[name] for name in NUMBERS if options.get(name)}
    return {name: bool(options.get(name)) for name in SWITCHES} | numbers
