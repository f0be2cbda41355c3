"""The formats on offer: every module of this folder that exposes a ``FORMAT``. Adding one is adding a file."""

from importlib import import_module
from pkgutil import iter_modules

from tournaments.pairing import Format


def found() -> dict[str, Format]:
    """The formats of the folder, by id."""
    modules = [import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__)]
    return {module.FORMAT.id: module.FORMAT for module in modules}


FORMATS = found()
