"""The page of an organiser's webhooks in the profile: all of them with their latest deliveries, and their acts."""

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players import caps
from players.selectors import player_for
from players.web.live import PageContext
from players.web.requests import show_error
from tournaments.core.web import Notice, show_notice
from tournaments.models import Webhook
from tournaments.webhooks import actions, wording
from tournaments.webhooks.forms import WebhookForm

SHOWN = 5  # latest deliveries of each, on the page of all
LOG_SHOWN = 200


@require_http_methods(["GET", "HEAD", "POST"])
def show_webhooks(request: HttpRequest) -> HttpResponse:
    """Show the reader's webhooks and the form for one more."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if player.is_guest:
        show_notice(request, Notice("account_needed", wording.describe_refusal("account_needed", {})))
        return redirect(f"{reverse('account_signup')}?next={reverse('webhooks')}")
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            webhook = actions.create_webhook(owner=player, url=form.cleaned_data["url"], now=timezone.now())
        except actions.WebhookError as error:
            form.refuse(error)
        else:
            show_notice(request, Notice("webhook_made", _("Fatto. Qui c'è il segreto con cui controllare le firme.")))
            return redirect("webhook", webhook.public_id)
    webhooks = list(player.webhooks.order_by("pk"))
    rows = [{"webhook": webhook, "deliveries": _list_deliveries(webhook, SHOWN)} for webhook in webhooks]
    context = {"form": form, "rows": rows, "limit": caps.WEBHOOKS_A_PERSON, "full": len(rows) >= caps.WEBHOOKS_A_PERSON}
    return _send_private(render(request, "tournaments/webhooks/webhooks.html", context))


@require_safe
def show_webhook(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show one webhook with its secret and its log."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    webhook = get_object_or_404(player.webhooks, public_id=public_id)
    changing = webhook.old_secret_until is not None and timezone.now() < webhook.old_secret_until
    context = {"webhook": webhook, "changing": changing, "deliveries": _list_deliveries(webhook, LOG_SHOWN)}
    return _send_private(render(request, "tournaments/webhooks/webhook.html", context))


@require_POST
def act_on_webhook(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Try a webhook, change its secret, put it on again, delete it."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("webhooks"))
    webhook = get_object_or_404(player.webhooks, public_id=public_id)
    now = timezone.now()
    try:
        if act == "prova":
            actions.try_webhook(webhook_id=webhook.pk, by=player, now=now)
            show_notice(request, Notice("webhook_tried", _("Prova spedita: fra poco qui sotto si legge com'è andata.")))
        elif act == "segreto":
            actions.change_secret(webhook_id=webhook.pk, by=player, now=now)
            show_notice(
                request, Notice("secret_changed", _("Nuovo segreto. Quello di prima vale ancora per un giorno."))
            )
        elif act == "riaccendi":
            actions.put_webhook_on(webhook_id=webhook.pk, by=player, now=now)
            show_notice(request, Notice("webhook_on", _("È di nuovo acceso.")))
        elif act == "togli":
            actions.delete_webhook(webhook_id=webhook.pk, by=player)
            show_notice(request, Notice("webhook_deleted", _("Il webhook non c'è più.")))
            return redirect("webhooks")
        else:
            raise Http404
    except actions.WebhookError as error:
        show_error(request, wording.describe_refusal(error.code, error.values), error.code)
    return redirect("webhook", public_id)


def _list_deliveries(webhook: Webhook, most: int) -> list[PageContext]:
    """Return the latest deliveries with their words, the last first."""
    return [
        {
            "delivery": delivery,
            "name": wording.name_event(delivery.kind),
            "error": wording.describe_error(delivery.error) if delivery.error else "",
        }
        for delivery in webhook.deliveries.order_by("-at", "-pk")[:most]
    ]


def _send_private(response: HttpResponse) -> HttpResponse:
    """Keep a page with secrets out of every cache."""
    response["Cache-Control"] = "no-store"
    return response
