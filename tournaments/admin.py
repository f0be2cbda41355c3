"""Tournaments in the administration, read-only: changes go through the services."""

from django.contrib import admin
from django.http import HttpRequest

from tournaments.models import Entry, LogEntry, Tournament


class ReadOnly:
    """Admin without adding, changing or deleting: standings are recomputed, never patched."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class LogInline(ReadOnly, admin.TabularInline):
    model = LogEntry
    extra = 0
    raw_id_fields = ("player",)


@admin.register(Tournament)
class TournamentAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "state", "format", "ruleset", "organiser", "created_at")
    list_filter = ("state", "format", "ruleset")
    search_fields = ("name", "public_id")
    list_select_related = ("organiser",)
    inlines = (LogInline,)


@admin.register(Entry)
class EntryAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "tournament", "seed", "rank", "played", "mp", "vp")
    list_select_related = ("tournament",)
    raw_id_fields = ("tournament",)
