"""The formats on offer: every module of this folder that exposes a ``FORMAT``. Adding one is adding a file."""

from importlib import import_module
from pkgutil import iter_modules

from tournaments.pairing import Format

FORMATS: dict[str, Format] = {
    module.FORMAT.id: module.FORMAT
    for module in (import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__))
}
