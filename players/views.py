"""The pages of coming in, and who the reader is on every page. Profiles show what was played: they are upstairs."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from allauth.account.views import SignupView as AllauthSignupView
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from players import services, words
from players.forms import SignupForm
from players.models import Player
from players.selectors import player_of


def person(request: HttpRequest) -> dict[str, Any]:
    """Context of every template: the reader's ``player`` (None for a visitor), read only where it is used."""
    user = getattr(request, "user", None)
    return {"player": SimpleLazyObject(lambda: player_of(user))}


class SignupView(AllauthSignupView):
    """Sign-up. A guest becomes a member on the rows he has; a member has nothing to do here."""

    form_class = SignupForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        player = player_of(request.user)
        if player is not None and not player.is_guest:
            return redirect("profile")
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: SignupForm) -> HttpResponse:
        player = player_of(self.request.user)
        try:
            if player is not None:
                return self._convert(player, form)
            return super().form_valid(form)
        except services.NameTaken as error:  # somebody was faster
            form.add_error("username", words.name_error(error.code))
            return self.form_invalid(form)

    def _convert(self, player: Player, form: SignupForm) -> HttpResponse:
        data = form.cleaned_data
        try:
            member = services.convert_guest(
                player_id=player.pk,
                name=data["username"],
                email=data.get("email") or "",
                password=data["password1"],
                now=timezone.now(),
            )
        except services.NotAGuest:  # the same form, sent twice
            return redirect("profile")
        if member.user.email:
            setup_user_email(self.request, member.user, [EmailAddress(email=member.user.email)])
        update_session_auth_hash(self.request, member.user)
        messages.success(
            self.request, _("Benvenuto, %(name)s: tutto quello che hai giocato è tuo.") % {"name": member.name}
        )
        return HttpResponseRedirect(self.get_success_url() or "/")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came too late, from elsewhere or without cookies."""
    return render(request, "403_csrf.html", status=403)
