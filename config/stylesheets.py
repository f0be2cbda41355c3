"""Style sheets made of several: one with all it imports, and without what only their writers read.

It reads the sheets this project writes: an import stands at the beginning of a line, names a file by a relative path
and no condition. Anything else is refused, so that nothing is ever joined wrongly; the sheets work as they are.
"""

import re
from posixpath import dirname, join, normpath

from config.bundle import ReadModule, Unbundled

IMPORT = re.compile(r'^@import url\("([\w./-]+\.css)"\);\n', re.MULTILINE)
UNKNOWN = re.compile(r"@(?:import|charset|namespace)\b[^\n]*")
RELATIVE = re.compile(r'url\("(?![/#]|data:)([^"]+)"\)')
STRING_OR_COMMENT = re.compile(r"""("[^"\n]*"|'[^'\n]*')|/\*.*?\*/""", re.DOTALL)
SPACE = re.compile(r'("[^"\n]*"|\'[^\'\n]*\')|\s*([{};,])\s*|(?<=[\w-]):[ ]|\s+')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def join_imports(main: str, read: ReadModule) -> str:
    """Return the text of a sheet with those it imports in the imports' place. Raises Unbundled."""
    return _join(main, read, dirname(main), ())


def _join(name: str, read: ReadModule, folder: str, above: tuple[str, ...]) -> str:
    if name in above:
        raise Unbundled(f"{name} imports itself: {' > '.join([*above, name])}")

    def take(statement: re.Match[str]) -> str:
        return _join(normpath(join(dirname(name), statement[1])), read, folder, (*above, name))

    text = read(name)
    unknown = UNKNOWN.search(COMMENT.sub("", IMPORT.sub("", text)))
    if unknown is not None:
        raise Unbundled(f"{name}: {unknown[0]}")
    elsewhere = RELATIVE.search(IMPORT.sub("", text)) if dirname(name) != folder else None
    if elsewhere is not None:
        raise Unbundled(f"{name}: {elsewhere[0]} would be looked for in {folder}")
    return IMPORT.sub(take, text)


def squeeze(text: str) -> str:
    """Return a sheet without comments, and with no more space than it needs: strings keep theirs."""
    without = STRING_OR_COMMENT.sub(lambda piece: piece[1] or " ", text)
    return SPACE.sub(_shorten, without).strip()


def _shorten(piece: re.Match[str]) -> str:
    if piece[1] or piece[2]:
        return piece[1] or piece[2]
    return ":" if piece[0] == ": " else " "
