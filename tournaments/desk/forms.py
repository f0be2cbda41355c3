"""The forms of a referee's acts, each with its reason (F2)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import scores
from games.engine.match import find_leader, find_terms
from players.bounds import MOST
from players.models import Player
from tournaments.core import refusals, wording
from tournaments.core.errors import TournamentError
from tournaments.core.game_terms import GamesTerms
from tournaments.core.game_wording import describe_games
from tournaments.core.reasons import MAX_REASON_CHARACTERS
from tournaments.core.result import FORFEIT, FixtureResult, ResultTerms
from tournaments.core.rows import EntryRow
from tournaments.desk.act import Act, compute_seal
from tournaments.desk.clocks import MAX_MINUTES
from tournaments.desk.game_fields import GamesField, GamesWidget, describe_marks, write_result
from tournaments.desk.queries import list_seats
from tournaments.desk.rehearsal import Consequences
from tournaments.desk.results import MAX_POINTS, MAX_VP, Decision
from tournaments.desk.undo import LastEntry
from tournaments.desk.wording import describe_undo
from tournaments.entries.forms import make_another_field
from tournaments.lists.wording import describe_problem
from tournaments.models import Fixture

Pair = tuple[int, int]
DRAW = "pari"
LINES = {"0": (0,), "1": (1,), "01": (0, 1)}


class ActForm(forms.Form):
    """A reason, and the id that lets a form sent twice act once; sent again with something else, it is another act.

    It is done when it is confirmed as its preview showed it (F5): ``sure`` is then the seal of what is typed.
    """

    what: str = ""
    title: Any = ""
    button: Any = ""
    note: Any = ""
    seldom: tuple[str, ...] = ()  # the fields that stand folded up
    yes_or_no = ("expelled", "another", "read", "left_out")  # those whose box stands before its words
    reason = forms.CharField(
        label=gettext_lazy("Motivo, che leggono tutti"),
        max_length=MAX_REASON_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    key = forms.CharField(widget=forms.HiddenInput, max_length=36, required=False)
    stamp = forms.CharField(widget=forms.HiddenInput, max_length=16, required=False)  # of the fixture (O13)

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, names: tuple[str, str] = ("", ""), stamp: str = "", **more: Any
    ) -> None:
        super().__init__(data, initial={"key": str(uuid4()), "stamp": stamp}, auto_id=f"id_{self.what}_%s", **more)
        self.names = names
        self.consequences: Consequences | None = None  # of what was typed, to be confirmed

    @property
    def seal(self) -> str:
        """A digest of what was typed: another one as soon as it is changed."""
        values = {name: value for name, value in self.cleaned_data.items() if name not in ("key", "stamp")}
        return compute_seal(self.what, values)

    def list_usual(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name not in self.seldom]

    def list_seldom(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name in self.seldom]

    @property
    def has_seldom(self) -> bool:
        """Tell if something is written, or wrong, in the fields that stand folded up."""
        return any(field.errors or field.value() not in (None, "") for field in self.list_seldom())

    @property
    def is_confirmed(self) -> bool:
        return bool(self.data.get("sure") == self.seal)

    def make_act(self, by: Player, now: datetime) -> Act:
        key = self.cleaned_data["key"]
        key = f"{key}:{self.seal}" if key else ""
        return Act(by=by, reason=self.cleaned_data["reason"], now=now, key=key, stamp=self.cleaned_data["stamp"])

    def refuse(self, error: TournamentError) -> None:
        """Show why the act was refused; a conflict with what was typed here (O13), to be confirmed on a new stamp."""
        if error.code == "fixture_changed":
            error.values["typed"] = self.describe_typed()
        self.add_error(None, refusals.make_form_error(error))

    def describe_typed(self) -> str:
        return str(self.title)

    def renew_stamp(self, stamp: str) -> None:
        """Carry the stamp of the fixture as it is now, so that what was refused can be sent again knowingly."""
        self.data = {**self.data.dict(), "stamp": stamp} if isinstance(self.data, QueryDict) else self.data


class PauseForm(ActForm):
    what, title, button = "sospendi", gettext_lazy("Sospendi il tavolo"), gettext_lazy("Sospendi")
    note = gettext_lazy("Gli orologi si fermano e nessuno gioca, finché il tavolo non riprende.")


class ResumeForm(ActForm):
    what, title, button = "riprendi", gettext_lazy("Fai riprendere il tavolo"), gettext_lazy("Riprendi")


class PauseAllForm(ActForm):
    what, title, button = "sospendi-tutti", gettext_lazy("Sospendi tutti i tavoli"), gettext_lazy("Sospendi tutti")
    note = gettext_lazy(
        "Si ferma tutto il torneo: finché non riprende non si apre nessun tavolo, e non si perde per assenza."
    )


class ResumeAllForm(ActForm):
    what, title, button = (
        "riprendi-tutti",
        gettext_lazy("Fai riprendere tutti i tavoli"),
        gettext_lazy("Riprendi tutti"),
    )


class TimeForm(ActForm):
    what, title, button = "tempo", gettext_lazy("Restituisci tempo"), gettext_lazy("Restituisci")
    player = forms.TypedChoiceField(label=gettext_lazy("A chi"), coerce=int)
    minutes = forms.IntegerField(label=gettext_lazy("Minuti"), min_value=1, max_value=MAX_MINUTES, initial=1)
    field_order = ("player", "minutes", "reason")

    def __init__(self, data: Mapping[str, Any] | None = None, *, fixture: Fixture, **more: Any) -> None:
        super().__init__(data, **more)
        self.fields["player"].choices = [  # type: ignore[attr-defined]
            (seat.player_id, seat.player.name) for seat in list_seats(fixture) if not seat.player.is_house
        ]


class ForfeitForm(ActForm):
    what, title, button = "forfait", gettext_lazy("Dichiara un forfait"), gettext_lazy("Dichiara il forfait")
    lines = forms.ChoiceField(label=gettext_lazy("Chi perde per forfait"))
    field_order = ("lines", "reason")

    def __init__(self, data: Mapping[str, Any] | None = None, **more: Any) -> None:
        super().__init__(data, **more)
        choices = [("", "—"), ("0", self.names[0]), ("1", self.names[1]), ("01", _("tutti e due"))]
        self.fields["lines"].choices = choices  # type: ignore[attr-defined]


class AnnulForm(ActForm):
    what, title, button = "annulla", gettext_lazy("Annulla l'incontro"), gettext_lazy("Annulla l'incontro")
    note = gettext_lazy("Non conta per nessuno, e resta visibile come annullato.")


class ReinstateForm(ActForm):
    what, title, button = "ripristina", gettext_lazy("Ritira l'annullamento"), gettext_lazy("Ritira l'annullamento")
    note = gettext_lazy("Torna il risultato di prima; se la partita non era finita, si gioca da capo con altre carte.")


class ReplayForm(ActForm):
    what, title, button = "rigioca", gettext_lazy("Fai rigiocare la partita"), gettext_lazy("Fai rigiocare")
    note = gettext_lazy("Si rigioca da capo con altre carte. La partita di prima resta nel diario.")


class ResultForm(ActForm):
    """The points, from which winner, VP and MP follow unless they are written here (F2, V1).

    ``way``: the victory by which a line wins that the points alone don't give it.
    """

    what, title, button = "risultato", gettext_lazy("Stabilisci il risultato"), gettext_lazy("Stabilisci")
    points_0 = forms.IntegerField(min_value=0, max_value=MAX_POINTS)
    points_1 = forms.IntegerField(min_value=0, max_value=MAX_POINTS)
    winner = forms.ChoiceField(label=gettext_lazy("Chi vince"), required=False)
    way = forms.ChoiceField(label=gettext_lazy("Come ha vinto, se non ai punti"), required=False)
    vp_0 = forms.IntegerField(min_value=0, max_value=MAX_VP, required=False)
    vp_1 = forms.IntegerField(min_value=0, max_value=MAX_VP, required=False)
    mp_0 = forms.IntegerField(min_value=-MAX_POINTS, max_value=MAX_POINTS, required=False)
    mp_1 = forms.IntegerField(min_value=-MAX_POINTS, max_value=MAX_POINTS, required=False)
    seldom = ("vp_0", "vp_1", "mp_0", "mp_1")
    field_order = ("points_0", "points_1", "winner", "way", *seldom, "reason")

    def __init__(self, data: Mapping[str, Any] | None = None, *, terms: ResultTerms, **more: Any) -> None:
        super().__init__(data, **more)
        self.terms = terms
        self._offer_ways()
        for line, name in enumerate(self.names):
            self.fields[f"vp_{line}"].label = _("VP di %(name)s, se non quelli della tabella") % {"name": name}
            self.fields[f"mp_{line}"].label = _("MP di %(name)s, se non la differenza dei punti") % {"name": name}
            if not terms.has_vp:
                del self.fields[f"vp_{line}"], self.fields[f"mp_{line}"]

    def _offer_ways(self) -> None:
        """Offer who may have won, and how."""
        terms, rules = self.terms, find_terms(self.terms.setup)
        choices = [("", _("— come dicono i punti")), ("0", self.names[0]), ("1", self.names[1])]
        if rules.level == "draw":
            choices.append((DRAW, _("nessuno: pari")))
        self.fields["winner"].choices = choices  # type: ignore[attr-defined]
        ways = (*scores.list_endings(terms.setup), FORFEIT)
        self.fields["way"].choices = [("", "—"), *((way, wording.describe_decision(way)) for way in ways)]  # type: ignore[attr-defined]
        for line, name in enumerate(self.names):
            self.fields[f"points_{line}"].label = _("Punti di %(name)s") % {"name": name}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for kind in ("vp", "mp"):
            if (data.get(f"{kind}_0") is None) != (data.get(f"{kind}_1") is None):
                why = _("Scrivili tutti e due, o nessuno.")
                self.add_error(f"{kind}_0", forms.ValidationError(why, code="one_missing"))
        return data

    def describe_typed(self) -> str:
        """Return the result that was typed."""
        data = self.cleaned_data
        return f"{data['points_0']}–{data['points_1']}"

    def make_decision(self) -> Decision:
        data = self.cleaned_data
        points = (data["points_0"], data["points_1"])
        if data["winner"]:
            winner = None if data["winner"] == DRAW else int(data["winner"])
        else:
            winner = find_leader(find_terms(self.terms.setup), points)
        vp, mp = self._read_pair("vp"), self._read_pair("mp")
        return Decision(points=points, winner=winner, decided_by=data["way"], vp=vp, mp=mp)

    def _read_pair(self, kind: str) -> Pair | None:
        first, second = self.cleaned_data.get(f"{kind}_0"), self.cleaned_data.get(f"{kind}_1")
        return None if first is None or second is None else (first, second)


class GamesResultForm(ResultForm):
    """The games of a fixture that has several (EV1), from which all follows unless VP and MP are written here."""

    points_0 = None  # type: ignore[assignment]
    points_1 = None  # type: ignore[assignment]
    winner = None  # type: ignore[assignment]
    way = None  # type: ignore[assignment]
    note = gettext_lazy("Con partite che non bastano a nessuno per vincere, l'incontro torna da finire.")
    terms: GamesTerms

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, terms: GamesTerms, stored: FixtureResult, **more: Any
    ) -> None:
        super().__init__(data, terms=terms, **more)
        self.fields["games"] = GamesField(
            terms,
            label=describe_games(terms.games).capitalize(),
            help_text=describe_marks(terms),
            widget=GamesWidget(terms, self.names),
        )
        self.initial["games"] = write_result(stored)
        self.order_fields(("games", *self.seldom, "reason"))

    def _offer_ways(self) -> None:
        """Offer nothing: who wins, the games say."""

    def describe_typed(self) -> str:
        return str(self.cleaned_data["games"].text)

    def make_decision(self) -> Decision:
        typed = self.cleaned_data["games"]
        return Decision(
            points=typed.won, winner=None, games=typed.games, vp=self._read_pair("vp"), mp=self._read_pair("mp")
        )


class UndoForm(ActForm):
    """Takes back the reader's last entry of a result, if there is one; with a reason where the entry had one (O13)."""

    what, title = "torna-indietro", gettext_lazy("Ritira l'ultimo risultato che hai scritto")
    button = gettext_lazy("Ritira il risultato")
    entry = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=MOST)

    def __init__(self, data: Mapping[str, Any] | None = None, *, last: LastEntry | None, **more: Any) -> None:
        super().__init__(data, stamp="" if last is None else last.stamp, **more)
        if last is not None:
            self.note = describe_undo(last.entered, last.names)
            self.initial["entry"] = last.log_id
        if last is None or not last.entered.reason:
            self.fields["reason"].required = False
            self.fields["reason"].widget = forms.HiddenInput()


class LeaveForm(ActForm):
    what, title, button = "ritira", gettext_lazy("Ritira o espelli un iscritto"), gettext_lazy("Togli dal torneo")
    entry = forms.TypedChoiceField(label=gettext_lazy("Iscritto"), coerce=int)
    expelled = forms.BooleanField(label=gettext_lazy("È un'espulsione"), required=False)
    field_order = ("entry", "expelled", "reason")

    def __init__(self, data: Mapping[str, Any] | None = None, *, entries: Sequence[EntryRow], **more: Any) -> None:
        super().__init__(data, **more)
        self.fields["entry"].choices = [("", "—"), *((entry.entry_id, entry.name) for entry in entries)]  # type: ignore[attr-defined]


class ReturnForm(ActForm):
    what, title, button = "riprendi-iscritto", gettext_lazy("Riprendi un iscritto"), gettext_lazy("Riprendi nel torneo")
    note = gettext_lazy(
        "I suoi risultati tornano a contare, e si gioca quello che ha lasciato. Non si può se altri incontri si sono "
        "già aperti o decisi perché non c'era. Chi si era ritirato da sé è invitato, e torna se accetta."
    )
    entry = forms.TypedChoiceField(label=gettext_lazy("Iscritto"), coerce=int)
    field_order = ("entry", "reason")

    def __init__(self, data: Mapping[str, Any] | None = None, *, entries: Sequence[EntryRow], **more: Any) -> None:
        super().__init__(data, **more)
        self.fields["entry"].choices = [("", "—"), *((entry.entry_id, entry.name) for entry in entries)]  # type: ignore[attr-defined]


class ReplaceForm(ActForm):
    what, title, button = "sostituisci", gettext_lazy("Sostituisci un giocatore"), gettext_lazy("Sostituisci")
    note = gettext_lazy(
        "Chi entra è invitato, e vale quando accetta, dal prossimo incontro. Quello che si è giocato resta."
    )
    out = forms.ChoiceField(label=gettext_lazy("Chi esce"))
    name = forms.CharField(label=gettext_lazy("Chi entra (il suo nome qui)"), max_length=64)
    another = make_another_field()
    field_order = ("out", "name", "another", "reason")

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        entries: Sequence[EntryRow],
        enters_names: bool = False,
        reserve: str = "",
        **more: Any,
    ) -> None:
        super().__init__(data, **more)
        self.enters_names = enters_names
        if reserve:  # when pairs were drawn (EV2)
            self.fields["name"].initial = reserve
            self.fields["name"].help_text = _("%(name)s era rimasto fuori dalle coppie: entra per primo.") % {
                "name": reserve
            }
        if not self.data.get("another"):  # shown to whoever has been told that the name is there
            self.fields["another"].widget = forms.HiddenInput()
        if enters_names:  # names are nobody's account there (O2): nobody is asked
            self.note = gettext_lazy("Chi entra gioca dal prossimo incontro. Quello che si è giocato resta.")
            self.fields["name"].label = _("Chi entra")
        choices = [("", "—")] + [
            (f"{entry.entry_id} {key}", f"{entry.name}: {name}" if entry.people else name)
            for entry in entries
            for key, (name, _page) in zip(
                entry.person_ids if enters_names else entry.player_ids, entry.linked, strict=False
            )  # on the site everybody has an account
        ]
        self.fields["out"].choices = choices  # type: ignore[attr-defined]

    def refuse(self, error: TournamentError) -> None:
        """Show why the act was refused, and where a name is in already a box that says it is another person's."""
        if error.code != "list_refused":
            super().refuse(error)
            return
        self.fields["another"].widget = forms.CheckboxInput()
        for problem in error.values["problems"]:
            why = describe_problem(problem.code, problem.typed, problem.other)
            self.add_error("name", forms.ValidationError(why, code=problem.code))
