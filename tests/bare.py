"""``make bare``: the README's two commands on a bare Debian, one after the other, each release in a folder of its own.

For root on a Debian machine. A minimal system is made by debootstrap, gets what the README says to install and nothing
else, and clones the last commit of this checkout. The machine's own settings say where packages come from; no host
stands here. ``RELEASES`` and ``COMMANDS`` name fewer of them. It ends with a line a release, and 1 if any command
failed; the folder of a release that failed is kept, with its logs.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASES = ("bookworm", "trixie")
COMMANDS = ("run", "test")
TOOLS = ("apt-get", "debootstrap", "git", "unshare")
APT_LINE = re.compile(r"^    sudo apt install (.+)$", re.MULTILINE)
ADDRESS = re.compile(r"Smazzata is ready: (\S+)/$", re.MULTILINE)
READY_SECONDS, STOP_SECONDS, TEST_SECONDS = 600, 60, 5400
MACHINE_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf")
MACHINE_VARIABLES = re.compile(r"PIP_(?!FIND_LINKS).*|SSL_CERT_.*|\w+_(?:proxy|PROXY)|REQUESTS_CA_BUNDLE")
APT_SETTINGS = ("Acquire::http", "Acquire::https", "Acquire::Check-Valid-Until")
# What a booted system has too. The namespace takes the mounts and every process with it when its shell ends.
ENTER = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && chroot "$0" sh -c "$1"'


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


class BareSystem:
    """Debian system in a folder."""

    def __init__(self, release: str, folder: Path) -> None:
        self.release = release
        self.folder = folder
        self.root = folder / "root"

    def make(self) -> None:
        """Make the system, install what the README says, and clone the checkout."""
        log = self.folder / "system.log"
        mirrors = find_mirrors()
        say(f"{self.release}: making the system…")
        run(("debootstrap", "--variant=minbase", self.release, str(self.root), mirrors["Debian"]), log)
        lines = [f"deb {mirrors['Debian']} {suite} main\n" for suite in (self.release, f"{self.release}-updates")]
        if "Debian-Security" in mirrors:
            lines.append(f"deb {mirrors['Debian-Security']} {self.release}-security main\n")
        (self.root / "etc/apt/sources.list").write_text("".join(lines))
        (self.root / "etc/apt/apt.conf.d/90machine").write_text(read_apt_settings())
        packages = APT_LINE.search((ROOT / "README.md").read_text())
        if packages is None:
            raise Failed("the README has no apt line")
        for command in ("update", "dist-upgrade --yes", f"install --yes {packages[1]}"):
            with self.enter(f"DEBIAN_FRONTEND=noninteractive apt-get -qq {command}", log) as process:
                if process.wait():
                    raise Failed(f"apt-get {command} failed: {read_last_line(log)}")
        for name in MACHINE_FILES:
            if Path(name).exists():
                shutil.copy(name, self.root / name.lstrip("/"))
        run(("git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(self.root / "srv/smazzata")), log)

    def enter(self, command: str, log: Path, **variables: str) -> "subprocess.Popen[bytes]":
        """Start a shell command in the system, in namespaces of its own; both outputs go into the log."""
        own = {name: value for name, value in os.environ.items() if MACHINE_VARIABLES.fullmatch(name)}
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        with log.open("ab") as out:
            return subprocess.Popen(
                ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, str(self.root), command],
                env={**own, "HOME": "/root", "PATH": path, **variables},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def remove(self) -> None:
        """Remove the folder, unless something is still mounted in it."""
        if str(self.root) in Path("/proc/self/mountinfo").read_text():
            raise Failed(f"something is still mounted in {self.root}")
        shutil.rmtree(self.folder)

    def try_run(self) -> str:
        """Run ``make run`` until the site is ready, then stop it as Ctrl-C does."""
        log = self.folder / "run.log"
        began = time.monotonic()
        with self.enter("cd /srv/smazzata && exec make run", log, PORT=str(find_free_port())) as process:
            try:
                address = wait_until_ready(process, log)
                ready = time.monotonic() - began
                os.killpg(process.pid, signal.SIGINT)
                try:
                    process.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired as error:
                    raise Failed("make run did not stop at Ctrl-C") from error
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
        if is_ready(address):
            raise Failed("make run left a server behind")
        return f"make run was ready after {ready:.0f} s and stopped at Ctrl-C"

    def try_test(self) -> str:
        """Run ``make test`` to its end."""
        log = self.folder / "test.log"
        began = time.monotonic()
        with self.enter("cd /srv/smazzata && exec make test", log) as process:
            try:
                code = process.wait(TEST_SECONDS)
            except subprocess.TimeoutExpired as error:
                raise Failed("make test did not end") from error
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
        if code:
            raise Failed(f"make test failed: {read_last_line(log)}")
        return f"make test was green after {time.monotonic() - began:.0f} s"


def find_free_port() -> int:
    """Return a port nobody listens on now; the bare systems share this machine's network."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_ready(address: str) -> bool:
    """Ask ``/readyz``."""
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.HTTPError):
        return False


def wait_until_ready(process: "subprocess.Popen[bytes]", log: Path) -> str:
    """Return the address that ``make run`` prints, once it is ready there. Failed if it ends or takes too long."""
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until and process.poll() is None:
        printed = ADDRESS.search(log.read_text(errors="replace"))
        if printed and is_ready(printed[1]):
            return printed[1]
        time.sleep(0.1)
    raise Failed(f"make run was not ready: {read_last_line(log)}")


def try_release(release: str, commands: Sequence[str]) -> tuple[bool, str]:
    """Make a bare system and try the commands in it; whether all went well, and the line that tells it."""
    folder = Path(tempfile.mkdtemp(prefix=f"smazzata-{release}-", dir="/var/tmp"))
    system = BareSystem(release, folder)
    done: list[str] = []
    try:
        system.make()
        version = (system.root / "etc/debian_version").read_text().strip()
        python = (system.root / "usr/bin/python3").resolve().name
        done.append(f"Debian {version}, {python}")
        for command in commands:
            say(f"{release}: make {command}…")
            done.append({"run": system.try_run, "test": system.try_test}[command]())
        system.remove()
    except Failed as failure:
        return False, f"{release}: FAILED: {'; '.join([*done, str(failure)])} (see {folder})"
    return True, f"{release}: {'; '.join(done)}"


def choose(name: str, known: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Return what a variable names, or all that is known. Failed for a word that isn't."""
    words = environment.get(name, "").replace(",", " ").split() or list(known)
    unknown = [word for word in words if word not in known]
    if unknown:
        raise Failed(f"{name} may name {', '.join(known)}, not {', '.join(unknown)}")
    return words


def main() -> int:
    """Return 0 if every command went well in every release, else 1."""
    try:
        releases = choose("RELEASES", RELEASES, os.environ)
        commands = choose("COMMANDS", COMMANDS, os.environ)
        missing = [name for name in TOOLS if shutil.which(name) is None]
        if os.geteuid() != 0 or missing:
            raise Failed("this needs root, and: apt install debootstrap git")
    except Failed as failure:
        say(f"make bare: {failure}.")
        return 1
    if subprocess.run(("git", "status", "--porcelain"), cwd=ROOT, capture_output=True, check=True).stdout:
        say("Changes that aren't committed are not tried.")
    reports = [try_release(release, commands) for release in releases]
    say("")
    for _, line in reports:
        say(line)
    return 0 if all(well for well, _ in reports) else 1


if __name__ == "__main__":
    sys.exit(main())
