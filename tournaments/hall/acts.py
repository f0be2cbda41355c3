"""Acts that halls add to the desk's: a fixture taken to a real table and back (O1), one's own agreed points (O13)."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.core.result import FORFEIT
from tournaments.desk.acts import FixtureAct, register_acts
from tournaments.desk.forms import ActForm, ReplayForm, ResultForm
from tournaments.entries.fixed_tables import MAX_TABLES
from tournaments.hall import own_results, real_table_acts


class RealTableForm(ActForm):
    """Takes a fixture of the site to a real table (O1)."""

    what, title, button = "tavolo-vero", gettext_lazy("Fai giocare al tavolo vero"), gettext_lazy("Al tavolo vero")
    note = gettext_lazy(
        "Si gioca con le carte vere, e il risultato lo scrivi tu. Il tavolo sul sito, se è aperto, si chiude e le sue "
        "carte non contano più; finché non c'è un risultato si può tornare sul sito, da capo."
    )
    table = forms.IntegerField(
        label=gettext_lazy("Numero del tavolo, se ce l'ha"), min_value=1, max_value=MAX_TABLES, required=False
    )
    field_order = ("table", "reason")


class SiteTableForm(ActForm):
    """Takes a fixture back from its real table to the site (O1)."""

    what, title, button = "sul-sito", gettext_lazy("Torna a giocare sul sito"), gettext_lazy("Torna sul sito")
    note = gettext_lazy("Il tavolo sul sito si apre di nuovo, e si comincia dalla prima carta.")


class AgreedForm(ResultForm):
    """The agreed points of a fixture in which the reader plays, that the other side has read (O13)."""

    what, title = "punti-concordati", gettext_lazy("Scrivi il risultato concordato")
    button = gettext_lazy("Scrivi il risultato")
    note = gettext_lazy("Ci giochi tu: vale se l'altra parte lo legge qui e lo conferma. Resta segnato.")
    read = forms.BooleanField(label=gettext_lazy("Letto e confermato dall'altra parte"))

    def __init__(self, data: Mapping[str, Any] | None = None, **more: Any) -> None:
        super().__init__(data, **more)
        for name in self.seldom:
            self.fields.pop(name, None)
        self.fields["reason"].required = False
        self.fields["reason"].widget = forms.HiddenInput()
        ways = self.fields["way"].choices  # type: ignore[attr-defined]
        self.fields["way"].choices = [way for way in ways if way[0] != FORFEIT]  # type: ignore[attr-defined]


def register() -> None:
    """Put them among the desk's, where its page has them."""
    register_acts(
        FixtureAct(
            AgreedForm,
            lambda at: not at.judges and own_results.may_enter_own(at.tournament, at.player, at.fixture),
            lambda form, about: own_results.enter_agreed_result(decision=form.make_decision(), **about),
            more=lambda at: {"terms": at.terms},
        ),
        FixtureAct(
            SiteTableForm,
            lambda at: at.judges and at.is_open and at.tournament.venue.opens_tables and at.fixture.moved,
            lambda form, about: real_table_acts.move_to_site(**about),
        ),
        FixtureAct(
            RealTableForm,
            lambda at: at.judges and at.is_open and at.fixture.venue.opens_tables,
            lambda form, about: real_table_acts.move_to_real_table(table=form.cleaned_data["table"], **about),
        ),
        before=ReplayForm,
    )
