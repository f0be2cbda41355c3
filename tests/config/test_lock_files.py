"""The lock files: every package once, with its hashes, for each Python that is supported."""

import re
import tomllib
from collections.abc import Iterator
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from config.environment import BASE_DIR

LOCKS = {"requirements.lock": [], "requirements-test.lock": ["test"]}
SERVER_LOCK = "requirements-redis.lock"  # a server for machines that have none, and nothing that Python imports
PYTHONS = ("3.11.2", "3.11.7", "3.12.3", "3.13.5", "3.14.0")
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)(?: ; ([^\\]+))? \\$", re.MULTILINE)


def marker_environment(python: str) -> dict[str, str]:
    """Return what the markers of packages ask for, on Linux with this Python."""
    return {"python_version": ".".join(python.split(".")[:2]), "python_full_version": python}


def needed(requirement: Requirement, environment: dict[str, str], seen: set[tuple[str, str]]) -> Iterator[str]:
    """Yield the canonical names of a requirement and of all it requires, as the installed packages tell."""
    name = canonicalize_name(requirement.name)
    for extra in ("", *requirement.extras):
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        yield name
        try:
            requires = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue  # not for the Python of this run
        for line in requires:
            below = Requirement(line)
            if below.marker is None or below.marker.evaluate({**environment, "extra": extra}):
                yield from needed(below, environment, seen)


@pytest.mark.parametrize("name", [*LOCKS, SERVER_LOCK])
def test_a_lock_file_pins_and_hashes_all_and_names_no_place(name: str) -> None:
    text = (BASE_DIR / name).read_text()
    pinned = [line for line in text.splitlines() if line[:1].isalnum()]
    assert pinned
    assert all("==" in line and line.endswith("\\") for line in pinned)
    assert text.count("--hash=sha256:") >= len(pinned)
    assert not [line for line in text.splitlines() if "://" in line or line.startswith(("-", "/"))]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_has_all_that_its_packages_need_on_every_python(name: str, python: str) -> None:
    environment = marker_environment(python)
    pinned = {
        canonicalize_name(package)
        for package, _, marker in PIN.findall((BASE_DIR / name).read_text())
        if not marker or Requirement(f"{package}; {marker}").marker.evaluate(environment)  # type: ignore[union-attr]
    }
    project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]
    extras = [line for extra in LOCKS[name] for line in project["optional-dependencies"][extra]]
    seen: set[tuple[str, str]] = set()
    wanted = {
        package
        for requirement in map(Requirement, [*project["dependencies"], *extras])
        if requirement.marker is None or requirement.marker.evaluate(environment)
        for package in needed(requirement, environment, seen)
    }
    assert {"django", "celery", "async-timeout"} <= wanted
    assert sorted(wanted - pinned) == []


def test_the_redis_of_the_packages_is_fetched_apart_and_is_the_one_of_the_tests() -> None:
    site, tests, server = ((BASE_DIR / name).read_text() for name in (*LOCKS, SERVER_LOCK))
    ((package, version, marker),) = PIN.findall(server)
    assert f"{package}=={version} ; {marker} \\\n" in tests
    assert package not in site
