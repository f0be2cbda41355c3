"""Addresses of tournaments in the API."""

from rest_framework.routers import SimpleRouter

from api.calls import CallViewSet
from api.chips import ChipViewSet
from api.circuits import CircuitViewSet
from api.claims import NameClaimViewSet
from api.clubs import ClubViewSet
from api.company import BlockViewSet, FollowViewSet, ModerationViewSet
from api.entries import EntryViewSet
from api.fixtures import FixtureViewSet
from api.free_tables import FreeTableViewSet
from api.hall import ClockViewSet
from api.levels import LevelViewSet
from api.lobby import LobbyViewSet, SeekViewSet
from api.moderation import ModerationActViewSet, ReportViewSet
from api.own_pages import AudienceViewSet, FixedPairViewSet, OwnDataViewSet
from api.people import InvitationViewSet, MeViewSet, RefereeViewSet
from api.person_pages import PersonViewSet
from api.play_offs import PlayOffViewSet
from api.rankings import ArchiveViewSet, RankingViewSet
from api.register import CardViewSet, RegisterViewSet
from api.rounds import BanViewSet, ByeViewSet
from api.series import SeriesViewSet
from api.tournaments import TournamentViewSet
from api.training import TrainingViewSet
from api.travellers import TravellerViewSet
from api.webhooks import WebhookViewSet
from players.converters import PUBLIC_ID

OF_ONE = rf"tournaments/(?P<public_id>{PUBLIC_ID})"


def register(router: SimpleRouter) -> None:
    """Add /tournaments/ and what is below one to the site's API router."""
    router.register("tournaments", TournamentViewSet, basename="tournament")
    router.register(f"{OF_ONE}/entries", EntryViewSet, basename="entry")
    router.register(f"{OF_ONE}/fixtures", FixtureViewSet, basename="fixture")
    router.register(f"{OF_ONE}/play-offs", PlayOffViewSet, basename="play-off")
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
