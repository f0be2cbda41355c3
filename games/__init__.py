"""The card games and the tables they are played at. Whatever is imported from here, the rulesets are on offer."""

from games import rules as rules
