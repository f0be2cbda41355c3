"""The README's two commands in a bare system, after its apt line."""

import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.bare import machine
from tests.bare.machine import Failed
from tests.bare.system import BareSystem

NO_REDIS_YET = "python3.14"  # has no server among the packages
APT_LINE = re.compile(r"^    sudo apt install (.+)$", re.MULTILINE)
ADDRESS = re.compile(r"Smazzata is ready: (\S+)/$", re.MULTILINE)
READY_SECONDS, STOP_SECONDS, TEST_SECONDS = 600, 60, 5400
PLACE = "/srv/smazzata"


def install_what_it_says(system: BareSystem) -> None:
    """Install what the README says and nothing else, and clone the checkout."""
    page = (machine.ROOT / "README.md").read_text()
    packages = APT_LINE.search(page)
    if packages is None:
        raise Failed("the README doesn't say what to install")
    system.install(packages[1])
    system.take_machine_files()
    system.clone(to=PLACE)


def try_run(system: BareSystem) -> str:
    """Run ``make run`` with the system's Redis, then without one; ``make test`` has none either."""
    told = try_start(system)
    if system.name_python() != NO_REDIS_YET:
        system.do("dpkg --purge redis-server", system.folder / "system.log")
        told += f"; without Redis {try_start(system)}"
    return told


def try_start(system: BareSystem) -> str:
    """Run ``make run`` until the site is ready, then stop it as Ctrl-C does."""
    log = system.folder / "run.log"
    began = time.monotonic()
    with system.enter(f"cd {PLACE} && exec make run", log, PORT=str(machine.find_free_port())) as process:
        try:
            wait_until_ready(process, log)
            ready = time.monotonic() - began
            os.killpg(process.pid, signal.SIGINT)
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise Failed("make run did not stop at Ctrl-C") from error
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    system.check_nothing_runs("make run")
    return f"make run was ready after {ready:.0f} s, stopped at Ctrl-C and left nothing behind"


def try_test(system: BareSystem) -> str:
    """Run ``make test`` to its end."""
    log = system.folder / "test.log"
    began = time.monotonic()
    with system.enter(f"cd {PLACE} && exec make test", log) as process:
        try:
            code = process.wait(TEST_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise Failed("make test did not end") from error
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    if code:
        raise Failed(f"make test failed: {machine.read_last_line(log)}")
    system.check_nothing_runs("make test")
    return f"make test was green after {time.monotonic() - began:.0f} s"


def is_ready(address: str) -> bool:
    """Ask ``/readyz``."""
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.HTTPError):
        return False


def wait_until_ready(process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until the site is ready at the address that ``make run`` prints. Failed if it ends or takes too long."""
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until and process.poll() is None:
        printed = ADDRESS.search(log.read_text(errors="replace"))
        if printed and is_ready(printed[1]):
            return
        time.sleep(0.1)
    raise Failed(f"make run was not ready: {machine.read_last_line(log)}")
