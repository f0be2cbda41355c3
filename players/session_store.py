"""Sessions in the database, asked for by keys that can be one: a cookie may hold anything, a NUL in quotes included.

Two requests of one browser may write at once, as two pages that open together do: each writes what it changed, over
what the other has stored meanwhile.
"""

from copy import deepcopy
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import transaction

MAX_KEY_CHARACTERS = 40


class SessionStore(DatabaseStore):
    """Session of a browser."""

    def __init__(self, session_key: str | None = None) -> None:
        super().__init__(session_key)
        self.snapshot: dict[str, object] = {}  # the values in the database as this request last saw them

    def load(self) -> dict[str, object]:
        """Return what is stored."""
        values = super().load()
        self.snapshot = deepcopy(values)
        return values

    def save(self, must_create: bool = False) -> None:
        """Write what this request has changed; a new session is written whole."""
        if self.session_key is None:
            return self.create()
        if must_create:
            super().save(must_create=True)
        else:
            self._write_changes()
        self.snapshot = deepcopy(dict(self.items()))
        return None

    @transaction.atomic
    def _write_changes(self) -> None:
        values = dict(self.items())
        row = self.model.objects.select_for_update().filter(session_key=self.session_key).first()
        if row is not None:
            self._session_cache = merge(self.snapshot, values, row.get_decoded())
        super().save()

    def _validate_session_key(self, key: Any) -> bool:
        """Tell if the key can be one that Django made: letters and digits, no longer than its column."""
        valid = super()._validate_session_key(key)  # type: ignore[misc]  # the stubs leave it out
        return valid and len(key) <= MAX_KEY_CHARACTERS and key.isascii() and key.isalnum()


def merge(before: dict[str, object], after: dict[str, object], others: dict[str, object]) -> dict[str, object]:
    """Return what others stored with the changes between ``before`` and ``after``, also inside values that are
    dicts."""
    merged = {name: value for name, value in others.items() if name in after or name not in before}
    for name, value in after.items():
        was, theirs = before.get(name), others.get(name)
        if isinstance(value, dict) and isinstance(theirs, dict):
            merged[name] = merge(was if isinstance(was, dict) else {}, value, theirs)
        elif name not in before or value != was:
            merged[name] = value
    return merged
