"""Travellers of rounds with equal deals for programs (J10, J12): each deal at all tables, once a round is over.

What is shown, and when, is decided by ``equal.queries``, as for the page.
"""

from fractions import Fraction

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import find_tournament
from api.answers import EntrySerializer, build_pair_field, list_codes
from api.refusals import RefusingView
from games.engine.game import TallyRow
from games.engine.record import Json
from players.api.problems import ApiRefusal
from scoring.standings import round_share
from tournaments.equal import queries
from tournaments.models import Round

WHY = ("deals", "even", "forfeit", "ruled", "annulled", "bye", "missed", "open")


class TookSerializer(serializers.Serializer[TallyRow]):
    code = serializers.CharField(help_text="as in the count of a table's deal")
    values = build_pair_field(help_text="what is compared: cards, coins, points of the primiera")
    points = build_pair_field()


class TravellerRowSerializer(serializers.Serializer[queries.TravellerRow]):
    board = serializers.IntegerField(source="fixture.board", help_text="from 1 in its round")
    part = serializers.IntegerField(source="fixture.part")
    match = serializers.CharField(source="fixture.table", allow_null=True, help_text="its public id")
    points = build_pair_field(source="deal.points")
    won = build_pair_field(help_text="against the other tables: 2 better, 1 equal, 0 worse")
    possible = serializers.IntegerField(source="deal.possible", help_text="0: no other table finished it")
    took = TookSerializer(many=True, help_text=f"how the points were made, in rounds of up to {queries.MOST_COUNTED}")


class TravellerDealSerializer(serializers.Serializer[Json]):
    number = serializers.IntegerField(help_text="from 1, as in the records")
    tables = TravellerRowSerializer(many=True, help_text="the best for the first side first")


class TravellerTableSerializer(serializers.Serializer[queries.TravellerTable]):
    board = serializers.IntegerField(source="fixture.board")
    part = serializers.IntegerField(source="fixture.part")
    match = serializers.CharField(source="fixture.table", allow_null=True)
    first = EntrySerializer(source="fixture.first", allow_null=True)
    second = EntrySerializer(source="fixture.second", allow_null=True)
    percentages = serializers.SerializerMethodField(help_text="of both sides, exact fractions, `131/200`; null: none")
    rounded = serializers.SerializerMethodField(help_text="the same with two decimals, half up: `65.50`")
    why = serializers.ChoiceField(list_codes(WHY), help_text="what they come from")

    def get_percentages(self, row: queries.TravellerTable) -> list[str | None]:
        return [None if share is None else str(share) for share in row.shares]

    def get_rounded(self, row: queries.TravellerTable) -> list[str | None]:
        return [None if share is None else write_percentage(share) for share in row.shares]


class TravellerSerializer(serializers.Serializer[Json]):
    round = serializers.IntegerField()
    deals = TravellerDealSerializer(many=True)
    tables = TravellerTableSerializer(many=True)


class TravellerViewSet(RefusingView, GenericViewSet[Round]):
    """Rounds with equal deals, by their number, deal by deal."""

    queryset = Round.objects.none()
    pagination_class = None
    lookup_field = "round"
    lookup_value_regex = r"[0-9]{1,4}"

    @extend_schema(responses=TravellerSerializer)
    def retrieve(self, request: Request, public_id: str, round: str) -> Response:
        """A round at all its tables, once it is over; before that it is 404 with the code `withheld`."""
        tournament = find_tournament(request, public_id)
        round_ = queries.find_round(tournament, int(round))
        if round_ is None:
            raise Http404
        traveller = queries.read_traveller(tournament, round_, None)
        if traveller is None:
            text = _("Il turno non è finito a tutti i tavoli: punti e carte si vedono qui quando lo è.")
            raise ApiRefusal(404, "withheld", text)
        deals = [{"number": number, "tables": rows} for number, rows in traveller.deals]
        shown = {"round": round_.number, "deals": deals, "tables": traveller.tables}
        return Response(TravellerSerializer(shown).data)


def write_percentage(share: Fraction) -> str:
    """Return a share as a percentage with two decimals, half up, whatever the language."""
    whole, hundredths = divmod(round_share(share), 100)
    return f"{whole}.{hundredths:02}"
