"""Analyses of finished matches (HP6), as they are asked for and stored. Nothing here weighs a card."""

from django.db import models
from django.db.models import Q

from games.models import Match
from players.models import Player, make_public_id


class Analysis(models.Model):
    """Analysis of one player's decisions in a finished match, or in a record they sent; nobody else's to read.

    ``results`` has an object for each decision so far, in order (``records/analysis/run.py``): a run that was cut off
    goes on behind them.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="analyses")
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE, related_name="analyses")
    record = models.JSONField(null=True, blank=True)  # one that was sent
    digest = models.CharField(max_length=64, blank=True)  # of such a one
    seat = models.PositiveSmallIntegerField()
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    beat_at = models.DateTimeField(null=True, blank=True)  # the last sign of life of who works at it
    total = models.PositiveIntegerField(default=0)  # decisions; 0: not counted yet
    results = models.JSONField(default=list)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "analyses"
        constraints = [
            models.UniqueConstraint(
                fields=["match", "player", "seat"], condition=Q(match__isnull=False), name="analysis_once_a_match"
            ),
            models.UniqueConstraint(
                fields=["player", "digest", "seat"], condition=~Q(digest=""), name="analysis_once_a_record"
            ),
        ]
        indexes = [
            models.Index(fields=["asked_at"], condition=Q(state__in=("waiting", "running")), name="analysis_to_do"),
            models.Index(fields=["asked_at"], condition=~Q(digest=""), name="analysis_of_record"),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def done(self) -> int:
        """Return how many decisions have been weighed."""
        return len(self.results)

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED)
