"""Claims of accounts to be somebody who was entered by name (O2), for programs: read and answer (scope *organise*)."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import find_private
from api.acts import find_organised
from api.answers import build_page, list_codes
from api.refusals import RefusingView
from players.api.api_view import Scope
from players.api.bodies import PageFilters, StrictSerializer, answer_page, cut_rows
from players.api.writes import Write, serve
from tournaments.core.reasons import MAX_REASON_CHARACTERS
from tournaments.models import NameClaim
from tournaments.own_names.claims import answer_claim


class NameClaimSerializer(serializers.ModelSerializer[NameClaim]):
    player = serializers.CharField(source="player.public_id", help_text="the account's public id")
    account = serializers.CharField(source="player.name", help_text="the account's name")
    name = serializers.CharField(source="person.name", help_text="who the account says to be")
    state = serializers.ChoiceField(list_codes(NameClaim.State.values))

    class Meta:
        model = NameClaim
        fields = ("id", "player", "account", "name", "state", "asked_at", "answered_at", "reason")
        read_only_fields = fields


class NameClaimAnswerBody(StrictSerializer):
    accept = serializers.BooleanField(help_text="false also ends a claim that was accepted")
    reason = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=MAX_REASON_CHARACTERS,
        help_text="public; a no needs one",
    )


class NameClaimViewSet(RefusingView, GenericViewSet[NameClaim]):
    """Claims of one tournament, for whoever runs it."""

    queryset = NameClaim.objects.none()
    pagination_class = None
    lookup_field = "claim"
    lookup_value_regex = r"[0-9]{1,15}"
    filters = {"list": PageFilters}

    @extend_schema(parameters=[PageFilters], responses=build_page(NameClaimSerializer))
    def list(self, request: Request, public_id: str) -> Response:
        """All claims, the newest first (scope *organise*)."""
        tournament, _player = find_private(request, public_id)
        page, key = cut_rows(tournament.name_claims.with_people().order_by(), self.query)
        return answer_page(request, NameClaimSerializer, page, key)

    @serve(path="answer", scope=Scope.ORGANISE, body=NameClaimAnswerBody, answer=NameClaimSerializer)
    def answer(self, write: Write, public_id: str, claim: str) -> NameClaim:
        """Say yes or no to a claim."""
        tournament = find_organised(write, public_id)
        answer_claim(
            tournament_id=tournament.pk,
            by=write.player,
            claim_id=int(claim),
            yes=write.data["accept"],
            reason=write.data["reason"],
            now=write.now,
        )
        return tournament.name_claims.with_people().get(pk=int(claim))
