"""The rulesets on offer, one line each: the list that records, tables and forms read."""

from games.engine.game import Ruleset
from games.engine.match import offer
from games.rules.asso_piglia_tutto import AssoPigliaTutto
from games.rules.briscola import Briscola
from games.rules.scopa import Scopa
from games.rules.scopone import Scopone
from games.rules.tresette import Tresette
from games.rules.tresette_a_perdere import TresetteAPerdere
from games.rules.tressette_accusa import TressetteAccusa
from games.rules.tressette_classico import TressetteClassico

RULESETS: dict[str, Ruleset] = offer(
    Scopa(),
    AssoPigliaTutto(),
    Scopone(),
    Briscola(),
    Tresette(),
    TresetteAPerdere(),
    TressetteAccusa(),
    TressetteClassico(),
)
