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

from games.engine.game import AUTOMATIC, AutomaticCalls, Points, controlling_seat, count_hands
from games.querysets import DealQuerySet, MatchQuerySet, MoveQuerySet
from games.withheld import WithheldRow, hold_results
from players.house_titles import show_title
from players.models import Player, make_public_id


def match_house_alone(path: str = "") -> Q:
    """Return the condition that nobody but the house sits at a match; ``path`` leads to it, as ``match__``."""
    seats = Q((f"{path}players", 2), (f"{path}house_seats", 0b11))
    return seats | Q((f"{path}players__gt", 2), (f"{path}house_seats", 0b1111))


HOUSE_ALONE = match_house_alone()
EVERYTHING: AutomaticCalls = (
    frozenset(AUTOMATIC),
) * 4  # what the system calls for each seat, unless a player wants otherwise


class Commitment(models.Model):
    """Commitment to the secret from which the cards of a match come (J1), or of all matches of a round (J9), or a
    tournament's lots (J3a): a row of the public register, never deleted."""

    class Stage(models.TextChoices):
        HASHES = "hashes"  # of nonces, while players come
        NONCES = "nonces"
        FIXED = "fixed"

    class Reason(models.TextChoices):
        PLAYED = "played", _("partita finita")
        STOPPED = "stopped", _("partita fermata")
        NEVER_DEALT = "never_dealt", _("carte mai date")
        LOST = "lost", _("perso con la chiave")
        # Of a tournament's draw (J3a)
        DRAWN = "drawn", _("sorteggio fatto")
        CANCELLED = "cancelled", _("torneo annullato")
        ELSEWHERE = "elsewhere", _("sorteggiato su un altro sito")

    number = models.PositiveIntegerField(null=True, unique=True)  # in the register; null until it is listed
    drawn_at = models.DateTimeField()  # whole seconds
    scope = models.CharField(max_length=64, unique=True)
    digest = models.CharField(max_length=64)
    previous = models.CharField(max_length=64, blank=True)  # digest of the row before
    sealed = models.TextField(blank=True)  # the secret (games/sealing.py); empty once it is published
    secret = models.CharField(max_length=64, blank=True)  # in hex, once it is published
    revealed_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=11, choices=Reason.choices, blank=True)
    dealer_drawn = models.BooleanField(default=False)  # the first dealer comes from it (G3)
    shared = models.BooleanField(default=False)  # by the matches of a round (J9): whoever runs it fixes and reveals it
    stage = models.CharField(max_length=6, choices=Stage.choices, default=Stage.HASHES)
    hashes = models.JSONField(
        default=list
    )  # one a player, in the order of seats; "": none. Shared: of the registration
    nonces = models.JSONField(default=list)

    class Meta:
        indexes = [
            models.Index(fields=["drawn_at"], condition=Q(number__isnull=True), name="commitment_unlisted"),
            models.Index(fields=["drawn_at"], condition=Q(secret=""), name="commitment_hidden"),
        ]

    def __str__(self) -> str:
        return self.scope


class RegisterHead(models.Model):
    """End of the public register: the one row that whoever lists a commitment holds."""

    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return str(self.number)


class Strength(models.TextChoices):
    """Strengths of the house's players (HP2), weakest first. The database knows the default, too: while a site is being
    updated, tables are opened by processes that know no strengths."""

    BEGINNER = "beginner", _("Principiante")
    CLUB = "club", _("Circolo")
    MASTER = "master", _("Maestro")


@hold_results
class Match(WithheldRow):
    """Match of one or more deals between the same lines (G6), with its clocks, version and result."""

    RESULTS = (
        "score_0", "score_1", "winner", "decided_by", "margin", "offender", "both_forfeited", "stakes_0", "stakes_1",
    )  # fmt: skip

    class Status(models.TextChoices):
        WAITING = "waiting", _("in attesa dei giocatori")
        PLAYING = "playing", _("in corso")
        FINISHED = "finished", _("finita")

    class Absence(models.TextChoices):
        LOSES = "loses", _("chi manca perde")
        HOUSE = "house", _("la casa gioca per chi manca")

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
    strength = models.CharField(  # the house's (HP2)
        max_length=8, choices=Strength.choices, default=Strength.CLUB, db_default=Strength.CLUB
    )
    first_dealer = models.PositiveSmallIntegerField()
    # Where its cards come from (games/shuffles.py); null: it was dealt before there were commitments.
    commitment = models.ForeignKey(Commitment, null=True, blank=True, on_delete=models.PROTECT, related_name="matches")
    # Its cards are still to be played at other tables: who doesn't sit here is told nothing of it (J12).
    withheld = models.BooleanField(default=False)
    absence = models.CharField(max_length=5, choices=Absence.choices, default=Absence.LOSES)  # "house" counts nowhere
    training = models.BooleanField(default=False)  # one person against the house, in private; it counts nowhere (B7)

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
    # Who hasn't come by then is absent; while it is played: it ends then without a result, for nobody plays it.
    noshow_at = models.DateTimeField(null=True, blank=True)
    mixing_until = models.DateTimeField(null=True, blank=True)  # all are here, and their browsers add nonces (J2)
    extension_ms = models.PositiveIntegerField(default=0)  # of this turn, for outages of ours: charged to nobody
    outage_ms = models.PositiveIntegerField(default=0)  # of all turns, as far as a referee needn't look at them
    paused_at = models.DateTimeField(null=True, blank=True)  # since when a referee holds the clocks (F2)
    stopped_at = models.DateTimeField(null=True, blank=True)  # ended without a result: by a referee (F2), or set aside
    annulled_at = models.DateTimeField(null=True, blank=True)  # of a free match: its result counts for nobody any more
    bot_due_at = models.DateTimeField(null=True, blank=True)
    # Until then everybody may call before a deal's first card, which waits (C2, C5); null: no such deal, or played on.
    opening_until = models.DateTimeField(null=True, blank=True)
    # The calls that players make by hand (X1): a bit for each of AUTOMATIC, seat after seat. 0: the system makes all.
    by_hand = models.PositiveSmallIntegerField(default=0)

    # Who controls each seat: the newest socket's token, one a seat. The mask has a bit for each house player's seat.
    controls = models.JSONField(default=list, blank=True)
    house_seats = models.PositiveSmallIntegerField(default=0)
    # Masks too, where the house plays for the absent: the seats it plays now, and of those the ones left for good.
    taken_over = models.PositiveSmallIntegerField(default=0)
    given_up = models.PositiveSmallIntegerField(default=0)
    # A mask of the players' seats whose first card, yet to be played, has more time (games/services/beginners.py).
    beginners = models.PositiveSmallIntegerField(default=0)

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

    # Points that each line starts with, at free tables alone (L7); empty: none. Such a match counts for no level.
    handicap = models.JSONField(default=list, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["deadline_at"], condition=Q(deadline_at__isnull=False), name="match_deadline"),
            models.Index(fields=["noshow_at"], condition=Q(noshow_at__isnull=False), name="match_noshow"),
            models.Index(fields=["mixing_until"], condition=Q(mixing_until__isnull=False), name="match_mixing"),
            models.Index(fields=["bot_due_at"], condition=Q(bot_due_at__isnull=False), name="match_bot_due"),
            models.Index(fields=["opened_at"], condition=Q(training=True), name="match_training"),
            models.Index(
                fields=["finished_at"],
                condition=Q(status="finished", settled_at__isnull=True),
                name="match_unsettled",
            ),
            # The order in which levels are computed (L6).
            models.Index(fields=["finished_at", "id"], condition=Q(status="finished"), name="match_order"),
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
    def is_shown(self) -> bool:
        return not self.withheld

    @property
    def score(self) -> Points | None:
        """Return the points of both lines; None where they are withheld."""
        return (self.score_0, self.score_1) if self.tells_results else None

    @property
    def shown_title(self) -> str:
        """The title as the reader sees it: those of the house's own tournaments are in their language."""
        return show_title(self.title)

    @property
    def chat_open(self) -> bool:
        """Tell whether players may talk: in a pairs match never while a deal is being played (G9), and one follows the
        other at once (G8)."""
        return self.players == 2 or self.status != self.Status.PLAYING

    @property
    def played_by_house(self) -> int:
        """Return the mask of the hands that the house plays now: its own players', and those it has taken over."""
        return self.house_seats | self.taken_over

    @property
    def people(self) -> int:
        """Return the mask of the hands that people play, also while the house plays for them."""
        return ((1 << self.hands) - 1) & ~self.house_seats

    def mask(self, seat: int) -> int:
        """Return the mask of the hands that the player of ``seat`` plays: where three play, the morto's too (M3)."""
        hands = [hand for hand in range(self.hands) if controlling_seat(hand, self.players) == seat]
        return sum(1 << hand for hand in hands)

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
    # What the player was when the table opened (L2): levels count between members alone, whatever they become.
    kind = models.CharField(max_length=8, choices=Player.Kind.choices, default=Player.Kind.GUEST)
    beginner = models.BooleanField(default=False)  # their first turn here is longer, as long as Match.beginners says so
    arrived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="seat_once"),
            models.UniqueConstraint(fields=["player"], condition=Q(live=True), name="player_one_live_seat"),
        ]


class SeatFacts(models.Model):
    """Facts of a finished match for one of its players: written from the record, and again whenever it is asked for.

    Scope, accusi, last tricks, plays and time are the player's own, the rest their side's. Matches without a result and
    training have none.
    """

    class Outcome(models.TextChoices):
        WON = "won", _("vinta")
        DRAWN = "drawn", _("pari")
        LOST = "lost", _("persa")

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, primary_key=True, related_name="facts")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="facts")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="facts", db_index=False)
    side = models.PositiveSmallIntegerField()  # 0 or 1
    ruleset = models.CharField(max_length=32)
    players = models.PositiveSmallIntegerField()
    finished_at = models.DateTimeField()
    outcome = models.CharField(max_length=5, choices=Outcome.choices)
    points_for = models.SmallIntegerField(default=0)
    points_against = models.SmallIntegerField(default=0)
    # Card points, of games whose score only counts deals won (BR4).
    cards_for = models.PositiveSmallIntegerField(null=True, blank=True)
    cards_against = models.PositiveSmallIntegerField(null=True, blank=True)
    deals = models.PositiveSmallIntegerField(default=0)
    scope = models.PositiveSmallIntegerField(default=0)
    settebello = models.PositiveSmallIntegerField(default=0)
    primiera = models.PositiveSmallIntegerField(default=0)
    accusi = models.PositiveSmallIntegerField(default=0)
    cappotti = models.PositiveSmallIntegerField(default=0)
    last_tricks = models.PositiveSmallIntegerField(default=0)
    plays = models.PositiveSmallIntegerField(default=0)
    thinking_ms = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "seat facts"
        indexes = [models.Index(fields=["player", "finished_at"], name="facts_player")]


@hold_results
class Deal(WithheldRow):
    """Deal of a match. Its deck is stored before anybody sees a card, and never dealt again but by rule."""

    RESULTS = ("deck", "points_0", "points_1")

    objects = DealQuerySet.as_manager()

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField()
    # Forty names, top card first, no spaces; while the match runs, sealed (games/sealing.py).
    deck = models.CharField(max_length=200)
    dealt_at = models.DateTimeField()
    finished = models.BooleanField(default=False)
    void = models.BooleanField(default=False)
    undone_at = models.DateTimeField(null=True, blank=True)  # taken back (B7): if it comes again, it is these cards
    points_0 = models.SmallIntegerField(default=0)
    points_1 = models.SmallIntegerField(default=0)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="deal_once")]

    @property
    def is_shown(self) -> bool:
        return not self.match.withheld


@hold_results
class Move(WithheldRow):
    """Move of the record, in the record's words."""

    RESULTS = ("text",)

    objects = MoveQuerySet.as_manager()

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves")
    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="moves")
    ply = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()  # the match's version after this move
    text = models.CharField(max_length=80)  # "0 play 7c x 4d 3s"
    client_id = models.CharField(max_length=36, null=True, blank=True)
    played_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)  # taken back in training (B7): no part of what was played

    class Meta:
        ordering = ["ply"]
        constraints = [
            models.UniqueConstraint(fields=["deal", "ply"], condition=Q(undone_at=None), name="move_once_a_ply"),
            models.UniqueConstraint(fields=["match", "version"], name="move_once_a_version"),
            models.UniqueConstraint(fields=["match", "client_id"], name="move_once_a_client_id"),
        ]

    @property
    def is_shown(self) -> bool:
        return not self.match.withheld


class ChatLine(models.Model):
    """A line of a table's chat: by whoever sits there, or among those who watch (``seat`` null, by ``author``).

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
    """A request to the referee, or a report, from somebody at a table. Never shown but to whoever runs the
    tournament or the site."""

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
    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    at = models.DateTimeField()
    seen_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    seen_at = models.DateTimeField(null=True, blank=True)  # when a referee saw to it (F4)
    closed_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    closed_at = models.DateTimeField(null=True, blank=True)  # when a moderator was done with it (U2)
    closing_note = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["reporter", "at"], name="report_reporter"),
            models.Index(fields=["at"], condition=Q(closed_at__isnull=True), name="report_unclosed"),
        ]
        constraints = [models.UniqueConstraint(fields=["match", "client_id"], name="report_once_a_client_id")]

    def __str__(self) -> str:
        return f"{self.match_id} {self.reason}"


class FreeTable(models.Model):
    """A free table that people sit down at before it is opened as a match: set up by whoever sat down first.

    One that has begun stays as long as its match: it says what a free match was opened with, and which came next (B5).
    """

    class State(models.TextChoices):
        OPEN = "open", _("aspetta giocatori")
        STARTED = "started", _("cominciato")
        CLOSED = "closed", _("chiuso")

    class StakePer(models.TextChoices):
        """Unit the stake is paid for (V6): each stake of the record, or each point of the margin."""

        MATCH = "match", _("a partita")
        POINT = "point", _("a punto")

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    ruleset = models.CharField(max_length=32)
    players = models.PositiveSmallIntegerField()
    length_kind = models.CharField(max_length=6)
    length_value = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict, blank=True)
    strength = models.CharField(  # the house's (HP2)
        max_length=8, choices=Strength.choices, default=Strength.CLUB, db_default=Strength.CLUB
    )
    turn_timeout = models.PositiveIntegerField(null=True, blank=True)  # seconds; both may be off (G8)
    match_clock = models.PositiveIntegerField(null=True, blank=True)
    absence = models.CharField(max_length=5, choices=Match.Absence.choices, default=Match.Absence.LOSES)
    public = models.BooleanField(default=True)  # listed on the front page; otherwise by its link alone
    stake = models.PositiveSmallIntegerField(default=0)  # chips (Z2); 0: none
    stake_per = models.CharField(max_length=5, choices=StakePer.choices, default=StakePer.MATCH)
    handicap = models.JSONField(default=list, blank=True)  # points that each line starts with (L7); empty: none
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)  # an open one is closed then, a closed one forgotten
    match = models.OneToOneField(Match, null=True, blank=True, on_delete=models.CASCADE, related_name="free_table")
    # Of a rematch (B5): the table before it, which has one next at most, and the first one of the evening.
    previous = models.OneToOneField(
        "FreeTable", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch"
    )
    first = models.ForeignKey("FreeTable", null=True, blank=True, on_delete=models.SET_NULL, related_name="evening")

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="free_table_due"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(stake=0) | Q(absence="loses"), name="free_table_house_without_stake"),
        ]

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


class RematchWish(models.Model):
    """A player's wish for another match at the end of a free one (B5). When all have it, the next table opens."""

    table = models.ForeignKey(FreeTable, on_delete=models.CASCADE, related_name="rematch_wishes")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "player"], name="rematch_wish_once")]


class ChipAccount(models.Model):
    """Account of play chips: a member's, or the house's, whose balance alone may be negative (Z1, Z3).

    ``balance`` is the sum of its entries, ``held`` that of its holds. An account without a player is closed.
    """

    player = models.OneToOneField(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="chip_account")
    house = models.BooleanField(default=False)
    balance = models.IntegerField(default=0)
    held = models.PositiveIntegerField(default=0)
    topped_up_on = models.DateField(null=True, blank=True)  # a day of Rome's (Z4)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["house"], condition=Q(house=True), name="chip_one_house"),
            models.CheckConstraint(
                condition=Q(house=True) | Q(balance__gte=F("held")), name="chip_balance_covers_holds"
            ),
            models.CheckConstraint(condition=Q(house=False) | Q(player=None, held=0), name="chip_house_alone"),
        ]


class ChipHold(models.Model):
    """Chips that can't be spent elsewhere while their owner sits at a table with a stake: all they can lose there
    (Z2)."""

    table = models.ForeignKey(FreeTable, on_delete=models.PROTECT, related_name="chip_holds")
    account = models.ForeignKey(ChipAccount, on_delete=models.PROTECT, related_name="holds")
    amount = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "account"], name="chip_hold_once")]


class ChipTransfer(models.Model):
    """Movement of chips: its entries sum to 0, and it is never changed (Z1)."""

    class Reason(models.TextChoices):
        TOP_UP = "top_up", _("ricarica")
        SETTLEMENT = "settlement", _("posta di una partita")
        ANNULMENT = "annulment", _("partita annullata")
        CLOSING = "closing", _("account chiuso")

    reason = models.CharField(max_length=10, choices=Reason.choices)
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="chip_transfers")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "reason"], name="chip_transfer_once_a_match"),
        ]


class ChipEntry(models.Model):
    """Line of the ledger: what a transfer gave an account, or took from it."""

    transfer = models.ForeignKey(ChipTransfer, on_delete=models.PROTECT, related_name="entries")
    account = models.ForeignKey(ChipAccount, on_delete=models.PROTECT, related_name="entries")
    amount = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["transfer", "account"], name="chip_entry_once"),
            models.CheckConstraint(condition=~Q(amount=0), name="chip_entry_moves"),
        ]


class Seek(models.Model):
    """Seek: a person's wish to play a match of some kind with whom the lobby finds (B2), kept while a page of theirs is
    open. Two who name each other as partner are one line. It is gone once a table opens."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="seek")
    partner = models.ForeignKey(Player, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    ruleset = models.CharField(max_length=32)
    option_set = models.CharField(max_length=16)  # the options and the length that go by this name
    form = models.CharField(max_length=8)  # alone, or in pairs
    speed = models.CharField(max_length=8)
    lowest = models.PositiveSmallIntegerField(null=True, blank=True)  # levels accepted; null: any
    highest = models.PositiveSmallIntegerField(null=True, blank=True)
    house = models.BooleanField(default=False)  # where nobody comes they play with the house, too (B4)
    # Of the hour it began: the person's level in this game and form (null: none), and whom they met last in it (B3).
    level = models.PositiveSmallIntegerField(null=True, blank=True)
    level_uncertain = models.BooleanField(default=False)  # its question mark (L5)
    met = models.JSONField(default=list)
    created_at = models.DateTimeField()
    heard_at = models.DateTimeField()  # when a page of theirs was last heard of

    class Meta:
        indexes = [
            models.Index(fields=["heard_at"], name="seek_heard"),
            models.Index(fields=["ruleset", "option_set", "form", "speed"], name="seek_kind"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(partner=None) | (Q(form="pairs") & ~Q(partner=F("player"))), name="seek_partner"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.form} {self.speed}"


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


class Lease(models.Model):
    """Work that one process of the site does at a time: who does it, and until when unless they go on."""

    name = models.CharField(max_length=8, primary_key=True)
    holder = models.CharField(max_length=16)
    until = models.DateTimeField()
