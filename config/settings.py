"""Every setting of the project, in one file, its values from the environment (config/environment.py checks them).

Without any variable set it is a site on one machine: SQLite and a secret key in ``var/``, an embedded Redis started by
the supervisor, plain http. No page ever shows a traceback unless DEBUG is set.
"""

import base64
import contextlib
import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path

from csp.constants import NONCE, SELF
from django.core.management.utils import get_random_secret_key
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from config.environment import BASE_DIR, DECK_KEY_BYTES, PUSH_KEY_BYTES, make_private, read_environment
from players import caps

_values = read_environment()
DATA_DIR = _values.data_dir
DEBUG = _values.debug


def _own_secret(name: str, make: Callable[[], str]) -> str:
    """A key of this machine's own, made once and kept beside the data; whoever comes first makes it for all."""
    path = DATA_DIR / name
    if not path.exists():
        make_private(DATA_DIR)
        handle, written = tempfile.mkstemp(dir=DATA_DIR)
        with os.fdopen(handle, "w") as file:
            file.write(make())
        with contextlib.suppress(FileExistsError):
            os.link(written, path)
        Path(written).unlink()
    return path.read_text().strip()


def _make_deck_key() -> str:
    return base64.urlsafe_b64encode(os.urandom(DECK_KEY_BYTES)).decode()


# Production never makes up a key: without one it gets one for nothing but to say so (config/safety.py).
SECRET_KEY = _values.secret_key or (
    get_random_secret_key() if _values.production else _own_secret("secret_key", get_random_secret_key)
)
SECRET_KEY_FALLBACKS = _values.secret_key_fallbacks
# By which push services know the site (RFC 8292): 32 random bytes are a private key of P-256.
VAPID_PRIVATE_KEY = _values.vapid_private_key or (
    "" if _values.production else _own_secret("vapid_private_key", lambda: secrets.token_urlsafe(PUSH_KEY_BYTES))
)
# Seal of what must stay hidden while a match runs (J5): the first key seals, each of them opens.
DECK_KEYS = _values.deck_keys or [_make_deck_key() if _values.production else _own_secret("deck_key", _make_deck_key)]
# Seconds that browsers have, when all players are at a table, for the hashes of their nonces, and then for those (J2).
MIXING_SECONDS = 5
ALLOWED_HOSTS = _values.allowed_hosts
CSRF_TRUSTED_ORIGINS = _values.csrf_trusted_origins
TRUSTED_PROXIES = _values.trusted_proxies

INSTALLED_APPS = [
    "config",
    "players",
    "games",
    "scoring",
    "records",
    "tournaments",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.usersessions",
]

MIDDLEWARE = [
    "players.api.middleware.ProblemMiddleware",  # outside of all that may answer with a page
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "players.sent_forms.SentFormMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "players.middleware.NetworkMiddleware",
    "tournaments.organise.desk_middleware.DeskMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "players.middleware.DatabaseLimitsMiddleware",
    "players.middleware.PreferencesMiddleware",
    "players.middleware.SuspensionMiddleware",
    "config.search_engines.SearchMiddleware",
    "players.middleware.NoPageMiddleware",
    "players.middleware.PostLimitMiddleware",
    "players.middleware.SeenMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "players.views.provide_reader",
                "games.lobby.views.provide_seek",
                "tournaments.pages.notices.build_notices",
            ],
        },
    },
]

# --- Storage -----------------------------------------------------------------------------------------------------

DATABASES = {"default": _values.database}
if _values.database["ENGINE"] == "players.databases.sqlite":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": caps.WEB_STATEMENT_SECONDS if _values.web else 20,  # seconds to wait for the writer
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=20000;",
    }
else:
    DATABASES["default"]["OPTIONS"] = {
        **_values.database.get("OPTIONS", {}),
        "pool": {"min_size": 1, "max_size": _values.database_pool},
    }
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # the pool hands out none that went with the server
    if _values.web:  # the sweep has its own limits (games/sweep.py); migrations and commands have none
        DATABASES["default"]["OPTIONS"]["pool"]["timeout"] = caps.WEB_STATEMENT_SECONDS
        DATABASES["default"]["OPTIONS"]["limits"] = {
            "statement_timeout": round(caps.WEB_STATEMENT_SECONDS * 1000),
            "idle_in_transaction_session_timeout": round(caps.WEB_TRANSACTION_SECONDS * 1000),
        }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = _values.redis_url or "redis://127.0.0.1:6379/0"
CACHES = {
    "default": {
        "BACKEND": "config.cache_fallback.RedisOrDatabase",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": _values.redis_prefix,
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 2},
    },
    # Where limits on attempts are counted while Redis is away.
    "database": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},  # nobody pushes their own limit out by filling it
    },
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            "prefix": _values.redis_prefix,
            # Survives a Redis restart: no read timeout, reconnect for ever with a short back-off.
            "hosts": [
                {
                    "address": REDIS_URL,
                    "socket_timeout": None,
                    "retry": AsyncRetry(ExponentialBackoff(cap=1, base=0.05), 5),
                    "retry_on_error": [RedisConnectionError, RedisTimeoutError],
                    "health_check_interval": 10,
                }
            ],
        },
    }
}

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_TASK_PUBLISH_RETRY = False  # best effort: whoever publishes never waits for a broker that is away
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# --- Accounts ----------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "players.User"
# allauth's backend is a ModelBackend too; one backend, so that an attempt costs one password check.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "players.passwords.MinimumLength"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_REDIRECT_URL = "/"
ACCOUNT_SIGNUP_REDIRECT_URL = "welcome"
LOGIN_URL = "account_login"
ACCOUNT_ADAPTER = "players.accounts.AccountAdapter"
ACCOUNT_USER_DISPLAY = "players.accounts.get_display_name"
ACCOUNT_FORMS = {
    "signup": "players.forms.SignupForm",
    "login": "players.forms.LoginForm",
    "change_password": "players.forms.ChangePasswordForm",
    "reset_password": "players.forms.ResetPasswordForm",
    "reset_password_from_key": "players.forms.ResetPasswordKeyForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
# Whoever signs up is in at once, whatever address they give: whether it is known, only its mailbox is told.
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_CHANGE_EMAIL = True  # one address an account; a new one takes its place when it is confirmed
ACCOUNT_RATE_LIMITS = caps.ACCOUNT_RATES
POST_RATES, LIST_RATES, FILE_RATES = caps.POST_RATES, caps.LIST_RATES, caps.FILE_RATES
ALLAUTH_RATE_LIMIT_IPV6_PREFIX = caps.IPV6_PREFIX_BITS
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # a guest may log in to the account they have
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Smazzata: "
ACCOUNT_USERNAME_MIN_LENGTH = 3
CSRF_FAILURE_VIEW = "players.views.show_csrf_failure"
vars().update(_values.email)
EMAIL_TIMEOUT = 20
SITE_URL = _values.site_url  # what links in mails begin with
DEFAULT_FROM_EMAIL = SERVER_EMAIL = _values.email_from

PLAIN_NETWORK = _values.plain_network  # True: from other machines nobody logs in (players/middleware.py)
OUTGOING_OPEN = _values.outgoing_open  # True: requests reach this machine and its network, which tests need

# --- Logs: one line an event on the error output, JSON in production; the supervisor keeps them in DATA_DIR/log -------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "config.logs.LineFormatter", "format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
        "json": {"()": "config.logs.build_json_formatter"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "json" if _values.production else "line"},
        "null": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
        # At INFO the server names every visitor's address.
        "uvicorn.error": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.security.DisallowedHost": {"handlers": ["null"], "propagate": False},
    },
}

# --- Web ---------------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "it"
LANGUAGES = [("it", "Italiano"), ("en", "English")]
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "Europe/Rome"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_storage.BundledStaticStorage"},
}

SESSION_ENGINE = "players.session_store"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
CSRF_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "strict-origin"  # never the address: with it a secret would go into logs (AT10)
if _values.https:  # the site is reached over https, straight or by a proxy that sets X-Forwarded-Proto
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]
    SECURE_HSTS_SECONDS = 31536000
    # Of the domain's other hosts, and of browsers' own lists, only whoever runs the site can say.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = "subdomains" in _values.hsts
    SECURE_HSTS_PRELOAD = "preload" in _values.hsts
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "object-src": ["'none'"],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": ["'none'"],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    # The key first: a wrong one is then 401. A session only reads.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "players.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],  # each view and service decides
    "DEFAULT_PARSER_CLASSES": ["players.api.parsers.WholeTextParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "URL_FORMAT_OVERRIDE": None,  # ``format`` is a tournament's
    "DEFAULT_METADATA_CLASS": None,  # the document says what there is
    "DEFAULT_THROTTLE_CLASSES": ["players.api.throttles.AddressThrottle", "players.api.throttles.AccountThrottle"],
    "DEFAULT_THROTTLE_RATES": caps.API_RATES,
    "EXCEPTION_HANDLER": "players.api.problems.answer_problem",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Smazzata",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": ["config.api.describe_refusals"],
}
