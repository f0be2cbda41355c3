"""``python -m bench.contact_sheet DESIGN``: each picture of the design beside the page as it is, on one sheet.

DESIGN is the folder of the design's pictures. The pages' own are taken by the browser tests that measure them in the
same state and width (tests/browser/pictures.py). The sheet is docs/images/contact-sheet.jpg; the ending is 1 if a test
failed or a picture of the design has nothing beside it.
"""

import argparse
import html
import os
import subprocess
import sys
import tempfile
from base64 import b64encode
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.__main__ import WINDOWLESS
from tests.browser.pictures import FOLDER

ROOT = Path(__file__).resolve().parent.parent
SHEET = ROOT / "docs" / "images" / "contact-sheet.jpg"
TESTS = ROOT / "tests" / "browser"
TAKING = "take_picture("
COLUMN, QUALITY = 500, 60  # pixels of a column, and what is kept of them
STYLE = f"""
body {{ margin: 24px; background: #e8e4da; font: 16px/1.4 "Liberation Sans", sans-serif; color: #222; }}
h1, h2 {{ font-size: 20px; font-weight: 600; margin: 0 0 12px; }}
section {{ display: grid; grid-template-columns: {COLUMN}px {COLUMN}px; gap: 8px 24px; margin-bottom: 32px; }}
h2 {{ grid-column: 1 / -1; margin: 0; }}
div {{ display: flex; flex-wrap: wrap; gap: 8px; align-content: flex-start; }}
img {{ max-width: 100%; box-shadow: 0 1px 4px rgb(0 0 0 / 40%); }}
.phone {{ max-width: calc(50% - 4px); }}
"""


def take_pictures(folder: Path) -> int:
    """Run the tests that take pictures; their ending."""
    files = [path for path in sorted(TESTS.glob("test_*.py")) if TAKING in path.read_text()]
    between = "tests/browser/test_tournament_states.py"  # whose telephone of 390 px is a soak
    command = [sys.executable, "-m", "pytest", "-q", "--workers", "2", "-m", "not soak", *map(str, files)]
    env = {**os.environ, FOLDER: str(folder)}
    code = subprocess.run(command, cwd=ROOT, env=env, check=False).returncode
    command = [sys.executable, "-m", "pytest", "-q", "--workers", "2", "-k", "390", "-m", "soak", between]
    return code or subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


def show(picture: Path, *, small: bool) -> str:
    kind = ' class="phone"' if small else ""
    return f'<img{kind} src="data:image/png;base64,{b64encode(picture.read_bytes()).decode()}" alt="">'


def build_sheet(design: Path, taken: Path) -> tuple[str, list[str]]:
    """Return the sheet as a page, and the names of the pictures that have nothing beside them."""
    rows, alone = [], []
    for aim in sorted(design.glob("*.png")):
        ours = sorted(taken.glob(f"{aim.stem}*.png"))
        if not ours:
            alone.append(aim.stem)
        small = "1280" not in aim.stem and "844" not in aim.stem
        pages = "".join(show(one, small=small) for one in ours)
        rows.append(
            f"<section><h2>{html.escape(aim.stem)}</h2><div>{show(aim, small=False)}</div><div>{pages}</div></section>"
        )
    title = "<h1>The design at the left, the page as it is at the right</h1>"
    return f"<!doctype html><style>{STYLE}</style>{title}{''.join(rows)}", alone


def print_sheet(page: str) -> None:
    """Have a browser draw the sheet into its file."""
    program = str(WINDOWLESS) if Path(WINDOWLESS).exists() else "chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        sheet = browser.new_page(viewport={"width": 2 * COLUMN + 72, "height": 800})
        sheet.set_content(page)
        sheet.screenshot(path=SHEET, type="jpeg", quality=QUALITY, full_page=True)
        browser.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.contact_sheet", description="Lay pages beside their design.")
    parser.add_argument("design", type=Path, help="folder of the design's pictures")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        failed = take_pictures(Path(folder))
        page, alone = build_sheet(options.design, Path(folder))
        print_sheet(page)
    if alone:
        print(f"nothing stands beside {', '.join(alone)}")  # noqa: T201 a program of the terminal
    return int(bool(failed or alone))


if __name__ == "__main__":
    sys.exit(main())
