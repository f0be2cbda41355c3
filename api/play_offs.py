"""Play-offs for a rank that is shared at the end (EV11), for programs: read by everybody, held by referees.

Each write calls the service of the referee's page. The ranks they make stand in the standings.
"""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import find_tournament
from api.acts import find_organised
from api.answers import LENGTH_KINDS, SIDES, EntrySerializer, build_pair_field, build_side_field, list_codes
from api.fixtures import build_number_pair
from api.organise import OptionalReasonBody, OwnTournamentSerializer, ReasonBody, make_act
from api.previews import build_previews
from api.refusals import RefusingView
from games.engine.game import Length
from games.engine.match import find_leader, find_terms
from players.api.api_view import Scope
from players.api.writes import Write, serve
from scoring.play_offs import MOST
from tournaments.desk.results import MAX_POINTS, Decision
from tournaments.formats.protocol import Slot
from tournaments.models import PlayOff, Tournament
from tournaments.play_offs import actions
from tournaments.play_offs.queries import PlayOffMatch, PlayOffPlace, PlayOffRound, ShownPlayOff, read_shown_play_offs

MAX_ID = 2**31 - 1
MAX_BOARD = MOST // 2
STATES = ("running", "counts", "idle")


class PlayOffMatchSerializer(serializers.Serializer[PlayOffMatch]):
    round = serializers.IntegerField(source="slot.round")
    board = serializers.IntegerField(source="slot.board")
    first = EntrySerializer(allow_null=True, help_text="null: not known yet, or nobody")
    second = EntrySerializer(allow_null=True)
    ready = serializers.BooleanField(help_text="both sides are known: it can be played, or was")
    bye = serializers.BooleanField(help_text="the first goes on without playing")
    over = serializers.SerializerMethodField()
    points = build_pair_field(source="result.points", default=None)
    winner = build_side_field("null: nobody", source="result.winner", default=None)
    forfeit_by = build_side_field("who forfeited alone", source="result.forfeit_by", default=None)
    double_forfeit = serializers.BooleanField(source="result.double_forfeit", default=False)
    decided_by = serializers.CharField(source="result.decided_by", default="")

    def get_over(self, match: PlayOffMatch) -> bool:
        return match.result is not None


class PlayOffRoundSerializer(serializers.Serializer[PlayOffRound]):
    number = serializers.IntegerField()
    name = serializers.CharField()
    matches = PlayOffMatchSerializer(many=True)


class PlayOffPlaceSerializer(serializers.Serializer[PlayOffPlace]):
    place = serializers.IntegerField(help_text="in the play-off, from 1; some may share one")
    entry = serializers.IntegerField(source="entry.entry_id")


class PlayOffSerializer(serializers.Serializer[ShownPlayOff]):
    number = serializers.IntegerField(source="plan.number")
    rank = serializers.IntegerField(source="plan.rank", help_text="that its entries shared when it was opened")
    length_kind = serializers.ChoiceField(choices=LENGTH_KINDS, source="plan.length.kind")
    length_value = serializers.IntegerField(source="plan.length.value")
    opened_at = serializers.DateTimeField(source="plan.opened_at")
    state = serializers.ChoiceField(
        list_codes(STATES),
        help_text="running; counts: it orders those who played it; idle: it is over, and they share no rank of their "
        "own",
    )
    entries = EntrySerializer(many=True, help_text="in the order of the tournament's lot: the first have the byes")
    rounds = PlayOffRoundSerializer(many=True)
    places = PlayOffPlaceSerializer(many=True, help_text="once it is over, the best first")


class PlayOffBody(OptionalReasonBody):
    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID),
        max_length=2 * MOST,
        help_text="the ids of all who share the rank",
    )
    length_kind = serializers.ChoiceField(LENGTH_KINDS)
    length_value = serializers.IntegerField(min_value=1, max_value=1000)


class PlayOffMatchBody(OptionalReasonBody):
    round = serializers.IntegerField(min_value=1, max_value=MOST)
    board = serializers.IntegerField(min_value=1, max_value=MAX_BOARD)


class PlayOffResultBody(PlayOffMatchBody):
    points = build_number_pair(0, MAX_POINTS)
    winner = serializers.ChoiceField(SIDES, required=False, help_text="left out: as the points say")
    decided_by = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=24, help_text="if not by the points: how"
    )


class PlayOffForfeitBody(PlayOffMatchBody):
    forfeit_by = serializers.ListField(
        child=serializers.ChoiceField(SIDES), min_length=1, max_length=2, help_text="one side, or both"
    )


class PlayOffViewSet(RefusingView, GenericViewSet[PlayOff]):
    """Play-offs of one tournament at real tables, each by its number."""

    queryset = PlayOff.objects.none()
    pagination_class = None
    lookup_field = "number"
    lookup_value_regex = r"[0-9]{1,5}"

    @extend_schema(responses=PlayOffSerializer(many=True))
    def list(self, request: Request, public_id: str) -> Response:
        """The play-offs in the order in which they were opened."""
        shown: Any = read_shown_play_offs(find_tournament(request, public_id))
        return Response(PlayOffSerializer(shown, many=True).data)

    @extend_schema(responses=PlayOffSerializer)
    def retrieve(self, request: Request, public_id: str, number: str) -> Response:
        return Response(PlayOffSerializer(_read(find_tournament(request, public_id), int(number))).data)

    @serve(scope=Scope.ORGANISE, body=PlayOffBody, answer=PlayOffSerializer, status=201)
    def create(self, write: Write, public_id: str) -> ShownPlayOff:
        """Open a play-off among all who share a rank."""
        tournament, data = find_organised(write, public_id), write.data
        length = Length(data["length_kind"], data["length_value"])
        number = actions.open_play_off(
            tournament_id=tournament.pk, entry_ids=data["entries"], length=length, act=make_act(write)
        )
        return _read(tournament, number or 0)

    @serve(path="result", method="put", scope=Scope.ORGANISE, body=PlayOffResultBody, answer=PlayOffSerializer)
    def set_result(self, write: Write, public_id: str, number: str) -> ShownPlayOff:
        """Give one of its matches a result. The first one needs no reason."""
        data = write.data
        points = (data["points"][0], data["points"][1])
        winner = data.get("winner")
        if winner is None:
            shown = _read(find_organised(write, public_id), int(number))
            terms = actions.make_terms(find_tournament(write.request, public_id), shown.plan.length)
            winner = find_leader(find_terms(terms.setup), points)
        decision = Decision(points=points, winner=winner, decided_by=data["decided_by"])
        return self._decide(write, public_id, number, actions.set_result, decision=decision)

    @serve(path="forfeit", scope=Scope.ORGANISE, body=PlayOffForfeitBody, answer=PlayOffSerializer)
    def declare_forfeit(self, write: Write, public_id: str, number: str) -> ShownPlayOff:
        """Declare a forfeit of one side of one of its matches, or of both."""
        sides = tuple(sorted(set(write.data["forfeit_by"])))
        return self._decide(write, public_id, number, actions.declare_forfeit, sides=sides)

    @serve(path="clear", scope=Scope.ORGANISE, body=PlayOffMatchBody, answer=PlayOffSerializer)
    def take_result_back(self, write: Write, public_id: str, number: str) -> ShownPlayOff:
        """Take the result of one of its matches back, with a reason."""
        return self._decide(write, public_id, number, actions.take_result_back)

    @serve(path="drop", scope=Scope.ORGANISE, body=ReasonBody)
    def drop(self, write: Write, public_id: str, number: str) -> None:
        """Take it away as a whole; the log keeps that there was one."""
        tournament = find_organised(write, public_id)
        actions.drop_play_off(tournament_id=tournament.pk, number=int(number), act=make_act(write))

    preview = build_previews(
        "PlayOff",
        {
            "result": ("set_result", PlayOffResultBody),
            "forfeit": ("declare_forfeit", PlayOffForfeitBody),
            "clear": ("take_result_back", PlayOffMatchBody),
            "drop": ("drop", ReasonBody),
        },
        ("result", {"round": 1, "board": 1, "points": [7, 4]}),
    )

    def _decide(self, write: Write, public_id: str, number: str, service: Any, **values: Any) -> ShownPlayOff:
        """Call a referee's service about a match, and return its play-off."""
        tournament = find_organised(write, public_id)
        slot = Slot(write.data["round"], write.data["board"])
        service(tournament_id=tournament.pk, number=int(number), slot=slot, act=make_act(write), **values)
        return _read(tournament, int(number))


class ClosingActs:
    """Mark after the end of a tournament, mixed into the view of tournaments."""

    @serve(path="close", scope=Scope.ORGANISE, answer=OwnTournamentSerializer)
    def close(self, write: Write, public_id: str) -> Tournament:
        """Close a tournament that is over: no play-off is opened or changed any more."""
        return self._mark(write, public_id, actions.close_tournament)

    @serve(path="reopen", scope=Scope.ORGANISE, answer=OwnTournamentSerializer)
    def reopen(self, write: Write, public_id: str) -> Tournament:
        """Take that mark away again."""
        return self._mark(write, public_id, actions.reopen_tournament)

    def _mark(self, write: Write, public_id: str, service: Any) -> Tournament:
        tournament = find_organised(write, public_id)
        service(tournament_id=tournament.pk, by=write.player, now=write.now)
        return find_tournament(write.request, public_id)


def _read(tournament: Tournament, number: int) -> ShownPlayOff:
    """Return the play-off of that number; Http404 for none."""
    tournament.refresh_from_db(fields=["play_offs_opened"])
    shown = next((one for one in read_shown_play_offs(tournament) if one.plan.number == number), None)
    if shown is None:
        raise Http404
    return shown
