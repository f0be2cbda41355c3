"""Devices that are told of the reader's tables (U4): which kinds, on which devices; put on by a click, on each device
by itself."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from players import wording
from players.forms import PushWishesForm
from players.models import User
from players.selectors import player_for
from players.services.push_devices import PushRefused, add_device, list_devices, remove_device
from players.web.requests import read_number
from players.web_push import read_public_key


@require_http_methods(["GET", "HEAD", "POST"])
def edit_devices(request: HttpRequest) -> HttpResponse:
    """Show the reader's devices, and show and store which kinds of message they get."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    form = PushWishesForm(request.POST or None, instance=User.objects.get(pk=player.user_id))
    if request.method == "POST":
        form.save(commit=False).save(update_fields=PushWishesForm.Meta.fields)
        messages.success(request, _("Preferenze salvate."), extra_tags="saved")
        return redirect("devices")
    rows = [
        {"row": device, "name": wording.name_browser(device.browser)}
        for device in list_devices(player.user, timezone.now())
    ]
    return render(request, "players/devices.html", {"form": form, "devices": rows, "push_key": read_public_key()})


@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """Have this browser be told, for its script: 204, or 422 with the sentence that says why not."""
    player = player_for(request.user)
    if player is None or request.session.session_key is None:
        return HttpResponse(status=401)
    given: dict[str, Any] = {name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")}
    try:
        add_device(
            user=player.user,
            session_key=request.session.session_key,
            browser=request.headers.get("User-Agent", ""),
            language=translation.get_language() or "",
            now=timezone.now(),
            **given,
        )
    except PushRefused as refused:
        message = wording.describe_push_refusal(refused.code, **refused.values)
        return JsonResponse({"code": refused.code, "message": message}, status=422)
    return HttpResponse(status=204)


@require_POST
def remove(request: HttpRequest) -> HttpResponse:
    """Tell one of the reader's devices no more."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if remove_device(user=player.user, device_id=read_number(request.POST.get("device", ""), 0)):
        messages.success(request, _("Fatto: quel dispositivo non riceve più avvisi."), extra_tags="device_removed")
    else:
        messages.info(request, _("Quel dispositivo non c'era già più."), extra_tags="no_such_device")
    return redirect("devices")
