"""Dice that a house player thinks with. They shuffle cards in thought alone, never any that somebody gets (AT5)."""

from random import Random

Dice = Random
