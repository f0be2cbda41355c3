"""A tournament with its entries, and what there is about them until they play.

The numbers in comments are those of the tournament rules.
"""

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Strength
from players.house_titles import show_title
from players.models import Person, Player, make_public_id
from tournaments.entry_kinds import ENTERED, EntryKind, Numbers, find_kind
from tournaments.game_counts import GameCounts
from tournaments.models.people import Club
from tournaments.querysets import (
    EntryMemberQuerySet,
    EntryQuerySet,
    NameClaimQuerySet,
    PlayInvitationQuerySet,
)
from tournaments.venues import SITE, VenueField, list_venues


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

    class Partners(models.TextChoices):
        """The way in which those of a pair find each other (E1, EV2)."""

        ENTERED = ENTERED, _("si iscrivono insieme")
        LOT = "lot", _("sorteggiate: tutte a sorte")
        STRENGTH = "strength", _("sorteggiate: uno forte e uno meno")
        LISTS = "lists", _("sorteggiate: uno della lista A e uno della B")

    class ClockEnd(models.TextChoices):
        """The way of ending a round whose time is up (O6)."""

        FINISH = "finish", _("si finisce la smazzata, poi vale il punteggio")
        STOP = "stop", _("vale subito il punteggio: la smazzata in corso non conta")

    class LateFrom(models.TextChoices):
        """The round of a KO from which fixtures may have another number of games (EV1)."""

        QUARTERFINAL = "quarterfinal", _("dai quarti")
        SEMIFINAL = "semifinal", _("dalle semifinali")
        FINAL = "final", _("in finale")

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
    prizes_each = models.BooleanField(default=False, db_default=False)  # for each person of an entry (EV11)

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
    tie_break = models.CharField(max_length=120, default="standard")  # R2, EV10: a preset, or criteria with commas
    seats_an_entry = models.PositiveSmallIntegerField(default=1)  # 2: pairs (E1)
    team_size = models.PositiveSmallIntegerField(default=0)  # the most people of a team (O12); 0: no teams
    team_tables = models.PositiveSmallIntegerField(default=1)  # of a fixture; 2: squadre di quattro (O12)
    # EV1: games of a fixture; of one in the KO after groups and in the last rounds of a KO, where those have others.
    games = models.PositiveSmallIntegerField(default=1, db_default=1)
    games_in_ko = models.PositiveSmallIntegerField(null=True, blank=True)
    late_games = models.PositiveSmallIntegerField(null=True, blank=True)
    late_from = models.CharField(max_length=12, choices=LateFrom.choices, blank=True, default="", db_default="")
    only_games_won = models.BooleanField(default=False, db_default=False)  # no points of theirs are written
    partners = models.CharField(  # EV2
        max_length=8, choices=Partners.choices, default=Partners.ENTERED, db_default=Partners.ENTERED
    )
    pairs_stay = models.BooleanField(default=False, db_default=False)  # who comes as a pair may stay one (EV2)
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
    standing_offer = models.BooleanField(default=False)  # kept open by the house for whoever clicks "Gioca subito"
    due_at = models.DateTimeField(null=True, blank=True)  # the next timed step
    remind_at = models.DateTimeField(null=True, blank=True)  # when who is entered is told that it is about to start
    paused_at = models.DateTimeField(null=True, blank=True)  # since when a referee holds all of it (F6)

    # What the wall says to the room until it is taken away, and until when a break lasts (EV12).
    announcement = models.CharField(max_length=120, blank=True, default="", db_default="")
    break_until = models.DateTimeField(null=True, blank=True)

    imported_from = models.CharField(max_length=80, blank=True)  # the site it came from (O9): it counts for no level
    lent_to = models.CharField(max_length=80, blank=True)  # where it is on loan (O9): read-only here until it returns
    cancelled_because = models.CharField(max_length=40, blank=True)  # a code, worded at the edge
    cancelled_reason = models.CharField(max_length=500, blank=True)  # the organiser's words, which everybody reads (E2)
    created_at = models.DateTimeField()
    drawn_at = models.DateTimeField(null=True, blank=True)
    draft = models.JSONField(null=True, blank=True)  # the next round's, that nobody but the desk sees (D4)
    stuck_round = models.PositiveSmallIntegerField(null=True, blank=True)  # the first that can't be paired (D1)
    finished_at = models.DateTimeField(null=True, blank=True)
    # A mark after the end (EV11): until then ranks that are shared may be played for.
    closed_at = models.DateTimeField(null=True, blank=True)
    play_offs_opened = models.PositiveSmallIntegerField(default=0, db_default=0)  # 0: nobody reads any

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
    def entry_kind(self) -> EntryKind:
        """Return what an entry is: until the draw what enters, then what plays."""
        return self.playing_kind if self.drawn_at is not None else self.playing_kind.entering

    @property
    def playing_kind(self) -> EntryKind:
        """Return what an entry is once it is drawn."""
        return find_kind(Numbers.of(self))

    @property
    def game_counts(self) -> GameCounts:
        """Return how many games its fixtures have (EV1)."""
        return GameCounts.of(self)

    @property
    def takes_places(self) -> bool:
        """Tell if its organiser may put the entries in order: for the seeds (K1), or by strength (EV2)."""
        by_strength = self.playing_kind.is_drawn_pair and self.partners == self.Partners.STRENGTH
        return by_strength or self.seeding == self.Seeding.ORGANISER

    @property
    def names_line_ups(self) -> bool:
        """Tell if somebody says who of an entry plays next (O12); on the site everybody does (J11)."""
        return self.entry_kind.has_line_ups and self.venue.names_line_ups

    @property
    def has_hours(self) -> bool:
        """Tell if its rounds have hours of their own (R6)."""
        return self.round_minutes is not None or bool(self.round_hours)

    @property
    def break_ends_at(self) -> datetime | None:
        """Return until when the hall has a break; None where it has none, or nobody plays on after it."""
        return None if self.state in (self.State.FINISHED, self.State.CANCELLED) else self.break_until

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

    class Side(models.TextChoices):
        """The list that somebody is drawn from, where a pair has one of each (EV2)."""

        A = "A", "A"
        B = "B", "B"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    created_at = models.DateTimeField()
    team_name = models.CharField(max_length=64, blank=True)  # O12
    confirmed = models.BooleanField(default=True)
    approved = models.BooleanField(default=True)  # False: the organiser hasn't answered yet (E3)
    waiting_since = models.DateTimeField(null=True, blank=True)  # on the waiting list (E3); null: it has a place
    invited = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="invitations")
    token = models.CharField(max_length=32, blank=True)  # of the link by which whoever has it may confirm
    expires_at = models.DateTimeField(null=True, blank=True)  # a pending pair's place is given up then
    link_digest = models.CharField(max_length=64, blank=True)  # of the key of whoever entered without an account (O2)
    placed = models.PositiveSmallIntegerField(null=True, blank=True)  # by the organiser, before the draw (K1)
    side = models.CharField(max_length=1, choices=Side.choices, blank=True, default="", db_default="")  # EV2
    tie = models.PositiveSmallIntegerField(null=True, blank=True)  # two of one number stay a pair at the draw (EV2)
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
    # As a list says it (EV9); an account is of the clubs that it is a member of, besides.
    club = models.CharField(max_length=60, blank=True, default="", db_default="")
    # What their browser adds to the secrets of the rounds (J9): first the hash, 64 hex digits; "": nothing.
    nonce_hash = models.CharField(max_length=64, blank=True)
    nonce = models.CharField(max_length=32, blank=True)
    # Of the key of whoever entered alone without an account, once the draw has put them into another's entry (EV2).
    link_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
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
    """An invitation to play, by whoever runs or referees a tournament (E3), or enters a team (J11): nobody is in it
    before they accept.

    Kept after its end, so that who invites is counted, and who runs the tournament sees the answers.
    """

    class Kind(models.TextChoices):
        ENTRY = "entry", _("iscrizione")  # holds a place until it ends
        PLACE = "place", _("al posto di un altro")  # in an entry that plays (F2)
        RETURN = "return", _("di nuovo in gara")  # of whoever left the tournament themselves (F2)

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
    answered_at = models.DateTimeField(null=True, blank=True)  # the last time, by whoever runs it or by whoever asked
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
    link_digest = models.CharField(max_length=64, blank=True)  # of the key of whoever asks without an account
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
        """The names of whoever asks, as they would stand in the list."""
        account = [] if self.player is None else [self.player.name]
        return " – ".join([*account, *(name for name, *_more in self.people)])


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

    Only a digest of its link is kept. It is dead once the password of whoever made it has changed, as their sessions
    are.
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
    """Every change of state, with person and hour (E2), and every act of a referee, with its reason (F3).

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
        """Return the name of whoever acted; empty where the system did."""
        return self.by_name if self.player is None else self.player.name
