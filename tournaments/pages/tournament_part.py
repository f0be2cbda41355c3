"""Part of a big tournament that one page shows: a round, a page of its fixtures, or an entry found by name.

A tournament is big where drawing all of it would take seconds, and reading it on a telephone minutes. Of a big bracket,
and of a long list of entries, no more is read than is shown; of anything else, whose standings and groups are counted
from all results, only what is drawn is less.
"""

from collections.abc import Container
from dataclasses import replace

from django.db.models import Count, Q, QuerySet

from games.models import Match
from players.models import Player
from players.names import make_name_key
from tournaments.core import reads
from tournaments.core.card_points import read_card_points
from tournaments.core.name_search import search_entries
from tournaments.core.parts import MOST_ENTRIES, choose_round, cut_sheet
from tournaments.core.rows import (
    FixtureRow,
    ListPage,
    PageEntries,
    PageHeader,
    PageRequest,
    PageSchedule,
    PageStandings,
    Part,
    RankedEntry,
    RoundRow,
    TournamentPage,
)
from tournaments.formats import FORMATS
from tournaments.models import Entry, Fixture, LineUp, Round, Tournament
from tournaments.own_names.claims import name_logged_claims
from tournaments.pages import tournament_page
from tournaments.querysets import EntryQuerySet
from tournaments.standings.ranking_pages import read_ranking_page

State = Fixture.State
MAX_FIXTURES_DRAWN_WHOLE = 512  # of other rounds that are drawn whole
FIXTURES_PER_PAGE = 32
ENTRIES_PER_PAGE = 100
MAX_BRACKET_FIXTURES = 16  # of the round from which the rest is drawn as a bracket
MAX_BEST_RANKS = 16  # of a big bracket's final ranks
MAX_LOG_ENTRIES = 100


def read_part(tournament: Tournament, player: Player | None, wanted: PageRequest, key: str = "") -> TournamentPage:
    """Return everything the tournament's page shows to ``player``, or of a big tournament the part that is asked
    for."""
    if FORMATS[tournament.format].is_bracket or tournament.drawn_at is None:
        total = tournament.entries.in_place().count()
        return (
            tournament_page.read_page(tournament, player, key)
            if total <= MOST_ENTRIES
            else _read_big_page(tournament, player, wanted, key, total)
        )
    whole = tournament_page.read_page(tournament, player, key)
    return (
        whole
        if sum(len(row.fixtures) for row in whole.schedule.rounds) <= MAX_FIXTURES_DRAWN_WHOLE
        else _narrow_page(whole, wanted)
    )


def _narrow_page(whole: TournamentPage, wanted: PageRequest) -> TournamentPage:
    """Return a whole page with the part of its rounds to draw."""
    turn = choose_round(whole.schedule.rounds, wanted)
    entries, replaced = search_entries(whole.header.tournament, wanted.name)
    named = set(entries.values_list("pk", flat=True)) if wanted.name else None
    fixtures = [fixture for fixture in turn.fixtures if _is_called(fixture, named, make_name_key(wanted.name))]
    sheet, cut = cut_sheet(len(fixtures), FIXTURES_PER_PAGE, wanted)
    live = next((fixture for fixture in whole.schedule.live if fixture.mine), None)
    drawn = replace(turn, fixtures=tuple(fixtures[cut]))
    part = Part(drawn, sheet, live or whole.viewer.next_fixture, replaced=replaced)
    schedule = replace(whole.schedule, part=part)
    return replace(whole, schedule=schedule, standings=replace(whole.standings, cross=()))


def _is_called(fixture: FixtureRow, named: Container[int] | None, key: str) -> bool:
    """Return whether an entry of the fixture is one of the ``named`` (None: all), or has ``key`` in its name there.

    A board that nobody has been drawn to isn't shown (D1).
    """
    sides = [entry for entry in (fixture.first, fixture.second) if entry is not None]
    if named is None:
        return bool(sides)
    return any(entry.entry_id in named or (key and key in make_name_key(entry.name)) for entry in sides)


def _read_big_page(
    tournament: Tournament, player: Player | None, wanted: PageRequest, key: str, total: int
) -> TournamentPage:
    """Return the part asked for, by the same number of queries for any number of entries."""
    all_ = Fixture.objects.of(tournament).select_related("round", "match")
    entry = None if player is None else tournament.entries.of_player(player).first()
    mine = [] if entry is None else list(all_.filter(Q(first=entry) | Q(second=entry)).order_by("round__number"))
    rounds = list(Round.objects.filter(tournament=tournament).annotate(size=Count("fixtures")).order_by("number"))
    rows = [RoundRow(row.number, row.name, row.finished, (), row.opens_at) for row in rounds]
    turn = choose_round(rows, wanted) if rows else None
    named, replaced = search_entries(tournament, wanted.name)
    drawn, sheet, to_the_end = _read_drawn(named, all_, turn, {row.number: row.size for row in rounds}, wanted)
    listed, entries_sheet = _list_entries(named, wanted) if not rows else ([], ListPage(1, 1, total, ""))
    sides = {side for fixture in (*drawn, *mine) for side in (fixture.first_id, fixture.second_id) if side is not None}
    own = () if entry is None else (entry.pk,)
    entries = reads.read_entries_of(Entry.objects.filter(pk__in={*sides, *own, *(entry.pk for entry in listed)}))
    ids = {fixture.pk for fixture in (*drawn, *mine)}
    line_ups = reads.group_line_ups(LineUp.objects.filter(fixture__in=ids))
    cards = read_card_points(tournament, ids)
    shown = {
        fixture.pk: reads.make_fixture_row(fixture, entries, line_ups, player, cards) for fixture in (*drawn, *mine)
    }
    full = tuple(
        replace(row, fixtures=tuple(shown[f.pk] for f in drawn if f.round.number == row.number)) for row in rows
    )
    fixtures = [shown[fixture.pk] for fixture in mine]
    live = next((fixture for fixture in fixtures if fixture.live), None)
    playing = all_.filter(state=State.PLAYING).exclude(match__status=Match.Status.FINISHED)
    header = PageHeader(
        tournament, total, _count_people(tournament, total), playing.count(), tournament_page.count_held(tournament)
    )
    viewer = tournament_page.read_viewer(
        header, player, None if entry is None else entries.get(entry.pk), fixtures, key
    )
    part = (
        None if turn is None else Part(full[rows.index(turn)], sheet, live or viewer.next_fixture, to_the_end, replaced)
    )
    queue = () if rows else reads.read_entries_of(tournament.entries.queue()[:ENTRIES_PER_PAGE]).values()
    applicants = reads.read_entries_of(tournament.entries.applicants()).values() if viewer.is_organiser else ()
    log = tuple(reversed(tournament_page.read_log(tournament).order_by("-pk")[:MAX_LOG_ENTRIES]))
    return TournamentPage(
        header=header,
        viewer=viewer,
        entries=PageEntries(
            tuple(entries[listed_entry.pk] for listed_entry in listed), tuple(queue), tuple(applicants), entries_sheet
        ),
        schedule=PageSchedule(full, (), part),
        standings=PageStandings(_read_best(tournament, player), ()),
        log=log,
        claim_names=name_logged_claims(log),
    )


def _read_drawn(
    named: EntryQuerySet, all_: QuerySet[Fixture], turn: RoundRow | None, sizes: dict[int, int], wanted: PageRequest
) -> tuple[list[Fixture], ListPage, bool]:
    """Return the fixtures to draw: a page of the round's, or from a late round on all that follow as well."""
    if turn is None:
        return [], ListPage(1, 1, 0, ""), False
    if sizes[turn.number] <= MAX_BRACKET_FIXTURES and not wanted.name:
        later = all_.filter(round__number__gte=turn.number).order_by("round__number", "board")
        return list(later), ListPage(1, 1, sizes[turn.number], ""), True
    chosen = all_.filter(round__number=turn.number)
    if wanted.name:
        chosen = chosen.filter(Q(first__in=named.values("pk")) | Q(second__in=named.values("pk")))
    sheet, cut = cut_sheet(chosen.count(), FIXTURES_PER_PAGE, wanted)
    return list(chosen.order_by("board")[cut]), sheet, False


def _list_entries(named: EntryQuerySet, wanted: PageRequest) -> tuple[list[Entry], ListPage]:
    """Return a page of the entries before the draw, in the order of entering."""
    entries = named.in_place()
    sheet, cut = cut_sheet(entries.count(), ENTRIES_PER_PAGE, wanted)
    return list(entries.order_by("pk")[cut]), sheet


def _read_best(tournament: Tournament, player: Player | None) -> tuple[RankedEntry, ...]:
    """Return the best ranks of a bracket that is over; before its end there are none to show."""
    over = tournament.state == Tournament.State.FINISHED
    return read_ranking_page(tournament, player).rows[:MAX_BEST_RANKS] if over else ()


def _count_people(tournament: Tournament, total: int) -> int:
    """Return how many entries aren't the house's."""
    if not tournament.house_allowed:
        return total
    return tournament.entries.in_place().of_people().values("pk").count()
