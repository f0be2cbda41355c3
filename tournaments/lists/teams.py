"""Teams as they are typed (O12), or listed by their accounts (J11): what is wrong with their names and people."""

from collections.abc import Iterable, Sequence

from players.names import make_name_key
from tournaments.lists.name_checks import check_name
from tournaments.lists.problems import Problem
from tournaments.lists.spreadsheet import MAX_CELL_CHARS, Row
from tournaments.lists.typed_entries import TypedEntry
from tournaments.models import Tournament


def list_team_keys(tournament: Tournament) -> set[str]:
    """Return the names of the teams that are in, or asked to be, as they are compared."""
    held = tournament.invitations.holding().values_list("team_name", flat=True)
    return {make_name_key(name) for name in (*tournament.entries.values_list("team_name", flat=True), *held)}


def check_teams(tournament: Tournament, rows: Sequence[TypedEntry], free: int) -> list[Problem]:
    """Return what is wrong with these teams, each fault once, in their order; ``free``: the places there are."""
    entered = list_team_keys(tournament)
    problems: list[Problem] = []
    seeds: dict[int, int] = {}
    names: dict[str, int] = {}
    cards: dict[str, int] = {}
    for count, row in enumerate(rows, start=1):
        problems += check_team(tournament, row)
        key = make_name_key(row.team)
        if key and key in entered:
            problems.append(Problem(row.number, "team_in_already", "team", row.team))
        elif key and names.setdefault(key, row.number) != row.number:
            problems.append(Problem(row.number, "twice", "team", row.team, names[key]))
        if row.placed is not None and seeds.setdefault(row.placed, row.number) != row.number:
            problems.append(Problem(row.number, "seed_twice", "seed", str(row.placed), seeds[row.placed]))
        for card, at in [(person.card, person.row or row.number) for person in row.people if person.card]:
            if cards.setdefault(card, at) != at:
                problems.append(Problem(at, "card_twice", "card", card, cards[card]))
        if count > free:
            problems.append(Problem(row.number, "no_room", "team", row.team, free))
    return problems


def check_team(tournament: Tournament, row: TypedEntry) -> Iterable[Problem]:
    """Yield the problems of one team's names."""
    people = [person for person in row.people if person.name]
    kind = tournament.entry_kind
    if row.team:
        yield from check_name(row.number, "team", row.team)
    elif kind.has_name:
        yield Problem(row.number, "team_missing", "team", people[0].name if people else "")
    if len(people) < kind.least:
        yield Problem(row.number, "team_small", "people", row.team, kind.least)
    if len(people) > kind.most:
        yield Problem(row.number, "team_big", "people", row.team, kind.most)
    keys: set[tuple[str, ...]] = set()
    for person in people:
        yield from check_name(person.row or row.number, "player", person.name)
        key = tuple(map(make_name_key, (person.name, person.club, person.card)))
        if key in keys:
            yield Problem(person.row or row.number, "same_in_team", "player", person.name)
        keys.add(key)


def list_row_people(tournament: Tournament, row: Row) -> Iterable[tuple[str, str | Problem]]:
    """Yield the names of a team on the site, which are as many as play (J11)."""
    names, size = [name for name in row.names if name], tournament.entry_kind.line_up_size
    if len(names) != size:
        yield "people", Problem(row.number, "team_small" if len(names) < size else "team_big", "people", row.team, size)
    for name in names:
        yield "people", name


def check_row_team(tournament: Tournament, row: Row, taken: dict[str, int]) -> Iterable[Problem]:
    """Yield what is wrong with the name of a team; ``taken``: by key the row of each, 0 for one that is in."""
    if not tournament.entry_kind.has_name:
        return
    if not row.team:
        yield Problem(row.number, "team_missing", "team", row.player)
        return
    yield from check_name(row.number, "team", row.team)
    before = taken.setdefault(make_name_key(row.team), row.number)
    if before != row.number:
        code = "twice" if before else "team_in_already"
        yield Problem(row.number, code, "team", row.team, before)


def make_team_row(number: int, team: str, names: Sequence[str]) -> Row:
    """Return a team of accounts as a row of a list; a name too many stays with the last one, and is nobody's."""
    first, second, third = (names[place] if place < len(names) else "" for place in range(3))
    return Row(number, first, second, team=team, third=third, fourth=", ".join(names[3:])[:MAX_CELL_CHARS])
