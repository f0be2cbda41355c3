"""Mail preferences without a login.

Each mail carries a link, signed for its reader and for the preference it was sent by. The link ends those mails and
nothing else.
"""

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.urls import reverse

from players.models import WISHES, User

_SIGNER = Signer(salt="players.wishes", sep=".")


def build_stop_path(user: User, wish: str) -> str:
    """Return the path of the page that ends the mails of ``wish``, one of WISHES, for this reader."""
    return reverse("mails-stop", args=[_SIGNER.sign(f"{user.player.public_id}.{wish}")])


def read_wish(token: str) -> tuple[User, str] | None:
    """Return the player and the wish of a link's token; None for a foreign token or a closed account."""
    try:
        public_id, _dot, wish = _SIGNER.unsign(token).partition(".")
    except BadSignature:
        return None
    user = User.objects.filter(player__public_id=public_id, is_active=True).first()
    return None if user is None or wish not in WISHES else (user, wish)


@transaction.atomic
def stop_mails(*, token: str) -> str | None:
    """End those mails and return the wish; None for a foreign token. Safe to repeat."""
    recipient = read_wish(token)
    if recipient is None:
        return None
    user, wish = recipient
    User.objects.filter(pk=user.pk).update(**{wish: False})
    return wish
