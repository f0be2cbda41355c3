"""The forms a match is set up with: what tournaments and free tables share, and the free table's own.

The options are fields made of the rulesets' own lists (``games.options``), each with its sentence: those that fit what
is chosen so far, and, for a browser without a script, the game's others too. What can't be played so is refused by the
services; ``misfit`` puts the refusal beside its field, and nothing typed is lost.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, get_args

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import options, wording
from games.engine.game import Context, Length, LengthKind, Setup
from games.options import Also, SetupFault
from games.rules import RULESETS
from players.web.requests import read_number

TURN_TIMEOUTS = (15, 20, 30, 45, 60, 90, 120)
MATCH_CLOCKS = (180, 300, 600, 900, 1200, 1800, 2700)
OFF = ""
OPTION = "option_"  # before the name of each option's field
SHOW = "mostra"  # the button, and the script, that ask for the options of what is chosen now

# What is switched on in a new form, as most Italian clubs play; everything else begins as the record format has it:
# off, "rulebook", "obbligatoria".
SUGGESTED: dict[tuple[str, str], bool | str] = {
    ("tresette", "vinco_subito"): True,  # nobody plays on when a line has its points
    ("tresette", "dichiarazioni"): True,  # in pairs one talks about the suit led
    ("tresette-a-perdere", "dichiarazioni"): False,
    ("tressette-classico", "segnali"): "tre",  # busso, volo, striscio: the game's own language
}
FEW = 24  # lengths that can be named one by one

FormValues = dict[str, Any]  # by field, as Django's forms take and give them


def list_durations(values: Iterable[int], *, off: bool) -> list[tuple[str, str]]:
    """Lengths of time to choose from; ``off``: and none."""
    choices = [(str(value), wording.describe_duration(value)) for value in values]
    return [*choices, (OFF, wording.describe_duration(None))] if off else choices


def asks_for_options(data: Any) -> bool:
    """Return whether what was posted asks to see the options first: by the button, or because the game is another than
    the one whose options were on the page. Nobody plays by options they haven't seen."""
    shown = str(data.get("shown", "")).split()
    chosen = data.get("ruleset")
    return SHOW in data or (bool(shown) and chosen in RULESETS and shown[0] != chosen)


class MatchForm(forms.Form):
    """Game, length, options and clocks. Subclasses say for how many and in what context (``_players``, ``_context``),
    and what else refuses a length (``also``)."""

    also: Also = staticmethod(options.refuse_nothing)
    contexts: tuple[Context, ...] = ("free",)

    ruleset = forms.ChoiceField(label=gettext_lazy("Gioco"), widget=forms.RadioSelect, initial="scopa")
    length_kind = forms.ChoiceField(label=gettext_lazy("Ogni partita si gioca"), initial="points")
    length_value = forms.IntegerField(label=gettext_lazy("Quanti"), min_value=1, max_value=101, initial=11)
    turn_timeout = forms.TypedChoiceField(
        label=gettext_lazy("Tempo per giocata"), coerce=int, empty_value=None, required=False, initial="60"
    )
    match_clock = forms.TypedChoiceField(
        label=gettext_lazy("Tempo partita, per giocatore"), coerce=int, empty_value=None, required=False, initial="900"
    )

    def __init__(self, *args: Any, scripted: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fitting: list[str] = []  # names of the option fields that fit what is chosen
        self.others: list[str] = []  # and of the game's others, where no script asks for them in time
        self.choose("ruleset", [(code, wording.name_ruleset(code)) for code in self._rulesets()])
        self.choose("length_kind", self._kinds())
        self.choose("turn_timeout", list_durations(TURN_TIMEOUTS, off=True))
        self.choose("match_clock", list_durations(MATCH_CLOCKS, off=True))
        self.fields["length_value"].widget.attrs["inputmode"] = "numeric"
        self._narrow()
        chosen = str(self.raw("ruleset"))
        self.chosen = chosen if chosen in RULESETS else str(self.fields["ruleset"].initial)
        if SHOW in self.initial:
            self._forget_unseen()
            self._suggest_length(self.list_allowed())
        self._narrow_kinds()
        self._add_options(scripted)

    @staticmethod
    def _kinds() -> list[tuple[str, Any]]:
        return [("points", _("a punti")), ("deals", _("a smazzate"))]

    def _narrow_kinds(self) -> None:
        """Offer the kinds of length that such a match may have, and the one chosen: the rules say why it is refused."""
        kinds = {length.kind for length in self.list_allowed()}
        if self.is_bound:
            kinds.add(self._kind())
        self.choose("length_kind", [choice for choice in self._kinds() if choice[0] in kinds] or self._kinds())

    def choose(self, name: str, offered: Iterable[tuple[str, Any]]) -> None:
        """The choices of a field."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(offered)

    def mark_errors(self) -> None:
        """Say of each refused field that it is one."""
        for name in self.errors:
            if name in self.fields:
                self.fields[name].widget.attrs["aria-invalid"] = "true"

    # --- What is chosen so far ---------------------------------------------------------------------------------------

    def raw(self, name: str) -> Any:
        """Return the value of a field now, typed or not, clean or not."""
        field = self.fields[name]
        if self.is_bound:
            return field.widget.value_from_datadict(self.data, self.files, self.add_prefix(name))
        return self.get_initial_for_field(field, name)

    def _players(self) -> int:
        return self._player_counts()[0]

    def _context(self) -> Context:
        return "free"

    def _rulesets(self) -> list[str]:
        return list(RULESETS)

    def _narrow(self) -> None:
        """Leave out choices that the rest has no use for."""

    def _player_counts(self) -> tuple[int, ...]:
        return RULESETS[self.chosen].players

    def _kind(self) -> LengthKind:
        return "deals" if self.raw("length_kind") == "deals" else "points"

    def _draft(
        self, players: int | None = None, context: Context | None = None, kind: LengthKind | None = None
    ) -> Setup:
        """Return the setup chosen so far, without options; its length stands for all of its kind."""
        length = Length(kind or self._kind(), 1)
        return options.build_setup(self.chosen, players or self._players(), length, context or self._context(), {})

    # --- Options -----------------------------------------------------------------------------------------------------

    def _forget_unseen(self) -> None:
        """Options that weren't on the page yet, or didn't fit and were left off, begin as in a new form."""
        seen = str(self.initial.get("shown", "")).split()
        for name in options.list_choices(self.chosen):
            chosen = f"-{name}" in seen and self.initial.get(OPTION + name)
            if seen[:1] != [self.chosen] or not (name in seen or chosen):
                self.initial.pop(OPTION + name, None)

    def leaves_unseen(self) -> bool:
        """Return whether an option that is suggested fits only by what was chosen on this very page, and was left off:
        without a script it is then shown once more, switched on."""
        seen = str(self.data.get("shown", "")).split()
        return any(
            f"-{name}" in seen and SUGGESTED.get((self.chosen, name)) is True and not self._option_now(name)
            for name in self._names(self.fitting)
        )

    def _add_options(self, scripted: bool) -> None:
        for name, values in options.list_choices(self.chosen).items():
            fits = options.fits(self._draft(), name, self.also)
            if not fits and not any(
                options.fits(self._draft(players, context), name, self.also, any_kind=True)
                for players in self._player_counts()
                for context in self.contexts
            ):
                continue
            field = self._option_field(name, values)
            if not fits and type(values[0]) is bool:
                field.initial = False
            key = OPTION + name
            self.fields[key] = field
            refused = self.is_bound and options.is_on(self.chosen, name, self._option_now(name))
            if fits or refused:
                self.fitting.append(key)
            elif not scripted:
                self.others.append(key)

    def _option_now(self, name: str) -> bool | str:
        """Return the value of an option now, typed or not, whether there is a field of it or not."""
        key = OPTION + name
        suggested = SUGGESTED.get((self.chosen, name), RULESETS[self.chosen].options[name].default)
        raw = self.data.get(self.add_prefix(key)) if self.is_bound else self.initial.get(key, suggested)
        return self._option_value(name, raw)

    def _option_field(self, name: str, values: tuple[bool | str, ...]) -> forms.Field:
        label, sentence = wording.describe_option(self.chosen, name)
        initial = SUGGESTED.get((self.chosen, name), values[0])
        if type(values[0]) is bool:
            return forms.BooleanField(label=label, help_text=sentence, required=False, initial=initial)
        return forms.ChoiceField(
            label=label,
            help_text=sentence,
            required=False,
            initial=initial,
            widget=forms.RadioSelect,
            choices=[(value, wording.describe_option_value(name, str(value))) for value in values],
        )

    def _option_value(self, name: str, raw: Any) -> bool | str:
        default = RULESETS[self.chosen].options[name].default
        if type(default) is bool:
            return bool(raw)
        return str(raw) if raw else default

    @staticmethod
    def _names(keys: Iterable[str]) -> list[str]:
        return [key.removeprefix(OPTION) for key in keys]

    def chosen_options(self) -> dict[str, bool | str]:
        """The options chosen, without those left as they are when nothing is said; only after ``is_valid``."""
        options_on: dict[str, bool | str] = {}
        for name in options.list_choices(self.chosen):
            if OPTION + name not in self.cleaned_data:
                continue
            value = self._option_value(name, self.cleaned_data[OPTION + name])
            if options.is_on(self.chosen, name, value) and (
                name not in options.MATTERS or options.fits(self._draft(), name)
            ):
                options_on[name] = value
        return options_on

    @property
    def memory(self) -> str:
        """Return the page's memory: the game of its options, and which; with a "-" those that didn't fit yet."""
        others = [f"-{name}" for name in self._names(self.others)]
        return " ".join([self.chosen, *self._names(self.fitting), *others])

    @property
    def fitting_options(self) -> list[Any]:
        return [self[key] for key in self.fitting]

    @property
    def other_options(self) -> list[Any]:
        return [self[key] for key in self.others]

    # --- Lengths -----------------------------------------------------------------------------------------------------

    def list_allowed(self) -> list[Length]:
        """The lengths such a match may have, of each kind with the options that fit it."""
        lengths: list[Length] = []
        for kind in get_args(LengthKind):
            draft = self._draft(kind=kind)
            fitting = {
                name: value
                for name, values in options.list_choices(self.chosen).items()
                if (value := self._option_now(name)) in values and options.fits(draft, name, self.also)
            }
            every = options.list_lengths(replace(draft, options=fitting), self.also)
            lengths += [length for length in every if length.kind == kind]
        return lengths

    @property
    def length_help(self) -> str:
        """Return those lengths in words."""
        return wording.describe_lengths(self.list_allowed())

    def _suggest_length(self, allowed: list[Length]) -> None:
        """Begin with the usual length of the game just chosen, where nobody typed another; and with one it knows, where
        it knows only a few and the one typed isn't among them."""
        typed_value = str(self.raw("length_value")).strip()
        before, usual = str(self.initial.get("shown", "")).split(" ")[0], options.USUAL_LENGTHS.get(self.chosen)
        if before != self.chosen and usual in allowed and self._is_usual_of(before, typed_value):
            self.initial["length_kind"], self.initial["length_value"] = usual
            return
        if not allowed or len(allowed) > FEW:
            return
        same = [length for length in allowed if length.kind == self._kind()]
        if typed_value in [str(length.value) for length in same]:
            return
        number = read_number(typed_value, 0, digits=3)
        best = min(same or allowed, key=lambda length: abs(length.value - number))
        self.initial["length_kind"], self.initial["length_value"] = best.kind, best.value

    def _is_usual_of(self, ruleset: str, typed_value: str) -> bool:
        """Return whether the length chosen is the usual one of another game."""
        usual = options.USUAL_LENGTHS.get(ruleset)
        return usual is not None and (self._kind(), typed_value) == (usual.kind, str(usual.value))

    # --- Refusals ----------------------------------------------------------------------------------------------------

    field_of = {"length": "length_value", "ruleset": "ruleset"}  # what a fault is about, and its field

    def misfit(self, fault: SetupFault) -> None:
        """Put what the rules refuse beside the field it is about."""
        key = OPTION + fault.about
        field = key if key in self.fields else self.field_of.get(fault.about)
        why = wording.describe_setup_fault(fault.about, fault.code, fault.allowed)
        self.refuse_at(field, forms.ValidationError(why, code=fault.code))

    def refuse_at(self, field: str | None, why: forms.ValidationError) -> None:
        """Put a refusal of the services beside a field, or on top."""
        self.add_error(field, why)
        if field is not None:
            self.fields[field].widget.attrs["aria-invalid"] = "true"


def read_typed(form: type[MatchForm], data: Any) -> FormValues:
    """Return the posted values, as the beginning of a fresh form that shows the options of what is chosen in it."""
    held: FormValues = {
        name: field.widget.value_from_datadict(data, {}, name) for name, field in form.base_fields.items()
    }
    for names in (options.list_choices(ruleset) for ruleset in RULESETS):
        for name, values in names.items():
            key = OPTION + name
            held[key] = key in data if type(values[0]) is bool else data.get(key) or values[0]
    return {**held, "shown": data.get("shown", ""), SHOW: True}
