"""Contract of every room: what answers requests stands on top, what says codes in words at the bottom, and no two
modules need each other.

A room is a folder of an app. ``lint-imports`` checks it, as pyproject.toml names it; a new room is under it without a
line of its own.
"""

from collections.abc import Collection
from itertools import chain

import networkx
from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

ON_TOP = ("urls", "tasks", "receivers")  # they name views
KINDS = ("views", "forms", "queries", "wording")  # names of modules, alone or behind an underscore
# Which kind imports which of the others, within its room: every other module may import all but views.
REFUSED = {
    "views": (),
    "forms": ("views",),
    "queries": ("views", "forms"),
    "wording": ("views", "forms"),
    "": ("views",),
}


class InsideRooms(Contract):
    """Holds for the modules of each folder below ``apps``."""

    apps = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Return whether every room keeps it, with what breaks it."""
        faults = find_faults(graph, self.apps)
        return ContractCheck(kept=not faults, metadata={"faults": faults})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print what breaks it."""
        for line in check.metadata["faults"]:
            output.print_error(line)


def find_faults(graph: ImportGraph, apps: Collection[str]) -> list[str]:
    """Return what breaks the contract in the rooms of these apps: single imports, and rings of them."""
    faults: list[str] = []
    for room in sorted({find_room(module) for module in graph.modules if module.split(".")[0] in apps} - {""}):
        arrows = list_arrows(graph, room)
        faults += [f"{upper} -> {lower}" for upper, lower in arrows if find_kind(lower) in list_refused(upper)]
        rings = networkx.simple_cycles(networkx.DiGraph(arrows))
        faults += [" -> ".join([*ring, ring[0]]) for ring in map(begin_with_first, rings)]
    return faults


def begin_with_first(ring: list[str]) -> list[str]:
    """Return a ring from the first of its names on, so that it is told in one way."""
    start = ring.index(min(ring))
    return ring[start:] + ring[:start]


def find_room(module: str) -> str:
    """Return the folder of a module within its app; "" for one of the app itself."""
    parts = module.split(".")
    return ".".join(parts[:-1]) if len(parts) > 2 else ""


def find_kind(module: str) -> str:
    """Return which of the kinds a module is by its name; "" for one that does something."""
    name = module.rpartition(".")[2]
    return next((kind for kind in KINDS if name == kind or name.endswith(f"_{kind}")), "")


def list_refused(module: str) -> tuple[str, ...]:
    """Return the kinds that a module may not import."""
    return () if module.rpartition(".")[2] in ON_TOP else REFUSED[find_kind(module)]


def list_arrows(graph: ImportGraph, room: str) -> list[tuple[str, str]]:
    """Return who imports whom within a room."""
    modules = [module for module in graph.modules if find_room(module) == room]
    pairs = ([(upper, lower) for lower in graph.find_modules_directly_imported_by(upper)] for upper in modules)
    return sorted((upper, lower) for upper, lower in chain(*pairs) if find_room(lower) == room)
