"""Fields of a tournament's form by the step that asks for them, and by place there: in sight, folded, or not at all.

Only what applies is shown: the server leaves out the options of other formats, the style sheet what hangs on a choice
of the same page (``when-…``); a field with an error is always in sight.
"""

from dataclasses import dataclass
from datetime import datetime

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext as _

from games.engine.game import Length
from games.forms import OPTION
from games.wording import describe_length
from players.web.requests import read_number
from tournaments.core.errors import TournamentError
from tournaments.core.wording import name_format_short, name_ruleset
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Format
from tournaments.organise.format_form import OPTIONS, ORDERED
from tournaments.organise.order_form import PLACES, OrderForm
from tournaments.organise.settings import Settings, check_match, check_settings, require_date

PLAY_STEP, FIELD_STEP, SUMMARY_STEP = 1, 2, 3  # what is played; when, where and who; all of it in view
PLAYED = frozenset({"ruleset", "format", "seats_an_entry", "length_kind", "length_value"})
CLOCKS = ("turn_timeout", "match_clock", "noshow_after", "pause", "round_minutes", "round_hours", "publishes_rounds")
FINE_POINTS = (
    *("equal_deals", "fours", "seeding", "tie_break", *PLACES, "level_min", "level_max", "checkin_minutes"),
    *("house_allowed", "house_strength"),
)
WORDS = ("description", "club", "time_zone")
ONLY_WITH_HOUR = frozenset({"checkin_minutes", "round_hours"})  # without one they mean nothing
ONLY_WITH_VP = ("tie_break", *PLACES, "equal_deals", "fours")  # where everybody goes on playing
ONLY_ON_SITE = frozenset(
    {*CLOCKS, "fours", "level_min", "level_max", "checkin_minutes", "house_allowed", "house_strength"}
)  # real tables have no clocks (O1)


@dataclass(frozen=True, slots=True)
class FormRow:
    """A field as a step shows it: ``kind`` says how, ``only`` when."""

    field: forms.BoundField
    kind: str
    only: str = ""


@dataclass(frozen=True, slots=True)
class FoldedRows:
    """Fields that most people leave as they are; open where one of them has an error, shown where ``only`` says."""

    title: str
    rows: tuple[FormRow, ...]
    open: bool
    only: str


class StepFields(OrderForm):
    """Form fields by step, and the first step that has a fault."""

    def read_settings(self) -> Settings:
        """Return the settings that were chosen; only after ``is_valid``."""
        raise NotImplementedError

    def refuse(self, error: TournamentError) -> None:
        """Show a service's refusal beside the field it is about."""
        raise NotImplementedError

    def find_format(self) -> Format:
        """Return the format that is chosen now, the first where there is none."""
        return FORMATS.get(str(self["format"].value()), ORDERED[0])

    def is_foreign(self, name: str) -> bool:
        """Return whether a field is an option of other formats alone."""
        return name in OPTIONS and name not in self.find_format().options

    def find_step(self, name: str) -> int:
        """Return the step that asks for a field; what is about none of them stands in the summary."""
        if name == NON_FIELD_ERRORS:
            return SUMMARY_STEP
        return PLAY_STEP if name in PLAYED or name.startswith(OPTION) else FIELD_STEP

    def find_step_of_errors(self) -> int | None:
        """Return the first step that has an error, None without one."""
        return min((self.find_step(name) for name in self.errors), default=None)

    def find_faulty_step(self, now: datetime) -> int | None:
        """Check all that was typed, as storing it would, and return the first step that has a fault; None without."""
        try:
            if self.is_valid():
                self.check_plan(self.read_settings(), now)
            elif self.find_step_of_errors() != PLAY_STEP:
                data = self.cleaned_data
                format_, options = self.find_format(), self.chosen_options()  # type: ignore[attr-defined]
                length = Length(data["length_kind"], data["length_value"])
                check_match(format_, data["ruleset"], data["seats_an_entry"], length, options)
        except TournamentError as error:
            self.refuse(error)
        return self.find_step_of_errors()

    def check_plan(self, settings: Settings, now: datetime) -> None:
        """Raise TournamentError for settings that can't be run from now."""
        check_settings(settings)
        require_date(settings, now)

    # --- What a step shows -------------------------------------------------------------------------------------------

    def describe_play(self) -> str:
        """Return what is played, in a few words, for the steps after the first."""
        ruleset, kind, value = (self[name].value() for name in ("ruleset", "length_kind", "length_value"))
        length = describe_length(kind, read_number(str(value), 0))
        return " · ".join((name_ruleset(ruleset), name_format_short(self.find_format().id), length))

    def list_size_rows(self) -> list[FormRow]:
        """Return how many may enter, and what of the chosen format hangs on that: rounds, groups."""
        numbers = [name for name in OPTIONS if not self._is_switch(name)]
        return self._list_rows("min_entries", "max_entries", *numbers)

    def list_entering_rows(self) -> list[FormRow]:
        """Return who may enter, and how."""
        return [
            *self._list_rows("registration"),
            *self._list_rows("join_code", only="when-code"),
            *self._list_rows("guests_allowed", only="when-open"),
            *self._list_rows("guests_listed", only="when-listed"),
        ]

    def list_folded(self) -> list[FoldedRows]:
        """Return what is folded."""
        switches = [name for name in OPTIONS if self._is_switch(name)]
        groups = (
            (_("I tempi, al tavolo e fra i turni"), CLOCKS),
            (_("Teste di serie, check-in e altre regole"), (*FINE_POINTS, *switches)),
            (_("Presentazione, circolo e fuso orario"), WORDS),
        )
        return [
            FoldedRows(
                title,
                tuple(self._list_rows(*names)),
                any(name in self.errors for name in names),
                "only-site" if ONLY_ON_SITE.issuperset(names) else "",
            )
            for title, names in groups
        ]

    def _list_rows(self, *names: str, only: str = "") -> list[FormRow]:
        return [
            FormRow(self[name], self._find_kind(name), only or _find_condition(name))
            for name in names
            if name in self.fields and (self._applies(name) or name in self.errors)
        ]

    def _applies(self, name: str) -> bool:
        if name in PLACES and name not in self.list_order_names():
            return False
        return not self.is_foreign(name) and (name not in ONLY_WITH_VP or self.find_format().has_vp)

    def _is_switch(self, name: str) -> bool:
        return isinstance(self.fields[name], forms.BooleanField)

    def _find_kind(self, name: str) -> str:
        if self._is_switch(name):
            return "choice"
        return "radios" if isinstance(self.fields[name].widget, forms.RadioSelect) else "field"


def _find_condition(name: str) -> str:
    """Return the classes of a field that is shown only with some choices."""
    hour, site = ("when-hour", name in ONLY_WITH_HOUR), ("only-site", name in ONLY_ON_SITE)
    order = ("when-order", name in PLACES)
    return " ".join(condition for condition, holds in (hour, site, order) if holds)
