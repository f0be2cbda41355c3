"""One's own page for programs: who is shown what of it, fixed pairs, and all own data as one file."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import Http404, StreamingHttpResponse
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from api.answers import list_codes
from api.person_pages import FixedPairSerializer
from api.refusals import RefusingView
from players.api.api_view import Scope, require_scope
from players.api.bodies import StrictSerializer
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.converters import PUBLIC_ID
from players.models import MAX_PAIR_NAME_CHARACTERS, FixedPair, Player, ProfileAudience
from players.selectors import PARTS, Readers, read_audience
from players.services import fixed_pairs
from players.services.audience import choose_audience
from players.services.fixed_pairs import PairRefused
from tournaments.profiles.own_archive import answer_archive
from tournaments.profiles.queries import list_pair_invitations, list_pairs
from tournaments.profiles.wording import describe_pair_refusal


class AudienceSerializer(serializers.ModelSerializer[ProfileAudience]):
    """Readers of each part: everybody, those whom the owner follows, nobody."""

    class Meta:
        model = ProfileAudience
        fields = (*PARTS, "indexed")
        read_only_fields = fields


class AudienceBody(StrictSerializer):
    """Readers of the parts that change; what is left out stays."""

    presence = serializers.ChoiceField(list_codes(Readers.values), required=False)
    levels = serializers.ChoiceField(list_codes(Readers.values), required=False)
    history = serializers.ChoiceField(list_codes(Readers.values), required=False)
    tournaments = serializers.ChoiceField(list_codes(Readers.values), required=False)
    statistics = serializers.ChoiceField(list_codes(Readers.values), required=False)
    pairs = serializers.ChoiceField(list_codes(Readers.values), required=False)
    stakes = serializers.ChoiceField(list_codes(Readers.values), required=False)
    indexed = serializers.BooleanField(required=False, help_text="whether search engines may keep the page")


class OwnPageView(RefusingView, ViewSet):
    """View of what hangs on the owner of the key."""

    def read_own(self, request: Request) -> Player:
        """Return the owner of a key that may play; 404 for an account that doesn't."""
        require_scope(request, Scope.PLAY)
        player = self.read_player()
        if player is None:
            raise Http404
        return player


class AudienceViewSet(OwnPageView):
    """Readers of the parts of the owner's page."""

    @extend_schema(operation_id="me_audience_read", responses=forced_singular_serializer(AudienceSerializer))
    def list(self, request: Request) -> Response:
        """Read who is shown what (scope *play*)."""
        return Response(AudienceSerializer(read_audience(self.read_own(request))).data)

    @serve(scope=Scope.PLAY, body=AudienceBody, answer=AudienceSerializer)
    def create(self, write: Write) -> ProfileAudience:
        """Choose who is shown what: it holds at once."""
        chosen = dict(write.data)
        indexed = chosen.pop("indexed", None)
        return choose_audience(player=write.player, readers=chosen, indexed=indexed)


class FixedPairBody(StrictSerializer):
    player = serializers.CharField(max_length=12, help_text="the public id of whom to invite")


class PairNameBody(StrictSerializer):
    name = serializers.CharField(max_length=4 * MAX_PAIR_NAME_CHARACTERS)


@contextmanager
def _answer_refusals() -> Iterator[None]:
    """Answer refusals about pairs as the API does."""
    try:
        yield
    except PairRefused as refused:
        raise ApiRefusal(409, refused.code, describe_pair_refusal(refused.code)) from None


class FixedPairViewSet(OwnPageView):
    """Fixed pairs of the key's owner, and invitations to one."""

    lookup_field = "pair"
    lookup_value_regex = PUBLIC_ID

    @extend_schema(responses=FixedPairSerializer(many=True))
    def list(self, request: Request) -> Response:
        """The owner's pairs, those that ended last, and before them the invitations (scope *play*)."""
        player = self.read_own(request)
        return Response(FixedPairSerializer([*list_pair_invitations(player), *list_pairs(player)], many=True).data)

    @serve(scope=Scope.PLAY, body=FixedPairBody, answer=FixedPairSerializer, status=201)
    def create(self, write: Write) -> FixedPair:
        """Invite a member; who has invited the owner is answered by it."""
        other = Player.objects.select_related("user").filter(public_id=write.data["player"]).first()
        with _answer_refusals():
            return fixed_pairs.invite_to_pair(player=write.player, other=other, now=write.now)

    @serve(path="accept", scope=Scope.PLAY, answer=FixedPairSerializer)
    def accept(self, write: Write, pair: str) -> FixedPair | None:
        """Accept an invitation."""
        with _answer_refusals():
            return fixed_pairs.answer_pair(public_id=pair, player=write.player, accepts=True, now=write.now)

    @serve(path="decline", scope=Scope.PLAY)
    def decline(self, write: Write, pair: str) -> None:
        """Decline an invitation."""
        with _answer_refusals():
            fixed_pairs.answer_pair(public_id=pair, player=write.player, accepts=False, now=write.now)

    @serve(path="leave", scope=Scope.PLAY)
    def leave(self, write: Write, pair: str) -> None:
        """Leave a pair, or take an invitation back."""
        with _answer_refusals():
            fixed_pairs.leave_pair(public_id=pair, player=write.player, now=write.now)

    @serve(path="name", scope=Scope.PLAY, body=PairNameBody, answer=FixedPairSerializer)
    def propose_name(self, write: Write, pair: str) -> FixedPair:
        """Propose a name: it holds once both have."""
        with _answer_refusals():
            return fixed_pairs.name_pair(public_id=pair, player=write.player, name=write.data["name"])


class OwnDataViewSet(OwnPageView):
    """All that the site keeps of the key's owner."""

    @extend_schema(operation_id="me_export", responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def list(self, request: Request) -> StreamingHttpResponse:
        """One ZIP with a JSON file for each part (scope *play*)."""
        return answer_archive(request._request, self.read_own(request))
