"""Faults of a tournament's file: the closed list of their codes, where each stands, and the refusal that carries them.

Plain Python. Their words are in ``wording.py``.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

JsonObject = dict[str, Any]  # of a file, or for the words of a fault
CODES = frozenset(
    {
        # Of the file as a whole: nothing else is looked at.
        "too_big",  # values: limit, in MB
        "no_json",
        "no_tournament",  # JSON, but no tournament's file
        "other_version",  # values: version, known
        "damaged",  # its digest isn't that of its contents
        # Of a value.
        "missing",
        "unknown",
        "wrong_kind",  # values: wanted
        "too_long",  # values: limit
        "out_of_range",  # values: low, high
        "no_choice",  # values: value, choices
        "twice",  # values: value
        "dangling",  # values: value: a reference to what the file doesn't have
        "other_size",  # values: wanted
        "bad_name",  # values: value, code: of a BadName
        "in_future",  # an instant of what has happened
        # Of what the values say together.
        "refused",  # values: code, values: of a TournamentError
        "worth_differs",  # values: stored, given: MP and VP that the points aren't worth
        "result_open",  # a fixture that is over without a result, or has one and isn't over
        "differs",  # values: name, stored, given: what the results give is something else
        "no_plan",  # fixtures that no tournament of this format has
        "denied",  # what stood when the tournament left is missing, or is something else
        "no_act",  # a result of before that changed, and no act in the log changed it
        "log_impossible",  # values: code: details that no such log entry has
    }
)


@dataclass(frozen=True, slots=True)
class FileFault:
    """Fault of a file. ``place`` is a path like ``rounds[2].fixtures[0].winner``, counted from 1; empty: the file."""

    code: str
    place: str = ""
    values: JsonObject = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"not a code of files: {self.code}")


class FileRefused(Exception):
    """A file that isn't taken in. Nothing was written."""

    def __init__(self, faults: Iterable[FileFault]) -> None:
        self.faults = tuple(faults)
        super().__init__(", ".join(f"{fault.code} {fault.place}".strip() for fault in self.faults))
