"""``python -m tests.formatting``: templates as djangofmt writes them; no long line in them, in styles and scripts.

Styles and scripts are formatted by Biome (``tests.scripts``), which needs node; a long line is found without it too.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 120
KINDS = {"templates": {".html", ".txt"}, "static/css": {".css"}, "static/js": {".js"}}


def find_long_lines() -> Iterator[str]:
    """Yield the place and length of each line longer than LONGEST."""
    for folder, kinds in KINDS.items():
        paths = [path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in kinds]
        assert paths, f"{folder} has nothing to read"
        for path in paths:
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if len(line) > LONGEST:
                    yield f"{path.relative_to(ROOT)}:{number}: {len(line)} characters, at most {LONGEST}"


def main() -> int:
    for place in (long := list(find_long_lines())):
        print(place)  # noqa: T201 a program of the terminal
    formatter = Path(sys.executable).parent / "djangofmt"
    formatted = subprocess.run([formatter, "--check", "--quiet", "templates"], cwd=ROOT, check=False)
    if formatted.returncode:
        print("Write them as they should be: .venv/bin/djangofmt templates")  # noqa: T201 a program of the terminal
    return 1 if long or formatted.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
