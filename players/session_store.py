"""Sessions in the database, asked for by keys that can be one: a cookie may hold anything, a NUL in quotes included."""

from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

MAX_KEY_CHARACTERS = 40


class SessionStore(DatabaseStore):
    def _validate_session_key(self, key: Any) -> bool:
        """Tell if the key can be one that Django made: letters and digits, no longer than its column."""
        valid = super()._validate_session_key(key)  # type: ignore[misc]  # the stubs leave it out
        return valid and len(key) <= MAX_KEY_CHARACTERS and key.isascii() and key.isalnum()
