"""``make bare``: the README's two commands, docs/deploy.md and what keeps such a site up, on bare systems.

For root on a Debian machine. Each release is a folder of its own: a minimal system is made by debootstrap, gets what
the page in question says to install and nothing else, and the last commit of this checkout. The machine's own settings
say where packages come from; no host stands here. ``RELEASES`` and ``COMMANDS`` name fewer or others. It ends with a
line a release, and 1 if any command failed or left a process behind; the folder of a release that failed is kept, with
its logs.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bare import deploy, operations, readme
from tests.bare.machine import ROOT, Failed, say
from tests.bare.system import DEBIAN, UBUNTU, BareSystem

USUAL = ("bookworm", "trixie")
COMMANDS = ("run", "test", "deploy")
TOOLS = {"debootstrap": "debootstrap", "git": "git", "ip": "iproute2", "openssl": "openssl", "unshare": "util-linux"}


def try_release(release: str, commands: Sequence[str]) -> tuple[bool, str]:
    """Make a bare system and try the commands in it; whether all went well, and the line that tells it.

    The commands of the README share a system; who deploys begins with another.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"smazzata-{release}-", dir="/var/tmp"))
    system = BareSystem(release, folder)
    done: list[str] = []
    try:
        say(f"{release}: making the system…")
        system.make()
        deployed = system.copy("deploy") if "deploy" in commands else system
        if commands != ["deploy"]:
            readme.install_what_it_says(system)
        for command in commands:
            say(f"{release}: {'docs/deploy.md' if command == 'deploy' else f'make {command}'}…")
            if command == "deploy":
                done.append(deploy.follow(deployed, operations.carry_on))
            else:
                done.append({"run": readme.try_run, "test": readme.try_test}[command](system))
        title = f"{read_title(deployed.root)}, {deployed.name_python()}"
        system.remove()
    except Failed as failure:
        return False, f"{release}: FAILED: {'; '.join([*done, str(failure)])} (see {folder})"
    finally:  # also after a Ctrl-C
        for tried in (folder, folder / "deploy"):
            BareSystem(release, tried).end_processes()
    return True, f"{release}: {'; '.join([title, *done])}"


def read_title(root: Path) -> str:
    """Return what a system calls itself."""
    lines = (root / "etc/os-release").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)["PRETTY_NAME"].strip('"')


def choose(name: str, usual: Sequence[str], known: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Return what a variable names, or the usual. Failed for a word that isn't known."""
    words = environment.get(name, "").replace(",", " ").split() or list(usual)
    unknown = [word for word in words if word not in known]
    if unknown:
        raise Failed(f"{name} may name {', '.join(known)}, not {', '.join(unknown)}")
    return words


def main() -> int:
    """Return 0 if every command went well in every release, else 1."""
    try:
        releases = choose("RELEASES", USUAL, (*DEBIAN, *UBUNTU), os.environ)
        commands = choose("COMMANDS", COMMANDS, COMMANDS, os.environ)
        missing = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
        if os.geteuid() != 0 or missing:
            raise Failed(f"this needs root, and: apt install {' '.join(TOOLS.values())}")
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
