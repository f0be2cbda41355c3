"""Accounts and players for the staff. Its login goes through allauth's, with its limits."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.models import Player, User
from players.services.hide_name import hide_name

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.register(User, UserAdmin)


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):
    list_display = ["name", "kind", "public_id", "created_at", "seen_at"]
    list_filter = ["kind"]
    search_fields = ["name", "public_id"]
    readonly_fields = ["public_id", "name", "user", "created_at", "seen_at"]  # a name changes by the action alone
    actions = ["hide_names"]

    @admin.action(description=_("Nascondi i nomi scelti"), permissions=["change"])
    def hide_names(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        """Hide the names of the chosen members (O2); the admin's log says who did."""
        for player in queryset.filter(kind=Player.Kind.MEMBER):
            name = hide_name(player_id=player.pk, now=timezone.now())
            self.log_change(request, player, [{"changed": {"fields": ["name"]}}])
            self.message_user(request, _("Ora si chiama %(name)s.") % {"name": name})
