"""Analyses of finished matches (HP6), as they are asked for and stored, and problems mined from them (HP7), with who
tried them and the level of each in them. Nothing here weighs a card."""

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
    beat_at = models.DateTimeField(null=True, blank=True)  # the last sign of life of whoever works at it
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


class MinedMatch(models.Model):
    """Finished match that was gone through for problems, whether it had any or not."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="mined")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.match_id}"


class CardProblem(models.Model):
    """Position of a finished match in which one play is clearly best, with the worth of each play (HP7).

    Its cards are not stored: they are read from the match's record, as the seat saw them after ``step`` moves of the
    deal at ``deal``, from 1.
    """

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    ruleset = models.CharField(max_length=32)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="problems")
    deal = models.PositiveSmallIntegerField()
    step = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    ways = models.PositiveIntegerField()  # in which the hidden cards may lie
    # The best first: {"move": "play 7c x 7s", "points", "best_in", "ahead_in", "line": ["1 play Fd", …]}
    plays = models.JSONField()
    played = models.CharField(max_length=80)  # what was played in the match, without the seat
    mined_at = models.DateTimeField()
    # How hard it is: a level as people have one, at first by how many house players miss it.
    mu = models.FloatField()
    sigma = models.FloatField()
    tried = models.PositiveIntegerField(default=0)  # by members, each at their first answer
    solved = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "deal", "step"], name="problem_once")]
        indexes = [models.Index(fields=["ruleset", "mu"], name="problem_by_level")]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.public_id}"

    @property
    def best(self) -> str:
        """Return the best play, as a record has it without the seat."""
        return str(self.plays[0]["move"])


class DailyProblem(models.Model):
    """Problem of a day, by the date in Rome, for each ruleset: the same for everybody."""

    day = models.DateField()
    ruleset = models.CharField(max_length=32)
    problem = models.ForeignKey(CardProblem, on_delete=models.CASCADE, related_name="days")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["day", "ruleset"], name="daily_problem_once")]

    def __str__(self) -> str:
        return f"{self.day} {self.ruleset}"


class Attempt(models.Model):
    """First answer of a member to a problem, and their level in problems of that ruleset after it."""

    problem = models.ForeignKey(CardProblem, on_delete=models.CASCADE, related_name="attempts")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="problem_attempts")
    chosen = models.CharField(max_length=80)
    right = models.BooleanField()
    at = models.DateTimeField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["problem", "player"], name="attempt_once")]
        indexes = [models.Index(fields=["player", "at"], name="attempt_history")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.problem_id}"


class ProblemLevel(models.Model):
    """Level of a member in the problems of a ruleset, by the rating of skill levels (L4) with the problem opposite."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="problem_levels")
    ruleset = models.CharField(max_length=32)
    mu = models.FloatField()
    sigma = models.FloatField()
    attempts = models.PositiveIntegerField()
    rated_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "ruleset"], name="problem_level_once")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.ruleset}"
