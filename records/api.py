"""Finished matches for programs: the result by record-format.md, MP and VP included; a running match is 404.
Records checked: replayed card by card, with the result or the place of the fault; nothing is stored.

``register(router)`` adds both to the site's API.
"""

from codecs import BOM_UTF8
from typing import Any

from allauth.core import ratelimit
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import APIException, Throttled
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import SimpleRouter
from rest_framework.viewsets import GenericViewSet, ViewSet

from games import selectors as tables
from games.engine.deciding import DecidingDeal
from games.engine.record import Json
from games.models import Match
from players import caps
from players.api.api_view import ApiView
from players.api.bodies import StrictSerializer
from players.converters import PUBLIC_ID
from players.selectors import player_for
from records import match_narrative, results
from scoring.match_points import compute_match_points

LIMIT = {"replay_record": caps.RECORD_API_RATE}


def _build_pair_field(**about: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2, **about)


class DecidingDealSerializer(serializers.Serializer[DecidingDeal]):
    """The deal that decided a match: with it the winner went ahead for good, or made a victory of another kind."""

    place = serializers.IntegerField(help_text="in the record, from 1")
    number = serializers.IntegerField(help_text="in the match, from 1: void deals left out")
    gain = serializers.IntegerField(help_text="points the winner scored more in it than the other (a perdere: fewer)")


class MatchSerializer(serializers.Serializer[Match]):
    """Match with a list of two values a field, line 0 first."""

    public_id = serializers.CharField()
    title = serializers.CharField()
    ruleset = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField(), help_text="names, seat 0 first")
    length_kind = serializers.ChoiceField(choices=["deals", "points"])
    length_value = serializers.IntegerField()
    context = serializers.ChoiceField(  # type: ignore[assignment]  # DRF takes fields out of the class
        choices=["free", "ko", "round_robin"]
    )
    finished_at = serializers.DateTimeField()
    points = _build_pair_field()
    cards = _build_pair_field(allow_null=True, help_text="card points, where the score counts deals; else null")
    winner = serializers.IntegerField(allow_null=True, help_text="the line; null in a draw and if nobody came")
    decided_by = serializers.CharField(help_text="empty where a referee stopped the match")
    stopped = serializers.BooleanField(help_text="a referee ended it without a result")
    margin = serializers.IntegerField(allow_null=True)
    forfeit_by = serializers.IntegerField(allow_null=True, help_text="the line that forfeited")
    double_forfeit = serializers.BooleanField()
    mp = _build_pair_field(allow_null=True)
    vp = _build_pair_field(allow_null=True)
    deciding_deal = DecidingDealSerializer(allow_null=True, help_text="null in a draw and after a forfeit")
    record = serializers.JSONField(help_text="the match record, card by card")


class MatchViewSet(ApiView, GenericViewSet[Match]):
    """A finished match: its result and its record."""

    serializer_class = MatchSerializer
    queryset = Match.objects.filter(status=Match.Status.FINISHED)
    lookup_field = "public_id"
    lookup_value_regex = PUBLIC_ID

    @extend_schema(responses=MatchSerializer)
    def retrieve(self, request: Request, public_id: str) -> Response:
        match = self.get_queryset().filter(public_id=public_id).first()
        if match is None or tables.is_hidden(match, player_for(request.user)):
            raise Http404
        points = compute_match_points(match)
        plain = ("public_id", "title", "ruleset", "length_kind", "length_value", "context", "finished_at")
        result = ("winner", "decided_by", "margin")
        data = {
            **{name: getattr(match, name) for name in (*plain, *result)},
            "players": [seat.player.name for seat in match.seats.select_related("player")],
            "points": [match.score_0, match.score_1],
            "cards": tables.read_card_points(match),
            "forfeit_by": match.offender,
            "double_forfeit": match.both_forfeited,
            "stopped": match.stopped_at is not None,
            "mp": points and points.mp,
            "vp": points and points.vp,
            "deciding_deal": tables.read_deciding_deal(match),
            "record": tables.build_record(match),
        }
        return Response(self.get_serializer(data).data)


class ReplaySerializer(serializers.Serializer[Json]):
    """The result object of record-format.md; of a faulty record only ok, deal, move, code and error."""

    ok = serializers.BooleanField()
    complete = serializers.BooleanField(required=False)
    deals = serializers.ListField(child=serializers.DictField(), required=False)
    score = serializers.ListField(child=serializers.IntegerField(), required=False)
    winner = serializers.IntegerField(allow_null=True, required=False)
    decided_by = serializers.CharField(allow_null=True, required=False)
    margin = serializers.IntegerField(allow_null=True, required=False)
    mp = _build_pair_field(allow_null=True, required=False)
    vp = _build_pair_field(allow_null=True, required=False)
    stakes = _build_pair_field(required=False)
    deal = serializers.IntegerField(allow_null=True, required=False)
    move = serializers.IntegerField(allow_null=True, required=False)
    code = serializers.CharField(required=False)
    error = serializers.CharField(required=False)
    account = serializers.CharField(required=False, help_text="the match told in words, if asked for")


class ReplayFilters(StrictSerializer):
    explain = serializers.BooleanField(required=False, default=False, help_text="add the match told in words")


class UntouchedBodyParser(BaseParser):
    """The body as bytes, up to the size of a record: the record's own strict reading parses it."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        body: bytes = stream.read(results.MAX_RECORD_BYTES + 1)
        if len(body) > results.MAX_RECORD_BYTES:
            raise TooLarge
        return body.removeprefix(BOM_UTF8)


class TooLarge(APIException):
    status_code = 413
    default_detail = f"A record may have at most {results.MAX_RECORD_BYTES} bytes."
    default_code = "too_large"


class RecordViewSet(ApiView, ViewSet):
    """Match records that anybody sends: replayed, never stored."""

    authentication_classes = []
    filters = {"replay": ReplayFilters}
    parser_classes = [UntouchedBodyParser]

    @extend_schema(
        request=OpenApiTypes.OBJECT,
        responses=ReplaySerializer,
        parameters=[ReplayFilters],
    )
    @action(detail=False, methods=["post"])
    def replay(self, request: Request) -> Response:
        if ratelimit.consume_or_429(request._request, action="replay_record", config=LIMIT) is not None:
            raise Throttled(wait=60)  # seconds: the whole window
        body: Any = request.data
        text = body if isinstance(body, bytes) else b""  # without a body nothing was parsed
        answer = results.replay_text(text)
        if self.query["explain"]:
            answer["account"] = "\n".join(match_narrative.write_lines(match_narrative.narrate_text(text)))
        return Response(answer)


def register(router: SimpleRouter) -> None:
    """Add /matches/ and /records/ to the site's API router."""
    router.register("records", RecordViewSet, basename="record")
    router.register("matches", MatchViewSet, basename="match")
