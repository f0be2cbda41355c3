"""The register of a club or of an organiser for programs (I1): for whoever keeps it alone, by a key made for it.

Each write calls the service of the page, and is in the register's log. Fields are named as in its files.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from api.access import require_owner
from api.answers import build_page
from api.refusals import RefusingView
from games.engine.record import Json
from players import caps
from players.api.api_view import Scope
from players.api.bodies import PageFilters, StrictSerializer, answer_page, cut_page, cut_rows
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.clean_text import clean_line
from players.converters import PUBLIC_ID
from players.models import Player
from players.names import MAX_NAME_CHARACTERS
from players.services.tokens import OWN, make_target
from players.wording import describe_throttling
from tournaments.core.web import count_list
from tournaments.models import Register, RegisterCard, RegisterLogEntry
from tournaments.register import cards, forgetting, imports, merging, queries
from tournaments.register.cards import CardValues
from tournaments.register.files import export_cards

MINE = "mine"  # in the address, where a club has its public id
SEARCH_CHARACTERS = 60
YES, NO = "1", "0"  # as the rows of a list say them


class CardFilters(PageFilters):
    search = serializers.CharField(
        required=False, default="", max_length=SEARCH_CHARACTERS, help_text="in the name or the card number"
    )


class CardSerializer(serializers.Serializer[RegisterCard]):
    """Card of a person. Nobody but the keepers of its register reads it."""

    card = serializers.CharField(source="public_id", help_text="its public id")
    name = serializers.CharField(source="person.typed_name")
    card_number = serializers.CharField(source="number")
    level = serializers.CharField()
    birth_year = serializers.IntegerField(allow_null=True)
    minor = serializers.BooleanField()
    contact = serializers.CharField()
    notes = serializers.CharField()


class PlayedCardSerializer(CardSerializer):
    tournaments = serializers.SerializerMethodField(help_text="with them, by public id, the newest first")

    def get_tournaments(self, card: RegisterCard) -> list[str]:
        return list(queries.list_tournaments(card).values_list("public_id", flat=True))


class CardBody(StrictSerializer):
    name = serializers.CharField(max_length=MAX_NAME_CHARACTERS)
    card_number = serializers.CharField(max_length=cards.MAX_NUMBER_CHARS, required=False, allow_blank=True)
    level = serializers.CharField(max_length=cards.MAX_LEVEL_CHARS, required=False, allow_blank=True)
    birth_year = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=9999)
    minor = serializers.BooleanField(required=False)
    contact = serializers.CharField(max_length=cards.MAX_CONTACT_CHARS, required=False, allow_blank=True)
    notes = serializers.CharField(max_length=cards.MAX_NOTES_CHARS, required=False, allow_blank=True)
    another = serializers.BooleanField(
        required=False, default=False, help_text="somebody else than whoever has that name already"
    )


class ListedCardBody(CardBody):
    card = serializers.CharField(required=False, max_length=12, help_text="whose card it changes")


class CardListBody(StrictSerializer):
    people = serializers.ListField(child=ListedCardBody(), allow_empty=False, max_length=caps.MAX_REGISTER_CARDS)


class TakenInSerializer(serializers.Serializer[imports.CheckedDraft]):
    added = serializers.SerializerMethodField()
    changed = serializers.SerializerMethodField()
    left_out = serializers.ListField(
        child=serializers.IntegerField(), help_text="rows, from 1, of whoever was forgotten on request"
    )

    def get_added(self, checked: imports.CheckedDraft) -> int:
        return len(checked.new)

    def get_changed(self, checked: imports.CheckedDraft) -> int:
        return len(checked.changes)


class ExportedCardSerializer(serializers.Serializer[Json]):
    card = serializers.CharField()
    name = serializers.CharField()
    card_number = serializers.CharField()
    level = serializers.CharField()
    birth_year = serializers.IntegerField(allow_null=True)
    minor = serializers.BooleanField()
    contact = serializers.CharField()
    notes = serializers.CharField()


class ExportSerializer(serializers.Serializer[Json]):
    people = ExportedCardSerializer(many=True)


class DoubleBody(StrictSerializer):
    double = serializers.CharField(max_length=12, help_text="the card that goes into this one")


class ForgetBody(StrictSerializer):
    keeps_name = serializers.BooleanField(help_text="the person wants the name to stay in results")


class UnmergeBody(StrictSerializer):
    entry = serializers.IntegerField(min_value=1, max_value=2**31 - 1, help_text="the merge, by its id in the log")


class RegisterLogSerializer(serializers.ModelSerializer[RegisterLogEntry]):
    by = serializers.CharField(source="player.name", default="", help_text="empty: the account is closed")
    card = serializers.CharField(source="card.public_id", allow_null=True, default=None)
    double = serializers.CharField(source="double.public_id", allow_null=True, default=None)
    may_undo = serializers.SerializerMethodField(help_text="a merge that still stands")

    class Meta:
        model = RegisterLogEntry
        fields = ("id", "at", "code", "by", "card", "double", "count", "may_undo")
        read_only_fields = fields

    def get_may_undo(self, entry: RegisterLogEntry) -> bool:
        return merging.may_undo(entry)


@contextmanager
def check_sent_list(write: Write, register: str) -> Iterator[imports.ListToStore]:
    """Check a list before anything is locked. ApiRefusal with its faults."""
    kept, player = find_register(write.request, register)
    if count_list(write.request._request, player.user) is not None:
        raise ApiRefusal(429, "throttled", describe_throttling(timedelta(minutes=10)))
    rows = [_make_row(number, row) for number, row in enumerate(write.data["people"], start=1)]
    listed = imports.check_list(kept, rows, write.now)
    if listed.checked.faults:
        problems = [asdict(fault) for fault in listed.checked.faults]
        raise ApiRefusal(409, "list_refused", _("La lista non va bene così."), problems=problems)
    yield listed


class RegisterViewSet(RefusingView, ViewSet):
    """A register as a whole: of a club, by its public id, or one's own, ``mine``."""

    lookup_field = "register"
    lookup_value_regex = PUBLIC_ID
    filters = {"log": PageFilters}

    @extend_schema(parameters=[PageFilters], responses=build_page(RegisterLogSerializer))
    @action(detail=True)
    def log(self, request: Request, register: str) -> Response:
        """The register's own log, the latest first: never a name."""
        entries = RegisterLogEntry.objects.filter(register_id=find_register(request, register)[0].pk)
        page, key = cut_rows(entries.select_related("player", "card", "double"), self.query)
        return answer_page(request, RegisterLogSerializer, page, key)

    @serve(path="import", scope=Scope.ORGANISE, body=CardListBody, answer=TakenInSerializer, prepare=check_sent_list)
    def take_in(self, write: Write, register: str) -> imports.CheckedDraft:
        """Take a list in, all of it or nothing: each fault is told once, with its row, of many the first 200."""
        kept, player = find_register(write.request, register)
        imports.store_list(register=kept, by=player, listed=write.ready, now=write.now)
        return write.ready.checked

    @serve(path="export", scope=Scope.ORGANISE, answer=ExportSerializer)
    def export(self, write: Write, register: str) -> Any:
        """Return the register as a whole; its log says who took it."""
        kept, player = find_register(write.request, register)
        return {"people": export_cards(register=kept, by=player, now=write.now).records()}

    @serve(path="unmerge", scope=Scope.ORGANISE, body=UnmergeBody, answer=CardSerializer)
    def unmerge(self, write: Write, register: str) -> RegisterCard:
        """Make two cards again of a merge that still stands, and return the double."""
        kept, player = find_register(write.request, register)
        return merging.undo_merge(register=kept, by=player, entry_id=write.data["entry"], now=write.now)


class CardViewSet(RefusingView, ViewSet):
    """Cards of one register."""

    lookup_field = "card"
    lookup_value_regex = PUBLIC_ID
    filters = {"list": CardFilters}

    @extend_schema(parameters=[CardFilters], responses=build_page(CardSerializer))
    def list(self, request: Request, register: str) -> Response:
        """Its people by name."""
        kept, _player = find_register(request, register)
        rows = queries.list_cards(kept, clean_line(self.query["search"]))
        page, key = cut_page(rows, self.query, lambda card: card.pk)
        return answer_page(request, CardSerializer, page, key)

    @extend_schema(responses=PlayedCardSerializer)
    def retrieve(self, request: Request, register: str, card: str) -> Response:
        kept, _player = find_register(request, register)
        return Response(PlayedCardSerializer(cards.get_card(kept, card)).data)

    @serve(scope=Scope.ORGANISE, body=CardBody, answer=CardSerializer, status=201)
    def create(self, write: Write, register: str) -> RegisterCard:
        """Add a person."""
        kept, player = find_register(write.request, register)
        values, about = _read_values(write.data, CardValues(name="")), write.data["another"]
        return cards.add_card(register=kept, by=player, values=values, now=write.now, namesake=about)

    @serve(scope=Scope.ORGANISE, body=CardBody, answer=CardSerializer, partial=True)
    def partial_update(self, write: Write, register: str, card: str) -> RegisterCard:
        """Change what a card says."""
        kept, player = find_register(write.request, register)
        with transaction.atomic():
            kept = cards.lock_register(kept, player)
            values = _read_values(write.data, cards.read_values(cards.get_card(kept, card)))
            about = write.data.get("another", False)
            return cards.edit_card(register=kept, by=player, card_id=card, values=values, now=write.now, namesake=about)

    @serve(path="merge", scope=Scope.ORGANISE, body=DoubleBody, answer=CardSerializer)
    def merge(self, write: Write, register: str, card: str) -> RegisterCard:
        """Merge a double into this card."""
        kept, player = find_register(write.request, register)
        double = write.data["double"]
        return merging.merge_cards(register=kept, by=player, card_id=card, double_id=double, now=write.now)

    @serve(path="forget", scope=Scope.ORGANISE, body=ForgetBody)
    def forget(self, write: Write, register: str, card: str) -> None:
        """Delete the card with all that is known of the person, who asked for it."""
        kept, player = find_register(write.request, register)
        keeps = write.data["keeps_name"]
        forgetting.forget_card(register=kept, by=player, card_id=card, keeps_name=keeps, now=write.now)


def find_register(request: Request, key: str) -> tuple[Register, Player]:
    """Return the register of an address with its reader, who keeps it. ApiRefusal for a key that wasn't made for it;
    Http404 for everybody who doesn't keep it."""
    player = require_owner(request, OWN if key == MINE else make_target("club", key))
    register = queries.find_register(queries.OWN if key == MINE else key, player)
    if register is None:
        raise Http404
    return register, player


def _read_values(data: Any, before: CardValues) -> CardValues:
    """Return the contents of a card as a body says them; what it leaves out stays."""
    return CardValues(
        name=data.get("name", before.name),
        number=data.get("card_number", before.number),
        birth_year=data.get("birth_year", before.birth_year),
        contact=data.get("contact", before.contact),
        level=data.get("level", before.level),
        notes=data.get("notes", before.notes),
        minor=data.get("minor", before.minor),
    )


def _make_row(number: int, data: Any) -> imports.DraftRow:
    """Return a person of a list as a row of a file has them."""
    texts = {
        name: clean_line(data.get(name, "")) for name in ("card", "name", "card_number", "level", "contact", "notes")
    }
    year, minor = data.get("birth_year"), data.get("minor")
    return imports.DraftRow(
        number,
        birth_year="" if year is None else str(year),
        minor="" if minor is None else YES if minor else NO,
        another=YES if data["another"] else "",
        **texts,
    )
