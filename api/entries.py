"""The entries of a tournament for programs: a list of names entered or invited, answers, check-in, withdrawals.

Each write calls the service of the organiser's or the referee's page.
"""

from typing import Any, NamedTuple

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import find_private, find_tournament
from api.acts import find_organised, find_people, find_person_id, read_entry_row
from api.answers import EntrySerializer, build_page
from api.entry_lists import (
    EntryListBody,
    LateBody,
    find_own_register,
    make_rows,
    read_cards,
    require_teams,
    type_names,
)
from api.fees import PaymentActs
from api.organise import ReasonBody, make_act
from api.previews import build_previews
from api.refusals import RefusingView
from games.engine.record import Json
from players.api.api_view import Scope
from players.api.bodies import PageFilters, StrictSerializer, answer_page, cut_page
from players.api.writes import Write, serve
from tournaments.core import reads, rows
from tournaments.core.draw_secret import find_reserve
from tournaments.core.errors import TournamentError
from tournaments.desk import reinstatement, substitution
from tournaments.entries import approvals, checkin, fixed_tables, import_list
from tournaments.entries.partners import count_lists, find_odd_entry, put_on_list, tie_people, untie_people
from tournaments.entries.take_over import take_over_entries
from tournaments.entries.team_changes import add_to_team, rename_team
from tournaments.entries.typed_names import MAX_CLUB_CHARACTERS, MAX_SUFFIX_CHARACTERS, rename_person
from tournaments.formats.common.partners import SIDES
from tournaments.lists.people_list import MAX_PEOPLE
from tournaments.lists.spreadsheet import MAX_CELL_CHARS
from tournaments.models import Entry, Tournament
from tournaments.register.enter_cards import enter_cards
from tournaments.register.forgetting import forget_typed_name
from tournaments.rounds.late_entries import enter_late_names
from tournaments.running import line_ups
from tournaments.running.withdraw import withdraw_entry


class ImportedSerializer(serializers.Serializer[import_list.Imported]):
    entries = serializers.IntegerField(help_text="entered: all of their players had agreed")
    invitations = serializers.IntegerField(help_text="invited: they play once all of them accept")


class TypedNameBody(StrictSerializer):
    name = serializers.CharField(max_length=MAX_CELL_CHARS)
    suffix = serializers.CharField(
        max_length=MAX_SUFFIX_CHARACTERS,
        required=False,
        default="",
        allow_blank=True,
        help_text="tells namesakes apart",
    )
    club = serializers.CharField(
        max_length=MAX_CLUB_CHARACTERS,
        required=False,
        allow_blank=True,
        help_text="by which those of one club are kept apart at the draw; without it, as it is",
    )


class TypedEntryBody(StrictSerializer):
    names = serializers.ListField(
        child=TypedNameBody(), required=False, max_length=MAX_PEOPLE, help_text="of all of its people, in their order"
    )
    team = serializers.CharField(max_length=MAX_CELL_CHARS, required=False, help_text="the name of a team")
    more = serializers.ListField(
        child=serializers.CharField(max_length=MAX_CELL_CHARS),
        required=False,
        default=list,
        max_length=MAX_PEOPLE,
        help_text="who joins the team",
    )
    table = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=fixed_tables.MAX_TABLES, help_text="its fixed one"
    )


class CardsBody(StrictSerializer):
    cards = serializers.ListField(
        child=serializers.CharField(max_length=12), min_length=1, max_length=2, help_text="of one player, or of a pair"
    )
    another = serializers.BooleanField(
        required=False, default=False, help_text="somebody else than whoever is called so and has no card"
    )


class NameBody(StrictSerializer):
    name = serializers.CharField(max_length=MAX_CELL_CHARS, help_text="of the person who asks for it")


class LineUpBody(StrictSerializer):
    people = serializers.ListField(
        child=serializers.CharField(max_length=100),
        max_length=MAX_PEOPLE,
        help_text="the names of whoever plays, as the team's answer has them",
    )


class SourceBody(StrictSerializer):
    tournament = serializers.CharField(max_length=12, help_text="the public id of one that is drawn")


class PresenceBody(StrictSerializer):
    present = serializers.BooleanField(required=False, default=True)


class ExpulsionBody(ReasonBody):
    expelled = serializers.BooleanField(required=False, default=False)


class ReplacementBody(ReasonBody):
    player = serializers.CharField(max_length=64, help_text="the name of whoever goes")
    name = serializers.CharField(max_length=64, help_text="the name of whoever comes")
    another = serializers.BooleanField(
        required=False, default=False, help_text="at real tables: somebody else than whoever is called so already"
    )


class SideBody(StrictSerializer):
    side = serializers.ChoiceField(choices=["", *SIDES], help_text="empty: on neither")


class TieBody(StrictSerializer):
    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**31 - 1), min_length=2, max_length=2
    )


class PartnersSerializer(serializers.Serializer[Json]):
    """Pairs that are drawn of people who enter alone, as things stand."""

    odd_one = serializers.IntegerField(allow_null=True, help_text="the entry that would stay out; null: nobody would")
    list_a = serializers.IntegerField(help_text="people on it")
    list_b = serializers.IntegerField()
    same_list = serializers.IntegerField(help_text="how many pairs would be of one list")
    reserve = serializers.CharField(
        allow_null=True, help_text="the name of whoever stayed out at the draw, and comes first if somebody is missing"
    )


def read_partners(tournament: Tournament) -> Json:
    """Return the odd one, the lists and the reserve of a tournament whose pairs are drawn; of others nothing of it."""
    lists, reserve = count_lists(tournament), find_reserve(tournament)
    return {
        "odd_one": find_odd_entry(tournament),
        "list_a": 0 if lists is None else lists.a,
        "list_b": 0 if lists is None else lists.b,
        "same_list": 0 if lists is None else lists.same,
        "reserve": None if reserve is None else reserve.public_name,
    }


class AskedAct(NamedTuple):
    """Entry after a referee's act, and whether the act is done or waits for somebody's yes."""

    entry: rows.EntryRow
    done: bool


class AskedSerializer(serializers.Serializer[AskedAct]):
    entry = EntrySerializer()
    done = serializers.BooleanField(help_text="false: once who was invited accepts")


class EntryViewSet(PaymentActs, RefusingView, GenericViewSet[Entry]):
    """Entries of one tournament."""

    queryset = Entry.objects.none()
    pagination_class = None
    lookup_field = "entry"
    lookup_value_regex = r"[0-9]{1,15}"
    filters = {"list": PageFilters}

    @extend_schema(parameters=[PageFilters], responses=build_page(EntrySerializer))
    def list(self, request: Request, public_id: str) -> Response:
        """The entries that have a place, by seed; before the draw in the order they came."""
        tournament = find_tournament(request, public_id)
        found_rows = reads.read_entries(tournament).values()
        page, key = cut_page(found_rows, self.query, lambda row: row.entry_id)
        return answer_page(request, EntrySerializer, page, key, cards=read_cards(request, tournament, page))

    @serve(scope=Scope.ORGANISE, body=EntryListBody, answer=ImportedSerializer, status=201)
    def create(self, write: Write, public_id: str) -> import_list.Imported:
        """Enter a list of names, all of it or nothing: who hasn't agreed beforehand is invited. At real tables they are
        names without accounts."""
        tournament = find_organised(write, public_id)
        require_teams(tournament, write.data["entries"])
        if tournament.venue.enters_names:
            return type_names(tournament, write)
        listed = make_rows(tournament, write.data["entries"])
        return import_list.import_entries(
            tournament_id=tournament.pk,
            by=write.player,
            rows=listed,
            now=write.now,
            may_start=write.data["may_start"],
        )

    @serve(path="late", detail=False, scope=Scope.ORGANISE, body=LateBody, answer=EntrySerializer, status=201)
    def enter_late(self, write: Write, public_id: str) -> rows.EntryRow:
        """Enter a player, a pair or a team in the running tournament, from the next round on."""
        tournament = find_organised(write, public_id)
        data = write.data
        require_teams(tournament, [data])
        names = [name for name in (data["player"], data["partner"], *data["others"]) if name]
        entry = enter_late_names(
            tournament_id=tournament.pk,
            names=names,
            team=data["team"],
            another=data["another"],
            by=write.player,
            now=write.now,
        )
        return read_entry_row(tournament, entry.pk)

    @serve(path="from-register", detail=False, scope=Scope.ORGANISE, body=CardsBody, answer=EntrySerializer, status=201)
    def enter_from_register(self, write: Write, public_id: str) -> rows.EntryRow:
        """Enter people of the register at real tables: that of the tournament's club, else the owner's own."""
        tournament = find_organised(write, public_id)
        entry = enter_cards(
            tournament_id=tournament.pk,
            register=find_own_register(tournament, write.player),
            by=write.player,
            card_ids=write.data["cards"],
            another=write.data["another"],
            now=write.now,
        )
        return read_entry_row(tournament, entry.pk)

    @serve(path="take-over", detail=False, scope=Scope.ORGANISE, body=SourceBody, answer=ImportedSerializer, status=201)
    def take_over(self, write: Write, public_id: str) -> import_list.Imported:
        """Enter the people of an earlier tournament at real tables, but for those who are in already."""
        tournament = find_organised(write, public_id)
        source = find_tournament(write.request, write.data["tournament"])
        arguments: Any = {"tournament_id": tournament.pk, "by": write.player, "now": write.now}
        return import_list.Imported(entries=take_over_entries(source_id=source.pk, **arguments), invitations=0)

    @serve(path="forget", scope=Scope.ORGANISE, body=NameBody)
    def forget_name(self, write: Write, public_id: str, entry: str) -> None:
        """Replace a typed name, on request of whoever has it, in results, prints and the log, for good."""
        tournament = find_organised(write, public_id)
        person = find_person_id(tournament, int(entry), write.data["name"])
        forget_typed_name(tournament=tournament, by=write.player, person_id=person, staff=False, now=write.now)

    @serve(scope=Scope.ORGANISE, body=TypedEntryBody, answer=EntrySerializer)
    def partial_update(self, write: Write, public_id: str, entry: str) -> rows.EntryRow:
        """Correct the typed names of an entry at real tables, and say where it always plays."""
        tournament, data = find_organised(write, public_id), write.data
        arguments: Any = {"tournament_id": tournament.pk, "by": write.player, "now": write.now}
        if not tournament.venue.enters_names:
            raise TournamentError("not_real")
        members = list(tournament.members.with_people().filter(entry=int(entry)).order_by("position"))
        if not members or len(data.get("names", members)) != len(members):
            raise TournamentError("no_such_entry" if not members else "late_people", seats=len(members))
        with transaction.atomic():
            for member, body in zip(members, data.get("names", ()), strict=False):
                before = {"name": member.person.typed_name, "suffix": member.person.suffix, "club": member.club}
                if before | body != before:
                    rename_person(person_id=member.person_id, **(before | body), **arguments)
            if "team" in data:
                rename_team(entry_id=int(entry), name=data["team"], **arguments)
            if data["more"]:
                add_to_team(entry_id=int(entry), names=data["more"], **arguments)
            if "table" in data:
                fixed_tables.fix_table(entry_id=int(entry), table=data["table"], **arguments)
        return read_entry_row(tournament, int(entry))

    @serve(path="line-up", scope=Scope.ORGANISE, body=LineUpBody, answer=EntrySerializer)
    def name_line_up(self, write: Write, public_id: str, entry: str) -> rows.EntryRow:
        """Say who of a team plays the next round that isn't published, and those after it."""
        tournament = find_organised(write, public_id)
        people = find_people(tournament, int(entry), write.data["people"])
        return self._decide(write, public_id, entry, line_ups.name_line_up, person_ids=people)

    @serve(scope=Scope.ORGANISE)
    def destroy(self, write: Write, public_id: str, entry: str) -> None:
        """Take an entry out, until the draw."""
        tournament = find_organised(write, public_id)
        approvals.remove_entry(tournament_id=tournament.pk, by=write.player, entry_id=int(entry), now=write.now)

    @serve(path="approve", scope=Scope.ORGANISE, answer=EntrySerializer)
    def approve(self, write: Write, public_id: str, entry: str) -> rows.EntryRow:
        """Say yes to an applicant."""
        return self._decide(write, public_id, entry, approvals.approve_entries)

    @serve(path="turn-down", scope=Scope.ORGANISE)
    def turn_down(self, write: Write, public_id: str, entry: str) -> None:
        """Say no to an applicant."""
        tournament = find_organised(write, public_id)
        approvals.turn_down_entries(tournament_id=tournament.pk, by=write.player, entry_id=int(entry), now=write.now)

    @serve(path="check-in", scope=Scope.ORGANISE, body=PresenceBody, answer=EntrySerializer)
    def check_in(self, write: Write, public_id: str, entry: str) -> rows.EntryRow:
        """Say that all of an entry's players are there, or not after all."""
        present = write.data["present"]
        return self._decide(write, public_id, entry, checkin.check_in_at_desk, present=present)

    @extend_schema(responses=PartnersSerializer)
    @action(detail=False)
    def partners(self, request: Request, public_id: str) -> Response:
        """Pairs that are drawn, for whoever runs the tournament: the lists, who would stay out, who did."""
        tournament, _player = find_private(request, public_id)
        return Response(PartnersSerializer(read_partners(tournament)).data)

    @serve(path="tie", detail=False, scope=Scope.ORGANISE, body=TieBody)
    def tie(self, write: Write, public_id: str) -> None:
        """Let two people who came as a pair stay one when pairs are drawn."""
        tournament = find_organised(write, public_id)
        entry_ids = write.data["entries"]
        tie_people(tournament_id=tournament.pk, by=write.player, entry_ids=entry_ids, now=write.now)

    @serve(path="untie", scope=Scope.ORGANISE, answer=EntrySerializer)
    def untie(self, write: Write, public_id: str, entry: str) -> rows.EntryRow:
        """Let this person and the one they came with be drawn as everybody."""
        return self._decide(write, public_id, entry, untie_people)

    @serve(path="side", scope=Scope.ORGANISE, body=SideBody, answer=EntrySerializer)
    def choose_side(self, write: Write, public_id: str, entry: str) -> rows.EntryRow:
        """Put a person on list A or B, where a pair has one of each, or on neither."""
        return self._decide(write, public_id, entry, put_on_list, side=write.data["side"])

    @serve(path="withdraw", scope=Scope.ORGANISE, body=ExpulsionBody, answer=EntrySerializer)
    def withdraw(self, write: Write, public_id: str, entry: str) -> rows.EntryRow:
        """Take an entry out of the running tournament, or expel it."""
        data = write.data
        return self._decide(write, public_id, entry, withdraw_entry, reason=data["reason"], expelled=data["expelled"])

    @serve(path="reinstate", scope=Scope.ORGANISE, body=ReasonBody, answer=AskedSerializer)
    def reinstate(self, write: Write, public_id: str, entry: str) -> AskedAct:
        """Take an entry in again that left or was expelled."""
        tournament = find_organised(write, public_id)
        done = reinstatement.reinstate_entry(tournament_id=tournament.pk, entry_id=int(entry), act=make_act(write))
        return AskedAct(read_entry_row(tournament, int(entry)), done)

    @serve(path="replace", scope=Scope.ORGANISE, body=ReplacementBody, answer=AskedSerializer)
    def replace(self, write: Write, public_id: str, entry: str) -> AskedAct:
        """Put somebody in a player's place, from the next fixture on: an account, at real tables a name without one."""
        tournament = find_organised(write, public_id)
        leaving = find_person_id(tournament, int(entry), write.data["player"])
        done = substitution.replace_person(
            tournament_id=tournament.pk,
            entry_id=int(entry),
            person_id=leaving,
            name=write.data["name"],
            another=write.data["another"],
            act=make_act(write),
        )
        return AskedAct(read_entry_row(tournament, int(entry)), done)

    preview = build_previews(
        "Entry",
        {
            "withdraw": ("withdraw", ExpulsionBody),
            "reinstate": ("reinstate", ReasonBody),
            "replace": ("replace", ReplacementBody),
        },
        ("replace", {"player": "Anna", "name": "Nives", "reason": "è andata a casa"}),
    )

    def _decide(self, write: Write, public_id: str, entry: str, service: Any, **values: Any) -> rows.EntryRow:
        """Call a service about an entry, and return the entry."""
        tournament = find_organised(write, public_id)
        service(tournament_id=tournament.pk, by=write.player, entry_id=int(entry), now=write.now, **values)
        return read_entry_row(tournament, int(entry))
