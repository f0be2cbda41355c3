"""A tournament that several tests send to another site."""

from datetime import datetime

from tests.support.arrangements import arrange_once
from tests.support.standings import create_field
from tests.support.tournaments import GIRONE, Opened
from tournaments.models import Tournament


@arrange_once
def field(opened: Opened, now: datetime) -> Tournament:
    """A girone of four guests that has begun."""
    return create_field(opened, GIRONE, 4, now)
