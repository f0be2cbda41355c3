"""Make ``.venv`` and install into it what is missing: the first half of ``make run`` and ``make test``.

Run by the system's Python as ``python3 -I config/launcher/install.py LOCKFILE``, so it uses the standard library only
and imports nothing of the project. It never changes anything outside ``.venv``. Every failure is one sentence on the
terminal, with the apt line where there is one.
"""

import hashlib
import os
import shutil
import subprocess
import sys

OLDEST, NEWEST = (3, 11), (3, 14)  # what all packages have a wheel for
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")


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
        works = subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True, text=True)
        if works.returncode == 0 and "(python %d.%d)" % sys.version_info[:2] in works.stdout:
            return
        shutil.rmtree(VENV)
    made = subprocess.run([sys.executable, "-m", "venv", VENV], capture_output=True, text=True)
    if made.returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        last = (made.stderr or made.stdout).strip().splitlines() or ["no reason given"]
        fail("the virtual environment could not be made (%s): sudo apt install python3-venv" % last[-1])


def compute_stamp(lock):
    """Return what a lock file installed by this Python is known by."""
    with open(lock, "rb") as file:
        text = file.read() + sys.version.encode() + ROOT.encode()
    return hashlib.sha256(text).hexdigest()


def install(lock):
    """Install the lock file, hashes checked, unless its stamp says that it was."""
    stamp_file = os.path.join(VENV, "installed-" + os.path.basename(lock))
    stamp = compute_stamp(lock)
    if os.path.exists(PYTHON) and os.path.exists(stamp_file):
        with open(stamp_file) as file:
            if file.read() == stamp:
                return
    make_venv()
    print("Installing %s (once)…" % os.path.basename(lock), flush=True)
    command = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    result = subprocess.run([*command, "--require-hashes", "-r", lock], stderr=subprocess.PIPE, text=True)
    if result.returncode:
        sys.stderr.write(result.stderr)
        fail("the packages of %s could not be installed; is the network up?" % os.path.basename(lock))
    library = subprocess.run(
        [PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    with open(os.path.join(library.stdout.strip(), "smazzata.pth"), "w") as file:
        file.write(ROOT + "\n")
    with open(stamp_file, "w") as file:
        file.write(stamp)


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
