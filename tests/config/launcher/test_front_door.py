"""The front door: who connects and asks nothing keeps nobody out (AT9). Real uvicorn and connections, few descriptors.

The figure (1,100 half-open connections, 20 addresses, 2,000 sockets) is the soak's; here a process may open a hundred
files, and sixty connections that never ask would take them all.
"""

import resource
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from config.launcher import front_door, processes
from games.front_door import knock
from players import caps
from tests.support.live import ROOT, bound_socket
from tests.support.thorough import tries
from tests.support.waiting import PATIENCE, until

FILES = tries(100, 1000)
SITE = """
import resource, socket, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[2]) // 2, int(sys.argv[2])))
import uvicorn
from config.environment import read_environment
from config.launcher import web
from players import caps
for setting in sys.argv[4:]:
    name, _, value = setting.partition("=")
    setattr(caps, name, float(value))

async def application(scope, receive, send):
    if scope["type"] == "lifespan":
        while (message := await receive())["type"] != "lifespan.shutdown":
            await send({"type": message["type"] + ".complete"})
        return await send({"type": "lifespan.shutdown.complete"})
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})

config = web.build_config(application, read_environment())
if sys.argv[3] == "bare":
    config.http = "httptools"
uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(sys.argv[1]))])
"""


@contextmanager
def served(log: Path, how: str = "guarded", *settings: str, **env: str) -> Iterator[int]:
    """The port of a server with few descriptors, behind our front door or bare."""
    import os

    with bound_socket() as listening:
        fd = listening.fileno()
        process = processes.spawn(
            [sys.executable, "-c", SITE, str(fd), str(FILES), how, *settings],
            env={**os.environ, **env}, log=log, cwd=ROOT, pass_fds=[fd],
        )  # fmt: skip
        port = listening.getsockname()[1]
        try:
            until(
                lambda: knock(f"http://127.0.0.1:{port}", PATIENCE) or process.poll() is not None,
                what="the server to start",
            )
            assert process.poll() is None, log.read_text()
            yield port
        finally:
            processes.stop(process, patience=5)


@pytest.fixture
def crowd() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def connect(crowd: ExitStack, port: int, said: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    line = crowd.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0)))
    line.sendall(said)
    return line


CHUNK = b"2710\r\n" + b"x" * 10_000 + b"\r\n"
HALF_A_HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-"


@pytest.mark.parametrize("said", [b"", HALF_A_HEAD])
def test_the_site_answers_beside_more_half_open_connections_than_it_has_descriptors_at9(
    tmp_path: Path, crowd: ExitStack, said: bytes
) -> None:
    with served(tmp_path / "log") as port:
        for _number in range(2 * FILES):
            connect(crowd, port, said)
        assert knock(f"http://127.0.0.1:{port}", PATIENCE)


BURST = 40  # connections, more than may be half open


@pytest.mark.parametrize("seconds", [60, 0])
def test_who_comes_in_a_crowd_has_time_to_ask_at9(tmp_path: Path, crowd: ExitStack, seconds: int) -> None:
    """Thousands come back at once after a restart. Without the time all but the last are shut out."""
    with served(tmp_path / "log", "guarded", "HALF_OPEN=1", f"HALF_OPEN_SECONDS={seconds}") as port:
        lines = [connect(crowd, port) for _number in range(BURST)]
        read_answer(connect(crowd, port, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"))  # all are let in
        if not seconds:
            assert sum(is_closed(line) for line in lines[:-1]) == BURST - 1
            return
        for line in lines:
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            read_answer(line)


def test_without_a_doorkeeper_it_hears_nobody_any_more_at9(tmp_path: Path, crowd: ExitStack) -> None:
    with served(tmp_path / "log", "bare") as port:
        for _number in range(2 * FILES):
            connect(crowd, port, HALF_A_HEAD)
        assert not knock(f"http://127.0.0.1:{port}", seconds=1)


def read_answer(line: socket.socket) -> None:
    answer = b""
    while not answer.endswith(b"ok"):
        part = line.recv(1000)
        assert part, "closed before its answer was whole"
        answer += part


def is_closed(line: socket.socket) -> bool:
    try:
        return line.recv(1000) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        (b"", "HEAD_SECONDS"),
        (HALF_A_HEAD, "HEAD_SECONDS"),
        (b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab", "BODY_SECONDS"),
    ],
)
def test_a_request_that_never_comes_to_its_end_is_cut_off_at9(
    tmp_path: Path, crowd: ExitStack, said: bytes, limit: str
) -> None:
    with served(tmp_path / "log", "guarded", f"{limit}=0.05") as port:
        assert is_closed(connect(crowd, port, said))


def test_a_head_without_end_is_cut_off_and_a_long_body_is_not_at9(tmp_path: Path, crowd: ExitStack) -> None:
    body = b"x" * 500_000
    with served(tmp_path / "log") as port:
        line = connect(crowd, port, HALF_A_HEAD)
        with suppress(OSError):  # the system says in one way or another that it was closed
            while True:
                line.sendall(b"x" * 8192)
        head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
        read_answer(connect(crowd, port, head + body))


@pytest.mark.parametrize(
    "said", [b"Content-Length: 90000\r\n\r\n" + b"x" * 90_000, b"Transfer-Encoding: chunked\r\n\r\n" + 10 * CHUNK]
)
def test_a_body_longer_than_anything_people_send_is_cut_off_at9(tmp_path: Path, crowd: ExitStack, said: bytes) -> None:
    with served(tmp_path / "log", "guarded", "BODY_BYTES=80000") as port:
        line = crowd.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
        with suppress(OSError):
            line.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n" + said)
            assert is_closed(line)
        whole = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000\r\n\r\n" + b"x" * 70_000
        read_answer(connect(crowd, port, whole))


def test_a_second_request_of_a_connection_has_as_long_as_the_first_at9(tmp_path: Path, crowd: ExitStack) -> None:
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with served(tmp_path / "log", "guarded", "HEAD_SECONDS=3") as port:
        line = connect(crowd, port, whole)
        read_answer(line)
        line.sendall(whole)
        read_answer(line)
        line.sendall(HALF_A_HEAD)
        assert is_closed(line)


def test_one_address_holds_so_many_connections_and_another_is_served_at9(tmp_path: Path, crowd: ExitStack) -> None:
    """The proxy's own aren't counted: they are everybody's."""
    with served(tmp_path / "log", "guarded", "CONNECTIONS_AN_ADDRESS=5", TRUSTED_PROXIES="127.0.0.1") as port:
        lines = [connect(crowd, port, source="127.0.0.2") for _number in range(6)]
        assert is_closed(lines[-1])
        for source in ("127.0.0.3", *["127.0.0.1"] * 9):
            line = connect(crowd, port, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", source)
            assert b"200" in line.recv(1000)
        lines[0].close()
        until(lambda: b"200" in ask(crowd, port, "127.0.0.2"), what="a closed connection to make room for another")


def ask(crowd: ExitStack, port: int, source: str) -> bytes:
    line = connect(crowd, port, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", source)
    try:
        return line.recv(1000)
    except ConnectionResetError:
        return b""


def test_the_file_limit_is_raised_as_far_as_the_system_lets_us() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, before[1]))
        raised = front_door.raise_file_limit()
        assert raised == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        assert raised >= min(caps.FILE_LIMIT, before[1] if before[1] > 0 else caps.FILE_LIMIT)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_the_units_ask_for_as_many_files_as_a_process_does() -> None:
    for unit in ("smazzata-web@.service", "smazzata-worker@.service"):
        assert f"LimitNOFILE={caps.FILE_LIMIT}\n" in (ROOT / "docs" / "deploy" / unit).read_text()
