"""Circuits for programs (Y3): read by everybody; run by a key that was made for their club, or for one's own."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import is_for_club, require_reader
from api.acts import lock_seen
from api.answers import build_page, list_codes
from api.organise import require_club_chosen
from api.refusals import RefusingView
from games.engine.record import Json
from players import caps
from players.api.api_view import Scope, read_token
from players.api.bodies import PageFilters, StrictSerializer, answer_page, cut_rows
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.clean_text import clean_line
from players.converters import PUBLIC_ID
from players.markdown import MAX_MARKDOWN_CHARACTERS
from players.models import AccessToken, Person
from players.services.tokens import OWN
from tournaments.circuits import actions, finals, links, queries
from tournaments.circuits.actions import CircuitTerms, read_terms
from tournaments.circuits.explained import CircuitPage, ShownTotal, read_circuit_page, read_stages
from tournaments.circuits.exports import code_reason
from tournaments.models import Circuit, CircuitLink, Club

Table = Circuit.Table


class CircuitSerializer(serializers.ModelSerializer[Circuit]):
    club = serializers.CharField(source="club.public_id", allow_null=True, default=None, help_text="its public id")
    series = serializers.CharField(
        source="series.public_id", allow_null=True, default=None, help_text="whose new tournaments join by themselves"
    )
    final = serializers.SerializerMethodField(help_text="the public id of the final, or null")
    tournaments = serializers.SerializerMethodField(help_text="in their order, each with its standing in the circuit")
    counting = serializers.SerializerMethodField(help_text="a result has changed, and the totals follow in a moment")

    class Meta:
        model = Circuit
        fields = (
            "public_id", "name", "description", "club", "table", "places", "taking_part", "best_of", "by_pairs",
            "series", "final", "tournaments", "created_at", "ended_at", "counting",
        )  # fmt: skip
        read_only_fields = fields

    def get_final(self, circuit: Circuit) -> str | None:
        hidden = circuit.final is None or circuit.final.state == "draft"
        return None if circuit.final is None or hidden else circuit.final.public_id

    def get_tournaments(self, circuit: Circuit) -> list[dict[str, str]]:
        stages = read_stages(circuit, runs=False, stages=circuit.stages.all())
        return [{"tournament": stage.tournament.public_id, "standing": stage.standing} for stage in stages]

    def get_counting(self, circuit: Circuit) -> bool:
        return circuit.due_at is not None


class CircuitTotalSerializer(serializers.Serializer[Json]):
    """A row: what counts, what is dropped, and why it comes before the next one."""

    rank = serializers.IntegerField()
    name = serializers.CharField()
    total = serializers.IntegerField()
    results = serializers.ListField(
        child=serializers.DictField(), help_text="tournament, points, place, field, and if it counts"
    )
    why = serializers.DictField(allow_null=True, help_text="single, earlier or level; null where the totals say it")


class CircuitNamesSerializer(serializers.Serializer[Json]):
    """The people of a circuit, by the ids that links take; the links; and equal names that may be one person."""

    people = serializers.ListField(child=serializers.DictField())
    links = serializers.ListField(child=serializers.DictField())
    proposals = serializers.ListField(child=serializers.DictField())


class CircuitCountSerializer(serializers.Serializer[Json]):
    """Number of entries that an act made."""

    count = serializers.IntegerField()


class CircuitFilters(PageFilters):
    """Query of the list of circuits."""

    club = serializers.CharField(required=False, max_length=12, help_text="its public id")


class CircuitBody(StrictSerializer):
    name = serializers.CharField(max_length=actions.MAX_NAME_CHARACTERS)
    description = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_MARKDOWN_CHARACTERS, trim_whitespace=False
    )
    table = serializers.ChoiceField(list_codes(Table.values), required=False)
    places = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=actions.MAX_POINTS),
        required=False,
        max_length=actions.MAX_PLACES,
        help_text="the points of the first places",
    )
    taking_part = serializers.IntegerField(
        min_value=0, max_value=actions.MAX_POINTS, required=False, help_text="the points of every later place"
    )
    best_of = serializers.IntegerField(
        min_value=1,
        max_value=caps.MAX_CIRCUIT_TOURNAMENTS,
        required=False,
        allow_null=True,
        help_text="null: all count",
    )
    by_pairs = serializers.BooleanField(required=False)


class NewCircuitBody(CircuitBody):
    club = serializers.CharField(max_length=12, required=False, allow_blank=True, help_text="its public id")


class CircuitTournamentsBody(StrictSerializer):
    tournaments = serializers.ListField(
        child=serializers.CharField(max_length=12), min_length=1, max_length=caps.MAX_CIRCUIT_TOURNAMENTS
    )


class CircuitTournamentBody(StrictSerializer):
    tournament = serializers.CharField(max_length=12, help_text="its public id")


class CircuitSeriesBody(StrictSerializer):
    series = serializers.CharField(max_length=12, allow_blank=True, help_text="its public id; empty: none any more")


class CircuitFinalBody(CircuitTournamentBody):
    qualify = serializers.IntegerField(min_value=0, max_value=finals.MAX_QUALIFIED, help_text="0: nobody is entered")


class CircuitLinkBody(StrictSerializer):
    person = serializers.IntegerField(min_value=1)
    same_as = serializers.IntegerField(min_value=1)


class CircuitUnlinkBody(StrictSerializer):
    link = serializers.IntegerField(min_value=1)


class CircuitViewSet(RefusingView, GenericViewSet[Circuit]):
    """Circuits, the newest first: those with a result, or those of one club."""

    queryset = Circuit.objects.none()
    pagination_class = None
    lookup_field = "circuit"
    lookup_value_regex = PUBLIC_ID
    filters = {"list": CircuitFilters, "totals": PageFilters}

    @extend_schema(parameters=[CircuitFilters], responses=build_page(CircuitSerializer))
    def list(self, request: Request) -> Response:
        rows: QuerySet[Circuit] = queries.list_public_circuits(self.query.get("club", ""))
        page, key = cut_rows(rows.select_related("series", "final").prefetch_related("stages__tournament"), self.query)
        return answer_page(request, CircuitSerializer, page, key)

    @extend_schema(responses=CircuitSerializer)
    def retrieve(self, request: Request, circuit: str) -> Response:
        return Response(CircuitSerializer(_find(circuit)).data)

    @extend_schema(parameters=[PageFilters], responses=build_page(CircuitTotalSerializer))
    @action(detail=True)
    def totals(self, request: Request, circuit: str) -> Response:
        """The rows, best first, each with what makes it."""
        shown = read_circuit_page(_find(circuit), None, whole=True)
        first, limit = self.query.get("cursor", 0), self.query["limit"]
        page = [_write_total(row, shown) for row in shown.rows[first : first + limit]]
        key = first + limit if first + limit < len(shown.rows) else None
        return answer_page(request, CircuitTotalSerializer, page, key)

    @extend_schema(responses=CircuitNamesSerializer)
    @action(detail=True)
    def names(self, request: Request, circuit: str) -> Response:
        """The people and their links, for whoever runs the circuit."""
        player, token, row = require_reader(request), read_token(request), _find(circuit)
        if token is not None:
            _require_chosen(token, row.club)
        queries.require_runner(row, player)
        return Response(CircuitNamesSerializer(_describe_names(row)).data)

    @serve(scope=Scope.ORGANISE, body=NewCircuitBody, answer=CircuitSerializer, status=201)
    def create(self, write: Write) -> Circuit:
        """Make a circuit without tournaments."""
        public_id = write.data.get("club", "")
        club = Club.objects.filter(public_id=public_id).first()
        require_club_chosen(write, club)
        if club is None:
            _require_chosen(write.token, None)
        made = actions.create_circuit(by=write.player, terms=_make_terms(CircuitTerms(""), write.data), now=write.now)
        return _find(made.public_id)

    @serve(scope=Scope.ORGANISE, body=CircuitBody, answer=CircuitSerializer, partial=True)
    def partial_update(self, write: Write, circuit: str) -> Circuit:
        """Change name and description at any time, the rest until one of its tournaments is drawn."""
        with transaction.atomic():
            row = lock_seen(_find_run(write, circuit))
            terms = _make_terms(read_terms(row), write.data)
            actions.edit_circuit(circuit_id=row.pk, by=write.player, terms=terms, now=write.now)
        return _find(circuit)

    @serve(scope=Scope.ORGANISE)
    def destroy(self, write: Write, circuit: str) -> None:
        """Delete a circuit in which nobody has a result."""
        actions.delete_circuit(circuit_id=_find_run(write, circuit).pk, by=write.player)

    @serve(path="add", scope=Scope.ORGANISE, body=CircuitTournamentsBody, answer=CircuitSerializer)
    def add(self, write: Write, circuit: str) -> Circuit:
        """Add tournaments of the organiser's, all of them or none."""
        row, wanted = _find_run(write, circuit), write.data["tournaments"]
        actions.add_tournaments(circuit_id=row.pk, by=write.player, tournaments=wanted, now=write.now)
        return _find(circuit)

    @serve(path="remove", scope=Scope.ORGANISE, body=CircuitTournamentBody, answer=CircuitSerializer)
    def remove(self, write: Write, circuit: str) -> Circuit:
        """Take a tournament out."""
        row, gone = _find_run(write, circuit), write.data["tournament"]
        actions.remove_tournament(circuit_id=row.pk, by=write.player, tournament=gone, now=write.now)
        return _find(circuit)

    @serve(path="series", scope=Scope.ORGANISE, body=CircuitSeriesBody, answer=CircuitSerializer)
    def follow_series(self, write: Write, circuit: str) -> Circuit:
        """Have a series of the organiser's fill the circuit."""
        row, chosen = _find_run(write, circuit), write.data["series"]
        actions.choose_series(circuit_id=row.pk, by=write.player, series=chosen, now=write.now)
        return _find(circuit)

    @serve(path="final", scope=Scope.ORGANISE, body=CircuitFinalBody, answer=CircuitCountSerializer)
    def prepare_final(self, write: Write, circuit: str) -> Json:
        """Make a tournament the final, and enter or invite the first of the ranking; ``count``: entries that made."""
        row, data = _find_run(write, circuit), write.data
        made = finals.prepare_final(
            circuit_id=row.pk, by=write.player, tournament=data["tournament"], qualify=data["qualify"], now=write.now
        )
        return {"count": made}

    @serve(path="final/drop", scope=Scope.ORGANISE, answer=CircuitSerializer)
    def drop_final(self, write: Write, circuit: str) -> Circuit:
        """Leave the circuit without its final, which stays a tournament."""
        finals.drop_final(circuit_id=_find_run(write, circuit).pk, by=write.player, now=write.now)
        return _find(circuit)

    @serve(path="end", scope=Scope.ORGANISE, answer=CircuitSerializer)
    def end(self, write: Write, circuit: str) -> Circuit:
        """End it, and tell everybody their place."""
        actions.end_circuit(circuit_id=_find_run(write, circuit).pk, by=write.player, now=write.now)
        return _find(circuit)

    @serve(path="resume", scope=Scope.ORGANISE, answer=CircuitSerializer)
    def resume(self, write: Write, circuit: str) -> Circuit:
        """Take it up again."""
        actions.resume_circuit(circuit_id=_find_run(write, circuit).pk, by=write.player, now=write.now)
        return _find(circuit)

    @serve(path="link", scope=Scope.ORGANISE, body=CircuitLinkBody, answer=CircuitNamesSerializer)
    def link(self, write: Write, circuit: str) -> Json:
        """Say that two people are one."""
        row, data = _find_run(write, circuit), write.data
        links.link_people(
            circuit_id=row.pk, by=write.player, person_id=data["person"], same_as_id=data["same_as"], now=write.now
        )
        return _describe_names(row)

    @serve(path="unlink", scope=Scope.ORGANISE, body=CircuitUnlinkBody)
    def unlink(self, write: Write, circuit: str) -> None:
        """Take a link back."""
        row, gone = _find_run(write, circuit), write.data["link"]
        links.unlink_people(circuit_id=row.pk, by=write.player, link_id=gone, now=write.now)


def _find(public_id: str) -> Circuit:
    circuit = queries.find_circuit(public_id)
    if circuit is None:
        raise Http404
    return circuit


def _find_run(write: Write, public_id: str) -> Circuit:
    """Return the circuit of a write by a key that was made for it; the service decides who runs it."""
    circuit = _find(public_id)
    _require_chosen(write.token, circuit.club)
    return circuit


def _require_chosen(token: AccessToken, club: Club | None) -> None:
    """Raise ApiRefusal for a key that was made neither for the circuit's club nor, without one, for one's own."""
    chosen = OWN in token.targets if club is None else is_for_club(token, club)
    if not chosen:
        raise ApiRefusal(403, "not_chosen", _("Questa chiave non è per questo."))


def _make_terms(before: CircuitTerms, data: Any) -> CircuitTerms:
    kept = {name: getattr(before, name) for name in CircuitTerms.__slots__}
    given = {name: tuple(value) if name == "places" else value for name, value in data.items()}
    return CircuitTerms(**{**kept, **given})


def _write_total(row: ShownTotal, page: CircuitPage) -> Json:
    why = code_reason(row, page)
    return {
        "rank": row.row.rank,
        "name": clean_line(row.name),
        "total": row.row.total,
        "results": [
            {
                "tournament": result.stage.tournament.public_id,
                "points": result.points,
                "place": result.place,
                "field": result.field,
                "counts": result.counts,
            }
            for result in row.results
        ],
        "why": None if why is None else why.code,
    }


def _describe_names(circuit: Circuit) -> Json:
    return {
        "people": [_write_person(person) for person in links.list_linkable(circuit)],
        "links": [_write_link(link) for link in links.list_links(circuit)],
        "proposals": [{"person": one.person.pk, "same_as": one.same_as.pk} for one in links.propose_links(circuit)],
    }


def _write_person(person: Person) -> Json:
    account = None if person.player is None else person.player.public_id
    return {"id": person.pk, "name": clean_line(person.name), "player": account}


def _write_link(link: CircuitLink) -> Json:
    return {
        "id": link.pk,
        "person": link.person_id,
        "name": clean_line(link.person.name),
        "same_as": link.same_as_id,
        "same_as_name": clean_line(link.same_as.name),
    }
