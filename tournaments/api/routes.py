"""Addresses of tournaments in the API."""

from rest_framework.routers import SimpleRouter

from players.converters import PUBLIC_ID
from tournaments.api.calls import CallViewSet
from tournaments.api.chips import ChipViewSet
from tournaments.api.circuits import CircuitViewSet
from tournaments.api.claims import NameClaimViewSet
from tournaments.api.clubs import ClubViewSet
from tournaments.api.company import BlockViewSet, FollowViewSet, ModerationViewSet
from tournaments.api.entries import EntryViewSet
from tournaments.api.fixtures import FixtureViewSet
from tournaments.api.free_tables import FreeTableViewSet
from tournaments.api.hall import ClockViewSet
from tournaments.api.levels import LevelViewSet
from tournaments.api.lobby import LobbyViewSet, SeekViewSet
from tournaments.api.moderation import ModerationActViewSet, ReportViewSet
from tournaments.api.own_pages import AudienceViewSet, FixedPairViewSet, OwnDataViewSet
from tournaments.api.people import InvitationViewSet, MeViewSet, RefereeViewSet
from tournaments.api.person_pages import PersonViewSet
from tournaments.api.rankings import ArchiveViewSet, RankingViewSet
from tournaments.api.register import CardViewSet, RegisterViewSet
from tournaments.api.rounds import BanViewSet, ByeViewSet
from tournaments.api.series import SeriesViewSet
from tournaments.api.tournaments import TournamentViewSet
from tournaments.api.training import TrainingViewSet
from tournaments.api.travellers import TravellerViewSet
from tournaments.api.webhooks import WebhookViewSet

OF_ONE = rf"tournaments/(?P<public_id>{PUBLIC_ID})"


def register(router: SimpleRouter) -> None:
    """Add /tournaments/ and what is below one to the site's API router."""
    router.register("tournaments", TournamentViewSet, basename="tournament")
    router.register(f"{OF_ONE}/entries", EntryViewSet, basename="entry")
    router.register(f"{OF_ONE}/fixtures", FixtureViewSet, basename="fixture")
    router.register(f"{OF_ONE}/travellers", TravellerViewSet, basename="traveller")
    router.register(f"{OF_ONE}/byes", ByeViewSet, basename="bye")
    router.register(f"{OF_ONE}/bans", BanViewSet, basename="ban")
    router.register(f"{OF_ONE}/calls", CallViewSet, basename="call")
    router.register(f"{OF_ONE}/clocks", ClockViewSet, basename="clock")
    router.register(f"{OF_ONE}/referees", RefereeViewSet, basename="referee")
    router.register(f"{OF_ONE}/claims", NameClaimViewSet, basename="claim")
    router.register("invitations", InvitationViewSet, basename="invitation")
    router.register("me/training", TrainingViewSet, basename="training")
    router.register("me/follows", FollowViewSet, basename="follow")
    router.register("me/blocks", BlockViewSet, basename="block")
    router.register("me/moderation", ModerationViewSet, basename="moderation")
    router.register("me/audience", AudienceViewSet, basename="audience")
    router.register("me/pairs", FixedPairViewSet, basename="fixed-pair")
    router.register("me/export", OwnDataViewSet, basename="own-data")
    router.register("me", MeViewSet, basename="me")
    router.register("people", PersonViewSet, basename="person")
    router.register(rf"people/(?P<person>{PUBLIC_ID})/levels", LevelViewSet, basename="level")
    router.register("moderation/reports", ReportViewSet, basename="moderation-report")
    router.register("moderation/acts", ModerationActViewSet, basename="moderation-act")
    router.register("rankings", RankingViewSet, basename="ranking")
    router.register("archive", ArchiveViewSet, basename="archive")
    router.register("clubs", ClubViewSet, basename="club")
    router.register("circuits", CircuitViewSet, basename="circuit")
    router.register("registers", RegisterViewSet, basename="register")
    router.register(rf"registers/(?P<register>{PUBLIC_ID})/cards", CardViewSet, basename="card")
    router.register("webhooks", WebhookViewSet, basename="webhook")
    router.register("series", SeriesViewSet, basename="series")
    router.register("chips", ChipViewSet, basename="chip")
    router.register("tables", FreeTableViewSet, basename="free-table")
    router.register("lobby", LobbyViewSet, basename="lobby")
    router.register("seeks", SeekViewSet, basename="seek")
