"""Faults that axe finds on a page: each fault with its element, in the light, or by night too.

By night ``make test`` looks at the table (test_table_axe.py), ``make soak`` at every page (test_every_page.py).
"""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

THEMES = ("light", "dark")
NIGHT = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}  # only colours are others
IN_THEME = """theme => matchMedia(`(prefers-color-scheme: ${theme})`).matches
  && [...document.querySelectorAll("link[rel=stylesheet]")].every(link => link.sheet)"""
FAULTS = """async (options) => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false, ...options });
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}"""


def faults(page: Page, themes: tuple[str, ...] = THEMES[:1]) -> list[str]:
    """Return everything axe has against the page as it stands, which is left in the last of the themes."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    page_faults = []
    for number, theme in enumerate(themes):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.wait_for_function(IN_THEME, arg=theme)
        faults_of_theme: list[str] = page.evaluate(FAULTS, NIGHT if number else {})
        page_faults += [f"{theme}: {fault}" for fault in faults_of_theme]
    return page_faults
