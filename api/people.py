"""The owner of a key, their invitations and their matches, and the referees of a tournament, for programs."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet, ViewSet

from api.access import find_tournament
from api.acts import find_organised
from api.answers import build_page, build_side_field, list_codes
from api.clubs import name_membership
from api.refusals import RefusingView
from games.engine.record import Json
from games.models import Match
from players.api.api_view import Scope, read_token, require_scope
from players.api.bodies import PageFilters, StrictSerializer, answer_page, cut_rows
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.converters import PUBLIC_ID
from players.models import AccessToken, Player
from players.selectors import list_blocked
from players.services.blocks import unblock_player
from tournaments.core import permissions, rows
from tournaments.core.results_in_force import annotate_matches
from tournaments.desk import reinstatement, substitution
from tournaments.entries import invitations
from tournaments.entries.queries import list_invitations, list_play_invitations
from tournaments.models import ClubMember, PlayInvitation, Referee
from tournaments.organise.referees import dismiss_referee, name_referee

Kind = PlayInvitation.Kind
ACCEPT: dict[str, Any] = {
    Kind.ENTRY: invitations.accept_invitation,
    Kind.PLACE: substitution.take_place,
    Kind.RETURN: reinstatement.return_to_play,
}


class MeSerializer(serializers.Serializer[Json]):
    """The owner of a key, and what the key may do."""

    public_id = serializers.CharField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(list_codes(AccessToken.Scope.values)))
    targets = serializers.ListField(child=serializers.CharField(), help_text="tournament:…, club:…, new, own")
    expires_at = serializers.DateTimeField()


class OwnMatchSerializer(serializers.ModelSerializer[Match]):
    """Match of the owner, as a referee ruled it where one did."""

    points = serializers.SerializerMethodField()
    players = serializers.SerializerMethodField()
    winner = build_side_field("null: nobody", source="held_winner")
    annulled = serializers.BooleanField(source="is_annulled", help_text="its result counts for nobody")

    class Meta:
        model = Match
        fields = ("public_id", "title", "ruleset", "players", "points", "winner", "annulled", "finished_at")
        read_only_fields = fields

    def get_points(self, match: Match) -> list[int]:
        return [match.held_0, match.held_1]  # type: ignore[attr-defined]  # annotated

    def get_players(self, match: Match) -> list[str]:
        return [seat.player.name for seat in match.seats.all()]


class MembershipSerializer(serializers.ModelSerializer[ClubMember]):
    club = serializers.CharField(source="club.public_id", help_text="its public id")
    name = serializers.CharField(source="club.name")
    role = serializers.ChoiceField(list_codes(ClubMember.Role.values))
    state = serializers.SerializerMethodField(help_text="member, asking or invited")

    class Meta:
        model = ClubMember
        fields = ("club", "name", "role", "state", "since", "consents")
        read_only_fields = fields

    def get_state(self, row: ClubMember) -> str:
        return name_membership(row)


class BlockedSerializer(serializers.ModelSerializer[Player]):
    player = serializers.CharField(source="public_id")

    class Meta:
        model = Player
        fields = ("player", "name")
        read_only_fields = fields


class UnblockBody(StrictSerializer):
    player = serializers.CharField(max_length=12, help_text="its public id")


class MeViewSet(RefusingView, ViewSet):
    """The key that asks, whose it is, and its owner's matches, clubs and blocks."""

    filters = {"matches": PageFilters, "clubs": PageFilters}

    @extend_schema(responses=forced_singular_serializer(MeSerializer))
    def list(self, request: Request) -> Response:
        """The owner of the key, and what the key may do."""
        token, player = require_scope(request, Scope.READ), self.read_player()
        if player is None:
            raise Http404
        values = {"scopes": token.scopes, "targets": token.targets, "expires_at": token.expires_at}
        return Response(MeSerializer({"public_id": player.public_id, "name": player.name, **values}).data)

    @extend_schema(parameters=[PageFilters], responses=build_page(OwnMatchSerializer))
    @action(detail=False)
    def matches(self, request: Request) -> Response:
        """Finished matches of the owner, the newest first, with the results that hold (scope *play*); each one's record
        is at /matches/."""
        require_scope(request, Scope.PLAY)
        finished = Match.objects.in_the_open().filter(status=Match.Status.FINISHED, training=False)
        own = finished.filter(seats__player=self.read_player()).distinct()
        page, key = cut_rows(annotate_matches(own).prefetch_related("seats__player"), self.query)
        return answer_page(request, OwnMatchSerializer, page, key)

    @extend_schema(parameters=[PageFilters], responses=build_page(MembershipSerializer))
    @action(detail=False)
    def clubs(self, request: Request) -> Response:
        """The owner's clubs, with those that invite them or are asked, the latest first."""
        require_scope(request, Scope.READ)
        own = ClubMember.objects.filter(player=self.read_player()).select_related("club")
        page, key = cut_rows(own, self.query)
        return answer_page(request, MembershipSerializer, page, key)

    @extend_schema(responses=BlockedSerializer(many=True))
    @action(detail=False, url_path="blocked")
    def list_blocks(self, request: Request) -> Response:
        """Players whose invitations the owner takes no more."""
        require_scope(request, Scope.PLAY)
        player = self.read_player()
        blocked: Any = [] if player is None else list_blocked(player)
        return Response(BlockedSerializer(blocked, many=True).data)

    @serve(path="unblock", detail=False, scope=Scope.PLAY, body=UnblockBody)
    def unblock(self, write: Write) -> None:
        """Take invitations of a player again."""
        if not unblock_player(player=write.player, public_id=write.data["player"]):
            raise ApiRefusal(409, "not_blocked", _("Non era fra le persone bloccate."))


class AskedToPlaySerializer(serializers.Serializer[rows.InvitationToPlay]):
    """Invitation to the key's owner."""

    id = serializers.IntegerField(source="invitation_id")
    kind = serializers.ChoiceField(list_codes(Kind.values))
    invited_by = serializers.CharField(source="by")
    tournament = serializers.CharField(source="tournament.public_id", help_text="its public id")
    partners = serializers.ListField(child=serializers.CharField())
    replaces = serializers.CharField(help_text="whose place it is, or empty")
    accepted = serializers.BooleanField(help_text="by the owner; a partner hasn't yet")
    expires_at = serializers.DateTimeField(source="until", allow_null=True)


class PartnerSerializer(serializers.Serializer[rows.Invitation]):
    """Pair that asks the key's owner to be its second."""

    entry = serializers.IntegerField(source="entry_id")
    invited_by = serializers.CharField(source="by")
    tournament = serializers.CharField(source="tournament.public_id", help_text="its public id")


class InvitationAnswerBody(StrictSerializer):
    accept = serializers.BooleanField()
    never = serializers.BooleanField(required=False, default=False, help_text="none of that person, now or later")


class InvitationViewSet(RefusingView, GenericViewSet[PlayInvitation]):
    """Invitations to play, to the key's owner."""

    queryset = PlayInvitation.objects.none()
    pagination_class = None
    lookup_field = "invitation"
    lookup_value_regex = r"[0-9]{1,15}"

    @extend_schema(responses=AskedToPlaySerializer(many=True))
    def list(self, request: Request) -> Response:
        player = self.read_player()
        if player is None or read_token(request) is None:
            raise ApiRefusal(401, "token_needed", _("Per scrivere serve una chiave: si fa nel profilo."))
        asked: Any = list_play_invitations(player)
        return Response(AskedToPlaySerializer(asked, many=True).data)

    @extend_schema(responses=PartnerSerializer(many=True))
    @action(detail=False)
    def partners(self, request: Request) -> Response:
        """Pairs that ask the owner by name to be their second: answered at the tournament's `pair/accept/`."""
        player = self.read_player()
        if player is None or read_token(request) is None:
            raise ApiRefusal(401, "token_needed", _("Per scrivere serve una chiave: si fa nel profilo."))
        asking: Any = list_invitations(player)
        return Response(PartnerSerializer(asking, many=True).data)

    @serve(path="take-back", scope=Scope.ORGANISE)
    def take_back(self, write: Write, invitation: str) -> None:
        """Take an invitation back, as whoever runs or referees its tournament."""
        row = PlayInvitation.objects.select_related("tournament").filter(pk=int(invitation)).first()
        if row is None:
            raise Http404
        tournament = find_organised(write, row.tournament.public_id)
        invitations.take_invitation_back(
            tournament_id=tournament.pk, by=write.player, invitation_id=row.pk, now=write.now
        )

    @serve(path="answer", scope=Scope.PLAY, body=InvitationAnswerBody)
    def answer(self, write: Write, invitation: str) -> None:
        """Say yes or no to an invitation."""
        own = PlayInvitation.objects.filter(pk=int(invitation), invitees__player=write.player)
        row = own.values_list("kind", "tournament_id").first()
        if row is None:
            raise Http404
        kind, tournament_id = row
        data = write.data
        service = invitations.refuse_for_good if data["never"] else invitations.refuse_invitation
        service = ACCEPT[kind] if data["accept"] else service
        service(tournament_id=tournament_id, player=write.player, invitation_id=int(invitation), now=write.now)


class RefereeSerializer(serializers.ModelSerializer[Referee]):
    player = serializers.CharField(source="player.public_id", help_text="its public id")
    name = serializers.CharField(source="player.name")

    class Meta:
        model = Referee
        fields = ("player", "name")
        read_only_fields = fields


class RefereeBody(StrictSerializer):
    name = serializers.CharField(max_length=64)


class RefereeViewSet(RefusingView, ViewSet):
    """Referees that the organiser has named."""

    lookup_field = "player"
    lookup_value_regex = PUBLIC_ID

    @extend_schema(responses=RefereeSerializer(many=True))
    def list(self, request: Request, public_id: str) -> Response:
        tournament = find_tournament(request, public_id)
        return Response(RefereeSerializer(permissions.list_referees(tournament), many=True).data)

    @serve(scope=Scope.ORGANISE, body=RefereeBody, answer=RefereeSerializer, status=201)
    def create(self, write: Write, public_id: str) -> Referee:
        """Name one more referee."""
        tournament = find_organised(write, public_id)
        return name_referee(tournament_id=tournament.pk, by=write.player, name=write.data["name"], now=write.now)

    @serve(scope=Scope.ORGANISE)
    def destroy(self, write: Write, public_id: str, player: str) -> None:
        """Dismiss a referee; their rulings stay."""
        tournament = find_organised(write, public_id)
        player_id = Player.objects.filter(public_id=player).values_list("pk", flat=True).first() or 0
        dismiss_referee(tournament_id=tournament.pk, by=write.player, player_id=player_id, now=write.now)
