"""Decks for the tests: the same symbols, but on them only what the card is."""

import json
import re
from pathlib import Path

PLAIN = (
    '<symbol id="{name}" viewBox="0 0 100 160"><rect x="1" y="1" width="98" height="158" rx="7" fill="#fdf8ea" '
    'stroke="#444"/><text x="50" y="90" font-size="34" text-anchor="middle">{name}</text></symbol>'
)
MANIFEST = "staticfiles.json"
SIZE = 6  # where it stands in what the manifest keeps of os.stat()


def draw_plain_decks(static: Path) -> None:
    """Put plain decks in place of those in a folder of collected static files.

    Drawing the real ones is most of what a table's page costs; test_every_page.py sees them.
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
