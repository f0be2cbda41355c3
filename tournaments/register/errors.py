"""Refusals of the register: a closed list of codes, worded by ``wording``."""

from typing import Any

REGISTER_CODES = frozenset(
    {
        "not_keeper",  # the register is of somebody else, or the role went
        "account_needed",
        "too_many_cards",  # values: limit
        "no_card",
        "no_draft",
        "register_changed",  # since a list was checked
        "same_card",
        "in_already",  # values: name
        "played_together",  # values: name, of the tournament
        "no_merge",
        "name_forgotten",  # values: name
        "still_entered",  # values: name, of the tournament
        "not_organiser",
        "no_name",
        "name_short",
        "name_long",
        "name_characters",
        "name_letters",
        "name_reserved",
        "name_taken",  # values: name
        "number_taken",  # values: name
        "year_wrong",  # values: low, high
    }
)


class RegisterError(Exception):
    """A refusal. ``code`` is one of REGISTER_CODES, ``values`` fill its sentence."""

    def __init__(self, code: str, **values: Any) -> None:
        if code not in REGISTER_CODES:
            raise ValueError(f"not a code of the register: {code}")
        super().__init__(code)
        self.code = code
        self.values = values
