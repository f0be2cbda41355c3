"""Play chips for programs: the balance of the key's owner, their ledger, the day's top-up. Nobody else's are shown."""

from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from api.answers import build_page, list_codes
from games.chips import actions, queries
from games.chips.errors import ChipsRefused
from games.chips.wording import describe_chip_refusal
from games.models import ChipEntry, ChipTransfer
from players.api.api_view import ApiView, Scope, require_scope
from players.api.bodies import PageFilters, StrictSerializer, answer_page, cut_rows
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.models import Player


class ChipBalanceSerializer(serializers.Serializer[queries.ChipBalance]):
    """The chips of the key's owner."""

    balance = serializers.IntegerField()
    held = serializers.IntegerField(help_text="of those, held at the table where they sit")
    free = serializers.IntegerField()


class ChipEntrySerializer(serializers.ModelSerializer[ChipEntry]):
    """Line of the ledger."""

    reason = serializers.ChoiceField(list_codes(ChipTransfer.Reason.values), source="transfer.reason")
    at = serializers.DateTimeField(source="transfer.at")
    match = serializers.CharField(source="transfer.match.public_id", allow_null=True, default=None)

    class Meta:
        model = ChipEntry
        fields = ("amount", "reason", "at", "match")
        read_only_fields = fields


class ShownBody(StrictSerializer):
    shown = serializers.BooleanField()


class ChipViewSet(ApiView, ViewSet):
    """Play chips of the key's owner: no money, nothing to buy, ever."""

    filters = {"entries": PageFilters}

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, ChipsRefused):
            exc = ApiRefusal(409, exc.code, describe_chip_refusal(exc.code))
        return super().handle_exception(exc)

    def _require_own(self, request: Request) -> Player:
        require_scope(request, Scope.PLAY)
        player = self.read_player()
        assert player is not None
        return player

    @extend_schema(responses=forced_singular_serializer(ChipBalanceSerializer))
    def list(self, request: Request) -> Response:
        """The owner's chips (scope *play*)."""
        return Response(ChipBalanceSerializer(queries.read_balance(self._require_own(request))).data)

    @extend_schema(parameters=[PageFilters], responses=build_page(ChipEntrySerializer))
    @action(detail=False)
    def entries(self, request: Request) -> Response:
        """The owner's ledger, the newest line first (scope *play*)."""
        page, key = cut_rows(queries.list_entries(self._require_own(request)), self.query)
        return answer_page(request, ChipEntrySerializer, page, key)

    @serve(path="top-up", detail=False, scope=Scope.PLAY, answer=ChipBalanceSerializer)
    def top_up(self, write: Write) -> queries.ChipBalance:
        """Top the owner's chips up to 100, once a day."""
        actions.top_up(player=write.player, now=write.now)
        return queries.read_balance(write.player)

    @serve(path="show", detail=False, scope=Scope.PLAY, body=ShownBody)
    def show(self, write: Write) -> None:
        """Show the owner chips and stakes, or hide them: hidden, no stake can be played for."""
        actions.show_chips(player=write.player, shown=write.data["shown"])
