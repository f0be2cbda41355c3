"""Fields of a tournament's form by their place: in sight, or folded with their values in words.

Only what applies is shown: the server leaves out the options of other formats, the style sheet what hangs on a choice
of the same page (``when-…``); a field with an error is always in sight, and its fold open.
"""

from dataclasses import dataclass
from datetime import datetime

from django import forms
from django.utils.translation import gettext as _

from games.engine.game import Length
from tournaments.core.errors import TournamentError
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Format
from tournaments.organise.fold_words import FoldWords
from tournaments.organise.format_form import OPTIONS, ORDERED
from tournaments.organise.games_form import GamesForm
from tournaments.organise.order_form import PLACES, OrderForm
from tournaments.organise.settings import Settings, check_match, check_settings, require_date

IN_SIGHT = frozenset(
    {
        *("name", "ruleset", "seats_an_entry", "partners", "format", "games"),
        *("start", "starts_at", "weekday", "hour", "days_ahead"),
    }
)
PLAYED = frozenset({"ruleset", "format", "seats_an_entry", "length_kind", "length_value"})
VENUE = ("venue", "hall_tables")
ENTERING = (
    *("registration", "join_code", "guests_allowed", "guests_listed", "level_min", "level_max"),
    *("house_allowed", "house_strength", "pairs_stay"),
)
TIMES = (
    *("clock_minutes", "clock_end", "turn_timeout", "match_clock", "noshow_after", "pause", "round_minutes"),
    *("round_hours", "publishes_rounds"),
)
SIZES = ("min_entries", "max_entries")
GAMES = ("games_in_ko", "games_late", "only_games_won")  # beside the number that is in sight (EV1)
FINE_POINTS = ("team_size", "team_tables", "checkin_minutes", "seeding", "equal_deals", "fours")
ORDER = ("tie_break", *PLACES)
TEXTS = ("description", "club", "time_zone")

ONLY_WITH_VP = (*ORDER, "equal_deals", "fours")  # where everybody goes on playing
CONDITIONS = {  # classes of a field that is shown only with some choices
    **dict.fromkeys(("hall_tables", "clock_minutes", "clock_end", "team_size"), "only-real"),
    **dict.fromkeys(GAMES, "only-real"),
    "team_tables": "only-real when-teams",
    **dict.fromkeys(  # real tables have no clocks (O1)
        ("turn_timeout", "match_clock", "noshow_after", "pause", "round_minutes", "publishes_rounds", "fours"),
        "only-site",
    ),
    **dict.fromkeys(("level_min", "level_max", "house_allowed", "house_strength"), "only-site"),
    **dict.fromkeys(("checkin_minutes", "round_hours"), "when-hour only-site"),  # without an hour they mean nothing
    **dict.fromkeys(PLACES, "when-order"),
    "join_code": "when-code",
    "pairs_stay": "when-drawn",
    "guests_allowed": "when-open",
    "guests_listed": "when-listed",
}


@dataclass(frozen=True, slots=True)
class FormRow:
    """A field as a fold shows it: ``kind`` says how, ``only`` when."""

    field: forms.BoundField
    kind: str
    only: str = ""


@dataclass(frozen=True, slots=True)
class Fold:
    """Fields that most people leave as they are: ``words`` says their values, ``open`` where one has an error."""

    code: str
    title: str
    words: str
    rows: tuple[FormRow, ...]
    open: bool


class FoldedFields(GamesForm, FoldWords, OrderForm):
    """Form fields that are folded, and the faults of all of them."""

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

    def find_faults(self, now: datetime) -> bool:
        """Check all that was typed, as storing it would, and return whether there is a fault."""
        try:
            if self.is_valid():
                self.check_plan(self.read_settings(), now)
            elif not PLAYED & self.errors.keys():
                data = self.cleaned_data
                format_, options = self.find_format(), self.chosen_options()
                length = Length(data["length_kind"], data["length_value"])
                check_match(format_, data["ruleset"], data["seats_an_entry"], length, options, self.read_games())
        except TournamentError as error:
            self.refuse(error)
        return bool(self.errors)

    def check_plan(self, settings: Settings, now: datetime) -> None:
        """Raise TournamentError for settings that can't be run from now."""
        check_settings(settings)
        require_date(settings, now)

    def focus_first(self) -> None:
        """Have the first field that was refused get the focus, as the page has them; the name where none was."""
        folded = [row.field.name for fold in self.list_folds() for row in fold.rows]
        places = [*(name for name in self.fields if name in IN_SIGHT), *self.list_match_names(), *folded]
        first = next((name for name in places if name in self.errors), None) if self.is_bound else "name"
        if first is not None:
            self.fields[first].widget.attrs["autofocus"] = True

    # --- What is folded ----------------------------------------------------------------------------------------------

    def list_match_names(self) -> list[str]:
        """Return the fields of a match that are folded."""
        return ["length_kind", "length_value", *self.fitting, *self.others]

    def opens_match(self) -> bool:
        """Return whether the fold of the match has an error."""
        return any(name in self.errors for name in self.list_match_names())

    def list_folds(self) -> list[Fold]:
        """Return all folds but the first, the match's, whose fields are a template of their own."""
        switches = [name for name in OPTIONS if self._is_switch(name) or _find_switch(name)]
        numbers = [name for name in OPTIONS if name not in switches]
        return [
            self._fold("dove", _("Dove"), self.describe_venue(), VENUE),
            self._fold("chi", _("Chi può iscriversi"), self.describe_entering(), ENTERING),
            self._fold(
                "posti",
                _("Posti e classifica"),
                self.describe_places(),
                (*SIZES, *numbers, *GAMES, *FINE_POINTS, *switches, *ORDER),
            ),
            self._fold("tempo", _("Tempo"), self.describe_times(), TIMES),
            self._fold("testi", _("Presentazione"), self.describe_texts(), TEXTS),
        ]

    def _fold(self, code: str, title: str, words: str, names: tuple[str, ...]) -> Fold:
        rows = tuple(
            FormRow(self[name], self._find_kind(name), CONDITIONS.get(name) or _find_switch(name))
            for name in names
            if name in self.fields and (self._applies(name) or name in self.errors)
        )
        return Fold(code, title, words, rows, any(row.field.errors for row in rows))

    def _applies(self, name: str) -> bool:
        if name in PLACES and name not in self.list_order_names():
            return False
        if not self.fits_games(name):
            return False
        return not self.is_foreign(name) and (name not in ONLY_WITH_VP or self.find_format().has_vp)

    def _is_switch(self, name: str) -> bool:
        return isinstance(self.fields[name], forms.BooleanField)

    def _find_kind(self, name: str) -> str:
        if self._is_switch(name):
            return "choice"
        return "radios" if isinstance(self.fields[name].widget, forms.RadioSelect) else "field"


def _find_switch(name: str) -> str:
    """Return the class of an option that is shown only where the switch it needs is on; "" of the others."""
    needs = OPTIONS[name][0].option_fields[name].needs if name in OPTIONS else ""
    return f"when-{needs}" if needs else ""
