"""Storage of the collected static files: hashed and compressed by ServeStatic, script and styles in one file each, and
styles without their comments.

What they are made of is collected as well; a storage that makes no bundles (in the tests) serves it one by one.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.files.storage import Storage
from servestatic.storage import CompressedManifestStaticFilesStorage

from config.bundle import bundle
from config.stylesheets import join_imports, squeeze

Collected = dict[str, tuple[Storage, str]]  # files by their names: where each is read from, and by what name there


class BundledStaticStorage(CompressedManifestStaticFilesStorage):
    """``bundles``: a page's first module, and the file in which it is one with all it imports.

    ``joined``: a style sheet that imports others, and the file in which it is one with them.
    """

    bundles = {
        "js/live.js": "js/page.js",
        "js/wall.js": "js/screen.js",
        "js/table/main.js": "js/table.js",
        "js/replay/main.js": "js/replay.js",
        "js/lesson/main.js": "js/lesson.js",
        "js/check/main.js": "js/check.js",
        "js/check/draw.js": "js/check_draw.js",
        "js/mixing/main.js": "js/mixing.js",
    }
    joined = {
        "css/main.css": "css/everywhere.css",
        "css/at_table.css": "css/table_page.css",
        "css/at_cards.css": "css/cards_page.css",
    }

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Make the bundles of what was collected, then go on with them as with the other files."""
        if not dry_run:
            self._bundle(paths)
            self._squeeze(paths)
        yield from super().post_process(paths, dry_run, **options)

    def url(self, name: str | None, force: bool = False) -> str:
        """Return the address of a file, or of the bundle that begins with it."""
        return str(super().url({**self.bundles, **self.joined}.get(name or "", name), force))

    def _bundle(self, paths: Collected) -> None:
        for main, whole in self.bundles.items():
            if main in paths:
                self._write(whole, bundle(main, self._read), paths)
        for main, whole in self.joined.items():
            if main in paths:
                self._write(whole, join_imports(main, self._read), paths)

    def _squeeze(self, paths: Collected) -> None:
        """Squeeze the sheets of this project; what others wrote may say what isn't read here."""
        for name in [name for name in paths if name.startswith("css/")]:
            self._write(name, squeeze(self._read(name)), paths)

    def _write(self, name: str, text: str, paths: Collected) -> None:
        Path(self.path(name)).write_text(text, encoding="utf-8")
        paths[name] = (self, name)

    def _read(self, name: str, /) -> str:
        return Path(self.path(name)).read_text(encoding="utf-8")
