"""Make ``.venv`` what a lock file says: the first half of ``make run`` and ``make test``.

Run by the system's Python as ``python3 -I config/launcher/install.py LOCKFILE``, so it uses the standard library only
and imports nothing of the project. It never changes anything outside ``.venv``. What no lock file names is taken out:
Debian 12 puts a setuptools into each venv that is below its line in floors.toml, and pip itself comes for an
installation and leaves with it. Every failure is one sentence on the terminal, with the apt line where there is one.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys

OLDEST, NEWEST = (3, 11), (3, 14)  # what all packages have a wheel for
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?==", re.MULTILINE)
WAY = b"exactly, without pip"  # of installing, in each stamp: with another one every .venv is installed into once more
# The folder of the packages, then a line for the name of each.
ASK = """
import sysconfig
from importlib import metadata

folder = sysconfig.get_path("purelib")
print(folder, *(package.metadata["Name"] for package in metadata.distributions(path=[folder])), sep="\\n")
"""


def fail(sentence):
    sys.exit("smazzata: " + sentence)


def check_version(version):
    """Fail unless the packages know this version of Python."""
    if version < OLDEST:
        fail(
            "Python %d.%d or newer is needed, this is %d.%d; name another one with `make run PYTHON=python3.11`."
            % (OLDEST + version)
        )
    if version > NEWEST:
        fail(
            "Python %d.%d is newer than the packages know; name an older one with `make run PYTHON=python3.13`."
            % version
        )


def check_machine():
    """Fail unless there is a Python that the packages know, its venv module, and a folder that may be written."""
    check_version(sys.version_info[:2])
    if not os.access(ROOT, os.W_OK) or (os.path.exists(VENV) and not os.access(VENV, os.W_OK)):
        fail("no permission to write in %s; run it as the folder's owner or clone it elsewhere." % ROOT)
    if not os.path.exists(PYTHON):
        try:
            import ensurepip  # noqa: F401 Debian ships it apart
            import venv  # noqa: F401
        except ImportError:
            fail("Python's venv module is missing: sudo apt install python3-venv")


def make_venv():
    """Make a fresh virtual environment, unless there is a working one of this Python's version."""
    if os.path.exists(PYTHON):
        answer = subprocess.run([PYTHON, "--version"], capture_output=True, text=True)
        if answer.returncode == 0 and answer.stdout.startswith("Python %d.%d." % sys.version_info[:2]):
            return
        shutil.rmtree(VENV)
    try:
        run_or_fail([sys.executable, "-m", "venv", VENV], "the virtual environment could not be made")
    except SystemExit:
        shutil.rmtree(VENV, ignore_errors=True)
        raise


def make_pip():
    """Put Python's own pip into the virtual environment, unless there is one."""
    if subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode:
        run_or_fail([PYTHON, "-m", "ensurepip"], "pip could not be put into the virtual environment")


def run_or_fail(command, problem):
    """Run a command of venv's; fail with its last line, and the package that it is in, if it does."""
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        last = (result.stderr or result.stdout).strip().splitlines() or ["no reason given"]
        fail("%s (%s): sudo apt install python3-venv" % (problem, last[-1]))


def compute_stamp(lock):
    """Return what a lock file installed by this Python is known by."""
    with open(lock, "rb") as file:
        text = file.read() + sys.version.encode() + ROOT.encode() + WAY
    return hashlib.sha256(text).hexdigest()


def name_stamp(lock):
    """Return the file that says that a lock file was installed."""
    return os.path.join(VENV, "installed-" + os.path.basename(lock))


def is_installed(lock):
    """Tell whether a lock file is installed as it is now."""
    if not os.path.exists(PYTHON) or not os.path.exists(name_stamp(lock)):
        return False
    with open(name_stamp(lock)) as file:
        return file.read() == compute_stamp(lock)


def find_locks():
    """Return the lock files of the project."""
    return [os.path.join(ROOT, name) for name in sorted(os.listdir(ROOT)) if name.endswith(".lock")]


def normalize(name):
    """Return the one way in which names of a package compare."""
    return re.sub(r"[-_.]+", "-", name).lower()


def find_unnamed(names, locks):
    """Return those of the installed packages, by name, that none of the lock files names."""
    text = ""
    for lock in locks:
        with open(lock) as file:
            text += file.read()
    named = {normalize(name) for name in PINNED.findall(text)}
    return [name for name in names if normalize(name) not in named]


def run_pip(command, sentence):
    """Run a command of pip; fail with the sentence, below pip's own words, if it does."""
    pip = [PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    result = subprocess.run(pip + command, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        sys.stderr.write(result.stderr)
        fail(sentence)


def install(lock):
    """Install the lock file, hashes checked, unless its stamp says that it was; nothing else stays.

    What another lock file names stays where that one is installed as it is now: else it is installed anew when it is
    asked for, since its stamp goes too.
    """
    if is_installed(lock):
        return
    make_venv()
    make_pip()
    title = os.path.basename(lock)
    print("Installing %s (once)…" % title, flush=True)
    run_pip(
        ["install", "--no-deps", "--require-hashes", "-r", lock],
        "the packages of %s could not be installed; is the network up?" % title,
    )
    answer = subprocess.run([PYTHON, "-c", ASK], capture_output=True, text=True, check=True)
    library, *names = answer.stdout.splitlines()
    others = [other for other in find_locks() if other != lock and is_installed(other)]
    for other in find_locks():
        if other not in others and os.path.exists(name_stamp(other)):
            os.remove(name_stamp(other))
    unnamed = find_unnamed(names, [lock, *others])
    if unnamed:
        run_pip(["uninstall", "--yes", *unnamed], "what %s doesn't name could not be taken out." % title)
    with open(os.path.join(library, "smazzata.pth"), "w") as file:
        file.write(ROOT + "\n")
    with open(name_stamp(lock), "w") as file:
        file.write(compute_stamp(lock))


def main():
    if len(sys.argv) != 2:
        fail("usage: python3 -I config/launcher/install.py LOCKFILE")
    check_machine()
    try:
        install(os.path.join(ROOT, sys.argv[1]))
    except PermissionError as error:
        fail("no permission to write %s; run it as the folder's owner or clone it elsewhere." % error.filename)
    except OSError as error:
        fail("the installation stopped: %s." % error)


if __name__ == "__main__":
    main()
