"""Static files from memory: answered again as they were answered once, and only what never changes."""

from typing import Any

import pytest

from config.static_cache import MAX_ENCODINGS, StaticCache

BODY = b"export const one = 1;\n"
GOOD = [(b"content-length", b"%d" % len(BODY)), (b"cache-control", b"max-age=315360000, public, immutable")]


class Files:
    """Stands for Django: answers everything in two parts and counts how often it was asked."""

    def __init__(self, status: int = 200, headers: list[tuple[bytes, bytes]] | None = None) -> None:
        self.asked = 0
        self.status, self.headers = status, GOOD if headers is None else headers

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": BODY[:5], "more_body": True})
        await send({"type": "http.response.body", "body": BODY[5:], "more_body": False})


async def get(cache: StaticCache, path: str = "/static/js/one.abc.js", *, method: str = "GET", **headers: str) -> bytes:
    """The body, once it has been seen that the answer's head is what the files say."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read of a request for a file")

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope: Any = {"type": "http", "method": method, "path": path, "headers": raw}
    await cache(scope, receive, send)
    head, *parts = sent
    assert (head["status"], head["headers"]) == (cache.application.status, cache.application.headers)  # type: ignore[attr-defined]
    assert parts[-1]["more_body"] is False
    return b"".join(part["body"] for part in parts)


def remembering(files: Files, **more: int) -> StaticCache:
    return StaticCache(files, "/static/", **more)  # type: ignore[arg-type]


async def test_a_file_that_never_changes_is_read_once_for_each_encoding() -> None:
    files = Files()
    cache = remembering(files)
    for encoding in ("gzip", "gzip, br") * 3:
        assert await get(cache, accept_encoding=encoding) == BODY
    assert files.asked == 2
    assert await get(cache, "/static/js/two.abc.js", accept_encoding="gzip") == BODY
    assert files.asked == 3


@pytest.mark.parametrize(
    "asked",
    [
        {"range": "bytes=0-3"},
        {"if_none_match": '"x"'},
        {"if_modified_since": "Sun, 22 Nov 2026 08:00:00 GMT"},
        {"method": "HEAD"},
        {"path": "/tavoli/x/"},
    ],
    ids=str,
)
async def test_who_asks_for_anything_else_is_answered_by_the_files_themselves(asked: dict[str, str]) -> None:
    files = Files()
    cache = remembering(files)
    for _ in range(2):
        await get(cache)
        await get(cache, **asked)  # type: ignore[arg-type]
    assert files.asked == 3


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (404, GOOD),
        (206, GOOD),
        (200, [GOOD[0], (b"cache-control", b"max-age=60, public")]),
        (200, [GOOD[0]]),
        (200, [GOOD[1]]),
        (200, [(b"content-length", b"400"), GOOD[1]]),
    ],
    ids=str,
)
async def test_nothing_is_kept_that_may_change_or_is_not_whole(status: int, headers: list[tuple[bytes, bytes]]) -> None:
    files = Files(status, headers)
    cache = remembering(files)
    for _ in range(2):
        await get(cache)
    assert files.asked == 2


async def test_no_more_is_kept_than_there_is_room_for() -> None:
    files = Files()
    cache = remembering(files, most=len(BODY))
    for path in ("/static/a.js", "/static/b.js"):
        for _ in range(2):
            await get(cache, path)
    assert files.asked == 3, "the second file has no room"
    files = Files()
    cache = remembering(files)
    for number in range(MAX_ENCODINGS + 1):
        for _ in range(2):
            await get(cache, accept_encoding=str(number))
    assert files.asked == MAX_ENCODINGS + 2, "nobody can fill it by asking for ever other encodings"
