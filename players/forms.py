"""Forms of accounts: sign-up, login, password, address, preferences, deletion.

A form that is refused keeps everything typed but passwords, and shows every error beside its field.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm as AllauthChangePasswordForm
from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import ResetPasswordForm as AllauthResetPasswordForm
from allauth.account.forms import ResetPasswordKeyForm as AllauthResetPasswordKeyForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from django import forms
from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from players import wording
from players.faces import find_face
from players.models import PUSH_WISHES, WISHES, Player, User
from players.names import MAX_NAME_CHARACTERS, MIN_NAME_CHARACTERS, MIN_TYPED_CHARACTERS
from players.selectors import find_username
from players.services.mail import mail_reset
from players.zones import group_time_zones

MAX_EMAIL_CHARACTERS = 254
MAX_PASSWORD_CHARACTERS = 256  # more is no safer, and costs the hasher its time
PASSWORD_HELP = _("Almeno 8 caratteri, non solo cifre, non troppo comune.")


def _limit(field: forms.Field, length: int) -> None:
    assert isinstance(field, forms.CharField)
    field.validators = [check for check in field.validators if not isinstance(check, MaxLengthValidator)]
    field.max_length = length
    field.validators.append(MaxLengthValidator(length))
    field.widget.attrs["maxlength"] = length


def _apply_look(form: forms.Form) -> None:
    """Replace placeholders by labels, which stay visible while one types, and limit the length of passwords."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
        if isinstance(field.widget, forms.PasswordInput):
            _limit(field, MAX_PASSWORD_CHARACTERS)


class ZoneSelect(forms.Select):
    """Select of time zones, drawn by one template: Django's own takes two for each of hundreds of zones."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        return render_to_string("players/_zones.html", self.get_context(name, value, attrs))


class SignupForm(AllauthSignupForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _apply_look(self)
        name = self.fields["username"]
        name.label = _("Nome al tavolo")
        name.help_text = _(
            "Da %(shortest)d a %(longest)d caratteri. È il nome che gli altri vedono e con cui accedi."
        ) % {"shortest": MIN_NAME_CHARACTERS, "longest": MAX_NAME_CHARACTERS}
        name.validators = []  # the adapter's rules say all of it, once, in their own words
        name.min_length = name.max_length = None
        name.widget.attrs.update(
            {"minlength": MIN_TYPED_CHARACTERS, "maxlength": MAX_NAME_CHARACTERS, "autocapitalize": "words"}
        )
        email = self.fields["email"]
        _limit(email, MAX_EMAIL_CHARACTERS)
        email.label = _("E-mail (facoltativa)")
        email.help_text = _("Serve a recuperare la password e, se vuoi, ad avvisarti. Nessun altro la vede.")
        self.fields["password1"].label = _("Password")
        self.fields["password1"].help_text = PASSWORD_HELP
        self.fields["password2"].label = _("Ripeti la password")


class LoginForm(AllauthLoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _apply_look(self)
        self.fields["login"].label = _("Nome o e-mail")
        _limit(self.fields["login"], MAX_EMAIL_CHARACTERS)
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["password"].label = _("Password")
        self.fields["password"].help_text = ""
        if "remember" in self.fields:
            self.fields["remember"].label = _("Resta collegato")

    def user_credentials(self) -> dict[str, str | None]:
        """Return a name or an address, never both: one password check an attempt, so that the time tells nothing."""
        login = self.cleaned_data["login"]
        kind = "email" if "@" in login else "username"  # no name has one
        if kind == "username":
            login = find_username(login) or login
        return {kind: login, "password": self.cleaned_data.get("password")}


class ChangePasswordForm(AllauthChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _apply_look(self)
        self.fields["oldpassword"].label = _("Password attuale")
        self.fields["oldpassword"].help_text = ""
        self.fields["password1"].label = _("Nuova password")
        self.fields["password1"].help_text = PASSWORD_HELP
        self.fields["password2"].label = _("Ripeti la nuova password")


class ResetPasswordForm(AllauthResetPasswordForm):
    """Form that takes an address and stores it. It never looks up whose it is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _apply_look(self)
        self.fields["email"].label = _("E-mail")
        _limit(self.fields["email"], MAX_EMAIL_CHARACTERS)

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        address = str(self.cleaned_data["email"])
        mail_reset(address=address, now=timezone.now())
        return address


class ResetPasswordKeyForm(AllauthResetPasswordKeyForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _apply_look(self)
        self.fields["password1"].label = _("Nuova password")
        self.fields["password1"].help_text = PASSWORD_HELP
        self.fields["password2"].label = _("Ripeti la nuova password")


class LooksForm(forms.ModelForm):
    """Form of looks and sounds, for the table's options and the page of the decks. A choice of several that is left out
    stays as it was."""

    class Meta:
        model = User
        fields = ["deck", "indices", "one_click", "second_tap", "table_sound", "vibration", "theme"]

    deck = forms.ChoiceField(label=_("Mazzo"), required=False, choices=User.Deck, widget=forms.RadioSelect)
    second_tap = forms.ChoiceField(
        label=_("Secondo tocco sulla carta alzata"),
        required=False,
        choices=User.SecondTap,
        widget=forms.RadioSelect,
    )
    theme = forms.ChoiceField(label=_("Colori"), required=False, choices=User.Theme, widget=forms.RadioSelect)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["indices"].label = _("Valore e seme negli angoli delle carte")
        self.fields["one_click"].label = _("Gioca la carta con un solo clic")
        self.fields["table_sound"].label = _("Suoni al tavolo")
        self.fields["vibration"].label = _("Vibrazione quando tocca a me")
        self.fields["vibration"].help_text = _("Sui telefoni che lo permettono, mentre il tavolo è sullo schermo.")

    def clean_deck(self) -> str:
        return str(self.cleaned_data["deck"] or self.instance.deck)

    def clean_second_tap(self) -> str:
        return str(self.cleaned_data["second_tap"] or self.instance.second_tap)

    def clean_theme(self) -> str:
        return str(self.cleaned_data["theme"] or self.instance.theme)


class FaceForm(forms.ModelForm):
    """Form of an account that asks for its player's face, too."""

    face = forms.ChoiceField(
        label=_("La tua figura"),
        required=False,
        choices=Player.Face,
        widget=forms.RadioSelect,
        help_text=_("La vedono tutti, accanto al tuo nome."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["face"] = find_face(self.instance.player)

    def save(self, commit: bool = True) -> User:
        """Store the account's own, and the face with the player if another was chosen."""
        user: User = super().save(commit)
        if self.cleaned_data["face"] and "face" in self.changed_data:
            user.player.face = self.cleaned_data["face"]
            user.player.save(update_fields=["face"])
        return user


class AppearanceForm(FaceForm):
    """Form of how the site looks to its reader, and they to the others."""

    class Meta:
        model = User
        fields = ["theme"]

    theme = forms.ChoiceField(
        label=_("Aspetto"),
        required=False,
        choices=[
            (User.Theme.AUTO, _("automatico")),
            (User.Theme.LIGHT, _("chiaro")),
            (User.Theme.DARK, _("scuro")),
        ],
        widget=forms.RadioSelect,
    )

    def clean_theme(self) -> str:
        return str(self.cleaned_data["theme"] or self.instance.theme)


class WelcomeForm(FaceForm):
    """Form of the first steps of a member: their face and their deck."""

    class Meta:
        model = User
        fields = ["deck"]

    deck = forms.ChoiceField(label=_("Il tuo mazzo"), required=False, choices=User.Deck, widget=forms.RadioSelect)

    def clean_deck(self) -> str:
        return str(self.cleaned_data["deck"] or self.instance.deck)


class PreferencesForm(FaceForm, LooksForm):
    class Meta:
        model = User
        fields = [
            "language", "time_zone", "banner", "sound", *WISHES,
            "auto_out", "auto_accuso", "auto_declare", "chips", *LooksForm.Meta.fields,
        ]  # fmt: skip

    language = forms.ChoiceField(label=_("Lingua"), required=False)
    time_zone = forms.ChoiceField(
        label=_("Fuso orario"), required=False, help_text=_("In questo fuso vedi tutti gli orari."), widget=ZoneSelect
    )

    def __init__(self, *args: Any, may_mail: bool, **kwargs: Any) -> None:
        """``may_mail``: the player has a confirmed address."""
        super().__init__(*args, **kwargs)
        language, zone = self.fields["language"], self.fields["time_zone"]
        assert isinstance(language, forms.ChoiceField)
        assert isinstance(zone, forms.ChoiceField)
        language.choices = [("", _("Come dice il browser")), *settings.LANGUAGES]
        zone.choices = [("", _("Come dice il browser")), *group_time_zones(self.instance.time_zone)]
        self.fields["banner"].label = _("Un avviso in cima a ogni pagina quando si apre il mio tavolo")
        self.fields["sound"].label = _("Un suono")
        for name in WISHES:
            self.fields[name].label, self.fields[name].help_text = wording.name_wish(name), wording.describe_wish(name)
            self.fields[name].disabled = not may_mail
        self.fields["auto_out"].label = _("Chiamata fuori")
        self.fields["auto_accuso"].label = _("Accuso")
        self.fields["auto_declare"].label = _("Dichiarazione «Ho…»")
        self.fields["chips"].label = _("Gettoni e poste ai tavoli liberi")
        self.fields["chips"].help_text = _("Non sono soldi, e non si comprano. Spenti, non ne vedi niente.")

    def list_wishes(self) -> list[forms.BoundField]:
        """Return the fields of the kinds of mail, in their order."""
        return [self[name] for name in WISHES]


class PushWishesForm(forms.ModelForm):
    """Form of the kinds of message that the account's devices get (U4)."""

    class Meta:
        model = User
        fields = list(PUSH_WISHES)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in PUSH_WISHES:
            self.fields[name].label = wording.name_push_wish(name)
            self.fields[name].help_text = wording.describe_push_wish(name)


class OwnPassword(forms.Form):
    """Form that asks for the password before something that can't be undone. Attempts count like those of a login."""

    password = forms.CharField(
        label=_("La tua password"),
        strip=False,
        max_length=MAX_PASSWORD_CHARACTERS,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        typed = str(self.cleaned_data["password"])
        user = self.request.user
        owner = get_adapter(self.request).authenticate(self.request, username=user.get_username(), password=typed)
        if owner is None or owner.pk != user.pk:
            raise forms.ValidationError(_("La password non è giusta."), code="wrong_password")
        return typed


class EmailForm(OwnPassword):
    """Form of the reader's own address; empty removes it. Only its mailbox is told if another account has it."""

    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        max_length=MAX_EMAIL_CHARACTERS,
        help_text=_("Lasciala vuota per toglierla."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    field_order = ["email", "password"]

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()
