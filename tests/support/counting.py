"""Cost of a piece of work: queries, and rows, without which a part of a field looks like the whole."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.models.signals import post_init
from django.test.utils import CaptureQueriesContext

from tests.support.standings import QUIET
from tournaments.models import Entry, EntryMember, Fixture


@contextmanager
def count_rows() -> Iterator[Counter[str]]:
    """Count the fixtures, entries and members that are made from rows."""
    rows: Counter[str] = Counter()

    def count(sender: Any, **_more: Any) -> None:
        rows[sender.__name__] += 1

    for model in (Entry, EntryMember, Fixture):
        post_init.connect(count, sender=model)
    try:
        yield rows
    finally:
        for model in (Entry, EntryMember, Fixture):
            post_init.disconnect(count, sender=model)


def measure(work: Callable[[], object]) -> tuple[int, int]:
    """Count the queries of a piece of work, and its rows."""
    with CaptureQueriesContext(connection) as captured, count_rows() as rows:
        work()
    return sum(not query["sql"].startswith(QUIET) for query in captured.captured_queries), rows.total()
