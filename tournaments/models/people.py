"""People that play together, and the registers in which a club or an organiser keeps them (I1)."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Person, Player, make_public_id
from players.names import make_name_key
from tournaments.querysets import (
    RegisterCardQuerySet,
)


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
    """Every change of a register, with person and hour, and to which card or to how many; never a name (I1)."""

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
