"""The hour at which a test happens, and the hour the sweep believes in."""

from datetime import UTC, datetime

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)


class Clock:
    """The hour the sweep believes in."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now
