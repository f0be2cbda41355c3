"""Pages of the reader's own account, and the reader as context of every page.

Matches that were played are shown by the apps above.
"""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import quote

from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from allauth.account.views import SignupView as AllauthSignupView
from allauth.core import ratelimit
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language

from players import wording
from players.accounts import confirm_address, remember_device
from players.forms import AppearanceForm, EmailForm, LooksForm, OwnPassword, PreferencesForm, SignupForm
from players.models import AUTOMATIC, WISHES, Player, User
from players.selectors import player_for, read_looks
from players.sent_forms import note_unread_form
from players.services import mail_preferences
from players.services.close_account import close_account
from players.services.players import (
    NameTaken,
    NotAGuest,
    TooManyGuests,
    TooManySignups,
    convert_guest,
    count_signup,
    create_guest,
)
from players.services.push_devices import move_devices
from players.services.sessions import end_session, note_session
from players.signals import AccountBusy, automatic_chosen
from players.web.addresses import is_from_network, is_own_page, read_client_address
from players.web.live import PageContext
from players.web.requests import find_reader, read_number, show_error, speak_to_reader

ACCOUNT_PAGES = "/account/"


def provide_reader(request: HttpRequest) -> PageContext:
    """Return the context of every template: ``player`` (None for a visitor) and their ``looks``, read where used;
    ``way_back``, the query by which a visitor's login leads back; ``from_network``: nobody logs in from here (O9)."""
    user = find_reader(request)
    return {
        "player": SimpleLazyObject(lambda: player_for(user)),
        "looks": SimpleLazyObject(lambda: read_looks(user)),
        "way_back": _find_way_back(request),
        "from_network": is_from_network(request),
    }


def _find_way_back(request: HttpRequest) -> str:
    """Return the query that names this page; on the login's and the sign-up's own pages the one they were given."""
    own = request.path.startswith(ACCOUNT_PAGES)
    page = request.GET.get("next", "") if own else request.path
    return f"?next={quote(page)}" if page != "/" and is_own_page(page) else ""


def let_in(request: HttpRequest, link: str = "") -> TooManyGuests | None:
    """Make the visitor a guest and log them in. Return None, or the refusal if too many came from their address.

    ``link``: the tournament by whose link or code they come.
    """
    try:
        guest = create_guest(now=timezone.now(), address=read_client_address(request), link=link)
    except TooManyGuests as refused:
        return refused
    login(request, guest.user)
    return None


def show_crowd(request: HttpRequest, refused: TooManyGuests) -> None:
    """Show on the next page that too many guests came, and when to try again."""
    show_error(request, wording.describe_crowd(refused.code, refused.wait), refused.code)


def show_refusal(request: HttpRequest, code: str) -> None:
    """Show on the next page why an account could not be closed."""
    show_error(request, wording.describe_refusal(code), code)


class SignupView(AllauthSignupView):
    """Sign-up. A guest becomes a member on the same rows; a member is redirected."""

    form_class = SignupForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        player = player_for(request.user)
        if player is not None and not player.is_guest:
            return redirect("profile")
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: SignupForm) -> HttpResponse:
        player = player_for(self.request.user)
        try:
            count_signup(address=read_client_address(self.request), now=timezone.now())
            if player is not None:
                return self._convert(player, form)
            return super().form_valid(form)
        except TooManySignups as refused:
            why = wording.describe_crowd(refused.code, refused.wait)
            form.add_error(None, ValidationError(why, code=refused.code))
            answer = self.form_invalid(form)
            answer.status_code = 429
            answer["Retry-After"] = str(math.ceil(refused.wait.total_seconds()))
            return answer
        except NameTaken as error:  # somebody was faster
            form.add_error("username", wording.describe_name_error(error.code))
            return self.form_invalid(form)

    def _convert(self, player: Player, form: SignupForm) -> HttpResponse:
        data = form.cleaned_data
        try:
            member = convert_guest(
                player_id=player.pk,
                name=data["username"],
                email=data.get("email") or "",
                password=data["password1"],
                now=timezone.now(),
            )
        except NotAGuest:  # the same form, sent twice
            return redirect("profile")
        if member.user.email:
            confirm_address(setup_user_email(self.request, member.user, [EmailAddress(email=member.user.email)]))
        before = self.request.session.session_key
        update_session_auth_hash(self.request, member.user)
        move_devices(user_id=member.user_id, before=before, after=self.request.session.session_key)
        note_session(request=self.request, user=member.user, now=timezone.now())  # its key is another now
        messages.success(
            self.request,
            _("Benvenuto, %(name)s: tutto quello che hai giocato è tuo.") % {"name": member.name},
            extra_tags="member_now",
        )
        response = HttpResponseRedirect(self.get_success_url() or reverse("welcome"))
        remember_device(self.request, response, member.user_id)
        return response


def _require_player(view: Callable[[HttpRequest, Player], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Redirect visitors without a player to the login; give the view its player."""

    @wraps(view)
    def page(request: HttpRequest) -> HttpResponse:
        player = player_for(request.user)
        return redirect_to_login(request.get_full_path()) if player is None else view(request, player)

    return page


@require_http_methods(["GET", "HEAD", "POST"])
@_require_player
def edit_preferences(request: HttpRequest, player: Player) -> HttpResponse:
    """Show and store preferences: language, time zone (E7), notices (W1), automatic calls (X1), looks (G1)."""
    confirmed = EmailAddress.objects.get_verified(player.user)
    user = User.objects.get(pk=player.user_id)  # a form that won't do must not change who reads the page
    form = PreferencesForm(request.POST or None, instance=user, may_mail=confirmed is not None)
    if request.method == "POST" and form.is_valid():
        form.save()
        if set(form.changed_data) & {f"auto_{verb}" for verb in AUTOMATIC}:
            automatic_chosen.send(sender=Player, player_id=player.pk, now=timezone.now)
        response = redirect("preferences")
        if not form.cleaned_data["language"]:
            request.COOKIES.pop(settings.LANGUAGE_COOKIE_NAME, None)
            response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)  # what the browser asks for, not what it once chose
        player.user.language = user.language
        speak_to_reader(request)
        messages.success(request, _("Preferenze salvate."), extra_tags="saved")
        return response
    return render(request, "players/preferences.html", {"form": form, "confirmed": confirmed})


@require_POST
def choose_looks(request: HttpRequest) -> HttpResponse:
    """Store the reader's looks: 204 for a script, which asks for no page; a redirect for a form."""
    player = player_for(request.user)
    by_script = not request.accepts("text/html")
    if player is None:
        return HttpResponse(status=401) if by_script else redirect_to_login(reverse("preferences"))
    form = LooksForm(request.POST, instance=User.objects.get(pk=player.user_id))
    if form.is_valid():
        form.save(commit=False).save(update_fields=LooksForm.Meta.fields)
    if by_script:
        return HttpResponse(status=204 if form.is_valid() else 422)
    if form.is_valid():
        messages.success(request, _("Preferenze salvate."), extra_tags="saved")
    else:
        show_error(request, _("Questa scelta non c'è."), "unknown_choice")
    page = request.POST.get("next", "")
    return redirect(page if is_own_page(page) else "preferences")


@require_POST
@_require_player
def choose_appearance(request: HttpRequest, player: Player) -> HttpResponse:
    """Store how the site looks to the reader, and they to the others: 204 for a script, a redirect for a form."""
    form = AppearanceForm(request.POST, instance=User.objects.select_related("player").get(pk=player.user_id))
    by_script = "HX-Request" in request.headers
    if form.is_valid():
        form.save()
        if not by_script:
            messages.success(request, _("Preferenze salvate."), extra_tags="saved")
    elif not by_script:
        show_error(request, _("Questa scelta non c'è."), "unknown_choice")
    if by_script:
        return HttpResponse(status=204 if form.is_valid() else 422)
    return redirect("settings")


def require_member(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Redirect guests from allauth's pages about name, address and password to the sign-up: they have none yet."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        player = player_for(request.user)
        if player is None or not player.is_guest:
            return view(request, *args, **kwargs)
        messages.info(
            request,
            _("Giochi come ospite, senza password. Se hai già un account, prima esci e poi accedi."),
            extra_tags="members_only",
        )
        return redirect("account_signup")

    return page


@require_POST
def choose_language(request: HttpRequest) -> HttpResponseBase:
    """Store the language in a cookie, and with the account if there is one. It is chosen at the foot of every page."""
    response = set_language(request)
    chosen = request.POST.get("language", "")
    if request.user.is_authenticated and chosen in dict(settings.LANGUAGES):
        User.objects.filter(pk=request.user.pk).update(language=chosen)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@_require_player
def edit_email(request: HttpRequest, player: Player) -> HttpResponse:
    """Show and change the reader's address. A new one counts once its mailbox has confirmed it."""
    if player.is_guest:
        return redirect("account_signup")
    user = player.user
    confirmed, waiting = EmailAddress.objects.get_verified(user), EmailAddress.objects.get_new(user)
    current = waiting or confirmed
    form = EmailForm(request.POST or None, request=request, initial={"email": current.email if current else ""})
    if request.method == "POST" and form.is_valid():
        # Nobody has us write to strangers all day.
        refused: HttpResponse | None = ratelimit.consume_or_429(request, action="manage_email")
        if refused is not None:
            return refused
        code, text = _change_address(user, form.cleaned_data["email"])
        messages.success(request, text, extra_tags=code)
        return redirect("account_email")
    return render(request, "account/email.html", {"form": form, "confirmed": confirmed, "waiting": waiting})


def _change_address(user: User, address: str) -> tuple[str, str]:
    """Store the address and mail the link that confirms it. Return the code and the sentence that say so."""
    held = EmailAddress.objects.filter(user=user)
    with transaction.atomic():
        if not address:
            held.delete()
            User.objects.filter(pk=user.pk).update(email="", **dict.fromkeys(WISHES, False))
            return "address_dropped", _("Il tuo indirizzo è cancellato.")
        same = held.filter(email=address).first()
        held.filter(verified=False).exclude(email=address).delete()
        if same is None:
            same = EmailAddress.objects.create(user=user, email=address)
            if not held.filter(verified=True).exists():
                same.set_as_primary()
        if same.verified:
            return "address_confirmed", _("Questo è il tuo indirizzo, già confermato.")
        confirm_address(same)
        return "link_sent", _("Ti abbiamo scritto: apri l'e-mail e conferma l'indirizzo.")


@require_safe
@_require_player
def show_sessions(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the account's sessions."""
    note_session(request=request, user=player.user, now=timezone.now())
    rows = UserSession.objects.purge_and_list(player.user)
    rows.sort(key=lambda row: (row.session_key != request.session.session_key, -row.last_seen_at.timestamp()))
    listed = [
        {
            "row": row,
            "current": row.session_key == request.session.session_key,
            "name": wording.name_browser(row.user_agent),
        }
        for row in rows
    ]
    return render(request, "players/sessions.html", {"sessions": listed})


@require_POST
@_require_player
def end_sessions(request: HttpRequest, player: Player) -> HttpResponse:
    """End one session, or all but this one."""
    others = UserSession.objects.filter(user=player.user).exclude(session_key=request.session.session_key)
    named = request.POST.get("session", "")
    if named:
        number = read_number(named, 0)
        others = others.filter(pk=number)
    ended = list(others)
    for session in ended:
        end_session(session=session)
    if ended:
        messages.success(request, _("Fatto: là bisogna di nuovo accedere."), extra_tags="session_ended")
    else:
        messages.info(request, _("Quell'accesso era già chiuso."), extra_tags="no_such_session")
    return redirect("sessions")


@require_http_methods(["GET", "HEAD", "POST"])
@_require_player
def delete_account(request: HttpRequest, player: Player) -> HttpResponse:
    """Close the reader's account for good. A guest has no password to be asked for."""
    form = None if player.is_guest else OwnPassword(request.POST or None, request=request)
    if request.method == "POST" and (form is None or form.is_valid()):
        try:
            close_account(player_id=player.pk, now=timezone.now())
        except AccountBusy as error:
            show_refusal(request, error.code)
            return redirect("account-delete")
        logout(request)
        speak_to_reader(request)
        messages.success(
            request, _("Il tuo account non c'è più. Buone carte, ovunque tu vada."), extra_tags="account_closed"
        )
        return redirect("home")
    return render(request, "players/delete.html", {"form": form})


@csrf_exempt  # RFC 8058: a mail program posts here; it can do no more than the signed link says
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mails(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of a mail's last link; the POST of a mail program's own button works without login or redirect."""
    recipient = mail_preferences.read_wish(token)
    if recipient is None:
        return render(request, "players/stop_mails.html", {"wish": None}, status=404)
    done = request.method == "POST" and mail_preferences.stop_mails(token=token) is not None
    user, wish = recipient
    context = {"wish": wording.name_wish(wish), "done": done or not getattr(user, wish)}
    return render(request, "players/stop_mails.html", context)


@require_safe
def show_privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "players/privacy.html")


def show_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show the page for a form that came too late, from elsewhere or without cookies."""
    note_unread_form(request)
    return render(request, "403_csrf.html", status=403)
