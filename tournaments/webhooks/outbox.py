"""Events for webhooks, written in the transaction of what they tell: what is rolled back is told to nobody (W5).

It is called by whatever draws, publishes, takes results in and recomputes; none of those knows who listens. What an
event carries are ids, codes and points: no name of anybody or anything, so nothing private leaves with it. It sends
nothing.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from enum import StrEnum

from django.db import transaction
from django.db.models import Case, CharField, F, Q, QuerySet, Value, When
from django.db.models.functions import Cast, Coalesce, JSONArray

from games.engine.game import Points
from games.engine.record import Json
from players import caps
from players.models import Player
from tournaments.core.card_points import NO_CARDS, read_card_points
from tournaments.core.locking import lock_tournament
from tournaments.core.result import FIELDS, FixtureResult
from tournaments.models import Fixture, Round, ToldResult, Tournament, Webhook, WebhookDelivery

MAX_RANKS = 100  # in one event; the API has the rest


class Event(StrEnum):
    """Events that webhooks are told."""

    STARTED = "tournament.started"
    ROUND = "round.drawn"
    RESULT = "result.in"
    CORRECTED = "result.corrected"
    FINISHED = "tournament.finished"
    TEST = "webhook.test"


def tell_start(tournament: Tournament, entries: int, now: datetime) -> None:
    """Tell that a tournament is drawn with so many entries, and begins."""
    webhooks = list_listening(tournament)
    if webhooks:
        write_event(webhooks, Event.STARTED, {"tournament": tournament.public_id, "entries": entries}, now)


def tell_round(tournament: Tournament, round_: Round, now: datetime) -> None:
    """Tell that a round is published: from now on everybody reads its pairings (D4). First the results it rests on."""
    webhooks = list_listening(tournament)
    if webhooks:
        tell_results(tournament, now)
        fixtures = Fixture.objects.filter(round=round_).firsts().count()
        data = {
            "tournament": tournament.public_id, "round": round_.number, "round_name": round_.name, "fixtures": fixtures,
        }  # fmt: skip
        write_event(webhooks, Event.ROUND, data, now)


def tell_results(tournament: Tournament, now: datetime) -> None:
    """Tell the results that are new or others than those told last, however they came about (F3, R5)."""
    webhooks = list_listening(tournament)
    if not webhooks:
        return
    fixtures = _remember_results(tournament)
    cards = read_card_points(tournament, fixtures) if fixtures else NO_CARDS
    for fixture in fixtures:
        before: str = fixture.before  # type: ignore[attr-defined]  # annotated
        data = _describe_result(tournament, fixture, cards.get(fixture.pk))
        write_event(webhooks, Event.CORRECTED if before else Event.RESULT, data, now)


def tell_end(tournament: Tournament, now: datetime) -> None:
    """Tell that a tournament is finished, with its first ranks."""
    webhooks = list_listening(tournament)
    if webhooks:
        ranks = tournament.entries.drawn().values_list("pk", "rank", "vp", "mp").order_by("rank", "seed")
        standings = [{"entry": pk, "overall": rank, "vp": vp, "mp": mp} for pk, rank, vp, mp in ranks[:MAX_RANKS]]
        write_event(webhooks, Event.FINISHED, {"tournament": tournament.public_id, "standings": standings}, now)


def write_event(webhooks: Collection[Webhook], kind: Event, data: Json, now: datetime) -> str:
    """Put an event into the outbox of each of these webhooks. Return its id, the same for all."""
    event_id = f"evt_{secrets.token_hex(12)}"
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            webhook=webhook, event_id=event_id, kind=kind, data=data, at=now, due_at=_find_due(webhook, now)
        )
        for webhook in webhooks
    )
    return event_id


def list_listening(tournament: Tournament) -> Sequence[Webhook]:
    """Return the webhooks of its organiser that hear of this tournament: it was drawn after they were put on, or not
    long before."""
    drawn_at = tournament.drawn_at
    if drawn_at is None:
        return ()
    return list(
        Webhook.objects.filter(
            owner=tournament.organiser_id, off_at=None, since__lte=drawn_at + caps.WEBHOOK_LOOKBACK
        ).order_by("pk")
    )


def take_stock(owner: Player, now: datetime) -> None:
    """Note the results of what a webhook that is put on next will hear of: they are known, and no news.

    Outside any transaction: each tournament is locked for itself, also one that is on loan (O9).
    """
    drawn = Tournament.objects.filter(organiser=owner, drawn_at__gte=now - caps.WEBHOOK_LOOKBACK).order_by("pk")
    for tournament_id in list(drawn.values_list("pk", flat=True)):
        with transaction.atomic():
            _remember_results(lock_tournament(tournament_id, lent=True))


def _find_due(webhook: Webhook, now: datetime) -> datetime:
    return now if webhook.rests_until is None else max(now, webhook.rests_until)


def _remember_results(tournament: Tournament) -> list[Fixture]:
    """Note the results that differ from those told last. Return their fixtures, ``before`` being what was told."""
    fixtures = Fixture.objects.of(tournament).in_the_open().select_related("round")
    fixtures = fixtures.order_by("round__number", "board", "part")
    if tournament.entry_kind.has_parts:  # both tables are told once both are over (O12)
        fixtures = fixtures.filter(Q(result_at=None) | Q(vp_0__isnull=False) | Q(annulled=True))
    changed = list(_find_differing(fixtures))
    ToldResult.objects.bulk_create(
        [ToldResult(fixture=fixture, result=fixture.result) for fixture in changed],  # type: ignore[attr-defined]
        update_conflicts=True,
        unique_fields=["fixture"],
        update_fields=["result"],
    )
    return changed


def _find_differing(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    """Return those whose ``result``, in one text and empty where there is none, isn't ``before``, the one told last.

    The database does it, so that of a big tournament only what differs is read.
    """
    annulled = Case(When(Q(annulled=True) | Q(state=Fixture.State.ANNULLED), then=1), default=0)
    text = Case(
        When(result_at__isnull=True, then=Value("")),
        When(games__isnull=False, then=Cast(JSONArray(*FIELDS, annulled, "games"), CharField())),
        default=Cast(JSONArray(*FIELDS, annulled), CharField()),
        output_field=CharField(),
    )
    return fixtures.annotate(result=text, before=Coalesce("told__result", Value(""))).exclude(before=F("result"))


def _describe_result(tournament: Tournament, fixture: Fixture, cards: Points | None) -> Json:
    """Return a result as the API has it: 0 is ``first``, 1 is ``second``, null nobody, or nothing any more."""
    result = FixtureResult.from_fixture(fixture)
    pairs: Mapping[str, Points | None] = {
        "points": result.points, "cards": cards, "mp": result.mp, "vp": result.vp,
    }  # fmt: skip
    return {
        "tournament": tournament.public_id,
        "round": fixture.round.number,
        "board": fixture.board,
        "part": fixture.part,
        "first": fixture.first_id,
        "second": fixture.second_id,
        "over": fixture.result_at is not None,
        "winner": result.winner,
        **{name: None if pair is None else list(pair) for name, pair in pairs.items()},
        "forfeit_by": result.forfeit_by,
        "double_forfeit": result.double_forfeit,
        "annulled": fixture.annulled or fixture.state == Fixture.State.ANNULLED,
        "decided_by": result.decided_by,
        "games": [asdict(game) for game in result.games],
    }
