"""How much a law tries: some at every ``make test``, much more in ``make soak``, which sets THOROUGH=1."""

import os
from typing import TypeVar

Amount = TypeVar("Amount")
THOROUGH = os.environ.get("THOROUGH") == "1"


def tries(few: Amount, many: Amount) -> Amount:
    """How many examples, seeds or sizes: ``few`` can fail still, ``many`` look everywhere."""
    return many if THOROUGH else few
