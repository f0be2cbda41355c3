"""The settings of the product in a storm: its own, with a bus that loses hints or a planted fault if the storm wants.

STORM_BUS=lossy wraps the channel layer (H3); STORM_PLANT names the fault that every process gets (bench/storm/plants).
"""

import os

from bench.storm.sealed import DECK_KEY
from config.settings import *  # noqa: F403
from config.settings import CHANNEL_LAYERS, INSTALLED_APPS

DECK_KEYS = [DECK_KEY]
MIXING_SECONDS = 0  # no client of a storm adds nonces

if os.environ.get("STORM_BUS") == "lossy":
    CHANNEL_LAYERS = {"default": {**CHANNEL_LAYERS["default"], "BACKEND": "bench.storm.lossy.LossyLayer"}}
if os.environ.get("STORM_PLANT"):
    INSTALLED_APPS = [*INSTALLED_APPS, "bench.storm.plants.PlantedFault"]
