"""Reads of everything that a tournament's page shows to one reader. It never writes."""

from collections.abc import Sequence

from django.db.models import QuerySet

from players.models import Player
from tournaments.core.permissions import may_referee, may_run
from tournaments.core.reads import build_cross_table, read_all_entries, read_rounds, read_standings
from tournaments.core.rows import (
    EntryRow,
    FixtureRow,
    PageEntries,
    PageHeader,
    PageSchedule,
    PageStandings,
    PageViewer,
    TournamentPage,
)
from tournaments.core.visibility import may_watch
from tournaments.core.withheld import hide_withheld_acts
from tournaments.entries.partners import find_odd_entry
from tournaments.entries.queries import (
    find_join_refusal,
    list_invitations,
    list_play_invitations,
    may_check_in,
    read_waiting,
)
from tournaments.models import Fixture, LogEntry, Tournament
from tournaments.own_names.claims import count_claims, name_logged_claims
from tournaments.rounds.late_entries import find_late_round
from tournaments.rounds.late_requests import find_late_refusal

OMITTED_LOG_CODES = ("result", "table_opened")  # two a fixture


def read_page(tournament: Tournament, player: Player | None, key: str = "") -> TournamentPage:
    """Return everything the tournament's page shows to ``player`` (None: a visitor who isn't signed in), who has this
    ``key`` to enter with (E3)."""
    everybody = read_all_entries(tournament)
    by_id = {entry.entry_id: entry for entry in everybody if entry.approved and not entry.waits}
    rounds = read_rounds(tournament, by_id, player)
    rows = read_standings(tournament, by_id, player)
    fixtures = [fixture for round_ in rounds for fixture in round_.fixtures]
    own = None if player is None else next((entry for entry in everybody if player.pk in entry.player_ids), None)
    live = tuple(fixture for fixture in fixtures if fixture.live)
    people = sum(not entry.house for entry in by_id.values())
    header = PageHeader(tournament, len(by_id), people, tables_open=len(live), held=count_held(tournament))
    viewer = read_viewer(header, player, own, [fixture for fixture in fixtures if fixture.mine], key)
    log = tuple(read_log(tournament))
    return TournamentPage(
        header=header,
        viewer=viewer,
        entries=PageEntries(
            rows=tuple(by_id.values()),
            waiting_list=tuple(entry for entry in everybody if entry.waits),
            applicants=tuple(entry for entry in everybody if not entry.approved) if viewer.is_organiser else (),
        ),
        schedule=PageSchedule(rounds, live),
        standings=PageStandings(rows, () if header.is_bracket else build_cross_table(rows, rounds)),
        log=log,
        claim_names=name_logged_claims(log),
    )


def count_held(tournament: Tournament) -> int:
    """Return how many places open invitations hold before the draw (E3)."""
    return 0 if tournament.drawn_at is not None else tournament.invitations.holding().count()


def read_log(tournament: Tournament) -> QuerySet[LogEntry]:
    """Return the log that the page shows (E2), without the entries of every table: the fixtures show those."""
    logged = LogEntry.objects.filter(tournament=tournament).exclude(code__in=OMITTED_LOG_CODES)
    return hide_withheld_acts(logged, tournament).select_related("player")


def read_viewer(
    header: PageHeader, player: Player | None, own: EntryRow | None, fixtures: Sequence[FixtureRow], key: str = ""
) -> PageViewer:
    """Return what the reader may do. ``own``: their entry; ``fixtures``: its fixtures, in order."""
    tournament = header.tournament
    taken = header.total + header.held
    may_be_asked = player is not None and (own is None or own.withdrawn)
    asks = not tournament.entry_kind.comes_alone and header.takes_entries and player is not None
    table = next((fixture.table for fixture in fixtures if fixture.live), None)
    upcoming = (fixture for fixture in fixtures if fixture.state in (Fixture.State.READY, Fixture.State.WAITING))
    is_organiser = may_run(tournament, player)
    late = find_late_round(tournament)
    closed = None if late is None or own is not None else find_late_refusal(tournament, player, key)
    may_ask = late is not None and own is None and closed in (None, "not_signed_in", "late_asked_already")
    return PageViewer(
        own=own,
        is_organiser=is_organiser,
        is_referee=may_referee(tournament, player),
        join_refusal=find_join_refusal(tournament, player, entered=own is not None, entries=taken, key=key),
        can_leave=own is not None and header.takes_entries,
        checks_in=own is not None and player is not None and may_check_in(tournament, player),
        my_table=table,
        next_fixture=None if table else next(upcoming, None),
        waiting=read_waiting(tournament, player) if asks and player is not None and own is not None else None,
        invitations=list_invitations(player, tournament) if asks and player is not None else (),
        play_invitations=list_play_invitations(player, tournament) if may_be_asked and player is not None else (),
        late_round=late if may_ask else None,
        late_asked=tournament.late_requests.count() if is_organiser and late is not None else 0,
        is_odd=own is not None and header.takes_entries and find_odd_entry(tournament) == own.entry_id,
        claims=count_claims(tournament) if is_organiser else None,
        watches=not header.tables_open or may_watch(tournament, player),
    )
