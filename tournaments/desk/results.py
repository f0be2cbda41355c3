"""A referee's decisions about a fixture (F2): its result, a forfeit, an annulment, a replay.

The results are changed; standings and bracket are recomputed from them (F3). A decision on which later fixtures already
depend is refused.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from django.db import transaction

from games.engine import scores
from games.engine.game import Setup
from games.engine.match import compute_margin, find_leader, find_terms
from games.models import Match, Seat
from games.services import errors, referee
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.game_terms import GamesTerms, find_fixture_terms
from tournaments.core.locking import write_log
from tournaments.core.log_details import (
    ACT,
    AGREED,
    ENTERED,
    PHONES,
    REOPENED,
    UNCONFIRMED,
    LoggedResult,
    ResultActDetail,
    read_detail,
)
from tournaments.core.reasons import read_reason
from tournaments.core.result import (
    FORFEIT,
    NO_RESULT,
    FixtureResult,
    Games,
    GameScore,
    ResultTerms,
    find_context,
    was_begun,
)
from tournaments.desk import deal_points
from tournaments.desk.act import (
    Act,
    begin_act,
    locate_fixture,
    lock_fixture_for,
    read_result,
    tell_ruling,
    write_act,
)
from tournaments.desk.game_results import TypedGames, judge_games
from tournaments.models import Fixture, LogEntry, ScoreSlip, Tournament
from tournaments.running import dependents, round_clocks
from tournaments.running.level_results import forget_matches
from tournaments.running.results import advance, record_result

Pair = tuple[int, int]
State = Fixture.State
MAX_POINTS = 999
MAX_VP = 20  # of both lines together (V2, V3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A result as a referee writes it; by line. ``winner`` None: a draw. ``vp`` None: as the table gives them (V1-V4);
    ``mp`` None: V1's margin.

    ``decided_by`` is the victory of a line that doesn't win by the points: one of
    ``games.engine.scores.list_endings``, or "forfeit" of the other line. ``deals``: the points of each deal, where they
    were written; ``points`` are their sums (O5).

    Of a fixture of several games (EV1) ``points`` are those won, and ``games`` each of them; ``winner`` None: as they
    say.
    """

    points: Pair
    winner: int | None
    decided_by: str = ""
    mp: Pair | None = None
    vp: Pair | None = None
    deals: tuple[Pair, ...] = ()
    games: Games = ()


def set_result(
    *, tournament_id: int, fixture_id: int, decision: Decision, act: Act, later: list[Fixture] | None = None
) -> None:
    """Give a fixture this result, whatever it had; its match is stopped if it is being played.

    At real tables the first result of a fixture needs no reason, a change does (F2). Corrected to games of which nobody
    has won more than half, it is open again (EV1). ``later``: gets the fixture, and whoever gave it recomputes after
    the last one.
    """
    with transaction.atomic():
        tournament = begin_act(tournament_id, act, needs_reason=False)
        if tournament is None:
            return
        fixture = lock_fixture_for(tournament, fixture_id, act)
        plain = _is_plain_entry(tournament, fixture, act)
        if plain:
            deal_points.require_deals(tournament, fixture, decision)
        try:
            enter_result(tournament, fixture, decision, ENTERED if plain else "result", act, later)
        except TournamentError as refusal:
            if refusal.code != "games_undecided" or fixture.result_at is None:
                raise
            before = read_result(fixture)
            NO_RESULT.write_to(fixture)
            _play_again(tournament, fixture, REOPENED, before, act)


def enter_result(
    tournament: Tournament,
    fixture: Fixture,
    decision: Decision,
    what: str,
    act: Act,
    later: list[Fixture] | None = None,
) -> None:
    """Give a locked fixture a result that is possible, and recompute everything from it, at once or ``later``."""
    result = _make_timed_result(tournament, fixture, decision, act.now)
    before = read_result(fixture)
    stop_match(fixture, act.now)
    result.write_to(fixture)
    deal_points.keep_deals(tournament, fixture, decision)
    _decide(tournament, fixture, what, before, act, later)


def require_possible(tournament: Tournament, fixture: Fixture, decision: Decision, now: datetime) -> FixtureResult:
    """Return a first result at a real table; TournamentError where it can't be (F2, O5, O6). It writes nothing."""
    deal_points.require_deals(tournament, fixture, decision)
    return _make_timed_result(tournament, fixture, decision, now)


def _make_timed_result(tournament: Tournament, fixture: Fixture, decision: Decision, now: datetime) -> FixtureResult:
    """Return the result of a fixture with this decision, for the round's clock too (O6)."""
    time_is_up = round_clocks.is_time_up(fixture, now)
    ways = [decision.decided_by, *(game.decided_by for game in decision.games)]
    if scores.CUT_SHORT in ways and not time_is_up:
        raise TournamentError("way_impossible", victory=scores.CUT_SHORT)
    return make_result(tournament, fixture, decision, time_is_up=time_is_up)


def make_result(
    tournament: Tournament, fixture: Fixture, decision: Decision, *, time_is_up: bool = False
) -> FixtureResult:
    """Return the result of a fixture with this decision; TournamentError for what can't be (F2, O5, O6)."""
    return make_result_by(find_fixture_terms(tournament, fixture), decision, time_is_up=time_is_up)


def make_result_by(terms: ResultTerms, decision: Decision, *, time_is_up: bool = False) -> FixtureResult:
    """Return the result by these terms with this decision; TournamentError for what can't be."""
    return (
        _make_games_result(terms, decision, time_is_up=time_is_up)
        if isinstance(terms, GamesTerms)
        else _make_match_result(terms, decision, time_is_up=time_is_up)
    )


def _make_games_result(terms: GamesTerms, decision: Decision, *, time_is_up: bool) -> FixtureResult:
    """Return the result of a fixture of several games (EV1), with MP and VP as they are written, if they are (F2)."""
    typed = TypedGames(decision.points, decision.games, decision.winner, decision.decided_by)
    made = judge_games(terms, typed, partial(_judge_game, terms.of_game), time_is_up=time_is_up)
    if not terms.has_vp:
        return made
    _check_written(decision, made.winner)
    return replace(made, mp=decision.mp or made.mp, vp=decision.vp or made.vp)


def _judge_game(terms: ResultTerms, game: GameScore, time_is_up: bool) -> GameScore:
    """Return a game with its winner and how it was won. One that a referee gives away has no points (EV1)."""
    if game.points is None:
        if game.winner not in (0, 1) or game.decided_by not in ("", FORFEIT):
            raise TournamentError("no_such_result")
        return GameScore(game.winner, None, FORFEIT)
    winner, decided_by = game.winner, game.decided_by
    if winner is None:
        winner = find_leader(find_terms(terms.setup), game.points)
    elif not decided_by:  # by whichever victory it can be: it makes no difference to MP and VP
        decided_by = next(iter(scores.list_ways_to_end(terms.setup, game.points, winner)), "")
    decision = Decision(points=game.points, winner=winner, decided_by=decided_by)
    made = _make_match_result(terms, decision, time_is_up=time_is_up)
    return GameScore(made.winner, made.points, made.decided_by)


def _make_match_result(terms: ResultTerms, decision: Decision, *, time_is_up: bool) -> FixtureResult:
    """Return the result of one match."""
    if decision.games:
        raise TournamentError("no_games")
    if time_is_up and decision.winner is None and scores.needs_tie_breaks(terms.setup, decision.points):
        raise TournamentError("cut_short_level")
    _check(decision, terms.setup.context)
    decided_by = find_way_to_end(terms.setup, decision, time_is_up=time_is_up)
    _check_deals(terms.setup, decision, decided_by)
    return FixtureResult.from_ruling(
        terms, decision.winner, decision.points, decided_by, mp=decision.mp, vp=decision.vp
    )


def make_forfeit(tournament: Tournament, fixture: Fixture, lines: tuple[int, ...]) -> FixtureResult:
    """Return the result of a forfeit of these lines, with the points that stand (V5, R4)."""
    terms = find_fixture_terms(tournament, fixture)
    played = _read_played(fixture)
    points, games = (None, ()) if played is None else (played.points, played.games)
    if games and len(lines) > 1:  # nothing counts of it (EV1)
        points, games = (0, 0), ()
    made = FixtureResult.from_forfeit(terms, lines, FORFEIT, points=points, games=games)
    return replace(made, unplayed=False) if fixture.match is not None and was_begun(fixture.match) else made


def enter_from_phones(
    tournament: Tournament,
    fixture: Fixture,
    result: FixtureResult,
    *,
    typed_by: int,
    agreed: bool,
    now: datetime,
    decision: Decision | None = None,
    by: Player | None = None,
) -> None:
    """Give a locked fixture without a result the one that a side typed, and the other confirmed or didn't (O4).

    ``by``: who organises and plays, and typed it at the desk for their own side (O13).
    """
    before = read_result(fixture)
    result.write_to(fixture)
    if decision is not None:
        deal_points.keep_deals(tournament, fixture, decision)
    _store_result(tournament, fixture, now, unconfirmed=not agreed)
    detail = ResultActDetail(
        place=locate_fixture(fixture), before=before, after=read_result(fixture), typed_by=typed_by
    )
    what = UNCONFIRMED if not agreed else PHONES if by is None else AGREED
    write_log(tournament, f"{ACT}{what}", now, by, detail)
    recompute_after(tournament, now, [fixture])


def annul_result(*, tournament_id: int, fixture_id: int, act: Act) -> None:
    """Annul the result: it counts for nobody and stays visible; never in a KO, where somebody must go on."""
    with transaction.atomic():
        tournament = begin_act(tournament_id, act)
        if tournament is None:
            return
        fixture = lock_fixture_for(tournament, fixture_id, act)
        if find_context(tournament, fixture) == "ko":
            raise TournamentError("ko_not_annulled")
        before = read_result(fixture)
        stop_match(fixture, act.now)
        NO_RESULT.write_to(fixture)
        fixture.annulled = True
        _decide(tournament, fixture, "annulled", before, act)


def restore_result(*, tournament_id: int, fixture_id: int, act: Act) -> None:
    """Take an annulment back: the result there was stands again; what wasn't over is played anew, with new cards."""
    with transaction.atomic():
        tournament = begin_act(tournament_id, act)
        if tournament is None:
            return
        fixture = lock_fixture_for(tournament, fixture_id, act)
        if not fixture.annulled:
            raise TournamentError("not_annulled")
        logged = LogEntry.objects.filter(tournament=tournament, code="ruling_annulled")
        annulment = logged.filter(detail__place__fixture=fixture.pk).latest("pk")
        annulled = read_detail(annulment, ResultActDetail).before
        before = read_result(fixture)
        NO_RESULT.write_to(fixture)
        if annulled.over:
            annulled.result.write_to(fixture)
            _decide(tournament, fixture, "reinstated", before, act)
        else:
            _play_again(tournament, fixture, "reinstated", before, act)


def declare_forfeit(
    *, tournament_id: int, fixture_id: int, lines: tuple[int, ...], act: Act, later: list[Fixture] | None = None
) -> None:
    """Declare a forfeit of one line (V5), or of both (R4, K5), before, during or after play. ``later``: as for
    ``set_result``."""
    if lines not in ((0,), (1,), (0, 1)):
        raise TournamentError("no_such_line")
    with transaction.atomic():
        tournament = begin_act(tournament_id, act, needs_reason=False)
        if tournament is None:
            return
        fixture = lock_fixture_for(tournament, fixture_id, act)
        plain = _is_plain_entry(tournament, fixture, act)
        before = read_result(fixture)
        if len(lines) == 1 and _is_running(fixture):
            _forfeit_at_table(tournament, fixture, lines[0], before, act)
            return
        stop_match(fixture, act.now)
        make_forfeit(tournament, fixture, lines).write_to(fixture)
        _decide(tournament, fixture, ENTERED if plain else "forfeit", before, act, later)


def order_replay(*, tournament_id: int, fixture_id: int, act: Act) -> None:
    """Order a replay with new cards; the former match is kept, and named in the log."""
    with transaction.atomic():
        tournament = begin_act(tournament_id, act)
        if tournament is None:
            return
        fixture = lock_fixture_for(tournament, fixture_id, act)
        if fixture.result_at is None and fixture.match is None:
            raise TournamentError("not_played_yet")
        before = read_result(fixture)
        stop_match(fixture, act.now)
        table = None if fixture.match is None else fixture.match.public_id
        NO_RESULT.write_to(fixture)
        _play_again(tournament, fixture, "replay", before, act, table=table)


def _decide(
    tournament: Tournament,
    fixture: Fixture,
    what: str,
    before: LoggedResult,
    act: Act,
    later: list[Fixture] | None = None,
) -> None:
    """Store what a referee decided, if nothing depends on what was, and recompute everything from it (F3)."""
    fixture.ruled = what not in (ENTERED, AGREED)
    kept = _store_result(tournament, fixture, act.now)
    detail = ResultActDetail(
        place=locate_fixture(fixture), before=before, after=read_result(fixture), pairings_kept=kept
    )
    write_act(tournament, what, act, detail)
    if later is None:
        recompute_after(tournament, act.now, [fixture])
    else:
        later.append(fixture)
    if what != ENTERED:
        tell_ruling(tournament, fixture, act)


def _store_result(tournament: Tournament, fixture: Fixture, now: datetime, *, unconfirmed: bool = False) -> bool:
    """Store the result in memory, which settles what the telephones sent (O4). Tell if pairings published before it
    was corrected were kept."""
    corrects = fixture.result_at is not None
    fixture.result_at = fixture.result_at or now
    fixture.opens_at = None
    fixture.unconfirmed = unconfirmed
    fixture.state = State.ANNULLED if fixture.annulled else State.DONE
    dependents.require_no_dependents(tournament, fixture)
    fixture.save()
    ScoreSlip.objects.filter(fixture=fixture).update(called="", due_at=None)
    return corrects and dependents.were_pairings_kept(tournament, fixture)


def forget_typed(fixture: Fixture) -> None:
    """Forget what the telephones sent for a fixture that has no result any more (O4)."""
    fixture.unconfirmed = False
    ScoreSlip.objects.filter(fixture=fixture).update(called="", due_at=None, typed={}, typed_by=None)


def _play_again(
    tournament: Tournament, fixture: Fixture, what: str, before: LoggedResult, act: Act, *, table: str | None = None
) -> None:
    """Reset a fixture to before its table, if nothing depends on its result (F3). ``table``: its match until now."""
    forget_matches([fixture.match_id], act.now)
    fixture.deal_points = fixture.percent_0 = fixture.percent_1 = None
    fixture.left_out = False
    seen = fixture.match is not None or (tournament.venue.types_results and (what == "replay" or fixture.is_shown))
    fixture.own_cards = fixture.own_cards or seen  # its players have seen the round's (J9)
    fixture.match = None
    fixture.ruled = False
    fixture.result_at = None
    fixture.state = State.WAITING
    forget_typed(fixture)
    dependents.require_no_dependents(tournament, fixture)
    fixture.save()
    kept = dependents.were_pairings_kept(tournament, fixture)
    detail = ResultActDetail(place=locate_fixture(fixture), before=before, pairings_kept=kept, table=table)
    write_act(tournament, what, act, detail)
    recompute_after(tournament, act.now, [fixture])
    tell_ruling(tournament, fixture, act)
    if not tournament.entry_kind.has_line_ups:  # their line-up stands (O12)
        fixture.line_ups.all().delete()  # the members play it now, whoever did


def recompute_after(tournament: Tournament, now: datetime, changed: Collection[Fixture] | None = None) -> None:
    """Recompute everything below the draw from the results as they are now, also after the end.

    A tournament that is over stays so, since then, unless something is left to play (F3).
    """
    if tournament.state == Tournament.State.FINISHED:
        tournament.state = Tournament.State.RUNNING
        tournament.save(update_fields=["state"])
    advance(tournament_id=tournament.pk, now=now, changed=changed)


def _is_plain_entry(tournament: Tournament, fixture: Fixture, act: Act) -> bool:
    """Tell if this is the first result of a fixture at a real table; anything else needs a reason (F2)."""
    plain = fixture.venue.types_results and fixture.result_at is None and fixture.match_id is None
    read_reason(act.reason, required=not plain)
    return plain


def _check_deals(setup: Setup, decision: Decision, decided_by: str) -> None:
    """Raise TournamentError where no match has such deals (O5); what a forfeit cuts short isn't checked."""
    if not decision.deals or decided_by == FORFEIT:
        return
    ended = decided_by in scores.list_endings(setup)
    cut_short = decided_by == scores.CUT_SHORT
    fault = scores.find_deal_fault(setup, decision.deals, ended=ended, cut_short=cut_short)
    if fault is not None:
        first, second = decision.deals[fault.deal - 1]
        raise TournamentError(fault.code, deal=fault.deal, score=f"{first}–{second}", totals=fault.totals)


def _check(decision: Decision, context: str) -> None:
    """Raise TournamentError for an impossible result."""
    points, winner = decision.points, decision.winner
    if not all(0 <= number <= MAX_POINTS for number in points) or winner not in (None, 0, 1):
        raise TournamentError("no_such_result")
    if winner is None and context == "ko":
        raise TournamentError("ko_needs_winner")
    if winner is None and points[0] != points[1]:
        raise TournamentError("draw_uneven")
    _check_written(decision, winner)


def _check_written(decision: Decision, winner: int | None) -> None:
    """Raise TournamentError for MP and VP that can't be written (F2)."""
    if decision.mp is not None and not all(abs(number) <= MAX_POINTS for number in decision.mp):
        raise TournamentError("no_such_result")
    if decision.vp is None:
        return
    if min(decision.vp) < 0 or sum(decision.vp) > MAX_VP:
        raise TournamentError("vp_range", most=MAX_VP)
    if winner is not None and decision.vp[winner] < decision.vp[1 - winner]:
        raise TournamentError("vp_to_the_loser")


def find_way_to_end(setup: Setup, decision: Decision, *, time_is_up: bool = False) -> str:
    """Return how a match ends with these points and this winner; TournamentError where it can't (F2).

    ``time_is_up``: the clock of its round has run out, so that it may also have been cut short (O6).
    """
    points, winner, wanted = decision.points, decision.winner, decision.decided_by
    if wanted == FORFEIT and winner is not None:
        limits = scores.compute_bounds(setup)
        if not _can_forfeit_at(limits, points):
            raise TournamentError("points_many", most=limits.most)
        return FORFEIT
    ways, endings = scores.list_ways_to_end(setup, points, winner), scores.list_endings(setup)
    if wanted == scores.CUT_SHORT and scores.may_be_cut_short(setup, points, winner):  # it was found to be so before
        return wanted
    if wanted:
        if wanted not in ways:
            raise TournamentError("way_impossible", victory=wanted)
        return wanted
    regular = [way for way in ways if way not in endings]
    if regular:
        return regular[0]
    if time_is_up and scores.may_be_cut_short(setup, points, winner):
        return scores.CUT_SHORT
    if len(ways) == 1 and compute_margin(find_terms(setup), points, winner):
        return ways[0]
    raise _explain_impossible(setup, points, winner, ways)


def _can_forfeit_at(limits: scores.ScoreBounds, points: Pair) -> bool:
    """Tell if a line can have forfeited at these points."""
    return max(points) <= limits.most and sum(points) <= limits.totals[-1]


def _explain_impossible(setup: Setup, points: Pair, winner: int | None, ways: Sequence[str]) -> TournamentError:
    """Return why no match ends with these points and this winner, if it isn't said by which victory.

    Whatever it proposes instead would be accepted.
    """
    limits, endings = scores.compute_bounds(setup), scores.list_endings(setup)
    forfeit = (FORFEIT,) if winner is not None and _can_forfeit_at(limits, points) else ()
    behind = winner is not None and not compute_margin(find_terms(setup), points, winner)
    level = points[0] == points[1]
    if max(points) > limits.most:
        return TournamentError("points_many", most=limits.most)
    if ways:
        return TournamentError("way_missing", victories=(*ways, *forfeit))
    if level and winner is None and scores.list_ways_to_end(setup, points, 0):
        return TournamentError("level_has_winner")
    if level and winner is not None and scores.list_ways_to_end(setup, points, None):
        return TournamentError("level_is_draw")
    if behind and endings and forfeit:
        return TournamentError("way_missing", victories=forfeit)
    if sum(points) not in limits.totals:
        return TournamentError("points_total", total=sum(points), totals=limits.totals)
    if limits.target is not None and max(points) < limits.target:
        return TournamentError("points_few", target=limits.target)
    if behind and forfeit:
        return TournamentError("way_missing", victories=forfeit)
    return TournamentError("points_impossible")


def _read_played(fixture: Fixture) -> FixtureResult | None:
    """Return the result that stands before a forfeit is declared; None where no card was played (R4)."""
    result = FixtureResult.from_fixture(fixture)
    match = None if fixture.match is None else fixture.match.with_results()
    if result.forfeits and (match is None or match.stopped_at is not None or match.decided_by == "noshow"):
        return None
    return result


def _forfeit_at_table(tournament: Tournament, fixture: Fixture, line: int, before: LoggedResult, act: Act) -> None:
    """End the open match by a forfeit: its record says so, and the result is the match's (V5)."""
    assert fixture.match_id is not None
    seats = Seat.objects.filter(match=fixture.match_id).order_by("number")
    seat = next(number for number in seats.values_list("number", flat=True) if number % 2 == line)
    try:
        referee.forfeit(match_id=fixture.match_id, seat=seat, now=act.now)
    except errors.Finished:
        raise TournamentError("table_over") from None
    record_result(match_id=fixture.match_id, now=act.now)
    Fixture.objects.filter(pk=fixture.pk).update(ruled=True)
    fixture.refresh_from_db()
    detail = ResultActDetail(place=locate_fixture(fixture), before=before, after=read_result(fixture))
    write_act(tournament, "forfeit", act, detail)
    tell_ruling(tournament, fixture, act)


def _is_running(fixture: Fixture) -> bool:
    return fixture.match is not None and fixture.match.status != Match.Status.FINISHED


def stop_match(fixture: Fixture, now: datetime) -> None:
    """Stop a match in play without a result; TournamentError where it has just ended by itself."""
    if fixture.match is None or fixture.result_at is not None:
        return
    try:
        referee.stop(match_id=fixture.match.pk, now=now)
    except errors.Finished:
        raise TournamentError("table_over") from None
