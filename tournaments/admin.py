"""Tournaments in the administration, read-only: changes go through the services."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.clubs.actions import hide_club_name, vouch_for_club
from tournaments.models import Club, Entry, LogEntry, Tournament


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


@admin.register(Club)
class ClubAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "public_id", "vouched", "created_at")
    list_filter = ("vouched",)
    search_fields = ("name", "public_id")
    actions = ("hide_names", "vouch", "stop_vouching")

    def has_hide_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("tournaments.change_club"))

    @admin.action(description=_("Nascondi i nomi scelti"), permissions=["hide"])
    def hide_names(self, request: HttpRequest, queryset: QuerySet[Club]) -> None:
        """Hide names and descriptions of the chosen clubs (O2); the admin's log says who did."""
        for club in queryset:
            name = hide_club_name(club_id=club.pk)
            self.log_change(request, club, [{"changed": {"fields": ["name", "description"]}}])
            self.message_user(request, _("Ora si chiama %(name)s.") % {"name": name})

    @admin.action(description=_("Garantisci per i circoli scelti"), permissions=["hide"])
    def vouch(self, request: HttpRequest, queryset: QuerySet[Club]) -> None:
        """Let the tournaments at the real tables of the chosen clubs count in the rankings of the site (Y1)."""
        self._set_vouched(request, queryset, True)

    @admin.action(description=_("Non garantire più per i circoli scelti"), permissions=["hide"])
    def stop_vouching(self, request: HttpRequest, queryset: QuerySet[Club]) -> None:
        """Let them count in the clubs' own rankings alone again."""
        self._set_vouched(request, queryset, False)

    def _set_vouched(self, request: HttpRequest, queryset: QuerySet[Club], vouched: bool) -> None:
        for club in queryset:
            vouch_for_club(club_id=club.pk, vouched=vouched, now=timezone.now())
            self.log_change(request, club, [{"changed": {"fields": ["vouched"]}}])


@admin.register(Entry)
class EntryAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "tournament", "seed", "rank", "played", "mp", "vp")
    list_select_related = ("tournament",)
    raw_id_fields = ("tournament",)
