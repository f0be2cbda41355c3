"""The page of an account's keys for programs. A new one is shown in the answer to the form that makes it, and never
again: it is kept nowhere, the session included."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.forms import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from api.token_forms import TokenForm
from players import caps
from players.models import AccessToken, Player
from players.selectors import player_for
from players.services.tokens import MODERATION, NEW, OWN, TooManyTokens, create_token, delete_token, is_dead
from players.web.requests import read_number
from tournaments.core.web import Notice, show_notice
from tournaments.models import Club, Tournament


@require_http_methods(["GET", "HEAD", "POST"])
def show_tokens(request: HttpRequest) -> HttpResponse:
    """Show the reader's keys and the form for one more; a POST makes it, and its answer shows it."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if player.is_guest:
        messages.info(request, _("Le chiavi sono di chi ha un account: iscriviti."), extra_tags="account_needed")
        return redirect(f"{reverse('account_signup')}?next={reverse('tokens')}")
    form, text = TokenForm(request.POST or None, player=player), ""
    if request.method == "POST" and form.is_valid():
        try:
            _token, text = create_token(user=player.user, now=timezone.now(), **form.cleaned_data)
        except TooManyTokens:
            why = _("Hai già %(limit)d chiavi: togline una.") % {"limit": caps.TOKENS_A_PERSON}
            form.add_error(None, ValidationError(why, code="too_many_tokens"))
        else:
            form = TokenForm(player=player)
    tokens = player.user.access_tokens.filter(expires_at__gt=timezone.now()).order_by("-pk")
    rows = [
        {"token": token, "dead": is_dead(token), "can": _describe_scopes(token), "targets": _name_targets(token)}
        for token in tokens
    ]
    response = render(request, "api/tokens.html", {"form": form, "text": text, "rows": rows})
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def drop_token(request: HttpRequest) -> HttpResponse:
    """Delete a key: from now on it opens nothing."""
    player: Player | None = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("tokens"))
    delete_token(user=player.user, token_id=read_number(request.POST.get("chiave", ""), 0))
    show_notice(request, Notice("token_dropped", _("La chiave non vale più.")))
    return redirect("tokens")


def _describe_scopes(token: AccessToken) -> str:
    labels = dict(AccessToken.Scope.choices)
    return ", ".join(str(labels[scope]) for scope in token.scopes)


def _name_targets(token: AccessToken) -> list[str]:
    """Return the names of what a key may organise; what is gone has none."""
    kinds: dict[str, list[str]] = {"tournament": [], "club": []}
    for target in token.targets:
        kind, _colon, public_id = target.partition(":")
        kinds.setdefault(kind, []).append(public_id)
    names = [_("i tornei che crea")] if NEW in kinds else []
    names += [_("registro, serie, circuiti e webhook")] if OWN in kinds else []
    names += [_("la moderazione del sito")] if MODERATION in kinds else []
    names += Club.objects.filter(public_id__in=kinds["club"]).values_list("name", flat=True)
    names += Tournament.objects.filter(public_id__in=kinds["tournament"]).values_list("name", flat=True)
    return names
