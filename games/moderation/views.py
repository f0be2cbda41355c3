"""Pages of moderation (U2), for staff alone: whoever else asks finds nothing there."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.moderation import actions, queries
from games.moderation.forms import AnswerForm, JudgeForm, NoteForm
from players.clean_text import clean_line
from players.models import ModerationAct, Player
from players.selectors import player_for
from players.services.moderation import ModerationRefused
from players.web.live import keep_from_search
from players.web.requests import show_error
from players.wording import describe_moderation_refusal

StaffView = Callable[..., HttpResponse]


def _require_staff(view: StaffView) -> Callable[..., HttpResponse]:
    """Give the view its moderator; 404 for everybody else."""

    @wraps(view)
    def page(request: HttpRequest, **where: str) -> HttpResponse:
        player = player_for(request.user)
        if player is None or not player.user.is_staff:
            raise Http404
        response = keep_from_search(view(request, player, **where))
        response["Cache-Control"] = "no-store"
        return response

    return page


@require_safe
@_require_staff
def show_desk(request: HttpRequest, moderator: Player) -> HttpResponse:
    """Show what waits for the moderators, and what they did last."""
    context = {
        "reports": queries.list_waiting_reports(moderator),
        "appeals": queries.list_waiting_appeals(),
        "closed": queries.list_closed_reports(moderator),
        "acts": queries.list_latest_acts(),
    }
    return render(request, "games/moderation/desk.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@_require_staff
def show_report(request: HttpRequest, moderator: Player, public_id: str) -> HttpResponse:
    """Show a report with all that belongs to it; close it by POST. There is none for whoever is a party to it."""
    report, now = queries.find_report(public_id), timezone.now()
    if report is None or not queries.may_read_case(report, moderator, now):
        raise Http404
    form = NoteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            actions.close_report(report_id=report.pk, by=moderator, note=form.cleaned_data["note"], now=now)
        except ModerationRefused as refused:
            _show_refusal(request, refused)
        else:
            messages.success(request, _("Segnalazione chiusa."), extra_tags="report_closed")
            return redirect("moderation")
    context = {"case": queries.open_case(report, moderator, now), "report": report, "form": form}
    return render(request, "games/moderation/report.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@_require_staff
def show_person(request: HttpRequest, moderator: Player, public_id: str) -> HttpResponse:
    """Show a person's file; warn, mute or suspend them by POST, in the case named in the address or by itself. Nobody
    reads their own."""
    others = Player.objects.select_related("user").exclude(pk=moderator.pk)
    person = get_object_or_404(others, public_id=public_id)
    report = queries.find_report(clean_line(request.GET.get("segnalazione", "")))
    form = JudgeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = {name: form.cleaned_data[name] for name in ("kind", "days", "reason")}
        try:
            if report is None:
                actions.judge_person(player=person, by=moderator, now=timezone.now(), **chosen)
            else:
                actions.judge_report(report_id=report.pk, player=person, by=moderator, now=timezone.now(), **chosen)
        except ModerationRefused as refused:
            _show_refusal(request, refused)
        else:
            messages.success(request, _("Deciso: la persona lo sa, con il perché."), extra_tags="judged")
            return redirect("moderation-person", person.public_id)
    context = {"file": queries.read_file(person, moderator), "person": person, "report": report, "form": form}
    return render(request, "games/moderation/person.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@_require_staff
def show_act(request: HttpRequest, moderator: Player, public_id: str) -> HttpResponse:
    """Show an act with its appeal; answer it by POST."""
    act = get_object_or_404(ModerationAct.objects.select_related("player", "by"), public_id=public_id)
    form = AnswerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        text, lift = form.cleaned_data["text"], form.cleaned_data["lift"]
        try:
            actions.answer_decision(act=act, by=moderator, text=text, lift=lift, now=timezone.now())
        except ModerationRefused as refused:
            _show_refusal(request, refused)
        else:
            messages.success(request, _("Risposta mandata."), extra_tags="answered")
            return redirect("moderation-act", act.public_id)
    return render(request, "games/moderation/act.html", {"act": act, "form": form})


@require_POST
@_require_staff
def lift(request: HttpRequest, moderator: Player, public_id: str) -> HttpResponse:
    """Lift an act."""
    act = get_object_or_404(ModerationAct, public_id=public_id)
    try:
        actions.lift_decision(act=act, by=moderator, reason=request.POST.get("note", ""), now=timezone.now())
    except ModerationRefused as refused:
        _show_refusal(request, refused)
    else:
        messages.success(request, _("Decisione tolta: la persona lo sa, con il perché."), extra_tags="lifted")
    return redirect("moderation-act", act.public_id)


def _show_refusal(request: HttpRequest, refused: ModerationRefused) -> None:
    show_error(request, describe_moderation_refusal(refused.code), refused.code)
