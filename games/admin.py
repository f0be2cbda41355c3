"""Tables for whoever runs the site: what they are played by, their clocks and results.

Never a hand, a deck or a move of a deal, and nothing to change: what happened at a table is changed by nobody. The
staff may annul free matches: their stakes go back (Z3), and they count for no level.
"""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Match, Report, Seat
from games.services.annulment import annul_match
from games.services.errors import NotStarted


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
    actions = ("annul_matches",)

    @admin.action(description=gettext_lazy("Annulla le partite libere scelte: le poste tornano indietro"))
    def annul_matches(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        """Annul those of the chosen matches that are free and over, and say which aren't."""
        for match in chosen:
            try:
                annul_match(match_id=match.pk, now=timezone.now())
            except NotStarted:
                text = _("%(match)s non è una partita libera finita.") % {"match": match.public_id}
                self.message_user(request, text, messages.ERROR)


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
