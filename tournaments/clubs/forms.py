"""The form of a club: name and description."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.markdown import MAX_MARKDOWN_CHARACTERS
from tournaments.clubs import actions, wording


class ClubForm(forms.Form):
    """A club's name and description."""

    name = forms.CharField(
        label=_("Nome del circolo"),
        max_length=actions.MAX_NAME_CHARACTERS,
        error_messages={"required": _("Dai un nome al circolo.")},
    )
    description = forms.CharField(
        label=_("Chi siete"),
        help_text=_(
            "Quando giocate, dove, come si entra. Puoi usare Markdown: *corsivo*, **grassetto**, elenchi, link."
        ),
        max_length=MAX_MARKDOWN_CHARACTERS,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        for name in self.errors if self.is_bound else ():
            self.fields[name].widget.attrs["aria-invalid"] = "true"

    def refuse(self, error: actions.ClubError) -> None:
        """Show a refusal beside its field."""
        field = "description" if error.code == "text_too_long" else "name" if "name" in error.code else None
        why = wording.describe_refusal(error.code, error.values)
        self.add_error(field, forms.ValidationError(why, code=error.code))
        if field is not None:
            self.fields[field].widget.attrs["aria-invalid"] = "true"
