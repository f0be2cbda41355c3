"""The history of a storm: what clients sent and were told, what the database holds after it, and whether they agree.

The checker shares no code with ``games``: it reads frames, acks and rows, and plays every record again with the naive
games of tests/games. Hours are seconds since the epoch, as the clients' own clock gave them.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.games import naive_replay

GRACE_SECONDS = 0.5  # of every turn, for network lag (guarantees.md, turns, 2)
HEAL_SECONDS = 6.0  # a seat whose line holds is shown every version so soon, whatever the bus lost (H3)
TURN_SECONDS = 5.0  # what a turn of a storm lasts at most
SOON_SECONDS = 3.0  # a timeout that is later than this after its grace is late, unless there was an outage
CLOCK_MOVED_SECONDS = 0.05
CARDS = 40
# What a view says about the hour and about who is there: it may differ between two views of one version.
PASSING = ("now", "clock", "seats", "automatic", "chat", "opening", "paused", "result")
FORFEITS = frozenset({"timeout", "clock", "noshow", "abandon"})
UNDECIDED = frozenset({"unavailable", "internal"})  # answers that say nothing about what was committed

Json = dict[str, Any]


class Sent(NamedTuple):
    """Action on its way, the first time or again."""

    table: str
    seat: int
    id: str
    version: int
    move: str
    at: float


class Answered(NamedTuple):
    """Ack (``code`` empty) or refusal of an action, with the version in it."""

    table: str
    seat: int
    id: str
    code: str
    version: int | None
    at: float


class Viewed(NamedTuple):
    """View that reached a seat over its ``line``-th connection. ``ends``: the clock shown, None without one."""

    table: str
    seat: int
    connection: int
    version: int
    turn: int | None
    ends: float | None
    began: float | None
    cards: int
    body: str  # all but what passes
    at: float


class Connected(NamedTuple):
    """Connection of a seat, from its first frame to its end. ``cut``: the client itself broke it."""

    table: str
    seat: int
    opened: float
    closed: float
    cut: bool


class Span(NamedTuple):
    """Time during which no process of a kind was alive, or none could say that it was."""

    start: float
    end: float


@dataclass
class History:
    """All that the clients of a storm saw, in the order in which it happened to each."""

    sent: list[Sent] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)
    viewed: list[Viewed] = field(default_factory=list)
    connected: list[Connected] = field(default_factory=list)
    hostile: int = 0  # frames of attackers
    strange: list[str] = field(default_factory=list)  # frames that no client should ever get

    def cut(self, until: float) -> "History":
        """Return what had happened before that instant; of what was sent, all: some of it came through."""
        return History(
            sent=self.sent,
            answered=[answer for answer in self.answered if answer.at < until],
            viewed=[view for view in self.viewed if view.at < until],
            connected=[line for line in self.connected if line.closed < until],
        )

    def note_view(self, table: str, seat: int, connection: int, frame: Json, at: float) -> Viewed:
        clock = frame["clock"] or {}
        ends, began = clock.get("ends"), clock.get("from")
        cards = frame["stock"] + len(frame["table"]) + sum(hand["count"] for hand in frame["hands"])
        view = Viewed(
            table, seat, connection, frame["v"], frame["turn"],
            None if ends is None else ends / 1000, None if began is None else began / 1000,
            cards + sum(pile["cards"] for pile in frame["piles"]) if frame["deal"] else CARDS,
            json.dumps({name: part for name, part in frame.items() if name not in PASSING}, sort_keys=True), at,
        )  # fmt: skip
        self.viewed.append(view)
        return view


class MoveRow(NamedTuple):
    """Move as it stands in the database."""

    version: int
    text: str
    client_id: str | None
    at: float

    @property
    def verb(self) -> str:
        return self.text.split(" ")[1]


@dataclass
class MatchRows:
    """Match as it stands in the database, its deals in order, their moves in order."""

    table: str
    record: Json  # record-format.md
    status: str
    version: int
    winner: int | None
    decided_by: str
    score: tuple[int, int]
    deadline: float | None
    moves: list[MoveRow]


@dataclass
class Evidence:
    """All that a storm leaves: what the clients saw, the database after it, and when a kind of process was away.

    ``granted``: the silences that the product made good, by its own log. It reckons from the last sign of life to the
    next, which may wait for the database though its process is there.
    """

    history: History
    matches: Mapping[str, MatchRows]  # by table
    outages: Sequence[Span]
    ended_at: float
    granted: Sequence[Span] = ()


@dataclass
class Report:
    """Outcome of a storm: what was broken, what came too late, and the figures. The first is empty if all held."""

    faults: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)  # promises about time: of a machine that has nothing else to do
    figures: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        rows = [f"{name:<44} {figure:>10.3f}".rstrip("0").rstrip(".") for name, figure in self.figures.items()]
        return "\n".join([*rows, *(f"LATE  {one}" for one in self.late), *(f"FAULT {one}" for one in self.faults)])


def check(evidence: Evidence) -> Report:
    """Compare what the clients were told with what the database holds (H1, H3, H5, H8)."""
    return Checker(evidence).run()


class Checker:
    """One comparison."""

    def __init__(self, evidence: Evidence) -> None:
        self.history, self.matches = evidence.history, evidence.matches
        self.away, self.granted, self.ended_at = evidence.outages, evidence.granted, evidence.ended_at
        self.outages = merge_spans([*self.away, *self.granted])
        self.report = Report(list(evidence.history.strange))
        self.turns: dict[tuple[str, int], list[Viewed]] = defaultdict(list)
        for view in self.history.viewed:
            self.turns[view.table, view.version].append(view)

    def run(self) -> Report:
        self.check_answers()
        self.check_views()
        shown = list(self.check_healing())
        late = [delay for match in self.matches.values() for delay in self.check_match(match)]
        figures = self.report.figures
        moves = [row for match in self.matches.values() for row in match.moves]
        figures["tables"] = len(self.matches)
        figures["moves sent"] = len({action.id for action in self.history.sent})
        figures["sent again or twice"] = len(self.history.sent) - figures["moves sent"]
        figures["moves acknowledged"] = len({answer.id for answer in self.history.answered if not answer.code})
        figures["moves committed"] = len(moves)
        figures["connections"] = len(self.history.connected)
        figures["connections cut by clients"] = sum(one.cut for one in self.history.connected)
        figures["turns that ran out"] = len(late)
        figures["turns within 300 ms of the end"] = sum(self.find_margins(moves))
        figures["seconds away"] = sum(span.end - span.start for span in merge_spans(self.away))
        figures["seconds made good"] = sum(span.end - span.start for span in merge_spans(self.granted))
        figures["outages made good while all were there"] = sum(map(self.was_there, self.granted))
        answered = list(self.measure_answers())
        delays = {
            "a move answered": answered,
            "a move shown to a seat": shown,
            "lateness of timeouts": late,
            "a view after a cut": list(self.measure_returns(cut=True)),
            "a view after a server's end": list(self.measure_returns(cut=False)),
            "a clock put right after an outage": list(self.measure_corrections()),
        }
        for name, values in delays.items():
            for part, value in measure_hundredths(values).items():
                figures[f"{name}, {part}, s"] = value
        return self.report

    def note_late(self, table: str, words: str) -> None:
        self.report.late.append(f"{table}: {words}")

    def fault(self, table: str, words: str) -> None:
        self.report.faults.append(f"{table}: {words}")

    def check_answers(self) -> None:
        """Every answer tells the truth about the database, and every answer to one action the same."""
        rows = {row.client_id: (match, row) for match in self.matches.values() for row in match.moves if row.client_id}
        by_id: dict[str, list[Answered]] = defaultdict(list)
        for answer in self.history.answered:
            if answer.code not in UNDECIDED:
                by_id[answer.id].append(answer)
        for client_id, answers in by_id.items():
            told = {(answer.code, answer.version if not answer.code else None) for answer in answers}
            table = answers[0].table
            if len({code for code, _ in told}) > 1 or len([version for code, version in told if not code]) > 1:
                self.fault(table, f"{client_id} was answered in more than one way: {sorted(map(str, told))}")
            kept = rows.get(client_id)
            acked = [answer for answer in answers if not answer.code]
            if acked and kept is None:
                self.fault(table, f"the acknowledged move {client_id} is lost")
            elif acked and kept is not None and kept[1].version > (acked[0].version or 0):
                self.fault(table, f"{client_id} was acknowledged at {acked[0].version}, stored at {kept[1].version}")
            elif not acked and kept is not None:
                self.fault(table, f"{client_id} was refused ({answers[0].code}) and is stored")
        sent = {action.id: action for action in self.history.sent}
        for client_id, (match, row) in rows.items():
            action = sent.get(client_id)
            if action is None:
                self.fault(match.table, f"nobody sent the move {client_id}")
            elif not any(other.text.endswith(action.move) for other in list_act(match, row)):
                self.fault(match.table, f"{client_id} was sent as {action.move!r} and stored as {row.text!r}")

    def check_views(self) -> None:
        """Views never go back, two of one version show one table, and no card is ever missing (H8)."""
        latest: dict[tuple[str, int, int], int] = {}
        for view in self.history.viewed:
            key = (view.table, view.seat, view.connection)
            if view.version < latest.get(key, 0):
                self.fault(view.table, f"seat {view.seat} was sent {view.version} after {latest[key]}")
            latest[key] = view.version
            if view.cards != CARDS:
                self.fault(view.table, f"{view.cards} cards at version {view.version}")
        for (table, version), views in self.turns.items():
            for seat in {view.seat for view in views}:
                if len({view.body for view in views if view.seat == seat}) > 1:
                    self.fault(table, f"seat {seat} was shown two tables at version {version}")
            if len({view.turn for view in views}) > 1:
                self.fault(table, f"two seats were told of different turns at version {version}")

    def check_match(self, match: MatchRows) -> Iterator[float]:
        """Check one match's moves and result; yield how late each timeout was, in seconds."""
        versions = [row.version for row in match.moves]
        if versions != sorted(set(versions)):
            self.fault(match.table, "two moves have one version, or moves are out of order")
        forfeits = [row for row in match.moves if row.verb in FORFEITS]
        if forfeits and (len(forfeits) > 1 or match.moves[-1] is not forfeits[0]):
            self.fault(match.table, "somebody moved after the match was forfeited")
        self.check_result(match)
        if match.status == "playing" and match.deadline is not None:
            allowed = GRACE_SECONDS + self.measure_outage(match.deadline, self.ended_at)
            overdue = self.ended_at - match.deadline - allowed
            if overdue > SOON_SECONDS:
                self.note_late(match.table, f"a turn is {overdue:.1f} s overdue and nothing happens")
        for row in match.moves:
            ends = self.find_end(match, row)
            if ends is None:
                continue
            after = row.at - ends - GRACE_SECONDS
            if row.verb == "timeout":
                if after < -0.002:  # frames tell milliseconds
                    self.fault(match.table, f"a turn ran out {-after:.3f} s too early at version {row.version}")
                late = max(0.0, after - self.measure_outage(ends, row.at))
                if late > SOON_SECONDS:
                    self.note_late(match.table, f"a turn ran out {late:.1f} s late at version {row.version}")
                yield late
            elif row.client_id and after - self.measure_outage(ends, row.at) > 0.002:
                self.fault(match.table, f"a move was taken {after:.3f} s after its turn at version {row.version}")

    def check_result(self, match: MatchRows) -> None:
        """Play the record again by other hands: the same legal moves, the same points, the same end."""
        again = naive_replay.replay(match.record)
        if not again["ok"]:
            self.fault(match.table, f"the record can't be played: deal {again['deal']}, move {again['move']}")
        elif again["complete"] != (match.status == "finished"):
            self.fault(
                match.table, f"the record is {'' if again['complete'] else 'not '}over, the match {match.status}"
            )
        elif (tuple(again["score"]), again["winner"]) != (match.score, match.winner):
            self.fault(match.table, f"the record gives {again['score']}, {again['winner']}; stored {match.score}")
        elif again["complete"] and again["decided_by"] != match.decided_by:
            self.fault(match.table, f"decided by {match.decided_by}, the record says {again['decided_by']}")

    def find_end(self, match: MatchRows, row: MoveRow) -> float | None:
        """Return the end of the turn that ``row`` ended, the latest that anybody was shown; None if nobody was."""
        shown = [
            view.ends
            for version in range(row.version - 1, max(-1, row.version - 6), -1)
            for view in self.turns.get((match.table, version), ())
            if view.ends is not None and view.turn == int(row.text[0]) and not self.has_play(match, version, row)
        ]
        return max(shown, default=None)

    def has_play(self, match: MatchRows, version: int, row: MoveRow) -> bool:
        """Tell whether another card was played between this version and ``row``: then it was another turn."""
        between = [other for other in match.moves if version < other.version < row.version]
        return any(other.verb == "play" for other in between)

    def find_margins(self, moves: Sequence[MoveRow]) -> Iterator[bool]:
        """Tell of each move whether it was made within 300 ms of the end of its turn, or of its grace."""
        for match in self.matches.values():
            for row in match.moves:
                ends = self.find_end(match, row)
                yield ends is not None and any(abs(row.at - ends - grace) <= 0.3 for grace in (0.0, GRACE_SECONDS))

    def was_there(self, span: Span) -> bool:
        """Tell if every kind of process was there all the time of a silence."""
        return not any(one.start < span.end and one.end > span.start for one in self.away)

    def measure_outage(self, since: float, until: float) -> float:
        """Return the seconds of outages that gave time to a turn whose clock ended at ``since``, as it was last shown:
        they began before ``until`` and ended when the turn was going on."""
        during = [span for span in self.outages if span.start < until and span.end > since - TURN_SECONDS]
        return sum(span.end - span.start for span in during)

    def check_healing(self) -> Iterator[float]:
        """Check that who is connected is shown every version (H3); yield the seconds each took to arrive."""
        views: dict[tuple[str, int], list[Viewed]] = defaultdict(list)
        for view in self.history.viewed:
            views[view.table, view.seat].append(view)
        for line in self.history.connected:
            for row in self.matches[line.table].moves if line.table in self.matches else ():
                if not line.opened <= row.at <= line.closed:
                    continue
                shown = [view.at for view in views[line.table, line.seat] if view.version >= row.version]
                healed = min((at for at in shown if at >= line.opened), default=None)
                if healed is not None and healed <= line.closed:
                    yield max(0.0, healed - row.at)
                limit = row.at + HEAL_SECONDS + self.measure_outage(row.at, row.at + HEAL_SECONDS)
                if line.closed > limit and (healed is None or healed > limit):
                    self.note_late(
                        line.table, f"seat {line.seat} wasn't shown version {row.version} in {HEAL_SECONDS} s"
                    )

    def measure_answers(self) -> Iterator[float]:
        """Yield the seconds from the first sending of each action to its first answer."""
        first: dict[str, float] = {}
        for action in self.history.sent:
            first.setdefault(action.id, action.at)
        for answer in self.history.answered:
            if answer.id in first:
                yield answer.at - first.pop(answer.id)

    def measure_returns(self, *, cut: bool) -> Iterator[float]:
        """Yield the seconds from each connection's end to the next view of that seat (H5): of those that the client
        itself cut, or the others."""
        views: dict[tuple[str, int], list[float]] = defaultdict(list)
        for view in self.history.viewed:
            views[view.table, view.seat].append(view.at)
        for line in self.history.connected:
            after = [at for at in views[line.table, line.seat] if at > line.closed]
            if line.cut == cut and after:
                yield after[0] - line.closed

    def measure_corrections(self) -> Iterator[float]:
        """Yield the seconds from the end of an outage to each view that only gave a turn its time back."""
        shown: dict[tuple[str, int, int], Viewed] = {}
        for view in self.history.viewed:
            before = shown.get((view.table, view.seat, view.connection))
            shown[view.table, view.seat, view.connection] = view
            if before is None or before.version != view.version or before.ends is None or view.ends is None:
                continue
            over = [span.end for span in self.outages if before.at < span.end <= view.at]
            if view.ends - before.ends > CLOCK_MOVED_SECONDS and over:
                yield view.at - max(over)


def list_act(match: MatchRows, row: MoveRow) -> list[MoveRow]:
    """Return what was made in one stroke with ``row``, its last: the calls that went with a card or followed it."""
    before = [other.version for other in match.moves if other.client_id and other.version < row.version]
    return [other for other in match.moves if max(before, default=-1) < other.version <= row.version]


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Return the same time as spans that don't overlap, in order."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return merged


def measure_hundredths(values: Sequence[float]) -> dict[str, float]:
    """Return p50, p95, p99 and the largest of some seconds; nothing of none."""
    if not values:
        return {}
    ordered = sorted(values)
    parts = {"p50": 0.50, "p95": 0.95, "p99": 0.99, "max": 1.0}
    return {name: ordered[min(len(ordered) - 1, int(part * len(ordered)))] for name, part in parts.items()}
