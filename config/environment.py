"""Environment variables of the project, each read and checked once, with one clear sentence for a broken one.

It knows nothing of Django, so that the supervisor can refuse a broken setting before anything is started. It looks at
values only: whether a database or a Redis answers is found out by whoever connects to it. docs/contributing.md lists
the variables.
"""

import base64
import functools
import os
import re
import socket
import stat
import warnings
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ

BASE_DIR = Path(__file__).resolve().parent.parent
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 compared with, not bound to
TRUE = ("1", "true", "yes", "on")
FALSE = ("0", "false", "no", "off", "")
PRODUCTION, LOCAL = "production", "local"
WEB_ROLE = "web"  # of a process that answers requests; config/launcher/web.py says so of itself
DECK_KEY_BYTES = 32
OWN_ENGINES = {
    "django.db.backends.postgresql": "players.databases.postgresql",
    "django.db.backends.sqlite3": "players.databases.sqlite",
}
DATABASES = {
    "sqlite": "django.db.backends.sqlite3",
    "postgres": "django.db.backends.postgresql",
    "postgresql": "django.db.backends.postgresql",
}


P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve of push services' keys
PUSH_KEY_BYTES = 32

DjangoSettings = dict[str, Any]  # of a database, of a mail server


class BrokenSetting(Exception):
    """A variable of the environment that can't be used; the text is one sentence for the person at the terminal."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The settings of one process."""

    production: bool  # people who don't know each other play here: config/safety.py refuses what is unsafe
    web: bool  # this process answers requests: its time on the database is limited (players/caps.py)
    data_dir: Path
    host: str
    port: int
    listen_fd: int | None  # a listening socket handed down by the supervisor
    web_workers: int
    debug: bool
    https: bool
    hsts: list[str]  # what browsers are told beside the site's own name: subdomains, preload
    secret_key: str  # empty: this machine makes its own
    secret_key_fallbacks: list[str]  # of before: what they signed still counts
    deck_keys: list[str]  # that secrets and decks of running matches are sealed with, the first one's; empty: the same
    allowed_hosts: list[str]
    hosts_given: bool  # ALLOWED_HOSTS was set, not made up from this machine's names
    trusted_proxies: list[str]  # whose X-Forwarded-For is believed
    csrf_trusted_origins: list[str]
    database: DjangoSettings
    database_url: str  # empty: the SQLite file in data_dir
    database_pool: int
    redis_url: str  # empty: nobody gave one
    redis_prefix: str
    email: DjangoSettings
    email_from: str
    site_url: str  # without a slash at its end
    email_given: bool
    vapid_private_key: str  # by which push services know the site; empty: this machine makes its own
    metrics_token: str  # who asks for a process's figures carries it; empty: nobody may ask
    metrics_port: int | None  # where a worker gives its figures
    plain_network: bool  # the supervisor shows the site to a network on plain http: no passwords there (O9)
    outgoing_open: bool  # requests may go to addresses of the machine and its network: for tests (players/outgoing.py)


def _read_text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def _read_number(name: str, default: int, lowest: int, highest: int) -> int:
    text = _read_text(name, str(default))
    if not (text.isascii() and text.isdigit() and lowest <= int(text) <= highest):
        raise BrokenSetting(f"{name} must be a whole number from {lowest} to {highest}, not {text!r}.")
    return int(text)


def _read_production() -> bool:
    text = _read_text("ENVIRONMENT", LOCAL).lower()
    if text not in (PRODUCTION, LOCAL):
        raise BrokenSetting(f"ENVIRONMENT must be {PRODUCTION} or {LOCAL}, not {text!r}.")
    return text == PRODUCTION


def _read_role() -> bool:
    text = _read_text("PROCESS_ROLE")
    if text not in ("", WEB_ROLE):
        raise BrokenSetting(f"PROCESS_ROLE must be {WEB_ROLE} or empty, not {text!r}.")
    return text == WEB_ROLE


def _read_switch(name: str) -> bool:
    text = _read_text(name).lower()
    if text not in TRUE + FALSE:
        raise BrokenSetting(f"{name} must be 1 or 0, not {text!r}.")
    return text in TRUE


def _read_list(name: str) -> list[str]:
    return [part.strip() for part in _read_text(name).split(",") if part.strip()]


def parse_database_url(url: str) -> DjangoSettings:
    """Return Django's settings of a database address; BrokenSetting if it isn't one of SQLite or PostgreSQL."""
    expected = "DATABASE_URL must look like postgres://user:password@host:5432/name or sqlite:////folder/file"
    if urlsplit(url).scheme not in DATABASES:
        raise BrokenSetting(f"{expected}.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # the parser warns about parts it would leave out
            parsed: DjangoSettings = environ.Env.db_url_config(url)
    except (ValueError, Warning, environ.ImproperlyConfigured) as error:
        raise BrokenSetting(f"{expected} ({error}).") from error
    engine = DATABASES[urlsplit(url).scheme]
    if not parsed.get("NAME") or parsed["NAME"] == ":memory:" or parsed.get("ENGINE") != engine:
        raise BrokenSetting(f"{expected}: it names no database.")
    if not isinstance(parsed.get("PORT") or 0, int):
        raise BrokenSetting(f"{expected}: its port is not a number.")
    return {**parsed, "ENGINE": OWN_ENGINES.get(engine, engine)}


def _read_redis_url() -> str:
    url = _read_text("REDIS_URL")
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("redis", "rediss") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if url and not good:
        raise BrokenSetting("REDIS_URL must look like redis://:password@host:6379/0.")
    return url


def _read_hsts() -> list[str]:
    """Read HSTS; BrokenSetting for other words, and for preload alone: lists of browsers take whole domains."""
    words = _read_list("HSTS")
    if set(words) not in (set(), {"subdomains"}, {"subdomains", "preload"}):
        raise BrokenSetting("HSTS must be empty, subdomains, or subdomains,preload.")
    return words


def _read_trusted_origins() -> list[str]:
    """Read CSRF_TRUSTED_ORIGINS; BrokenSetting for what isn't an origin: a scheme and a host, perhaps a port."""
    origins = _read_list("CSRF_TRUSTED_ORIGINS")
    for origin in origins:
        try:
            parts = urlsplit(origin)
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            good = False
        if not good or origin != f"{parts.scheme}://{parts.netloc}" or parts.username is not None:
            raise BrokenSetting(f"CSRF_TRUSTED_ORIGINS must be origins like https://carte.example.org, not {origin!r}.")
    return origins


def parse_email_url(url: str) -> DjangoSettings:
    """Return Django's settings of a mail server's address."""
    try:
        settings: DjangoSettings = environ.Env.email_url_config(url)
    except (KeyError, ValueError, environ.ImproperlyConfigured) as error:
        raise BrokenSetting("EMAIL_URL must look like smtp://user:password@host:587 or consolemail://.") from error
    return settings


def _read_site_url(https: bool, host: str, port: int) -> str:
    """Return the address of the site for links in mails: as given, or made of the host names and the port."""
    given = _read_text("SITE_URL").rstrip("/")
    if given:
        try:
            parts = urlsplit(given)
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            good = False
        if not good or parts.path or parts.query or parts.fragment or parts.username is not None:
            raise BrokenSetting("SITE_URL must look like https://carte.example.org.")
        return given
    scheme = "https" if https else "http"
    names = [name for name in _read_list("ALLOWED_HOSTS") if name not in LOOPBACK and not name.startswith((".", "*"))]
    if names:
        return f"{scheme}://{names[0]}"
    reached = find_own_address() if host in EVERY_ADDRESS else host
    return f"{scheme}://{f'[{reached}]' if ':' in reached else reached}:{port}"


def _read_sender(site_url: str) -> str:
    """Return the sender of every mail; BrokenSetting if it isn't one address, with or without a name."""
    host = urlsplit(site_url).hostname or ""
    given = _read_text("EMAIL_FROM") or f"Smazzata <noreply@{'localhost' if ':' in host else host}>"
    _, address = parseaddr(given)
    if "\n" in given or "\r" in given or not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", address):
        raise BrokenSetting("EMAIL_FROM must look like Smazzata <carte@example.org>.")
    return given


def find_own_address() -> str:
    """Return this machine's address on its network, or the loopback if it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only the route is looked up
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def make_private(folder: Path) -> None:
    """Make a folder of ours that nobody else may look into: it holds the keys of sessions and decks.

    One that is open is closed, unless it is everybody's (/tmp) or another's.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    if status.st_uid == os.geteuid() and not status.st_mode & stat.S_ISVTX and status.st_mode & 0o077:
        folder.chmod(0o700)


def _read_metrics_token() -> str:
    """Return the token as given, or an empty one; BrokenSetting for one that could be guessed, or not be sent."""
    token = _read_text("METRICS_TOKEN")
    if token and not re.fullmatch(r"[!-~]{32,}", token):
        raise BrokenSetting("METRICS_TOKEN must have at least 32 letters, digits or signs, and no space.")
    return token


def _read_push_key() -> str:
    """Return the key as given, or an empty one; BrokenSetting for what is no private key of P-256, in base64url."""
    key = _read_text("VAPID_PRIVATE_KEY")
    try:
        number = base64.b64decode(key + "=" * (-len(key) % 4), altchars=b"-_", validate=True)
    except ValueError:
        number = b""
    if key and (len(number) != PUSH_KEY_BYTES or not 0 < int.from_bytes(number, "big") < P256_ORDER):
        raise BrokenSetting("VAPID_PRIVATE_KEY must be 32 random bytes in base64url, 43 letters, digits, - and _.")
    return key


def _read_deck_keys() -> list[str]:
    """Return the keys as given; BrokenSetting for one that isn't 32 bytes in URL-safe base64."""
    keys = _read_list("DECK_KEYS")
    for key in keys:
        try:
            good = len(base64.b64decode(key, altchars=b"-_", validate=True)) == DECK_KEY_BYTES
        except ValueError:
            good = False
        if not good:
            raise BrokenSetting("DECK_KEYS must be keys of 44 letters, digits, - and _, as docs/deploy.md makes them.")
    return keys


def _read_allowed_hosts(host: str) -> list[str]:
    """Return the names the site answers to; by default the loopback, on a network this machine's name and address."""
    given = _read_list("ALLOWED_HOSTS")
    if given:
        return given
    names = list(LOOPBACK)
    if host in EVERY_ADDRESS:
        name = socket.gethostname().lower()
        names += [name, f"{name}.local", find_own_address()]
    else:
        names.append(f"[{host}]" if ":" in host else host)
    return list(dict.fromkeys(names))


def shows_plain_network(values: Environment) -> bool:
    """Tell if other machines reach this site, and on plain http: a laptop in a hall."""
    local = values.host.startswith("127.") or values.host in ("localhost", "::1")
    return not (values.production or values.https or local)


@functools.cache
def read_environment() -> Environment:
    """Read the whole environment, once a process. BrokenSetting at the first value that can't be used."""
    data_dir = Path(_read_text("DATA_DIR", str(BASE_DIR / "var"))).expanduser().resolve()
    host = _read_text("HOST", "127.0.0.1").strip("[]")
    database_url = _read_text("DATABASE_URL")
    port, https = _read_number("PORT", 8000, 1, 65535), _read_switch("HTTPS")
    production = _read_production()
    site_url = _read_site_url(https, host, port)
    return Environment(
        production=production,
        web=_read_role(),
        data_dir=data_dir,
        host=host,
        port=port,
        listen_fd=_read_number("LISTEN_FD", 0, 0, 65535) or None,
        web_workers=_read_number("WEB_WORKERS", 1, 1, 64),
        debug=_read_switch("DEBUG"),
        https=https,
        hsts=_read_hsts(),
        secret_key=_read_text("SECRET_KEY"),
        secret_key_fallbacks=_read_list("SECRET_KEY_FALLBACKS"),
        deck_keys=_read_deck_keys(),
        allowed_hosts=_read_allowed_hosts(host),
        hosts_given=bool(_read_list("ALLOWED_HOSTS")),
        trusted_proxies=_read_list("TRUSTED_PROXIES") or ["127.0.0.1", "::1"],
        csrf_trusted_origins=_read_trusted_origins(),
        database=parse_database_url(database_url or f"sqlite:///{data_dir / 'smazzata.sqlite3'}"),
        database_url=database_url,
        database_pool=_read_number("DATABASE_POOL", 10, 1, 500),
        redis_url=_read_redis_url(),
        redis_prefix=_read_text("REDIS_PREFIX", "smazzata"),
        email=parse_email_url(_read_text("EMAIL_URL", "consolemail://")),
        email_from=_read_sender(site_url),
        site_url=site_url,
        email_given=bool(_read_text("EMAIL_URL")),
        vapid_private_key=_read_push_key(),
        metrics_token=_read_metrics_token(),
        metrics_port=_read_number("METRICS_PORT", 0, 0, 65535) or None,
        plain_network=_read_switch("PLAIN_NETWORK") and not (production or https),
        outgoing_open=_read_switch("OUTGOING_OPEN"),
    )
