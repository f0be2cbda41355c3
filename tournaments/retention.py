"""Steps of the housekeeping for tournaments: what the house has played alone, and drafts that were never opened.

People's history stays: their tournaments, and every match they came to. Ages stand in ``players.caps``. Each tournament
is done in a transaction of its own, and left for the next time where somebody has it locked.
"""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Match, Seat
from players import caps
from players.models import Player
from players.services.housekeeping import register_step
from tournaments.core.people import drop_unused_people
from tournaments.models import (
    DeskPass,
    EntryListDraft,
    EntryMember,
    Fixture,
    LineUp,
    LogEntry,
    RegisterCard,
    RegisterDraft,
    Tournament,
)
from tournaments.register.cards import ADULT_AGE, renew_initials
from tournaments.webhooks.delivery import forget_deliveries

State = Tournament.State
HOUSE = Player.Kind.HOUSE


def forget_house_tournaments(now: datetime) -> int:
    """Delete a batch of the house's tournaments that ended a week ago and to whose tables no person came."""
    return _delete_each(_list_over(now - caps.HOUSE_TOURNAMENT_KEPT).filter(~Exists(_list_visits())))


def forget_house_matches(now: datetime) -> int:
    """Delete the matches of the house alone in a batch of its tournaments that ended a week ago; results stay."""
    alone = _list_house_matches().filter(fixture__round__tournament=OuterRef("pk"))
    over = _list_over(now - caps.HOUSE_MATCH_KEPT).filter(Exists(alone))
    return _do_each(over, _delete_house_matches)


def forget_drafts(now: datetime) -> int:
    """Delete a batch of drafts that nobody has touched for long."""
    before = now - caps.DRAFT_KEPT
    touched = LogEntry.objects.filter(tournament=OuterRef("pk"), at__gt=before)
    drafts = Tournament.objects.filter(Q(starts_at=None) | Q(starts_at__lte=now), state=State.DRAFT, lent_to="")
    return _delete_each(drafts.filter(~Exists(touched), created_at__lte=before))


def forget_register_drafts(now: datetime) -> int:
    """Delete a batch of the lists that nobody went on reading into a register (I1)."""
    old = RegisterDraft.objects.filter(made_at__lte=now - caps.LIST_DRAFT_KEPT).values_list("pk", flat=True)
    return RegisterDraft.objects.filter(pk__in=list(old[: caps.HOUSEKEEPING_BATCH])).delete()[0]


def forget_list_drafts(now: datetime) -> int:
    """Delete a batch of the lists of entries that nobody went on mending (E3, O2)."""
    old = EntryListDraft.objects.filter(made_at__lte=now - caps.LIST_DRAFT_KEPT).values_list("pk", flat=True)
    return EntryListDraft.objects.filter(pk__in=list(old[: caps.HOUSEKEEPING_BATCH])).delete()[0]


def forget_desk_passes(now: datetime) -> int:
    """Delete a batch of the desk passes whose evening is over (O9)."""
    old = DeskPass.objects.filter(expires_at__lte=now).values_list("pk", flat=True)
    return DeskPass.objects.filter(pk__in=list(old[: caps.HOUSEKEEPING_BATCH])).delete()[0]


def show_grown_names(now: datetime) -> int:
    """Show the names of a batch of people who were children by their year of birth, and are no more (I1).

    A double is shown as the card says into which it was merged.
    """
    cards = RegisterCard.objects.present().filter(person__initials=True, minor=False)
    grown = list(cards.filter(birth_year__lt=now.year - ADULT_AGE)[: caps.HOUSEKEEPING_BATCH])
    for card in grown:
        with transaction.atomic():
            renew_initials(card, now)
    return len(grown)


def register_steps() -> None:
    register_step("tournaments of the house", forget_house_tournaments)
    register_step("matches of the house", forget_house_matches)
    register_step("drafts", forget_drafts)
    register_step("lists of people", forget_register_drafts)
    register_step("lists of entries", forget_list_drafts)
    register_step("passes of desks", forget_desk_passes)
    register_step("names of the grown", show_grown_names)
    register_step("events of webhooks", forget_deliveries)


def _list_over(before: datetime) -> QuerySet[Tournament]:
    """Return the house's tournaments that ended before then, and not so long before that they were done already."""
    span = (before - caps.HOUSEKEEPING_LOOKBACK, before)
    return Tournament.objects.filter(
        organiser__kind=HOUSE, state__in=(State.FINISHED, State.CANCELLED), finished_at__range=span
    )


def _list_visits() -> QuerySet[Seat]:
    """Return the seats of a tournament's tables to which a person came."""
    people = Seat.objects.filter(arrived_at__isnull=False).exclude(player__kind=HOUSE)
    return people.filter(match__fixture__round__tournament=OuterRef("pk"))


def _list_house_matches() -> QuerySet[Match]:
    people = Seat.objects.filter(match=OuterRef("pk")).exclude(player__kind=HOUSE)
    return Match.objects.filter(~Exists(people), status=Match.Status.FINISHED)


def _delete_each(tournaments: QuerySet[Tournament]) -> int:
    return _do_each(tournaments, _delete_tournament)


def _do_each(tournaments: QuerySet[Tournament], act: Callable[[Tournament], None]) -> int:
    """Do it to each of a batch, in a transaction of its own. Return to how many: fewer, where some are locked."""
    done = 0
    for key in list(tournaments.order_by("pk").values_list("pk", flat=True)[: caps.HOUSEKEEPING_BATCH]):
        with transaction.atomic():
            free = Tournament.objects.select_for_update(skip_locked=True)
            tournament = free.filter(pk=key, state__in=(State.DRAFT, State.FINISHED, State.CANCELLED)).first()
            if tournament is not None:
                act(tournament)
                done += 1
    return done


def _delete_tournament(tournament: Tournament) -> None:
    fixtures = Fixture.objects.of(tournament)
    matches = list(fixtures.filter(match__isnull=False).values_list("match_id", flat=True))
    members = EntryMember.objects.filter(tournament=tournament)
    typed = list(members.filter(person__player=None).values_list("person_id", flat=True))
    LineUp.objects.of(tournament).delete()
    fixtures.delete()
    Match.objects.filter(pk__in=matches).delete()
    members.delete()
    drop_unused_people(typed)
    tournament.delete()


def _delete_house_matches(tournament: Tournament) -> None:
    alone = list(_list_house_matches().filter(fixture__round__tournament=tournament).values_list("pk", flat=True))
    Fixture.objects.of(tournament).filter(match__in=alone).update(match=None)
    Match.objects.filter(pk__in=alone).delete()
