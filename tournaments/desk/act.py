"""The frame of every act of a referee (F1, F3): permission, written reason, before and after.

Each act is public on the tournament's page as a log entry ``ruling_<what>``; sent twice with the same key it is done
once. No decision about a fixture is made here.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from players.models import Player
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, write_log
from tournaments.core.log_details import ACT, ActDetail, FixturePlace, LoggedResult
from tournaments.core.permissions import may_judge, require_referee
from tournaments.core.reads import read_entries_of
from tournaments.core.reasons import read_reason
from tournaments.core.result import FIELDS, FixtureResult
from tournaments.core.withheld import is_kept_from
from tournaments.models import Entry, EntryMember, Fixture, LineUp, LogEntry, Tournament

State = Tournament.State


@dataclass(frozen=True, slots=True)
class Act:
    """Act of a referee. ``key``: the id its page gave it, empty where there is none.

    ``stamp``: that of the fixture as its page showed it (O13); empty where none was shown.
    """

    by: Player
    reason: str
    now: datetime
    key: str = ""
    stamp: str = ""


def compute_seal(what: str, values: Mapping[str, Any]) -> str:
    """Return a digest of what was typed in a form: another one as soon as it is changed."""
    return sha256(json.dumps([what, values], sort_keys=True, default=str).encode()).hexdigest()[:16]


def begin_act(tournament_id: int, act: Act, *, needs_reason: bool = True) -> Tournament | None:
    """Lock the tournament for a referee of it who gives a reason; None where this very act was done already.

    ``needs_reason`` False: an act that may go without one.

    TournamentError: not_referee, not_running, over (called off), reason_missing, reason_long.
    """
    tournament = lock_tournament(tournament_id)
    require_referee(tournament, act.by)
    if act.key and LogEntry.objects.filter(tournament=tournament, detail__act=act.key).exists():
        return None
    if tournament.state == State.CANCELLED:
        raise TournamentError("over")
    if tournament.state not in (State.RUNNING, State.FINISHED):
        raise TournamentError("not_running")
    read_reason(act.reason, required=needs_reason)
    return tournament


def lock_fixture_for(tournament: Tournament, fixture_id: int, act: Act, *, own: bool = False) -> Fixture:
    """Lock the fixture, if two entries meet in it, the referee plays for neither (F1), and it is as their page showed
    it (O13). ``own``: an act that they may do where they play themselves.
    """
    fixtures = Fixture.objects.with_results().of(tournament).select_for_update(of=("self",))
    fixture = fixtures.select_related("round", "match").filter(pk=fixture_id).first()
    if fixture is None or fixture.first_id is None or fixture.second_id is None:
        raise TournamentError("no_such_fixture")
    fixture.round.tournament = tournament  # as it is locked
    if not own and not may_judge(tournament, act.by, fixture):
        raise TournamentError("plays_there")
    if is_kept_from(fixture, act.by):
        raise TournamentError("withheld")
    if fixture.state == Fixture.State.ANNULLED and not fixture.annulled:
        raise TournamentError("entry_left")  # R5: whatever was decided here would count for nobody
    if act.stamp and act.stamp != compute_stamp(fixture):
        raise make_conflict(tournament, fixture)
    return fixture


def compute_stamp(fixture: Fixture) -> str:
    """Return a digest of whoever meets in a fixture and of its result: another one as soon as somebody changes them.
    Of a result that is withheld (J12) it holds nothing but that there is one."""
    if not fixture.is_shown:
        facts = [fixture.first_id, fixture.second_id, fixture.match_id, fixture.result_at is not None]
        return sha256(json.dumps(facts).encode()).hexdigest()[:16]
    at = None if fixture.result_at is None else fixture.result_at.timestamp()
    own = [fixture.first_id, fixture.second_id, fixture.match_id, at, fixture.annulled, fixture.ruled, fixture.moved]
    names = (name for name in FIELDS if not fixture.part or name[:2] not in ("mp", "vp"))  # those follow both tables
    values = [getattr(fixture, name) for name in names]
    return sha256(json.dumps([*own, *values, fixture.games]).encode()).hexdigest()[:16]


def make_conflict(tournament: Tournament, fixture: Fixture) -> TournamentError:
    """Return the refusal of an act on a fixture that isn't as its page showed it, with what stands there now (O13)."""
    sides = [pk for pk in (fixture.first_id, fixture.second_id) if pk is not None]
    rows = read_entries_of(Entry.objects.filter(pk__in=sides))
    names = tuple(rows[pk].name for pk in sides)
    acts = LogEntry.objects.filter(tournament=tournament, code__startswith=ACT, detail__place__fixture=fixture.pk)
    latest = acts.select_related("player").order_by("-pk").first()
    by = None if latest is None or latest.player is None else latest.player.name
    stored = read_result(fixture)
    stored = stored if fixture.is_shown else hide_result(stored)
    return TournamentError("fixture_changed", stored=stored, names=names, by=by)


def read_result(fixture: Fixture) -> LoggedResult:
    """Return a fixture's result as a log entry keeps it: enough to say before and after in words.

    Of one of two tables its points alone: MP and VP hang on the other, too (O12).
    """
    result = FixtureResult.from_fixture(fixture)
    return LoggedResult(
        over=fixture.result_at is not None,
        playing=fixture.result_at is None and fixture.match_id is not None,
        annulled=fixture.annulled,
        result=replace(result, mp=None, vp=None) if fixture.part else result,
        ruled=fixture.ruled,
    )


def hide_result(logged: LoggedResult) -> LoggedResult:
    """Return of a result that is withheld (J12) what everybody may know: if there is one."""
    return replace(logged, result=FixtureResult())


def locate_fixture(fixture: Fixture) -> FixturePlace:
    """Return a fixture's place for the log, with the persons by side as they are or were when it was played."""
    return FixturePlace(
        fixture=fixture.pk,
        round=fixture.round.number,
        round_name=fixture.round.name,
        board=fixture.board,
        first=fixture.first_id,
        second=fixture.second_id,
        persons=_people_of(fixture),
    )


def _people_of(fixture: Fixture) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The persons who play or played for each side of the fixture."""
    named = fixture.line_ups.order_by("position").values_list("side", "person")
    sides = {fixture.first_id: 0, fixture.second_id: 1}
    rows = EntryMember.objects.filter(entry__in=[pk for pk in sides if pk is not None]).order_by("position")
    members = [(sides[entry], person) for entry, person in rows.values_list("entry", "person")]
    kept = {side for side, _person in named}
    people = [*named, *((side, person) for side, person in members if side not in kept)]
    first, second = (tuple(person for side, person in people if side == number) for number in (0, 1))
    return first, second


def write_act(tournament: Tournament, what: str, act: Act, detail: ActDetail) -> None:
    """Log an act of a referee with its reason (F3): public, and never removed."""
    detail = replace(detail, reason=read_reason(act.reason, required=False), act=act.key)
    write_log(tournament, f"{ACT}{what}", act.now, act.by, detail)


def tell_ruling(tournament: Tournament, fixture: Fixture, act: Act) -> None:
    """Notify the fixture's entries and those who played it, on their pages, and by mail if they want."""
    ids = [pk for pk in (fixture.first_id, fixture.second_id) if pk is not None]
    members = EntryMember.objects.filter(entry__in=ids).people().player_ids()
    people = list(dict.fromkeys([*members, *LineUp.objects.filter(fixture=fixture).people().player_ids()]))
    entry = LogEntry.objects.filter(tournament=tournament).order_by("-pk").values_list("pk", flat=True).first()
    notify.tell_people(tournament, people, "ruling")
    notify.mail_people(tournament, people, "ruling", act.now, about=entry)
