"""The settings of the product, but for what only costs time in a test run.

The database is a file (threads and processes share it), passwords are hashed fast, static files are served from their
sources (tests/support/statics.py). Whoever tests hashed static files or real passwords starts the product with its own
settings.
"""

from pathlib import Path

from config.settings import *  # noqa: F403
from config.settings import CACHES, DATA_DIR, DATABASES, MIDDLEWARE, REST_FRAMEWORK, STORAGES

DATA_DIR.mkdir(parents=True, exist_ok=True)
if DATABASES["default"]["ENGINE"] == "players.databases.sqlite":
    DATABASES["default"]["TEST"] = {"NAME": str(Path(DATA_DIR) / "test.sqlite3")}
else:
    DATABASES["default"]["TEST"] = {"NAME": "test_smazzata"}  # each worker adds its own ending

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
SERVESTATIC_USE_FINDERS = SERVESTATIC_AUTOREFRESH = True
STATICS = "tests.support.statics.FoundWhenAsked"
MIDDLEWARE = [STATICS if name == "servestatic.middleware.ServeStaticMiddleware" else name for name in MIDDLEWARE]
ALLOWED_HOSTS = ["*"]
# A Redis that is slow on a busy machine isn't away: limits would begin anew in the database in the middle of a test.
CACHES["default"]["OPTIONS"] = {"socket_connect_timeout": 60, "socket_timeout": 60}
# All tests come from one address, hundreds a minute; whoever tests the throttles sets their rates.
MIXING_SECONDS = 0  # nobody here adds nonces; whoever tests that says for how long they are waited for
POST_RATES: dict[str, str] = {}
LIST_RATES: dict[str, str] = {}
FILE_RATES: dict[str, str] = {}
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {}}
