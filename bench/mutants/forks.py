"""Work in a process forked from the one that has collected the tests, and what it answers."""

import contextlib
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

import pytest

MOST_BYTES = 3 << 30
BROKEN = 70  # code of a process that failed at something else than a test


def run_forked(
    session: pytest.Session, work: Callable[[Callable[[Any], None]], None], *, limit: float
) -> tuple[list[Any], int | None, float]:
    """Do work in a forked process; return what it told, its ending (None: stopped at the limit) and its seconds."""
    began = time.monotonic()
    read, write = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        code = BROKEN
        try:
            os.close(read)
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))  # a loop may gather things for ever
            plugins = session.config.pluginmanager
            reporter = plugins.getplugin("terminalreporter")
            plugins.unregister(reporter)
            capture = plugins.getplugin("capturemanager")
            capture.stop_global_capturing()
            capture.start_global_capturing()
            forget_redis()

            def tell(word: Any) -> None:
                os.write(write, json.dumps(word).encode() + b"\n")

            work(tell)
            code = 0
        except BaseException:
            say(traceback.format_exc())
            raise
        finally:
            os._exit(code)
    os.close(write)
    pieces = bytearray()
    status: int | None = None
    with contextlib.ExitStack() as ends:
        ends.callback(os.close, read)
        while select.select([read], [], [], max(0.0, began + limit - time.monotonic()))[0]:
            piece = os.read(read, 1 << 16)
            if not piece:
                status = 0
                break
            pieces += piece
        if status is None:
            stop_group(pid)
        _, ended = os.waitpid(pid, 0)
        stop_group(pid)  # what it may have left
        status = None if status is None else os.waitstatus_to_exitcode(ended)
    words = [json.loads(line) for line in bytes(pieces).splitlines()]
    return words, status, time.monotonic() - began


def stop_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def forget_redis() -> None:
    """Empty the tests' own Redis: what another mutant left there is no concern of this one."""
    import redis
    from django.conf import settings

    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.flushall()


_output = 1


def keep_output() -> None:
    """Remember where the program was begun: pytest captures what is printed later."""
    global _output
    _output = os.dup(1)


def say(text: str) -> None:
    os.write(_output, f"{text}\n".encode())
