"""Free tables for programs: listed for everybody; opened, taken and left by keys that play. No key plays a card."""

from datetime import datetime
from typing import Any

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.answers import LENGTH_KINDS, list_codes
from api.refusals import make_refusal
from api.settings_body import MAX_SMALL, OptionsField, list_numbers
from games.engine.game import Length
from games.engine.match import MOST_HANDICAP
from games.forms import MATCH_CLOCKS, TURN_TIMEOUTS
from games.lobby import actions, queries, rematches
from games.lobby.actions import LobbyRefused, SetupRefused
from games.models import FreeTable, Match, Strength
from games.rules import RULESETS
from games.wording import describe_lobby_refusal, describe_setup_fault
from players import caps
from players.api.api_view import ApiView, Scope
from players.api.bodies import StrictSerializer
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.converters import PUBLIC_ID
from players.models import Player

SEATS = (0, 1, 2, 3)


class FreeSeatSerializer(serializers.Serializer[queries.SeatPlace]):
    seat = serializers.IntegerField(source="number")
    side = serializers.IntegerField(source="line", help_text="0 or 1")
    name = serializers.CharField(allow_null=True, help_text="null: it is free")
    guest = serializers.BooleanField()
    morto = serializers.BooleanField(help_text="who sits here plays seat 2 too")
    greatest_loss = serializers.IntegerField(help_text="chips that who sits here can lose at most")


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
    absence = serializers.ChoiceField(list_codes(Match.Absence.values), source="table.absence")
    strength = serializers.ChoiceField(
        list_codes(Strength.values),
        source="table.strength",
        help_text="of the house's players, where they sit or stand in",
    )
    public = serializers.BooleanField(source="table.public", help_text="false: not listed")
    handicap = serializers.ListField(
        child=serializers.IntegerField(),
        source="table.handicap",
        help_text="points that each side starts with; empty: none, and the match counts for levels",
    )
    stake = serializers.IntegerField(source="table.stake", help_text="in play chips; 0: none")
    stake_per = serializers.ChoiceField(
        list_codes(FreeTable.StakePer.values), source="table.stake_per", help_text="stake of the record, or point"
    )
    previous = serializers.CharField(
        source="table.previous.public_id", allow_null=True, default=None, help_text="the table this is the rematch of"
    )
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
    options = OptionsField(required=False, default=dict)
    turn_timeout = serializers.ChoiceField(list_numbers(TURN_TIMEOUTS), allow_null=True, required=False, default=60)
    match_clock = serializers.ChoiceField(list_numbers(MATCH_CLOCKS), allow_null=True, required=False, default=None)
    absence = serializers.ChoiceField(
        list_codes(Match.Absence.values),
        required=False,
        default=Match.Absence.LOSES.value,
        help_text="what becomes of who is absent: house: the house plays for them, and the match counts for no level",
    )
    strength = serializers.ChoiceField(
        list_codes(Strength.values),
        required=False,
        default=Strength.CLUB.value,
        help_text="of the house's players, where they sit or stand in",
    )
    public = serializers.BooleanField(required=False, default=True)
    handicap = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MOST_HANDICAP),
        min_length=2,
        max_length=2,
        required=False,
        default=lambda: [0, 0],
    )
    stake = serializers.IntegerField(min_value=0, max_value=caps.MAX_STAKE, required=False, default=0)
    stake_per = serializers.ChoiceField(
        list_codes(FreeTable.StakePer.values), required=False, default=FreeTable.StakePer.MATCH.value
    )


class FreeSeatBody(StrictSerializer):
    seat = serializers.ChoiceField(list_numbers(SEATS))


class RematchSerializer(serializers.Serializer[rematches.RematchStand]):
    """State of a rematch, as the owner of the key sees it."""

    open = serializers.BooleanField(help_text="it may still be asked for")
    asked = serializers.BooleanField(source="has_asked", help_text="by the owner of the key")
    missing = serializers.ListField(child=serializers.CharField(), help_text="who hasn't asked")
    seconds = serializers.IntegerField(help_text="until nobody may ask any more")
    table = serializers.CharField(source="rematch.public_id", allow_null=True, default=None, help_text="the next one")
    match = serializers.CharField(source="rematch.match.public_id", allow_null=True, default=None)
    won = serializers.ListField(source="evening.won", child=serializers.IntegerField(), help_text="by each side")
    drawn = serializers.IntegerField(source="evening.drawn")


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
        data["handicap"] = tuple(data["handicap"])
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

    @extend_schema(responses=RematchSerializer)
    @action(detail=True)
    def rematch(self, request: Request, table: str) -> Response:
        """State of the rematch of a finished match, and the score of the evening."""
        return Response(RematchSerializer(_read_rematch(_find(table), self.read_player(), timezone.now())).data)

    @serve(method="post", beside=rematch, scope=Scope.PLAY, answer=RematchSerializer)
    def ask_rematch(self, write: Write, table: str) -> rematches.RematchStand:
        """Ask for a rematch within a minute of the end; with the last wish the next table opens."""
        row = _find(table)
        if row.match is None:
            raise LobbyRefused("no_rematch")
        rematches.ask_rematch(match_id=row.match.pk, player=write.player, now=write.now)
        return _read_rematch(row, write.player, write.now)

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


def _read_rematch(table: FreeTable, player: Player | None, now: datetime) -> rematches.RematchStand:
    stand = None if table.match is None else rematches.read_stand(table.match, player, now)
    if stand is None:
        raise Http404
    return stand
