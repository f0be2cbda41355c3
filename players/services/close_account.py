"""Close an account for good. Results of others against it stay, under a name that says nothing.

A player without any results is deleted. Otherwise the row stays, because results hang on it, and everything personal
goes: name, address, password, sessions, preferences, mails.
"""

import secrets
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, Q

from players.broadcast import announce_session_end
from players.models import (
    AccessToken,
    ConnectionMark,
    Follow,
    FriendCall,
    Mail,
    Player,
    PlayerBlock,
    ProfileAudience,
    User,
)
from players.names import make_name_key
from players.services.fixed_pairs import end_pairs
from players.services.push_devices import end_devices
from players.signals import account_closing


def close_account(*, player_id: int, now: datetime) -> bool:
    """Close the account. Return True if everything could be deleted.

    AccountBusy while its player sits at a table; Player.DoesNotExist if it was closed before.
    """
    with transaction.atomic():
        # Not FOR UPDATE: a receiver locks tournaments, and who enters one locks it before it refers to the player.
        rows = Player.objects.select_for_update(of=("self",), no_key=True).select_related("user")
        player = rows.get(pk=player_id, user__is_active=True, kind__in=(Player.Kind.MEMBER, Player.Kind.GUEST))
        name = _free_name()
        account_closing.send(sender=Player, player=player, name=name, now=now)
        user_id = player.user_id
        _end_sessions(player.user)
        end_devices(user_id=user_id)
        PlayerBlock.objects.filter(Q(player=player) | Q(blocked=player)).delete()
        FriendCall.objects.filter(Q(player=player) | Q(by=player)).delete()
        Follow.objects.filter(Q(player=player) | Q(followed=player)).delete()
        ConnectionMark.objects.filter(player=player).delete()
        ProfileAudience.objects.filter(player=player).delete()
        end_pairs(player=player, now=now)
        transaction.on_commit(lambda: announce_session_end(user_id, None))
        if delete_unreferenced(player.user):
            return True
        player.name, player.face, player.seen_at, player.calendar_token = name, Player.NO_FACE, None, ""
        player.save(update_fields=["name", "face", "seen_at", "calendar_token"])
        forget_person(player.user, username=f"closed:{player.public_id}")
        return False


def _free_name() -> str:
    while True:
        name = f"Ex socio {secrets.randbelow(900_000) + 100_000}"
        if not Player.objects.filter(name_key=make_name_key(name)).exists():
            return name


def _end_sessions(user: User) -> None:
    rows = UserSession.objects.filter(user=user)
    Session.objects.filter(session_key__in=list(rows.values_list("session_key", flat=True))).delete()
    rows.delete()


def delete_unreferenced(user: User) -> bool:
    """Delete the account with its player; False where entries, seats or tournaments hang on it."""
    try:
        with transaction.atomic():
            user.delete()
    except (ProtectedError, IntegrityError):  # the second: somebody seated the player this instant
        return False
    return True


def forget_person(user: User, *, username: str) -> None:
    """Bar the login and remove from the account all that says whose it was."""
    blank = User(pk=user.pk, username=username, password=make_password(None), is_active=False)
    blank.date_joined = user.date_joined
    blank.save(force_update=True)
    EmailAddress.objects.filter(user=user).delete()
    Mail.objects.filter(user=user).delete()
    AccessToken.objects.filter(user=user).delete()
