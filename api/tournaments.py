"""Tournaments for programs: lists, one with all that its page shows, and its parts in pages. Nothing of a running deal.

Who may see a draft is decided by ``core.visibility``, what stands in each part by the reads of the pages.
"""

from django.db.models import Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import find_tournament, may_read_as_organiser
from api.answers import (
    StandingSerializer,
    TournamentDetailSerializer,
    TournamentSerializer,
    build_page,
    list_codes,
)
from api.fees import FeeActs
from api.hall import HallActs
from api.log import LogRowSerializer, make_log_row
from api.organise import OrganiseActs
from api.play import PlayActs
from api.play_offs import ClosingActs
from api.refusals import RefusingView
from api.rounds import RoundActs
from api.transfer import TransferActs
from games.rules import RULESETS
from players.api.bodies import PageFilters, answer_page, cut_page, cut_rows
from players.api.problems import ApiRefusal
from players.converters import PUBLIC_ID
from players.models import Player
from tournaments.core import reads, visibility
from tournaments.core.permissions import make_run_condition
from tournaments.entries.queries import read_invited
from tournaments.formats import FORMATS
from tournaments.models import Tournament
from tournaments.pages import tournament_page

COLUMNS = {"club": "club__public_id"}  # of filters that aren't named as their column


OWN = ("entered", "organised")


class TournamentFilters(PageFilters):
    state = serializers.ChoiceField(list_codes(Tournament.State.values), required=False)
    format = serializers.ChoiceField(list_codes(FORMATS), required=False)
    ruleset = serializers.ChoiceField(list_codes(RULESETS), required=False)
    club = serializers.CharField(required=False, max_length=12, help_text="its public id")
    own = serializers.ChoiceField(
        list_codes(OWN), required=False, help_text="those that the reader has entered, or runs; needs an account"
    )


@extend_schema_view(
    list=extend_schema(parameters=[TournamentFilters], responses=build_page(TournamentSerializer)),
    retrieve=extend_schema(responses=TournamentDetailSerializer),
    standings=extend_schema(parameters=[PageFilters], responses=build_page(StandingSerializer)),
    log=extend_schema(parameters=[PageFilters], responses=build_page(LogRowSerializer)),
)
class TournamentViewSet(
    OrganiseActs,
    RoundActs,
    HallActs,
    FeeActs,
    ClosingActs,
    TransferActs,
    PlayActs,
    RefusingView,
    GenericViewSet[Tournament],
):
    """Tournaments, the newest first; one with its entries, rounds and standings; and each of these in pages."""

    serializer_class = TournamentSerializer
    queryset = Tournament.objects.none()
    pagination_class = None
    lookup_field = "public_id"
    lookup_value_regex = PUBLIC_ID
    filters = {
        "list": TournamentFilters,
        "standings": PageFilters,
        "log": PageFilters,
    }

    def list(self, request: Request) -> Response:
        tournaments = visibility.list_tournaments(self.read_player())
        if own := self.query.pop("own", ""):
            tournaments = tournaments.filter(_make_own_condition(self.read_player(), own)).distinct()
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
    def standings(self, request: Request, public_id: str) -> Response:
        """The standings, best first; none before the draw."""
        tournament = find_tournament(request, public_id)
        rows = reads.read_standings(tournament, reads.read_entries(tournament))
        page, key = cut_page(rows, self.query, lambda row: row.entry.entry_id)
        return answer_page(request, StandingSerializer, page, key)

    @action(detail=True)
    def log(self, request: Request, public_id: str) -> Response:
        """The log: what was done, when, by whom and why, the latest first."""
        rows = tournament_page.read_log(find_tournament(request, public_id)).exclude(code="pair_declined")
        page, key = cut_rows(rows, self.query)
        return answer_page(request, LogRowSerializer, [make_log_row(entry) for entry in page], key)


def _make_own_condition(player: Player | None, own: str) -> Q:
    """Return the condition on the tournaments that are the reader's own. ApiRefusal for a visitor."""
    if player is None:
        raise ApiRefusal(401, "token_needed", _("Per leggere questo serve una chiave: si fa nel profilo."))
    return make_run_condition(player) if own == "organised" else Q(members__person__player=player)
