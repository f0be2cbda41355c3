"""How allauth's accounts and our players go together: what a name may be, and who plays as a new account.

A username is the player's name. Limits on attempts, hashing and sessions are allauth's and Django's own.
"""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from players import services, words
from players.models import User
from players.names import BadName, clean_name
from players.selectors import player_of


class AccountAdapter(DefaultAccountAdapter):
    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The cleaned name, free for whoever asks (a guest may keep what he has); ValidationError with words."""
        try:
            name = clean_name(username)
        except BadName as error:
            raise forms.ValidationError(words.name_error(error.code), code=error.code) from None
        if not shallow:
            asking = None if self.request is None else player_of(self.request.user)
            guest = asking if asking is not None and asking.is_guest else None
            if services.name_taken(name, by_other_than=guest):
                raise forms.ValidationError(words.name_error("name_taken"), code="name_taken")
        return name

    def save_user(self, request: HttpRequest, user: Any, form: forms.BaseForm, commit: bool = True) -> User:
        """The account and its player together or not at all. NameTaken if somebody was faster."""
        with transaction.atomic():
            saved: User = super().save_user(request, user, form, commit=commit)
            if commit:
                services.create_member(user=saved, name=saved.username, now=timezone.now())
        return saved
