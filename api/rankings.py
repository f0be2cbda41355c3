"""Rankings and the archive for programs: the same reads as the pages, in pages by a cursor."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from api.answers import build_page, list_codes
from api.refusals import RefusingView
from games.rules import RULESETS
from players.api.bodies import PageFilters, answer_page, cut_rows
from players.models import Person
from players.names import MAX_NAME_CHARACTERS
from tournaments.models import Club, Ranking
from tournaments.rankings import archive, queries
from tournaments.venues import VENUES


class RankingSerializer(serializers.ModelSerializer[Ranking]):
    club = serializers.CharField(source="club.public_id", default=None, allow_null=True, help_text="null: the site's")
    form = serializers.ChoiceField(list_codes(Ranking.Form.values))
    kind = serializers.ChoiceField(list_codes(Ranking.Kind.values))
    people = serializers.IntegerField(source="size")
    made_at = serializers.DateTimeField(help_text="what ended later may not be in it yet")

    class Meta:
        model = Ranking
        fields = ("club", "ruleset", "form", "kind", "year", "people", "made_at")
        read_only_fields = fields


class RankedPersonSerializer(serializers.Serializer[queries.RankedPerson]):
    """Person of a ranking."""

    place = serializers.IntegerField(help_text="in the list; people who are level share the rank, not the place")
    rank = serializers.IntegerField()
    name = serializers.CharField()
    player = serializers.CharField(
        source="player.public_id", default=None, allow_null=True, help_text="its public id; null: without an account"
    )
    value = serializers.IntegerField(help_text="points, or the level")
    tournaments = serializers.IntegerField(help_text="that gave points; of levels, matches")
    uncertain = serializers.BooleanField(help_text="of a level")


class ArchivedPersonSerializer(serializers.Serializer[Person]):
    """Person who was first."""

    name = serializers.CharField(source="public_name")
    player = serializers.CharField(
        source="player.public_id", default=None, allow_null=True, help_text="its public id; null: without an account"
    )


class ArchivedTournamentSerializer(serializers.Serializer[archive.ArchivedTournament]):
    """Finished tournament."""

    public_id = serializers.CharField(source="tournament.public_id")
    name = serializers.CharField(source="tournament.name")
    ruleset = serializers.CharField(source="tournament.ruleset")
    format = serializers.CharField(source="tournament.format")
    venue = serializers.ChoiceField(list_codes(VENUES), source="tournament.venue.code")
    club = serializers.CharField(source="tournament.club.public_id", default=None, allow_null=True)
    finished_at = serializers.DateTimeField(source="tournament.finished_at")
    field_size = serializers.IntegerField(source="field", help_text="entries of people that played; 0: not known")
    winners = ArchivedPersonSerializer(many=True)


class RankingFilters(PageFilters):
    club = serializers.CharField(required=False, default="", max_length=12, help_text="its public id: its own rankings")


class PeopleFilters(RankingFilters):
    ruleset = serializers.ChoiceField(list_codes(RULESETS), required=False, default=next(iter(RULESETS)))
    form = serializers.ChoiceField(list_codes(Ranking.Form.values), required=False, default=Ranking.Form.ALONE.value)
    kind = serializers.ChoiceField(list_codes(Ranking.Kind.values), required=False, default=Ranking.Kind.EVER.value)
    year = serializers.IntegerField(required=False, default=0, min_value=0, max_value=9999, help_text="of kind year")
    name = serializers.CharField(
        required=False, default="", max_length=MAX_NAME_CHARACTERS, help_text="how the name begins; the first few"
    )


class ArchiveFilters(PageFilters):
    name = serializers.CharField(required=False, default="", max_length=80, help_text="a part of the tournament's name")
    club = serializers.CharField(required=False, default="", max_length=60, help_text="a part of its name, or its id")
    ruleset = serializers.ChoiceField(list_codes(RULESETS), required=False, default="")
    year = serializers.IntegerField(required=False, default=None, min_value=1, max_value=9998)
    player = serializers.CharField(
        required=False, default="", max_length=MAX_NAME_CHARACTERS, help_text="how the name of whoever played begins"
    )
    venue = serializers.ChoiceField(list_codes(VENUES), required=False, default="")


class RankingViewSet(RefusingView, ViewSet):
    """Stored rankings, and who stands in one."""

    filters = {"list": RankingFilters, "people": PeopleFilters}

    @extend_schema(parameters=[RankingFilters], responses={200: build_page(RankingSerializer), 404: None})
    def list(self, request: Request) -> Response:
        """The rankings of the site, or a club's own, in which somebody stands."""
        rankings = queries.list_rankings(self._find_club()).select_related("club")
        page, key = cut_rows(rankings, self.query)
        return answer_page(request, RankingSerializer, page, key)

    @extend_schema(parameters=[PeopleFilters], responses={200: build_page(RankedPersonSerializer), 404: None})
    @action(detail=False)
    def people(self, request: Request) -> Response:
        """People of a ranking, the best first; of levels only those who show theirs to the reader."""
        wanted = {name: self.query[name] for name in ("ruleset", "form", "kind", "year")}
        ranking = Ranking.objects.filter(club=self._find_club(), **wanted).first()
        if ranking is None:
            return answer_page(request, RankedPersonSerializer, [], None)
        after, limit = self.query.get("cursor", 0), self.query["limit"]
        rows, more = queries.read_people_after(
            ranking, self.read_player(), after=after, limit=limit, name=self.query["name"]
        )
        return answer_page(request, RankedPersonSerializer, rows, more)

    def _find_club(self) -> Club | None:
        if not self.query["club"]:
            return None
        club = Club.objects.filter(public_id=self.query["club"]).first()
        if club is None:
            raise Http404
        return club


class ArchiveViewSet(RefusingView, ViewSet):
    """Finished tournaments that everybody is shown."""

    filters = {"list": ArchiveFilters}

    @extend_schema(parameters=[ArchiveFilters], responses=build_page(ArchivedTournamentSerializer))
    def list(self, request: Request) -> Response:
        """The archive, the latest first."""
        names = ("name", "club", "ruleset", "year", "player", "venue")
        wanted: dict[str, Any] = {name: self.query[name] for name in names}
        rows, key = archive.read_after(
            archive.Wanted(**wanted), after=self.query.get("cursor"), limit=self.query["limit"]
        )
        return answer_page(request, ArchivedTournamentSerializer, rows, key)
