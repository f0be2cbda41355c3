"""Clubs for programs: found, edit, join, leave, and administer them. Each write calls the service of the page.

One's own membership is *play*; what an administrator does is *organise*, by a key made for that club.
"""

from allauth.core import ratelimit
from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import is_for_club, is_open_to_key
from api.acts import lock_seen
from api.answers import build_page, list_codes
from api.refusals import RefusingView
from players.api.api_view import Scope
from players.api.bodies import PageFilters, StrictSerializer, answer_page, cut_rows
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.converters import PUBLIC_ID
from players.markdown import MAX_MARKDOWN_CHARACTERS
from players.models import Player
from players.services.tokens import NEW, add_target, make_target
from tournaments.clubs import actions, queries
from tournaments.models import Club, ClubMember


class ClubSerializer(serializers.ModelSerializer[Club]):
    members_count = serializers.IntegerField(help_text="those that are confirmed")

    class Meta:
        model = Club
        fields = ("public_id", "name", "description", "members_count", "created_at")
        read_only_fields = fields


class MemberSerializer(serializers.ModelSerializer[ClubMember]):
    player = serializers.CharField(source="player.public_id", help_text="its public id")
    name = serializers.CharField(source="player.name")
    role = serializers.ChoiceField(list_codes(ClubMember.Role.values))
    state = serializers.SerializerMethodField(help_text="member; for whoever administers also asking and invited")

    class Meta:
        model = ClubMember
        fields = ("player", "name", "role", "state", "since")
        read_only_fields = fields

    def get_state(self, row: ClubMember) -> str:
        return name_membership(row)


class ClubBody(StrictSerializer):
    name = serializers.CharField(max_length=actions.MAX_NAME_CHARACTERS)
    description = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_MARKDOWN_CHARACTERS, trim_whitespace=False
    )


class AnswerBody(StrictSerializer):
    accept = serializers.BooleanField()


class ConsentBody(StrictSerializer):
    consents = serializers.BooleanField(help_text="the club may enter one in its tournaments without asking")


class InviteBody(StrictSerializer):
    name = serializers.CharField(max_length=64)


class MemberBody(StrictSerializer):
    player = serializers.CharField(max_length=12, help_text="its public id")


class RequestBody(MemberBody):
    accept = serializers.BooleanField()


class RoleBody(MemberBody):
    role = serializers.ChoiceField(list_codes(ClubMember.Role.values))


class ClubViewSet(RefusingView, GenericViewSet[Club]):
    """Clubs, the newest first."""

    queryset = Club.objects.none()
    pagination_class = None
    lookup_field = "public_id"
    lookup_value_regex = PUBLIC_ID
    filters = {"list": PageFilters, "members": PageFilters}

    @extend_schema(parameters=[PageFilters], responses=build_page(ClubSerializer))
    def list(self, request: Request) -> Response:
        page, key = cut_rows(queries.list_clubs(), self.query)
        return answer_page(request, ClubSerializer, page, key)

    @extend_schema(responses=ClubSerializer)
    def retrieve(self, request: Request, public_id: str) -> Response:
        return Response(ClubSerializer(self._find(public_id)).data)

    @extend_schema(parameters=[PageFilters], responses=build_page(MemberSerializer))
    @action(detail=True)
    def members(self, request: Request, public_id: str) -> Response:
        """The members, the newest first; for a key that administers the club, who asks and who is invited too."""
        club = self._find(public_id)
        rows = queries.list_people(club)
        administers = queries.is_admin(club, self.read_player()) and is_open_to_key(request, club)
        page, key = cut_rows(rows if administers else rows.filter(confirmed=True), self.query)
        return answer_page(request, MemberSerializer, page, key)

    @serve(scope=Scope.ORGANISE, body=ClubBody, answer=ClubSerializer, status=201)
    def create(self, write: Write) -> Club:
        """Found a club. The key may organise in its name from now on."""
        if NEW not in write.token.targets:
            raise ApiRefusal(403, "not_chosen", _("Questa chiave non è per questo circolo."))
        data = write.data
        with transaction.atomic():
            club = actions.create_club(
                by=write.player, name=data["name"], description=data.get("description", ""), now=write.now
            )
            add_target(token=write.token, target=make_target("club", club.public_id))
        return self._find(club.public_id)

    @serve(scope=Scope.ORGANISE, body=ClubBody, answer=ClubSerializer, partial=True)
    def partial_update(self, write: Write, public_id: str) -> Club:
        """Change name and description."""
        with transaction.atomic():
            club = lock_seen(self._find_organised(write, public_id))
            texts = {"name": club.name, "description": club.description} | write.data
            actions.edit_club(club_id=club.pk, by=write.player, **texts)
        return self._find(public_id)

    @serve(scope=Scope.ORGANISE)
    def destroy(self, write: Write, public_id: str) -> None:
        """Dissolve the club, as its last member."""
        actions.dissolve_club(club_id=self._find_organised(write, public_id).pk, by=write.player, now=write.now)

    @serve(path="join", scope=Scope.PLAY, answer=ClubSerializer)
    def join(self, write: Write, public_id: str) -> Club:
        """Ask to be a member, or become one where the club has invited."""
        self._count_call(write)
        actions.ask_to_join(club_id=self._find(public_id).pk, player=write.player, now=write.now)
        return self._find(public_id)

    @serve(path="leave", scope=Scope.PLAY)
    def leave(self, write: Write, public_id: str) -> None:
        """Leave the club, or take the request back."""
        actions.leave_club(club_id=self._find(public_id).pk, player=write.player)

    @serve(path="answer", scope=Scope.PLAY, body=AnswerBody)
    def answer(self, write: Write, public_id: str) -> None:
        """Say yes or no to the club's invitation."""
        accept = write.data["accept"]
        actions.answer_club(club_id=self._find(public_id).pk, player=write.player, accept=accept, now=write.now)

    @serve(path="consent", scope=Scope.PLAY, body=ConsentBody)
    def consent(self, write: Write, public_id: str) -> None:
        """Choose whether the club asks each time."""
        consents = write.data["consents"]
        actions.choose_consent(club_id=self._find(public_id).pk, player=write.player, consents=consents)

    @serve(path="invite", scope=Scope.ORGANISE, body=InviteBody)
    def invite(self, write: Write, public_id: str) -> None:
        """Invite a player by name."""
        club = self._find_organised(write, public_id)
        self._count_call(write)
        actions.invite_to_club(club_id=club.pk, by=write.player, name=write.data["name"], now=write.now)

    @serve(path="requests", scope=Scope.ORGANISE, body=RequestBody)
    def answer_request(self, write: Write, public_id: str) -> None:
        """Say yes or no to whoever asks to be a member."""
        club, player_id = self._find_organised(write, public_id), _find_player_id(write)
        accept = write.data["accept"]
        actions.answer_request(club_id=club.pk, by=write.player, player_id=player_id, accept=accept, now=write.now)

    @serve(path="role", scope=Scope.ORGANISE, body=RoleBody)
    def set_role(self, write: Write, public_id: str) -> None:
        """Give a member a role."""
        club, player_id = self._find_organised(write, public_id), _find_player_id(write)
        actions.set_role(club_id=club.pk, by=write.player, player_id=player_id, role=write.data["role"])

    @serve(path="remove", scope=Scope.ORGANISE, body=MemberBody)
    def remove(self, write: Write, public_id: str) -> None:
        """Remove a member, or take an invitation back."""
        club, player_id = self._find_organised(write, public_id), _find_player_id(write)
        actions.remove_member(club_id=club.pk, by=write.player, player_id=player_id)

    def _find(self, public_id: str) -> Club:
        club = queries.list_clubs().filter(public_id=public_id).first()
        if club is None:
            raise Http404
        return club

    def _find_organised(self, write: Write, public_id: str) -> Club:
        """Return the club of an administrator's write. ApiRefusal where the key wasn't made for it; the service decides
        who administers."""
        club = self._find(public_id)
        if not is_for_club(write.token, club):
            raise ApiRefusal(403, "not_chosen", _("Questa chiave non è per questo circolo."))
        return club

    def _count_call(self, write: Write) -> None:
        """Count what notifies somebody, as the page does."""
        if not ratelimit.consume(write.request._request, action="club_call", user=write.player.user):
            raise actions.ClubError("too_many_asked")


def _find_player_id(write: Write) -> int:
    """Return the id of the player that a body names; 0, which nobody has, for none."""
    return Player.objects.filter(public_id=write.data["player"]).values_list("pk", flat=True).first() or 0


def name_membership(row: ClubMember) -> str:
    """Return the code of how far a membership has come: member, asking or invited."""
    return "member" if row.confirmed else "invited" if row.invited else "asking"
