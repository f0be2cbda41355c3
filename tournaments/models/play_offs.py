"""Play-offs for a rank (EV11): rows of their own, which no round, no sum and no plan of the tournament counts.

What they make of the standings follows from their results, as everything below the draw does.
"""

from django.db import models

from tournaments.models.tournament import Entry, Tournament


class PlayOff(models.Model):
    """A play-off among entries that shared a rank, with the length of its matches."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="play_offs", db_index=False)
    number = models.PositiveSmallIntegerField()  # from 1, in the order in which they were opened; none is used twice
    rank = models.PositiveSmallIntegerField()  # that its entries shared then
    length_kind = models.CharField(max_length=6)
    length_value = models.PositiveSmallIntegerField()
    opened_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="play_off_once")]


class PlayOffEntry(models.Model):
    """An entry of a play-off, and its number in the lot that fills the bracket: the first ones have the byes."""

    play_off = models.ForeignKey(PlayOff, on_delete=models.CASCADE, related_name="entries", db_index=False)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="play_offs")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["play_off", "number"], name="play_off_number_once"),
            models.UniqueConstraint(fields=["play_off", "entry"], name="play_off_entry_once"),
        ]


class PlayOffResult(models.Model):
    """Result of a match of a play-off, by its place in the bracket; the columns are those of ``Fixture``."""

    play_off = models.ForeignKey(PlayOff, on_delete=models.CASCADE, related_name="results", db_index=False)
    round = models.PositiveSmallIntegerField()
    board = models.PositiveSmallIntegerField()
    winner = models.PositiveSmallIntegerField(null=True, blank=True)  # 0 or 1; null: both forfeited
    double_forfeit = models.BooleanField(default=False)
    forfeit_by = models.PositiveSmallIntegerField(null=True, blank=True)
    points_0 = models.SmallIntegerField(null=True, blank=True)
    points_1 = models.SmallIntegerField(null=True, blank=True)
    decided_by = models.CharField(max_length=24, blank=True)
    result_at = models.DateTimeField()

    class Meta:
        ordering = ["round", "board"]
        constraints = [models.UniqueConstraint(fields=["play_off", "round", "board"], name="play_off_result_once")]
