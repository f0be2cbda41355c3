"""Adapters between allauth's accounts and our players: the rules of a name, the player of a new account, the attempts
at a password that are counted together, and the sending of its mails.

Hashing, sessions and the counting itself are allauth's and Django's own.
"""

import secrets
from datetime import timedelta
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.core.internal.ratelimit import parse_rates
from django import forms
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import get_language, get_language_from_request
from django.utils.translation import gettext_lazy as _

from players import wording
from players.addresses import clean_address
from players.models import User
from players.names import BadName, clean_name
from players.selectors import player_for
from players.services.mail import MailValues, mail_account
from players.services.players import create_member, is_name_taken
from players.web.requests import speak_to_reader

WRONG_LOGIN = _("Nome o password sbagliati: ricontrollali.")
DEVICE_SALT = "players.device"
DEVICE_SECONDS = 365 * 24 * 3600


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": WRONG_LOGIN,
        "email_password_mismatch": WRONG_LOGIN,
        "invalid_login": WRONG_LOGIN,
        "account_inactive": _("Questo account è chiuso."),
        "too_many_login_attempts": _("Troppi tentativi: aspetta qualche minuto e riprova."),
        "enter_current_password": _("La password attuale non è giusta."),
        "incorrect_password": _("La password non è giusta."),
        "invalid_password_reset": _("Questo link non vale più: chiedine un altro."),
        "same_as_current": _("È uguale a quella di adesso: sceglila diversa."),
        "rate_limited": _("Troppe richieste: aspetta un momento."),
    }

    # --- Names and players ---------------------------------------------------------------------------------------

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the cleaned name if it is free; a guest may keep theirs. ValidationError with a sentence otherwise."""
        try:
            name = clean_name(username)
        except BadName as error:
            raise forms.ValidationError(wording.describe_name_error(error.code), code=error.code) from None
        if not shallow:
            asking = None if self.request is None else player_for(self.request.user)
            guest = asking if asking is not None and asking.is_guest else None
            if is_name_taken(name, by_other_than=guest):
                raise forms.ValidationError(wording.describe_name_error("name_taken"), code="name_taken")
        return name

    def save_user(self, request: HttpRequest, user: Any, form: forms.BaseForm, commit: bool = True) -> User:
        """Store the account and its player, both or neither. NameTaken if somebody else took the name first."""
        with transaction.atomic():
            user.language = get_language() or ""
            saved: User = super().save_user(request, user, form, commit=commit)
            if commit:
                create_member(user=saved, name=saved.username, now=timezone.now())
        return saved

    # --- Attempts at a password ----------------------------------------------------------------------------------

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address. All clients of a Unix socket without a proxy's header share one, and so one
        limit; who sends junk by a trusted proxy, too."""
        return clean_address(request.META.get("REMOTE_ADDR") or "")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key under which attempts at a password are counted.

        It is the account's, whether its name or its address was typed. A browser that has been logged in before has a
        count of its own, so that nobody locks the owner out.
        """
        email = credentials.get("email") or ""
        name = credentials.get("username") or ""
        owner = get_user_by_username(name) if name else None
        if owner is None and email:
            owners = filter_users_by_email(email, prefer_verified=True, for_login=True)
            owner = min(owners, key=lambda user: user.pk, default=None)
        if owner is None:
            return f"nobody:{(email or name).strip().casefold()}"
        device = get_device_mark(request, owner.pk)
        return f"device:{owner.pk}:{device}" if device else f"account:{owner.pk}"

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *rest: Any, **more: Any
    ) -> None:
        """Say it in the language of the next page: whoever leaves has the browser's there, not the account's."""
        if message_template == "account/messages/logged_out.txt":
            with translation.override(get_language_from_request(request)):
                super().add_message(request, level, message_template, *rest, **more)
        else:
            super().add_message(request, level, message_template, *rest, **more)

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        speak_to_reader(request)
        response: HttpResponse = super().post_login(request, user, **kwargs)
        remember_device(request, response, user.pk)
        return response

    # --- Mail ----------------------------------------------------------------------------------------------------

    def should_send_confirmation_mail(self, request: HttpRequest, email_address: EmailAddress, signup: bool) -> bool:
        """Tell if the limit on mails to one address lets another one go; where it doesn't, say so."""
        key = email_address.email.lower()
        free = ratelimit.consume(request, action="confirm_email", key=key, dry_run=True)
        if not free:
            text = _(
                "A questo indirizzo abbiamo appena scritto, e adesso non parte un'altra e-mail. Se non ne trovi, "
                "chiedila %(wait)s da qui: Profilo, La tua e-mail."
            ) % {"wait": wording.describe_wait(find_mail_wait())}
            messages.warning(request, text, extra_tags="mail_waits")
        return free

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Store the mail; Celery sends it. The work is the same for an address that has an account and for one that
        hasn't."""
        confirm_address(emailconfirmation.email_address)


def find_mail_wait() -> timedelta:
    """Return how long it takes until another mail may go to an address, at most: as its limit says."""
    rates = parse_rates(settings.ACCOUNT_RATE_LIMITS["confirm_email"])
    return timedelta(seconds=max(rate.duration for rate in rates))


def confirm_address(address: EmailAddress) -> None:
    """Mail a link that confirms this address."""
    now = timezone.now()
    key = f"{address.pk}:{now.timestamp():.0f}"
    mail_account(user=address.user, kind="confirm", key=key, values=MailValues(address=address.pk), now=now)


def get_display_name(user: User) -> str:
    """Return the player's name for allauth's messages and mails, never an internal user name."""
    player = player_for(user)
    return user.get_username() if player is None else player.name


def _name_device_cookie() -> str:
    return "__Host-device" if settings.SESSION_COOKIE_SECURE else "device"


def get_device_mark(request: HttpRequest, user_id: int) -> str:
    """Return the mark of a browser in which this account was logged in before; empty for any other."""
    try:
        held = signing.loads(request.COOKIES.get(_name_device_cookie(), ""), salt=DEVICE_SALT, max_age=DEVICE_SECONDS)
    except signing.BadSignature:
        return ""
    return str(held["mark"]) if held.get("user") == user_id else ""


def remember_device(request: HttpRequest, response: HttpResponse, user_id: int) -> None:
    """Mark the browser as one in which this account was logged in."""
    mark = get_device_mark(request, user_id) or secrets.token_hex(8)
    response.set_cookie(
        _name_device_cookie(),
        signing.dumps({"user": user_id, "mark": mark}, salt=DEVICE_SALT),
        max_age=DEVICE_SECONDS,
        httponly=True,
        secure=bool(settings.SESSION_COOKIE_SECURE),
        samesite="Lax",
    )
