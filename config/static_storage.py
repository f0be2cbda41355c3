"""Storage of the collected static files: hashed and compressed by ServeStatic, script and styles in one file each.

What they are made of is collected as well; a storage that makes no bundles (in the tests) serves it one by one.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from servestatic.storage import CompressedManifestStaticFilesStorage

from config.bundle import bundle


class BundledStaticStorage(CompressedManifestStaticFilesStorage):
    """``bundles``: a page's first module, and the file in which it is one with all it imports.

    ``sheets``: a page's style sheets in their order, and the file in which they are one.
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
    sheets = {("css/table.css", "css/felt.css", "css/panels.css", "css/hand.css", "css/talk.css"): "css/at_table.css"}

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Make the bundles of what was collected, then go on with them as with the other files."""
        if not dry_run:
            for main, whole in self.bundles.items():
                if main in paths:
                    Path(self.path(whole)).write_text(bundle(main, self._read), encoding="utf-8")
                    paths[whole] = (self, whole)
            for parts, whole in self.sheets.items():
                if paths.keys() >= set(parts):
                    Path(self.path(whole)).write_text("".join(map(self._read, parts)), encoding="utf-8")
                    paths[whole] = (self, whole)
        yield from super().post_process(paths, dry_run, **options)

    def url(self, name: str | None, force: bool = False) -> str:
        """Return the address of a file, or of the bundle that begins with it."""
        return str(super().url(self.bundles.get(name or "", name), force))

    def _read(self, name: str, /) -> str:
        return Path(self.path(name)).read_text(encoding="utf-8")
