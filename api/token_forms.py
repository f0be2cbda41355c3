"""The form of a key for programs: its name, what it may do, what it may organise, and how long it lasts."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from players import caps
from players.clean_text import clean_line
from players.models import AccessToken, Player
from players.services.tokens import MODERATION, NEW, OWN, make_target
from tournaments.clubs.queries import list_clubs_to_organise_for
from tournaments.core.permissions import list_run_tournaments
from tournaments.models import Club, Tournament

Scope = AccessToken.Scope
MAX_LISTED_TOURNAMENTS = 100  # the newest first; a club's are in the club's


class TokenForm(forms.Form):
    """A new key. What it may organise is chosen here, and can't be widened later."""

    name = forms.CharField(
        label=gettext_lazy("A che cosa serve"),
        help_text=gettext_lazy("Per riconoscerla: per esempio «serata del giovedì»."),
        max_length=60,
        error_messages={"required": gettext_lazy("Dai un nome alla chiave.")},
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Che cosa può fare"),
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.READ],
        error_messages={"required": gettext_lazy("Scegli almeno una cosa.")},
    )
    targets = forms.MultipleChoiceField(
        label=gettext_lazy("Che cosa può organizzare"), widget=forms.CheckboxSelectMultiple, required=False
    )
    days = forms.TypedChoiceField(label=gettext_lazy("Quanto dura"), coerce=int, initial=30)

    def __init__(self, data: Any = None, *, player: Player) -> None:
        super().__init__(data)
        fields: dict[str, Any] = self.fields
        fields["scopes"].choices = [
            (Scope.READ, _("leggere quello che vedi tu")),
            (
                Scope.PLAY,
                _(
                    "quello che fai tu: iscriverti, cercare partite, sederti ai tavoli liberi, seguire e bloccare; mai "
                    "giocare le carte né scrivere in chat"
                ),
            ),
            (Scope.ORGANISE, _("organizzare quello che scegli qui sotto")),
        ]
        fields["days"].choices = [(days, _describe_days(days)) for days in caps.TOKEN_DAYS]
        rows = list_run_tournaments(player).exclude(state=Tournament.State.CANCELLED).order_by("-pk")
        fields["targets"].choices = [
            (NEW, _("i tornei che crea con questa chiave")),
            (OWN, _("quello che è solo tuo: registro, serie, circuiti e webhook")),
            *([(MODERATION, _("la moderazione del sito"))] if player.user.is_staff else []),
            *(
                (make_target("club", club.public_id), _describe_club(club))
                for club in list_clubs_to_organise_for(player)
            ),
            *((make_target("tournament", row.public_id), row.name) for row in rows[:MAX_LISTED_TOURNAMENTS]),
        ]
        for name in self.errors if self.is_bound else ():
            if name in fields:
                fields[name].widget.attrs["aria-invalid"] = "true"

    def clean_name(self) -> str:
        name = clean_line(self.cleaned_data["name"])
        if not name:
            raise forms.ValidationError(_("Dai un nome alla chiave."), code="required")
        return name

    def clean(self) -> None:
        data = self.cleaned_data
        organises, targets = Scope.ORGANISE in data.get("scopes", ()), data.get("targets", ())
        if organises and not targets:
            self.add_error("targets", forms.ValidationError(_("Scegli che cosa può organizzare."), code="required"))
        if targets and "scopes" in data and not organises:
            why = _("Per organizzare spunta anche «organizzare», oppure togli queste spunte.")
            self.add_error("targets", forms.ValidationError(why, code="not_asked"))


def _describe_days(days: int) -> str:
    return ngettext("%(n)d giorno", "%(n)d giorni", days) % {"n": days}


def _describe_club(club: Club) -> str:
    return _("%(club)s: tornei, soci e registro") % {"club": club.name}
