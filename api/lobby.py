"""The lobby for programs: who is here, and seeks, which keys that play begin, keep, join and end."""

from typing import Any

from django.utils import timezone
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.answers import list_codes
from api.company import CompanionSerializer
from api.refusals import make_refusal
from games.lobby import seek_queries, seeks
from games.lobby.actions import LobbyRefused
from games.lobby.kinds import OPTION_SETS, SEATS, SPEEDS, USUAL, SeekKind
from games.models import Match, Seek
from games.rules import RULESETS
from games.wording import describe_lobby_refusal
from players.api.api_view import ApiView, Scope
from players.api.bodies import StrictSerializer
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.models import Player
from players.selectors import find_by_name
from tournaments.tonight import queries
from tournaments.tonight.duties import list_unplayed_tournaments
from tournaments.tonight.forms import MAX_LEVEL

SETS = tuple(dict.fromkeys(name for sets in OPTION_SETS.values() for name in sets))


class SeekSerializer(serializers.Serializer[queries.SeekRow]):
    id = serializers.IntegerField(source="seek.pk")
    player = serializers.CharField(
        source="who.public_id", default=None, help_text="its public id; null: they hide that they are here"
    )
    name = serializers.CharField(source="who.name", default=None, help_text="null: they hide that they are here")
    ruleset = serializers.ChoiceField(list_codes(RULESETS), source="kind.ruleset")
    option_set = serializers.ChoiceField(list_codes(SETS), source="kind.option_set")
    form = serializers.ChoiceField(list_codes(SEATS), source="kind.form")
    speed = serializers.ChoiceField(list_codes(SPEEDS), source="kind.speed")
    level = serializers.IntegerField(
        source="level.value", default=None, allow_null=True, help_text="null: none yet, or hidden"
    )
    uncertain = serializers.BooleanField(
        source="level.uncertain", default=False, help_text="of the level: shown with a question mark"
    )
    lowest = serializers.IntegerField(source="seek.lowest", allow_null=True)
    highest = serializers.IntegerField(source="seek.highest", allow_null=True)
    seconds = serializers.IntegerField(help_text="since it began")
    mine = serializers.BooleanField()
    asks = serializers.BooleanField(help_text="it names you as partner")
    fits = serializers.BooleanField(help_text="you may join it")


class OwnSeekSerializer(serializers.Serializer[Any]):
    """Own seek, or the match that it opened."""

    id = serializers.IntegerField(source="seek.pk", default=None, allow_null=True)
    missing = serializers.IntegerField(default=None, allow_null=True, help_text="people at the table")
    rivals = serializers.IntegerField(default=None, allow_null=True, help_text="others who seek the very same")
    waiting = serializers.IntegerField(default=None, allow_null=True, help_text="others who seek anything")
    admitted = serializers.IntegerField(default=None, allow_null=True, help_text="difference of levels, by now")
    partner_missing = serializers.BooleanField(default=False)
    house_offered = serializers.BooleanField(default=False)
    match = serializers.CharField(default=None, allow_null=True, help_text="public id of the table that opened")


class LobbyGameSerializer(serializers.Serializer[queries.LobbyGame]):
    ruleset = serializers.ChoiceField(list_codes(RULESETS))
    playing = serializers.IntegerField(help_text="people at its tables")
    seeks = SeekSerializer(many=True)
    tables = serializers.SerializerMethodField(help_text="public ids of free tables that wait")
    watch = serializers.SerializerMethodField(help_text="public ids of tables to watch, the strongest first")
    tournaments = serializers.SerializerMethodField(help_text="public ids of those that begin within the hour")

    def get_tables(self, game: queries.LobbyGame) -> list[str]:
        return [waiting.table.public_id for waiting in game.tables]

    def get_watch(self, game: queries.LobbyGame) -> list[str]:
        return [table.match.public_id for table in game.watched]

    def get_tournaments(self, game: queries.LobbyGame) -> list[str]:
        return [tournament.public_id for tournament in game.tournaments]


class LobbySerializer(serializers.Serializer[queries.LobbyPage]):
    here = CompanionSerializer(many=True, help_text="those who show that they are here")
    here_count = serializers.IntegerField(allow_null=True, help_text="null: nobody knows")
    seeking = serializers.IntegerField()
    own = OwnSeekSerializer(allow_null=True)
    games = LobbyGameSerializer(many=True)


class SeekBody(StrictSerializer):
    ruleset = serializers.ChoiceField(list_codes(RULESETS))
    option_set = serializers.ChoiceField(list_codes(SETS), required=False, default=USUAL)
    form = serializers.ChoiceField(list_codes(SEATS), required=False, default="alone")
    speed = serializers.ChoiceField(list_codes(SPEEDS), required=False, default="normale")
    partner = serializers.CharField(required=False, max_length=64, help_text="in pairs: a name")
    lowest = serializers.IntegerField(required=False, min_value=0, max_value=MAX_LEVEL)
    highest = serializers.IntegerField(required=False, min_value=0, max_value=MAX_LEVEL)
    house = serializers.BooleanField(required=False, default=False, help_text="with the house where nobody comes")
    confirm = serializers.BooleanField(
        required=False, default=False, help_text="though fixtures without hours are to be played"
    )


class JoinSeekBody(StrictSerializer):
    confirm = serializers.BooleanField(
        required=False, default=False, help_text="though fixtures without hours are to be played"
    )


class LobbyView(ApiView):
    """View of the lobby, whose services refuse by codes."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, LobbyRefused):
            values = {"wait": exc.wait} if exc.wait else {}
            exc = make_refusal(exc.code, values, describe_lobby_refusal(exc.code, exc.wait))
        return super().handle_exception(exc)


class LobbyViewSet(LobbyView, GenericViewSet[Seek]):
    """The lobby, by game."""

    queryset = Seek.objects.none()
    pagination_class = None

    @extend_schema(responses=forced_singular_serializer(LobbySerializer), operation_id="lobby_read")
    def list(self, request: Request) -> Response:
        """Return who is here, seeks, free tables, tables to watch, tournaments within the hour."""
        return Response(LobbySerializer(queries.read_lobby(self.read_player(), timezone.now())).data)


class SeekViewSet(LobbyView, GenericViewSet[Seek]):
    """Seeks (B2). One ends 20 s after the last heartbeat, where no page of its person is open."""

    queryset = Seek.objects.none()
    pagination_class = None
    lookup_field = "seek"
    lookup_value_regex = r"\d{1,18}"

    @extend_schema(responses=SeekSerializer(many=True))
    def list(self, request: Request) -> Response:
        """List everybody's, the longest waiting first in each game."""
        page = queries.read_lobby(self.read_player(), timezone.now())
        rows: Any = [row for game in page.games for row in game.seeks]
        return Response(SeekSerializer(rows, many=True).data)

    @serve(scope=Scope.PLAY, body=SeekBody, answer=OwnSeekSerializer, status=201)
    def create(self, write: Write) -> Any:
        """Seek a match, in the place of what was sought before."""
        data = write.data
        _require_confirmation(write)
        kind = SeekKind(data["ruleset"], data["option_set"], data["form"], data["speed"])
        partner = _find_partner(data.get("partner"))
        levels = {name: data.get(name) for name in ("lowest", "highest")}
        seeks.seek_match(player=write.player, kind=kind, partner=partner, house=data["house"], now=write.now, **levels)
        return _answer(write, None)

    @serve(path="join", scope=Scope.PLAY, body=JoinSeekBody, answer=OwnSeekSerializer)
    def join(self, write: Write, seek: str) -> Any:
        """Seek the very match that somebody else seeks, with them where it fits."""
        _require_confirmation(write)
        return _answer(write, seeks.join_seek(player=write.player, seek_id=int(seek), now=write.now))

    @serve(path="heartbeat", scope=Scope.PLAY, answer=OwnSeekSerializer, detail=False)
    def heartbeat(self, write: Write) -> Any:
        """Say that you are still there."""
        seeks.hear_of([write.player.pk], write.now)
        return _answer(write, None)

    @serve(path="house", scope=Scope.PLAY, answer=OwnSeekSerializer, detail=False)
    def take_house(self, write: Write) -> Any:
        """Sit down with the house, which is offered after 15 s (B4)."""
        return _answer(write, seeks.play_with_house(player=write.player, now=write.now))

    @serve(path="end", scope=Scope.PLAY, detail=False)
    def end(self, write: Write) -> None:
        """Seek no more."""
        if not seeks.end_seek(player=write.player):
            raise LobbyRefused("not_seeking")


def _find_partner(name: str | None) -> Player | None:
    partner = find_by_name(name) if name else None
    if name and partner is None:
        raise LobbyRefused("no_such_partner")
    return partner


def _require_confirmation(write: Write) -> None:
    """Refuse who has fixtures to play without hours, and didn't say that they seek all the same (B2)."""
    if write.data["confirm"]:
        return
    unplayed = list_unplayed_tournaments(write.player)
    if unplayed:
        detail = describe_lobby_refusal("to_confirm")
        raise ApiRefusal(409, "to_confirm", detail, tournaments=[one.public_id for one in unplayed])


def _answer(write: Write, match: Match | None) -> Any:
    """Return the own seek as it stands, or the match that it opened."""
    if match is not None:
        return {"match": match.public_id}
    own = seek_queries.describe_own_seek(write.player, seek_queries.list_seeks_for(write.player), write.now)
    if own is None:
        raise LobbyRefused("not_seeking")
    return own
