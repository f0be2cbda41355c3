"""Lists of entries as programs send them: by names, or by people each apart, as answers have them.

On the site they name accounts; at real tables they are names without accounts, or the people of cards (I1).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from api.access import may_read_as_organiser
from players.api.bodies import StrictSerializer
from players.api.writes import Write
from players.models import Player
from players.selectors import player_for
from tournaments.core import rows
from tournaments.core.errors import TournamentError
from tournaments.entries import import_list
from tournaments.entries.typed_names import type_entries
from tournaments.formats.common.partners import SIDES
from tournaments.lists import problems as list_problems
from tournaments.lists.people_list import MAX_PEOPLE
from tournaments.lists.spreadsheet import MAX_CELL_CHARS, MAX_ROWS, Row
from tournaments.lists.teams import make_team_row
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Register, RegisterCard, Tournament
from tournaments.register.enter_cards import enter_cards
from tournaments.register.errors import RegisterError
from tournaments.register.queries import OWN, find_register


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
        required=False, default=False, help_text="at real tables: somebody else than whoever is called so already"
    )


class PersonBody(StrictSerializer):
    """One of an entry's people, as the answers have them under `persons`."""

    name = serializers.CharField(max_length=MAX_CELL_CHARS)
    club = serializers.CharField(max_length=MAX_CELL_CHARS, required=False, default="", allow_blank=True)
    player = serializers.CharField(
        max_length=12, required=False, allow_null=True, help_text="on the site: the public id of their page, by which"
        " they are found whatever they are called now",
    )  # fmt: skip
    card = serializers.CharField(
        max_length=12, required=False, allow_null=True, help_text="of the register that the tournament's club, or its"
        " organiser, keeps: the person of that card",
    )  # fmt: skip


class NamesBody(LateBody):
    player = serializers.CharField(max_length=MAX_CELL_CHARS, required=False, default="", allow_blank=True)
    persons = serializers.ListField(
        child=PersonBody(),
        required=False,
        default=list,
        max_length=MAX_PEOPLE,
        help_text="all of the entry's people, each apart, instead of player, partner and others",
    )
    seed = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=4096)
    side = serializers.ChoiceField(
        choices=["", *SIDES], required=False, default="", help_text="of one person, where pairs are drawn of two lists"
    )
    club = serializers.CharField(
        max_length=MAX_CELL_CHARS,
        required=False,
        default="",
        allow_blank=True,
        help_text="at real tables: tells the player from a namesake",
    )
    partner_club = serializers.CharField(max_length=MAX_CELL_CHARS, required=False, default="", allow_blank=True)

    def validate(self, data: Any) -> Any:
        if data["persons"] and any(data[name] for name in ("player", "partner", "others", "club", "partner_club")):
            raise serializers.ValidationError({"persons": serializers.ErrorDetail(_("Una volta sola."), "repeated")})
        if not data["persons"] and not data["player"]:
            missing = serializers.Field.default_error_messages["required"]
            raise serializers.ValidationError({"player": serializers.ErrorDetail(str(missing), "required")})
        cards = [person.get("card") for person in data["persons"]]
        if any(cards) and not all(cards):
            raise serializers.ValidationError(
                {"persons": serializers.ErrorDetail(_("O la scheda di tutti, o di nessuno."), "card_missing")}
            )
        return data


class EntryListBody(StrictSerializer):
    entries = serializers.ListField(child=NamesBody(), allow_empty=False, max_length=MAX_ROWS)
    may_start = serializers.BooleanField(
        required=False, default=False, help_text="also if this fills a sit and go, which starts at once"
    )


def require_teams(tournament: Tournament, listed: Iterable[Any]) -> None:
    """Raise TournamentError("no_teams") where a team is written and none play."""
    kind = tournament.entry_kind
    for entry in listed:
        many = entry["others"] or len(entry.get("persons", ())) > kind.most_typed
        if (entry["team"] and not kind.has_name) or (many and not kind.lists_people):
            raise TournamentError("no_teams")


def _find_names(entries: Iterable[Any]) -> dict[str, str]:
    """Return what the accounts that entries name by the ids of their pages are called now, by those ids."""
    ids = {person.get("player") for entry in entries for person in entry["persons"]} - {None, ""}
    return dict(Player.objects.filter(public_id__in=ids).values_list("public_id", "name"))


def make_rows(tournament: Tournament, entries: Sequence[Any]) -> list[Row]:
    """Return entries of accounts as the rows of a list. TournamentError: not_real, where clubs or cards stand."""
    if any(entry["club"] or entry["partner_club"] for entry in entries):
        raise TournamentError("not_real")
    if any(person["club"] or person.get("card") for entry in entries for person in entry["persons"]):
        raise TournamentError("not_real")
    called = _find_names(entries)
    return [_make_row(tournament, number, entry, called) for number, entry in enumerate(entries, start=1)]


def _make_row(tournament: Tournament, number: int, entry: Any, called: Mapping[str, str]) -> Row:
    """Return an entry of accounts as a row of a list."""
    apart = [called.get(person.get("player") or "", person["name"]) for person in entry["persons"]]
    names = apart or [name for name in (entry["player"], entry["partner"], *entry["others"]) if name]
    if not tournament.entry_kind.lists_people:
        player, partner = (*names, "", "")[:2] if apart else (entry["player"], entry["partner"])
        return Row(number, player, partner, str(entry.get("seed") or ""))
    return replace(make_team_row(number, entry["team"], names), seed=str(entry.get("seed") or ""))


def type_names(tournament: Tournament, write: Write) -> import_list.Imported:
    """Enter names without accounts at real tables."""
    numbered = list(enumerate(write.data["entries"], start=1))
    with_cards = [entry for _number, entry in numbered if _has_cards(entry)]
    listed = [
        TypedEntry(number, tuple(_list_people(entry, number)), entry.get("seed"), entry["team"], entry["another"])
        for number, entry in numbered
        if not _has_cards(entry)
    ]
    by_lot = not tournament.takes_places
    seeded = [row for row in listed if row.placed is not None and by_lot]
    if seeded:
        problems = [list_problems.Problem(row.number, "seeds_by_lot", "seed", str(row.placed)) for row in seeded]
        raise TournamentError("list_refused", problems=problems)
    arguments: Any = {"tournament_id": tournament.pk, "by": write.player, "now": write.now}
    with transaction.atomic():
        if with_cards:
            register = find_own_register(tournament, write.player)
            for entry in with_cards:
                card_ids = [person["card"] for person in entry["persons"]]
                enter_cards(register=register, card_ids=card_ids, another=entry["another"], **arguments)
        made = type_entries(rows=listed, **arguments) if listed else []
    return import_list.Imported(entries=len(made) + len(with_cards), invitations=0)


def _has_cards(entry: Any) -> bool:
    return bool(entry["persons"]) and bool(entry["persons"][0].get("card"))


def find_own_register(tournament: Tournament, player: Player) -> Register:
    """Return the register that goes with a tournament: its club's, else the player's own. RegisterError: not_keeper."""
    register = find_register(OWN if tournament.club is None else tournament.club.public_id, player)
    if register is None:
        raise RegisterError("not_keeper")
    return register


def _list_people(entry: Any, number: int) -> Iterable[TypedPerson]:
    side = entry["side"]
    if entry["persons"]:
        yield from (TypedPerson(person["name"], person["club"], row=number, side=side) for person in entry["persons"])
        return
    yield TypedPerson(entry["player"], entry["club"], row=number, side=side)
    if entry["partner"] or entry["partner_club"]:
        yield TypedPerson(entry["partner"], entry["partner_club"], row=number)
    for name in entry["others"]:
        yield TypedPerson(name, row=number)


def read_cards(request: Request, tournament: Tournament, page: Sequence[rows.EntryRow]) -> dict[int, str]:
    """Return the public ids of the cards that people of a page have, by person, for whoever keeps the register; for
    everybody else none (I1)."""
    player = player_for(request.user)
    if player is None or not tournament.venue.enters_names or not may_read_as_organiser(request, tournament):
        return {}
    register = find_register(OWN if tournament.club is None else tournament.club.public_id, player)
    if register is None or register.pk is None:
        return {}
    ids = [pk for row in page for pk in row.person_ids]
    return dict(RegisterCard.objects.filter(register=register, person__in=ids).values_list("person", "public_id"))
