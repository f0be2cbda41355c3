#!/usr/bin/python3
"""``systemctl`` for a system in a folder, where no systemd runs: what docs/deploy.md asks of it, and no more.

Our units are started as they say: user, environment file, limits, what they may write to. A unit that says what this
doesn't know is refused. Nothing is started again; so a unit that ended by itself is told when it is to be stopped.
Debian's own services are left to their init scripts.
"""

import os
import re
import resource
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from pwd import getpwnam

UNITS, RUNNING, LOGS = Path("/etc/systemd/system"), Path("/run/units"), Path("/var/log/units")
WANTED = re.compile(r"^WantedBy=(\S+\.target)$", re.MULTILINE)
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
FOLLOWED = {
    *("Environment", "EnvironmentFile", "ExecStart", "Group", "LimitNOFILE", "NoNewPrivileges", "PrivateTmp"),
    *("ProtectSystem", "StateDirectory", "TimeoutStopSec", "UMask", "User", "WorkingDirectory"),
}
LEFT_OUT = {
    *("LockPersonality", "PrivateDevices", "ProtectControlGroups", "ProtectHome", "ProtectKernelTunables", "Restart"),
    *("RestartSec", "RestrictAddressFamilies"),
}
# Everything is read-only but the state folder ($1), a new /tmp, and what is no file; then the rest is run.
CONFINE = 'mount --bind "$1" "$1" && mount -t tmpfs tmpfs /tmp && mount -o remount,bind,ro / && shift && exec "$@"'
ASSIGNED = re.compile(r'([A-Za-z_]\w*)=(?:"((?:[^"\\]|\\.)*)"|\'([^\']*)\'|([^"\'\s\\]*))')


class Refused(Exception):
    """Something can't be done; the text says why."""


def read_environment(text: str) -> dict[str, str]:
    """Read an environment file as systemd does: nothing in it is expanded. Refused for a line that is no assignment."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith(("#", ";")):
            continue
        assigned = ASSIGNED.fullmatch(line.strip())
        if assigned is None:
            raise Refused(f"no assignment, or one of several lines: {line}")
        name, quoted, plain, bare = assigned.groups()
        values[name] = re.sub(r'\\(["\\`$])', r"\1", quoted) if quoted is not None else plain or bare or ""
    return values


def find_unit(name: str) -> Path | None:
    """Return the file of one of our units, of its template if it is an instance, or None: it is Debian's."""
    whole = name if name.endswith((".service", ".target")) else f"{name}.service"
    for candidate in (whole, re.sub(r"@.*\.", "@.", whole)):
        if (UNITS / candidate).is_file():
            return UNITS / candidate
    return None


def read_service(text: str, instance: str) -> dict[str, list[str]]:
    """Read a unit's section Service: for each name its values, specifiers put in. Refused for a name not known here."""
    values: dict[str, list[str]] = {}
    specifiers = {"%i": instance, "%H": socket.gethostname(), "%%": "%"}
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            if name not in FOLLOWED | LEFT_OUT:
                raise Refused(f"{name} is not followed here: tests/bare/systemctl.py has to learn it")
            values.setdefault(name, []).append(re.sub("%.", lambda found: specifiers[found[0]], value))
    return values


def enable(name: str) -> None:
    """Have one of our units started with the targets that it says."""
    file = find_unit(name)
    assert file is not None
    for target in WANTED.findall(file.read_text()):
        wanted = UNITS / f"{target}.wants" / name
        wanted.parent.mkdir(exist_ok=True)
        wanted.touch()


def start(name: str) -> None:
    """Start one of our units, unless it runs; with a target all that is enabled for it."""
    file = find_unit(name)
    if file is None or is_running(name):
        return
    if file.suffix == ".target":
        for wanted in sorted((UNITS / f"{name}.wants").glob("*")):
            start(wanted.name)
        return
    service = read_service(file.read_text(), name.partition("@")[2])
    (user,), (command,) = service["User"], service["ExecStart"]
    account = getpwnam(user)
    environment = {"PATH": PATH, "HOME": account.pw_dir, "USER": user, "LOGNAME": user, "SHELL": account.pw_shell}
    for assignment in service.get("Environment", []):
        environment.update(read_environment(assignment))
    for path in service.get("EnvironmentFile", []):
        environment.update(read_environment(Path(path).read_text()))
    wrapped = ["setpriv", f"--reuid={user}", f"--regid={service['Group'][0]}", "--init-groups"]
    if "NoNewPrivileges" in service:
        wrapped.append("--no-new-privs")
    for state in service.get("StateDirectory", []):
        folder = Path("/var/lib", state)
        folder.mkdir(exist_ok=True)
        os.chown(folder, account.pw_uid, account.pw_gid)
        wrapped = ["unshare", "--mount", "sh", "-c", CONFINE, "sh", str(folder), *wrapped]
    for limit in service.get("LimitNOFILE", []):
        most = min(int(limit), resource.getrlimit(resource.RLIMIT_NOFILE)[1])  # not every machine lets root have more
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for folder in (RUNNING, LOGS):
        folder.mkdir(exist_ok=True)
    with (LOGS / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [*wrapped, *shlex.split(command)],
            cwd=service["WorkingDirectory"][0],
            env=environment,
            umask=int(service["UMask"][0], 8),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    (RUNNING / name).write_text(str(process.pid))


def is_running(name: str) -> bool:
    """Tell whether the process of a unit runs; one that nobody has waited for does not."""
    try:
        about = Path("/proc", (RUNNING / name).read_text(), "stat").read_text()
    except OSError:
        return False
    return about.rpartition(")")[2].split()[0] != "Z"


def stop(names: Sequence[str]) -> None:
    """Stop units, all at once. Refused if one had ended by itself, or doesn't stop in the time it has for it."""
    ended = [name for name in names if not is_running(name)]
    running = [name for name in names if name not in ended]
    for name in running:
        os.killpg(int((RUNNING / name).read_text()), signal.SIGTERM)
    began = time.monotonic()
    slow: list[str] = []
    for name in running:
        file = find_unit(name)
        assert file is not None
        patience = float(read_service(file.read_text(), name.partition("@")[2])["TimeoutStopSec"][0])
        while is_running(name) and time.monotonic() < began + patience:
            time.sleep(0.05)
        if is_running(name):
            os.killpg(int((RUNNING / name).read_text()), signal.SIGKILL)
            slow.append(name)
    for name in names:
        (RUNNING / name).unlink()
    if ended or slow:
        raise Refused(
            "; ".join([f"{name} had ended by itself" for name in ended] + [f"{name} was killed" for name in slow])
        )


def find_parts(name: str) -> list[str]:
    """Return the started units that a name means: of a target those that are part of it."""
    file = find_unit(name)
    started = sorted(path.name for path in RUNNING.glob("*"))
    if file is None or file.suffix != ".target":
        return [unit for unit in started if unit == name.removesuffix(".service")]
    parts = {unit: find_unit(unit) for unit in started}
    return [unit for unit, of in parts.items() if of is not None and f"PartOf={name}\n" in of.read_text()]


def obey(verb: str, names: Sequence[str]) -> None:
    """Do what is asked. Refused for a verb that isn't known here, or what can't be done."""
    ours = [name for name in names if find_unit(name) is not None]
    others = [name for name in names if name not in ours]
    if verb not in ("daemon-reload", "enable", "start", "stop", "restart", "reload"):
        raise Refused(f"`systemctl {verb}` is not known here")
    if verb in ("stop", "restart"):
        stop([part for name in ours for part in find_parts(name)])
    if verb == "enable":
        for name in ours:
            enable(name)
    if verb in ("enable", "start", "restart"):
        for name in ours:
            start(name)
    for name in others:
        if subprocess.run([f"/etc/init.d/{name}", "start" if verb == "enable" else verb], check=False).returncode:
            raise Refused(f"{name} could not {verb}")


def main() -> int:
    """Return 0 if it was done, else 1, with why."""
    verb, *names = [word for word in sys.argv[1:] if not word.startswith("-")]
    try:
        obey(verb, names)
    except (Refused, OSError) as error:
        print(f"systemctl: {error}", file=sys.stderr)  # noqa: T201 a program of the terminal
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
