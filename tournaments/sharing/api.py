"""Tournaments for programs: lists, entries, rounds with results, standings. Read-only, and nothing of a running deal.

``register(router)`` adds it to the site's API; who may see a draft is decided by the selectors.
"""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import SimpleRouter
from rest_framework.viewsets import GenericViewSet

from games.engine.record import Json
from players.converters import PUBLIC_ID
from players.models import Player
from players.selectors import player_for
from scoring.standings import TieBreakReason
from tournaments.core import rows, visibility
from tournaments.core.permissions import may_run
from tournaments.entries.queries import read_invited
from tournaments.models import Fixture, Tournament
from tournaments.pages import tournament_page


class EntrySerializer(serializers.Serializer[rows.EntryRow]):
    name = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    house = serializers.BooleanField(help_text="a player of the house, ranked out of competition")
    pending = serializers.BooleanField(help_text="a pair whose second hasn't confirmed yet")
    checked_in = serializers.BooleanField(help_text="all of its players have; the house's always are")


class FixtureSerializer(serializers.Serializer[rows.FixtureRow]):
    board = serializers.IntegerField()
    first = EntrySerializer(allow_null=True)
    second = EntrySerializer(allow_null=True)
    state = serializers.ChoiceField(choices=Fixture.State.choices)
    opens_at = serializers.DateTimeField(allow_null=True)
    table = serializers.CharField(allow_null=True, help_text="the match's public id, once its table was opened")
    points = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2, allow_null=True)
    mp = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2, allow_null=True)
    vp = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2, allow_null=True)
    winner = serializers.IntegerField(allow_null=True, help_text="0: the first side, 1: the second")
    forfeit_by = serializers.IntegerField(allow_null=True)
    double_forfeit = serializers.BooleanField()
    decided_by = serializers.CharField()


class RoundSerializer(serializers.Serializer[rows.RoundRow]):
    number = serializers.IntegerField()
    name = serializers.CharField(help_text="final, third_place, semifinal, quarterfinal or round")
    finished = serializers.BooleanField()
    fixtures = FixtureSerializer(many=True)


class SeparationSerializer(serializers.Serializer[TieBreakReason]):
    code = serializers.CharField()
    own = serializers.IntegerField(allow_null=True)
    next = serializers.IntegerField(allow_null=True)


class StandingSerializer(serializers.Serializer[rows.RankedEntry]):
    line = EntrySerializer(source="entry")  # the answer's word, which its readers know
    rank = serializers.IntegerField(source="place", allow_null=True, help_text="among people; the house has none")
    overall = serializers.IntegerField(source="rank", allow_null=True, help_text="over all entries, the house's too")
    out_of_competition = serializers.BooleanField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    mp = serializers.IntegerField()
    vp = serializers.IntegerField()
    separation = SeparationSerializer(allow_null=True, help_text="what put it before the next entry")


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    organiser = serializers.CharField(source="organiser.name")
    entries_count = serializers.IntegerField()

    class Meta:
        model = Tournament
        fields = (
            "public_id", "name", "organiser", "state", "version", "format", "format_options", "ruleset", "options",
            "length_kind", "length_value", "turn_timeout", "match_clock", "noshow_after", "pause", "tie_break",
            "seats_an_entry", "seeding", "lot",
            "min_entries", "max_entries", "entries_count", "registration", "checkin_minutes", "guests_allowed",
            "house_allowed", "starts_at", "created_at",
            "drawn_at", "finished_at", "cancelled_because",
        )  # fmt: skip
        read_only_fields = fields


class InvitedSerializer(serializers.Serializer[rows.InvitedRow]):
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=[("entry", "entry"), ("place", "place"), ("return", "return")])
    outcome = serializers.CharField(help_text="accepted, refused, taken_back or lapsed; empty: no answer yet")
    made_at = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True, help_text="null in a draft: nobody has been told")
    ended_at = serializers.DateTimeField(allow_null=True)


class TournamentDetailSerializer(serializers.Serializer[Json]):
    tournament = TournamentSerializer()
    entries = EntrySerializer(many=True)
    waiting_list = EntrySerializer(many=True, help_text="who waits for a place, the first of it first")
    held_places = serializers.IntegerField(help_text="by invitations without an answer; they are no entries")
    invitations = InvitedSerializer(many=True, help_text="for who runs the tournament; for others always empty")
    rounds = RoundSerializer(many=True)
    standings = StandingSerializer(many=True)


@extend_schema_view(
    list=extend_schema(
        parameters=[OpenApiParameter("state", enum=[value for value, _label in Tournament.State.choices])]
    )
)
class TournamentViewSet(ListModelMixin, GenericViewSet[Tournament]):
    """Tournaments, the newest first, and one with its entries, rounds and standings."""

    serializer_class = TournamentSerializer
    queryset = Tournament.objects.none()
    lookup_field = "public_id"
    lookup_value_regex = PUBLIC_ID

    def get_queryset(self) -> Any:
        tournaments = visibility.list_tournaments(self._player()).order_by("-created_at", "-pk")
        state = self.request.query_params.get("state")
        if not state:
            return tournaments
        return tournaments.filter(state=state) if state in Tournament.State.values else tournaments.none()

    @extend_schema(responses=TournamentDetailSerializer)
    def retrieve(self, request: Request, public_id: str) -> Response:
        tournament = get_object_or_404(visibility.list_tournaments(self._player()), public_id=public_id)
        page = tournament_page.read_page(tournament, None)
        detail = {
            "tournament": tournament,
            "entries": page.entries.rows,
            "waiting_list": page.entries.waiting_list,
            "held_places": page.header.held,
            "invitations": read_invited(tournament) if may_run(tournament, self._player()) else (),
            "rounds": page.schedule.rounds,
            "standings": page.standings.rows,
        }
        return Response(TournamentDetailSerializer(detail).data)

    def _player(self) -> Player | None:
        return player_for(self.request.user)


def register(router: SimpleRouter) -> None:
    """Add /tournaments/ to the site's API router."""
    router.register("tournaments", TournamentViewSet, basename="tournament")
