"""The settings of the product in a bench: its own, but that no table waits for nonces, which no client here adds."""

from config.settings import *  # noqa: F403

MIXING_SECONDS = 0
