"""Lists of people at real tables (O2): which columns a file has, and the entries its rows make. It knows nobody who is
entered, and stores nothing.

Of pairs a row has two people (*Nome 2*, or *Compagno*; or both in one cell), or one, and who has the same pair number
plays together. Of teams (O12) a row has the name and the people (*Nome 2*, *Nome 3* …), or one person, and who has the
same team is in it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from players.names import make_name_key
from players.web.requests import read_number
from tournaments.entry_kinds import EntryKind
from tournaments.lists.problems import Problem
from tournaments.lists.spreadsheet import (
    MAX_ROWS,
    MAX_TITLE_ROWS,
    WHOLE_NAMES,
    Headings,
    NumberedRow,
    Table,
    Unreadable,
    find_table,
    read_sheets,
    split_rows,
)
from tournaments.lists.typed_entries import TypedEntry, TypedPerson

# Names of each column in the headings, without regard to case; with a 2 behind, the second person's, and so on.
PERSON_COLUMNS = {
    "surname": ("cognome", "surname", "last name"),
    "name": (
        "nome",
        "giocatore",
        "giocatrice",
        "name",
        "first name",
        "player",
        "iscritto",
        "partecipante",
        "participant",
    ),
    "whole": WHOLE_NAMES,
    "club": ("circolo", "società", "club"),
    "card": ("tessera", "n. tessera", "numero tessera", "card"),
    "level": ("livello", "level"),
    "side": ("lista", "list"),
}
SEVERAL_COLUMNS = (  # the names of all who are in an entry
    "giocatori", "nomi", "nominativi", "iscritti", "partecipanti", "componenti", "players", "names", "participants",
)  # fmt: skip
PARTNER_COLUMNS = ("compagno", "compagna", "partner")  # the second person's whole name
ENTRY_COLUMNS = {
    "pair": ("coppia", "n. coppia", "numero coppia", "pair"),
    "team": ("squadra", "nome squadra", "team"),
    "seed": ("testa", "testa di serie", "teste di serie", "seed"),
}
SIDE_WORDS = {  # what a cell of a list calls A and B, where pairs are drawn of two lists (EV2)
    **dict.fromkeys(("a", "m", "u", "uomo", "uomini"), "A"),
    **dict.fromkeys(("b", "f", "d", "donna", "donne"), "B"),
}
MAX_LEVEL = 9999
MAX_SEED = 9999
MAX_PEOPLE = 6  # in one row
SIDES = re.compile(r"\s*[;,/\t]\s*|\s+[-–—]\s+")  # between the two of a pair in one row
JOINED = re.compile(r"\s*[&+]\s*|\s+(?:e|ed|con|and|with)\s+", re.IGNORECASE)  # likewise, where no such sign parts them
QUOTED = re.compile(r'"([^"]*)"')
TEAM_NAME = re.compile(r"^([^:]*?)\s*:\s*(.*)$")  # "Leoni: Anna, Bruno, Carla"
NUMBERED = re.compile(r"^(?:\d+(?:[.)]|\s*[;\t])\s*|[-–—•*·]\s+)")  # how a list that somebody copied begins its rows

_MEANING = {
    **{name: column for column, names in ENTRY_COLUMNS.items() for name in names},
    **{
        f"{name}{behind}": f"{column}_{number}"
        for column, names in PERSON_COLUMNS.items()
        for name in names
        for number, behind in ((0, ""), *((n, f"{space}{n + 1}") for n in range(MAX_PEOPLE) for space in (" ", "")))
    },
    **dict.fromkeys(PARTNER_COLUMNS, "name_1"),
    **dict.fromkeys(SEVERAL_COLUMNS, "name_0"),
}
NAMES = ("name_0", "surname_0", "whole_0")
# A pair's column may have its number, or both names.
HEADINGS = Headings(_MEANING, tuple({name} for name in (*NAMES, "pair")), "no_name_column")


@dataclass(frozen=True, slots=True)
class PeopleList:
    """The entries of a list, and what couldn't be read of it: each fault with its row. ``sheet``: the workbook's sheet
    that it stands in; ``others``: those that have a list too."""

    entries: tuple[TypedEntry, ...]
    problems: tuple[Problem, ...]
    sheet: str = ""
    others: tuple[str, ...] = ()


def read_file(data: bytes, *, kind: EntryKind, by_lot: bool) -> PeopleList:
    """Return the entries of a file; of one that names no column, where its rows say nothing but names. Unreadable gives
    the code of its refusal.

    ``by_lot``: a seed in it is a fault, and levels say nothing; else they say who is placed before whom.
    """
    sheets = read_sheets(data, HEADINGS)
    try:
        table = find_table(sheets, HEADINGS)
    except Unreadable as refused:
        if refused.code == HEADINGS.missing and (rows := _list_bare_names(sheets[0][1], kind)):
            return _read_names(rows, kind)
        raise
    return _read_table(table, kind, by_lot=by_lot)


def read_text(text: str, *, kind: EntryKind, by_lot: bool) -> PeopleList:
    """Return the entries of pasted text: a table with its columns' names, or a name a row, of pairs two; of teams the
    name and who is in it."""
    rows = [(number, row.replace("\n", " ").strip()) for number, row in split_rows(text, HEADINGS)]
    heads = [[cell.strip(' "') for cell in re.split(r"[;,\t]", row)] for _number, row in rows[:MAX_TITLE_ROWS]]
    if any(map(HEADINGS.is_list, heads)) or (heads and any(map(HEADINGS.find_meaning, heads[0]))):
        return read_file(text.encode(), kind=kind, by_lot=by_lot)
    return _read_names(rows, kind)


def _list_bare_names(rows: Sequence[NumberedRow], kind: EntryKind) -> list[tuple[int, str]]:
    """Return the rows of a sheet of names alone, numbered or not: one a row, of pairs two; none of any other sheet."""
    named = [(number, [cell for cell in cells if cell]) for number, cells in rows]
    if all(len(cells) > 1 and cells[0].rstrip(".)").isdecimal() for _number, cells in named):
        named = [(number, cells[1:]) for number, cells in named]
    whole = all(len(cells) in (1, kind.seats) for _number, cells in named)
    return [(number, "; ".join(cells)) for number, cells in named] if whole else []


def _read_names(rows: Sequence[tuple[int, str]], kind: EntryKind) -> PeopleList:
    """Return the entries of rows of names, each with its place."""
    entries = []
    for number, row in rows:
        typed = NUMBERED.sub("", row)
        if typed and kind.has_name:
            entries.append(read_team(typed, number))
        elif typed:
            names = [typed] if kind.most_typed == 1 else _split_pair(typed)
            entries.append(TypedEntry(number, tuple(TypedPerson(_unwrap(name), row=number) for name in names)))
    if not entries:
        raise Unreadable("no_rows")
    if len(entries) > MAX_ROWS:
        raise Unreadable("too_many_rows")
    return PeopleList(tuple(entries), ())


def read_team(text: str, number: int) -> TypedEntry:
    """Return the team of a pasted row: its name, then its people."""
    named = TEAM_NAME.match(text)
    team, *people = (named[1], *split_people(named[2])) if named else SIDES.split(text)
    return TypedEntry(number, tuple(TypedPerson(name, row=number) for name in people if name), team=team.strip())


def _unwrap(name: str) -> str:
    """Return a name without the quotes that a file has put around it."""
    quoted = QUOTED.fullmatch(name.strip())
    return quoted[1] if quoted else name.strip()


def _split_pair(text: str) -> list[str]:
    """Return the names of a pair that stand in one text: more or fewer than two, if it can't be told which they are."""
    names = SIDES.split(text)
    return names if len(names) > 1 else JOINED.split(text)


def split_people(text: str) -> list[str]:
    """Return the names of people that stand in one row."""
    return [name for name in SIDES.split(text.strip()) if name]


def _read_table(table: Table, kind: EntryKind, *, by_lot: bool) -> PeopleList:
    columns, records = set(table.columns), table.list_records()
    if len(records) > MAX_ROWS:
        raise Unreadable("too_many_rows")
    if not records:
        raise Unreadable("no_rows")
    if not columns & set(NAMES):
        if kind.sits_alone or all(record["pair"].isdecimal() for _number, record in records if record["pair"]):
            raise Unreadable(HEADINGS.missing)
        columns = columns - {"pair"} | {"name_0"}
        records = [(number, {**record, "name_0": record["pair"]}) for number, record in records]
    problems: list[Problem] = []
    if kind.has_name and "team" not in columns:
        raise Unreadable("no_team_column")
    alone = not {"name_1", "surname_1", "whole_1"} & columns  # one person a row
    by_number = alone and kind.most_typed == 2 and not kind.lists_people and "pair" in columns
    groups = [[record] for record in records]
    if by_number:
        groups = _group_by_pair(records, problems, also_alone=kind.enters_alone)
    elif kind.has_name and alone:
        groups = _group_by_team(records, problems)
    doubled = kind.names_partner and not by_number
    may_double = kind.keeps_pairs and not by_number
    entries = [_make_entry(group, doubled, problems, by_lot=by_lot) for group in groups]
    if may_double:
        entries = [_part_entry(entry) for entry in entries]
    if kind.lists_people:
        entries = [_add_others(entry, group, kind) for entry, group in zip(entries, groups, strict=True)]
    levels = {entry.number: _read_levels(group, problems) for entry, group in zip(entries, groups, strict=True)}
    if not by_lot and "seed" not in columns and any(levels.values()):
        entries = _place_by_level(entries, levels)
    return PeopleList(tuple(entries), tuple(problems), table.sheet, table.others)


def _group_by_pair(
    records: Sequence[tuple[int, dict[str, str]]], problems: list[Problem], *, also_alone: bool
) -> list[list[tuple[int, dict[str, str]]]]:
    """Return the rows of each pair number together; one that isn't two rows' is a fault, and so is a row without one,
    but where people enter ``also_alone`` (EV2)."""
    groups: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for number, record in records:
        if record["pair"]:
            groups.setdefault(record["pair"], []).append((number, record))
        elif also_alone:
            groups[f"row {number}"] = [(number, record)]
        else:
            problems.append(Problem(number, "pair_missing", "pair", _name(record, 0)))
    for pair, group in groups.items():
        if len(group) != 2 and pair == group[0][1]["pair"]:
            problems.append(Problem(group[0][0], "pair_size", "pair", pair, len(group)))
    return [group for pair, group in groups.items() if len(group) == 2 or pair != group[0][1]["pair"]]


def _group_by_team(
    records: Sequence[tuple[int, dict[str, str]]], problems: list[Problem]
) -> list[list[tuple[int, dict[str, str]]]]:
    """Return the rows of each team together; one without a team is a fault."""
    groups: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for number, record in records:
        if record["team"]:
            groups.setdefault(make_name_key(record["team"]), []).append((number, record))
        else:
            problems.append(Problem(number, "team_missing", "team", _name(record, 0)))
    return list(groups.values())


def _make_entry(
    group: Sequence[tuple[int, dict[str, str]]], doubled: bool, problems: list[Problem], *, by_lot: bool
) -> TypedEntry:
    """Return the entry of these rows: of one with two people (``doubled``), or of one a person."""
    people = [_make_person(number, record, 0) for number, record in group]
    if doubled or _name(group[0][1], 1):
        people.append(_make_person(*group[0], 1))
    if doubled and not people[1].name and len(both := _split_pair(_join(group[0][1], 0))) == 2:
        people = [replace(person, name=name) for person, name in zip(people, both, strict=True)]
    placed = None
    for number, record in group:
        typed = record.get("seed", "")
        if typed and by_lot:
            problems.append(Problem(number, "seeds_by_lot", "seed", typed))
        elif typed:
            placed = read_number(typed, 0, digits=len(str(MAX_SEED))) or None
            if placed is None:
                problems.append(Problem(number, "seed_no_number", "seed", typed))
    return TypedEntry(group[0][0], tuple(people), placed)


def _part_entry(entry: TypedEntry) -> TypedEntry:
    """Return an entry whose one cell names two who came as a pair as those two (EV2)."""
    if len(entry.people) != 1 or len(both := _split_pair(entry.people[0].name)) != 2:
        return entry
    return replace(entry, people=tuple(replace(entry.people[0], name=name) for name in both))


def _add_others(entry: TypedEntry, group: Sequence[tuple[int, dict[str, str]]], kind: EntryKind) -> TypedEntry:
    """Return an entry with its name, where it has one, and with the other people of its first row."""
    number, record = group[0]
    others = (_make_person(number, record, place) for place in range(2, MAX_PEOPLE) if _name(record, place))
    return replace(entry, team=record["team"] if kind.has_name else "", people=(*entry.people, *others))


def _make_person(number: int, record: Mapping[str, str], place: int) -> TypedPerson:
    club, card, side = (record.get(f"{column}_{place}", "") for column in ("club", "card", "side"))
    return TypedPerson(_name(record, place), club, card, number, side=SIDE_WORDS.get(make_name_key(side), ""))


def _name(record: Mapping[str, str], place: int) -> str:
    """Return a person's whole name, the given name first where the list tells it apart."""
    surname, comma, given = record.get(f"whole_{place}", "").partition(",")
    return f"{given.strip()} {surname.strip()}" if comma else _join(record, place)


def _join(record: Mapping[str, str], place: int) -> str:
    """Return what the cells of a person's name say, as it is written."""
    return " ".join(part for column in ("name", "surname", "whole") if (part := record.get(f"{column}_{place}", "")))


def _read_levels(group: Sequence[tuple[int, dict[str, str]]], problems: list[Problem]) -> list[int]:
    """Return the levels of an entry's people; what is no number is a fault."""
    levels = []
    for number, record in group:
        for place in range(MAX_PEOPLE):
            typed = record.get(f"level_{place}", "")
            level = read_number(typed, -1, digits=len(str(MAX_LEVEL)))
            if typed and level < 0:
                problems.append(Problem(number, "level_no_number", "level", typed))
            elif typed:
                levels.append(level)
    return levels


def _place_by_level(entries: Sequence[TypedEntry], levels: Mapping[int, Sequence[int]]) -> list[TypedEntry]:
    """Return the entries with places by the mean level of their people, the highest first; who has none, without."""
    means = {number: sum(numbers) / len(numbers) for number, numbers in levels.items() if numbers}
    ordered = sorted(means, key=lambda number: -means[number])
    places = {number: place for place, number in enumerate(ordered, start=1)}
    return [replace(entry, placed=places.get(entry.number)) for entry in entries]
