"""Calls to a tournament's desk for programs (F4, O4): from tables on the site and from telephones in a hall; for its
referees alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import find_private
from api.acts import find_organised
from api.answers import GameSerializer, build_pair_field, build_side_field
from api.refusals import RefusingView
from games.models import Report
from players.api.api_view import Scope
from players.api.writes import Write, serve
from players.models import Player
from tournaments.core.permissions import may_referee
from tournaments.desk import referee_calls
from tournaments.desk.queries import read_reports, waits_at_table
from tournaments.hall.phone_results import TypedResult, read_typed
from tournaments.hall.quick_entry import list_calling
from tournaments.models import Fixture, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Call that nobody has seen to. ``id`` is None where telephones call: the fixture's result answers them."""

    id: int | None = None
    code: str
    fixture: str
    table: int | None = None
    match: str | None = None
    by: str = ""
    text: str = ""
    typed: tuple[TypedResult | None, ...] = ()
    at: datetime | None = None


class TypedResultSerializer(serializers.Serializer[TypedResult | None]):
    """Result as one side typed it; all of it null where it typed none."""

    points = build_pair_field(source="decision.points", default=None)
    games = GameSerializer(source="decision.games", many=True, default=None, allow_null=True)
    winner = build_side_field("null: nobody", source="decision.winner", default=None)
    decided_by = serializers.CharField(source="decision.decided_by", default=None, allow_null=True)
    forfeits = serializers.ListField(child=serializers.IntegerField(), default=None, allow_null=True)


class CallSerializer(serializers.Serializer[Call]):
    id = serializers.IntegerField(allow_null=True, help_text="null: of telephones, which the fixture's result answers")
    code = serializers.CharField(help_text="call: from a table on the site; otherwise why telephones call")
    fixture = serializers.CharField(help_text="by round and board, `2-5`")
    table = serializers.IntegerField(allow_null=True, help_text="the number of the real table")
    match = serializers.CharField(allow_null=True, help_text="the public id of the table on the site")
    by = serializers.CharField(help_text="the name of whoever calls, if it is known")
    text = serializers.CharField(help_text="what they wrote")
    typed = TypedResultSerializer(many=True, help_text="by telephones, the first side's and the second's")
    at = serializers.DateTimeField(allow_null=True)


class CallViewSet(RefusingView, GenericViewSet[Report]):
    """Calls to the desk that nobody has seen to."""

    queryset = Report.objects.none()
    pagination_class = None
    lookup_field = "call"
    lookup_value_regex = r"[0-9]{1,15}"

    @extend_schema(responses=CallSerializer(many=True))
    def list(self, request: Request, public_id: str) -> Response:
        """The calls that wait, of tables on the site the latest first."""
        calls = list(_list_calls(*find_private(request, public_id, may_referee)))
        return Response(CallSerializer(calls, many=True).data)  # type: ignore[arg-type]  # many of them

    @serve(path="seen", scope=Scope.ORGANISE)
    def mark_seen(self, write: Write, public_id: str, call: str) -> None:
        """Mark a call as seen: who called is told."""
        tournament = find_organised(write, public_id)
        referee_calls.answer_call(tournament_id=tournament.pk, report_id=int(call), by=write.player, now=write.now)


def _list_calls(tournament: Tournament, player: Player) -> Iterator[Call]:
    reports = [report for report in read_reports(tournament) if waits_at_table(report)]
    fixtures = Fixture.objects.filter(match__in=[report.match_id for report in reports]).select_related("round")
    places = {fixture.match_id: f"{fixture.round.number}-{fixture.board}" for fixture in fixtures}
    for report in reports:
        if report.match_id in places:
            yield Call(
                id=report.pk,
                code=report.reason,
                fixture=places[report.match_id],
                match=report.match.public_id,
                by=report.reporter.name,
                text=report.text,
                at=report.at,
            )
    for row in list_calling(tournament, player) if tournament.venue.types_results else ():
        place = f"{row.fixture.round}-{row.fixture.board}"
        if row.slip is not None:
            typed = tuple(read_typed(row.slip, side) for side in (0, 1))
            yield Call(code=row.slip.called, fixture=place, table=row.fixture.hall_table, typed=typed)
