"""Reads of moderation (U2): the reports and appeals that wait, a case with all that belongs to it, a person's file.

What is read here is for staff alone; who asks is checked in the views. They never write.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, permutations

from django.db.models import Q, QuerySet

from games import selectors as tables
from games.lobby.conduct import Conduct, read_conduct
from games.models import ChatLine, Match, Report, Seat
from games.moderation.hints import Meetings, SharedMarks, Timing, count_meetings, find_shared_marks, measure_timing
from players.models import ModerationAct, Player

LISTED = 50  # rows of each list on a page


@dataclass(frozen=True, slots=True)
class SaidLine:
    """Line of a table's chat as staff read it: who said it, seated or watching."""

    line: ChatLine
    name: str


@dataclass(frozen=True, slots=True)
class Case:
    """Report with the record of its match, the whole chat, the statistics of its people, and the hints."""

    report: Report
    players: tuple[Player, ...]  # people who sat there, in the order of their seats
    deals: tuple[Sequence[str], ...]  # the moves of each deal, in the record's words; of a running one what all saw
    chat: tuple[SaidLine, ...]
    others: tuple[Report, ...]  # further reports about the same match
    meetings: tuple[Meetings, ...]
    shared: tuple[SharedMarks, ...]
    timings: tuple[Timing, ...]


@dataclass(frozen=True, slots=True)
class PersonFile:
    """All that moderation knows of a person."""

    person: Player
    conduct: Conduct
    acts: tuple[ModerationAct, ...]
    about: tuple[Report, ...]
    made: tuple[Report, ...]


def list_reports(reader: Player | None = None) -> QuerySet[Report]:
    """Return the reports with all that their rows name; calls for the referee are none, and what the reader is a party
    to isn't theirs to read."""
    rows = Report.objects.exclude(reason=Report.Reason.CALL)
    if reader is not None:
        seats = Seat.objects.filter(player=reader).values("match")
        rows = rows.exclude(Q(reporter=reader) | Q(match__in=seats)).exclude(about__isnull=False, about=reader)
    return rows.select_related("match", "reporter", "about", "closed_by")


def list_acts() -> QuerySet[ModerationAct]:
    """Return the acts of moderation with all that their rows name."""
    return ModerationAct.objects.select_related("player", "by", "answered_by", "lifted_by")


def list_waiting_reports(reader: Player | None = None) -> list[Report]:
    """List the reports nobody has closed, the oldest first."""
    return list(list_reports(reader).filter(closed_at=None).order_by("at")[:LISTED])


def list_closed_reports(reader: Player | None = None) -> list[Report]:
    """List the reports closed last."""
    return list(list_reports(reader).filter(closed_at__isnull=False).order_by("-closed_at")[:LISTED])


def is_party(report: Report, player: Player) -> bool:
    """Tell whether the player reports, is reported, or sat at that table."""
    named = player.pk in (report.about_id, report.reporter_id)
    return named or Seat.objects.filter(match=report.match_id, player=player).exists()


def may_read_case(report: Report, moderator: Player, now: datetime) -> bool:
    """Tell whether a moderator may read a case: not their own; nor, while it is played, a table of a tournament that
    they play in (N4)."""
    return not is_party(report, moderator) and not tables.find_viewpoint(report.match, moderator, now).is_refused


def open_case(report: Report, moderator: Player, now: datetime) -> Case:
    """Return a report with all that belongs to it, of a running deal what this moderator may watch."""
    watching = tables.find_viewpoint(report.match, moderator, now).watching
    return read_case(report, live=watching is tables.Watching.LIVE)


def list_waiting_appeals() -> list[ModerationAct]:
    """List the appeals without an answer, the oldest first."""
    return list(list_acts().filter(appealed_at__isnull=False, answered_at=None).order_by("appealed_at")[:LISTED])


def list_latest_acts() -> list[ModerationAct]:
    """List the acts of moderation, the latest first."""
    return list(list_acts()[:LISTED])


def find_report(public_id: str) -> Report | None:
    """Return the report of that address; a call for the referee is none."""
    return list_reports().filter(public_id=public_id).first()


def read_case(report: Report, *, live: bool = True) -> Case:
    """Return a report with all that belongs to it; ``live``: the moves of the running deal, too (W3)."""
    match = report.match
    seats = list(Seat.objects.filter(match=match).select_related("player__user"))
    people = tuple(seat.player for seat in seats if not seat.player.is_house)
    by_seat = {seat.number: seat.player for seat in seats}
    pairs = [
        (one.player, other.player)
        for one, other in permutations(seats, 2)
        if match.players == 4 and one.number % 2 == other.number % 2
    ]
    timings = [
        measure_timing(one, other)
        for one, other in pairs
        if not one.is_house and not other.is_house and match.status == Match.Status.FINISHED
    ]
    return Case(
        report=report,
        players=people,
        deals=_read_deals(match, live),
        chat=tuple(_read_chat(match, by_seat)),
        others=tuple(list_reports().filter(match=match).exclude(pk=report.pk)),
        meetings=tuple(count_meetings(one, other) for one, other in combinations(people, 2)),
        shared=tuple(find_shared_marks(match, people)),
        timings=tuple(timing for timing in timings if timing is not None),
    )


def read_file(person: Player, reader: Player | None = None) -> PersonFile:
    """Return all that moderation knows of a person, but for reports that the reader is a party to."""
    return PersonFile(
        person=person,
        conduct=read_conduct(person),
        acts=tuple(list_acts().filter(player=person)),
        about=tuple(list_reports(reader).filter(about=person)[:LISTED]),
        made=tuple(list_reports(reader).filter(reporter=person)[:LISTED]),
    )


def _read_deals(match: Match, live: bool) -> tuple[Sequence[str], ...]:
    """Return the moves of each deal: of a running match what everybody saw, and no hand."""
    record = tables.build_record(match)
    if record is not None:
        return tuple(deal["moves"] for deal in record["deals"])
    running = tables.build_running_record(match)
    open_deal = [f"{name}: {words}" for name, words in running.running] if live else []
    return (*(deal["moves"] for deal in running.record["deals"]), *([open_deal] if open_deal else []))


def _read_chat(match: Match, by_seat: dict[int, Player]) -> list[SaidLine]:
    lines = ChatLine.objects.filter(match=match).select_related("author")
    return [
        SaidLine(line, by_seat[line.seat].name if line.seat in by_seat else line.author.name if line.author else "")
        for line in lines
    ]
