"""Training of the owner of a key (B7): begun, listed, and read with its record. No key plays a card, nor asks for
hints."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.answers import LENGTH_KINDS, list_codes
from api.refusals import make_refusal
from api.settings_body import MAX_SMALL, OptionsField, list_numbers
from games.engine.game import Length
from games.engine.record import Json
from games.forms import MATCH_CLOCKS, TURN_TIMEOUTS
from games.lobby.actions import LobbyRefused, SetupRefused
from games.models import Match, Strength
from games.rules import RULESETS
from games.selectors import build_record, list_card_points
from games.training.actions import begin_training
from games.training.queries import find_training, list_training
from games.wording import describe_lobby_refusal, describe_setup_fault
from players.api.api_view import ApiView, Scope, require_scope
from players.api.bodies import StrictSerializer
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.converters import PUBLIC_ID


class TrainingSerializer(serializers.ModelSerializer[Match]):
    points = serializers.SerializerMethodField()
    cards = serializers.SerializerMethodField(help_text="card points, where the score counts deals; else null")

    class Meta:
        model = Match
        fields: tuple[str, ...] = (
            "public_id", "status", "ruleset", "players", "length_kind", "length_value", "options", "turn_timeout",
            "match_clock", "opened_at", "finished_at", "points", "cards", "winner", "decided_by",
        )  # fmt: skip
        read_only_fields = fields
        extra_kwargs = {"decided_by": {"help_text": "a code; set_aside: it has no result"}}

    def get_points(self, match: Match) -> list[int]:
        return [match.score_0, match.score_1]

    def get_cards(self, match: Match) -> list[int] | None:
        cards = self.context.get("cards", {}).get(match.pk)
        return None if cards is None else list(cards)


class TrainingRecordSerializer(TrainingSerializer):
    record = serializers.SerializerMethodField(help_text="the record of its final line; null while it is played")

    class Meta(TrainingSerializer.Meta):
        fields = (*TrainingSerializer.Meta.fields, "record")
        read_only_fields = fields

    def get_record(self, match: Match) -> Json | None:
        return build_record(match)


class TrainingBody(StrictSerializer):
    ruleset = serializers.ChoiceField(list_codes(RULESETS))
    players = serializers.ChoiceField(list_numbers((2, 3, 4)))
    length_kind = serializers.ChoiceField(LENGTH_KINDS)
    length_value = serializers.IntegerField(min_value=1, max_value=MAX_SMALL)
    options = OptionsField(required=False, default=dict)
    turn_timeout = serializers.ChoiceField(list_numbers(TURN_TIMEOUTS), allow_null=True, required=False, default=None)
    match_clock = serializers.ChoiceField(list_numbers(MATCH_CLOCKS), allow_null=True, required=False, default=None)
    strength = serializers.ChoiceField(list_codes(Strength.values), required=False, default=Strength.CLUB.value)


class TrainingViewSet(ApiView, GenericViewSet[Match]):
    """The owner's matches of training against the house."""

    queryset = Match.objects.none()
    pagination_class = None
    lookup_field = "training"
    lookup_value_regex = PUBLIC_ID

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, LobbyRefused):
            values = {"wait": exc.wait} if exc.wait else {}
            exc = make_refusal(exc.code, values, describe_lobby_refusal(exc.code, exc.wait))
        elif isinstance(exc, SetupRefused):
            fault = exc.fault
            exc = ApiRefusal(409, "setup_refused", describe_setup_fault(fault.about, fault.code, fault.allowed))
        return super().handle_exception(exc)

    @extend_schema(responses=TrainingSerializer(many=True))
    def list(self, request: Request) -> Response:
        """The latest ones, the newest first (scope *play*)."""
        matches = list_training(self._require_player(request))
        return Response(TrainingSerializer(matches, many=True, context={"cards": list_card_points(matches)}).data)

    @extend_schema(responses=TrainingRecordSerializer)
    def retrieve(self, request: Request, training: str) -> Response:
        """One with its record (scope *play*)."""
        match = find_training(training, self._require_player(request))
        if match is None:
            raise Http404
        return Response(TrainingRecordSerializer(match, context={"cards": list_card_points([match])}).data)

    @serve(scope=Scope.PLAY, body=TrainingBody, answer=TrainingSerializer, status=201)
    def create(self, write: Write) -> Match:
        """Begin one; another that runs is set aside. It is played at its table."""
        data = dict(write.data)
        length = Length(data.pop("length_kind"), data.pop("length_value"))
        return begin_training(player=write.player, length=length, now=write.now, **data)

    def _require_player(self, request: Request) -> Any:
        require_scope(request, Scope.PLAY)
        player = self.read_player()
        if player is None:
            raise Http404
        return player
