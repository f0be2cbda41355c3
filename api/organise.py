"""Acts of an organiser by a program (scope *organise*): make, change, open, cancel a tournament; its rounds and clocks.

Mixed into the view of tournaments. Each calls the service of the page, which decides who may.
"""

from django.db import transaction
from django.utils.translation import gettext as _
from rest_framework import serializers

from api.access import find_tournament, is_for_club
from api.acts import find_organised
from api.answers import TournamentSerializer
from api.settings_body import NewTournamentBody, SettingsBody, make_settings, take_settings
from players.api.api_view import Scope
from players.api.bodies import StrictSerializer
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.services.tokens import NEW, add_target, make_target
from tournaments.core.locking import lock_tournament
from tournaments.core.reasons import MAX_REASON_CHARACTERS
from tournaments.desk import clocks
from tournaments.desk.act import Act
from tournaments.entries import approvals, house, seeding
from tournaments.models import Club, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import change_settings, read_settings
from tournaments.rounds import drafts


class OwnTournamentSerializer(TournamentSerializer):
    """Tournament as the answer to a write of whoever runs it: with the code to enter by."""

    def get_join_code(self, tournament: Tournament) -> str | None:
        return tournament.join_code


class ReasonBody(StrictSerializer):
    reason = serializers.CharField(max_length=MAX_REASON_CHARACTERS, help_text="everybody reads it")


class OptionalReasonBody(StrictSerializer):
    reason = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=MAX_REASON_CHARACTERS,
        help_text="everybody reads it; where none is needed it may be missing",
    )


class DraftPairSerializer(serializers.Serializer[tuple[int, int | None]]):
    board = serializers.IntegerField()
    first = serializers.IntegerField(help_text="the entry's id")
    second = serializers.IntegerField(allow_null=True, help_text="null: a bye or a rest")


class DraftSerializer(serializers.Serializer[drafts.RoundDraft]):
    """Round that only the desk sees."""

    round = serializers.IntegerField()
    key = serializers.CharField(help_text="of these very pairs: for their publication")
    pairs = serializers.SerializerMethodField()
    parted = serializers.ListField(
        source="apart.swaps",
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="entries that changed places to keep clubs apart, one pair after the other",
    )
    of_one_club = serializers.ListField(
        source="apart.met",
        child=serializers.IntegerField(),
        help_text="how many pairs of the first round, or of the groups, were of one club before and after; else empty",
    )

    couples = serializers.ListField(
        source="partners.couples",
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="where people entered alone: the entries that become one pair, by which it goes here by the first",
    )
    draws = serializers.IntegerField(help_text="so often it was drawn")
    odd_one = serializers.IntegerField(
        source="partners.left_out", allow_null=True, help_text="the entry of whoever stays out of the pairs"
    )

    def get_pairs(self, draft: drafts.RoundDraft) -> list[dict[str, int | None]]:
        return [
            {"board": board, "first": first, "second": second} for board, (first, second) in enumerate(draft.pairs, 1)
        ]

    get_pairs.__annotations__["return"] = DraftPairSerializer(many=True)


class PublishRoundBody(StrictSerializer):
    round = serializers.IntegerField(min_value=1, max_value=10_000)
    key = serializers.CharField(required=False, default="", max_length=32, help_text="of the draft that was read")
    anyway = serializers.BooleanField(required=False, default=False, help_text="also as drawn before a result changed")


class SeedBody(StrictSerializer):
    entry = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    place = serializers.IntegerField(min_value=1, max_value=4096, allow_null=True)


class SeedsBody(StrictSerializer):
    seeds = SeedBody(many=True, help_text="entries that aren't named come after them, in the order of entering")


class LinkSerializer(serializers.Serializer[str]):
    """Token of the link to enter by: what ``key`` is when one enters."""

    key = serializers.CharField(source="*")


class OrganiseActs:
    """Acts of whoever runs tournaments."""

    @serve(scope=Scope.ORGANISE, body=NewTournamentBody, answer=OwnTournamentSerializer, status=201)
    def create(self, write: Write) -> Tournament:
        """Make a tournament: a draft, or open for entries at once. The key may organise it from now on."""
        club, targets = write.data.get("club"), write.token.targets
        require_club_chosen(write, club)
        if club is None and NEW not in targets:
            raise ApiRefusal(403, "not_chosen", _("Questa chiave non è per nuovi tornei."))
        with transaction.atomic():
            settings = make_settings(write.data)
            tournament = lifecycle.create_tournament(organiser=write.player, settings=settings, now=write.now)
            if NEW in targets:
                add_target(token=write.token, target=make_target("tournament", tournament.public_id))
            if write.data["publish"]:
                lifecycle.publish_tournament(tournament_id=tournament.pk, by=write.player, now=write.now)
        return find_tournament(write.request, tournament.public_id)

    @serve(scope=Scope.ORGANISE, body=SettingsBody, answer=OwnTournamentSerializer, partial=True)
    def partial_update(self, write: Write, public_id: str) -> Tournament:
        """Change settings; after the draw only texts and time zone."""
        tournament = find_organised(write, public_id)
        with transaction.atomic():
            tournament = lock_tournament(tournament.pk)
            settings = change_settings(read_settings(tournament), take_settings(write.data))
            club = write.data.get("club")
            if club is not None and club.pk != tournament.club_id:
                require_club_chosen(write, club)
            lifecycle.edit_tournament(tournament_id=tournament.pk, by=write.player, settings=settings, now=write.now)
        return find_tournament(write.request, public_id)

    @serve(path="publish", scope=Scope.ORGANISE, answer=OwnTournamentSerializer)
    def publish(self, write: Write, public_id: str) -> Tournament:
        """Open the entries."""
        tournament = find_organised(write, public_id)
        lifecycle.publish_tournament(tournament_id=tournament.pk, by=write.player, now=write.now)
        return find_tournament(write.request, public_id)

    @serve(path="cancel", scope=Scope.ORGANISE, body=OptionalReasonBody, answer=OwnTournamentSerializer)
    def cancel(self, write: Write, public_id: str) -> Tournament:
        """Call the tournament off: with a reason, once somebody has entered or is invited."""
        tournament, reason = find_organised(write, public_id), write.data["reason"]
        lifecycle.cancel_tournament(tournament_id=tournament.pk, by=write.player, now=write.now, reason=reason)
        return find_tournament(write.request, public_id)

    @serve(path="house", scope=Scope.ORGANISE, answer=OwnTournamentSerializer)
    def fill_with_house(self, write: Write, public_id: str) -> Tournament:
        """Give the free places to the house, up to its cap."""
        tournament = find_organised(write, public_id)
        house.enter_house_players(tournament_id=tournament.pk, by=write.player, now=write.now)
        return find_tournament(write.request, public_id)

    @serve(path="link", scope=Scope.ORGANISE, answer=LinkSerializer)
    def renew_link(self, write: Write, public_id: str) -> str:
        """Make the link to enter by anew: the old one opens nothing any more."""
        tournament = find_organised(write, public_id)
        return approvals.renew_join_link(tournament_id=tournament.pk, by=write.player, now=write.now)

    @serve(path="seeds", method="put", scope=Scope.ORGANISE, body=SeedsBody, answer=OwnTournamentSerializer)
    def place_seeds(self, write: Write, public_id: str) -> Tournament:
        """Put the entries in order, where the organiser does (`seeding`)."""
        tournament = find_organised(write, public_id)
        places = {row["entry"]: row["place"] for row in write.data["seeds"]}
        seeding.place_entries(tournament_id=tournament.pk, by=write.player, places=places, now=write.now)
        return find_tournament(write.request, public_id)

    @serve(path="rounds/draw", scope=Scope.ORGANISE, answer=DraftSerializer)
    def draw_round(self, write: Write, public_id: str) -> drafts.RoundDraft:
        """Draw the next round as a draft, where the organiser publishes rounds (`publishes_rounds`)."""
        tournament = find_organised(write, public_id)
        return drafts.draw_round(tournament_id=tournament.pk, by=write.player, now=write.now)

    @serve(path="rounds/publish", scope=Scope.ORGANISE, body=PublishRoundBody, answer=OwnTournamentSerializer)
    def publish_round(self, write: Write, public_id: str) -> Tournament:
        """Publish a round: from now on everybody sees it."""
        tournament, data = find_organised(write, public_id), write.data
        drafts.publish_round(
            tournament_id=tournament.pk,
            number=data["round"],
            by=write.player,
            now=write.now,
            seen=data["key"],
            anyway=data["anyway"],
        )
        return find_tournament(write.request, public_id)

    @serve(path="pause", scope=Scope.ORGANISE, body=ReasonBody, answer=OwnTournamentSerializer)
    def pause(self, write: Write, public_id: str) -> Tournament:
        """Hold all clocks of the tournament."""
        tournament = find_organised(write, public_id)
        clocks.hold_clocks(tournament_id=tournament.pk, fixture_id=None, act=make_act(write))
        return find_tournament(write.request, public_id)

    @serve(path="resume", scope=Scope.ORGANISE, body=ReasonBody, answer=OwnTournamentSerializer)
    def resume(self, write: Write, public_id: str) -> Tournament:
        """Let all clocks run on."""
        tournament = find_organised(write, public_id)
        clocks.resume_clocks(tournament_id=tournament.pk, fixture_id=None, act=make_act(write))
        return find_tournament(write.request, public_id)


def make_act(write: Write) -> Act:
    """Return a referee's act with the reason of the write, empty where it needs none."""
    return Act(by=write.player, reason=write.data["reason"], now=write.now, stamp=write.data.get("stamp", ""))


def require_club_chosen(write: Write, club: Club | None) -> None:
    """Raise ApiRefusal for a club that the key wasn't made for."""
    if club is not None and not is_for_club(write.token, club):
        raise ApiRefusal(403, "not_chosen", _("Questa chiave non è per questo circolo."))
