"""Traces of a tournament on other sites and with programs: imports, loans, webhooks."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Player, make_public_id
from tournaments.models.fixtures import Fixture
from tournaments.models.tournament import Tournament


class Arrival(models.Model):
    """The way a tournament was imported (O9): from which site, and which file, which is taken in once.

    ``ids``: the keys of entries and persons by kind and by their opaque ids in that file.
    """

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="arrival")
    site = models.CharField(max_length=32)
    origin = models.CharField(max_length=12)  # its public id there
    revision = models.PositiveIntegerField()  # of the file
    at = models.DateTimeField()
    ticket = models.CharField(max_length=64, blank=True)  # by which the site that lent it takes it back
    ids = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "origin", "revision"], name="file_once")]


class Loan(models.Model):
    """A loan of a tournament to another site (O9), and what its file is held against when it returns.

    Of the return ticket, which is in the file alone, only the digest is kept. ``ids``: as of an Arrival.
    """

    class Outcome(models.TextChoices):
        RETURNED = "returned", _("tornato")
        RECALLED = "recalled", _("richiamato")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="loans")
    by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    ticket_digest = models.CharField(max_length=64, unique=True)
    digest = models.CharField(max_length=80)  # of the file
    revision = models.PositiveIntegerField()
    logged = models.PositiveIntegerField()  # entries of the log that left with it
    ids = models.JSONField(default=dict)
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome.choices, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament"], condition=Q(ended_at__isnull=True), name="loan_once")
        ]


class Webhook(models.Model):
    """An address that is told what happens in its owner's tournaments (W5): off after days without any success."""

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    secret = models.CharField(max_length=64)
    old_secret = models.CharField(max_length=64, blank=True)  # signs beside the other while it is changed (W6)
    old_secret_until = models.DateTimeField(null=True, blank=True)
    since = models.DateTimeField()  # when it was made, or put on again
    off_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)  # one after the other
    failing_since = models.DateTimeField(null=True, blank=True)
    rests_until = models.DateTimeField(null=True, blank=True)  # after a failure nothing is sent before then (W7)


class WebhookDelivery(models.Model):
    """An event on its way to a webhook: written with what happened, in one transaction, and kept as the log (W7)."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    event_id = models.CharField(max_length=40)  # the same for all webhooks of its owner
    kind = models.CharField(max_length=24)
    data = models.JSONField()
    at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)  # null: done with
    attempts = models.PositiveSmallIntegerField(default=0)
    delivered_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)  # of the last answer
    error = models.CharField(max_length=16, blank=True)  # the code of why there was none

    class Meta:
        verbose_name_plural = "webhook deliveries"
        constraints = [models.UniqueConstraint(fields=["webhook", "event_id"], name="delivery_once")]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="delivery_due"),
            models.Index(fields=["webhook", "at"], name="delivery_log"),
            models.Index(fields=["at"], condition=Q(due_at__isnull=True), name="delivery_done"),
        ]


class ToldResult(models.Model):
    """A fixture's result as webhooks were told it last, so that a correction is known as one (W5)."""

    fixture = models.OneToOneField(Fixture, on_delete=models.CASCADE, primary_key=True, related_name="told")
    result = models.CharField(max_length=1000)  # as ``tournaments.webhooks.outbox`` writes it; empty: taken back
