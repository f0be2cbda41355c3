"""A fixture of a tournament on the site taken to a real table by a referee, and back (O1).

Its table on the site is closed, if one was open, and none opens for it any more; its result is typed as at real tables.
Until there is one it can go back to the site, where it is played from the first card.
"""

from django.db import transaction

from tournaments.core.errors import TournamentError
from tournaments.core.log_details import RealTableDetail
from tournaments.desk.act import Act, begin_act, locate_fixture, lock_fixture_for, tell_ruling, write_act
from tournaments.desk.results import forget_typed, recompute_after, stop_match
from tournaments.entries.fixed_tables import MAX_TABLES
from tournaments.models import EntryMember, Fixture, Tournament


def move_to_real_table(*, tournament_id: int, fixture_id: int, table: int | None, act: Act) -> None:
    """Have a fixture played at a real table, with this number if it has one; its cards on the site are gone.

    TournamentError: real_already, result_in, house_stays, fixed_table_range; table_over, where it has just ended.
    """
    with transaction.atomic():
        at = _lock(tournament_id, fixture_id, act)
        if at is None:
            return
        tournament, fixture = at
        if fixture.venue.types_results:
            raise TournamentError("real_already")
        if EntryMember.objects.filter(entry__in=[fixture.first_id, fixture.second_id]).bots().exists():
            raise TournamentError("house_stays")
        if table is not None and not 1 <= table <= MAX_TABLES:
            raise TournamentError("fixed_table_range", high=MAX_TABLES)
        stop_match(fixture, act.now)
        match = None if fixture.match is None else fixture.match.public_id
        fixture.own_cards = fixture.own_cards or match is not None  # should it come back: the round's were seen (J9)
        fixture.moved, fixture.table, fixture.match, fixture.opens_at = True, table, None, None
        _store(
            tournament, fixture, "moved", RealTableDetail(place=locate_fixture(fixture), number=table, table=match), act
        )


def move_to_site(*, tournament_id: int, fixture_id: int, act: Act) -> None:
    """Have a fixture that has no result yet played on the site again. TournamentError: not_moved, result_in."""
    with transaction.atomic():
        at = _lock(tournament_id, fixture_id, act)
        if at is None:
            return
        tournament, fixture = at
        if not fixture.moved:
            raise TournamentError("not_moved")
        detail = RealTableDetail(place=locate_fixture(fixture), number=fixture.table)
        fixture.moved, fixture.table = False, None
        forget_typed(fixture)
        _store(tournament, fixture, "moved_back", detail, act)


def _lock(tournament_id: int, fixture_id: int, act: Act) -> tuple[Tournament, Fixture] | None:
    """Lock a fixture without a result for an act with a reason; None where this very act was done already."""
    tournament = begin_act(tournament_id, act)
    if tournament is None:
        return None
    fixture = lock_fixture_for(tournament, fixture_id, act)
    if fixture.result_at is not None or fixture.state not in Fixture.OPEN:
        raise TournamentError("result_in")
    return tournament, fixture


def _store(tournament: Tournament, fixture: Fixture, what: str, detail: RealTableDetail, act: Act) -> None:
    """Store where a fixture is played; the plan says if that can be now, and when its table opens."""
    fixture.state = Fixture.State.WAITING
    fixture.save()
    write_act(tournament, what, act, detail)
    recompute_after(tournament, act.now, [fixture])
    tell_ruling(tournament, fixture, act)
    if not tournament.entry_kind.has_line_ups:  # their line-up stands (O12)
        fixture.line_ups.all().delete()  # the members play it now, whoever sat down before
