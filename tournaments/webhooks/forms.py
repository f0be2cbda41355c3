"""The form of a webhook: its address, looked at before anything is sent there."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.outgoing import OutgoingRefused, check_address
from tournaments.models import Webhook
from tournaments.webhooks import wording
from tournaments.webhooks.actions import WebhookError


class WebhookForm(forms.Form):
    """A webhook's address."""

    url = forms.CharField(
        label=_("Indirizzo"),
        help_text=_("Di un tuo programma su internet, con https. Riceve un POST a ogni evento."),
        max_length=Webhook._meta.get_field("url").max_length,
        error_messages={"required": _("Scrivi l'indirizzo.")},
        widget=forms.URLInput(attrs={"autocomplete": "off", "data-secret": True}),  # may hold a token
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.errors if self.is_bound else ():
            self.fields[name].widget.attrs["aria-invalid"] = "true"

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        try:
            check_address(url)
        except OutgoingRefused as refused:
            raise forms.ValidationError(wording.describe_error(refused.code), code=refused.code) from None
        return url

    def refuse(self, error: WebhookError) -> None:
        """Show a refusal above the form."""
        self.add_error(None, forms.ValidationError(wording.describe_refusal(error.code, error.values), code=error.code))
