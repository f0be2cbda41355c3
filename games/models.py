"""The tables: a match, its seats, its deals card by card. Deck order and moves are the truth; state is replayed.

What must be unique is unique in the database. Due times are columns, so a timed step needs neither Redis nor a person.
Nothing here knows tournaments.
"""

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Player, new_public_id


class Match(models.Model):
    """One or more deals between the same lines (rules G6), with its clocks, version and result."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("in attesa dei giocatori")
        PLAYING = "playing", _("in corso")
        FINISHED = "finished", _("finita")

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id, editable=False)
    title = models.CharField(max_length=120, blank=True)
    about_url = models.CharField(max_length=200, blank=True)  # the page this match belongs to; who opens it says so
    ruleset = models.CharField(max_length=32)
    rules_version = models.PositiveSmallIntegerField(default=1)
    players = models.PositiveSmallIntegerField()
    length_kind = models.CharField(max_length=6)
    length_value = models.PositiveSmallIntegerField()
    context = models.CharField(max_length=12)
    options = models.JSONField(default=dict, blank=True)
    first_dealer = models.PositiveSmallIntegerField()

    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    version = models.PositiveIntegerField(default=0)
    opened_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)  # when match_finished was taken in upstairs

    # Clocks (G8, E9). Seconds as set up; null: switched off.
    turn_timeout = models.PositiveIntegerField(null=True, blank=True)
    match_clock = models.PositiveIntegerField(null=True, blank=True)
    clocks_ms = models.JSONField(default=list, blank=True)  # thinking time left, one a seat; empty: switched off
    turn_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    turn_from = models.DateTimeField(null=True, blank=True)  # the clock runs from here, after any pause
    deadline_at = models.DateTimeField(null=True, blank=True)  # the earlier of turn timeout and match clock, no grace
    deadline_verb = models.CharField(max_length=8, blank=True)  # "timeout" or "clock"
    noshow_at = models.DateTimeField(null=True, blank=True)
    extension_ms = models.PositiveIntegerField(default=0)  # of this turn, for outages of ours: charged to nobody
    bot_due_at = models.DateTimeField(null=True, blank=True)

    # Who controls each seat: the newest socket's token, one a seat. The mask has a bit for each house player's seat.
    controls = models.JSONField(default=list, blank=True)
    house_seats = models.PositiveSmallIntegerField(default=0)

    # The result, written with the last card.
    score_0 = models.SmallIntegerField(default=0)
    score_1 = models.SmallIntegerField(default=0)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    decided_by = models.CharField(max_length=24, blank=True)
    margin = models.PositiveSmallIntegerField(null=True, blank=True)
    offender = models.PositiveSmallIntegerField(null=True, blank=True)  # the line that forfeited
    both_forfeited = models.BooleanField(default=False)  # nobody came to the table (K5, R4)

    class Meta:
        indexes = [
            models.Index(fields=["deadline_at"], condition=Q(deadline_at__isnull=False), name="match_deadline"),
            models.Index(fields=["noshow_at"], condition=Q(noshow_at__isnull=False), name="match_noshow"),
            models.Index(fields=["bot_due_at"], condition=Q(bot_due_at__isnull=False), name="match_bot_due"),
            models.Index(
                fields=["finished_at"],
                condition=Q(status="finished", settled_at__isnull=True),
                name="match_unsettled",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title or self.ruleset} {self.public_id}"

    @property
    def chat_open(self) -> bool:
        """G9: in a pairs match nobody talks while a deal is being played; the next one is dealt as one ends (G8)."""
        return self.players == 2 or self.status != self.Status.PLAYING


class Seat(models.Model):
    """A player's place at a table. A player sits live in one place at a time on the whole site (E8)."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")
    live = models.BooleanField(default=True)
    arrived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="seat_once"),
            models.UniqueConstraint(fields=["player"], condition=Q(live=True), name="player_one_live_seat"),
        ]


class Deal(models.Model):
    """One deal: its deck is stored before anybody sees a card, and never dealt again but by rule."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField()
    deck = models.CharField(max_length=80)  # forty names, top card first, no spaces
    dealt_at = models.DateTimeField()
    finished = models.BooleanField(default=False)
    void = models.BooleanField(default=False)
    points_0 = models.SmallIntegerField(default=0)
    points_1 = models.SmallIntegerField(default=0)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="deal_once")]


class Move(models.Model):
    """One move of the record, in the record's words."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves")
    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="moves")
    ply = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()  # the match's version after this move
    text = models.CharField(max_length=80)  # "0 play 7c x 4d 3s"
    client_id = models.CharField(max_length=36, null=True, blank=True)
    played_at = models.DateTimeField()

    class Meta:
        ordering = ["ply"]
        constraints = [
            models.UniqueConstraint(fields=["deal", "ply"], name="move_once_a_ply"),
            models.UniqueConstraint(fields=["match", "version"], name="move_once_a_version"),
            models.UniqueConstraint(fields=["match", "client_id"], name="move_once_a_client_id"),
        ]


class ChatLine(models.Model):
    """What a player said at his table."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="chat")
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=200)
    client_id = models.CharField(max_length=36)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["match", "client_id"], name="chat_once_a_client_id")]


class Liveness(models.Model):
    """The last sign of life of each kind of process that deadlines depend on: sweepers and web servers.

    No row: no such process ever lived here. The last outage of the kind is kept so that two kinds that were away
    together extend the deadlines once.
    """

    kind = models.CharField(max_length=8, primary_key=True)
    beat_at = models.DateTimeField()
    outage_from = models.DateTimeField(null=True, blank=True)
    outage_until = models.DateTimeField(null=True, blank=True)

    @property
    def outage(self) -> tuple[datetime, datetime] | None:
        """The last one, from and until; None if there was none."""
        if self.outage_from is None or self.outage_until is None:
            return None
        return self.outage_from, self.outage_until
