"""References to rows inside the details of log entries, which become opaque ids in a file and rows again elsewhere.

Every field of every kind of detail is named here: as a reference, as plain, or as what doesn't travel. A law fails for
one that isn't.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from players.models import Person
from tournaments.core import log_details as details
from tournaments.core.log_details import KINDS, change_details
from tournaments.core.result import FixtureResult, GameScore
from tournaments.models import LogEntry, Tournament
from tournaments.transfer.faults import JsonObject

ENTRY, FIXTURE, PERSON, LOGGED = "entry", "fixture", "person", "log"
STAYS = "stays"  # an id of an account, of a table or of a page: not in the file
PLAIN = ""
Translate = Callable[[str, Any], Any]  # the kind of a reference, and its value

FIELDS: Mapping[type[Any], Mapping[str, str]] = {
    details.LogDetail: {},
    details.CountDetail: {"count": PLAIN},
    details.NameDetail: {"name": PLAIN},
    details.EntryDetail: {"entry": ENTRY},
    details.EntriesDetail: {"entries": ENTRY, "round": PLAIN},
    details.WithdrawalDetail: {"entry": ENTRY, "reason": PLAIN},
    details.PrizeDetail: {"place": PLAIN, "what": PLAIN, "reason": PLAIN, "entry": ENTRY},
    details.ExpulsionDetail: {"entry": ENTRY, "count": PLAIN},
    details.FixtureDetail: {"fixture": FIXTURE, "score": PLAIN},
    details.SlipDetail: {"entries": ENTRY, "typed_by": PLAIN, "score": PLAIN},
    details.CommitmentDetail: {"scope": PLAIN, "commitment": PLAIN},
    details.DrawDetail: {
        "order": ENTRY, "lot": PLAIN, "scope": PLAIN, "commitment": PLAIN, "secret": PLAIN, "number": PLAIN,
        "numbers": PLAIN, "swapped": PLAIN, "clubs": PLAIN, "parted": PLAIN, "of_one_club": PLAIN,
        "partners": PLAIN,
    },
    details.DrawnPartners: {
        "people": PERSON, "pairs": PLAIN, "out": PLAIN, "entered": PLAIN, "strengths": PLAIN, "sides": PLAIN,
        "tied": PLAIN,
    },
    details.OptionDetail: {"option": PLAIN, "planned": PLAIN, "drawn": PLAIN, "entries": PLAIN},
    details.RoundWayDetail: {"round": PLAIN, "way": PLAIN, "reason": PLAIN},
    details.RoundDetail: {"round": PLAIN, "draws": PLAIN, "swaps": ENTRY},
    details.RoundHourDetail: {"round": PLAIN, "before": PLAIN, "after": PLAIN},
    details.RoundClockDetail: {"round": PLAIN, "wave": PLAIN, "minutes": PLAIN, "table": PLAIN, "own": PLAIN},
    details.RefereeDetail: {"referee": STAYS},
    details.NameClaimDetail: {"person": PERSON, "account": STAYS, "reason": PLAIN},
    details.CancellationDetail: {"because": PLAIN, "reason": PLAIN},
    details.SiteDetail: {"site": PLAIN},
    details.LoggedResult: {"over": PLAIN, "playing": PLAIN, "annulled": PLAIN, "result": PLAIN, "ruled": PLAIN},
    FixtureResult: {
        "winner": PLAIN, "forfeits": PLAIN, "points": PLAIN, "mp": PLAIN, "vp": PLAIN, "decided_by": PLAIN,
        "unplayed": PLAIN, "games": PLAIN,
    },
    GameScore: {"winner": PLAIN, "points": PLAIN, "decided_by": PLAIN},
    details.FixturePlace: {
        "fixture": FIXTURE, "round": PLAIN, "round_name": PLAIN, "board": PLAIN, "first": ENTRY, "second": ENTRY,
        "persons": PERSON,
    },
    details.ActDetail: {"reason": PLAIN, "act": STAYS, "place": PLAIN, "entry": ENTRY, "members": PERSON},
    details.ResultActDetail: {
        "before": PLAIN, "after": PLAIN, "pairings_kept": PLAIN, "table": STAYS,
        "typed_by": PLAIN,
    },
    details.ComparisonDetail: {"deals": PLAIN, "percent": PLAIN, "left_out": PLAIN},
    details.RealTableDetail: {"number": PLAIN, "table": STAYS},
    details.UndoDetail: {"undoes": LOGGED},
    details.PlayOffDetail: {
        "number": PLAIN, "rank": PLAIN, "entries": ENTRY, "reason": PLAIN, "act": STAYS, "slot": PLAIN, "before": PLAIN,
        "after": PLAIN,
    },
    details.ClocksActDetail: {"count": PLAIN, "all": PLAIN, "fixtures": FIXTURE},
    details.TimeActDetail: {"minutes": PLAIN, "before": PLAIN, "after": PLAIN},
    details.ReplacementDetail: {"changed": PERSON},
    details.ReturnDetail: {"was_expelled": PLAIN, "left_at": PLAIN, "again": FIXTURE},
}  # fmt: skip


def translate_detail(code: str, detail: Mapping[str, Any], translate: Translate, *, leaves: bool = True) -> JsonObject:
    """Return the details of an entry with this code, each reference as ``translate`` gives it; with what stays on this
    site, unless the entry ``leaves`` it.

    ValueError for a code there isn't, and for details that no entry of it has.
    """
    if code not in KINDS:
        raise ValueError(code)
    kind = KINDS[code]
    local = {} if leaves else {name: part for name, part in detail.items() if find_reference(kind, name) == STAYS}
    return _translate_fields(kind, detail, translate) | local


def exchange_person(tournament: Tournament, old: Person, new: Person) -> None:
    """Have the log of a locked tournament name another person wherever it names this one."""

    def exchange(kind: str, key: Any) -> Any:
        return new.pk if (kind, key) == (PERSON, old.pk) else key

    entries = LogEntry.objects.filter(tournament=tournament)
    change_details(entries, lambda entry: translate_detail(entry.code, entry.detail, exchange, leaves=False))


def find_reference(kind: type[Any], name: str) -> str:
    """Return what a field refers to, by the class that has it. ValueError for a field that isn't named."""
    for made in kind.__mro__:
        if name in FIELDS.get(made, {}):
            return FIELDS[made][name]
    raise ValueError(f"{kind.__name__}.{name}")


def _translate_fields(kind: Any, value: Mapping[str, Any], translate: Translate) -> JsonObject:
    hints = find_hints(kind)
    result: JsonObject = {}
    for field in fields(kind):
        reference = find_reference(kind, field.name)
        if reference == STAYS:
            if field.default is MISSING:
                result[field.name] = ""
        elif field.name in value:
            part, hint = value[field.name], hints[field.name]
            result[field.name] = (
                _translate_value(hint, part, translate) if reference == PLAIN else _map(part, reference, translate)
            )
        elif field.default is MISSING:
            raise ValueError(f"{kind.__name__} without {field.name}")
    if value.keys() - {field.name for field in fields(kind)}:
        raise ValueError(f"{kind.__name__} with more than it has")
    return result


def _translate_value(hint: Any, part: Any, translate: Translate) -> Any:
    """Return a plain value, whose details may have references; ValueError for one of another type."""
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    for choice in choices:
        if is_dataclass(choice) and isinstance(choice, type) and isinstance(part, dict):
            return _translate_fields(choice, part, translate)
        if get_origin(choice) is tuple and isinstance(part, list):
            return [
                _translate_value(inner, item, translate)
                for inner, item in zip(_spread(choice, part), part, strict=True)
            ]
        if (choice is NoneType and part is None) or type(part) is choice:
            return part
    raise ValueError(f"{part!r} isn't {hint}")


def _spread(choice: Any, part: list[Any]) -> tuple[Any, ...]:
    """Return the type of each item of a tuple."""
    types = get_args(choice)
    return (types[0],) * len(part) if types[-1:] == (Ellipsis,) else types


def _map(part: Any, reference: str, translate: Translate) -> Any:
    """Return references, in lists as deep as they are; None stays None."""
    if isinstance(part, list):
        return [_map(item, reference, translate) for item in part]
    return None if part is None else translate(reference, part)


@cache
def find_hints(kind: type[Any]) -> Mapping[str, Any]:
    """Return the types of a dataclass's fields."""
    return get_type_hints(kind)
