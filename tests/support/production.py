"""An environment in which production starts, and the settings that it leads to."""

import os
import runpy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from config.environment import BASE_DIR, Environment, read_environment

KEY = "f7#Wq2vLx!nT5zKd9@pGh3rYb8eUc1mJk6aQo4iXt0RsVyZuEw"

DECK_KEY = "0vQ7mCk2gVb8yH4Rr1nXwZt6uJpS9aEoLdFi3KcTBhs="

SAFE = {
    "ENVIRONMENT": "production",
    "HTTPS": "1",
    "SECRET_KEY": KEY,
    "VAPID_PRIVATE_KEY": "3Zr1mUq8Xw0c9pJt5vKs7bN2dQ6hYf4gLa-TeRi_Ox0",
    "DECK_KEYS": DECK_KEY,
    "ALLOWED_HOSTS": "carte.example",
    "DATABASE_URL": "postgres://anna:parola@127.0.0.1:5432/club",
    "REDIS_URL": "redis://:parola@127.0.0.1:1/0",  # nobody answers there, whatever runs on this machine
    "EMAIL_URL": "smtp+tls://anna:parola@posta.example:587",
}
OURS = (
    *SAFE,
    "DEBUG",
    "HOST",
    "PORT",
    "TRUSTED_PROXIES",
    "CSRF_TRUSTED_ORIGINS",
    "DJANGO_SETTINGS_MODULE",
    "LISTEN_FD",
    "OUTGOING_OPEN",
)


def variables(data_dir: Path, **changes: str) -> dict[str, str]:
    """The whole environment of a process of the safe production, but for ``changes``; an empty one is left out."""
    clean = {name: value for name, value in os.environ.items() if name not in OURS}
    chosen = {**SAFE, "DATA_DIR": str(data_dir), **changes}
    return {**clean, **{name: value for name, value in chosen.items() if value}}


@contextmanager
def given(variables: Mapping[str, str]) -> Iterator[Environment]:
    """Let this process have another environment, as the process of a production would."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(variables)
    read_environment.cache_clear()
    try:
        yield read_environment()
    finally:
        os.environ.clear()
        os.environ.update(before)
        read_environment.cache_clear()


def configured(data_dir: Path, **changes: str) -> tuple[Environment, SimpleNamespace]:
    """Return what config.environment and config.settings make of the safe production, but for ``changes``."""
    with given(variables(data_dir, **changes)) as values:
        settings: dict[str, Any] = runpy.run_path(str(BASE_DIR / "config" / "settings.py"))
    return values, SimpleNamespace(**{name: value for name, value in settings.items() if name.isupper()})
