"""This machine: its programs, and where it gets its packages from."""

import os
import re
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf")
VARIABLES = re.compile(r"PIP_(?!FIND_LINKS).*|SSL_CERT_.*|\w+_(?:proxy|PROXY)|REQUESTS_CA_BUNDLE")
APT_SETTINGS = ("Acquire::http", "Acquire::https", "Acquire::Check-Valid-Until")


class Failed(Exception):
    """A release could not be tried, or did not pass; the text goes into its line."""


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 a program of the terminal


def run(command: Sequence[str], log: Path) -> None:
    """Run a program of this machine, its output into the log. Failed, with its last line, if it fails."""
    with log.open("ab") as out:
        code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False).returncode
    if code:
        raise Failed(f"{command[0]} failed: {read_last_line(log)}")


def read_last_line(log: Path) -> str:
    """Return the last line of a log."""
    return (log.read_text(errors="replace").strip().splitlines() or ["no reason given"])[-1]


def find_mirrors() -> dict[str, str]:
    """Return the addresses of this machine's Debian packages, by apt's labels for them. Failed if there are none."""
    command = ("apt-get", "indextargets", "--format", "$(LABEL)|$(REPO_URI)", "Created-By: Packages")
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    mirrors = dict(line.split("|", 1) for line in answer.splitlines())
    if "Debian" not in mirrors:
        raise Failed("apt knows no mirror of Debian here: sudo apt update, on a Debian machine")
    return mirrors


def read_apt_settings() -> str:
    """Return how apt reaches its mirrors on this machine (a proxy, say), as a file of its settings."""
    dump = subprocess.run(("apt-config", "dump", "Acquire"), capture_output=True, text=True, check=True).stdout
    return "".join(f"{line}\n" for line in dump.splitlines() if line.startswith(APT_SETTINGS))


def read_variables() -> dict[str, str]:
    """Return the variables that say how this machine reaches its packages."""
    return {name: value for name, value in os.environ.items() if VARIABLES.fullmatch(name)}


def find_free_port() -> int:
    """Return a port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
