"""The log of a tournament for programs (E2, F3): what was done, when, by whom, and why; as codes, never as words.

It says what the tournament's page says, and of whom that says nothing, neither does it.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rest_framework import serializers

from api.answers import GameSerializer, build_pair_field, build_side_field
from tournaments.core.log_details import (
    ActDetail,
    CancellationDetail,
    ClocksActDetail,
    CommitmentDetail,
    CountDetail,
    DrawDetail,
    DrawnPartners,
    EntriesDetail,
    LogDetail,
    LoggedResult,
    NameClaimDetail,
    PlayOffDetail,
    PrizeDetail,
    ResultActDetail,
    RoundClockDetail,
    RoundDetail,
    RoundHourDetail,
    RoundWayDetail,
    TimeActDetail,
    read_detail,
)
from tournaments.models import LogEntry


class ResultSerializer(serializers.Serializer[LoggedResult]):
    """Result of a fixture as it stood when a referee acted."""

    over = serializers.BooleanField()
    playing = serializers.BooleanField()
    annulled = serializers.BooleanField()
    points = build_pair_field(source="result.points", help_text="of several games those won")
    games = GameSerializer(source="result.games", many=True, help_text="each of several, where they were written")
    mp = build_pair_field(source="result.mp")
    vp = build_pair_field(source="result.vp")
    winner = build_side_field("null: nobody", source="result.winner")
    forfeit_by = build_side_field("who forfeited", source="result.forfeit_by")
    double_forfeit = serializers.BooleanField(source="result.double_forfeit")
    decided_by = serializers.CharField(source="result.decided_by")


class DrawnPartnersSerializer(serializers.Serializer[DrawnPartners]):
    """Pairs that were drawn of people who entered alone, in numbers of the list in which they stood, from 1."""

    pairs = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    out = serializers.IntegerField(help_text="who stayed out; 0: nobody")
    entered = serializers.ListField(child=serializers.IntegerField(), help_text="everybody, as they entered")
    strengths = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="the place of each by strength; null: without one"
    )
    sides = serializers.ListField(child=serializers.CharField(), help_text="the list of each, A or B")
    tied = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="those who came as a pair and stayed one",
    )


class LotsSerializer(serializers.Serializer[DrawDetail]):
    """Origin of the lots (J3a): the commitment, and once they are drawn all it takes to draw them again."""

    scope = serializers.CharField()
    commitment = serializers.CharField()
    secret = serializers.CharField(help_text="empty before the draw, and where it was lost")
    lot = serializers.CharField()
    number = serializers.IntegerField(help_text="of the draw, from 1; 0 before it")
    numbers = serializers.ListField(
        child=serializers.IntegerField(), help_text="the number that each seed's entry had in the list, from 1"
    )
    swapped = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="those that changed places by hand afterwards, by the same numbers",
    )
    clubs = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="of each entry of the list, where clubs are kept apart: by numbers that mean nothing else",
    )
    parted = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="those that changed places for that, before any by hand, by their numbers in the list",
    )
    of_one_club = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="how many pairs of the first round, or of the groups, were of one club before and after; else empty",
    )
    partners = DrawnPartnersSerializer(
        allow_null=True, help_text="the pairs, where they were drawn: `numbers` are those of the pairs, in their order"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """Entry of the log as programs read it; None where its code has nothing to say there."""

    id: int
    at: datetime
    code: str
    by: str
    reason: str | None = None
    round: int | None = None
    fixture: str | None = None
    entries: tuple[int, ...] = ()
    way: str | None = None
    count: int | None = None
    minutes: int | None = None
    wave: int | None = None
    table: int | None = None
    play_off: int | None = None
    before: LoggedResult | None = None
    after: LoggedResult | None = None
    lots: DrawDetail | None = None


class LogRowSerializer(serializers.Serializer[LogRow]):
    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    code = serializers.CharField()
    by = serializers.CharField(help_text="the name of whoever acted; empty: the site")
    reason = serializers.CharField(allow_null=True)
    round = serializers.IntegerField(allow_null=True)
    fixture = serializers.CharField(allow_null=True, help_text="by round and board, `2-5`")
    entries = serializers.ListField(child=serializers.IntegerField(), help_text="the ids of those it is about")
    way = serializers.CharField(allow_null=True, help_text="of a round that can't be paired: bye, rematch or end")
    count = serializers.IntegerField(allow_null=True)
    minutes = serializers.IntegerField(allow_null=True)
    wave = serializers.IntegerField(allow_null=True)
    table = serializers.IntegerField(allow_null=True, help_text="the number of a real one")
    play_off = serializers.IntegerField(allow_null=True, help_text="the number of the one that it is about")
    before = ResultSerializer(allow_null=True)
    after = ResultSerializer(allow_null=True)
    lots = LotsSerializer(allow_null=True, help_text="of `draw_committed` and `drawn`, where a secret was committed to")


def make_log_row(entry: LogEntry) -> LogRow:
    """Return an entry with what everybody may read of its details."""
    detail = read_detail(entry, LogDetail)
    more: dict[str, Any] = {}
    if isinstance(detail, ActDetail):
        place = detail.place
        own = (detail.entry,) if place is None else (place.first, place.second)
        more = {"reason": detail.reason, "entries": tuple(pk for pk in own if pk is not None)}
        if place is not None:
            more |= {"round": place.round, "fixture": f"{place.round}-{place.board}"}
    if isinstance(detail, ResultActDetail):
        more |= {"before": detail.before, "after": detail.after}
    elif isinstance(detail, CountDetail | ClocksActDetail):
        more |= {"count": detail.count}
    elif isinstance(detail, TimeActDetail):
        more |= {"minutes": detail.minutes}
    elif isinstance(detail, EntriesDetail):
        more = {"entries": detail.entries, "round": detail.round}
    elif isinstance(detail, RoundDetail):
        more = {"entries": tuple(pk for pair in detail.swaps for pk in pair), "round": detail.round[1]}
    elif isinstance(detail, RoundWayDetail):
        more = {"round": detail.round[1], "way": detail.way, "reason": detail.reason}
    elif isinstance(detail, RoundHourDetail):
        more = {"round": detail.round[1]}
    elif isinstance(detail, RoundClockDetail):
        more = {"round": detail.round[1], "wave": detail.wave, "minutes": detail.minutes, "table": detail.table}
    elif isinstance(detail, CommitmentDetail):
        more = {"lots": DrawDetail(order=(), lot="", scope=detail.scope, commitment=detail.commitment)}
    elif isinstance(detail, DrawDetail):
        more = {"entries": detail.order, "lots": detail if detail.commitment else None}
    elif isinstance(detail, PrizeDetail):
        more = {"reason": detail.reason, "entries": () if detail.entry is None else (detail.entry,)}
    elif isinstance(detail, PlayOffDetail):
        more = {name: getattr(detail, name) for name in ("reason", "entries", "before", "after")}
        more |= {"play_off": detail.number}
    elif isinstance(detail, CancellationDetail | NameClaimDetail):
        more = {"reason": detail.reason}
    return LogRow(id=entry.pk, at=entry.at, code=entry.code, by=entry.actor_name, **more)
