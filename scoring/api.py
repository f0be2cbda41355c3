"""Finished matches for programs: the result by record-format.md, MP and VP included. A running match isn't there.

``register(router)`` adds it to the site's API.
"""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import SimpleRouter
from rest_framework.viewsets import GenericViewSet

from games import selectors as tables
from games.models import Match
from scoring import selectors


def _pair(*, allow_null: bool = False) -> serializers.ListField:
    return serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2, allow_null=allow_null)


class MatchSerializer(serializers.Serializer[Match]):
    """One value a line, line 0 first."""

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
    score = _pair()
    winner = serializers.IntegerField(allow_null=True, help_text="the line; null in a draw and if nobody came")
    decided_by = serializers.CharField()
    margin = serializers.IntegerField(allow_null=True)
    offender = serializers.IntegerField(allow_null=True, help_text="the line that forfeited")
    both_forfeited = serializers.BooleanField()
    mp = _pair(allow_null=True)
    vp = _pair(allow_null=True)
    record = serializers.JSONField(help_text="the match record, card by card")


class MatchViewSet(GenericViewSet[Match]):
    """A finished match: its result and its record."""

    serializer_class = MatchSerializer
    queryset = Match.objects.filter(status=Match.Status.FINISHED)
    lookup_field = "public_id"
    lookup_value_regex = "[0-9a-z]{1,12}"

    @extend_schema(responses=MatchSerializer)
    def retrieve(self, request: Request, public_id: str) -> Response:
        match = self.get_queryset().filter(public_id=public_id).first()
        if match is None:
            raise Http404
        worth = selectors.worth_of(match)
        plain = ("public_id", "title", "ruleset", "length_kind", "length_value", "context", "finished_at")
        result = ("winner", "decided_by", "margin", "offender", "both_forfeited")
        data = {
            **{name: getattr(match, name) for name in (*plain, *result)},
            "players": [seat.player.name for seat in match.seats.select_related("player")],
            "score": [match.score_0, match.score_1],
            "mp": worth and worth.mp,
            "vp": worth and worth.vp,
            "record": tables.record(match),
        }
        return Response(self.get_serializer(data).data)


def register(router: SimpleRouter) -> None:
    """Add /matches/ to the site's API router."""
    router.register("matches", MatchViewSet, basename="match")
