"""Tournaments: entries, rounds and fixtures, with the stored results and standings.

Everything below the draw can be recomputed from the fixtures' results; nothing is ever patched. The numbers in
comments are those of the tournament rules.
"""

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Commitment, Match, Strength
from players.house_titles import show_title
from players.models import Person, Player, make_public_id
from players.names import make_name_key
from tournaments.querysets import (
    EntryMemberQuerySet,
    EntryQuerySet,
    FixtureQuerySet,
    LineUpQuerySet,
    NameClaimQuerySet,
    PlayInvitationQuerySet,
    RegisterCardQuerySet,
)
from tournaments.venues import HALL, SITE, Venue, VenueField, list_venues


class Club(models.Model):
    """People who play together; members with a role organise and referee in its name."""

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    name = models.CharField(_("nome"), max_length=60)
    name_key = models.CharField(max_length=120, unique=True, editable=False)
    description = models.TextField(_("chi siamo"), blank=True)  # Markdown
    vouched = models.BooleanField(_("garantito"), default=False)  # by staff: its real tables count for all (Y1)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_key = make_name_key(self.name)
        super().save(*args, **kwargs)


class ClubMember(models.Model):
    """A player's membership of a club, and the role in it."""

    class Role(models.TextChoices):
        MEMBER = "member", _("socio")
        REFEREE = "referee", _("arbitro")
        ORGANISER = "organiser", _("organizzatore")
        ADMIN = "admin", _("amministratore")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="clubs")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.MEMBER)
    confirmed = models.BooleanField(default=False)  # False: a request or an invitation without an answer
    invited = models.BooleanField(default=False)  # True: the club asked the player, who answers; False: the reverse
    since = models.DateTimeField()
    # The member's own choice: the club may enter them in its tournaments without asking each time (E3).
    consents = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "player"], name="club_member_once")]


class Register(models.Model):
    """The people that a club knows, or an organiser without one (I1). Nobody but its organisers sees it."""

    club = models.OneToOneField(Club, null=True, blank=True, on_delete=models.CASCADE, related_name="register")
    organiser = models.OneToOneField(Player, null=True, blank=True, on_delete=models.CASCADE, related_name="register")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(club__isnull=False, organiser__isnull=True) | Q(club__isnull=True, organiser__isnull=False),
                name="register_one_owner",
            ),
        ]


class RegisterCard(models.Model):
    """A person of one register, with what only its organisers know of them (I1).

    A card that was merged into another stays, unseen, with its person and that person's results: it can be undone.
    """

    register = models.ForeignKey(Register, on_delete=models.CASCADE, related_name="cards")
    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    person = models.OneToOneField(Person, on_delete=models.PROTECT, related_name="card")
    name_key = models.CharField(max_length=120, editable=False)
    number = models.CharField(max_length=20, blank=True)  # of the club's own membership card
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    contact = models.CharField(max_length=200, blank=True)
    level = models.CharField(max_length=20, blank=True)
    notes = models.CharField(max_length=500, blank=True)
    minor = models.BooleanField(default=False)
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="doubles")
    created_at = models.DateTimeField()

    objects = RegisterCardQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["register", "name_key"], name="card_name")]
        constraints = [
            models.UniqueConstraint(
                fields=["register", "number"],
                condition=~Q(number="") & Q(merged_into__isnull=True),
                name="card_number_once",
            ),
        ]

    def __str__(self) -> str:
        return self.person.name


class RegisterDraft(models.Model):
    """A list that somebody is reading into a register, with its faults to be mended; nobody is in the register by it
    (I1)."""

    register = models.ForeignKey(Register, on_delete=models.CASCADE, related_name="drafts")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="register_drafts")
    made_at = models.DateTimeField()
    rows = models.JSONField(default=list)  # as ``register.imports.DraftRow`` names their cells
    checked = models.JSONField(null=True)  # what a check found in them, as ``register.imports.Findings``

    class Meta:
        constraints = [models.UniqueConstraint(fields=["register", "player"], name="register_draft_once")]
        indexes = [models.Index(fields=["made_at"], name="register_draft_made")]


class ForgottenName(models.Model):
    """Tombstone of a name that was forgotten on request, in a register or in a tournament: a digest, never the name
    (I1)."""

    register = models.ForeignKey(Register, null=True, blank=True, on_delete=models.CASCADE, related_name="forgotten")
    tournament = models.ForeignKey(
        "Tournament", null=True, blank=True, on_delete=models.CASCADE, related_name="forgotten"
    )
    digest = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["register", "digest"], name="register_forgets_once"),
            models.UniqueConstraint(fields=["tournament", "digest"], name="tournament_forgets_once"),
            models.CheckConstraint(
                condition=Q(register__isnull=False, tournament__isnull=True)
                | Q(register__isnull=True, tournament__isnull=False),
                name="forgotten_in_one_place",
            ),
        ]


class RegisterLogEntry(models.Model):
    """Every change of a register, with who and when, and to which card or to how many; never a name (I1)."""

    register = models.ForeignKey(Register, on_delete=models.CASCADE, related_name="log")
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    code = models.CharField(max_length=20)
    card = models.ForeignKey(RegisterCard, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    double = models.ForeignKey(RegisterCard, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    filled = models.JSONField(default=list, blank=True)  # the fields that a merge took from the double
    count = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "register log entries"
        ordering = ["-id"]


class Tournament(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", _("bozza")
        OPEN = "open", _("iscrizioni aperte")
        CHECKIN = "checkin", _("check-in aperto")
        RUNNING = "running", _("in corso")
        FINISHED = "finished", _("concluso")
        CANCELLED = "cancelled", _("annullato")

    class Seeding(models.TextChoices):
        LOT = "lot", _("a sorte")
        ORGANISER = "organiser", _("le decide chi organizza")
        LEVELS = "levels", _("dai livelli")
        CIRCUIT = "circuit", _("secondo la classifica del circuito")  # of a circuit's final (Y3)

    class ClockEnd(models.TextChoices):
        """The way of ending a round whose time is up (O6)."""

        FINISH = "finish", _("si finisce la smazzata, poi vale il punteggio")
        STOP = "stop", _("vale subito il punteggio: la smazzata in corso non conta")

    class Registration(models.TextChoices):
        """The way of entering (E3)."""

        OPEN = "open", _("aperta a tutti")
        LINK = "link", _("con un link")
        CODE = "code", _("con un codice")
        APPROVAL = "approval", _("con l'approvazione di chi organizza")
        LIST = "list", _("solo chi è nell'elenco di chi organizza")

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    name = models.CharField(_("nome"), max_length=80)
    organiser = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="organised")
    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments")
    series = models.ForeignKey("Series", null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments")
    description = models.TextField(blank=True)  # Markdown, rendered and cleaned when it is shown
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    version = models.PositiveIntegerField(default=0)  # bumped with every visible change

    venue = VenueField(max_length=4, choices=list(list_venues()), default=SITE)  # O1
    hall_tables = models.PositiveSmallIntegerField(null=True, blank=True)  # real ones (O3); null: one a fixture
    confirm_minutes = models.PositiveSmallIntegerField(default=10)  # of a result typed on one telephone (O4)

    clock_minutes = models.PositiveSmallIntegerField(null=True, blank=True)  # of a round there (O6); null: no clock
    clock_end = models.CharField(max_length=6, choices=ClockEnd.choices, default=ClockEnd.FINISH)  # O6

    equal_deals = models.BooleanField(default=False)  # all fixtures of a round play the same decks (J9)
    nonces_until = models.DateTimeField(null=True, blank=True)  # the draw waits for them (J2); null: not asked yet

    fee_cents = models.PositiveIntegerField(default=0)  # of an entry (O10); 0: none
    prizes = models.JSONField(default=list, blank=True)  # by rank: [cents, what else] (O10)

    # Frozen at the draw (E6).
    format = models.CharField(_("formula"), max_length=24)
    format_options = models.JSONField(default=dict, blank=True)  # those the format names, e.g. third_place (K4)
    ruleset = models.CharField(_("gioco"), max_length=32)
    options = models.JSONField(default=dict, blank=True)
    length_kind = models.CharField(max_length=6)
    length_value = models.PositiveSmallIntegerField()
    turn_timeout = models.PositiveIntegerField(null=True, blank=True)  # seconds
    match_clock = models.PositiveIntegerField(null=True, blank=True)  # seconds a player
    noshow_after = models.PositiveIntegerField(default=300)  # seconds (E9)
    pause = models.PositiveIntegerField(default=10)  # seconds before a fixture opens (K4)
    tie_break = models.CharField(max_length=12, default="standard")  # R2
    seats_an_entry = models.PositiveSmallIntegerField(default=1)  # 2: pairs (E1)
    team_size = models.PositiveSmallIntegerField(default=0)  # the most people of a team (O12); 0: no teams
    team_tables = models.PositiveSmallIntegerField(default=1)  # of a fixture; 2: squadre di quattro (O12)
    seeding = models.CharField(max_length=10, choices=Seeding.choices, default=Seeding.LOT)  # K1
    lot = models.CharField(max_length=32, blank=True)  # drawn once, with the seeds: K2, R2
    # To the secret of its lots (J3a); empty where entries opened before there were any.
    draw_commitment = models.CharField(max_length=64, blank=True, default="", db_default="")
    draws = models.PositiveIntegerField(default=0, db_default=0)  # of the lots, so often: repeated ones count

    # Entries (E2, E5).
    min_entries = models.PositiveSmallIntegerField(default=2)
    max_entries = models.PositiveSmallIntegerField(default=8)
    registration = models.CharField(max_length=10, choices=Registration.choices, default=Registration.OPEN)
    join_token = models.CharField(max_length=32, blank=True)  # of the link (LINK)
    join_code = models.CharField(max_length=16, blank=True)  # what one types (CODE)
    checkin_minutes = models.PositiveSmallIntegerField(null=True, blank=True)  # before the start (E4); null: off
    round_minutes = models.PositiveSmallIntegerField(null=True, blank=True)  # from one round's start to the next (R6)
    round_hours = models.JSONField(default=list, blank=True)  # of the second round and those after it, ISO (R6)
    publishes_rounds = models.BooleanField(default=False)  # each by an act of the organiser (D4)
    level_min = models.PositiveSmallIntegerField(null=True, blank=True)  # of a line that may enter (L7); null: any
    level_max = models.PositiveSmallIntegerField(null=True, blank=True)
    guests_allowed = models.BooleanField(default=True)
    house_allowed = models.BooleanField(default=False)
    house_strength = models.CharField(  # HP2
        max_length=8, choices=Strength.choices, default=Strength.CLUB, db_default=Strength.CLUB
    )
    starts_at = models.DateTimeField(null=True, blank=True)  # null: sit and go, starts as soon as it is full
    time_zone = models.CharField(max_length=64, default="Europe/Rome")  # the organiser's (E7)
    standing_offer = models.BooleanField(default=False)  # kept open by the house for who clicks "Gioca subito"
    due_at = models.DateTimeField(null=True, blank=True)  # the next timed step
    remind_at = models.DateTimeField(null=True, blank=True)  # when who is entered is told that it is about to start
    paused_at = models.DateTimeField(null=True, blank=True)  # since when a referee holds all of it (F6)

    imported_from = models.CharField(max_length=80, blank=True)  # the site it came from (O9): it counts for no level
    lent_to = models.CharField(max_length=80, blank=True)  # where it is on loan (O9): read-only here until it returns
    cancelled_because = models.CharField(max_length=40, blank=True)  # a code, worded at the edge
    cancelled_reason = models.CharField(max_length=500, blank=True)  # the organiser's words, which everybody reads (E2)
    created_at = models.DateTimeField()
    drawn_at = models.DateTimeField(null=True, blank=True)
    draft = models.JSONField(null=True, blank=True)  # the next round's, that nobody but the desk sees (D4)
    stuck_round = models.PositiveSmallIntegerField(null=True, blank=True)  # the first that can't be paired (D1)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["state", "created_at"]),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="tournament_due"),
            models.Index(fields=["remind_at"], condition=Q(remind_at__isnull=False), name="tournament_remind"),
            models.Index(fields=["state", "finished_at", "id"], name="tournament_archive"),
        ]
        constraints = [
            # Two sweepers can't both put the same offer out.
            models.UniqueConstraint(
                fields=["format", "ruleset"],
                condition=Q(standing_offer=True, state="open"),
                name="standing_offer_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown_name(self) -> str:
        """The name as the reader sees it: those of the house's own tournaments are in their language."""
        return show_title(self.name)

    @property
    def has_teams(self) -> bool:
        """Tell if its entries are teams, of which a line-up plays each fixture (O12)."""
        return self.team_size > 0

    @property
    def line_up_size(self) -> int:
        """Return how many people play a fixture for one of its sides."""
        return self.seats_an_entry * self.team_tables

    @property
    def exchanges_seats(self) -> bool:
        """Tell if two teams meet at two tables with equal deals: at the second one the second sits at seat 0 (J11)."""
        return self.team_tables > 1 and self.equal_deals

    @property
    def first_part(self) -> int:
        """Return the part that a fixture's only or first row is (O12)."""
        return int(self.team_tables > 1)

    @property
    def has_hours(self) -> bool:
        """Tell if its rounds have hours of their own (R6)."""
        return self.round_minutes is not None or bool(self.round_hours)

    @property
    def hours_set(self) -> tuple[datetime, ...]:
        """Return the hours the organiser gave to the rounds from the second on, as they were before the draw."""
        return tuple(datetime.fromisoformat(hour) for hour in self.round_hours)


class Entry(models.Model):
    """An entry of a tournament: one player, a pair (E1) or a team (O12). Its standing is stored, and equals what
    recomputing gives.

    A pair whose partner hasn't confirmed is pending: it holds a place, and is gone by the draw. Who isn't approved yet
    or waits for a place (E3) holds none.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    created_at = models.DateTimeField()
    team_name = models.CharField(max_length=64, blank=True)  # O12
    confirmed = models.BooleanField(default=True)
    approved = models.BooleanField(default=True)  # False: the organiser hasn't answered yet (E3)
    waiting_since = models.DateTimeField(null=True, blank=True)  # on the waiting list (E3); null: it has a place
    invited = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="invitations")
    token = models.CharField(max_length=32, blank=True)  # of the link by which whoever has it may confirm
    expires_at = models.DateTimeField(null=True, blank=True)  # a pending pair's place is given up then
    link_digest = models.CharField(max_length=64, blank=True)  # of the key of who entered without an account (O2)
    placed = models.PositiveSmallIntegerField(null=True, blank=True)  # by the organiser, before the draw (K1)
    seed = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 is the best; given out at the draw
    counts_on_site = models.BooleanField(default=False)  # its people had confirmed accounts at the draw (Y1)
    forfeits = models.PositiveSmallIntegerField(default=0)
    forgiven = models.PositiveSmallIntegerField(default=0)  # of them, by a referee who took it in again: R5 counts anew
    withdrawn_at = models.DateTimeField(null=True, blank=True)  # left or expelled after the draw (R5)
    withdrawn_after = models.PositiveSmallIntegerField(null=True, blank=True)  # how many results it had then
    expelled = models.BooleanField(default=False)
    group = models.PositiveSmallIntegerField(null=True, blank=True)  # from 1, where there are groups (Q1)
    fixed_table = models.PositiveSmallIntegerField(null=True, blank=True)  # at real tables: it always plays there (O3)

    # Over all entries; the house's are shown out of competition (E8) by selectors, which also give people's places.
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    played = models.PositiveSmallIntegerField(default=0)
    won = models.PositiveSmallIntegerField(default=0)
    drawn = models.PositiveSmallIntegerField(default=0)
    mp = models.SmallIntegerField(default=0)
    vp = models.PositiveIntegerField(default=0)
    percentage = models.CharField(max_length=200, blank=True)  # the mean of its rounds, an exact fraction (J10)
    # What separated it from the next entry and with what values (R3): {"code": "direct", "own": 12, "next": 8}.
    separation = models.JSONField(null=True, blank=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint(fields=["tournament", "seed"], name="seed_once")]
        indexes = [
            models.Index(fields=["expires_at"], condition=Q(expires_at__isnull=False), name="entry_expires"),
            models.Index(fields=["tournament", "rank", "seed"], name="entry_standing"),
        ]


class EntryMember(models.Model):
    """A person inside an entry; in at most one entry of a tournament (E1)."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="memberships")
    position = models.PositiveSmallIntegerField(default=0)
    checked_in_at = models.DateTimeField(null=True, blank=True)  # E4
    # What their browser adds to the secrets of the rounds (J9): first the hash, 64 hex digits; "": nothing.
    nonce_hash = models.CharField(max_length=64, blank=True)
    nonce = models.CharField(max_length=32, blank=True)
    # Place in the line-up that the team named for its next fixture (O12); null: not in it, or none was named.
    line_up = models.PositiveSmallIntegerField(null=True, blank=True)

    objects = EntryMemberQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "person"], name="person_one_entry"),
            models.UniqueConstraint(fields=["entry", "position"], name="member_position_once"),
        ]

    def require_player(self) -> Player:
        """Return the person's player. ValueError for a typed name, which sits at no table of the site."""
        if self.person.player is None:
            raise ValueError(f"a person without an account: {self.person_id}")
        return self.person.player


class PlayInvitation(models.Model):
    """An invitation to play, by who runs or referees a tournament (E3), or enters a team (J11): nobody is in it before
    they accept.

    Kept after its end, so that who invites is counted, and who runs the tournament sees the answers.
    """

    class Kind(models.TextChoices):
        ENTRY = "entry", _("iscrizione")  # holds a place until it ends
        PLACE = "place", _("al posto di un altro")  # in an entry that plays (F2)
        RETURN = "return", _("di nuovo in gara")  # of who left the tournament themselves (F2)

    class Outcome(models.TextChoices):
        ACCEPTED = "accepted", _("accettato")
        REFUSED = "refused", _("rifiutato")
        TAKEN_BACK = "taken_back", _("ritirato")
        LAPSED = "lapsed", _("scaduto")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="invitations_made")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.ENTRY)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)  # null: of a draft, of which nobody has been told
    ended_at = models.DateTimeField(null=True, blank=True)  # null: open
    outcome = models.CharField(max_length=12, choices=Outcome.choices, blank=True)
    placed = models.PositiveSmallIntegerField(null=True, blank=True)  # of an entry: the organiser's own order (K1)
    team_name = models.CharField(max_length=64, blank=True, default="", db_default="")  # of the entry (J11)
    entry = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations")
    replaces = models.ForeignKey(Person, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=500, blank=True)  # of the referee's act that it becomes
    act = models.CharField(max_length=60, blank=True)  # the key of that act

    objects = PlayInvitationQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["expires_at"], condition=Q(ended_at__isnull=True), name="invitation_expires"),
            models.Index(fields=["by", "made_at"], name="invitation_made"),
        ]


class NameClaim(models.Model):
    """Claim of an account to be somebody who was entered by name (O2), with the organiser's answer.

    It stands beside the results and changes none of them: an account makes one in a tournament.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("senza risposta")
        ACCEPTED = "accepted", _("riconosciuto")
        REFUSED = "refused", _("non riconosciuto")
        REVOKED = "revoked", _("tolto da chi organizza")
        TAKEN_BACK = "taken_back", _("ritirato")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="name_claims")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="name_claims")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="name_claims")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)  # the last time, by who runs it or by who asked
    reason = models.CharField(max_length=500, blank=True)  # of that answer

    objects = NameClaimQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="name_claim_once"),
            models.UniqueConstraint(
                fields=["tournament", "person"], condition=Q(state="accepted"), name="name_claim_of_one"
            ),
        ]


class Invitee(models.Model):
    """A player whom an invitation names. An entry comes of it when all of them have accepted."""

    invitation = models.ForeignKey(PlayInvitation, on_delete=models.CASCADE, related_name="invitees")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="invited_to")
    position = models.PositiveSmallIntegerField(default=0)
    accepted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["invitation", "player"], name="invitee_once")]


class LateRequest(models.Model):
    """Request to come into a running danese (D2), until it is answered: by an account, by typed names, or both."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="late_requests")
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.CASCADE, related_name="late_requests")
    # Beside the account: the name of each, whether they are a minor (I1), and another than who is called so already.
    people = models.JSONField(default=list)
    link_digest = models.CharField(max_length=64, blank=True)  # of the key of who asks without an account
    asked_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player"], condition=Q(player__isnull=False), name="late_request_once"
            )
        ]

    @property
    def name(self) -> str:
        """The names of who asks, as they would stand in the list."""
        account = [] if self.player is None else [self.player.name]
        return " – ".join([*account, *(name for name, *_more in self.people)])


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


class Fixture(models.Model):
    """A pairing of the tournament, decided by one match. ``first`` sits at seat 0 (R1).

    In squadre di quattro (O12) it is two rows of one board, a table each: ``part`` 1 and 2. Each has its own points;
    the MP and VP of both rows are those of the two tables together, as soon as both are over. With equal deals seats
    are exchanged (J11): ``first`` of part 1 is ``second`` of part 2.
    """

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
    def venue(self) -> Venue:
        """The tournament's, or a hall if a referee took it to a real table (O1)."""
        return HALL if self.moved else self.round.tournament.venue


class EntryListDraft(models.Model):
    """List of entries that somebody has read in and not entered yet (E3, O2)."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="list_drafts")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()
    text = models.TextField()
    problems = models.JSONField(null=True)  # found in it, as ``entries.list_drafts`` writes them

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "player"], name="list_draft_once")]
        indexes = [models.Index(fields=["made_at"], name="list_draft_made")]


class DeskPass(models.Model):
    """Access to the tournament's desk from another machine of a hall's network, for an evening (O9).

    Only a digest of its link is kept. It is dead once the password of who made it has changed, as their sessions are.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="desk_passes")
    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")  # for whom its browser acts
    digest = models.CharField(max_length=64, unique=True)
    password_mark = models.CharField(max_length=128)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)  # since when it is one browser's
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "desk passes"
        indexes = [models.Index(fields=["expires_at"], name="desk_pass_expires")]


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
    by_player = models.BooleanField(default=False)  # said by who plays: they may take it back

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


class TournamentPoints(models.Model):
    """Rank and points of a person in a finished tournament, by the entry they played for (Y2).

    Stored twice: among all entries of people, for the club, and among those that count on the site (Y1). Equal to what
    recomputing gives (Y4).
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="points", db_index=False)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="points", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="tournament_points")
    rank = models.PositiveSmallIntegerField()
    field = models.PositiveSmallIntegerField()  # N: entries of people that played and weren't annulled
    points = models.PositiveSmallIntegerField(null=True, blank=True)  # null: too few entries, or fixtures of a team
    site_rank = models.PositiveSmallIntegerField(null=True, blank=True)  # null: its entry doesn't count on the site
    site_field = models.PositiveSmallIntegerField(null=True, blank=True)
    site_points = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "tournament points"
        constraints = [models.UniqueConstraint(fields=["tournament", "entry", "person"], name="tournament_points_once")]
        indexes = [models.Index(fields=["entry"], name="tournament_points_entry")]


class Ranking(models.Model):
    """A stored ranking, of the site or of a club's own, for a game and form (Y1).

    Its rows are those of its ``generation``: a new one is written beside it, and then takes its place at once.
    """

    class Form(models.TextChoices):
        ALONE = "alone", _("da soli")
        PAIRS = "pairs", _("a coppie")

    class Kind(models.TextChoices):
        """Measure that a ranking goes by."""

        YEAR = "year", _("punti dell'anno")
        EVER = "ever", _("punti di sempre")
        LEVEL = "level", _("livelli")

    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.CASCADE, related_name="rankings")
    ruleset = models.CharField(max_length=32)
    form = models.CharField(max_length=5, choices=Form.choices)
    kind = models.CharField(max_length=5, choices=Kind.choices)
    year = models.PositiveSmallIntegerField(default=0)  # Europe/Rome's; 0: of all time, or of levels
    generation = models.PositiveIntegerField(default=0)
    size = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(null=True, blank=True)
    made_from = models.CharField(max_length=64, blank=True)  # of levels: by which a change is known
    busy_since = models.DateTimeField(null=True, blank=True)  # while somebody makes it anew

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["ruleset", "form", "kind", "year"], condition=Q(club__isnull=True), name="site_ranking_once"
            ),
            models.UniqueConstraint(
                fields=["club", "ruleset", "form", "kind", "year"],
                condition=Q(club__isnull=False),
                name="club_ranking_once",
            ),
        ]


class RankingRow(models.Model):
    """Row of a ranking: a person, with the rank that equals share, and the place at which they are listed."""

    ranking = models.ForeignKey(Ranking, on_delete=models.CASCADE, related_name="rows", db_index=False)
    generation = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    rank = models.PositiveIntegerField()
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="ranking_rows")
    name_key = models.CharField(max_length=128)  # by which it is searched
    value = models.IntegerField()  # points, or the level as it is shown
    tournaments = models.PositiveIntegerField(default=0)  # in which the points were won
    uncertain = models.BooleanField(default=False)  # of a level (L5)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ranking", "generation", "place"], name="ranking_place_once")]
        indexes = [
            models.Index(
                fields=["ranking", "generation", "name_key"],
                opclasses=["int8_ops", "int4_ops", "varchar_pattern_ops"],  # names that begin with some letters
                name="ranking_name",
            )
        ]


class RankingChange(models.Model):
    """Note that points of a game and form have changed: gone once the rankings follow them (Y1)."""

    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    ruleset = models.CharField(max_length=32)
    form = models.CharField(max_length=5, choices=Ranking.Form.choices)
    year = models.PositiveSmallIntegerField()
    at = models.DateTimeField()


class Referee(models.Model):
    """A referee the organiser named (F1)."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="referees")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="refereed")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "player"], name="referee_once")]


class Series(models.Model):
    """A tournament that comes again at the same hour of the organiser's clock, summer or winter (E7)."""

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    organiser = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="series")
    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.SET_NULL, related_name="series")
    settings = models.JSONField()  # of each tournament, as services.Settings names them, without the start
    weekday = models.PositiveSmallIntegerField()  # Monday is 0
    hour = models.TimeField()
    time_zone = models.CharField(max_length=64, default="Europe/Rome")
    days_ahead = models.PositiveSmallIntegerField(default=7)  # how long before its start each one is opened
    next_start = models.DateTimeField()  # of the next one to be opened
    due_at = models.DateTimeField(null=True, blank=True)  # when it is opened; null: stopped
    trouble = models.CharField(max_length=40, blank=True)  # the code of why it stopped or can't go on

    class Meta:
        verbose_name_plural = "series"
        indexes = [models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="series_due")]


class Circuit(models.Model):
    """Tournaments whose results are added up, of a club or of an organiser without one (Y3).

    Its terms stand from the draw of the first of its tournaments on. Its totals are stored, and equal what recomputing
    gives (Y4).
    """

    class Table(models.TextChoices):
        """The way in which a tournament's result becomes points."""

        POINTS = "points", _("punti dei tornei: contano il posto e quanti giocano")
        PLACES = "places", _("punti per i primi posti e per chi partecipa")
        VP = "vp", _("VP del torneo")
        MP = "mp", _("MP del torneo")

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    name = models.CharField(_("nome"), max_length=80)
    description = models.TextField(blank=True)  # Markdown
    organiser = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="circuits")
    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.SET_NULL, related_name="circuits")
    table = models.CharField(max_length=6, choices=Table.choices, default=Table.POINTS)
    places = models.JSONField(default=list, blank=True)  # the points of place 1, 2 and so on (PLACES)
    taking_part = models.PositiveSmallIntegerField(default=0)  # the points of every later place (PLACES)
    best_of = models.PositiveSmallIntegerField(null=True, blank=True)  # how many results count; null: all
    by_pairs = models.BooleanField(default=False)  # a row is a pair that stays together, not a person
    series = models.ForeignKey("Series", null=True, blank=True, on_delete=models.SET_NULL, related_name="circuits")
    final = models.OneToOneField(
        Tournament, null=True, blank=True, on_delete=models.SET_NULL, related_name="final_of"
    )  # a tournament of its own, with seeds by the ranks here; it counts for no total
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)  # null: it goes on
    due_at = models.DateTimeField(null=True, blank=True)  # since when its totals wait to be counted again

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="circuit_due"),
            models.Index(fields=["club", "created_at"], name="circuit_of_club"),
        ]

    def __str__(self) -> str:
        return self.name


class CircuitTournament(models.Model):
    """A tournament that counts in a circuit, chosen or opened by the circuit's series (Y3).

    ``results``: what each of its people or pairs got, as ``circuits.stage_results`` writes it; read again if ``stale``.
    """

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="stages", db_index=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="circuit_stages")
    added_at = models.DateTimeField()
    results = models.JSONField(default=list)
    stale = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["circuit", "tournament"], name="circuit_tournament_once")]


class CircuitLink(models.Model):
    """The organiser's word that two names of a circuit are one person (Y3): equal names alone never are."""

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="links", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="circuit_links")
    same_as = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["circuit", "person"], name="circuit_link_once")]


class CircuitTotal(models.Model):
    """A row of a circuit: a person, or a pair, with the results that make the total and the rank (Y3).

    ``results``: in the tournaments' order, as ``circuits.totals`` writes them. ``separation``: the values of a
    ``scoring.circuit_totals.TotalReason``.
    """

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="totals", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="circuit_totals")
    partner = models.ForeignKey(Person, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    rank = models.PositiveIntegerField()
    total = models.IntegerField()
    results = models.JSONField(default=list)
    separation = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["rank", "pk"]
        indexes = [models.Index(fields=["circuit", "rank"], name="circuit_rank")]


class Payment(models.Model):
    """A fee that an entry paid at the desk (O10), or a refund, which is negative. No money is moved by it.

    It stays when the entry is gone, so that the totals are what is in the till. Only organisers see it.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="payments")
    entry = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.SET_NULL, related_name="payments")
    cents = models.IntegerField()
    at = models.DateTimeField()
    by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["pk"]


class LogEntry(models.Model):
    """Every change of state, with who and when (E2), and every act of a referee, with its reason (F3).

    ``player`` is null where the system acted, and where somebody did on another site (O9): ``by_name`` is theirs.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    by_name = models.CharField(max_length=64, blank=True)
    code = models.CharField(max_length=40)
    detail = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name_plural = "log entries"
        ordering = ["id"]  # as they were committed, under the tournament's lock: `at` is when each act began

    @property
    def actor_name(self) -> str:
        """Return the name of who acted; empty where the system did."""
        return self.by_name if self.player is None else self.player.name


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
    result = models.CharField(max_length=200)  # as ``tournaments.webhooks.outbox`` writes it; empty: taken back
