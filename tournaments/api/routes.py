"""Addresses of tournaments in the API."""

from rest_framework.routers import SimpleRouter

from tournaments.api.tournaments import TournamentViewSet


def register(router: SimpleRouter) -> None:
    """Add /tournaments/ to the site's API router."""
    router.register("tournaments", TournamentViewSet, basename="tournament")
