"""Rounds and fixtures, with the stored results.

Everything below the draw can be recomputed from the fixtures' results; nothing is ever patched.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Commitment, Match
from games.withheld import WithheldRow, hold_results
from players.models import Person
from tournaments.models.tournament import Entry, Tournament
from tournaments.querysets import (
    FixtureQuerySet,
    LineUpQuerySet,
)
from tournaments.venues import HALL, Venue


class Round(models.Model):
    class Way(models.TextChoices):
        """The organiser's choice where a round can't be paired as the rules want (D1)."""

        BYE = "bye", _("un secondo riposo")
        REMATCH = "rematch", _("una rivincita")
        END = "end", _("il torneo finisce")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()  # from 1
    name = models.CharField(max_length=16, default="round")  # a code of the format's: final, semifinal ...
    finished = models.BooleanField(default=False)
    opens_at = models.DateTimeField(null=True, blank=True)  # where rounds have an hour of their own (R6)
    remind_at = models.DateTimeField(null=True, blank=True)  # when its players are told that this hour is near
    published_at = models.DateTimeField(null=True, blank=True)  # null: nobody is called to its tables yet (D4)
    # Its fixtures play the same decks, and not all of them are over: of its results nobody is told anything (J12).
    withheld = models.BooleanField(default=False)
    way = models.CharField(max_length=7, choices=Way.choices, blank=True, default="", db_default="")  # D1

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="round_once")]
        indexes = [
            models.Index(fields=["remind_at"], condition=Q(remind_at__isnull=False), name="round_remind"),
            models.Index(fields=["finished"], condition=Q(withheld=True), name="round_withheld"),
        ]

    @property
    def is_shown(self) -> bool:
        """Return whether everybody may know the results of its fixtures (J12)."""
        return not self.withheld


class RoundSecret(models.Model):
    """Secret from which all fixtures of a round with equal deals have their decks (J9), committed to before the draw,
    when nobody knows yet how many rounds there will be."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="round_secrets", db_index=False)
    number = models.PositiveSmallIntegerField()  # of the round
    commitment = models.OneToOneField(Commitment, on_delete=models.PROTECT, related_name="round_secret")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="round_secret_once")]


class RoundClock(models.Model):
    """Clock of one wave of a round at real tables (O6), or of one fixture of it, from its start on.

    It tells the time; nothing happens by it.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="clocks", db_index=False)
    wave = models.PositiveSmallIntegerField()
    board = models.PositiveSmallIntegerField(default=0)  # of the fixture that has it for itself; 0: the wave's
    ends_at = models.DateTimeField()  # moves on by what is given to all, and by every pause once it is over
    paused_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["round", "wave"]
        constraints = [models.UniqueConstraint(fields=["round", "wave", "board"], name="round_clock_once")]


@hold_results
class Fixture(WithheldRow):
    """A pairing of the tournament, decided by one match or by several games (EV1). ``first`` sits at seat 0 (R1).

    Of several games ``points_0`` and ``points_1`` are those won, and ``games`` has each as ``core.result`` writes it,
    null where nothing but their number was written.

    In squadre di quattro (O12) it is two rows of one board, a table each: ``part`` 1 and 2. Each has its own points;
    the MP and VP of both rows are those of the two tables together, as soon as both are over. With equal deals seats
    are exchanged (J11): ``first`` of part 1 is ``second`` of part 2.
    """

    RESULTS = (
        "winner", "double_forfeit", "forfeit_by", "points_0", "points_1", "mp_0", "mp_1", "vp_0", "vp_1", "decided_by",
        "deal_points", "percent_0", "percent_1", "games",
    )  # fmt: skip

    class State(models.TextChoices):
        WAITING = "waiting", _("in attesa")  # an entry isn't known yet, or its turn hasn't come
        READY = "ready", _("sta per aprirsi")  # both entries known; opens at opens_at when both are free
        PLAYING = "playing", _("in corso")
        DONE = "done", _("conclusa")
        BYE = "bye", _("passa il turno")
        REST = "rest", _("riposo")
        VOID = "void", _("non si gioca")  # no entry can come to it (K5)
        ANNULLED = "annulled", _("annullata")  # its result counts for nobody (R5, F2), and stays visible

    OPEN = (State.WAITING, State.READY, State.PLAYING)  # the others are over

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="fixtures", db_index=False)
    board = models.PositiveSmallIntegerField()  # from 1 within its round
    part = models.PositiveSmallIntegerField(default=0)  # 1 or 2: of two tables (O12); 0: the only one
    group = models.PositiveSmallIntegerField(null=True, blank=True)  # from 1, where there are groups (Q1)
    first = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="fixtures_first")
    second = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="fixtures_second")
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    opens_at = models.DateTimeField(null=True, blank=True)
    announced = models.BooleanField(default=False)  # its players were told that it is ready
    ahead_by = models.PositiveSmallIntegerField(null=True, blank=True)  # the side that would play sooner (R6)
    wave = models.PositiveSmallIntegerField(null=True, blank=True)  # at real tables (O3); from 1
    table = models.PositiveSmallIntegerField(null=True, blank=True)  # the number of the real table (O3)
    moved = models.BooleanField(default=False)  # from the site to a real table, by a referee's act (O1)
    own_clock = models.BooleanField(default=False)  # it is given a table after its round began, in a KO (O6)
    extra_minutes = models.PositiveSmallIntegerField(default=0)  # of the round clock, given to this table alone (O6)
    match = models.OneToOneField(Match, null=True, blank=True, on_delete=models.PROTECT, related_name="fixture")
    # It is played anew, or after the reveal: its cards are no longer those of its round, and no deal is compared (J9).
    own_cards = models.BooleanField(default=False)
    # A referee's say on its deals (J10): the points of each, in order, null for one that isn't there; in hundredths of
    # one per cent what its sides get; and whether nobody is compared with it.
    deal_points = models.JSONField(null=True, blank=True)
    percent_0 = models.PositiveSmallIntegerField(null=True, blank=True)
    percent_1 = models.PositiveSmallIntegerField(null=True, blank=True)
    left_out = models.BooleanField(default=False)

    # The result; None until it stands.
    winner = models.PositiveSmallIntegerField(null=True, blank=True)  # 0 or 1; None in a draw or a double forfeit
    double_forfeit = models.BooleanField(default=False)
    forfeit_by = models.PositiveSmallIntegerField(null=True, blank=True)
    points_0 = models.SmallIntegerField(null=True, blank=True)
    points_1 = models.SmallIntegerField(null=True, blank=True)
    mp_0 = models.SmallIntegerField(null=True, blank=True)
    mp_1 = models.SmallIntegerField(null=True, blank=True)
    vp_0 = models.PositiveSmallIntegerField(null=True, blank=True)
    vp_1 = models.PositiveSmallIntegerField(null=True, blank=True)
    decided_by = models.CharField(max_length=24, blank=True)
    games = models.JSONField(null=True, blank=True)
    unplayed = models.BooleanField(default=False, db_default=False)  # forfeited before the first card (EV10)
    result_at = models.DateTimeField(null=True, blank=True)
    annulled = models.BooleanField(default=False)  # by a referee (F2): over, and counting for nobody
    ruled = models.BooleanField(default=False)  # the result is a referee's: the match can't change it any more
    unconfirmed = models.BooleanField(default=False)  # the result is one telephone's (O4)

    objects = FixtureQuerySet.as_manager()

    class Meta:
        ordering = ["board", "part"]
        # Its index is the one of ``round``, too: a girone of 64 stores one less for each of 2,016 rows.
        constraints = [models.UniqueConstraint(fields=["round", "board", "part"], name="fixture_once")]
        indexes = [models.Index(fields=["opens_at"], condition=Q(opens_at__isnull=False), name="fixture_opens")]

    @property
    def is_shown(self) -> bool:
        return self.round.is_shown

    @property
    def venue(self) -> Venue:
        """The tournament's, or a hall if a referee took it to a real table (O1)."""
        return HALL if self.moved else self.round.tournament.venue


class ScoreSlip(models.Model):
    """The score slips of a fixture at a real table (O4): a code for each side, and what came in by them.

    The codes stand on paper alone; here are their keyed digests. ``typed``: by the number of the side, as
    ``desk.phone_results`` writes it. Nothing is printed yet where only the desk has typed (O13): the digests are of
    no code then.
    """

    class Call(models.TextChoices):
        """The reason why the table wants a referee."""

        DIFFERENT = "different", _("dai due telefoni sono arrivati risultati diversi")
        OBJECTED = "objected", _("c'è chi non è d'accordo con il risultato scritto al telefono")

    fixture = models.OneToOneField(Fixture, on_delete=models.CASCADE, primary_key=True, related_name="slip")
    digest_0 = models.CharField(max_length=64, unique=True)
    digest_1 = models.CharField(max_length=64, unique=True)
    printed_at = models.DateTimeField(null=True, blank=True)
    wrong_0 = models.PositiveSmallIntegerField(default=0)  # codes that this side typed for the other's, and weren't
    wrong_1 = models.PositiveSmallIntegerField(default=0)
    typed = models.JSONField(default=dict, blank=True)
    typed_by = models.PositiveSmallIntegerField(null=True, blank=True)  # the side that typed first
    due_at = models.DateTimeField(null=True, blank=True)  # when it enters unconfirmed; null: never by itself
    called = models.CharField(max_length=10, choices=Call.choices, blank=True)

    class Meta:
        indexes = [models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="slip_due")]

    def get_digest(self, side: int) -> str:
        """Return the digest of a side's code."""
        return str(self.digest_1 if side else self.digest_0)

    def get_wrong(self, side: int) -> int:
        """Return how many wrong codes a side has typed for the other's."""
        return int(self.wrong_1 if side else self.wrong_0)


class RoundBye(models.Model):
    """A round that an entry doesn't play (D2, D3): what it gets for it is ``running.plan_basis.BYE_WORTH``."""

    class Kind(models.TextChoices):
        ASKED = "asked", _("riposo chiesto")  # a draw's VP, once, never in the last round
        MISSED = "missed", _("arrivo in ritardo")  # a draw's VP, before it came
        ABSENT = "absent", _("assente")  # nothing

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="byes")
    number = models.PositiveSmallIntegerField()  # of the round
    kind = models.CharField(max_length=6, choices=Kind.choices)
    by_player = models.BooleanField(default=False)  # said by whoever plays: they may take it back

    class Meta:
        ordering = ["number", "entry"]
        constraints = [models.UniqueConstraint(fields=["entry", "number"], name="round_bye_once")]


class ForbiddenPairing(models.Model):
    """Two entries that the organiser doesn't let meet (D4), the one entered first before the other."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="forbidden_pairings")
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["pk"]  # in which they are lifted where nothing else helps
        constraints = [models.UniqueConstraint(fields=["first", "second"], name="forbidden_pairing_once")]


class LineUp(models.Model):
    """A person who plays or played a fixture for one of its sides: the line-up of a team (O12); else only where those
    aren't the entry's members now (F2).

    A side of a fixture without rows is played by the entry's members; of a team nobody is named for it yet.
    """

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="line_ups", db_index=False)
    side = models.PositiveSmallIntegerField()  # 0 or 1
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="line_ups")
    position = models.PositiveSmallIntegerField(default=0)

    objects = LineUpQuerySet.as_manager()

    class Meta:
        ordering = ["fixture", "side", "position"]
        constraints = [models.UniqueConstraint(fields=["fixture", "side", "position"], name="line_up_once")]
