"""Forms of the telephones' page and of the page of score slips (O4)."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.core.wording import name_hall_place
from tournaments.hall import slip_codes
from tournaments.hall.slip_codes import MAX_CONFIRM_MINUTES
from tournaments.models import Fixture

NEW, ALL = "new", "all"


class CodeForm(forms.Form):
    """The code of a slip, as it is printed or with blanks."""

    code = forms.CharField(
        label=gettext_lazy("Codice sul segnapunti"),
        max_length=20,
        error_messages={"required": gettext_lazy("Scrivi il codice.")},
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "class": "number",
                "data-secret": True,
            }
        ),
    )


class PrintForm(forms.Form):
    """The fixtures for which slips are printed."""

    which = forms.ChoiceField(label=gettext_lazy("Che cosa"))

    def __init__(self, *args: Any, fixtures: list[Fixture], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = [(str(row.pk), name_hall_place(row.wave, row.table)) for row in fixtures]
        self.fields["which"].choices = [  # type: ignore[attr-defined]
            (NEW, _("gli incontri che non li hanno ancora")),
            (ALL, _("tutti, con codici nuovi")),
            *tables,
        ]
        if len(fixtures) > slip_codes.MAX_PRINTED:
            self.fields["which"].help_text = _("Ne escono %(most)d alla volta: poi premi di nuovo per gli altri.") % {
                "most": slip_codes.MAX_PRINTED
            }


class MinutesForm(forms.Form):
    """The minutes after which a result of one telephone enters unconfirmed."""

    minutes = forms.IntegerField(
        label=gettext_lazy("Minuti per confermare"),
        min_value=1,
        max_value=MAX_CONFIRM_MINUTES,
        help_text=gettext_lazy(
            "Dopo, un risultato scritto a un solo telefono entra in classifica come «non confermato». "
            "In un'eliminazione diretta non entra mai da solo."
        ),
    )
