"""People: the user account, its player, and the person behind either.

A guest is a real user row that can become a full account and keep everything it did. A house player has no person
behind it, and is marked so everywhere.
"""

import secrets
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from players.names import MAX_NAME_CHARACTERS, make_initials, make_look_key, make_name_key

PUBLIC_ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def make_public_id() -> str:
    """Return ten random characters that can't be guessed or misread: the only ids that appear in addresses."""
    return "".join(secrets.choice(PUBLIC_ID_ALPHABET) for _ in range(10))


MAX_PAIR_NAME_CHARACTERS = 40
MAX_ENDPOINT_CHARACTERS = 1_000
FORGOTTEN_NAME = "ritirato"  # stored in the place of a typed name that was forgotten on request (I1)
AUTOMATIC = ("out", "accuso", "declare")  # the calls a table makes for whoever wants it (X1), as a record names them
WISHES = ("mail_tables", "mail_rounds", "mail_reminders", "mail_places", "mail_tournaments")  # what one may be mailed
PUSH_WISHES = ("push_tables", "push_turns")  # what one's devices may be told


class User(AbstractUser):
    """Account and its preferences; everything of the game hangs on its Player. A member's username is the player's
    name."""

    class Deck(models.TextChoices):
        """Decks of cards (G1), named as their drawing is."""

        NAPOLETANE = "napoletane", _("Napoletane")
        PIACENTINE = "piacentine", _("Piacentine")
        TREVISANE = "trevisane", _("Trevisane")
        FRANCESI = "francesi", _("Francesi")

    class Theme(models.TextChoices):
        AUTO = "auto", _("Come dice il dispositivo")
        LIGHT = "light", _("Chiaro")
        DARK = "dark", _("Scuro")

    class SecondTap(models.TextChoices):
        """Effects of a second tap on a raised card (X2)."""

        DEVICE = "device", _("Il dito la gioca, il mouse la rimette giù")
        PLAYS = "plays", _("La gioca")
        BACK = "back", _("La rimette giù")

    language = models.CharField(_("lingua"), max_length=8, blank=True)  # empty: as the browser asks
    time_zone = models.CharField(_("fuso orario"), max_length=64, blank=True)  # empty: as the browser says (E7)
    sound = models.BooleanField(_("suono"), default=True)
    banner = models.BooleanField(_("avviso in cima alle pagine"), default=True)
    mail_tables = models.BooleanField(_("e-mail quando si apre un tavolo"), default=False)
    mail_tournaments = models.BooleanField(_("e-mail sui tornei: sorteggio, annullamento, decisioni"), default=False)
    mail_rounds = models.BooleanField(_("e-mail a ogni turno"), default=False)
    mail_reminders = models.BooleanField(_("e-mail prima dell'inizio e per il check-in"), default=False)
    mail_places = models.BooleanField(_("e-mail su posti liberati e richieste"), default=False)
    # What the devices are told that asked for it (U4).
    push_tables = models.BooleanField(_("avviso sul dispositivo quando si apre un tavolo"), default=True)
    push_turns = models.BooleanField(_("avviso sul dispositivo quando tocca a lui"), default=True)
    # The calls that the table makes for the player (X1), each named as in the record of a match after ``auto_``.
    auto_out = models.BooleanField(_("chiamata fuori automatica"), default=True)
    auto_accuso = models.BooleanField(_("accuso automatico"), default=True)
    auto_declare = models.BooleanField(_("dichiarazione «Ho» automatica"), default=True)
    # Looks and sounds of the player's own pages. Nobody else is shown them, and no rule reads them (G1).
    deck = models.CharField(_("mazzo"), max_length=12, choices=Deck, default=Deck.NAPOLETANE)
    indices = models.BooleanField(_("indici negli angoli delle carte"), default=True)
    one_click = models.BooleanField(_("si gioca con un solo clic"), default=False)
    second_tap = models.CharField(
        _("secondo tocco su una carta alzata"), max_length=8, choices=SecondTap, default=SecondTap.DEVICE
    )
    table_sound = models.BooleanField(_("suoni al tavolo"), default=True)
    vibration = models.BooleanField(_("vibrazione quando tocca a lui"), default=False)
    theme = models.CharField(_("colori"), max_length=8, choices=Theme, default=Theme.AUTO)
    # Until when moderators closed the chat, or the site, to this account (U2): the latest of what its acts say.
    muted_until = models.DateTimeField(null=True, blank=True, editable=False)
    suspended_until = models.DateTimeField(null=True, blank=True, editable=False)
    moderation_news = models.BooleanField(default=False, editable=False)  # of an act or an answer not read yet
    chips = models.BooleanField(_("mostra i gettoni e le poste"), default=False)  # Z5


class Player(models.Model):
    """The player of an account, one per user; its person is stored with it."""

    class Kind(models.TextChoices):
        MEMBER = "member", _("giocatore")
        GUEST = "guest", _("ospite")
        HOUSE = "house", _("giocatore della casa")

    class Face(models.TextChoices):
        """Figures of the deck, named as their drawing is."""

        FANTE_DENARI = "Fd", _("Fante di denari")
        CAVALLO_DENARI = "Cd", _("Cavallo di denari")
        RE_DENARI = "Rd", _("Re di denari")
        FANTE_COPPE = "Fc", _("Fante di coppe")
        CAVALLO_COPPE = "Cc", _("Cavallo di coppe")
        RE_COPPE = "Rc", _("Re di coppe")
        FANTE_BASTONI = "Fb", _("Fante di bastoni")
        CAVALLO_BASTONI = "Cb", _("Cavallo di bastoni")
        RE_BASTONI = "Rb", _("Re di bastoni")
        FANTE_SPADE = "Fs", _("Fante di spade")
        CAVALLO_SPADE = "Cs", _("Cavallo di spade")
        RE_SPADE = "Rs", _("Re di spade")

    NO_FACE = "-"  # of an account that was closed

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="player", verbose_name=_("account"))
    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    name = models.CharField(_("nome"), max_length=MAX_NAME_CHARACTERS, unique=True)
    # What makes two names the same, and what makes them look the same; a letter of a name may become two.
    name_key = models.CharField(max_length=2 * MAX_NAME_CHARACTERS, unique=True, editable=False)
    look_key = models.CharField(max_length=2 * MAX_NAME_CHARACTERS, unique=True, editable=False)
    kind = models.CharField(_("tipo"), max_length=8, choices=Kind.choices, default=Kind.MEMBER)
    face = models.CharField(_("figura"), max_length=2, blank=True)  # empty: given (players.faces)
    # Of the address of the player's own calendar; empty: none yet.
    calendar_token = models.CharField(max_length=32, blank=True)
    created_at = models.DateTimeField(_("arrivo"))
    seen_at = models.DateTimeField(_("visto"), null=True, blank=True)

    class Meta:
        verbose_name = _("giocatore")
        verbose_name_plural = _("giocatori")
        indexes = [
            models.Index(fields=["kind", "seen_at"]),
            models.Index(fields=["calendar_token"], condition=~models.Q(calendar_token=""), name="player_calendar"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.set_keys()
        if kwargs.get("update_fields") is not None and "name" in kwargs["update_fields"]:
            kwargs["update_fields"] = {*kwargs["update_fields"], "name_key", "look_key"}
        new = self._state.adding
        super().save(*args, **kwargs)
        if new:
            Person.objects.create(player=self)

    def set_keys(self) -> None:
        """Set what the name is compared by; ``save`` does, ``bulk_create`` doesn't."""
        self.name_key, self.look_key = make_name_key(self.name), make_look_key(self.name)

    @property
    def is_guest(self) -> bool:
        return self.kind == self.Kind.GUEST

    @property
    def is_house(self) -> bool:
        return self.kind == self.Kind.HOUSE


class TypedKeyField(models.CharField):
    """Key of a typed name, by which it is found; written with the name, in bulk too."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        key = make_name_key(getattr(model_instance, "typed_name", ""))
        setattr(model_instance, self.attname, key)
        return key


class Person(models.Model):
    """Person who plays: an account's player has exactly one; a typed name is a person without an account.

    The name is kept in one place: the player's where there is one, else ``typed_name``. Two typed names that are the
    same in one tournament are told apart by ``suffix``, which is shown wherever the name is (O2).
    """

    player = models.OneToOneField(Player, null=True, blank=True, on_delete=models.CASCADE, related_name="person")
    typed_name = models.CharField(max_length=64, blank=True)
    typed_key = TypedKeyField(max_length=128, blank=True, editable=False)
    initials = models.BooleanField(default=False)  # of a minor without an account: all that everybody is shown (I1)
    suffix = models.CharField(max_length=24, blank=True)  # of a typed name: "2", or a club

    class Meta:
        indexes = [
            models.Index(
                fields=["typed_key"],
                condition=~models.Q(typed_key=""),
                opclasses=["varchar_pattern_ops"],  # names that begin with some letters
                name="person_typed_key",
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(player__isnull=False, typed_name="")
                | (models.Q(player__isnull=True) & ~models.Q(typed_name="")),
                name="person_one_name",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        if kwargs.get("update_fields") is not None and "typed_name" in kwargs["update_fields"]:
            kwargs["update_fields"] = {*kwargs["update_fields"], "typed_key"}
        super().save(*args, **kwargs)

    @property
    def name(self) -> str:
        if self.player is not None:
            return self.player.name
        return self._add_suffix(gettext("ritirato") if self.is_forgotten else self.typed_name)

    @property
    def public_name(self) -> str:
        """The name that everybody is shown: of a minor without an account the initials (I1)."""
        if self.player is None and self.initials:
            return self._add_suffix(make_initials(self.typed_name))
        return self.name

    @property
    def plain_name(self) -> str:
        """The name that everybody is shown, without what tells it from a namesake's."""
        if self.player is not None:
            return self.player.name
        if self.is_forgotten:
            return gettext("ritirato")
        return make_initials(self.typed_name) if self.initials else self.typed_name

    @property
    def is_forgotten(self) -> bool:
        """Tell if the name was taken out on request (I1): results keep only that somebody was there."""
        return self.player is None and self.typed_name == FORGOTTEN_NAME

    def _add_suffix(self, name: str) -> str:
        return f"{name} ({self.suffix})" if self.suffix else name


class PlayerBlock(models.Model):
    """Refusal for good: ``player`` takes no invitation of ``blocked`` any more (E3), meets them at no table but a
    tournament's and reads no chat of theirs (B6), until they say otherwise."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="blocked_by")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "blocked"], name="player_block_once")]


class Follow(models.Model):
    """Friend that a player follows (B6). The other one is asked nothing, and shows by choice whether they are here."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="follows")
    followed = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="followed_by")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "followed"], name="follow_once")]


class FriendCall(models.Model):
    """Call of a friend to a table or a tournament (B6): a notice with a link, which holds no place and is soon gone."""

    class Kind(models.TextChoices):
        TABLE = "table", _("a un tavolo")
        TOURNAMENT = "tournament", _("a un torneo")

    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="calls_made")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="calls")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    key = models.CharField(max_length=12)  # the public id of what it is about
    title = models.CharField(max_length=250)
    path = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["by", "player", "kind", "key"], name="call_once")]
        indexes = [models.Index(fields=["at"], name="call_at")]


class ModerationAct(models.Model):
    """Act of a moderator about a player (U2), with its reason, one appeal and what came of it. Rows are the log."""

    class Kind(models.TextChoices):
        WARN = "warn", _("avvertimento")
        MUTE = "mute", _("chat chiusa")
        SUSPEND = "suspend", _("sospensione")

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="moderation_acts")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    reason = models.CharField(max_length=500)
    about_match = models.CharField(max_length=12, blank=True)  # the public id of the match it is about
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    until = models.DateTimeField(null=True)  # of a warning: null
    read_at = models.DateTimeField(null=True)  # when the player said that they had read it
    appeal = models.CharField(max_length=1000, blank=True)
    appealed_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=500, blank=True)
    answered_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    answered_at = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    lifted_at = models.DateTimeField(null=True)
    lift_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["player", "at"], name="moderation_player"),
            models.Index(
                fields=["appealed_at"],
                condition=models.Q(appealed_at__isnull=False, answered_at__isnull=True),
                name="moderation_appeal",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind}"


class ConnectionMark(models.Model):
    """Digest of an address or a browser that a player came with on a day (U3). Kept 30 days, shown to nobody: staff
    read only whether two players have one in common."""

    class Kind(models.TextChoices):
        ADDRESS = "address"
        BROWSER = "browser"

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="connection_marks")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    digest = models.CharField(max_length=64)
    day = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "kind", "digest", "day"], name="mark_once_a_day")]
        indexes = [models.Index(fields=["day"], name="mark_day")]


class ProfileAudience(models.Model):
    """Readers to whom a player shows each part of their page; without a row the defaults hold."""

    class Readers(models.TextChoices):
        EVERYBODY = "everybody", _("tutti")
        FRIENDS = "friends", _("chi seguo")
        NOBODY = "nobody", pgettext_lazy("chi vede", "nessuno")

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="audience")
    presence = models.CharField(_("Quando sono qui"), max_length=9, choices=Readers.choices, default=Readers.EVERYBODY)
    levels = models.CharField(_("I miei livelli"), max_length=9, choices=Readers.choices, default=Readers.EVERYBODY)
    history = models.CharField(_("Le mie partite"), max_length=9, choices=Readers.choices, default=Readers.EVERYBODY)
    tournaments = models.CharField(_("I miei tornei"), max_length=9, choices=Readers.choices, default=Readers.EVERYBODY)
    statistics = models.CharField(
        _("Le mie statistiche"), max_length=9, choices=Readers.choices, default=Readers.EVERYBODY
    )
    pairs = models.CharField(_("Le mie coppie"), max_length=9, choices=Readers.choices, default=Readers.EVERYBODY)
    stakes = models.CharField(
        _("Le poste vinte e perse"), max_length=9, choices=Readers.choices, default=Readers.NOBODY
    )
    indexed = models.BooleanField(_("I motori di ricerca possono trovare la mia pagina"), default=False)

    class Meta:
        verbose_name_plural = "profile audiences"


class FixedPair(models.Model):
    """Pair that two players form by an invitation and a yes: then it has a page of its own, and a name once both have
    given it the same. Either may leave it; what they played together stays."""

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    first = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="pairs_first")  # who invited
    second = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="pairs_second")
    name = models.CharField(max_length=MAX_PAIR_NAME_CHARACTERS, blank=True)
    proposal = models.CharField(max_length=MAX_PAIR_NAME_CHARACTERS, blank=True)  # of one: the other's yes makes it so
    proposed_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    invited_at = models.DateTimeField()
    formed_at = models.DateTimeField(null=True, blank=True)  # null: an invitation without an answer
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Least("first", "second"),
                Greatest("first", "second"),
                condition=models.Q(ended_at__isnull=True),
                name="fixed_pair_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"{self.first} – {self.second}"

    @property
    def players(self) -> tuple[Player, Player]:
        return (self.first, self.second)


class ActCounter(models.Model):
    """Key under which acts are counted: of a player, of an address (a digest), of the whole site. Locked meanwhile."""

    key = models.CharField(max_length=120, unique=True)
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "act counters"
        indexes = [models.Index(fields=["seen_at"], name="counter_seen")]


class CountedAct(models.Model):
    """Act that counts towards a cap (``players.caps``); kept a day."""

    counter = models.ForeignKey(ActCounter, on_delete=models.CASCADE, related_name="acts", db_index=False)
    at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["counter", "at"], name="act_counter"),
            models.Index(fields=["at"], name="act_at"),
        ]


class Hall(models.Model):
    """Address (a digest) that an organiser has marked for a day: everybody in one room comes from it."""

    key = models.CharField(max_length=12, unique=True)  # the public id of the tournament that is played there
    address = models.CharField(max_length=64)
    until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["address", "until"], name="hall_address")]


class Mail(models.Model):
    """Mail to one person: stored together with its cause, sent afterwards, kept a while so that it is sent once."""

    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="mails")
    address = models.EmailField(blank=True)  # of a reset alone: nobody has looked yet whose it is
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=80)  # what it is about
    values = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)  # null: done with
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind", "key"], name="mail_once")]
        indexes = [models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="mail_due")]


class PushDevice(models.Model):
    """Browser whose owner asked to be told there (U4): where its push service takes messages for it, and the keys that
    seal them. It lasts as long as the session it was asked for in."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="push_devices")
    session_key = models.CharField(max_length=40)
    endpoint = models.CharField(max_length=MAX_ENDPOINT_CHARACTERS)  # whoever has it can send there: shown to nobody
    digest = models.CharField(max_length=64, unique=True)  # of the endpoint: a browser is told of one account's tables
    p256dh = models.CharField(max_length=90)
    auth = models.CharField(max_length=30)
    browser = models.CharField(max_length=200)  # what it says of itself
    language = models.CharField(max_length=8)  # of its pages, for whoever has chosen none
    added_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)  # null: the last message went well

    class Meta:
        indexes = [models.Index(fields=["session_key"], name="push_device_session")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.pk}"


class PushMessage(models.Model):
    """Message to one device: stored together with its cause, sent afterwards, kept a while so that it is sent once."""

    class Kind(models.TextChoices):
        TABLE = "table"  # it is open, and waits for the player
        TURN = "turn"  # the player's, while nobody looks at a page of theirs

    # No constraint: a device that goes at that instant takes no table's opening with it. What is left is never sent.
    device = models.ForeignKey(PushDevice, on_delete=models.CASCADE, related_name="messages", db_constraint=False)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    key = models.CharField(max_length=80)  # what it is about
    title = models.CharField(max_length=250)
    path = models.CharField(max_length=200)
    created_at = models.DateTimeField()
    until = models.DateTimeField()  # nobody needs it later
    due_at = models.DateTimeField(null=True, blank=True)  # null: done with
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["device", "kind", "key"], name="push_once")]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="push_due"),
            models.Index(fields=["created_at"], name="push_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class AccessToken(models.Model):
    """Key by which a program acts for an account. Only its digest is kept: the text is shown once.

    It is dead once its password has changed: ``password_mark`` is the one that sessions carry.
    """

    class Scope(models.TextChoices):
        READ = "read", _("leggere")
        PLAY = "play", _("giocare")
        ORGANISE = "organise", _("organizzare")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    password_mark = models.CharField(max_length=128)
    scopes = models.JSONField(default=list)
    targets = models.JSONField(default=list)  # what it may organise, as ``players.services.tokens`` writes it
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["expires_at"], name="token_expires")]


class IdempotentAnswer(models.Model):
    """Answer to a write that a program sent with a key of its own; sent again, it gets this one and nothing is done."""

    token = models.ForeignKey(AccessToken, on_delete=models.CASCADE, related_name="answers")
    route = models.CharField(max_length=200)  # method and path
    key = models.CharField(max_length=100)
    body_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token", "route", "key"], name="answer_once")]
        indexes = [models.Index(fields=["created_at"], name="answer_age")]
