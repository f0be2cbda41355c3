"""The hour the sweep believes in."""

from datetime import datetime


class Clock:
    """The hour the sweep believes in."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now
