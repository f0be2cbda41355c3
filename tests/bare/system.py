"""Debian or Ubuntu in a folder: made, entered, looked over for processes that were left behind, removed."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.bare import machine
from tests.bare.machine import Failed

DEBIAN = {"bookworm": "Debian 12", "trixie": "Debian 13", "testing": "the next Debian, for its Python"}
UBUNTU = {"noble": "Ubuntu 24.04"}  # with the address of its packages in UBUNTU_MIRROR
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# What a booted system has too. The mounts end with the last process that sees them; a process stays until it ends.
MOUNT = 'mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev"'
ENTER = f'{MOUNT} && exec chroot "$0" sh -c "$1"'
# The same for several commands, in a network in which nobody else listens, until its standard input is closed.
HOLD = f"{MOUNT} && ip link set lo up && echo up && exec cat"
ENDING_SECONDS = 3  # in which processes that were told to end may still do so


class BareSystem:
    """System in a folder, and its processes."""

    def __init__(self, release: str, folder: Path) -> None:
        self.release = release
        self.folder = folder.resolve()
        self.root = self.folder / "root"
        self.holder: int | None = None  # of the mounts and of the network that its commands share, if they do

    def make(self) -> None:
        """Make the system, with the newest packages of its release and this machine's ways to reach more."""
        log = self.folder / "system.log"
        sources = write_sources(self.release)
        mirror = sources[0].split()[1]
        # A debootstrap that is older than a release doesn't know it by name; all of Ubuntu are made alike.
        script = ("gutsy",) if self.release in UBUNTU else ()
        machine.run(("debootstrap", "--variant=minbase", self.release, str(self.root), mirror, *script), log)
        (self.root / "etc/apt/sources.list").write_text("".join(sources))
        (self.root / "etc/apt/apt.conf.d/90machine").write_text(machine.read_apt_settings())
        no_daemons = self.root / "usr/sbin/policy-rc.d"  # packages start none, which would be on the machine's network
        no_daemons.write_text("#!/bin/sh\nexit 101\n")
        no_daemons.chmod(0o755)
        self.take_machine_files()
        for command in ("update", "dist-upgrade --yes"):
            self.do(f"DEBIAN_FRONTEND=noninteractive apt-get -qq {command}", log)

    def take_machine_files(self) -> None:
        """Copy the files by which this machine reaches others; to be done again after packages that make their own."""
        for name in machine.FILES:
            if Path(name).exists():
                (self.root / name.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(name, self.root / name.lstrip("/"))

    def copy(self, name: str) -> "BareSystem":
        """Return another system that is as this one is now, in a folder below this one's."""
        other = BareSystem(self.release, self.folder / name)
        other.folder.mkdir()
        machine.run(("cp", "--archive", "--reflink=auto", str(self.root), str(other.root)), self.folder / "system.log")
        return other

    def install(self, packages: str) -> None:
        """Install packages of the release."""
        self.do(f"DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes {packages}", self.folder / "system.log")

    def name_python(self) -> str:
        """Return what the system's Python is: `python3.11`."""
        return (self.root / "usr/bin/python3").resolve().name

    def clone(self, *options: str, to: str) -> None:
        """Clone the last commit of this checkout into the system."""
        command = ("git", "clone", "--quiet", "--no-hardlinks", *options, str(machine.ROOT), f"{self.root}{to}")
        machine.run(command, self.folder / "system.log")

    def enter(self, command: str, log: Path, **variables: str) -> "subprocess.Popen[bytes]":
        """Start a shell command in the system; both outputs go into the log."""
        if self.holder is None:
            entering = ["unshare", "--mount", "sh", "-c", ENTER, str(self.root)]
        else:
            entering = ["nsenter", f"--target={self.holder}", "--mount", "--net", "chroot", str(self.root), "sh", "-c"]
        with log.open("ab") as out:
            return subprocess.Popen(
                [*entering, command],
                env={**machine.read_variables(), "HOME": "/root", "PATH": PATH, **variables},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def do(self, command: str, log: Path, **variables: str) -> str:
        """Run a shell command in the system to its end; what it said. Failed, with its last line, if it fails."""
        before = log.stat().st_size if log.exists() else 0
        code = self.enter(command, log, **variables).wait()
        output = log.read_bytes()[before:].decode(errors="replace")
        if code:
            raise Failed(f"`{command}` failed: {(output.strip().splitlines() or ['no reason given'])[-1]}")
        return output

    @contextmanager
    def cut_off(self) -> Iterator[None]:
        """Give the system a network of its own, in which its servers meet none of this machine's.

        Its commands see each other's processes as on one machine: start-stop-daemon compares their mounts.
        """
        command = ["unshare", "--mount", "--net", "sh", "-c", HOLD, str(self.root)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
            assert holder.stdin is not None
            assert holder.stdout is not None
            if holder.stdout.readline() != b"up\n":
                raise Failed("a network of its own could not be made: is there `ip`, of iproute2?")
            self.holder = holder.pid
            try:
                yield
            finally:
                self.holder = None
                holder.stdin.close()

    # --- Processes ---------------------------------------------------------------------------------------------------

    def end_processes(self) -> list[str]:
        """Kill whatever still runs in the system; how each was called."""
        until = time.monotonic() + ENDING_SECONDS
        while (left := find_processes(self.root)) and time.monotonic() < until:
            time.sleep(0.1)
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return sorted(left.values())

    def check_nothing_runs(self, what: str) -> None:
        """Fail, with the names, if something still runs in the system; it is ended all the same."""
        left = self.end_processes()
        if left:
            raise Failed(f"{what} left behind: {', '.join(left)}")

    def remove(self) -> None:
        """Remove the folder, unless something is still mounted in it."""
        if str(self.folder) in Path("/proc/self/mountinfo").read_text():
            raise Failed(f"something is still mounted in {self.folder}")
        shutil.rmtree(self.folder)


def write_sources(release: str) -> list[str]:
    """Return the lines that tell apt where a release's packages are. Failed if this machine doesn't know."""
    if release in UBUNTU:
        mirror = os.environ.get("UBUNTU_MIRROR", "")
        if not mirror:
            raise Failed("UBUNTU_MIRROR must say where its packages are")
        suites = (release, f"{release}-updates", f"{release}-security")
        return [f"deb {mirror} {suite} main universe\n" for suite in suites]
    mirrors = machine.find_mirrors()
    lines = [f"deb {mirrors['Debian']} {suite} main\n" for suite in (release, f"{release}-updates")]
    if "Debian-Security" in mirrors:
        lines.append(f"deb {mirrors['Debian-Security']} {release}-security main\n")
    return lines


def find_processes(root: Path) -> dict[int, str]:
    """Return the processes whose root lies in a folder, by their numbers, with how each was started."""
    found: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            if (entry / "root").readlink().is_relative_to(root):
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                found[int(entry.name)] = words or (entry / "comm").read_text().strip()
    return found
