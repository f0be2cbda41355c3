"""Checks of a file's contents: what its values say together. It writes nothing.

References and settings are checked first; then results, standings and pairings by the rules that made them, on the rows
as they would stand.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from games.engine.scores import CUT_SHORT, list_endings
from players.clean_text import clean_line
from players.names import BadName, clean_carried_name
from scoring.play_offs import LEAST
from tournaments.core.errors import TournamentError
from tournaments.core.game_terms import GamesTerms, find_fixture_terms
from tournaments.core.play_offs import PlayOffPlan
from tournaments.core.result import FORFEIT, FixtureResult, ResultTerms, find_context
from tournaments.desk.results import MAX_VP, Decision, find_way_to_end, make_result_by
from tournaments.entry_kinds import NUMBERS, EntryKind, Numbers, find_kind
from tournaments.fees.actions import MAX_CENTS, MAX_PRIZES, MAX_WHAT_CHARACTERS
from tournaments.formats import FORMATS
from tournaments.models import Fixture, Tournament
from tournaments.organise.settings import check_settings, read_settings
from tournaments.play_offs.actions import list_play_off_lengths, make_terms
from tournaments.running.recompute import compare_picture
from tournaments.transfer.faults import FileFault, FileRefused
from tournaments.transfer.rows import read_row
from tournaments.transfer.shapes import check_once, read_hour
from tournaments.transfer.unsaved import UnsavedRows

State = Fixture.State
DRAWN = (Tournament.State.RUNNING, Tournament.State.FINISHED)
HAPPENED = ("created_at", "drawn_at", "finished_at")  # by these a tournament stands in lists
MAX_SKEW = timedelta(days=1)
MAX_SECONDS = 24 * 3600
LEAST_SECONDS = {"turn_timeout": 1, "match_clock": 1, "noshow_after": 1, "pause": 0}


def require_sound(body: Mapping[str, Any]) -> None:
    """Raise FileRefused with what is wrong with the references and the settings of a body of the right shape."""
    faults = [
        *_check_settings(body),
        *_check_entries(body),
        *_check_rounds(body),
        *_check_play_offs(body),
        *_check_persons(body),
        *_check_log(body),
    ]
    if faults:
        raise FileRefused(faults)


def require_consistent(rows: UnsavedRows) -> int | None:
    """Return the round that can't be paired (D1), None if there is none. Raise FileRefused where the results aren't
    possible, or standings and pairings aren't what they give."""
    tournament = rows.tournament
    if tournament.drawn_at is None:
        return None
    faults = [fault for fixture in rows.fixtures if (fault := find_result_fault(tournament, fixture)) is not None]
    faults += [fault for play_off in rows.play_offs for fault in _list_play_off_faults(tournament, play_off)]
    if faults:
        raise FileRefused(faults)
    try:
        picture = rows.make_picture()
        plan = picture.make_plan()
        tournament.stuck_round = plan.stuck
        differences = compare_picture(picture, plan)
    except (ValueError, LookupError, AssertionError):  # a picture that no draw gives
        raise FileRefused([FileFault("no_plan", "rounds")]) from None
    if differences:
        raise FileRefused(
            FileFault("differs", one.about, {"name": one.name, "stored": one.stored, "given": one.given})
            for one in differences
        )
    return plan.stuck


def find_result_fault(tournament: Tournament, fixture: Fixture) -> FileFault | None:
    """Return what is impossible about a fixture's result, by the table of its points (V1-V5) and the rules (F2)."""
    place = f"rounds[{fixture.round.number}].fixtures[{fixture.board}]"
    result = FixtureResult.from_fixture(fixture)
    if fixture.result_at is None or fixture.annulled:
        empty = ("winner", "double_forfeit", "forfeit_by", "points_0", "points_1", "decided_by", "unplayed", "games")
        blank = all(getattr(fixture, name) in (None, False, "") for name in empty)
        return None if blank and fixture.state != State.DONE else FileFault("result_open", place)
    try:
        _require_possible(tournament, fixture, result)
        given = _compute_worth(tournament, fixture, result)
    except TournamentError as error:
        return FileFault("refused", place, {"code": error.code, "values": error.values})
    if fixture.part:  # MP and VP of both tables are recomputed with the standings (O12)
        return None
    if (result.mp, result.vp) == given or (fixture.ruled and _is_ruled_worth(result, given)):
        return None
    return FileFault("worth_differs", place, {"stored": (result.mp, result.vp), "given": given})


def _list_play_off_faults(tournament: Tournament, play_off: PlayOffPlan) -> Iterator[FileFault]:
    """Yield what is impossible about the length and the results of a play-off (EV11)."""
    place = f"play_offs[{play_off.number}]"
    if play_off.length not in list_play_off_lengths(tournament):
        yield FileFault("refused", place, {"code": "play_off_length", "values": {"allowed": (play_off.length,)}})
        return
    terms = make_terms(tournament, play_off.length)
    for slot, result in play_off.results.items():
        where = f"{place}.results[{slot.round}.{slot.board}]"
        if result.winner not in (None, 0, 1) or result.forfeits not in ((), (0,), (1,), (0, 1)) or not result.points:
            yield FileFault("refused", where, {"code": "no_such_result", "values": {}})
            continue
        try:
            made = _make_play_off_result(terms, result)
        except TournamentError as error:
            yield FileFault("refused", where, {"code": error.code, "values": error.values})
            continue
        if replace(made, unplayed=False) != result:
            yield FileFault("result_open", where)


def _make_play_off_result(terms: ResultTerms, result: FixtureResult) -> FixtureResult:
    """Return the result that the desk would make of these points, winner and forfeits."""
    if result.double_forfeit:
        return FixtureResult.from_forfeit(terms, (0, 1), FORFEIT)
    way = result.decided_by if result.decided_by in list_endings(terms.setup) else ""
    decided_by = FORFEIT if result.forfeits else way
    return make_result_by(terms, Decision(points=result.points or (0, 0), winner=result.winner, decided_by=decided_by))


def _require_possible(tournament: Tournament, fixture: Fixture, result: FixtureResult) -> None:
    """Raise TournamentError for a winner or points that no match ends with."""
    context = find_context(tournament, fixture)
    if result.winner not in (None, 0, 1) or fixture.forfeit_by not in (None, 0, 1):
        raise TournamentError("no_such_result")
    if result.unplayed and not result.forfeits:
        raise TournamentError("no_such_result")
    if result.points is not None and min(result.points) < 0:
        raise TournamentError("no_such_result")
    if result.winner is None and context == "ko" and not result.double_forfeit:
        raise TournamentError("ko_needs_winner")
    if result.double_forfeit:
        if result.winner is not None or result.games:
            raise TournamentError("no_such_result")
        return
    if result.points is None:
        raise TournamentError("no_such_result")
    if result.forfeits and result.winner != 1 - result.forfeits[0]:
        raise TournamentError("no_such_result")
    terms = find_fixture_terms(tournament, fixture)
    if isinstance(terms, GamesTerms):
        _require_possible_games(tournament, terms, result)
        return
    if result.games:
        raise TournamentError("no_games")
    setup = terms.setup
    way = result.decided_by if result.decided_by in list_endings(setup) else ""
    decided_by = FORFEIT if result.forfeits else way
    cut_short = tournament.clock_minutes is not None and result.decided_by == CUT_SHORT
    decision = Decision(points=result.points, winner=result.winner, decided_by=decided_by)
    find_way_to_end(setup, decision, time_is_up=cut_short)


def _require_possible_games(tournament: Tournament, terms: GamesTerms, result: FixtureResult) -> None:
    """Raise TournamentError for games that no fixture of several ends with (EV1), or that say another score."""
    ways = {result.decided_by, *(game.decided_by for game in result.games)}
    if CUT_SHORT in ways and tournament.clock_minutes is None:
        raise TournamentError("way_impossible", victory=CUT_SHORT)
    if result.forfeits and not result.games and (result.points == (0, 0) or not terms.only_won):
        if result.points != (0, 0):
            raise TournamentError("no_such_result")
        return
    decision = Decision(
        points=result.points or (0, 0),
        winner=result.winner,
        decided_by=FORFEIT if result.forfeits else result.decided_by,
        games=result.games,
    )
    made = make_result_by(terms, decision)
    if (made.winner, made.points, made.games) != (result.winner, result.points, result.games):
        raise TournamentError("no_such_result")


def _compute_worth(tournament: Tournament, fixture: Fixture, result: FixtureResult) -> tuple[Any, Any]:
    """Return the MP and VP that a result's points are worth (V1-V5, R4)."""
    terms, games = find_fixture_terms(tournament, fixture), result.games
    if result.forfeits:
        made = FixtureResult.from_forfeit(terms, result.forfeits, result.decided_by, points=result.points, games=games)
    else:
        made = FixtureResult.from_ruling(terms, result.winner, result.points or (0, 0), result.decided_by, games=games)
    return made.mp, made.vp


def _is_ruled_worth(result: FixtureResult, given: tuple[Any, Any]) -> bool:
    """Tell if a referee may have written these VP and MP directly (F2)."""
    if result.vp is None or given[1] is None:
        return False
    winner = result.winner
    return sum(result.vp) <= MAX_VP and (winner is None or result.vp[winner] >= result.vp[1 - winner])


def require_past(body: Mapping[str, Any], now: datetime) -> None:
    """Raise FileRefused for what has happened in the future; another computer's clock may be wrong by a day."""
    hours = {name: read_hour(body["tournament"][name] or "") for name in HAPPENED}
    faults = [FileFault("in_future", f"tournament.{name}") for name, at in hours.items() if at and at > now + MAX_SKEW]
    if faults:
        raise FileRefused(faults)


def _check_settings(body: Mapping[str, Any]) -> Iterator[FileFault]:
    values = body["tournament"]
    for name, low in LEAST_SECONDS.items():
        if values[name] is not None and not low <= values[name] <= MAX_SECONDS:
            yield FileFault("out_of_range", f"tournament.{name}", {"low": low, "high": MAX_SECONDS})
    for number, prize in enumerate(values["prizes"], start=1):
        if number > MAX_PRIZES or not _is_prize(prize):
            yield FileFault("wrong_kind", f"tournament.prizes[{number}]", {"wanted": "prize"})
            break
    hours = values["round_hours"]
    if not all(isinstance(hour, str) and read_hour(hour) is not None for hour in hours):
        yield FileFault("wrong_kind", "tournament.round_hours", {"wanted": "hour"})
        return
    try:
        check_settings(read_settings(Tournament(**read_row(Tournament, values))))
    except TournamentError as error:
        yield FileFault("refused", "tournament", {"code": error.code, "values": error.values})
    drawn = values["state"] in DRAWN
    for name, wanted in (("drawn_at", drawn), ("finished_at", values["state"] == Tournament.State.FINISHED)):
        if (values[name] is not None) != wanted:
            yield FileFault("missing" if wanted else "unknown", f"tournament.{name}")


def _is_prize(prize: object) -> bool:
    """Tell if a value is a prize as ``fees`` stores it (O10)."""
    if not isinstance(prize, list) or [type(part) for part in prize] != [int, str]:
        return False
    cents, what = prize
    return 0 <= cents <= MAX_CENTS and what == clean_line(what)[:MAX_WHAT_CHARACTERS]


def _check_persons(body: Mapping[str, Any]) -> Iterator[FileFault]:
    faults: list[FileFault] = []
    places = [f"persons[{number}]" for number in range(1, len(body["persons"]) + 1)]
    check_once([person["id"] for person in body["persons"]], places, faults)
    yield from faults
    for person, place in zip(body["persons"], places, strict=True):
        if clean_line(person["name"]):
            yield from _check_name(person["name"], f"{place}.name")
        else:
            yield FileFault("missing", f"{place}.name")


def _check_log(body: Mapping[str, Any]) -> Iterator[FileFault]:
    """Yield a fault for each name of whoever acted that can't be one, where it stands first; empty: the system."""
    places: dict[str, str] = {}
    for number, entry in enumerate(body["log"], start=1):
        if clean_line(entry["by"]):
            places.setdefault(entry["by"], f"log[{number}].by")
    for name, place in places.items():
        yield from _check_name(name, place)


def _check_name(name: str, place: str) -> Iterator[FileFault]:
    """Yield the fault of a name that the filter of all names refuses (O2)."""
    try:
        clean_carried_name(name)
    except BadName as error:
        yield FileFault("bad_name", place, {"value": clean_line(name), "code": error.code})


def _check_entries(body: Mapping[str, Any]) -> Iterator[FileFault]:
    entries, faults = body["entries"], list[FileFault]()
    places = [f"entries[{number}]" for number in range(1, len(entries) + 1)]
    check_once([entry["id"] for entry in entries], places, faults)
    seeds = [(entry["seed"], f"{place}.seed") for entry, place in zip(entries, places, strict=True)]
    drawn = body["tournament"]["state"] in DRAWN
    for seed, place in seeds:
        if drawn != (seed is not None):
            faults.append(FileFault("missing" if drawn else "unknown", place))
        elif seed is not None and not 1 <= seed <= len(entries):
            faults.append(FileFault("out_of_range", place, {"low": 1, "high": len(entries)}))
    check_once([seed for seed, _ in seeds if seed], [place for seed, place in seeds if seed], faults)
    person_ids = {person["id"] for person in body["persons"]}
    people = [
        (member["person"], f"{place}.members[{number}]")
        for entry, place in zip(entries, places, strict=True)
        for number, member in enumerate(entry["members"], start=1)
    ]
    check_once([person for person, _ in people], [place for _, place in people], faults)
    faults += [FileFault("dangling", place, {"value": person}) for person, place in people if person not in person_ids]
    ids = {entry["id"] for entry in entries}
    for number, ban in enumerate(body["forbidden"], start=1):
        faults += [
            FileFault("dangling", f"forbidden[{number}].{side}", {"value": ban[side]})
            for side in ("first", "second")
            if ban[side] not in ids
        ]
    check_once(
        [tuple(sorted((ban["first"], ban["second"]))) for ban in body["forbidden"]],
        [f"forbidden[{number}]" for number in range(1, len(body["forbidden"]) + 1)],
        faults,
    )
    for entry, place in zip(entries, places, strict=True):
        numbers = [bye["number"] for bye in entry["byes"]]
        check_once(numbers, [f"{place}.byes"] * len(numbers), faults)
    kind = _find_kind(body) if drawn else _find_kind(body).entering
    for entry, place in zip(entries, places, strict=True):
        count = len(entry["members"])
        complete = kind.least <= count <= kind.most or (not drawn and 1 <= count < kind.least)
        if not complete:
            faults.append(FileFault("other_size", f"{place}.members", {"wanted": kind.most}))
        if bool(entry["team_name"]) != kind.has_name:
            faults.append(FileFault("missing" if kind.has_name else "unknown", f"{place}.team_name"))
    named = [entry["team_name"].casefold() for entry in entries] if kind.has_name else []
    check_once(named, [f"{place}.team_name" for place in places][: len(named)], faults)
    most = FORMATS[name].max_size if (name := body["tournament"]["format"]) in FORMATS else 0
    if drawn and most and len(entries) > most:
        faults.append(FileFault("too_long", "entries", {"limit": most}))
    return iter(faults)


def _find_kind(body: Mapping[str, Any]) -> EntryKind:
    """Return what an entry is in this file, once it is drawn."""
    return find_kind(Numbers(**{name: value for name, value in body["tournament"].items() if name in NUMBERS}))


def _check_parts(
    fixtures: Sequence[Mapping[str, Any]], boards: int, place: str, kind: EntryKind
) -> Iterator[FileFault]:
    """Yield the faults of the two tables of fixtures (O12): the first ones stand first, the second ones are of their
    boards, each once."""
    seen: set[int] = set()
    for number, fixture in enumerate(fixtures, start=1):
        second, where = number > boards, f"{place}.fixtures[{number}]"
        if fixture["part"] != kind.first_part + (second and kind.has_parts):
            yield FileFault("out_of_range", f"{where}.part", {"low": 0, "high": kind.tables * kind.first_part})
        elif second and not 1 <= fixture["board"] <= boards:
            yield FileFault("out_of_range", f"{where}.board", {"low": 1, "high": boards})
        elif second and fixture["board"] in seen:
            yield FileFault("twice", f"{where}.board", {"value": fixture["board"]})
        if second:
            seen.add(fixture["board"])


def _check_rounds(body: Mapping[str, Any]) -> Iterator[FileFault]:
    drawn = body["tournament"]["state"] in DRAWN
    if bool(body["rounds"]) != drawn:
        yield FileFault("missing" if drawn else "unknown", "rounds")
    kind = _find_kind(body)
    entries = {entry["id"] for entry in body["entries"]}
    persons = {person["id"] for person in body["persons"]}
    for number, round_ in enumerate(body["rounds"], start=1):
        place = f"rounds[{number}]"
        if round_["number"] != number:
            yield FileFault("out_of_range", f"{place}.number", {"low": number, "high": number})
        firsts = [fixture for fixture in round_["fixtures"] if fixture["part"] < 2]
        yield from _check_parts(round_["fixtures"], len(firsts), place, kind)
        for board, fixture in enumerate(round_["fixtures"], start=1):
            where = f"{place}.fixtures[{board}]"
            if fixture["board"] != board and board <= len(firsts):
                yield FileFault("out_of_range", f"{where}.board", {"low": board, "high": board})
            for side in ("first", "second"):
                if fixture[side] is not None and fixture[side] not in entries:
                    yield FileFault("dangling", f"{where}.{side}", {"value": fixture[side]})
            if len(fixture["line_ups"]) != 2:
                yield FileFault("other_size", f"{where}.line_ups", {"wanted": 2})
            if kind.has_line_ups and any(side and len(side) != kind.seats for side in fixture["line_ups"]):
                yield FileFault("other_size", f"{where}.line_ups", {"wanted": kind.seats})
            for person in (person for side in fixture["line_ups"] for person in side):
                if person not in persons:
                    yield FileFault("dangling", f"{where}.line_ups", {"value": person})


def _check_play_offs(body: Mapping[str, Any]) -> Iterator[FileFault]:
    """Yield what is wrong with the entries of play-offs, and with their numbers (EV11)."""
    play_offs = body.get("play_offs", ())
    opened = body["tournament"].get("play_offs_opened", 0)
    faults: list[FileFault] = []
    numbers = [values["number"] for values in play_offs]
    check_once(numbers, [f"play_offs[{number}].number" for number in range(1, len(numbers) + 1)], faults)
    yield from faults
    ids = {entry["id"] for entry in body["entries"]}
    for at, values in enumerate(play_offs, start=1):
        place, entries = f"play_offs[{at}]", values["entries"]
        if body["tournament"]["state"] not in DRAWN:
            yield FileFault("unknown", place)
        if not 1 <= values["number"] <= opened:
            yield FileFault("out_of_range", f"{place}.number", {"low": 1, "high": opened})
        if len(entries) < LEAST:
            yield FileFault("other_size", f"{place}.entries", {"wanted": LEAST})
        twice: list[FileFault] = []
        check_once(entries, [f"{place}.entries"] * len(entries), twice)
        slots = [(result["round"], result["board"]) for result in values["results"]]
        check_once(slots, [f"{place}.results"] * len(slots), twice)
        yield from twice
        yield from (
            FileFault("dangling", f"{place}.entries", {"value": opaque}) for opaque in entries if opaque not in ids
        )
