"""Settings of a web process that a browser test starts: those of the tests, but browsers add to the secret of the cards
and static files are as the product serves them. SITE_STATIC names their folder."""

import os
from pathlib import Path

from config.settings import MIDDLEWARE as PRODUCT_MIDDLEWARE
from config.settings import MIXING_SECONDS as PRODUCT_MIXING_SECONDS
from config.settings import STORAGES as PRODUCT_STORAGES
from tests.settings import *  # noqa: F403

MIDDLEWARE = PRODUCT_MIDDLEWARE
MIXING_SECONDS = PRODUCT_MIXING_SECONDS
STORAGES = PRODUCT_STORAGES
STATIC_ROOT = Path(os.environ["SITE_STATIC"])
SERVESTATIC_USE_FINDERS = SERVESTATIC_AUTOREFRESH = False
