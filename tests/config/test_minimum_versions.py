"""No lock file pins a package below its lowest safe version. Nobody on the network is asked."""

from datetime import date
from pathlib import Path

import pytest
from packaging.version import Version

from config.environment import BASE_DIR
from config.minimum_versions import Floor, find_below, find_installed, find_installed_below, read_floors, read_pins

LOCKS = ("requirements.lock", "requirements-redis.lock", "requirements-test.lock")
PROMISED = {
    "django": "5.2.19",
    "djangorestframework": "3.18.2",
    "daphne": "4.2.2",
    "autobahn": "26.10.1",
    "h11": "0.16",
}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_is_above_every_floor(name: str) -> None:
    versions = read_pins(BASE_DIR / name)
    assert versions
    assert find_below(versions, read_floors()) == []


def test_what_is_installed_is_above_every_floor() -> None:
    assert find_installed(["Django", "no-such-package"]).keys() == {"django"}
    assert find_installed_below() == []


def test_the_promised_floors_are_there_each_with_a_reason_and_a_date() -> None:
    known = {floor.package: floor for floor in read_floors()}
    assert len(known) == len(read_floors())
    assert all(known[name].lowest >= Version(lowest) for name, lowest in PROMISED.items())
    assert all(len(floor.reason) > 20 and isinstance(floor.reviewed, date) for floor in known.values())


def test_a_package_below_its_floor_is_found_however_its_name_is_written(tmp_path: Path) -> None:
    lock = tmp_path / "some.lock"
    lock.write_text(
        "Zope.Interface==8.6.9 \\\n    --hash=sha256:00\n"
        "celery[redis]==5.10.0 ; python_version < '4' \\\n    --hash=sha256:00\n    # via django==1.0\n"
    )
    known = [
        Floor("zope-interface", Version("8.7"), "reason", date(2026, 11, 21)),
        Floor("celery", Version("5.9"), "ten is more than nine", date(2026, 11, 21)),
        Floor("django", Version("5.2.19"), "only named in a comment", date(2026, 11, 21)),
    ]
    assert find_below(read_pins(lock), known) == ["zope-interface 8.6.9 is below 8.7: reason"]
