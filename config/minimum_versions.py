"""The lowest safe versions of packages: floors.toml, compared with what a lock file pins or what is installed.

It asks nobody on the network and knows no vulnerabilities but those that somebody reviewed and wrote down with a reason
and a date. A package that is neither pinned nor installed is below no floor.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from importlib import metadata
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import Version

from config.environment import BASE_DIR

FLOORS = BASE_DIR / "floors.toml"
PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Floor:
    """Below ``lowest`` nobody should run ``package``."""

    package: str
    lowest: Version
    reason: str
    reviewed: date


def read_floors(path: Path = FLOORS) -> list[Floor]:
    """Return the reviewed floors. KeyError, TypeError or InvalidVersion for an entry that isn't whole."""
    entries = tomllib.loads(path.read_text())["floor"]
    return [Floor(**{**entry, "lowest": Version(entry["lowest"])}) for entry in entries]


def read_pins(lock: Path) -> dict[str, Version]:
    """Return the versions that a lock file pins, by canonical name."""
    return {canonicalize_name(name): Version(version) for name, version in PINNED.findall(lock.read_text())}


def find_installed(names: list[str]) -> dict[str, Version]:
    """Return the versions of these packages in this Python; one that isn't installed is left out."""
    versions: dict[str, Version] = {}
    for name in names:
        try:
            versions[canonicalize_name(name)] = Version(metadata.version(name))
        except metadata.PackageNotFoundError:
            continue
    return versions


def find_below(versions: Mapping[str, Version], floors: list[Floor]) -> list[str]:
    """Return one phrase for each package below its floor, the floor and its reason in it."""
    return [
        f"{floor.package} {versions[name]} is below {floor.lowest}: {floor.reason}"
        for floor in floors
        if (name := canonicalize_name(floor.package)) in versions and versions[name] < floor.lowest
    ]


def find_installed_below() -> list[str]:
    """Return the same for the packages that are installed here."""
    floors = read_floors()
    return find_below(find_installed([floor.package for floor in floors]), floors)
