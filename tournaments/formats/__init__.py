"""The formats on offer: every module of this folder that exposes a ``FORMAT``. Adding one is adding a file.

``protocol`` says what a format is, ``common`` has what several of them are made of.
"""

from importlib import import_module
from pkgutil import iter_modules

from tournaments.formats.protocol import Format


def load_formats() -> dict[str, Format]:
    """Return the formats of the folder, by id."""
    modules = [import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__) if info.name not in SHARED]
    return {module.FORMAT.id: module.FORMAT for module in modules}


SHARED = ("protocol", "common")
FORMATS = load_formats()
