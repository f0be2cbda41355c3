"""Which tournaments there are for whom, and who may watch."""

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import Match
from players.models import Player
from tournaments.models import Entry, EntryMember, Fixture, Tournament
from tournaments.selectors.places import ENTERING, UNDER_WAY
from tournaments.selectors.rights import runs
from tournaments.selectors.shown import Home

State = Tournament.State


def listed(player: Player | None = None) -> QuerySet[Tournament]:
    """The tournaments a reader may see, with ``entries_count``: all but the drafts he doesn't run."""
    return _seen_by(player).annotate(entries_count=_places_taken())


def _seen_by(player: Player | None) -> QuerySet[Tournament]:
    visible = ~Q(state=State.DRAFT)
    if player is not None:
        visible |= runs(player)
    return Tournament.objects.filter(visible).select_related("organiser", "club")


def _places_taken() -> Coalesce:
    """A correlated count, so that two counts on one query don't multiply each other."""
    rows = Entry.objects.in_place().filter(tournament=OuterRef("pk")).order_by().values("tournament")
    return Coalesce(Subquery(rows.annotate(n=Count("pk")).values("n")), 0)


def _live_count() -> Coalesce:
    rows = Fixture.objects.playing().filter(round__tournament=OuterRef("pk"))
    counts = rows.order_by().values("round__tournament").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counts), 0)


def home(player: Player | None = None, *, finished: int = 10) -> Home:
    """The front page's lists: open (soonest start first, sit and go on top), running, the last ``finished`` ones."""
    all_ = listed(player).annotate(live_count=_live_count())
    return Home(
        open=tuple(all_.filter(state__in=ENTERING).order_by(F("starts_at").asc(nulls_first=True), "-created_at")),
        running=tuple(all_.filter(state=State.RUNNING).order_by("-drawn_at")),
        finished=tuple(all_.filter(state=State.FINISHED).order_by("-finished_at")[:finished]),
    )


def visible(public_id: str, player: Player | None) -> Tournament | None:
    """The tournament of that address, or None where this reader may not know it; nothing is counted."""
    return _seen_by(player).filter(public_id=public_id).first()


def current_of(player: Player) -> QuerySet[Tournament]:
    """The unfinished tournaments a player is entered in, the newest first."""
    return Tournament.objects.filter(members__player=player, state__in=UNDER_WAY).order_by("-created_at")


# --- What a person may do ------------------------------------------------------------------------------------------


def called_off(table: str) -> bool:
    """Whether the table of that public id belongs to a cancelled tournament."""
    return Fixture.objects.filter(match__public_id=table, round__tournament__state=State.CANCELLED).exists()


def may_watch(match: Match, player: Player | None) -> bool:
    """N4: whoever is entered in a tournament doesn't watch its tables while they are in play."""
    if player is None or match.status == Match.Status.FINISHED:
        return True
    return not EntryMember.objects.of_player(player).filter(tournament__rounds__fixtures__match=match).exists()
