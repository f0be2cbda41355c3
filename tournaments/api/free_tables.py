"""Free tables for programs: listed for everybody; opened, taken and left by keys that play. No key plays a card."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from games.engine.game import Length
from games.forms import MATCH_CLOCKS, TURN_TIMEOUTS
from games.lobby import actions, queries
from games.lobby.actions import LobbyRefused, SetupRefused
from games.models import FreeTable
from games.rules import RULESETS
from games.wording import describe_lobby_refusal, describe_setup_fault
from players.api.bodies import StrictSerializer
from players.api.problems import ApiRefusal
from players.api.views import ApiView, Scope
from players.api.writes import Write, serve
from players.converters import PUBLIC_ID
from tournaments.api.answers import LENGTH_KINDS, list_codes
from tournaments.api.refusals import make_refusal
from tournaments.api.settings_body import MAX_SMALL, ScalarField, list_numbers

SEATS = (0, 1, 2, 3)


class FreeSeatSerializer(serializers.Serializer[queries.SeatPlace]):
    seat = serializers.IntegerField(source="number")
    side = serializers.IntegerField(source="line", help_text="0 or 1")
    name = serializers.CharField(allow_null=True, help_text="null: it is free")
    guest = serializers.BooleanField()
    morto = serializers.BooleanField(help_text="who sits here plays seat 2 too")


class FreeTableSerializer(serializers.Serializer[queries.WaitingTable]):
    public_id = serializers.CharField(source="table.public_id")
    state = serializers.ChoiceField(list_codes(FreeTable.State.values), source="table.state")
    ruleset = serializers.ChoiceField(list_codes(RULESETS), source="table.ruleset")
    players = serializers.IntegerField(source="table.players")
    length_kind = serializers.ChoiceField(LENGTH_KINDS, source="table.length_kind")
    length_value = serializers.IntegerField(source="table.length_value")
    options = serializers.DictField(source="table.options")
    turn_timeout = serializers.IntegerField(source="table.turn_timeout", allow_null=True)
    match_clock = serializers.IntegerField(source="table.match_clock", allow_null=True)
    public = serializers.BooleanField(source="table.public", help_text="false: not listed")
    opened_at = serializers.DateTimeField(source="table.opened_at")
    match = serializers.CharField(
        source="table.match.public_id", allow_null=True, default=None, help_text="its public id, once it has begun"
    )
    host = serializers.CharField()
    seats = FreeSeatSerializer(source="places", many=True)


class FreeTableBody(StrictSerializer):
    ruleset = serializers.ChoiceField(list_codes(RULESETS))
    players = serializers.ChoiceField(list_numbers((2, 3, 4)))
    length_kind = serializers.ChoiceField(LENGTH_KINDS)
    length_value = serializers.IntegerField(min_value=1, max_value=MAX_SMALL)
    options = serializers.DictField(child=ScalarField(), required=False, default=dict)
    turn_timeout = serializers.ChoiceField(list_numbers(TURN_TIMEOUTS), allow_null=True, required=False, default=60)
    match_clock = serializers.ChoiceField(list_numbers(MATCH_CLOCKS), allow_null=True, required=False, default=None)
    public = serializers.BooleanField(required=False, default=True)


class FreeSeatBody(StrictSerializer):
    seat = serializers.ChoiceField(list_numbers(SEATS))


class FreeTableViewSet(ApiView, GenericViewSet[FreeTable]):
    """Free tables that wait for players."""

    queryset = FreeTable.objects.none()
    pagination_class = None
    lookup_field = "table"
    lookup_value_regex = PUBLIC_ID

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, LobbyRefused):
            values = {"wait": exc.wait} if exc.wait else {}
            exc = make_refusal(exc.code, values, describe_lobby_refusal(exc.code, exc.wait))
        elif isinstance(exc, SetupRefused):
            fault = exc.fault
            exc = ApiRefusal(409, "setup_refused", describe_setup_fault(fault.about, fault.code, fault.allowed))
        return super().handle_exception(exc)

    @extend_schema(responses=FreeTableSerializer(many=True))
    def list(self, request: Request) -> Response:
        """The public ones with a free seat, the fullest first; as many as the front page shows."""
        tables: Any = queries.list_tables(self.read_player())
        return Response(FreeTableSerializer(tables, many=True).data)

    @extend_schema(responses=FreeTableSerializer)
    def retrieve(self, request: Request, table: str) -> Response:
        return Response(FreeTableSerializer(queries.describe_table(_find(table), self.read_player())).data)

    @serve(scope=Scope.PLAY, body=FreeTableBody, answer=FreeTableSerializer, status=201)
    def create(self, write: Write) -> queries.WaitingTable:
        """Set up a table and sit down at it."""
        data = dict(write.data)
        length = Length(data.pop("length_kind"), data.pop("length_value"))
        table = actions.open_table(host=write.player, length=length, now=write.now, **data)
        return queries.describe_table(table, write.player)

    @serve(path="sit", scope=Scope.PLAY, body=FreeSeatBody, answer=FreeTableSerializer)
    def sit(self, write: Write, table: str) -> queries.WaitingTable:
        """Take a free seat, or move to it; with the last one the match begins."""
        row = _find(table)
        actions.sit(table_id=row.pk, player=write.player, seat=write.data["seat"], now=write.now)
        return queries.describe_table(_find(table), write.player)

    @serve(path="leave", scope=Scope.PLAY)
    def leave(self, write: Write, table: str) -> None:
        """Get up before the match begins."""
        actions.leave(table_id=_find(table).pk, player=write.player, now=write.now)

    @serve(path="house", scope=Scope.PLAY, answer=FreeTableSerializer)
    def call_house(self, write: Write, table: str) -> queries.WaitingTable:
        """Give the free seats to the house, as the host: the match begins."""
        if actions.fill(table_id=_find(table).pk, by=write.player, now=write.now) is None:
            raise LobbyRefused("somebody_left")
        return queries.describe_table(_find(table), write.player)


def _find(public_id: str) -> FreeTable:
    table = queries.find_table(public_id)
    if table is None:
        raise Http404
    return table
