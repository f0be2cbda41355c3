"""Law of the caps: all stand in one plain module, each says what it counts, and the page of the limits tells them."""

import ast
from pathlib import Path

from players import caps

ROOT = Path(__file__).resolve().parents[2]
PLAIN = {"MINUTE", "HOUR", "DAY", "Caps"}  # what the others are written with


def name_constant(node: ast.stmt) -> str | None:
    """Return the name a statement gives to a cap, None for any other statement."""
    targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets if isinstance(node, ast.Assign) else []
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return next((name for name in names if name not in PLAIN), None)


def list_mute(source: str) -> list[str]:
    """Return the caps without a sentence: a text right after them, or a comment on their line."""
    lines, body = source.splitlines(), ast.parse(source).body
    mute = []
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        name = name_constant(node)
        if name is not None and not isinstance(after, ast.Expr) and "#" not in lines[(node.end_lineno or 1) - 1]:
            mute.append(name)
    return mute


def test_every_cap_says_what_it_counts_at6() -> None:
    assert list_mute("MUTE = 1\nLIMIT = 2\n'So many (AT6).'\nOTHER = 3  # of one person") == ["MUTE"], "the law sees"
    assert list_mute((ROOT / "players/caps.py").read_text()) == []


def test_the_module_is_plain_python() -> None:
    body = ast.parse((ROOT / "players/caps.py").read_text()).body
    assert {node.module for node in body if isinstance(node, ast.ImportFrom)} == {"dataclasses", "datetime"}
    assert not any(isinstance(node, ast.Import | ast.FunctionDef) for node in body)


def test_the_page_of_the_limits_tells_the_figures_at6() -> None:
    page = (ROOT / "docs/limits.md").read_text()
    rows = [value for value in vars(caps).values() if isinstance(value, tuple) and isinstance(value[0], caps.Cap)]
    assert rows
    assert {f"{cap.most:,}" for row in rows for cap in row if f"{cap.most:,}" not in page} == set()
