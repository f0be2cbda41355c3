"""``python -m bench.prototype ROUNDS MOVES``: one move's transaction, ours and a bare one, in turns.

The bare one is what a prototype does with the same ORM: lock a small row, insert a move, write the row, commit; no
rules, no clocks, no seats, nobody told. Ours is what a socket does with a move (docs/hot-path.md), one at a time: the
short way, and the long one where it isn't plain; every move counts, those that end a deal too. It runs in the
environment of a bench's database and prints, as JSON, the rates of each round and how many queries a move that ends
nothing takes.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import perf_counter
from typing import Any
from unittest.mock import patch
from uuid import uuid4

from bench.programs import set_up_django

QUERIES = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
QUERIES_OF = 80  # moves: two deals


def bare_tables() -> Callable[[], None]:
    """Make the prototype's two tables and a match; gives what makes one move in it."""
    from django.db import connection, models, transaction
    from django.utils import timezone

    class BareMatch(models.Model):
        version = models.PositiveIntegerField(default=0)
        turn_seat = models.PositiveSmallIntegerField(default=0)
        deadline_at = models.DateTimeField(null=True)

        class Meta:
            app_label = "bench"

    class BareMove(models.Model):
        match = models.ForeignKey(BareMatch, on_delete=models.CASCADE)
        version = models.PositiveIntegerField()
        text = models.CharField(max_length=80)
        client_id = models.CharField(max_length=36, null=True)
        played_at = models.DateTimeField()

        class Meta:
            app_label = "bench"
            constraints = [
                models.UniqueConstraint(fields=["match", "version"], name="bare_move_once_a_version"),
                models.UniqueConstraint(fields=["match", "client_id"], name="bare_move_once_a_client_id"),
            ]

    with connection.schema_editor() as editor:
        editor.create_model(BareMatch)
        editor.create_model(BareMove)
    pk = BareMatch.objects.create().pk

    def move() -> None:
        with transaction.atomic():
            match = BareMatch.objects.select_for_update().get(pk=pk)
            now = timezone.now()
            match.version += 1
            BareMove.objects.create(
                match=match, version=match.version, text="0 play 7d", client_id=str(uuid4()), played_at=now
            )
            match.turn_seat = match.version % 4
            match.deadline_at = now + timedelta(seconds=30)
            match.save(update_fields=["version", "turn_seat", "deadline_at"])

    return move


class Match:
    """A match of ours in which the seat to move plays its first legal card."""

    def __init__(self) -> None:
        self._open()

    def _open(self) -> None:
        from django.utils import timezone

        from bench.stage import open_tables
        from games.services import seating

        [(match, players)] = open_tables(1)
        for player in players:
            seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=timezone.now)
            seating.sit_down(match_id=match.pk, player_id=player.pk, token=f"socket-{player.pk}", now=timezone.now)
        self.pk = match.pk

    def next_move(self) -> tuple[Callable[[], Any], bool]:
        """Return the next move, prepared but for its transaction, and whether it is the last of its deal."""
        from django.utils import timezone

        from games import selectors
        from games.engine import match as engine
        from games.engine.record import write_move
        from games.models import Match as Row
        from games.plain_moves.plan import MoveRequest, plan_move
        from games.plain_moves.writer import commit_plans
        from games.services import playing

        row = Row.objects.get(pk=self.pk)
        if row.status == Row.Status.FINISHED:
            self._open()
            return self.next_move()
        progress = selectors.load_progress(row)
        move = engine.legal(progress)[0]
        after = engine.play(progress, move)
        text, client_id = write_move(move).partition(" ")[2], str(uuid4())
        control = row.controls[move.seat]
        request = MoveRequest(row.public_id, self.pk, move.seat, control, text, client_id, row.version)

        def play() -> Any:
            plan = plan_move(request, timezone.now)
            if plan is not None and commit_plans([(plan, timezone.now)])[0] is not None:
                return None
            return playing.play_move(
                match_id=self.pk,
                seat=move.seat,
                control=control,
                text=text,
                client_id=client_id,
                version=row.version,
                now=timezone.now,
            )

        return play, after.deal is None


@contextmanager
def counted_queries() -> Iterator[list[str]]:
    """The statements of a block, those of psycopg's pipelines included, which Django doesn't see."""
    import psycopg
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    statements: list[str] = []
    send = psycopg.Cursor.executemany

    def count(cursor: Any, query: Any, *args: Any, **more: Any) -> None:
        statements.append(str(query))
        send(cursor, query, *args, **more)

    with CaptureQueriesContext(connection) as captured, patch.object(psycopg.Cursor, "executemany", count):
        yield statements
    statements += [query["sql"].partition(" times: ")[2] or query["sql"] for query in captured.captured_queries]


def timed(action: Callable[[], Any]) -> float:
    start = perf_counter()
    action()
    return perf_counter() - start


def main() -> int:
    set_up_django()
    rounds, moves = int(sys.argv[1]), int(sys.argv[2])
    bare, match = bare_tables(), Match()
    ours: list[float] = []
    prototype: list[float] = []
    for _ in range(rounds + 1):
        ours.append(moves / sum(timed(match.next_move()[0]) for _ in range(moves)))
        prototype.append(moves / sum(timed(bare) for _ in range(moves)))
    counts = set()
    for _ in range(QUERIES_OF):
        play, ends = match.next_move()
        with counted_queries() as statements:
            play()
        if not ends:
            counts.add(sum(statement.startswith(QUERIES) for statement in statements))
    json.dump({"ours": ours[1:], "bare": prototype[1:], "queries": sorted(counts)}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
