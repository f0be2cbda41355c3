"""Presets of a new tournament: what most evenings are like, to begin with. A form is filled in; nothing is decided.

A preset looks for the format that plays as it wants, so none is known here by name. What is typed already stays, but
for what the preset is about; a length the chosen game hasn't is brought to the nearest one by the form.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from games.forms import SHOW, FormValues
from tournaments.formats.protocol import Format
from tournaments.organise.format_form import ORDERED


@dataclass(frozen=True, slots=True)
class Preset:
    """A way to begin: its name, which is the tournament's until another is typed, and what it is like."""

    code: str
    name: Promise
    summary: Promise
    plays: Callable[[Format], bool]
    values: FormValues
    days: int | None = None  # from today to its start, at nine in the evening; None: as soon as it is full

    def fill(self, typed: FormValues, now: datetime) -> FormValues:
        """Return the initial values of a form that was typed so far, with the preset's own over them.

        ``now`` is the hour on the organiser's clock.
        """
        format_ = next((choice for choice in ORDERED if self.plays(choice)), ORDERED[0])
        begun = {name: value for name, value in typed.items() if name not in TOUCHED}
        values = {**begun, **self.values, "format": format_.id, SHOW: True}
        if str(typed.get("name") or "").strip() in ("", *(str(choice.name) for choice in PRESETS)):
            values["name"] = str(self.name)
        if self.days is not None:
            evening = datetime.combine(now.date() + timedelta(days=self.days), EVENING)
            values |= {"start": "at", "starts_at": evening}
        return values


EVENING = time(21)
TWO_LIVES = 2
PRESETS = (
    Preset(
        "serata",
        gettext_lazy("Serata al circolo"),
        gettext_lazy("sul sito domani alle 21, danese fino a 32"),
        lambda format_: format_.keeps_rounds,
        {"max_entries": "32", "min_entries": "4", "checkin_minutes": "15", "rounds": ""},
        days=1,
    ),
    Preset(
        "veloce",
        gettext_lazy("KO veloce"),
        gettext_lazy("sul sito, otto posti, parte da solo"),
        lambda format_: format_.defeats == 1,
        {"max_entries": "8", "min_entries": "2", "turn_timeout": "30", "match_clock": "300", "noshow_after": "120"},
    ),
    Preset(
        "mese",
        gettext_lazy("Girone del mese"),
        gettext_lazy("sul sito, in sei, un turno alla settimana"),
        lambda format_: format_.pairs_everyone_at_draw,
        {"max_entries": "6", "min_entries": "3", "round_minutes": str(7 * 24 * 60), "noshow_after": "900"},
        days=7,
    ),
    Preset(
        "piazza",
        gettext_lazy("Torneo in piazza"),
        gettext_lazy("dal vivo, danese fino a 64"),
        lambda format_: format_.keeps_rounds,
        {"venue": "real", "max_entries": "64", "min_entries": "4", "registration": "list", "rounds": "5"},
    ),
    Preset(
        "bar",
        gettext_lazy("KO al bar"),
        gettext_lazy("dal vivo, eliminazione diretta fino a 16"),
        lambda format_: format_.defeats == 1,
        {"venue": "real", "max_entries": "16", "min_entries": "2", "registration": "list"},
    ),
    Preset(
        "sorteggiate",
        gettext_lazy("Serata a coppie sorteggiate"),
        gettext_lazy("dal vivo, ognuno da solo fino a 64, danese"),
        lambda format_: format_.keeps_rounds,
        {
            "venue": "real",
            "seats_an_entry": "2",
            "partners": "lot",
            "max_entries": "64",
            "min_entries": "8",
            "registration": "list",
            "rounds": "5",
        },
    ),
    Preset(
        "due-vite",
        gettext_lazy("Torneo in piazza, due vite"),
        gettext_lazy("dal vivo, fino a 32, fuori alla seconda sconfitta"),
        lambda format_: format_.defeats == TWO_LIVES,
        {"venue": "real", "max_entries": "32", "min_entries": "3", "registration": "list"},
    ),
)

# What any of them is about: another preset, chosen after it, leaves nothing of it behind.
TOUCHED = frozenset(name for preset in PRESETS for name in preset.values) | {"start", "starts_at"}


def find_preset(code: str) -> Preset | None:
    """Return the preset of this code; None if there is none."""
    return next((preset for preset in PRESETS if preset.code == code), None)
