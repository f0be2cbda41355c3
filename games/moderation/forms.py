"""Forms of moderation: an act upon a player, the closing of a report, the answer to an appeal."""

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from players.models import ModerationAct
from players.services.moderation import DAYS, MAX_REASON_CHARACTERS

Kind = ModerationAct.Kind


def _describe_days(days: int) -> str:
    return ngettext("%(n)d giorno", "%(n)d giorni", days) % {"n": days}


class JudgeForm(forms.Form):
    """Act upon a player. A warning has no duration; the others have one."""

    kind = forms.ChoiceField(label=_("Che cosa"), choices=Kind.choices)
    days = forms.TypedChoiceField(label=_("Per quanto tempo"), coerce=int, empty_value=None, required=False)
    reason = forms.CharField(
        label=_("Perché"),
        max_length=MAX_REASON_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Lo legge la persona, sulla sua pagina e per e-mail."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        choices = [("", _("nessuna durata (avvertimento)"))]
        self.fields["days"].choices = [*choices, *((day, _describe_days(day)) for day in DAYS)]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("kind") == Kind.WARN:
            cleaned["days"] = None
        elif cleaned.get("kind") and cleaned.get("days") is None:
            self.add_error("days", forms.ValidationError(_("Scegli per quanto tempo."), code="no_such_time"))
        return cleaned


class NoteForm(forms.Form):
    """Words of a moderator: why an act is lifted, how a report was closed."""

    note = forms.CharField(label=_("Nota"), max_length=MAX_REASON_CHARACTERS, required=False)


class AnswerForm(forms.Form):
    """Answer to an appeal."""

    text = forms.CharField(
        label=_("Risposta"), max_length=MAX_REASON_CHARACTERS, widget=forms.Textarea(attrs={"rows": 3})
    )
    lift = forms.BooleanField(label=_("Il ricorso è accolto: la decisione si toglie"), required=False)
