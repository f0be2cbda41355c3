"""A round at real tables for programs (scope *organise*): the roll call, the round clocks, the last entry taken back.

Each write calls the service of the desk's page.
"""

from typing import Any

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from api.access import find_private, find_tournament
from api.acts import find_organised
from api.fixtures import StampedFixtureSerializer
from api.log import ResultSerializer
from api.organise import OptionalReasonBody, make_act
from api.refusals import RefusingView
from players.api.api_view import Scope
from players.api.bodies import StrictSerializer
from players.api.writes import Write, serve
from tournaments.core import reads, rows
from tournaments.core.errors import TournamentError
from tournaments.core.log_details import ResultActDetail, read_detail
from tournaments.core.permissions import may_referee
from tournaments.desk import undo
from tournaments.entries import checkin
from tournaments.entries.fixed_tables import MAX_TABLES
from tournaments.models import Fixture, LogEntry, Tournament
from tournaments.running import round_clocks
from tournaments.running.round_clocks import MAX_MORE_MINUTES, ClockRow


class TickedSerializer(serializers.Serializer[int]):
    entries = serializers.IntegerField(source="*", help_text="how many entries it was about")


class LastEntrySerializer(serializers.Serializer[undo.LastEntry]):
    id = serializers.IntegerField(source="log_id", help_text="of its entry in the log")
    fixture = serializers.SerializerMethodField(help_text="by round and board, `2-5`")
    before = ResultSerializer(source="entered.before")
    after = ResultSerializer(source="entered.after")

    def get_fixture(self, last: undo.LastEntry) -> str:
        place = last.entered.place
        assert place is not None
        return f"{place.round}-{place.board}"


class UndoBody(OptionalReasonBody):
    entry = serializers.IntegerField(min_value=1, max_value=2**31 - 1, help_text="its id, as it was read")


class HallActs:
    """Acts at real tables, mixed into the view of tournaments."""

    @serve(path="roll-call", scope=Scope.ORGANISE, answer=TickedSerializer)
    def call_roll(self, write: Write, public_id: str) -> int:
        """Say at once that everybody who isn't ticked yet is present."""
        tournament = find_organised(write, public_id)
        return checkin.check_in_everybody(tournament_id=tournament.pk, by=write.player, now=write.now)

    @serve(path="roll-call/undo", scope=Scope.ORGANISE, answer=TickedSerializer)
    def undo_roll_call(self, write: Write, public_id: str) -> int:
        """Take the last touch of the roll call back."""
        tournament = find_organised(write, public_id)
        return checkin.undo_roll_call(tournament_id=tournament.pk, by=write.player, now=write.now)

    @extend_schema(responses=LastEntrySerializer)
    @action(detail=True, url_path="last-entry")
    def last_entry(self, request: Request, public_id: str) -> Response:
        """The last result that the key's owner has entered, as long as it can be taken back."""
        last = undo.read_last_entry(*find_private(request, public_id, may_referee))
        if last is None:
            raise Http404
        return Response(LastEntrySerializer(last).data)

    @serve(path="last-entry/undo", scope=Scope.ORGANISE, body=UndoBody, answer=StampedFixtureSerializer)
    def undo_last_entry(self, write: Write, public_id: str) -> rows.FixtureRow:
        """Take the last entry of a result back; with a reason where it had one."""
        tournament = find_organised(write, public_id)
        undo.undo_entry(tournament_id=tournament.pk, entry_id=write.data["entry"], act=make_act(write))
        place = read_detail(LogEntry.objects.get(pk=write.data["entry"]), ResultActDetail).place
        assert place is not None  # what was taken back is a result
        return reads.read_fixture_row(Fixture.objects.select_related("round", "match").get(pk=place.fixture), None)


class MoreTimeSerializer(serializers.Serializer[Any]):
    table = serializers.IntegerField()
    minutes = serializers.IntegerField()


class ClockSerializer(serializers.Serializer[ClockRow]):
    round = serializers.IntegerField(source="number")
    wave = serializers.IntegerField()
    board = serializers.IntegerField(help_text="of the fixture that has it for itself, in a KO; 0: the wave's")
    state = serializers.SerializerMethodField(help_text="waiting, running, held or over")
    ends_at = serializers.DateTimeField(allow_null=True, help_text="null before its start, and while it is held")
    seconds_left = serializers.SerializerMethodField(help_text="while it is held; otherwise null")
    more = serializers.SerializerMethodField(help_text="tables with minutes of their own")

    def get_state(self, row: ClockRow) -> str:
        if row.ends_at is None:
            return "waiting"
        return "over" if row.over else "running" if row.held is None else "held"

    def get_seconds_left(self, row: ClockRow) -> int | None:
        return None if row.held is None else int(row.held.total_seconds())

    def get_more(self, row: ClockRow) -> list[dict[str, int]]:
        return [{"table": table, "minutes": minutes} for table, minutes in row.more]

    get_more.__annotations__["return"] = MoreTimeSerializer(many=True)

    def to_representation(self, row: ClockRow) -> Any:
        fields = super().to_representation(row)
        return fields if row.held is None else {**fields, "ends_at": None}


class MoreTimeBody(StrictSerializer):
    minutes = serializers.IntegerField(min_value=1, max_value=MAX_MORE_MINUTES)
    table = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MAX_TABLES, help_text="null: all of them"
    )


class ClockViewSet(RefusingView, ViewSet):
    """Clocks of the waves that are being played at real tables; each by its round and wave, ``2-1``, and by its board
    where a fixture has it for itself, ``2-1-3``."""

    lookup_field = "clock"
    lookup_value_regex = r"[0-9]{1,4}-[0-9]{1,4}(?:-[0-9]{1,4})?"

    @extend_schema(responses=ClockSerializer(many=True))
    def list(self, request: Request, public_id: str) -> Response:
        """The clocks of the waves that are being played; none where rounds have no clock."""
        clocks: Any = round_clocks.read_clocks(find_tournament(request, public_id), timezone.now())
        return Response(ClockSerializer(clocks, many=True).data)

    @serve(path="start", scope=Scope.ORGANISE, answer=ClockSerializer)
    def start(self, write: Write, public_id: str, clock: str) -> ClockRow:
        """Start the clock of a wave."""
        return self._change(write, public_id, clock, round_clocks.start_clock)

    @serve(path="pause", scope=Scope.ORGANISE, answer=ClockSerializer)
    def pause(self, write: Write, public_id: str, clock: str) -> ClockRow:
        """Hold it."""
        return self._change(write, public_id, clock, round_clocks.pause_clock)

    @serve(path="resume", scope=Scope.ORGANISE, answer=ClockSerializer)
    def resume(self, write: Write, public_id: str, clock: str) -> ClockRow:
        """Let it run on."""
        return self._change(write, public_id, clock, round_clocks.resume_clock)

    @serve(path="extend", scope=Scope.ORGANISE, body=MoreTimeBody, answer=ClockSerializer)
    def extend(self, write: Write, public_id: str, clock: str) -> ClockRow:
        """Give more time to the wave, or to one of its tables."""
        more = {"minutes": write.data["minutes"], "table": write.data.get("table")}
        return self._change(write, public_id, clock, round_clocks.give_more, **more)

    def _change(self, write: Write, public_id: str, clock: str, service: Any, **values: Any) -> ClockRow:
        """Call a service about a clock, and return the clock."""
        tournament = find_organised(write, public_id)
        place = round_clocks.ClockPlace.parse(clock)
        if place is None:
            raise TournamentError("no_clock")
        service(tournament_id=tournament.pk, place=place, by=write.player, now=write.now, **values)
        tournament = Tournament.objects.get(pk=tournament.pk)
        rows_ = round_clocks.read_clocks(tournament, write.now)
        row = next((row for row in rows_ if row.place == place), None)
        if row is None:
            raise TournamentError("no_clock")
        return row
