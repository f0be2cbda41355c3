"""Rounds that aren't published, for programs (D1-D4): the draft and its swaps, the choice for one that can't be paired,
byes, pairs that mustn't meet.

Each write calls the service of the organiser's page; nobody else sees any of it before the round is published.
"""

from typing import Any

from django.db import transaction
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import find_private, find_tournament
from api.acts import find_organised
from api.answers import list_codes
from api.organise import DraftSerializer, OwnTournamentSerializer
from api.previews import build_previews
from api.refusals import RefusingView
from players.api.api_view import Scope
from players.api.bodies import HourField, StrictSerializer
from players.api.writes import Write, serve
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament
from tournaments.core.reasons import MAX_REASON_CHARACTERS
from tournaments.models import ForbiddenPairing, Round, RoundBye, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import read_settings
from tournaments.rounds import drafts, swaps
from tournaments.rounds import wishes as round_wishes
from tournaments.running import ways_out

MAX_ID = 2**31 - 1
MAX_HOURS = 200  # of rounds, in one write
ASKABLE = (RoundBye.Kind.ASKED, RoundBye.Kind.ABSENT)


class SwapBody(StrictSerializer):
    first = serializers.IntegerField(min_value=1, max_value=MAX_ID, help_text="the id of an entry of the draft")
    second = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    key = serializers.CharField(required=False, default="", max_length=32, help_text="of the draft that was read")


class RoundHourBody(StrictSerializer):
    round = serializers.IntegerField(min_value=1, max_value=10_000)
    opens_at = HourField()


class RoundHoursBody(StrictSerializer):
    hours = serializers.ListField(child=RoundHourBody(), allow_empty=False, max_length=MAX_HOURS)


class ByeSerializer(serializers.ModelSerializer[RoundBye]):
    entry = serializers.IntegerField(source="entry_id")
    round = serializers.IntegerField(source="number")

    class Meta:
        model = RoundBye
        fields = ("id", "entry", "round", "kind")
        read_only_fields = fields


class ByeBody(StrictSerializer):
    entry = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    round = serializers.IntegerField(min_value=1, max_value=10_000)
    kind = serializers.ChoiceField(list_codes(ASKABLE), help_text="asked: half the points of a win, once; absent: none")


class BanSerializer(serializers.ModelSerializer[ForbiddenPairing]):
    first = serializers.IntegerField(source="first_id", help_text="the id of an entry")
    second = serializers.IntegerField(source="second_id")

    class Meta:
        model = ForbiddenPairing
        fields = ("id", "first", "second")
        read_only_fields = fields


class BanBody(StrictSerializer):
    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID), min_length=2, max_length=20
    )


class BannedSerializer(serializers.Serializer[int]):
    pairs = serializers.IntegerField(source="*", help_text="how many are new")


class WayBody(StrictSerializer):
    round = serializers.IntegerField(min_value=1, max_value=10_000)
    way = serializers.ChoiceField(
        list_codes(Round.Way),
        help_text="bye: as few byes more as it takes; rematch: as few as it takes, in the last round; end: with the "
        "round before",
    )
    reason = serializers.CharField(max_length=MAX_REASON_CHARACTERS, help_text="everybody reads it")


class WayBackBody(StrictSerializer):
    round = serializers.IntegerField(min_value=1, max_value=10_000)
    reason = serializers.CharField(max_length=MAX_REASON_CHARACTERS, help_text="everybody reads it")


class StuckRoundSerializer(serializers.Serializer[Tournament]):
    """The first round that can't be paired any more, if there is one."""

    round = serializers.IntegerField(source="stuck_round", allow_null=True)
    ways = serializers.SerializerMethodField(help_text="of which the organiser chooses one: bye, rematch, end")
    chosen = serializers.SerializerMethodField(help_text="empty: nothing yet")

    by_draft = serializers.SerializerMethodField(
        allow_null=True, help_text="the round that can't be paired any more once the draft is published as it is"
    )

    def get_by_draft(self, tournament: Tournament) -> int | None:
        draft = drafts.read_draft(tournament)
        return None if draft is None else drafts.find_dead_end(tournament, draft)

    def get_ways(self, tournament: Tournament) -> list[str]:
        return [str(way) for way in ways_out.list_ways(tournament)]

    def get_chosen(self, tournament: Tournament) -> str:
        chosen = tournament.rounds.filter(number=tournament.stuck_round or 0).values_list("way", flat=True)
        return chosen.first() or ""


class RoundActs:
    """Acts on a draft, and for a round that can't be paired, mixed into the view of tournaments."""

    @extend_schema(responses=DraftSerializer)
    @action(detail=True, url_path="rounds/draft")
    def draft(self, request: Request, public_id: str) -> Response:
        """The round that only the desk sees."""
        tournament, _player = find_private(request, public_id)
        draft = drafts.read_draft(tournament)
        if draft is None:
            raise Http404
        return Response(DraftSerializer(draft).data)

    @serve(path="rounds/swap", scope=Scope.ORGANISE, body=SwapBody, answer=DraftSerializer)
    def swap(self, write: Write, public_id: str) -> drafts.RoundDraft:
        """Let two entries of the draft change places."""
        tournament, data = find_organised(write, public_id), write.data
        return swaps.swap_entries(
            tournament_id=tournament.pk,
            first_id=data["first"],
            second_id=data["second"],
            by=write.player,
            now=write.now,
            seen=data["key"],
        )

    @extend_schema(responses=StuckRoundSerializer)
    @action(detail=True, url_path="rounds/stuck")
    def stuck(self, request: Request, public_id: str) -> Response:
        """The round that can't be paired any more, and what may be chosen for it."""
        tournament, _player = find_private(request, public_id)
        return Response(StuckRoundSerializer(tournament).data)

    @serve(path="rounds/way", scope=Scope.ORGANISE, body=WayBody, answer=StuckRoundSerializer)
    def choose_way(self, write: Write, public_id: str) -> Tournament:
        """Choose how a round that can't be paired is played: with second byes, rematches, or not at all."""
        tournament, data = find_organised(write, public_id), write.data
        arguments: Any = {"tournament_id": tournament.pk, "by": write.player, "now": write.now}
        ways_out.choose_way(number=data["round"], way=data["way"], reason=data["reason"], **arguments)
        return find_tournament(write.request, public_id)

    @serve(path="rounds/way/cancel", scope=Scope.ORGANISE, body=WayBackBody, answer=StuckRoundSerializer)
    def take_way_back(self, write: Write, public_id: str) -> Tournament:
        """Take that choice back, while the round isn't drawn."""
        tournament, data = find_organised(write, public_id), write.data
        arguments: Any = {"tournament_id": tournament.pk, "by": write.player, "now": write.now}
        ways_out.take_way_back(number=data["round"], reason=data["reason"], **arguments)
        return find_tournament(write.request, public_id)

    rounds_preview = build_previews(
        "Round",
        {"way": ("choose_way", WayBody), "cancel": ("take_way_back", WayBackBody)},
        ("way", {"round": 5, "way": "rematch", "reason": "restano in due"}),
        path="rounds/preview",
    )

    @serve(path="rounds/hours", method="put", scope=Scope.ORGANISE, body=RoundHoursBody, answer=OwnTournamentSerializer)
    def move_rounds(self, write: Write, public_id: str) -> Tournament:
        """Move rounds that haven't begun to other hours: who plays is told."""
        tournament = find_organised(write, public_id)
        with transaction.atomic():
            tournament = lock_tournament(tournament.pk)
            if tournament.state != Tournament.State.RUNNING:
                raise TournamentError("not_running")
            lifecycle.edit_tournament(
                tournament_id=tournament.pk,
                by=write.player,
                settings=read_settings(tournament),
                now=write.now,
                hours={row["round"]: row["opens_at"] for row in write.data["hours"]},
            )
        return find_tournament(write.request, public_id)


class ByeViewSet(RefusingView, GenericViewSet[RoundBye]):
    """Rounds that entries don't play: byes asked for, absences, and rounds missed before a late entry."""

    queryset = RoundBye.objects.none()
    pagination_class = None
    lookup_field = "bye"
    lookup_value_regex = r"[0-9]{1,15}"

    @extend_schema(responses=ByeSerializer(many=True))
    def list(self, request: Request, public_id: str) -> Response:
        """The byes of all rounds, in their order."""
        tournament, _player = find_private(request, public_id)
        byes: Any = RoundBye.objects.filter(entry__tournament=tournament)
        return Response(ByeSerializer(byes, many=True).data)

    @serve(scope=Scope.ORGANISE, body=ByeBody, answer=ByeSerializer, status=201)
    def create(self, write: Write, public_id: str) -> RoundBye:
        """Don't draw an entry to a round."""
        tournament, data = find_organised(write, public_id), write.data
        about: Any = {"entry_id": data["entry"], "number": data["round"], "kind": data["kind"]}
        round_wishes.leave_out(tournament_id=tournament.pk, by=write.player, now=write.now, **about)
        return RoundBye.objects.get(entry=data["entry"], number=data["round"])

    preview = build_previews(
        "Bye", {"byes": ("create", ByeBody)}, ("byes", {"entry": 12, "round": 4, "kind": "absent"}), detail=False
    )

    @serve(scope=Scope.ORGANISE)
    def destroy(self, write: Write, public_id: str, bye: str) -> None:
        """Let an entry be drawn to a round after all."""
        tournament = find_organised(write, public_id)
        round_wishes.take_bye_back(tournament_id=tournament.pk, bye_id=int(bye), by=write.player, now=write.now)


class BanViewSet(RefusingView, GenericViewSet[ForbiddenPairing]):
    """Pairs of entries that aren't to meet."""

    queryset = ForbiddenPairing.objects.none()
    pagination_class = None
    lookup_field = "ban"
    lookup_value_regex = r"[0-9]{1,15}"

    @extend_schema(responses=BanSerializer(many=True))
    def list(self, request: Request, public_id: str) -> Response:
        tournament, _player = find_private(request, public_id)
        bans: Any = tournament.forbidden_pairings.all()
        return Response(BanSerializer(bans, many=True).data)

    @serve(scope=Scope.ORGANISE, body=BanBody, answer=BannedSerializer, status=201)
    def create(self, write: Write, public_id: str) -> int:
        """Don't let any two of these entries meet."""
        tournament, entries = find_organised(write, public_id), write.data["entries"]
        arguments: Any = {"tournament_id": tournament.pk, "by": write.player, "now": write.now}
        return round_wishes.forbid_pairings(entry_ids=entries, **arguments)

    @serve(scope=Scope.ORGANISE)
    def destroy(self, write: Write, public_id: str, ban: str) -> None:
        """Let two entries meet after all."""
        tournament = find_organised(write, public_id)
        round_wishes.allow_pairing(tournament_id=tournament.pk, ban_id=int(ban), by=write.player, now=write.now)
