"""Acts of a player by a program (scope *play*): enter, leave, check in, withdraw. Each calls the service of the page.

Mixed into the view of tournaments. No key plays a card.
"""

from typing import Any

from allauth.core import ratelimit
from django.utils.translation import gettext as _
from rest_framework import serializers

from api.access import find_tournament
from api.acts import read_entry_row
from api.answers import EntrySerializer
from api.rounds import ByeSerializer
from players.api.api_view import Scope
from players.api.bodies import StrictSerializer
from players.api.writes import Write, serve
from players.web.addresses import read_client_address
from tournaments.core import reads, rows
from tournaments.core.errors import TournamentError
from tournaments.entries import checkin, pairs, team_entry
from tournaments.entries.join import enter_player, leave_tournament
from tournaments.lists.spreadsheet import MAX_CELL_CHARS
from tournaments.lists.teams import make_team_row
from tournaments.lists.typed_entries import TypedPerson
from tournaments.models import Entry, RoundBye, Tournament
from tournaments.own_names.self_entry import enter_by_name
from tournaments.rounds import wishes as round_wishes
from tournaments.running.withdraw import withdraw_entry


class JoinBody(StrictSerializer):
    key = serializers.CharField(required=False, max_length=64, help_text="of the link, or the code")
    wait = serializers.BooleanField(required=False, default=False, help_text="a place on the waiting list will do")
    another = serializers.BooleanField(
        required=False, default=False, help_text="at real tables: somebody else than whoever is called so already"
    )
    partner = serializers.CharField(
        required=False, allow_null=True, max_length=64, help_text="in pairs: a name; null: by a link to send on"
    )

    typed_partner = serializers.CharField(
        required=False, max_length=MAX_CELL_CHARS, help_text="in pairs at real tables: who has no account"
    )

    def validate(self, data: Any) -> Any:
        if "typed_partner" in data and "partner" in data:
            raise serializers.ValidationError(
                {"typed_partner": serializers.ErrorDetail(_("Una volta sola."), "repeated")}
            )
        return data


class JoinedSerializer(EntrySerializer):
    approved = serializers.BooleanField(help_text="false: the organiser answers first")
    waits = serializers.BooleanField(help_text="on the waiting list")
    link_token = serializers.SerializerMethodField(help_text="of a pair by a link: what the partner shows")

    def get_link_token(self, row: rows.EntryRow) -> str | None:
        token = Entry.objects.filter(pk=row.entry_id).values_list("token", flat=True).first()
        return token or None


class HouseBody(StrictSerializer):
    key = serializers.CharField(required=False, default="", max_length=64, help_text="of the link, or the code")
    wait = serializers.BooleanField(required=False, default=False, help_text="a place on the waiting list will do")


class TeamHouseBody(StrictSerializer):
    team = serializers.CharField(max_length=MAX_CELL_CHARS, help_text="its name")
    key = serializers.CharField(required=False, default="", max_length=64, help_text="of the link, or the code")


class TeamBody(TeamHouseBody):
    others = serializers.ListField(
        child=serializers.CharField(max_length=MAX_CELL_CHARS),
        max_length=3,
        help_text="names: in teams of four first who plays with you at the first table",
    )


class PairBody(StrictSerializer):
    entry = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1, help_text="that asked by name")
    token = serializers.CharField(required=False, max_length=64, help_text="of a link")
    another = serializers.BooleanField(
        required=False, default=False, help_text="at real tables: somebody else than whoever is called so already"
    )


class DeclineBody(StrictSerializer):
    entry = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class WithdrawBody(StrictSerializer):
    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=500)


class OwnByeBody(StrictSerializer):
    round = serializers.IntegerField(min_value=1, max_value=10_000)


class PlayActs:
    """Acts of the player whom a key belongs to."""

    @serve(path="join", scope=Scope.PLAY, body=JoinBody, answer=JoinedSerializer)
    def join(self, write: Write, public_id: str) -> rows.EntryRow:
        """Enter the tournament; in pairs with the partner who is named, once they confirm. At real tables the partner
        may have no account."""
        tournament = find_tournament(write.request, public_id)
        _count_code(write, tournament)
        data: Any = write.data
        who: Any = {"tournament_id": tournament.pk, "player": write.player, "now": write.now}
        how: Any = {"key": data.get("key", ""), "wait": data["wait"]}
        kind = tournament.entry_kind
        if kind.lists_people and not tournament.venue.enters_names:
            raise TournamentError("needs_team")
        if kind.comes_alone and "partner" in data:
            raise TournamentError("not_pairs")
        if "typed_partner" in data:
            entry = enter_by_name(
                people=[TypedPerson(data["typed_partner"])],
                own_key="",
                address=read_client_address(write.request._request),
                join_key=how["key"],
                wait=how["wait"],
                another=data["another"],
                **who,
            )
        elif kind.comes_alone:
            entry = enter_player(another=data["another"], **who, **how)
        elif "partner" in data:
            entry = pairs.enter_pair(partner=data["partner"], another=data["another"], **who, **how)
        else:
            raise TournamentError("needs_partner")
        return read_entry_row(tournament, entry.pk)

    @serve(path="pair/house", scope=Scope.PLAY, body=HouseBody, answer=JoinedSerializer)
    def enter_with_house(self, write: Write, public_id: str) -> rows.EntryRow:
        """Enter with a partner of the house, also if the pair waits for somebody."""
        tournament, data = find_tournament(write.request, public_id), write.data
        _count_code(write, tournament)
        entry = pairs.enter_with_house(
            tournament_id=tournament.pk, player=write.player, now=write.now, key=data["key"], wait=data["wait"]
        )
        return read_entry_row(tournament, entry.pk)

    @serve(path="team", scope=Scope.PLAY, body=TeamBody)
    def ask_team(self, write: Write, public_id: str) -> None:
        """Hold a place for a team (squadre di quattro) and invite the others: it is in once all of them accept."""
        tournament, data = find_tournament(write.request, public_id), write.data
        _count_code(write, tournament)
        row = make_team_row(1, data["team"], [write.player.name, *data["others"]])
        team_entry.ask_team(tournament_id=tournament.pk, player=write.player, row=row, now=write.now, key=data["key"])

    @serve(path="team/house", scope=Scope.PLAY, body=TeamHouseBody, answer=JoinedSerializer)
    def enter_team_with_house(self, write: Write, public_id: str) -> rows.EntryRow:
        """Enter a team whose other players are the house's."""
        tournament, data = find_tournament(write.request, public_id), write.data
        _count_code(write, tournament)
        entry = team_entry.enter_with_house(
            tournament_id=tournament.pk, player=write.player, team=data["team"], now=write.now, key=data["key"]
        )
        return read_entry_row(tournament, entry.pk)

    @serve(path="pair/accept", scope=Scope.PLAY, body=PairBody, answer=EntrySerializer)
    def accept_pair(self, write: Write, public_id: str) -> rows.EntryRow:
        """Confirm the pair that asked by name (`entry`), or that of a link (`token`)."""
        tournament = find_tournament(write.request, public_id)
        entry = pairs.confirm_pair(
            tournament_id=tournament.pk,
            player=write.player,
            now=write.now,
            entry_id=write.data.get("entry", 0),
            token=write.data.get("token", ""),
            another=write.data["another"],
        )
        return read_entry_row(tournament, entry.pk)

    @serve(path="pair/decline", scope=Scope.PLAY, body=DeclineBody)
    def decline_pair(self, write: Write, public_id: str) -> None:
        """Say no to a pair that asked by name."""
        tournament = find_tournament(write.request, public_id)
        pairs.decline_pair(
            tournament_id=tournament.pk, player=write.player, entry_id=write.data["entry"], now=write.now
        )

    @serve(path="leave", scope=Scope.PLAY)
    def leave(self, write: Write, public_id: str) -> None:
        """Give up the place, until the draw."""
        tournament = find_tournament(write.request, public_id)
        leave_tournament(tournament_id=tournament.pk, player=write.player, now=write.now)

    @serve(path="bye", scope=Scope.PLAY, body=OwnByeBody, answer=ByeSerializer, status=201)
    def ask_for_bye(self, write: Write, public_id: str) -> RoundBye:
        """Ask not to play a round that isn't published, in pairs with the partner."""
        tournament, number = find_tournament(write.request, public_id), write.data["round"]
        own = self._read_own(tournament, write)
        about: Any = {"entry_id": own.entry_id, "number": number, "kind": RoundBye.Kind.ASKED}
        round_wishes.leave_out(tournament_id=tournament.pk, by=write.player, now=write.now, **about)
        return RoundBye.objects.get(entry=own.entry_id, number=number)

    @serve(path="bye/cancel", scope=Scope.PLAY, body=OwnByeBody)
    def take_bye_back(self, write: Write, public_id: str) -> None:
        """Play that round after all."""
        tournament = find_tournament(write.request, public_id)
        own = RoundBye.objects.filter(entry=self._read_own(tournament, write).entry_id, number=write.data["round"])
        bye = own.filter(kind=RoundBye.Kind.ASKED).first()
        if bye is None:
            raise TournamentError("no_such_bye")
        round_wishes.take_bye_back(tournament_id=tournament.pk, bye_id=bye.pk, by=write.player, now=write.now)

    @serve(path="check-in", scope=Scope.PLAY, answer=EntrySerializer)
    def check_in(self, write: Write, public_id: str) -> rows.EntryRow:
        """Say that the player is there."""
        tournament = find_tournament(write.request, public_id)
        checkin.check_in(tournament_id=tournament.pk, player=write.player, now=write.now)
        return self._read_own(tournament, write)

    @serve(path="withdraw", scope=Scope.PLAY, body=WithdrawBody, answer=EntrySerializer)
    def withdraw(self, write: Write, public_id: str) -> rows.EntryRow:
        """Leave the running tournament for good, in pairs with the partner."""
        tournament = find_tournament(write.request, public_id)
        own = self._read_own(tournament, write)
        withdraw_entry(
            tournament_id=tournament.pk,
            entry_id=own.entry_id,
            by=write.player,
            reason=write.data["reason"],
            now=write.now,
        )
        return self._read_own(tournament, write)

    def _read_own(self, tournament: Tournament, write: Write) -> rows.EntryRow:
        own = reads.read_own_entry(tournament, write.player)
        if own is None:
            raise TournamentError("not_entered")
        return own


def _count_code(write: Write, tournament: Tournament) -> None:
    """Count a code that is tried, as the page does."""
    by_code = tournament.registration == Tournament.Registration.CODE
    if by_code and not ratelimit.consume(write.request._request, action="join_code", user=write.player.user):
        raise TournamentError("too_many_codes")
