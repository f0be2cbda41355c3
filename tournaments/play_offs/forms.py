"""Forms of the acts on play-offs (EV11), each behind its name among the acts of its page."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.game import Length
from games.wording import describe_length
from players.bounds import MOST
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.permissions import may_judge_between
from tournaments.core.wording import write_ordinal
from tournaments.desk.forms import LINES, ActForm, ForfeitForm, ResultForm
from tournaments.formats.protocol import Slot
from tournaments.models import Tournament
from tournaments.play_offs import actions
from tournaments.play_offs.queries import PlayOffMatch, SharedRank, ShownPlayOff, list_shared_ranks
from tournaments.play_offs.wording import list_names, name_play_off

About = dict[str, Any]  # what every service is called with
OPTIONAL = gettext_lazy("Motivo, se serve: lo leggono tutti")


def _free_reason(form: ActForm) -> None:
    """Have a form go without a reason: a first result needs none (F2)."""
    form.fields["reason"].required = False
    form.fields["reason"].label = OPTIONAL


class OpenForm(ActForm):
    """A play-off of all who share a rank, as its page showed them: of others it is refused."""

    button = gettext_lazy("Apri lo spareggio")
    note = gettext_lazy(
        "Due giocano un incontro, in più un piccolo KO: chi passa il primo turno lo dice il sorteggio del torneo. "
        "Decide solo i posti di questi: i VP restano quelli."
    )
    length = forms.ChoiceField(label=gettext_lazy("Ogni partita si gioca"))
    entries = forms.CharField(widget=forms.HiddenInput, max_length=200)
    field_order = ("length", "reason")

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, shared: SharedRank, lengths: Sequence[Length], own: Length
    ) -> None:
        self.what = f"apri-{shared.rank}"
        values = {"place": write_ordinal(shared.rank), "names": list_names(shared.entries)}
        self.title = _("%(place)s posto: spareggio fra %(names)s") % values
        super().__init__(data)
        _free_reason(self)
        choices = [(f"{length.kind} {length.value}", describe_length(length.kind, length.value)) for length in lengths]
        self.fields["length"].choices = choices  # type: ignore[attr-defined]
        self.initial["length"] = f"{own.kind} {own.value}" if own in lengths else choices[0][0] if choices else ""
        self.initial["entries"] = " ".join(str(entry.entry_id) for entry in shared.entries)

    def clean_entries(self) -> list[int]:
        """Return the ids of the entries; of what can't be one nobody's."""
        typed: str = self.cleaned_data["entries"]
        return [int(part) for part in typed.split() if part.isdecimal() and len(part) < 16 and int(part) <= MOST]

    def apply(self, about: About) -> None:
        kind, value = self.cleaned_data["length"].split(" ")
        length = Length(kind, int(value))
        actions.open_play_off(entry_ids=self.cleaned_data["entries"], length=length, **about)


class PlayOffResultForm(ResultForm):
    """The result of a match of a play-off; the first one without a reason."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, number: int, match: PlayOffMatch, terms: Any) -> None:
        self.number, self.slot = number, match.slot
        self.what = name_form("risultato", number, match.slot)
        self.title: Any = _("%(first)s contro %(second)s: risultato") % name_sides(match)
        super().__init__(data, names=match.names, terms=terms)
        if match.result is None:
            _free_reason(self)

    def apply(self, about: About) -> None:
        actions.set_result(number=self.number, slot=self.slot, decision=self.make_decision(), **about)


class PlayOffForfeitForm(ForfeitForm):
    """A forfeit of a match of a play-off."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, number: int, match: PlayOffMatch) -> None:
        self.number, self.slot = number, match.slot
        self.what = name_form("forfait", number, match.slot)
        self.title: Any = _("%(first)s contro %(second)s: forfait") % name_sides(match)
        super().__init__(data, names=match.names)
        if match.result is None:
            _free_reason(self)

    def apply(self, about: About) -> None:
        sides = LINES[self.cleaned_data["lines"]]
        actions.declare_forfeit(number=self.number, slot=self.slot, sides=sides, **about)


class TakeBackForm(ActForm):
    """Takes back the result of a match of a play-off."""

    button = gettext_lazy("Ritira il risultato")

    def __init__(self, data: Mapping[str, Any] | None = None, *, number: int, match: PlayOffMatch) -> None:
        self.number, self.slot = number, match.slot
        self.what = name_form("ritira", number, match.slot)
        self.title = _("%(first)s contro %(second)s: ritira il risultato") % name_sides(match)
        super().__init__(data)

    def apply(self, about: About) -> None:
        actions.take_result_back(number=self.number, slot=self.slot, **about)


class DropForm(ActForm):
    """Takes a whole play-off away."""

    button = gettext_lazy("Togli lo spareggio")
    note = gettext_lazy("I posti tornano com'erano senza. Nel diario resta scritto che c'era, e perché non c'è più.")

    def __init__(self, data: Mapping[str, Any] | None = None, *, play_off: ShownPlayOff) -> None:
        self.number = play_off.plan.number
        self.what = f"togli-{self.number}"
        named = {"play_off": name_play_off(self.number, play_off.plan.rank)}
        self.title = _("%(play_off)s: togli") % named
        super().__init__(data)

    def apply(self, about: About) -> None:
        actions.drop_play_off(number=self.number, **about)


PlayOffForm = OpenForm | PlayOffResultForm | PlayOffForfeitForm | TakeBackForm | DropForm


def name_form(act: str, number: int, slot: Slot) -> str:
    """Return what the form of a match is called on its page."""
    return f"{act}-{number}-{slot.round}-{slot.board}"


def name_sides(match: PlayOffMatch) -> dict[str, str]:
    """Return the names of a match's sides, for a sentence."""
    return {"first": match.names[0], "second": match.names[1]}


def build_forms(
    data: Mapping[str, Any] | None, tournament: Tournament, player: Player, play_offs: Sequence[ShownPlayOff]
) -> list[PlayOffForm]:
    """Return the forms of what a referee may do to play-offs now; the one that was sent is bound. None where it is too
    early, or closed, and of a match that they play in (F1)."""
    try:
        actions.require_open(tournament)
    except TournamentError:
        return []
    lengths = actions.list_play_off_lengths(tournament)
    own = Length(tournament.length_kind, tournament.length_value)  # type: ignore[arg-type]
    what = None if data is None else str(data.get("what", ""))

    def bind(name: str, make: Callable[..., PlayOffForm], **about: Any) -> PlayOffForm:
        return make(data if name == what else None, **about)

    made: list[PlayOffForm] = []
    for play_off in reversed(play_offs):
        number, terms = play_off.plan.number, actions.make_terms(tournament, play_off.plan.length)
        ready = [match for match in play_off.matches if match.ready]
        judged = [match for match in ready if may_judge_between(tournament, player, _list_ids(match))]
        for match in judged:
            about = {"number": number, "match": match}
            made.append(bind(name_form("risultato", number, match.slot), PlayOffResultForm, terms=terms, **about))
            made.append(bind(name_form("forfait", number, match.slot), PlayOffForfeitForm, **about))
            if match.result is not None:
                made.append(bind(name_form("ritira", number, match.slot), TakeBackForm, **about))
        if all(match in judged for match in ready if match.result is not None):
            made.append(bind(f"togli-{number}", DropForm, play_off=play_off))
    made += [
        bind(f"apri-{shared.rank}", OpenForm, shared=shared, lengths=lengths, own=own)
        for shared in list_shared_ranks(tournament)
    ]
    return made


def _list_ids(match: PlayOffMatch) -> list[int]:
    return [side.entry_id for side in (match.first, match.second) if side is not None]
