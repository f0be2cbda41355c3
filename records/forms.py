"""The form of the page that checks a record: pasted or uploaded, one of the two."""

from codecs import BOM_UTF8
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from records.results import MAX_RECORD_BYTES

TOO_LONG = _("Il verbale è troppo lungo: al massimo 256 KB.")


class RecordForm(forms.Form):
    """The record to check is ``cleaned_data["record"]``, the bytes that were sent."""

    text = forms.CharField(
        label=_("Incolla qui il verbale"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off", "autocapitalize": "off"}
        ),
    )
    file = forms.FileField(
        label=_("Oppure scegli un file"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        file, text = cleaned.get("file"), cleaned.get("text") or ""
        if file is None and not text.strip():
            raise forms.ValidationError(_("Incolla un verbale o scegli un file."), code="no_record")
        if file is not None and text.strip():
            raise forms.ValidationError(_("O il testo o il file: non tutti e due."), code="two_records")
        if file is not None:
            if file.size > MAX_RECORD_BYTES:
                raise forms.ValidationError(TOO_LONG, code="too_long")
            cleaned["record"] = file.read()
        else:
            cleaned["record"] = text.encode("utf-8", "surrogatepass")
        if len(cleaned["record"]) > MAX_RECORD_BYTES:
            raise forms.ValidationError(TOO_LONG, code="too_long")
        cleaned["record"] = cleaned["record"].removeprefix(BOM_UTF8)
        return cleaned
