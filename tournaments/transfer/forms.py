"""Form of a tournament's file. The service reads and checks it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.transfer.document import MAX_FILE_BYTES
from tournaments.transfer.faults import FileFault
from tournaments.transfer.wording import describe_fault


class TournamentFileForm(forms.Form):
    """Form of one file; ``read_data`` after ``is_valid``."""

    file = forms.FileField(
        label=gettext_lazy("File del torneo"),
        help_text=gettext_lazy("Quello scaricato da «Porta su un altro computer», così com'è: al massimo 16 MB."),
        allow_empty_file=True,
        max_length=255,
        error_messages={"required": gettext_lazy("Scegli un file.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].widget.attrs["accept"] = ".json,application/json"

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > MAX_FILE_BYTES:
            fault = FileFault("too_big", values={"limit": MAX_FILE_BYTES // 1024 // 1024})
            raise forms.ValidationError(describe_fault(fault), code=fault.code)
        data: bytes = file.read()
        return data

    def read_data(self) -> bytes:
        data: bytes = self.cleaned_data["file"]
        return data
