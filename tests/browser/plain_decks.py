"""Static files for the tests: those the product serves, but on a card of a deck only what it is."""

import fcntl
import json
import re
import shutil
from pathlib import Path

from tests.browser.pictures import is_taking
from tests.services import kept
from tests.support.product import prepared

PLAIN = (
    '<symbol id="{name}" viewBox="0 0 100 160"><rect x="1" y="1" width="98" height="158" rx="7" fill="#fdf8ea" '
    'stroke="#444"/><text x="50" y="90" font-size="34" text-anchor="middle">{name}</text></symbol>'
)
MANIFEST = "staticfiles.json"
SIZE = 6  # where it stands in what the manifest keeps of os.stat()


def draw_plain_decks(static: Path) -> None:
    """Put plain decks in place of those in a folder of collected static files.

    Drawing the real ones is most of what a table's page costs; tests of the whole product see them.
    """
    manifest = json.loads((static / MANIFEST).read_text())
    for path in (static / "cards").iterdir():
        name = f"cards/{path.name}"
        if path.suffix == ".svg":
            symbols = [PLAIN.format(name=symbol) for symbol in re.findall(r'<symbol id="([^"]+)"', path.read_text())]
            path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>')
            manifest["stats"][name][SIZE] = path.stat().st_size
        else:
            path.unlink()  # a deck compressed
            del manifest["stats"][name]
    (static / MANIFEST).write_text(json.dumps(manifest))


def copy_static() -> Path:
    """Return the folder of the product's collected static files with plain decks, made by whoever needs it first.

    Where pictures are taken the decks are the real ones.
    """
    if is_taking():
        return prepared() / "static"
    folder = kept() / "static"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            growing = folder.with_suffix(".new")
            shutil.copytree(prepared() / "static", growing)
            draw_plain_decks(growing)
            growing.rename(folder)
    return folder
