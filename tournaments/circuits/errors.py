"""Refusals of circuits: a closed list of codes, worded by ``wording``."""

from typing import Any

CIRCUIT_CODES = frozenset(
    {
        "account_needed",
        "not_yours",  # another's circuit, or one of a club for which they no longer organise
        "not_of_club",
        "name_missing",
        "text_long",  # values: limit
        "too_many_circuits",  # values: limit
        "too_many_tournaments",  # values: limit
        "places_missing",
        "places_range",  # values: limit (places), high (points)
        "places_order",  # a later place with more points
        "best_range",  # values: high
        "terms_stand",  # one of its tournaments is drawn
        "no_tournament",  # none that they run
        "in_already",
        "is_final",
        "cancelled",
        "no_vp",
        "no_pairs",
        "no_series",
        "ended",
        "not_ended",
        "empty",  # nobody has a result yet
        "no_person",
        "same_person",
        "two_accounts",
        "played_together",  # values: name, of the tournament
        "too_many_links",  # values: limit
        "no_link",
        "final_drawn",
        "final_lent",  # read-only until it is back (O9)
        "final_range",  # values: high
        "final_nobody",
        "final_level",  # values: rank, that is shared; above, below: how many without and with its people
        "final_refused",  # values: reason
    }
)


class CircuitError(Exception):
    """A refusal. ``code`` is one of CIRCUIT_CODES, ``values`` fill its sentence."""

    def __init__(self, code: str, **values: Any) -> None:
        if code not in CIRCUIT_CODES:
            raise ValueError(f"not a code of circuits: {code}")
        super().__init__(code)
        self.code = code
        self.values = values
