"""Who sits down: a user account and the player it plays as.

A guest is a real user row that can become a full account and keep everything it did; a house player is a
player no person stands behind, marked so everywhere.
"""

import secrets

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

PUBLIC_ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_public_id() -> str:
    """Ten characters nobody can guess or misread: the only ids that appear in addresses."""
    return "".join(secrets.choice(PUBLIC_ID_ALPHABET) for _ in range(10))


class User(AbstractUser):
    """The account; everything of the game hangs on its Player."""


class Player(models.Model):
    """One per user."""

    class Kind(models.TextChoices):
        MEMBER = "member", _("giocatore")
        GUEST = "guest", _("ospite")
        HOUSE = "house", _("giocatore della casa")

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="player")
    public_id = models.CharField(max_length=12, unique=True, default=new_public_id, editable=False)
    name = models.CharField(_("nome"), max_length=24, unique=True)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.MEMBER)
    created_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["kind", "seen_at"])]

    def __str__(self) -> str:
        return self.name

    @property
    def is_guest(self) -> bool:
        return self.kind == self.Kind.GUEST

    @property
    def is_house(self) -> bool:
        return self.kind == self.Kind.HOUSE
