"""Reads that are the same for everybody: made once in some seconds by each process, however many ask."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import connection

Value = TypeVar("Value")

_all: list["SharedRead[Any]"] = []


class SharedRead(Generic[Value]):
    """A read whose answer holds for ``seconds``, for whoever asks within them. One reads, the others wait for it."""

    def __init__(self, read: Callable[[datetime], Value], seconds: float) -> None:
        self._read = read
        self.kept_for = timedelta(seconds=seconds)
        self._kept: dict[str, tuple[datetime, object, Value]] = {}  # by database
        self._lock = threading.Lock()
        _all.append(self)

    def read(self, now: datetime, key: object = None) -> Value:
        """Return what was read last, read anew at this hour if that is too long ago, or was with another ``key``."""
        with self._lock:
            name = str(connection.settings_dict["NAME"])
            kept = self._kept.get(name)
            if kept is None or kept[1] != key or not timedelta(0) <= now - kept[0] < self.kept_for:
                kept = self._kept[name] = (now, key, self._read(now))
            return kept[2]

    def forget(self) -> None:
        """Forget what was read."""
        self._kept.clear()


def forget_shared_reads() -> None:
    """Forget all that was read: a test's rows are gone after it."""
    for read in _all:
        read.forget()
