"""Tournaments for programs: lists, one with all that its page shows, and its parts in pages. Nothing of a running deal.

Who may see a draft is decided by ``core.visibility``, what stands in each part by the reads of the pages.
"""

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from games.rules import RULESETS
from players.api.bodies import PageFilters, answer_page, cut_page, cut_rows
from players.api.views import ApiView
from players.converters import PUBLIC_ID
from tournaments.api.access import find_tournament, may_read_as_organiser
from tournaments.api.answers import (
    EntrySerializer,
    FixtureSerializer,
    StandingSerializer,
    TournamentDetailSerializer,
    TournamentSerializer,
    build_page,
    list_codes,
)
from tournaments.core import reads, visibility
from tournaments.entries.queries import read_invited
from tournaments.formats import FORMATS
from tournaments.models import Fixture, Tournament
from tournaments.pages import tournament_page

COLUMNS = {"club": "club__public_id"}  # of filters that aren't named as their column


class TournamentFilters(PageFilters):
    state = serializers.ChoiceField(list_codes(Tournament.State.values), required=False)
    format = serializers.ChoiceField(list_codes(FORMATS), required=False)
    ruleset = serializers.ChoiceField(list_codes(RULESETS), required=False)
    club = serializers.CharField(required=False, max_length=12, help_text="its public id")


class FixtureFilters(PageFilters):
    round = serializers.IntegerField(required=False, min_value=1, max_value=10_000)
    state = serializers.ChoiceField(list_codes(Fixture.State.values), required=False)


@extend_schema_view(
    list=extend_schema(parameters=[TournamentFilters], responses=build_page(TournamentSerializer)),
    retrieve=extend_schema(responses=TournamentDetailSerializer),
    entries=extend_schema(parameters=[PageFilters], responses=build_page(EntrySerializer)),
    fixtures=extend_schema(parameters=[FixtureFilters], responses=build_page(FixtureSerializer)),
    standings=extend_schema(parameters=[PageFilters], responses=build_page(StandingSerializer)),
)
class TournamentViewSet(ApiView, GenericViewSet[Tournament]):
    """Tournaments, the newest first; one with its entries, rounds and standings; and each of these in pages."""

    serializer_class = TournamentSerializer
    queryset = Tournament.objects.none()
    pagination_class = None
    lookup_field = "public_id"
    lookup_value_regex = PUBLIC_ID
    filters = {
        "list": TournamentFilters,
        "entries": PageFilters,
        "fixtures": FixtureFilters,
        "standings": PageFilters,
    }

    def list(self, request: Request) -> Response:
        tournaments = visibility.list_tournaments(self.read_player())
        wanted = {COLUMNS.get(name, name): self.query[name] for name in self.query if name not in PageFilters().fields}
        tournaments = tournaments.filter(**wanted)
        page, key = cut_rows(tournaments, self.query)
        return answer_page(request, TournamentSerializer, page, key)

    def retrieve(self, request: Request, public_id: str) -> Response:
        tournament = find_tournament(request, public_id)
        runs = may_read_as_organiser(request, tournament)
        page = tournament_page.read_page(tournament, self.read_player() if runs else None)
        detail = {
            "tournament": tournament,
            "entries": page.entries.rows,
            "waiting_list": page.entries.waiting_list,
            "applicants": page.entries.applicants,
            "held_places": page.header.held,
            "invitations": read_invited(tournament) if runs else (),
            "rounds": page.schedule.rounds,
            "standings": page.standings.rows,
        }
        return Response(TournamentDetailSerializer(detail, context={"runs": runs}).data)

    @action(detail=True)
    def entries(self, request: Request, public_id: str) -> Response:
        """The entries that have a place, by seed; before the draw in the order they came."""
        rows = reads.read_entries(find_tournament(request, public_id)).values()
        page, key = cut_page(rows, self.query, lambda row: row.entry_id)
        return answer_page(request, EntrySerializer, page, key)

    @action(detail=True)
    def fixtures(self, request: Request, public_id: str) -> Response:
        """The fixtures with their results, round by round."""
        tournament = find_tournament(request, public_id)
        rounds = reads.read_rounds(tournament, reads.read_entries(tournament))
        number, state = self.query.get("round"), self.query.get("state")
        rows = (
            row
            for round_ in rounds
            for row in round_.fixtures
            if number in (None, row.round) and state in (None, row.state)
        )
        page, key = cut_page(rows, self.query, lambda row: row.id)
        return answer_page(request, FixtureSerializer, page, key)

    @action(detail=True)
    def standings(self, request: Request, public_id: str) -> Response:
        """The standings, best first; none before the draw."""
        tournament = find_tournament(request, public_id)
        rows = reads.read_standings(tournament, reads.read_entries(tournament))
        page, key = cut_page(rows, self.query, lambda row: row.entry.entry_id)
        return answer_page(request, StandingSerializer, page, key)
