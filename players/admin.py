"""Accounts and players for the staff. Its login goes through allauth's, with its limits."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from players.models import Player, User

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.register(User, UserAdmin)


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):
    list_display = ["name", "kind", "public_id", "created_at", "seen_at"]
    list_filter = ["kind"]
    search_fields = ["name", "public_id"]
    readonly_fields = ["public_id", "user", "created_at", "seen_at"]
