"""The tables: a match, its seats, its deals card by card. Deck order and moves are the truth; state is replayed.

What must be unique is unique in the database. Due times are columns, so a timed step needs neither Redis nor a person.
Nothing here knows tournaments.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.engine.game import AUTOMATIC, AutomaticCalls, controlling_seat, count_hands
from games.querysets import MatchQuerySet
from players.models import Player, make_public_id

EVERYTHING: AutomaticCalls = (
    frozenset(AUTOMATIC),
) * 4  # what the system calls for each seat, unless a player wants otherwise


class Match(models.Model):
    """Match of one or more deals between the same lines (G6), with its clocks, version and result."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("in attesa dei giocatori")
        PLAYING = "playing", _("in corso")
        FINISHED = "finished", _("finita")

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    title = models.CharField(max_length=250, blank=True)  # a tournament's name, or those of all who sit
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
    # Raised by every write of this row, of whatever column: a move planned on an older one is not written.
    revision = models.PositiveIntegerField(default=0)
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
    outage_ms = models.PositiveIntegerField(default=0)  # of all turns, as far as a referee needn't look at them
    paused_at = models.DateTimeField(null=True, blank=True)  # since when a referee holds the clocks (F2)
    stopped_at = models.DateTimeField(null=True, blank=True)  # a referee ended it without a result (F2)
    bot_due_at = models.DateTimeField(null=True, blank=True)
    # Until then everybody may call before a deal's first card, which waits (C2, C5); null: no such deal, or played on.
    opening_until = models.DateTimeField(null=True, blank=True)
    # The calls that players make by hand (X1): a bit for each of AUTOMATIC, seat after seat. 0: the system makes all.
    by_hand = models.PositiveSmallIntegerField(default=0)

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
    stakes_0 = models.PositiveSmallIntegerField(default=0)  # stakes won by each line
    stakes_1 = models.PositiveSmallIntegerField(default=0)

    objects = MatchQuerySet.as_manager()

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

    def save(self, *, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save the row at a new revision, which is read again when it is asked for."""
        if self._state.adding:
            super().save(update_fields=update_fields, **options)
            return
        self.revision = F("revision") + 1
        fields = None if update_fields is None else {*update_fields, "revision"}
        super().save(update_fields=fields, **options)
        del self.revision

    @property
    def chat_open(self) -> bool:
        """Tell whether players may talk: in a pairs match never while a deal is being played (G9), and one follows the
        other at once (G8)."""
        return self.players == 2 or self.status != self.Status.PLAYING

    @property
    def hands(self) -> int:
        """Return the number of hands dealt: one a player, four where three play (M3)."""
        return count_hands(self.players)

    def automatic(self, seat: int) -> frozenset[str]:
        """The calls the system makes for the player of ``seat`` (X1)."""
        if not self.by_hand:
            return EVERYTHING[0]
        bits = self.by_hand >> len(AUTOMATIC) * controlling_seat(seat, self.players)
        return frozenset(verb for place, verb in enumerate(AUTOMATIC) if not bits >> place & 1)

    def choose_automatic(self, seat: int, automatic: Collection[str]) -> None:
        """Have the system make these calls for ``seat`` and no other; to be saved by the caller."""
        first = len(AUTOMATIC) * seat
        bits = sum(1 << place for place, verb in enumerate(AUTOMATIC) if verb not in automatic)
        self.by_hand = self.by_hand & ~((1 << len(AUTOMATIC)) - 1 << first) | bits << first

    @property
    def automatic_calls(self) -> AutomaticCalls:
        """Return the verbs that the system calls for each hand (X1)."""
        return [self.automatic(seat) for seat in range(self.hands)] if self.by_hand else EVERYTHING


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
    """Deal of a match. Its deck is stored before anybody sees a card, and never dealt again but by rule."""

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
    """Move of the record, in the record's words."""

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
    """A line of a table's chat: by who sits there, or among those who watch (``seat`` null, by ``author``).

    ``phrase`` is the code of a ready-made one, which everybody reads in their own language; its ``text`` is empty.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="chat")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    author = models.ForeignKey(Player, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=200, blank=True)
    phrase = models.CharField(max_length=12, blank=True)
    client_id = models.CharField(max_length=36)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["match", "client_id"], name="chat_once_a_client_id")]


class Report(models.Model):
    """A request to the referee, or a report, from somebody at a table. Never shown but to who runs the tournament or
    the site."""

    class Reason(models.TextChoices):
        CARDS = "cards", _("comunica le carte")
        WORDS = "words", _("offende o disturba")
        PLAY = "play", _("gioca per far vincere o perdere qualcuno")
        SLOW = "slow", _("fa perdere tempo apposta")
        OTHER = "other", _("altro")
        CALL = "call", _("chiama l'arbitro al tavolo")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    about = models.ForeignKey(Player, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=8, choices=Reason.choices)
    text = models.CharField(max_length=300, blank=True)
    quote = models.CharField(max_length=200, blank=True)  # the chat message it is about, as it was written
    client_id = models.CharField(max_length=36)
    at = models.DateTimeField()
    seen_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    seen_at = models.DateTimeField(null=True, blank=True)  # when a referee saw to it (F4)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["reporter", "at"], name="report_reporter")]
        constraints = [models.UniqueConstraint(fields=["match", "client_id"], name="report_once_a_client_id")]

    def __str__(self) -> str:
        return f"{self.match_id} {self.reason}"


class FreeTable(models.Model):
    """A free table that people sit down at before it is opened as a match: set up by whoever sat down first."""

    class State(models.TextChoices):
        OPEN = "open", _("aspetta giocatori")
        STARTED = "started", _("cominciato")
        CLOSED = "closed", _("chiuso")

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    ruleset = models.CharField(max_length=32)
    players = models.PositiveSmallIntegerField()
    length_kind = models.CharField(max_length=6)
    length_value = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict, blank=True)
    turn_timeout = models.PositiveIntegerField(null=True, blank=True)  # seconds; both may be off (G8)
    match_clock = models.PositiveIntegerField(null=True, blank=True)
    public = models.BooleanField(default=True)  # listed on the front page; otherwise by its link alone
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField()  # an open one is closed then, any other forgotten
    match = models.OneToOneField(Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="free_table")

    class Meta:
        indexes = [models.Index(fields=["due_at"], name="free_table_due")]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.public_id}"


class FreeSeat(models.Model):
    """A player's seat at a free table; the first to come is its host; in one place at a time (E8)."""

    table = models.ForeignKey(FreeTable, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="free_seat")
    sat_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="free_seat_once")]


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
