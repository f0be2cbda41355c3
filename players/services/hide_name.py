"""Hide the name of an account by an act of the staff (O2): a name the house gives takes its place, everywhere."""

from datetime import datetime

from django.db import transaction

from players.models import Player, make_public_id
from players.signals import name_hidden


@transaction.atomic
def hide_name(*, player_id: int, now: datetime) -> str:
    """Give the member a name that says nothing, and return it. Player.DoesNotExist for a guest or the house's."""
    player = Player.objects.select_for_update(of=("self",)).get(pk=player_id, kind=Player.Kind.MEMBER)
    player.name = f"Socio {make_public_id()}"
    player.save(update_fields=["name"])
    name_hidden.send(sender=Player, player=player, now=now)
    return player.name
