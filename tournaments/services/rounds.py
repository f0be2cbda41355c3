"""The hours of rounds that have some (R6): when their players are told that one is near."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from players.models import Player
from tournaments import broadcast
from tournaments.models import EntryMember, Fixture, Round, Tournament
from tournaments.services.state import locked

State = Tournament.State

BEFORE = timedelta(minutes=15)


def plan_reminders(rounds: QuerySet[Round], now: datetime) -> None:
    """When the players of these rounds are told that their hour is near: a quarter of an hour before, if that is still
    to come. Who is told of the draw needs no word of what comes sooner."""
    rounds.update(remind_at=None)
    rounds.filter(opens_at__gt=now + BEFORE).update(remind_at=F("opens_at") - BEFORE)


def remind_round(*, round_id: int, now: datetime) -> bool:
    """Tell those whose tables of a round open at its hour; whoever agreed to play ahead has been told of his. Once for
    each hour it was to begin at; False where there was nothing to do."""
    tournament_id = Round.objects.values_list("stage__tournament_id", flat=True).get(pk=round_id)
    with transaction.atomic():
        tournament = locked(tournament_id)
        round_ = Round.objects.get(pk=round_id)
        due = round_.remind_at is not None and round_.remind_at <= now
        if tournament.state != State.RUNNING or not due:
            return False
        Round.objects.filter(pk=round_.pk).update(remind_at=None)
        if round_.opens_at is None or round_.opens_at <= now:  # nobody looked in time
            return False
        people = people_of_round(round_)
        broadcast.tell(tournament, people, "round_soon")
        about = f"{round_.pk}:{round_.opens_at:%Y%m%dT%H%M%S}"
        called = [round_.name, round_.number]
        broadcast.mail(tournament, people, "round_soon", now, about=about, at=round_.opens_at, round=called)
        return True


def people_of_round(round_: Round) -> list[int]:
    """The players whose tables of this round open at its hour, but the house's."""
    fixtures = Fixture.objects.filter(round=round_, state=Fixture.State.READY, opens_at__gte=round_.opens_at)
    sides = [side for pair in fixtures.values_list("first", "second") for side in pair]
    members = EntryMember.objects.filter(entry__in=sides).exclude(player__kind=Player.Kind.HOUSE)
    return list(members.order_by("pk").values_list("player_id", flat=True))
