"""Skill levels as they are stored: what each person has, the step of each match, and the recomputation under way.

All of it follows from finished matches and can be recomputed from them (L6); nothing is ever patched.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.levels import ALONE, PAIRS
from games.models import Match
from players.models import Player


class LevelForm(models.TextChoices):
    """Form of play by which levels are kept apart (L1)."""

    ALONE = ALONE, _("da soli")
    PAIRS = PAIRS, _("a coppie")


class Level(models.Model):
    """A player's skill level in a ruleset and form (L1), as it was after the last match that counted."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="levels")
    ruleset = models.CharField(max_length=32)
    form = models.CharField(max_length=5, choices=LevelForm.choices)
    mu = models.FloatField()  # rounded to 9 decimals, as sigma (L4)
    sigma = models.FloatField()
    matches = models.PositiveIntegerField()
    rated_at = models.DateTimeField()  # when that last match finished

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "ruleset", "form"], name="level_once")]
        indexes = [models.Index(fields=["ruleset", "form", "-mu"], name="level_order")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.ruleset} {self.form}: {self.mu:.3f} ± {self.sigma:.3f}"


class LevelStep(models.Model):
    """Step of a player's level by one match that counted. Steps are ordered by (``finished_at``, match) (L6)."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="level_steps")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="level_steps")
    ruleset = models.CharField(max_length=32)
    form = models.CharField(max_length=5, choices=LevelForm.choices)
    finished_at = models.DateTimeField()  # the match's
    line = models.PositiveSmallIntegerField()
    share = models.FloatField()  # of this line (L3)
    mu_before = models.FloatField()
    sigma_before = models.FloatField()  # grown by the days away (L5)
    mu_after = models.FloatField()
    sigma_after = models.FloatField()
    matches = models.PositiveIntegerField()  # this one included

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="level_step_once")]
        indexes = [
            models.Index(fields=["finished_at", "match"], name="level_step_order"),
            models.Index(fields=["player", "ruleset", "form", "finished_at"], name="level_step_history"),
        ]


class LevelChange(models.Model):
    """Match whose result is new, or has changed, since levels were computed; gone once they follow it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="level_changes")
    at = models.DateTimeField()


class LevelBook(models.Model):
    """The one row that whoever changes levels holds, with the recomputation that is under way (L6)."""

    key = models.CharField(max_length=8, unique=True, default="levels")
    run_from = models.DateTimeField(null=True, blank=True)  # the hour of the first match that is rated anew
    run_match = models.BigIntegerField(default=0)  # its id
    started_at = models.DateTimeField(null=True, blank=True)
    beat_at = models.DateTimeField(null=True, blank=True)  # when whoever computes last said so; null: nobody does yet
    done = models.PositiveIntegerField(default=0)  # matches, of ``total``
    total = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(run_from__isnull=True, started_at__isnull=True)
                | Q(run_from__isnull=False, started_at__isnull=False),
                name="level_book_runs_or_not",
            ),
        ]
