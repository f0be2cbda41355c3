"""Archive of all own data as an answer, sent while it is made: for the page and for programs."""

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

from players.models import Player
from players.services.own_data import stream_archive


def answer_archive(request: HttpRequest, player: Player) -> StreamingHttpResponse:
    """Return the answer that sends all that the site keeps of a player as one ZIP; no cache keeps it."""
    pieces = stream_archive(player)
    content = _take_in_turn(pieces) if isinstance(request, ASGIRequest) else pieces
    answer = StreamingHttpResponse(content, content_type="application/zip")
    answer["Cache-Control"] = "no-store"
    answer["Content-Disposition"] = f'attachment; filename="smazzata-{player.public_id}.zip"'
    return answer


async def _take_in_turn(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the pieces one by one, each made in the request's own thread: Django would collect them all first."""
    take = sync_to_async(lambda: next(pieces, b""))
    while piece := await take():
        yield piece
