"""A hasher that counts its work, and no attempts left over from another test: limits live in Redis."""

from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache


class CountingHasher(MD5PasswordHasher):
    """The tests' own hasher, counting."""

    worked = 0

    def encode(self, password: str, salt: str) -> str:
        CountingHasher.worked += 1
        return super().encode(password, salt)


@pytest.fixture
def counting(settings: Any) -> type[CountingHasher]:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    CountingHasher.worked = 0
    return CountingHasher


@pytest.fixture
def no_attempts_yet() -> None:
    cache.clear()
