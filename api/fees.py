"""Fees and prizes of a tournament for programs (O10): amounts in cents. No money is moved.

Who has paid is read by organisers alone; what each place is worth, by everybody.
"""

from typing import Any, get_args

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import find_private, find_tournament
from api.acts import find_organised, read_entry_row
from api.answers import list_codes
from games.engine.record import Json
from players.api.api_view import Scope
from players.api.bodies import StrictSerializer
from players.api.writes import Write, serve
from tournaments.core.reads import read_entries
from tournaments.core.reasons import MAX_REASON_CHARACTERS
from tournaments.fees import actions
from tournaments.fees.actions import MAX_CENTS, MAX_PRIZES, MAX_WHAT_CHARACTERS
from tournaments.fees.queries import (
    FeeRow,
    PrizeRow,
    SharedPlaces,
    list_shared,
    read_fee_rows,
    read_prizes,
    read_shares,
    read_totals,
)
from tournaments.fees.shares import Prize, Thing, Way
from tournaments.models import Tournament
from tournaments.standings.explained import LotDraw


class PrizeSerializer(serializers.Serializer[Prize]):
    cents = serializers.IntegerField()
    what = serializers.CharField(help_text="what else there is")


class ThingSerializer(serializers.Serializer[Thing]):
    place = serializers.IntegerField(help_text="of which it is the prize")
    what = serializers.CharField()
    by = serializers.ChoiceField(
        choices=list_codes(get_args(Way)), help_text="place: nobody shares it; lot; choice: of whoever organises"
    )
    reason = serializers.CharField(help_text="of the choice")


class ShareSerializer(serializers.Serializer[PrizeRow]):
    entry = serializers.IntegerField(source="entry.entry_id")
    name = serializers.CharField(source="entry.name")
    first_place = serializers.IntegerField(source="share.first", help_text="of the places they share, the first")
    last_place = serializers.IntegerField(source="share.last")
    among = serializers.IntegerField(source="share.among", help_text="how many share them")
    cents = serializers.IntegerField(source="share.cents")
    what = serializers.ListField(child=serializers.CharField(), source="share.what")
    things = ThingSerializer(many=True, source="share.things", help_text="what of it can't be divided, each given once")


class LotDrawSerializer(serializers.Serializer[LotDraw]):
    entry = serializers.IntegerField(source="entry.entry_id")
    text = serializers.CharField(help_text="its SHA-256 (UTF-8) is the digest; the smallest is drawn first")
    digest = serializers.CharField()


class SharedPlacesSerializer(serializers.Serializer[SharedPlaces]):
    first_place = serializers.IntegerField(source="first")
    last_place = serializers.IntegerField(source="last")
    drawn = LotDrawSerializer(many=True, help_text="those who share them, in the order of the lot")


class PrizesSerializer(serializers.Serializer[Json]):
    prizes = PrizeSerializer(many=True, help_text="of the places, the first first")
    prizes_each = serializers.BooleanField(help_text="each is for every person of an entry, shares too")
    shares = ShareSerializer(many=True, help_text="who gets what, by the standings as they are now")
    shared = SharedPlacesSerializer(many=True, help_text="places that several share, with something not to be divided")


class PaidSerializer(serializers.Serializer[FeeRow]):
    entry = serializers.IntegerField(source="entry.entry_id")
    name = serializers.CharField(source="entry.name")
    cents = serializers.IntegerField(help_text="paid, refunds taken off")
    missing = serializers.IntegerField(help_text="how many fees of it aren't paid; each person has one in drawn pairs")


class FeesSerializer(serializers.Serializer[Json]):
    fee_cents = serializers.IntegerField(help_text="of an entry; where partners are drawn, of a person")
    collected = serializers.IntegerField(source="totals.collected")
    refunded = serializers.IntegerField(source="totals.refunded")
    balance = serializers.IntegerField(source="totals.balance", help_text="what is in the till")
    prizes = serializers.IntegerField(source="totals.prizes", help_text="all of them, of all persons")
    prizes_each = serializers.BooleanField()
    paid = serializers.IntegerField(source="totals.paid", help_text="how many entries have")
    unpaid = serializers.IntegerField(source="totals.unpaid")
    entries = PaidSerializer(many=True)


class PrizeBody(StrictSerializer):
    cents = serializers.IntegerField(min_value=0, max_value=MAX_CENTS)
    what = serializers.CharField(required=False, default="", allow_blank=True, max_length=MAX_WHAT_CHARACTERS)


class FeesBody(StrictSerializer):
    fee_cents = serializers.IntegerField(min_value=0, max_value=MAX_CENTS, help_text="0: none")
    prizes = serializers.ListField(child=PrizeBody(), max_length=MAX_PRIZES, help_text="the first place's first")
    prizes_each = serializers.BooleanField(required=False, help_text="for each person of an entry; left out: as it was")


class GivenBody(StrictSerializer):
    place = serializers.IntegerField(min_value=1, max_value=MAX_PRIZES)
    entry = serializers.IntegerField(allow_null=True, help_text="null: by lot")
    reason = serializers.CharField(max_length=MAX_REASON_CHARACTERS, help_text="everybody reads it")


class RefundBody(StrictSerializer):
    cents = serializers.IntegerField(min_value=1, max_value=MAX_CENTS)


class FeeActs:
    """Fee and prizes, mixed into the view of tournaments."""

    @extend_schema(responses=PrizesSerializer)
    @action(detail=True)
    def prizes(self, request: Request, public_id: str) -> Response:
        """Prizes: what each place is worth, and who gets it as the standings are now."""
        tournament = find_tournament(request, public_id)
        return Response(PrizesSerializer(read_prize_list(tournament)).data)

    @serve(path="prizes/give", scope=Scope.ORGANISE, body=GivenBody, answer=PrizesSerializer)
    def give_prize(self, write: Write, public_id: str) -> Json:
        """Give what can't be divided of a shared place to one of those who share it; with null, to the lot again."""
        tournament, data = find_organised(write, public_id), write.data
        arguments: Any = {"tournament_id": tournament.pk, "by": write.player, "now": write.now}
        actions.give_prize(place=data["place"], entry_id=data["entry"], reason=data["reason"], **arguments)
        return read_prize_list(tournament)

    @extend_schema(responses=FeesSerializer)
    @action(detail=True)
    def fees(self, request: Request, public_id: str) -> Response:
        """Payments of the entries, and the totals."""
        tournament, _player = find_private(request, public_id)
        return Response(FeesSerializer(read_fees(tournament)).data)

    @serve(method="put", beside=fees, scope=Scope.ORGANISE, body=FeesBody, answer=FeesSerializer)
    def set_fees(self, write: Write, public_id: str) -> Json:
        """Set the fee of an entry and the prizes of the places; what was paid stays as it was."""
        tournament, data = find_organised(write, public_id), write.data
        prizes = [Prize(prize["cents"], prize["what"]) for prize in data["prizes"]]
        arguments: Any = {"tournament_id": tournament.pk, "by": write.player, "now": write.now}
        per_person = data.get("prizes_each")
        actions.set_fees(fee_cents=data["fee_cents"], prizes=prizes, prizes_each=per_person, **arguments)
        tournament.refresh_from_db(fields=["fee_cents", "prizes", "prizes_each"])
        return read_fees(tournament)


class PaymentActs:
    """Payments of an entry, mixed into the view of entries."""

    @serve(path="pay", scope=Scope.ORGANISE, answer=PaidSerializer)
    def pay(self, write: Write, public_id: str, entry: str) -> FeeRow:
        """Note that the entry has paid its fee; once, however often."""
        return self._note(write, public_id, entry, actions.mark_paid, now=write.now)

    @serve(path="unpay", scope=Scope.ORGANISE, answer=PaidSerializer)
    def unpay(self, write: Write, public_id: str, entry: str) -> FeeRow:
        """Take its last payment back: it was never made."""
        return self._note(write, public_id, entry, actions.unmark_paid)

    @serve(path="refund", scope=Scope.ORGANISE, body=RefundBody, answer=PaidSerializer)
    def refund(self, write: Write, public_id: str, entry: str) -> FeeRow:
        """Note what the entry got back, at most what it has paid."""
        return self._note(write, public_id, entry, actions.note_refund, cents=write.data["cents"], now=write.now)

    def _note(self, write: Write, public_id: str, entry: str, service: Any, **values: Any) -> FeeRow:
        """Call a service about an entry's payments, and return what it has paid."""
        tournament = find_organised(write, public_id)
        service(tournament_id=tournament.pk, by=write.player, entry_id=int(entry), **values)
        row = read_entry_row(tournament, int(entry))
        return next(iter(read_fee_rows(tournament, {row.entry_id: row})), FeeRow(row, 0, 0))


def read_prize_list(tournament: Tournament) -> Json:
    """Return what each place is worth, and who gets it as the standings are now."""
    shares = read_shares(tournament, read_entries(tournament))
    shared = list_shared(tournament, shares)
    prizes = {"prizes": read_prizes(tournament), "prizes_each": tournament.prizes_each}
    return {**prizes, "shares": shares, "shared": shared}


def read_fees(tournament: Tournament) -> Json:
    """Return the fee, who has paid, and the totals."""
    rows = read_fee_rows(tournament, read_entries(tournament))
    fees = {"fee_cents": tournament.fee_cents, "prizes_each": tournament.prizes_each}
    return {**fees, "totals": read_totals(tournament, rows), "entries": rows}
