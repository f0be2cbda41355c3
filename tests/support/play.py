"""A running tournament in the hands of a test: tables opened and played, or ended by their own clocks."""

from datetime import datetime, timedelta

from games.models import Match, Seat
from games.services import playing, seating, settlement
from players.models import Player
from tests.support.tables import CONTROLS, play_out
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Plan, Result, Slot
from tournaments.models import Entry, EntryMember, Fixture, Tournament
from tournaments.running import tables
from tournaments.running.plan_basis import read_draw

OPENING = timedelta(seconds=10)  # longer than any pause used in these tests


def ready(tournament: Tournament) -> list[Fixture]:
    fixtures = Fixture.objects.filter(round__tournament=tournament, state=Fixture.State.READY)
    return list(fixtures.order_by("round__number", "board"))


def open_ready(tournament: Tournament, now: datetime) -> list[Match]:
    """Open every table whose time has come; the matches that were opened."""
    due = [fixture.pk for fixture in ready(tournament)]
    for fixture_id in due:
        tables.open_due_fixture(fixture_id=fixture_id, now=now)
    opened = Fixture.objects.filter(pk__in=due, match__isnull=False).select_related("match")
    return [fixture.match for fixture in opened.order_by("round__number", "board") if fixture.match]


def sit_down(match: Match, now: datetime) -> None:
    for seat in Seat.objects.filter(match=match).order_by("number"):
        seating.sit_down(match_id=match.pk, player_id=seat.player_id, token="", now=now)
        seating.sit_down(match_id=match.pk, player_id=seat.player_id, token=CONTROLS[seat.number], now=now)


def play(match: Match, now: datetime) -> datetime:
    sit_down(match, now)
    return play_out(match, now)


def abandon(match: Match, seat: int, now: datetime) -> None:
    sit_down(match, now)
    playing.abandon(match_id=match.pk, seat=seat, control=CONTROLS[seat], confirm=True, client_id=None, now=now)


def nobody_comes(match: Match) -> datetime:
    assert match.noshow_at is not None
    late = match.noshow_at + timedelta(seconds=10)
    settlement.expire_overdue(match_id=match.pk, now=late)
    return late


def only_one_comes(match: Match, seat: int) -> datetime:
    player_id = Seat.objects.get(match=match, number=seat).player_id
    seating.sit_down(match_id=match.pk, player_id=player_id, token="", now=match.opened_at)
    return nobody_comes(match)


def rounds_played(tournament: Tournament, now: datetime) -> datetime:
    """Play everything to the end, round after round; the last instant."""
    tournament.refresh_from_db()
    while tournament.state == Tournament.State.RUNNING:
        now += OPENING
        matches = open_ready(tournament, now)
        assert matches, "running, and no table opens"
        now = max(play(match, now) for match in matches)
        tournament.refresh_from_db()
    return now


def entry_of(tournament: Tournament, player: Player) -> Entry:
    return EntryMember.objects.select_related("entry").get(tournament=tournament, person__player=player).entry


def recomputed(tournament: Tournament) -> Plan:
    """The picture from the stored results alone, by the format, as a test reads them."""
    fixtures = Fixture.objects.with_results().filter(round__tournament=tournament, result_at__isnull=False)
    results = {
        Slot(f.round.number, f.board): Result(
            f.winner,
            f.double_forfeit,
            (f.mp_0 or 0, f.mp_1 or 0),
            (f.vp_0 or 0, f.vp_1 or 0),
            f.annulled,
            margin=None if f.forfeit_by is not None or f.points_0 is None else abs(f.points_0 - (f.points_1 or 0)),
        )
        for f in fixtures.select_related("round")
    }
    drawn = Entry.objects.filter(tournament=tournament, seed__isnull=False)
    left = drawn.filter(withdrawn_at__isnull=False).values_list("seed", "withdrawn_after")
    seeds = dict(drawn.values_list("pk", "seed"))
    paired = Fixture.objects.filter(round__tournament=tournament, first__isnull=False).select_related("round")
    published = {
        Slot(f.round.number, f.board): (seeds[f.first_id], None if f.second_id is None else seeds[f.second_id])
        for f in paired
    }
    format_ = FORMATS[tournament.format]
    kept = published if format_.keeps_rounds else {}
    return format_.plan(read_draw(tournament, drawn.count()), results, dict(left), kept)


def stored_equals_recomputed(tournament: Tournament) -> bool:
    """Return whether the stored standings are those that the results give (H8)."""
    entries = {entry.seed: entry for entry in Entry.objects.filter(tournament=tournament)}
    for row in recomputed(tournament).standings:
        e = entries[row.seed]
        separation = None if row.separation is None else row.separation.to_json()
        stored = (e.rank, e.played, e.won, e.drawn, e.mp, e.vp, e.separation)
        if stored != (row.rank, row.played, row.won, row.drawn, row.mp, row.vp, separation):
            return False
    return True
