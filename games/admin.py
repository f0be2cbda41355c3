"""Tables for whoever runs the site: what they are played by, their clocks and results.

Never a hand, a deck or a move of a deal, and nothing to change: what happened at a table is changed by nobody.
"""

from django.contrib import admin
from django.http import HttpRequest

from games.models import Match, Report, Seat


class ReadOnlyAdmin(admin.ModelAdmin):
    """Look, don't touch."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = (
        "public_id",
        "title",
        "ruleset",
        "status",
        "version",
        "deadline_at",
        "winner",
        "decided_by",
        "settled_at",
    )
    list_filter = ("status", "ruleset", "context")
    search_fields = ("public_id", "title")
    date_hierarchy = "opened_at"
    exclude = ("controls",)


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin):
    list_display = ("match", "number", "player", "live", "arrived_at")
    list_filter = ("live",)
    search_fields = ("match__public_id", "player__name")
    list_select_related = ("match", "player")


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    list_display = ("at", "match", "reason", "about", "reporter", "text", "quote")
    list_filter = ("reason",)
    search_fields = ("match__public_id", "about__name", "reporter__name")
    list_select_related = ("match", "about", "reporter")
    date_hierarchy = "at"
    exclude = ("client_id",)
