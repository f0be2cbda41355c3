"""Company of a key's owner, for programs: friends, blocks, own conduct, and what moderators decided about them."""

from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from api.answers import list_codes
from api.refusals import RefusingView
from games.lobby.conduct import Conduct, read_conduct
from players.api.api_view import Scope, require_scope
from players.api.bodies import StrictSerializer
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.converters import PUBLIC_ID
from players.models import FriendCall, ModerationAct, Player
from players.selectors import list_acts_about, list_blocked
from players.services.blocks import block_player, unblock_player
from players.services.calls import CallRefused, call_friend
from players.services.follows import FollowRefused, follow_player, unfollow_player
from players.services.moderation import MAX_APPEAL_CHARACTERS, appeal_act
from players.wording import describe_company
from tournaments.pages.friends import Friend, find_target, list_friends, list_open_calls


class CompanionSerializer(serializers.ModelSerializer[Player]):
    """Player, by public id and name."""

    player = serializers.CharField(source="public_id", help_text="their public id")

    class Meta:
        model = Player
        fields = ("player", "name")
        read_only_fields = fields


class FriendSerializer(serializers.Serializer[Friend]):
    """Player whom the owner follows; whether they are here, and where they play, only if they show it."""

    player = serializers.CharField(source="player.public_id", help_text="their public id")
    name = serializers.CharField(source="player.name")
    here = serializers.BooleanField()
    match = serializers.CharField(source="table", help_text="the public id of the match they play, or empty")


class FriendCallSerializer(serializers.ModelSerializer[FriendCall]):
    """Call of somebody to a table or a tournament."""

    by = CompanionSerializer()
    kind = serializers.ChoiceField(list_codes(FriendCall.Kind.values))
    public_id = serializers.CharField(source="key", help_text="of the free table, or of the tournament")

    class Meta:
        model = FriendCall
        fields = ("by", "kind", "public_id", "title", "at")
        read_only_fields = fields


class CompanionBody(StrictSerializer):
    player = serializers.CharField(max_length=12, help_text="their public id")


class FriendCallBody(StrictSerializer):
    tournament = serializers.CharField(
        max_length=12, required=False, default="", help_text="its public id; without one, the table the owner waits at"
    )


class ConductSerializer(serializers.Serializer[Conduct]):
    """Quit rate (U1): of the last matches those left, run out or not come to."""

    matches = serializers.IntegerField()
    quits = serializers.SerializerMethodField()
    rate = serializers.IntegerField(help_text="whole per cent")

    def get_quits(self, conduct: Conduct) -> int:
        return len(conduct.quits)


class OwnActSerializer(serializers.ModelSerializer[ModerationAct]):
    """Act of the moderators about the owner (U2)."""

    id = serializers.CharField(source="public_id")
    kind = serializers.ChoiceField(list_codes(ModerationAct.Kind.values))
    match = serializers.CharField(source="about_match", help_text="its public id, or empty")

    class Meta:
        model = ModerationAct
        fields = (
            *("id", "kind", "reason", "match", "at", "until", "appeal", "appealed_at", "answer", "answered_at"),
            *("lifted_at", "lift_reason"),
        )
        read_only_fields = fields


class AppealBody(StrictSerializer):
    text = serializers.CharField(max_length=MAX_APPEAL_CHARACTERS)


class CompanionViewSet(RefusingView, ViewSet):
    """Players that the owner has chosen: their friends, or whom they block."""

    lookup_field = "player"
    lookup_value_regex = PUBLIC_ID

    def read_own(self, request: Request) -> Player:
        require_scope(request, Scope.PLAY)
        player = self.read_player()
        if player is None:
            raise Http404
        return player


class FollowViewSet(CompanionViewSet):
    """Friends of the key's owner (B6)."""

    @extend_schema(responses=FriendSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Players whom the owner follows, those who are here first (scope *play*)."""
        friends: Any = list_friends(self.read_own(request), None, timezone.now())
        return Response(FriendSerializer(friends, many=True).data)

    @extend_schema(responses=FriendCallSerializer(many=True))
    @action(detail=False, url_path="calls")
    def list_calls(self, request: Request) -> Response:
        """Calls to the owner that still hold, the latest first (scope *play*)."""
        calls: Any = list_open_calls(self.read_own(request), timezone.now())
        return Response(FriendCallSerializer(calls, many=True).data)

    @serve(scope=Scope.PLAY, body=CompanionBody, answer=CompanionSerializer, status=201)
    def create(self, write: Write) -> Player:
        """Follow a player. Done again it changes nothing."""
        other = _find_player(write.data["player"])
        try:
            follow_player(player=write.player, followed=other, now=write.now)
        except FollowRefused as refused:
            raise ApiRefusal(409, refused.code, describe_company(refused.code, other.name)) from None
        return other

    @serve(scope=Scope.PLAY)
    def destroy(self, write: Write, player: str) -> None:
        """Follow a player no longer."""
        if not unfollow_player(player=write.player, public_id=player):
            raise Http404

    @serve(path="call", scope=Scope.PLAY, body=FriendCallBody)
    def call(self, write: Write, player: str) -> None:
        """Call a friend to a listed tournament that takes entries, or to the free table the owner waits at: a notice,
        which holds no place."""
        friend = _find_player(player)
        target = find_target(write.player, write.data["tournament"])
        if target is None:
            raise ApiRefusal(409, "nothing_to_call_to", describe_company("nothing_to_call_to", friend.name))
        about = {"kind": target.kind, "key": target.key, "title": target.title, "path": target.path}
        try:
            call_friend(by=write.player, public_id=player, now=write.now, **about)
        except CallRefused as refused:
            status = 429 if refused.wait else 409
            raise ApiRefusal(status, refused.code, describe_company(refused.code, friend.name)) from None


class BlockViewSet(CompanionViewSet):
    """Players whom the key's owner blocks (B6). Nobody of them is told."""

    @extend_schema(responses=CompanionSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Players whom the owner blocks, by name (scope *play*)."""
        return Response(CompanionSerializer(list_blocked(self.read_own(request)), many=True).data)

    @serve(scope=Scope.PLAY, body=CompanionBody, answer=CompanionSerializer, status=201)
    def create(self, write: Write) -> Player:
        """Block a player. Done again it changes nothing."""
        other = _find_player(write.data["player"])
        block_player(player=write.player, blocked=other, now=write.now)
        return other

    @serve(scope=Scope.PLAY)
    def destroy(self, write: Write, player: str) -> None:
        """Take a block back."""
        if not unblock_player(player=write.player, public_id=player):
            raise Http404


class ModerationViewSet(RefusingView, ViewSet):
    """Decisions of the moderators about the key's owner (U2). A suspended account's keys are refused."""

    lookup_field = "act"
    lookup_value_regex = PUBLIC_ID

    @extend_schema(responses=OwnActSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Decisions about the owner, the latest first (scope *play*)."""
        require_scope(request, Scope.PLAY)
        player = self.read_player()
        acts: Any = [] if player is None else list_acts_about(player)
        return Response(OwnActSerializer(acts, many=True).data)

    @extend_schema(responses=forced_singular_serializer(ConductSerializer))
    @action(detail=False)
    def conduct(self, request: Request) -> Response:
        """The owner's quit rate (U1; scope *read*)."""
        require_scope(request, Scope.READ)
        player = self.read_player()
        if player is None:
            raise Http404
        return Response(ConductSerializer(read_conduct(player)).data)

    @serve(path="appeal", scope=Scope.PLAY, body=AppealBody, answer=OwnActSerializer)
    def appeal(self, write: Write, act: str) -> ModerationAct:
        """Appeal against a decision, once."""
        row = ModerationAct.objects.filter(public_id=act, player=write.player).first()
        if row is None:
            raise Http404
        return appeal_act(act_id=row.pk, player=write.player, text=write.data["text"], now=write.now)


def _find_player(public_id: str) -> Player:
    player = Player.objects.select_related("user").filter(public_id=public_id, user__is_active=True).first()
    if player is None:
        raise ApiRefusal(404, "player_unknown", _("Questo giocatore non c'è."))
    return player
