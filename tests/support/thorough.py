"""Thoroughness of the laws: few tries at every ``make test``, many in ``make soak``, which sets THOROUGH=1."""

import os
from typing import TypeVar

Amount = TypeVar("Amount")
THOROUGH = os.environ.get("THOROUGH") == "1"


def tries(few: Amount, many: Amount) -> Amount:
    """Return how many examples, seeds or sizes to try: ``few`` can fail still, ``many`` look everywhere."""
    return many if THOROUGH else few
