"""The rulesets on offer, one line each: the list that records, tables and forms read."""

from games.engine.game import Ruleset
from games.engine.match import offer
from games.rules.scopa import Scopa
from games.rules.tresette import Tresette

RULESETS: dict[str, Ruleset] = offer(
    Scopa(),
    Tresette(),
)
