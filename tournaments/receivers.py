"""Receivers of signals from below: a finished match (its result is recorded once, however often it is sent), a full sit
and go, a referee call, a closing account. They decide nothing themselves."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from games.models import Seat
from games.signals import clocks_held, match_finished, referee_called
from players.models import Player
from players.signals import AccountBusy, account_closing, name_hidden
from tournaments.circuits.actions import leave_circuits
from tournaments.clubs.actions import leave_all_clubs
from tournaments.core.circuit_marks import mark_circuits_with
from tournaments.core.errors import TournamentError
from tournaments.core.log_details import rename_in_log
from tournaments.core.people import drop_unused_people
from tournaments.core.signals import name_forgotten_elsewhere, round_published, tournament_due
from tournaments.core.states import UNDRAWN
from tournaments.desk.referee_calls import announce_call, announce_held_clocks
from tournaments.entries.invitations import leave_invitations
from tournaments.entries.join import leave_tournament
from tournaments.models import (
    Circuit,
    LateRequest,
    NameClaim,
    Register,
    RegisterCard,
    Round,
    Series,
    Tournament,
    Webhook,
)
from tournaments.organise.lifecycle import cancel_tournament
from tournaments.organise.succession import hand_over_tournaments
from tournaments.rankings.points import follow_names, forget_player
from tournaments.register.forgetting import forget_returned_name
from tournaments.rounds.late_requests import close_late_requests
from tournaments.running.results import record_result
from tournaments.running.start import start_due
from tournaments.webhooks.outbox import tell_round

State = Tournament.State


@receiver(match_finished, dispatch_uid="tournaments.record_result")
def record_match_result(sender: Any, match_id: int, now: datetime, **kwargs: Any) -> None:
    record_result(match_id=match_id, now=now)


@receiver(tournament_due, dispatch_uid="tournaments.start")
def start_due_tournament(sender: Any, tournament_id: int, now: datetime, **kwargs: Any) -> None:
    """Draw a sit and go with its last place (E5)."""
    start_due(tournament_id=tournament_id, now=now)


@receiver(round_published, dispatch_uid="tournaments.tell_webhooks")
def tell_webhooks_of_round(sender: Any, tournament: Tournament, round: Round, now: datetime, **kwargs: Any) -> None:
    """Put the published round into the outbox of its organiser's webhooks (W5)."""
    tell_round(tournament, round, now)


@receiver(round_published, dispatch_uid="tournaments.close_late_requests")
def end_late_requests(sender: Any, tournament: Tournament, **kwargs: Any) -> None:
    """End the requests to come late that nobody has answered, once nobody comes in any more (D2)."""
    close_late_requests(tournament)


@receiver(name_forgotten_elsewhere, dispatch_uid="tournaments.forget_returned_name")
def forget_here_too(
    sender: Any, tournament: Tournament, person_id: int, by: Player, now: datetime, **kwargs: Any
) -> None:
    """Forget a name that was forgotten where its tournament was on loan (I1)."""
    forget_returned_name(tournament=tournament, by=by, person_id=person_id, now=now)


@receiver(referee_called, dispatch_uid="tournaments.pass_call_on")
def announce_referee_call(sender: Any, report_id: int, now: datetime, **kwargs: Any) -> None:
    """Show the call at once on the referees' pages (F4)."""
    announce_call(report_id=report_id, now=now)


@receiver(clocks_held, dispatch_uid="tournaments.tell_of_held_clocks")
def announce_clocks(sender: Any, match_id: int, now: datetime, **kwargs: Any) -> None:
    announce_held_clocks(match_id=match_id)


def _require_free(player: Player) -> None:
    if Seat.objects.filter(player=player, live=True).exists():
        raise AccountBusy("at_table")


@contextmanager
def _ignore_refusals(*codes: str) -> Iterator[None]:
    """Ignore a TournamentError with one of these codes: somebody else was faster."""
    try:
        yield
    except TournamentError as error:
        if error.code not in codes:
            raise


@receiver(account_closing, dispatch_uid="tournaments.let_go")
def leave_tournaments(sender: Any, player: Player, name: str, now: datetime, **kwargs: Any) -> None:
    """Take a closing account out of tournaments that haven't begun, hand over what it organises, and cancel what
    nobody could start.

    Results stay (R4: later fixtures are forfeited), and so does a tournament that began or was cancelled this very
    moment. AccountBusy while the player sits at a table.
    """
    _require_free(player)
    for tournament in Tournament.objects.filter(state__in=UNDRAWN, members__person__player=player).order_by("pk"):
        with _ignore_refusals("drawn", "registration_closed", "not_entered", "lent"):
            leave_tournament(tournament_id=tournament.pk, player=player, now=now)
    leave_invitations(player=player, now=now)
    hand_over_tournaments(player=player, now=now)
    for tournament in Tournament.objects.filter(organiser=player, state__in=UNDRAWN).order_by("pk"):
        with _ignore_refusals("over", "lent"):
            cancel_tournament(tournament_id=tournament.pk, by=player, now=now, closing=True)
    _require_free(player)
    Series.objects.filter(organiser=player).delete()
    mark_circuits_with(NameClaim.objects.filter(player=player).values_list("person", flat=True), now)
    NameClaim.objects.filter(player=player).delete()
    leave_circuits(player=player, now=now)
    LateRequest.objects.filter(player=player).delete()
    Webhook.objects.filter(owner=player).delete()
    forget_player(player, now)
    rename_in_log(player, name)


@receiver(name_hidden, dispatch_uid="tournaments.hide_name")
def hide_name_everywhere(sender: Any, player: Player, now: datetime, **kwargs: Any) -> None:
    """Write the new name where the logs of tournaments have the old one, and have no ranking find that (O2)."""
    rename_in_log(player, player.name)
    follow_names([player.person.pk], now)


@receiver(account_closing, dispatch_uid="tournaments.drop_register")
def drop_register(sender: Any, player: Player, now: datetime, **kwargs: Any) -> None:
    """Delete the closing account's own register: nobody is left who answers for it (I1). Doubles are two again."""
    Circuit.objects.filter(organiser=player, club=None).update(due_at=now)
    Register.objects.filter(organiser=player).delete()


@receiver(post_delete, sender=RegisterCard, dispatch_uid="tournaments.drop_person")
def drop_person(sender: Any, instance: RegisterCard, **kwargs: Any) -> None:
    """Delete the person of a deleted card, who stays where results hang on them."""
    drop_unused_people([instance.person_id])


@receiver(account_closing, dispatch_uid="tournaments.leave_clubs")
def leave_clubs(sender: Any, player: Player, now: datetime, **kwargs: Any) -> None:
    leave_all_clubs(player, now)
