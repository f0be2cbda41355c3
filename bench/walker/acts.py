"""Acts of everybody through the services: each looks at the tournament, draws what it does by dice, and returns a call.

An act may ask for what is refused: what counts is that it is refused by a name, and has changed nothing then. It draws
from its own dice alone and counts rows in their order, so that a walk is the same again, also without other acts.
"""

from bench.walker import acts_entering, acts_rounds, acts_rulings, acts_telephones, acts_tournament, pages
from bench.walker.kinds import KINDS

__all__ = ["KINDS", "ROOMS"]

ROOMS = (acts_entering, acts_rounds, acts_rulings, acts_telephones, acts_tournament, pages)  # each adds its kinds
