"""Minimum length of a password, with an Italian sentence of ours: Django 5.2 has none. It stores no password."""

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import gettext as _


class MinimumLength(MinimumLengthValidator):
    def get_error_message(self) -> str:
        return _("La password è troppo corta: almeno %(n)s caratteri.") % {"n": self.min_length}
