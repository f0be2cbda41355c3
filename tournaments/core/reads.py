"""Rows of a tournament: entries, rounds and standings, in as many queries for any field. It never writes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from django.db.models import F

from games.models import Match
from players.faces import find_face, find_letter
from players.models import Person, Player
from scoring.standings import TieBreakReason
from scoring.tournament_points import count_ranks, place_ranks
from tournaments.core.card_points import NO_CARDS, CardPoints, read_card_points
from tournaments.core.result import FixtureResult
from tournaments.core.rows import Cell, CrossRow, EntryRow, FixtureRow, RankedEntry, RoundRow
from tournaments.models import Entry, EntryMember, Fixture, LineUp, Tournament
from tournaments.querysets import LineUpQuerySet

State = Tournament.State
LineUps = Mapping[tuple[int, int], Sequence[Person]]  # by fixture and side; only where they aren't the members now


def read_entries(tournament: Tournament) -> dict[int, EntryRow]:
    """Return every entry that has a place, by id: by seed, before the draw in the order they came."""
    return {entry.entry_id: entry for entry in read_all_entries(tournament) if entry.approved and not entry.waits}


def read_all_entries(tournament: Tournament) -> list[EntryRow]:
    """Return every entry, also those that wait for a place or an answer: by seed, the waiting list by whoever came
    first."""
    members: dict[int, list[EntryMember]] = {}
    rows = tournament.members.with_people().select_related("entry")
    for member in rows.order_by("entry__seed", "entry__waiting_since", "entry_id", "position"):
        members.setdefault(member.entry_id, []).append(member)
    return [_make_entry_row(group) for group in members.values()]


def read_entries_of(entries: Iterable[Entry]) -> dict[int, EntryRow]:
    """Return only these entries, by id."""
    rows = {entry.pk: entry for entry in entries}
    members: dict[int, list[EntryMember]] = {}
    for member in EntryMember.objects.filter(entry__in=rows).with_people().order_by("position"):
        member.entry = rows[member.entry_id]
        members.setdefault(member.entry_id, []).append(member)
    return {pk: _make_entry_row(group) for pk, group in members.items()}


def read_own_entry(tournament: Tournament, player: Player) -> EntryRow | None:
    """Return the player's own entry, in two queries for any field; None where they aren't entered."""
    entry = tournament.entries.of_player(player).first()
    return None if entry is None else read_entries_of([entry])[entry.pk]


def read_fixture_row(fixture: Fixture, player: Player | None) -> FixtureRow:
    """Return a fixture as the pages show it, in two queries for any field."""
    sides = Entry.objects.filter(pk__in=[side for side in (fixture.first_id, fixture.second_id) if side is not None])
    line_ups = group_line_ups(LineUp.objects.filter(fixture=fixture))
    cards = NO_CARDS if fixture.match is None else read_card_points(fixture.round.tournament, [fixture])
    return make_fixture_row(fixture, read_entries_of(sides), line_ups, player, cards)


def group_line_ups(line_ups: LineUpQuerySet) -> LineUps:
    """Return in one query who played for which side of a fixture (F2), in the order they were named."""
    people: dict[tuple[int, int], list[Person]] = {}
    for row in line_ups.with_people().order_by("fixture_id", "side", "position"):
        people.setdefault((row.fixture_id, row.side), []).append(row.person)
    return people


def name_people(people: Iterable[Person]) -> str:
    """Return the name of an entry as everybody is shown it: its people's."""
    return " – ".join(person.public_name for person in people)


def rename_entry(row: EntryRow, people: Sequence[Person]) -> EntryRow:
    """Return an entry's row with these people in place of its own: of a team beside its name (O12)."""
    row = replace(row, linked=list_links(people), persons=list_apart(people), faces=list_faces(people))
    if row.people:
        return replace(row, people=tuple(person.public_name for person in people))
    return replace(row, name=name_people(people))


def join_rows(one: EntryRow, other: EntryRow) -> EntryRow:
    """Return two entries of a person each as the pair that they become (EV2)."""
    return replace(
        one,
        name=f"{one.name} – {other.name}",
        full_name=f"{one.full_name} – {other.full_name}",
        house=one.house and other.house,
        guest=one.guest or other.guest,
        player_ids=(*one.player_ids, *other.player_ids),
        checked_in=one.checked_in and other.checked_in,
        fixed_table=other.fixed_table if one.fixed_table is None else one.fixed_table,
        person_ids=(*one.person_ids, *other.person_ids),
        linked=(*one.linked, *other.linked),
        persons=(*one.persons, *other.persons),
        faces=(*one.faces, *other.faces),
        side="",
        tie=None,
    )


def list_links(people: Iterable[Person]) -> tuple[tuple[str, str], ...]:
    """Return the names of people with the public ids of their pages; "" for whoever was typed by name."""
    return tuple((person.public_name, "" if person.player is None else person.player.public_id) for person in people)


def list_apart(people: Iterable[Person]) -> tuple[tuple[str, str, str], ...]:
    """Return people each apart: the name, what tells it from a namesake's, the public id of the page or ""."""
    return tuple(
        (person.plain_name, "", person.player.public_id)
        if person.player is not None
        else (person.plain_name, person.suffix, "")
        for person in people
    )


def list_faces(people: Iterable[Person]) -> tuple[str, ...]:
    """Return the faces of people: figures of those with an account, the others' letters."""
    return tuple(find_letter(person) if person.player is None else find_face(person.player) for person in people)


def _make_entry_row(members: list[EntryMember]) -> EntryRow:
    people = [member.person for member in members]
    players = [person.player for person in people]
    team_name = members[0].entry.team_name
    full_name = " – ".join(person.name for person in people)
    return EntryRow(
        entry_id=members[0].entry_id,
        name=team_name or name_people(people),
        full_name=f"{team_name}: {full_name}" if team_name else full_name,
        people=tuple(person.public_name for person in people) if team_name else (),
        seed=members[0].entry.seed,
        house=_is_house(people),
        guest=_has_guest(people),
        player_ids=_player_ids(people),
        pending=not members[0].entry.confirmed,
        placed=members[0].entry.placed,
        approved=members[0].entry.approved,
        waits=members[0].entry.waiting_since is not None,
        checked_in=all(
            member.checked_in_at is not None or (player is not None and player.is_house)
            for member, player in zip(members, players, strict=True)
        ),
        group=members[0].entry.group,
        withdrawn=members[0].entry.withdrawn_at is not None,
        withdrawn_after=members[0].entry.withdrawn_after,
        expelled=members[0].entry.expelled,
        fixed_table=members[0].entry.fixed_table,
        person_ids=tuple(person.pk for person in people),
        side=members[0].entry.side,
        tie=members[0].entry.tie,
        by_self=bool(members[0].entry.link_digest),
        linked=list_links(people),
        persons=list_apart(people),
        team=team_name,
        faces=list_faces(people),
    )


def _is_house(people: Iterable[Person]) -> bool:
    return all(person.player is not None and person.player.is_house for person in people)


def _has_guest(people: Iterable[Person]) -> bool:
    return any(person.player is not None and person.player.is_guest for person in people)


def _player_ids(people: Iterable[Person]) -> tuple[int, ...]:
    return tuple(person.player.pk for person in people if person.player is not None)


def read_rounds(
    tournament: Tournament, by_id: Mapping[int, EntryRow], player: Player | None = None
) -> tuple[RoundRow, ...]:
    """Return every round with its fixtures, in order."""
    out: list[RoundRow] = []
    line_ups: LineUps = {}
    cards = NO_CARDS
    if tournament.drawn_at is not None:
        line_ups = group_line_ups(LineUp.objects.of(tournament))
        cards = read_card_points(tournament, Fixture.objects.of(tournament))
    fixtures = (
        Fixture.objects.of(tournament).select_related("round", "match").order_by("round__number", "board", "part")
    )
    for round_, group in groupby(fixtures, key=lambda fixture: fixture.round):
        rows = tuple(make_fixture_row(fixture, by_id, line_ups, player, cards) for fixture in group)
        out.append(RoundRow(round_.number, round_.name, round_.finished, rows, round_.opens_at))
    return tuple(out)


def make_fixture_row(
    fixture: Fixture,
    by_id: Mapping[int, EntryRow],
    line_ups: LineUps,
    player: Player | None,
    cards: CardPoints = NO_CARDS,
) -> FixtureRow:
    """Return a fixture with its entries as they played it; ``mine`` also for whoever plays for one of them now (F1)."""
    now = (
        by_id.get(fixture.first_id) if fixture.first_id else None,
        by_id.get(fixture.second_id) if fixture.second_id else None,
    )
    first, second = (_show_players(entry, line_ups.get((fixture.pk, side))) for side, entry in enumerate(now))
    named = bool(fixture.part) and any((fixture.pk, side) in line_ups for side in (0, 1))
    sides = [side for side in (first, second, *(() if named else now)) if side is not None]
    mine = player is not None and any(player.pk in side.player_ids for side in sides)
    return FixtureRow(
        id=fixture.pk,
        round=fixture.round.number,
        board=fixture.board,
        first=first,
        second=second,
        state=fixture.state,
        opens_at=fixture.opens_at,
        table=fixture.match.public_id if fixture.match and (mine or fixture.is_shown) else None,
        # In a tournament that was called off no result is taken in: the match alone knows that it is over.
        live=fixture.state == Fixture.State.PLAYING
        and (fixture.match is None or fixture.match.status != Match.Status.FINISHED),
        mine=mine,
        result=FixtureResult.told_by(fixture),
        group=fixture.group,
        annulled=fixture.annulled or fixture.state == Fixture.State.ANNULLED,
        ruled=fixture.ruled and fixture.is_shown,
        is_shown=fixture.is_shown,
        unconfirmed=fixture.unconfirmed,
        wave=fixture.wave,
        hall_table=fixture.table,
        moved=fixture.moved,
        part=fixture.part,
        ahead=_early_play(fixture, (first, second), player),
        cards=cards.get(fixture.pk),
    )


def _show_players(entry: EntryRow | None, people: Sequence[Person] | None) -> EntryRow | None:
    """Return the entry with whoever plays for it, where those aren't its members now; of a team nobody, before its
    line-up is known (O12)."""
    if entry is not None and entry.people and not people:
        return replace(entry, people=(), linked=(), persons=())
    if entry is None or not people:
        return entry
    return replace(
        rename_entry(entry, people),
        house=_is_house(people),
        guest=_has_guest(people),
        player_ids=_player_ids(people),
    )


def _early_play(fixture: Fixture, sides: tuple[EntryRow | None, EntryRow | None], player: Player | None) -> str:
    if fixture.ahead_by is None or fixture.state != Fixture.State.READY:
        return ""
    asking = sides[fixture.ahead_by]
    return "own" if asking is not None and player is not None and player.pk in asking.player_ids else "other"


def read_standings(
    tournament: Tournament, by_id: Mapping[int, EntryRow], player: Player | None = None
) -> tuple[RankedEntry, ...]:
    """Return the stored standings, best first; before the draw there are none."""
    if tournament.drawn_at is None:
        return ()
    entries = tournament.entries.order_by(F("rank").asc(nulls_first=True), "seed")
    alone = sum(not row.house for row in by_id.values()) < 2
    begun = any(entry.played for entry in entries) or tournament.state == State.FINISHED
    places = place_people(((entry.rank, by_id[entry.pk].house) for entry in entries) if begun else ())
    rows: list[RankedEntry] = []
    for entry in entries:
        rank = entry.rank if begun else None  # all level on nothing is no first place
        place = None if alone else places.get(rank or 0)
        rows.append(make_standing_row(entry, by_id[entry.pk], rank, place, player))
    return tell_wins(rows)


def tell_wins(rows: Sequence[RankedEntry]) -> tuple[RankedEntry, ...]:
    """Return rows that stand one behind the other, each with the matches won that its own reason doesn't say but that
    of the row before it (EV10)."""
    before = (None, *(row.separation for row in rows))
    return tuple(
        replace(row, wins=reason.next_wins) if row.wins is None and reason is not None and reason.by_wins else row
        for row, reason in zip(rows, before, strict=False)
    )


def place_people(ranks: Iterable[tuple[int | None, bool]]) -> dict[int, int]:
    """Return the place among people at each rank (E8); of each entry its rank, and whether it is the house's."""
    rank_list = list(ranks)
    people = count_ranks(rank for rank, house in rank_list if not house)
    return {
        rank: places.first for rank, places in place_ranks(people, count_ranks(rank for rank, _ in rank_list)).items()
    }


def make_standing_row(
    entry: Entry, row: EntryRow, rank: int | None, place: int | None, player: Player | None
) -> RankedEntry:
    """Return a row of an entry's stored standing. ``place`` is that of a person's entry (E8)."""
    separation = None if entry.separation is None else TieBreakReason.from_json(entry.separation)
    return RankedEntry(
        entry=row,
        rank=rank,
        place=None if row.house else place,
        out_of_competition=row.house,
        played=entry.played,
        won=entry.won,
        drawn=entry.drawn,
        lost=entry.played - entry.won - entry.drawn,
        mp=entry.mp,
        vp=entry.vp,
        percentage=Fraction(entry.percentage) if entry.percentage else None,
        separation=separation,
        wins=None if separation is None else separation.own_wins,
        mine=player is not None and player.pk in row.player_ids,
    )


def merge_tables(rounds: Iterable[RoundRow]) -> tuple[RoundRow, ...]:
    """Return the rounds with one fixture for two tables (O12): its points are summed, its winner is that of MP."""
    return tuple(
        replace(round_, fixtures=tuple(_merge_rows(round_.fixtures)))
        if any(f.part for f in round_.fixtures)
        else round_
        for round_ in rounds
    )


def _merge_rows(fixtures: Iterable[FixtureRow]) -> Iterable[FixtureRow]:
    for _board, group in groupby(fixtures, key=lambda row: row.board):
        first, *others = group
        yield replace(first, part=0) if not others else _merge_pair(first, others[0])


def _merge_pair(first: FixtureRow, second: FixtureRow) -> FixtureRow:
    exchanged = first.first is not None and second.second is not None
    exchanged = exchanged and first.first.entry_id == second.second.entry_id  # type: ignore[union-attr]
    if exchanged:  # J11
        second = replace(
            second,
            first=second.second,
            second=second.first,
            result=second.result.exchange_sides(),
            cards=second.cards and (second.cards[1], second.cards[0]),
        )
    tables = (first, second)
    open_ = next((table for table in tables if table.state in Fixture.OPEN), None)
    if open_ is not None:
        return replace(open_, part=0, result=FixtureResult(), cards=None, tables=tables)
    points = [table.points for table in tables if table.points is not None]
    cards = [table.cards for table in tables if table.cards is not None]
    mp = first.mp or second.mp
    lost_by = any if exchanged else all  # with equal deals a line's forfeit is its team's
    forfeits = tuple(side for side in (0, 1) if lost_by(side in table.result.forfeits for table in tables))
    result = FixtureResult(
        winner=None if mp is None or mp[0] == mp[1] else int(mp[1] > mp[0]),
        forfeits=forfeits,
        points=_add_pairs(points),
        mp=mp,
        vp=first.vp or second.vp,
        unplayed=all(table.result.unplayed or table.annulled for table in tables),
    )
    annulled = all(table.annulled for table in tables)
    state = Fixture.State.ANNULLED if annulled else Fixture.State.DONE
    return replace(
        first,
        part=0,
        result=result,
        tables=tables,
        state=state,
        annulled=annulled,
        cards=_add_pairs(cards) if len(cards) == len(points) else None,
    )


def _add_pairs(pairs: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    return (sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)) if pairs else None


def build_cross_table(rows: Iterable[RankedEntry], played: Iterable[RoundRow]) -> tuple[CrossRow, ...]:
    """Return the cross table, everybody against everybody, in the order of the standings."""
    sums = [(row.entry, row.vp) for row in rows]
    order = [entry for entry, _vp in sums]
    now = {entry.entry_id: entry.name for entry in order}
    cells: dict[tuple[int, int], list[Cell]] = {}
    byes: dict[int, int] = {}
    for round_ in merge_tables(played):
        for f in round_.fixtures:
            if f.first is not None and f.state == Fixture.State.BYE and f.vp is not None:
                byes[f.first.entry_id] = byes.get(f.first.entry_id, 0) + f.vp[0]
            if f.first is None or f.second is None:
                continue
            a, b = f.first.entry_id, f.second.entry_id
            names = (f.first.name, f.second.name)
            by = "" if names == (now.get(a), now.get(b)) else " · ".join(names)
            back = f.points and (f.points[1], f.points[0])
            cards = f.cards and (f.cards[1], f.cards[0])
            vp = f.vp or (None, None)
            cells.setdefault((a, b), []).append(Cell(f.points, vp[0], f.table, f.annulled, by, f.cards))
            cells.setdefault((b, a), []).append(Cell(back, vp[1], f.table, f.annulled, by, cards))
    return tuple(
        CrossRow(
            entry,
            tuple(tuple(cells.get((entry.entry_id, other.entry_id), ())) for other in order),
            vp,
            byes.get(entry.entry_id),
        )
        for entry, vp in sums
    )
