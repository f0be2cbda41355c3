"""The settings of the sites of rigged_site.py: those of the tests, but static files as the product serves them, hashed
and each page's script in one file. RIGGED_STATIC names their folder."""

import os
from pathlib import Path

from config.settings import MIDDLEWARE as PRODUCT_MIDDLEWARE
from config.settings import STORAGES as PRODUCT_STORAGES
from tests.settings import *  # noqa: F403

MIDDLEWARE = PRODUCT_MIDDLEWARE
STORAGES = PRODUCT_STORAGES
STATIC_ROOT = Path(os.environ["RIGGED_STATIC"])
SERVESTATIC_USE_FINDERS = SERVESTATIC_AUTOREFRESH = False
