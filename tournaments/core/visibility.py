"""Visibility of tournaments to readers, and of their tables to those who play (N4). It never writes."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import Match
from games.selectors import Watching
from players import caps
from players.models import Player
from players.selectors import is_established
from tournaments.core.permissions import is_out, make_run_condition, may_referee, may_run
from tournaments.core.states import UNDER_WAY
from tournaments.formats import FORMATS
from tournaments.models import Entry, EntryMember, Fixture, LineUp, Tournament

State = Tournament.State


def list_tournaments(player: Player | None = None) -> QuerySet[Tournament]:
    """Return the tournaments a reader may see, with ``entries_count``: all but the drafts they don't run."""
    return _list_visible(player).annotate(entries_count=_count_places())


def _list_visible(player: Player | None) -> QuerySet[Tournament]:
    visible = ~Q(state=State.DRAFT)
    if player is not None:
        visible |= make_run_condition(player)
    return Tournament.objects.filter(visible).select_related("organiser", "club")


def make_listed_condition() -> Q:
    """Return the condition that the front page shows a tournament to everybody (AT6).

    What a new account has opened is listed once somebody else has entered, a person with an account or a guest.
    """
    settled = ~Q(organiser__kind=Player.Kind.MEMBER) | Q(created_at__gte=F("organiser__created_at") + caps.NEW_ACCOUNT)
    others = EntryMember.objects.filter(tournament=OuterRef("pk"), person__player__isnull=False).people()
    own = others.exclude(person__player=OuterRef("organiser"))
    return settled | Q(Exists(own.filter(entry__in=Entry.objects.in_place().filter(confirmed=True))))


def is_listed(tournament: Tournament) -> bool:
    """Tell if the front page shows the tournament to everybody."""
    return Tournament.objects.filter(make_listed_condition(), pk=tournament.pk).exists()


def make_indexed_condition() -> Q:
    """Return the condition that search engines may keep a tournament's page: anybody may enter or ask to, everybody is
    shown it, and nobody without an account is named on it."""
    typed = EntryMember.objects.filter(tournament=OuterRef("pk"), person__player=None)
    replaced = LineUp.objects.filter(fixture__round__tournament=OuterRef("pk"), person__player=None)
    entering = Q(registration__in=(Tournament.Registration.OPEN, Tournament.Registration.APPROVAL))
    shown = ~Q(state__in=(State.DRAFT, State.CANCELLED)) & make_listed_condition()
    return entering & shown & ~Q(Exists(typed)) & ~Q(Exists(replaced))


def is_indexed(tournament: Tournament) -> bool:
    """Tell if search engines may keep the tournament's page."""
    return Tournament.objects.filter(make_indexed_condition(), pk=tournament.pk).exists()


def list_mapped_tournaments() -> QuerySet[Tournament]:
    """Return the tournaments that search engines are led to, the latest first: those that run or are over."""
    shown = Tournament.objects.filter(make_indexed_condition(), state__in=(State.RUNNING, State.FINISHED))
    return shown.only("public_id", "drawn_at", "finished_at").order_by("-drawn_at", "-pk")


def _count_places() -> Coalesce:
    """A correlated count, so that two counts on one query don't multiply each other."""
    rows = Entry.objects.in_place().filter(tournament=OuterRef("pk")).order_by().values("tournament")
    return Coalesce(Subquery(rows.annotate(n=Count("pk")).values("n")), 0)


def count_live() -> Coalesce:
    rows = Fixture.objects.playing().filter(round__tournament=OuterRef("pk"))
    counts = rows.order_by().values("round__tournament").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counts), 0)


def count_house() -> Coalesce:
    """Count the players of the house who have a place in it, for the query of a list."""
    rows = EntryMember.objects.bots().filter(tournament=OuterRef("pk"), entry__in=Entry.objects.in_place())
    counts = rows.order_by().values("tournament").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counts), 0)


def find_visible(public_id: str, player: Player | None) -> Tournament | None:
    """Return the tournament of that address, or None where this reader may not know it; nothing is counted."""
    tournament = Tournament.objects.select_related("organiser", "club").filter(public_id=public_id).first()
    if tournament is None or (tournament.state == State.DRAFT and not may_run(tournament, player)):
        return None
    return tournament


def read_versions(public_ids: Iterable[str]) -> dict[str, int]:
    """Return the version of each of these tournaments that everybody may see."""
    return dict(_list_visible(None).filter(public_id__in=public_ids).values_list("public_id", "version"))


def list_current(player: Player) -> QuerySet[Tournament]:
    """Return the unfinished tournaments a player is entered in, the newest first."""
    return Tournament.objects.filter(members__person__player=player, state__in=UNDER_WAY).order_by("-created_at")


def is_called_off(table: str) -> bool:
    """Tell if the table of that public id belongs to a cancelled tournament."""
    return Fixture.objects.filter(match__public_id=table, round__tournament__state=State.CANCELLED).exists()


def find_watching(match: Match, player: Player | None, now: datetime) -> Watching:
    """Return how a reader may watch a running table: not at all who may still meet those who play (N4); one deal late
    who is out of a bracket, and everybody but established members (W3). Showcases and free tables at once."""
    tournament = Tournament.objects.filter(rounds__fixtures__match=match).first()
    if tournament is None:
        return Watching.LIVE
    if player is not None and plays_in(tournament, player):
        return Watching.LATE if is_knocked_out(tournament, player) else Watching.REFUSED
    if _is_showcase(tournament) or may_referee(tournament, player):
        return Watching.LIVE
    return Watching.LIVE if player is not None and is_established(player, now) else Watching.LATE


def is_knocked_out(tournament: Tournament, player: Player) -> bool:
    """Tell if the player is entered and out of its bracket: they meet nobody there any more."""
    own = tournament.members.of_player(player).select_related("entry").first()
    if own is None:  # they were replaced (F2), and their entry plays on
        return False
    bracket = FORMATS[tournament.format].is_bracket or own.entry.group is not None
    return bracket and is_out(tournament, own.entry)


def may_watch(tournament: Tournament, player: Player | None) -> bool:
    """Tell if the reader may watch the tables of a tournament at which they don't sit, late at least (N4)."""
    return player is None or not plays_in(tournament, player) or is_knocked_out(tournament, player)


def find_unwatchable(match_ids: Collection[int], player: Player | None) -> set[int]:
    """Return those of these running matches that the reader may not watch, late either, for they may still meet who
    plays there (N4)."""
    if player is None or not match_ids:
        return set()
    rows = Fixture.objects.filter(make_player_condition("round__tournament", player), match__in=match_ids)
    out: dict[int, bool] = {}
    unwatchable = set()
    for fixture in rows.select_related("round__tournament"):
        tournament = fixture.round.tournament
        if tournament.pk not in out:
            out[tournament.pk] = is_knocked_out(tournament, player)
        if not out[tournament.pk] and fixture.match_id is not None:
            unwatchable.add(fixture.match_id)
    return unwatchable


def make_showcase_condition() -> Q:
    """Return the condition that the house plays a tournament alone, for whoever watches: no person is entered."""
    people = EntryMember.objects.people().filter(tournament=OuterRef("pk"))
    return Q(organiser__kind=Player.Kind.HOUSE) & ~Q(Exists(people))


def _is_showcase(tournament: Tournament) -> bool:
    return Tournament.objects.filter(make_showcase_condition(), pk=tournament.pk).exists()


def make_player_condition(tournament: str, player: Player) -> Q:
    """Return the condition that the player is entered in a row's tournament, or has played in it and was
    replaced (F2)."""
    entered = EntryMember.objects.of_player(player).filter(tournament=OuterRef(tournament))
    named = LineUp.objects.of_player(player).filter(fixture__round__tournament=OuterRef(tournament))
    return Q(Exists(entered)) | Q(Exists(named))


def plays_in(tournament: Tournament, player: Player) -> bool:
    """Tell if the player is entered in it, or has played in it and was replaced (N4)."""
    return Tournament.objects.filter(pk=tournament.pk).filter(make_player_condition("pk", player)).exists()
