"""The forms of coming in: sign-up (also for a guest who becomes a member), login, password. Nothing typed is lost
but passwords, and every error stands beside its field."""

from typing import Any

from allauth.account.forms import ChangePasswordForm as AllauthChangePasswordForm
from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from django import forms
from django.utils.translation import gettext_lazy as _

from players.names import LONGEST, SHORTEST


def _without_placeholders(form: forms.Form) -> None:
    """A label says it better, and stays while one types."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class SignupForm(AllauthSignupForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _without_placeholders(self)
        name = self.fields["username"]
        name.label = _("Nome al tavolo")
        name.help_text = _("Da 3 a 24 caratteri. È il nome che gli altri vedono e con cui accedi.")
        name.validators = []  # the adapter's rules say all of it, once, in their own words
        name.min_length = name.max_length = None
        name.widget.attrs.update({"minlength": SHORTEST, "maxlength": LONGEST, "autocapitalize": "words"})
        self.fields["email"].label = _("E-mail (facoltativa)")
        self.fields["email"].help_text = _("Serve solo a recuperare la password.")
        self.fields["password1"].label = _("Password")
        self.fields["password1"].help_text = _("Almeno 8 caratteri, non solo cifre, non troppo comune.")
        self.fields["password2"].label = _("Ripeti la password")


class LoginForm(AllauthLoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _without_placeholders(self)
        self.fields["login"].label = _("Nome o e-mail")
        self.fields["login"].max_length = 254
        self.fields["login"].widget.attrs.update({"autocomplete": "username", "maxlength": 254})
        self.fields["password"].label = _("Password")
        self.fields["password"].help_text = ""
        if "remember" in self.fields:
            self.fields["remember"].label = _("Resta collegato")


class ChangePasswordForm(AllauthChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _without_placeholders(self)
        self.fields["oldpassword"].label = _("Password attuale")
        self.fields["password1"].label = _("Nuova password")
        self.fields["password1"].help_text = _("Almeno 8 caratteri, non solo cifre, non troppo comune.")
        self.fields["password2"].label = _("Ripeti la nuova password")
