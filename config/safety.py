"""Dangers that production refuses to run with: a closed list of unsafe configurations, each with a name.

Production is what says so, ``ENVIRONMENT=production``; on a machine of one's own (``local``, the default) nothing of
this is asked. It looks at the environment and the settings only and asks no server. ``config.checks`` makes Django's
system checks of it (``manage.py check --deploy``) and stops every process of an unsafe site at its start.
"""

import base64
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from config import minimum_versions
from config.environment import EVERY_ADDRESS, Environment

MIN_KEY_CHARACTERS, MIN_DIFFERENT_CHARACTERS = 50, 10
MIN_DIFFERENT_BYTES = 20
KNOWN_KEYS = ("insecure", "change", "secret", "example", "default", "password", "placeholder", "smazzata")
HALF_A_YEAR_SECONDS = 15_768_000  # seconds
GUARDS = (
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
)
JSON = {"json", "application/json"}
LOOSE = {"'unsafe-inline'", "'unsafe-eval'", "*", "http:", "https:", "data:", "blob:"}
ONE_PROCESS = (".LocMemCache", ".DummyCache", ".FileBasedCache")
REGISTRIES = {
    "ac",
    "co",
    "com",
    "edu",
    "gob",
    "gouv",
    "gov",
    "ltd",
    "me",
    "mil",
    "ne",
    "net",
    "nhs",
    "nom",
    "or",
    "org",
}
COUNTRY_CHARACTERS = 2
HOSTS_OF_PAGES = {
    "appspot.com", "azurewebsites.net", "blogspot.com", "cloudfront.net", "duckdns.org", "fly.dev", "github.io",
    "gitlab.io", "herokuapp.com", "netlify.app", "ngrok.app", "ngrok.io", "ngrok-free.app", "nip.io", "onrender.com",
    "pages.dev", "sslip.io", "trycloudflare.com", "vercel.app", "web.app", "workers.dev",
}  # fmt: skip
LEAST_PREFIX_4, LEAST_PREFIX_6 = 8, 7  # bits of the widest networks that are somebody's own
EXAMPLES = (".example.com", ".example.net", ".example.org")
NOWHERE = ("console", "dummy", "locmem", "filebased")

Danger = Callable[[Environment, Any], bool]


# --- Each answers: is this configuration unsafe? ---------------------------------------------------------------


def _is_key_weak(values: Environment, settings: Any) -> bool:
    return len(settings.SECRET_KEY) < MIN_KEY_CHARACTERS or len(set(settings.SECRET_KEY)) < MIN_DIFFERENT_CHARACTERS


def _is_key_known(values: Environment, settings: Any) -> bool:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(word in key.lower() for key in keys for word in KNOWN_KEYS)


def _is_deck_key_weak(values: Environment, settings: Any) -> bool:
    """Typed by hand, or the beginning of something: 32 bytes of chance have 20 different ones but once in 10^9."""
    return any(len(set(base64.urlsafe_b64decode(key))) < MIN_DIFFERENT_BYTES for key in values.deck_keys)


def _is_public_suffix(name: str) -> bool:
    """A name under which anybody may have a site: a top-level domain, ``co.uk`` and its like, a host of pages."""
    labels = name.lower().strip(".").split(".")
    if len(labels) == 1:
        return name.lower() != "localhost" and not name.startswith("[")  # an IPv6 address
    return ".".join(labels) in HOSTS_OF_PAGES or (
        len(labels) == 2 and labels[0] in REGISTRIES and len(labels[1]) == COUNTRY_CHARACTERS
    )


def _are_hosts_open(values: Environment, settings: Any) -> bool:
    """A star, or a name that anybody may have a site under. Of a country's domain ``.abc.xx`` may be a registry's."""
    return any(
        "*" in host or _is_public_suffix(host) or re.fullmatch(r"\.[^.]{1,3}\.[^.]{2}", host.rstrip(".")) is not None
        for host in settings.ALLOWED_HOSTS
    )


def _are_origins_open(values: Environment, settings: Any) -> bool:
    return any("*" in origin or not origin.startswith("https://") for origin in settings.CSRF_TRUSTED_ORIGINS)


def _are_proxies_open(values: Environment, settings: Any) -> bool:
    """Wider together than any network of one's own (10.0.0.0/8, fc00::/7); a star or a name: anybody is anybody."""
    try:
        networks = [ip_network(proxy, strict=False) for proxy in values.trusted_proxies]
    except ValueError:
        return True
    own = [network for network in networks if isinstance(network, IPv4Network)]
    long = [network for network in networks if isinstance(network, IPv6Network)]
    return any(network.prefixlen < LEAST_PREFIX_4 for network in collapse_addresses(own)) or any(
        network.prefixlen < LEAST_PREFIX_6 for network in collapse_addresses(long)
    )


def _serves_plain_http(values: Environment, settings: Any) -> bool:
    return not (values.https and getattr(settings, "SECURE_SSL_REDIRECT", False))


def _are_cookies_open(values: Environment, settings: Any) -> bool:
    return not all(
        getattr(settings, f"{cookie}_COOKIE_NAME", "").startswith("__Host-")
        and getattr(settings, f"{cookie}_COOKIE_SECURE", False)
        and getattr(settings, f"{cookie}_COOKIE_HTTPONLY", False)
        for cookie in ("SESSION", "CSRF")
    )


def _is_csp_open(values: Environment, settings: Any) -> bool:
    rules: Mapping[str, Iterable[Any]] = (getattr(settings, "CONTENT_SECURITY_POLICY", None) or {}).get(
        "DIRECTIVES", {}
    )
    scripts = {str(source) for name in ("default-src", "script-src") for source in rules.get(name, ["*"])}
    return bool(scripts & LOOSE) or list(rules.get("frame-ancestors", [])) != ["'none'"]


def _allows_pickle(values: Environment, settings: Any) -> bool:
    accepted = {
        *getattr(settings, "CELERY_ACCEPT_CONTENT", JSON),
        *(getattr(settings, "CELERY_RESULT_ACCEPT_CONTENT", None) or JSON),
        getattr(settings, "CELERY_TASK_SERIALIZER", "json"),
        getattr(settings, "CELERY_RESULT_SERIALIZER", "json"),
    }
    return not accepted <= JSON


def _uses_sqlite(values: Environment, settings: Any) -> bool:
    return any(not database["ENGINE"].endswith("postgresql") for database in settings.DATABASES.values())


def _is_database_open(values: Environment, settings: Any) -> bool:
    """A server on the network that lets us in without a password. Over a local socket the system says who we are."""
    if _uses_sqlite(values, settings):
        return False
    database = settings.DATABASES["default"]
    options = database.get("OPTIONS", {})
    host = database.get("HOST") or options.get("host") or ""
    local = host == "" or host.startswith("/")
    credentials = database.get("PASSWORD") or {"password", "passfile", "sslcert", "service"} & set(options)
    return not (local or credentials)


def _is_redis_open(values: Environment, settings: Any) -> bool:
    """No password, or the one of the example."""
    password = urlsplit(values.redis_url).password or ""
    return bool(values.redis_url) and (not password or "change" in password.lower())


def _is_redis_in_clear(values: Environment, settings: Any) -> bool:
    """A Redis on another machine without TLS: its password and every hint could be read on the way."""
    address = urlsplit(values.redis_url)
    host = address.hostname or ""
    try:
        near = ip_address(host).is_loopback
    except ValueError:
        near = host == "localhost"
    return address.scheme == "redis" and not near


def _is_mail_in_clear(values: Environment, settings: Any) -> bool:
    tls = getattr(settings, "EMAIL_USE_TLS", False) or getattr(settings, "EMAIL_USE_SSL", False)
    return bool(getattr(settings, "EMAIL_HOST_PASSWORD", "")) and not tls


def _is_mail_of_the_example(values: Environment, settings: Any) -> bool:
    """The mail server, its account or the sender are still those of docs/deploy/environment.example."""
    accounts = (getattr(settings, "EMAIL_HOST_USER", ""), getattr(settings, "EMAIL_HOST_PASSWORD", ""))
    _, sender = parseaddr(values.email_from)
    hosts = (getattr(settings, "EMAIL_HOST", ""), sender.rpartition("@")[2])
    return any("change-me" in (text or "") for text in accounts) or any(
        f".{host}".lower().endswith(EXAMPLES) for host in hosts
    )


def _sends_mail_nowhere(values: Environment, settings: Any) -> bool:
    """Links that reset a password would end in the log."""
    return not values.email_given or any(name in settings.EMAIL_BACKEND for name in NOWHERE)


def _logs_below_info(values: Environment, settings: Any) -> bool:
    """Below INFO the socket and database libraries log every frame and every statement: hands and decks."""
    configured: dict[str, Any] = settings.LOGGING
    loggers = [configured.get("root", {}), *configured.get("loggers", {}).values()]
    levels = logging.getLevelNamesMapping()
    return any(levels.get(str(logger.get("level", "INFO")), logging.NOTSET) < logging.INFO for logger in loggers)


def _is_throttle_off(values: Environment, settings: Any) -> bool:
    rates = settings.REST_FRAMEWORK.get("DEFAULT_THROTTLE_RATES", {})
    logins_off = getattr(settings, "ACCOUNT_RATE_LIMITS", None) is False
    posts_off = not (settings.POST_RATES and settings.LIST_RATES and settings.FILE_RATES)
    return logins_off or posts_off or not {"address", "user"} <= set(rates)


# --- The closed list -----------------------------------------------------------------------------------------------

DANGERS: dict[str, tuple[Danger, str]] = {
    "debug": (lambda values, settings: bool(settings.DEBUG), "DEBUG shows tracebacks, and hands in them"),
    "secret_key_missing": (lambda values, settings: not values.secret_key, "SECRET_KEY must be given"),
    "secret_key_known": (_is_key_known, "SECRET_KEY is a default or an example: make one of your own"),
    "secret_key_weak": (_is_key_weak, f"SECRET_KEY must be random, of at least {MIN_KEY_CHARACTERS} characters"),
    "vapid_key_missing": (
        lambda values, settings: not values.vapid_private_key,
        "VAPID_PRIVATE_KEY must be given: browsers that asked for notices know the site by it",
    ),
    "deck_key_missing": (
        lambda values, settings: not values.deck_keys,
        "DECK_KEYS must be given: it seals the decks of running matches",
    ),
    "deck_key_weak": (_is_deck_key_weak, "DECK_KEYS must be made at random"),
    "hosts_missing": (lambda values, settings: not values.hosts_given, "ALLOWED_HOSTS must name the site"),
    "hosts_open": (
        _are_hosts_open,
        "ALLOWED_HOSTS must name the site, no star and no name that others have sites under",
    ),
    "origins_open": (_are_origins_open, "CSRF_TRUSTED_ORIGINS must be whole https:// addresses"),
    "proxies_open": (_are_proxies_open, "TRUSTED_PROXIES must be addresses: a proxy tells who the visitor is"),
    "listens_everywhere": (
        lambda values, settings: values.host in EVERY_ADDRESS,
        "HOST must be the address the proxy speaks to, not all addresses",
    ),
    "plain_http": (_serves_plain_http, "the site must be reached over https: set HTTPS=1"),
    "site_url_plain": (
        lambda values, settings: values.https and not values.site_url.startswith("https://"),
        "SITE_URL must begin with https://, as the site does: links in mails carry tokens",
    ),
    "hsts_off": (
        lambda values, settings: getattr(settings, "SECURE_HSTS_SECONDS", 0) < HALF_A_YEAR_SECONDS,
        "HSTS must be on",
    ),
    "cookies_open": (_are_cookies_open, "the cookies must be Secure, HttpOnly and named __Host-"),
    "csp_open": (_is_csp_open, "the content security policy must allow only our own scripts, and no frames"),
    "guard_missing": (
        lambda values, settings: not set(GUARDS) <= set(settings.MIDDLEWARE),
        "a middleware that guards every page is missing",
    ),
    "passwords_fast": (
        lambda values, settings: not settings.PASSWORD_HASHERS[0].endswith(".Argon2PasswordHasher"),
        "passwords must be hashed with argon2",
    ),
    "throttle_off": (_is_throttle_off, "the limits on logins, on what is sent and on the API must be on"),
    "cache_of_one_process": (
        lambda values, settings: settings.CACHES["default"]["BACKEND"].endswith(ONE_PROCESS),
        "the cache must be one for all processes: limits are counted in it",
    ),
    "channel_layer_in_memory": (
        lambda values, settings: not settings.CHANNEL_LAYERS["default"]["BACKEND"].startswith("channels_redis."),
        "the channel layer must be Redis: one in memory reaches nobody in another process",
    ),
    "celery_pickle": (_allows_pickle, "Celery must accept and send JSON only: a pickle runs code"),
    "celery_eager": (
        lambda values, settings: bool(getattr(settings, "CELERY_TASK_ALWAYS_EAGER", False)),
        "tasks must run in workers, not in whoever sends them",
    ),
    "database_sqlite": (_uses_sqlite, "DATABASE_URL must name a PostgreSQL: several processes write"),
    "database_without_password": (_is_database_open, "the PostgreSQL of DATABASE_URL must ask for a password"),
    "redis_missing": (
        lambda values, settings: not values.redis_url,
        "REDIS_URL must name a Redis: the one that `make run` starts is for one machine",
    ),
    "redis_without_password": (_is_redis_open, "the Redis of REDIS_URL must ask for a password of your own"),
    "redis_in_clear": (
        _is_redis_in_clear,
        "the Redis of REDIS_URL is on another machine: rediss:// must keep its password on the way",
    ),
    "mail_in_clear": (
        _is_mail_in_clear,
        "EMAIL_URL must be smtp+tls:// or smtp+ssl:// where it has a password",
    ),
    "mail_example": (_is_mail_of_the_example, "EMAIL_URL and EMAIL_FROM must be of your own, not the example's"),
    "mail_nowhere": (_sends_mail_nowhere, "EMAIL_URL must name a mail server: the log is no place for reset links"),
    "outgoing_open": (
        lambda values, settings: bool(settings.OUTGOING_OPEN),
        "OUTGOING_OPEN lets people have the site call addresses inside its own network",
    ),
    "logs_tell_all": (_logs_below_info, "no logger may go below INFO: frames and statements hold hands and decks"),
    "package_below_floor": (
        lambda values, settings: bool(minimum_versions.find_installed_below()),
        "a package is below its lowest safe version (floors.toml)",
    ),
}


def find_dangers(values: Environment, settings: Any) -> list[str]:
    """Return the names of what is unsafe about a site with this environment and these settings; empty if nothing is."""
    return [name for name, (unsafe, _) in DANGERS.items() if unsafe(values, settings)]
