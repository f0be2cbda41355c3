"""People's pages for programs: as far as each person shows them to whoever asks."""

from typing import Any

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from api.answers import build_page, build_pair_field, list_codes
from games.facts.queries import FactSums
from games.models import SeatFacts
from games.rules import RULESETS
from players.api.api_view import ApiView
from players.api.bodies import PageFilters, answer_page, cut_rows
from players.converters import PUBLIC_ID
from players.models import FixedPair, Player
from players.selectors import PARTS, may_see
from tournaments.profiles.history import HistoryRow, describe_matches
from tournaments.profiles.played_tournaments import PersonTournament
from tournaments.profiles.queries import PersonPage, find_person, read_person


class FactSumsSerializer(serializers.Serializer[FactSums]):
    """Sums over the matches that count; training and what was annulled don't."""

    matches = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    points_for = serializers.IntegerField()
    points_against = serializers.IntegerField()
    deals = serializers.IntegerField()
    scope = serializers.IntegerField()
    settebello = serializers.IntegerField()
    primiera = serializers.IntegerField()
    accusi = serializers.IntegerField()
    cappotti = serializers.IntegerField()
    last_tricks = serializers.IntegerField()
    plays = serializers.IntegerField(help_text="those whose time is known")
    thinking_ms = serializers.IntegerField()


class PersonTournamentSerializer(serializers.Serializer[PersonTournament]):
    tournament = serializers.CharField(source="tournament.public_id")
    name = serializers.CharField(source="tournament.name")
    rank = serializers.IntegerField(allow_null=True, help_text="among people, once it is over")
    field = serializers.IntegerField(allow_null=True, help_text="how many entries of people")
    points = serializers.IntegerField(allow_null=True)


class FixedPairSerializer(serializers.ModelSerializer[FixedPair]):
    """Fixed pair; ``formed_at`` null: an invitation of the first to the second."""

    id = serializers.CharField(source="public_id")
    players = serializers.SerializerMethodField(help_text="public ids, who invited first")

    class Meta:
        model = FixedPair
        fields = ("id", "name", "players", "invited_at", "formed_at", "ended_at")
        read_only_fields = fields

    def get_players(self, pair: FixedPair) -> list[str]:
        return [player.public_id for player in pair.players]


class PersonSerializer(serializers.Serializer[PersonPage]):
    """Person, with the parts that they show to whoever asks; the others are null."""

    public_id = serializers.CharField(source="person.public_id")
    name = serializers.CharField(source="person.name")
    kind = serializers.ChoiceField(list_codes(Player.Kind.values), source="person.kind")
    since = serializers.DateTimeField(source="person.created_at")
    shows = serializers.SerializerMethodField(help_text="the parts that are shown")
    statistics = serializers.SerializerMethodField()
    tournaments = serializers.SerializerMethodField(help_text="the latest ten")
    pairs = serializers.SerializerMethodField()

    def get_shows(self, page: PersonPage) -> list[str]:
        return [part for part in PARTS if part in page.parts]

    @extend_schema_field(FactSumsSerializer(allow_null=True))
    def get_statistics(self, page: PersonPage) -> Any:
        return FactSumsSerializer(page.sums).data if "statistics" in page.parts else None

    @extend_schema_field(PersonTournamentSerializer(many=True, allow_null=True))
    def get_tournaments(self, page: PersonPage) -> Any:
        rows: Any = page.tournaments.rows
        return PersonTournamentSerializer(rows, many=True).data if "tournaments" in page.parts else None

    @extend_schema_field(FixedPairSerializer(many=True, allow_null=True))
    def get_pairs(self, page: PersonPage) -> Any:
        rows: Any = page.pairs
        return FixedPairSerializer(rows, many=True).data if "pairs" in page.parts else None


class PersonMatchSerializer(serializers.Serializer[HistoryRow]):
    """Match of a person, as a referee ruled it where one did; its record is at /matches/."""

    match = serializers.CharField(source="table", help_text="its public id")
    tournament = serializers.SerializerMethodField(help_text="its public id, or null")
    ruleset = serializers.ChoiceField(list_codes(RULESETS))
    players = serializers.SerializerMethodField()
    finished_at = serializers.DateTimeField(source="at")
    outcome = serializers.ChoiceField(list_codes((*SeatFacts.Outcome.values, "annulled")))
    points_for = serializers.SerializerMethodField()
    points_against = serializers.SerializerMethodField()
    cards = build_pair_field(help_text="card points, the person's first, where the score counts deals; else null")

    def get_tournament(self, row: HistoryRow) -> str | None:
        return row.tournament or None

    def get_players(self, row: HistoryRow) -> int:
        return 1 + len(row.partners) + len(row.opponents)

    def get_points_for(self, row: HistoryRow) -> int | None:
        return None if row.score is None else row.score[0]

    def get_points_against(self, row: HistoryRow) -> int | None:
        return None if row.score is None else row.score[1]


class PersonViewSet(ApiView, ViewSet):
    """People with accounts, guests and the house's players."""

    lookup_field = "person"
    lookup_value_regex = PUBLIC_ID
    filters = {"matches": PageFilters}

    @extend_schema(operation_id="people_retrieve", responses=PersonSerializer)
    def retrieve(self, request: Request, person: str) -> Response:
        """A person's page, as far as it is shown to whoever asks."""
        owner = _find_open(person)
        return Response(PersonSerializer(read_person(owner, self.read_player(), timezone.now())).data)

    @extend_schema(parameters=[PageFilters], responses=build_page(PersonMatchSerializer))
    @action(detail=True)
    def matches(self, request: Request, person: str) -> Response:
        """The finished matches of a person, the latest first; 404 where they aren't shown to whoever asks."""
        owner = _find_open(person)
        if not may_see(owner, self.read_player(), "history"):
            raise Http404
        page, key = cut_rows(SeatFacts.objects.filter(player=owner), self.query)
        return answer_page(request, PersonMatchSerializer, describe_matches(owner, page), key)


def _find_open(public_id: str) -> Player:
    person = find_person(public_id)
    if person is None or not person.user.is_active:
        raise Http404
    return person
