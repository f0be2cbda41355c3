"""Collection of static files beside those that a running site serves (H13): nothing a page asks for is ever missing.

They are collected in a folder of their own, and each that is new is moved into its place at once; the manifest, by
which the next processes name them, comes last. The hashed files of earlier releases stay for as long as their pages may
be open: ``RELEASES`` of them.
"""

import hashlib
import json
import os
import tempfile
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.management.commands.collectstatic import Command
from django.core.files.storage import storages
from django.core.management import call_command

STAMP = "static.stamp"
KEPT = "static.releases"  # the names of the files of each release that are kept, the newest first
RELEASES = 4  # this one, and three before it
MANIFEST = "staticfiles.json"
UNUSED = ("rest_framework", "redoc")  # pages we don't have, half of all that would be compressed


def compute_static_fingerprint() -> str:
    """Return a digest of the static files' names, sizes and times, and of the storage. No file is read."""
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for name, storage in sorted(finder.list(None), key=lambda item: item[0]):
            status = os.stat(storage.path(name))
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def collect_static(data_dir: Path) -> bool:
    """Collect and hash the static files if any changed since the last time; return True if it had to."""
    stamp, root = data_dir / STAMP, Path(str(settings.STATIC_ROOT))
    fingerprint = compute_static_fingerprint()
    if (root / MANIFEST).exists() and stamp.exists() and stamp.read_text() == fingerprint:
        return False
    stamp.unlink(missing_ok=True)
    root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".static-", dir=root.parent) as folder:
        collector = Command()
        collector.storage = storages.create_storage(
            {**settings.STORAGES["staticfiles"], "OPTIONS": {"location": folder}}
        )
        call_command(collector, interactive=False, verbosity=0, ignore_patterns=[*UNUSED])
        names = sorted(_name(path, Path(folder)) for path in _list_files(Path(folder)))
        for name in names:
            if name != MANIFEST:
                _move(Path(folder) / name, root / name)
        _drop_old_releases(data_dir / KEPT, root, names)
        if hasattr(collector.storage, "add_stats_to_manifest"):
            collector.storage.add_stats_to_manifest()  # of all files that are there now
        _move(Path(folder) / MANIFEST, root / MANIFEST)
    stamp.write_text(fingerprint)
    return True


def _move(new: Path, place: Path) -> None:
    """Put a file in its place at once, unless it is there already: then it is being served."""
    if place.exists() and place.stat().st_size == new.stat().st_size and place.read_bytes() == new.read_bytes():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    new.chmod(0o644)
    os.replace(new, place)


def _drop_old_releases(kept: Path, root: Path, names: list[str]) -> None:
    """Note the names of this release, and delete the files of those that aren't kept any more."""
    before = json.loads(kept.read_text()) if kept.exists() else [[_name(path, root) for path in _list_files(root)]]
    others = [release for release in before if release != names]  # the same, collected again, is no other release
    releases = [names, *others][:RELEASES]
    wanted = {name for release in releases for name in release}
    for path in _list_files(root):
        if _name(path, root) not in wanted:
            path.unlink()
    kept.write_text(json.dumps(releases))


def _list_files(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file()]


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
