"""A child process that can't outlive its parent: how the supervisor and the tests start every server they need.

It decides nothing about what runs or when it is started again. Each child leads a process group of its own, so that a
Ctrl-C in the terminal reaches only the parent and stopping a child stops whatever it started; the kernel sends it
SIGTERM if the parent vanishes, even by ``kill -9``.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1  # <sys/prctl.h>


def _tie_to(parent: int) -> Callable[[], None]:
    """Return the new process's first step: ask for SIGTERM at the parent's death, or leave if the parent is dead."""
    libc = ctypes.CDLL(None, use_errno=True)  # loaded before the fork, where it is safe

    def tie() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return tie


def spawn(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    log: Path,
    cwd: Path | None = None,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start ``command`` in its own process group, both outputs appended to ``log``. OSError if it can't be run.

    Call it from a thread that lives as long as the parent should: the kernel ties the child to that thread.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as out:
        return subprocess.Popen(  # noqa: S603 the command is ours
            list(command),
            env=dict(env),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_tie_to(os.getpid()),
            pass_fds=pass_fds,
        )


def signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to the child and to all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def stop(process: subprocess.Popen[bytes], *, patience: float) -> None:
    """Stop the child's whole group: SIGTERM, then SIGKILL to what is left after ``patience`` seconds."""
    if process.poll() is None:
        signal_group(process, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    signal_group(process, signal.SIGKILL)
    process.wait()
