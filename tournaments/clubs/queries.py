"""Reads of clubs and of their members."""

from django.db.models import Count, Q, QuerySet

from players.models import Player
from tournaments.models import Club, ClubMember


def list_clubs() -> QuerySet[Club]:
    """Return every club by name, with ``members_count``."""
    confirmed = Count("members", filter=Q(members__confirmed=True))
    return Club.objects.annotate(members_count=confirmed).order_by("name_key")


def list_memberships(player: Player) -> QuerySet[ClubMember]:
    """Return the player's memberships by the club's name, invitations and requests included."""
    return ClubMember.objects.filter(player=player).select_related("club").order_by("club__name_key")


def list_clubs_to_organise_for(player: Player) -> QuerySet[Club]:
    """Return the clubs in whose name the player may organise."""
    roles = (ClubMember.Role.ORGANISER, ClubMember.Role.ADMIN)
    members = ClubMember.objects.filter(player=player, confirmed=True, role__in=roles)
    return Club.objects.filter(pk__in=members.values("club")).order_by("name_key")


def list_people(club: Club) -> QuerySet[ClubMember]:
    """Return the club's members, invitations and requests, the oldest first."""
    return ClubMember.objects.filter(club=club).select_related("player").order_by("since", "pk")


def is_admin(club: Club, player: Player | None) -> bool:
    """Tell if the player administers the club."""
    return (
        player is not None and club.members.filter(player=player, confirmed=True, role=ClubMember.Role.ADMIN).exists()
    )
