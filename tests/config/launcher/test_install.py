"""The installer: what it leaves in ``.venv``, and the versions of Python it knows.

The tests have a ``.venv`` of their own, with this one's pip, and lock files that name nothing, so nothing is fetched.
"""

import shutil
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path

import pytest

from config.launcher import install

LOCK, OTHER = "requirements.lock", "requirements-test.lock"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with two empty lock files, and a ``.venv`` as Debian 12 makes it: with a setuptools."""
    monkeypatch.setattr(install, "ROOT", str(tmp_path))
    monkeypatch.setattr(install, "VENV", str(tmp_path / ".venv"))
    monkeypatch.setattr(install, "PYTHON", str(tmp_path / ".venv" / "bin" / "python"))
    venv.create(tmp_path / ".venv", symlinks=True)
    pip = metadata.distribution("pip")
    for part in ("pip", f"pip-{pip.version}.dist-info"):
        shutil.copytree(Path(str(pip.locate_file(part))), find_library(tmp_path) / part)
    (find_library(tmp_path) / "smazzata.pth").touch()  # of an earlier start
    for lock in (LOCK, OTHER):
        (tmp_path / lock).write_text("# nothing\n")
    add_package(tmp_path, "setuptools")
    return tmp_path


def find_library(root: Path) -> Path:
    (folder,) = (root / ".venv" / "lib").glob("python*/site-packages")
    return folder


def add_package(root: Path, name: str) -> None:
    """Put a package of one file into the ``.venv``, as an installation leaves it."""
    (find_library(root) / f"{name}.py").touch()
    about = find_library(root) / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "RECORD").write_text(f"{name}.py,,\n{about.name}/METADATA,,\n{about.name}/RECORD,,\n")


def list_packages(root: Path) -> set[str]:
    return {package.metadata["Name"] for package in metadata.distributions(path=[str(find_library(root))])}


def test_what_no_lock_file_names_leaves_the_venv_and_pip_goes_last(root: Path) -> None:
    """Debian 12 puts setuptools 66.1.1 there, below its line in floors.toml: `check --deploy` ended."""
    assert list_packages(root) == {"pip", "setuptools"}
    install.install(str(root / LOCK))
    assert list_packages(root) == set()
    assert not list(find_library(root).glob("setuptools*"))
    assert install.is_installed(str(root / LOCK))


def test_what_another_lock_file_names_stays_while_that_one_is_installed_as_it_is() -> None:
    names = ["Django", "zope.interface", "pytest", "setuptools", "pip"]
    locks = [str(Path(install.__file__).parents[2] / name) for name in (LOCK, OTHER)]
    assert install.find_unnamed(names, locks) == []
    assert install.find_unnamed(names, locks[:1]) == ["zope.interface", "pytest", "setuptools", "pip"]


def test_a_stamp_of_another_day_keeps_nothing_and_goes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make run` after `make test`: the packages of the tests stay, unless their lock file has changed since."""
    taken: list[list[str]] = []
    monkeypatch.setattr(install, "run_pip", lambda command, _sentence: taken.append(command))
    (root / OTHER).write_text("setuptools==1.0\npip==1.0\n")
    stamp = Path(install.name_stamp(str(root / OTHER)))

    stamp.write_text(install.compute_stamp(str(root / OTHER)))
    install.install(str(root / LOCK))
    assert [command[0] for command in taken] == ["install"]
    assert stamp.exists()

    (root / LOCK).write_text("# newer\n")
    (root / OTHER).write_text("setuptools==1.0\n# newer\n")
    install.install(str(root / LOCK))
    assert taken[-1][:2] == ["uninstall", "--yes"]
    assert set(taken[-1][2:]) == {"pip", "setuptools"}
    assert not stamp.exists()


def test_the_installer_runs_on_any_python_and_says_what_it_wants() -> None:
    run = subprocess.run([sys.executable, "-I", install.__file__], capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert run.stderr == "smazzata: usage: python3 -I config/launcher/install.py LOCKFILE\n"


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13), (3, 14)])
def test_the_installer_knows_the_supported_versions_of_python(version: tuple[int, int]) -> None:
    install.check_version(version)


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ((2, 7), "Python 3.11 or newer is needed, this is 2.7; name another one with `make run PYTHON=python3.11`."),
        ((3, 10), "Python 3.11 or newer is needed, this is 3.10; name another one with `make run PYTHON=python3.11`."),
        ((3, 15), "Python 3.15 is newer than the packages know; name an older one with `make run PYTHON=python3.13`."),
    ],
)
def test_the_installer_refuses_any_other_in_one_sentence(version: tuple[int, int], sentence: str) -> None:
    with pytest.raises(SystemExit) as refusal:
        install.check_version(version)
    assert refusal.value.code == f"smazzata: {sentence}"
