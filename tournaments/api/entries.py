"""The entries of a tournament for programs: a list of names entered or invited, answers, check-in, withdrawals.

Each write calls the service of the organiser's or the referee's page.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from players.api.bodies import PageFilters, StrictSerializer, answer_page, cut_page
from players.api.views import Scope
from players.api.writes import Write, serve
from tournaments.api.access import find_tournament
from tournaments.api.acts import find_organised, find_people, read_entry_row
from tournaments.api.answers import EntrySerializer, build_page
from tournaments.api.fees import PaymentActs
from tournaments.api.organise import ReasonBody, make_act
from tournaments.api.previews import build_previews
from tournaments.api.refusals import RefusingView
from tournaments.core import reads, rows
from tournaments.core.errors import TournamentError
from tournaments.desk import reinstatement, substitution
from tournaments.entries import approvals, checkin, fixed_tables, import_list, list_problems
from tournaments.entries.forms import make_team_row
from tournaments.entries.people_list import MAX_PEOPLE
from tournaments.entries.spreadsheet import MAX_CELL_CHARS, MAX_ROWS, Row
from tournaments.entries.take_over import take_over_entries
from tournaments.entries.team_changes import add_to_team, rename_team
from tournaments.entries.typed_entries import TypedEntry, TypedPerson
from tournaments.entries.typed_names import MAX_SUFFIX_CHARACTERS, rename_person, type_entries
from tournaments.models import Entry, Tournament
from tournaments.register.enter_cards import enter_cards
from tournaments.register.errors import RegisterError
from tournaments.register.forgetting import forget_typed_name
from tournaments.register.queries import OWN, find_register
from tournaments.running import line_ups
from tournaments.running.late_entries import enter_late_names
from tournaments.running.withdraw import withdraw_entry


class LateBody(StrictSerializer):
    player = serializers.CharField(max_length=MAX_CELL_CHARS)
    partner = serializers.CharField(max_length=MAX_CELL_CHARS, required=False, default="", allow_blank=True)
    team = serializers.CharField(
        max_length=MAX_CELL_CHARS, required=False, default="", allow_blank=True, help_text="the name of a team"
    )
    others = serializers.ListField(
        child=serializers.CharField(max_length=MAX_CELL_CHARS),
        required=False,
        default=list,
        max_length=MAX_PEOPLE - 2,
        help_text="who else is in the team, beside player and partner",
    )
    another = serializers.BooleanField(
        required=False, default=False, help_text="at real tables: somebody else than who is called so already"
    )


class NamesBody(LateBody):
    seed = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=4096)
    club = serializers.CharField(
        max_length=MAX_CELL_CHARS,
        required=False,
        default="",
        allow_blank=True,
        help_text="at real tables: tells the player from a namesake",
    )
    partner_club = serializers.CharField(max_length=MAX_CELL_CHARS, required=False, default="", allow_blank=True)


class EntryListBody(StrictSerializer):
    entries = serializers.ListField(child=NamesBody(), allow_empty=False, max_length=MAX_ROWS)
    may_start = serializers.BooleanField(
        required=False, default=False, help_text="also if this fills a sit and go, which starts at once"
    )


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


class NameBody(StrictSerializer):
    name = serializers.CharField(max_length=MAX_CELL_CHARS, help_text="of the person who asks for it")


class LineUpBody(StrictSerializer):
    people = serializers.ListField(
        child=serializers.CharField(max_length=100),
        max_length=MAX_PEOPLE,
        help_text="the names of who plays, as the team's answer has them",
    )


class SourceBody(StrictSerializer):
    tournament = serializers.CharField(max_length=12, help_text="the public id of one that is drawn")


class PresenceBody(StrictSerializer):
    present = serializers.BooleanField(required=False, default=True)


class ExpulsionBody(ReasonBody):
    expelled = serializers.BooleanField(required=False, default=False)


class ReplacementBody(ReasonBody):
    player = serializers.CharField(max_length=64, help_text="the name of who goes")
    name = serializers.CharField(max_length=64, help_text="the name of who comes")


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
        found_rows = reads.read_entries(find_tournament(request, public_id)).values()
        page, key = cut_page(found_rows, self.query, lambda row: row.entry_id)
        return answer_page(request, EntrySerializer, page, key)

    @serve(scope=Scope.ORGANISE, body=EntryListBody, answer=ImportedSerializer, status=201)
    def create(self, write: Write, public_id: str) -> import_list.Imported:
        """Enter a list of names, all of it or nothing: who hasn't agreed beforehand is invited. At real tables they are
        names without accounts."""
        tournament = find_organised(write, public_id)
        _require_teams(tournament, write.data["entries"])
        if tournament.is_real:
            return _type_names(tournament, write)
        if any(entry["club"] or entry["partner_club"] for entry in write.data["entries"]):
            raise TournamentError("not_real")
        listed = [_make_row(tournament, number, entry) for number, entry in enumerate(write.data["entries"], start=1)]
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
        _require_teams(tournament, [data])
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
        key = OWN if tournament.club is None else tournament.club.public_id
        register = find_register(key, write.player)
        if register is None:
            raise RegisterError("not_keeper")
        entry = enter_cards(
            tournament_id=tournament.pk,
            register=register,
            by=write.player,
            card_ids=write.data["cards"],
            now=write.now,
        )
        return read_entry_row(tournament, entry.pk)

    @serve(path="take-over", detail=False, scope=Scope.ORGANISE, body=SourceBody, answer=ImportedSerializer, status=201)
    def take_over(self, write: Write, public_id: str) -> import_list.Imported:
        """Enter the people of an earlier tournament at real tables, but for those who are in already."""
        tournament = find_organised(write, public_id)
        source = find_tournament(write.request, write.data["tournament"])
        known: Any = {"tournament_id": tournament.pk, "by": write.player, "now": write.now}
        return import_list.Imported(entries=take_over_entries(source_id=source.pk, **known), invitations=0)

    @serve(path="forget", scope=Scope.ORGANISE, body=NameBody)
    def forget_name(self, write: Write, public_id: str, entry: str) -> None:
        """Replace a typed name, on request of who has it, in results, prints and the log, for good."""
        tournament, typed = find_organised(write, public_id), write.data["name"]
        members = tournament.members.with_people().filter(entry=int(entry))
        named = (member.person_id for member in members if typed in (member.person.name, member.person.typed_name))
        person = next(named, 0)
        forget_typed_name(tournament=tournament, by=write.player, person_id=person, staff=False, now=write.now)

    @serve(scope=Scope.ORGANISE, body=TypedEntryBody, answer=EntrySerializer)
    def partial_update(self, write: Write, public_id: str, entry: str) -> rows.EntryRow:
        """Correct the typed names of an entry at real tables, and say where it always plays."""
        tournament, data = find_organised(write, public_id), write.data
        known: Any = {"tournament_id": tournament.pk, "by": write.player, "now": write.now}
        if not tournament.is_real:
            raise TournamentError("not_real")
        members = list(tournament.members.with_people().filter(entry=int(entry)).order_by("position"))
        if not members or len(data.get("names", members)) != len(members):
            raise TournamentError("no_such_entry" if not members else "late_people", seats=len(members))
        with transaction.atomic():
            for member, typed in zip(members, data.get("names", ()), strict=False):
                if (typed["name"], typed["suffix"]) != (member.person.typed_name, member.person.suffix):
                    rename_person(person_id=member.person_id, name=typed["name"], suffix=typed["suffix"], **known)
            if "team" in data:
                rename_team(entry_id=int(entry), name=data["team"], **known)
            if data["more"]:
                add_to_team(entry_id=int(entry), names=data["more"], **known)
            if "table" in data:
                fixed_tables.fix_table(entry_id=int(entry), table=data["table"], **known)
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
        """Put somebody in a player's place, from the next fixture on."""
        tournament = find_organised(write, public_id)
        members = tournament.members.with_people().filter(entry=int(entry))
        typed = write.data["player"]
        leaving = next((member.person.player_id for member in members if member.person.name == typed), None)
        done = substitution.replace_player(
            tournament_id=tournament.pk,
            entry_id=int(entry),
            player_id=leaving or 0,
            name=write.data["name"],
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
    )

    def _decide(self, write: Write, public_id: str, entry: str, service: Any, **values: Any) -> rows.EntryRow:
        """Call a service about an entry, and return the entry."""
        tournament = find_organised(write, public_id)
        service(tournament_id=tournament.pk, by=write.player, entry_id=int(entry), now=write.now, **values)
        return read_entry_row(tournament, int(entry))


def _require_teams(tournament: Tournament, listed: Iterable[Any]) -> None:
    """Raise TournamentError("no_teams") where a team is written and none play."""
    if not tournament.has_teams and any(entry["team"] or entry["others"] for entry in listed):
        raise TournamentError("no_teams")


def _make_row(tournament: Tournament, number: int, entry: Any) -> Row:
    """Return an entry of accounts as a row of a list."""
    if not tournament.has_teams:
        return Row(number, entry["player"], entry["partner"], str(entry.get("seed") or ""))
    names = [name for name in (entry["player"], entry["partner"], *entry["others"]) if name]
    return replace(make_team_row(number, entry["team"], names), seed=str(entry.get("seed") or ""))


def _type_names(tournament: Tournament, write: Write) -> import_list.Imported:
    """Enter names without accounts at real tables."""
    listed = [
        TypedEntry(number, tuple(_list_people(entry, number)), entry.get("seed"), entry["team"], entry["another"])
        for number, entry in enumerate(write.data["entries"], start=1)
    ]
    by_lot = tournament.seeding != Tournament.Seeding.ORGANISER
    seeded = [row for row in listed if row.placed is not None and by_lot]
    if seeded:
        problems = [list_problems.Problem(row.number, "seeds_by_lot", "seed", str(row.placed)) for row in seeded]
        raise TournamentError("list_refused", problems=problems)
    made = type_entries(tournament_id=tournament.pk, by=write.player, rows=listed, now=write.now)
    return import_list.Imported(entries=len(made), invitations=0)


def _list_people(entry: Any, number: int) -> Iterable[TypedPerson]:
    yield TypedPerson(entry["player"], entry["club"], row=number)
    if entry["partner"] or entry["partner_club"]:
        yield TypedPerson(entry["partner"], entry["partner_club"], row=number)
    for name in entry["others"]:
        yield TypedPerson(name, row=number)
