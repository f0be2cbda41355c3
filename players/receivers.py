"""Receivers of logins, logouts and new passwords.

An account without a player gets one; sockets of an ended session close and its devices are told no more; the owner is
told of a new password.
"""

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from players.broadcast import announce_session_end
from players.browser_marks import note_request_marks
from players.selectors import player_for
from players.sent_forms import forget_reader, forget_visitor
from players.services.mail import MailValues, mail_account
from players.services.players import ensure_player
from players.services.push_devices import end_devices
from players.services.sessions import note_session


def _note_login(request: HttpRequest, user: Any, **_: Any) -> None:
    forget_visitor(request)
    ensure_player(user=user, now=timezone.now())  # made by createsuperuser or in the admin
    player = player_for(user)
    if player is not None:
        note_request_marks(request, player)
    note_session(request=request, user=user, now=timezone.now())  # a guest doesn't come in by allauth's pages


def _note_logout(request: HttpRequest | None, user: Any, **_: Any) -> None:
    if request is None:
        return
    forget_reader(request)
    if user is None:
        return
    key = request.session.session_key
    if key:
        end_devices(user_id=user.pk, session_key=key)
    transaction.on_commit(lambda: announce_session_end(user.pk, key))


def _note_password_change(user: Any, **_: Any) -> None:
    transaction.on_commit(lambda: announce_session_end(user.pk, None))
    end_devices(user_id=user.pk)
    now = timezone.now()
    values = MailValues(path=reverse("account_reset_password"))
    mail_account(user=user, kind="password", key=f"{now.timestamp():.3f}", values=values, now=now)


def connect() -> None:
    """Connect the receivers, once, when the app is ready."""
    user_logged_in.connect(_note_login, dispatch_uid="players.logged_in")
    user_logged_out.connect(_note_logout, dispatch_uid="players.logged_out")
    for signal in (password_changed, password_reset, password_set):
        signal.connect(_note_password_change, dispatch_uid="players.password_changed")
