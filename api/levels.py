"""Skill levels of a person for programs, with their history, as far as the person shows them (L1, L5)."""

from datetime import datetime

from django.http import Http404
from django.utils import timezone
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from api.answers import list_codes
from games.engine.record import Json
from games.levels import BANDS, LOWEST_BAND
from games.rules import RULESETS
from players.api.api_view import ApiView
from players.models import Player
from players.selectors import may_see
from scoring.levels import LevelHistory, LevelPoint, find_progress, list_level_history
from scoring.models import LevelForm

BAND_CODES = (LOWEST_BAND, *(code for _least, code in BANDS))


class LevelPointSerializer(serializers.Serializer[LevelPoint]):
    at = serializers.DateTimeField(help_text="when the match finished")
    match = serializers.SerializerMethodField(help_text="its public id; null where the person hides their matches")
    share = serializers.SerializerMethodField(
        help_text="of the VP, from 0 to 1, as this level took it; null where the person hides their matches"
    )
    value = serializers.IntegerField(source="level.value")
    uncertain = serializers.BooleanField(source="level.uncertain")

    def get_match(self, point: LevelPoint) -> str | None:
        return point.public_id if self.context["history"] else None

    def get_share(self, point: LevelPoint) -> float | None:
        return point.share if self.context["history"] else None


class LevelSerializer(serializers.Serializer[LevelHistory]):
    ruleset = serializers.ChoiceField(list_codes(RULESETS))
    form = serializers.ChoiceField(list_codes(LevelForm.values))
    value = serializers.IntegerField(source="level.value")
    uncertain = serializers.BooleanField(source="level.uncertain", help_text="shown with a question mark")
    band = serializers.ChoiceField(list_codes(BAND_CODES), source="level.band")
    matches = serializers.IntegerField(help_text="those that count")
    points = LevelPointSerializer(many=True, help_text="the level after each of them, the oldest first")


class LevelsSerializer(serializers.Serializer[Json]):
    recomputing = serializers.IntegerField(
        allow_null=True, help_text="how much of a recomputation is done, in per cent; null: none is under way"
    )
    levels = LevelSerializer(many=True)


class LevelViewSet(ApiView, ViewSet):
    """Levels of a person."""

    @extend_schema(operation_id="people_levels", responses=forced_singular_serializer(LevelsSerializer))
    def list(self, request: Request, person: str) -> Response:
        """The levels of a person, those with the most matches first; 404 where they aren't shown to whoever asks."""
        owner = Player.objects.select_related("user").filter(public_id=person, user__is_active=True).first()
        reader = self.read_player()
        if owner is None or not may_see(owner, reader, "levels"):
            raise Http404
        shown = {"history": may_see(owner, reader, "history")}
        return Response(LevelsSerializer(_describe(owner, timezone.now()), context=shown).data)


def _describe(owner: Player, now: datetime) -> Json:
    return {"recomputing": find_progress(), "levels": list_level_history(owner.pk, now)}
