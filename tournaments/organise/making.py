"""The one page on which a tournament is made or changed: how it is answered, and what it is summed up as.

Whatever it is answered with has all that was typed: the browser keeps the draft, and the site keeps nothing that nobody
sent off.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from games.forms import FormValues, asks_for_options, read_typed
from tournaments.core.errors import TournamentError
from tournaments.models import Tournament
from tournaments.organise.forms import TournamentForm
from tournaments.organise.presets import PRESETS, Preset, find_preset
from tournaments.organise.summary import Summary, read_summary

PRESET = "modello"  # the preset one begins with
# What is drawn anew with each choice, besides the fields of the match.
DEPENDENT = ("#seats-field", "#posti-fields", "#duration", "#partita-words")


@dataclass(frozen=True, slots=True)
class Making:
    """A tournament or series that is being made or changed: its form, what that begins with, and how it is stored.

    ``save`` stores what the form says and returns the answer. TournamentError: it is refused, and the form says why.
    """

    form: type[TournamentForm]
    save: Callable[[Any, datetime], HttpResponse]
    initial: FormValues
    arguments: FormValues  # the organiser, and what is changed
    tournament: Tournament | None = None  # the one that is changed
    is_new: bool = False  # nothing of it is stored yet

    def build(self, typed: QueryDict) -> Any:
        """Return the form as it was sent, to be checked."""
        return self.form(typed, initial=self.initial, **self.arguments)

    def begin(self, initial: FormValues, *, scripted: bool = False) -> Any:
        """Return a form that begins so, and finds fault with nothing."""
        return self.form(initial=initial, scripted=scripted, **self.arguments)


def answer_form(request: HttpRequest, making: Making) -> HttpResponse:
    """Answer with the page, filled in as it was sent; store what it says where it was sent off and has no fault."""
    if request.method != "POST":
        return _show_form(request, making, making.begin(making.initial))
    typed, now = request.POST, timezone.now()
    preset = find_preset(typed.get(PRESET, ""))
    if preset is not None:
        held = preset.fill(read_typed(making.form, typed), timezone.localtime(now))
        return _show_form(request, making, making.begin(held), preset=preset)
    form = making.build(typed)
    if asks_for_options(typed) or form.leaves_unseen():
        held, scripted = read_typed(making.form, typed), "HX-Request" in request.headers
        return _show_form(request, making, making.begin(held, scripted=scripted), preset=_find_begun(typed), new=True)
    if not form.find_faults(now):
        try:
            return making.save(form, now)
        except TournamentError as error:
            form.refuse(error)
    return _show_form(request, making, form, preset=_find_begun(typed))


def _find_begun(typed: QueryDict) -> Preset | None:
    """Return the preset with which a page that was sent began."""
    return find_preset(typed.get("begun", ""))


def _show_form(
    request: HttpRequest, making: Making, form: Any, *, preset: Preset | None = None, new: bool = False
) -> HttpResponse:
    """Show the page; ``new``: options that its reader hasn't seen yet, so they are unfolded."""
    if making.is_new or form.is_bound:
        form.focus_first()
    folds = form.list_folds()
    context = {
        "form": form,
        "tournament": making.tournament,
        "is_new": making.is_new,
        "presets": PRESETS if making.is_new and "weekday" not in form.fields else (),
        "applied": preset,
        "folds": folds,
        "dependent": ",".join([*DEPENDENT, *(f"#{fold.code}-words" for fold in folds)]),
        "opens_match": form.opens_match() or new,
        "summary": _sum_up(making, form),
    }
    return render(request, "tournaments/organise/form.html", context)


def _sum_up(making: Making, form: Any) -> Summary | None:
    """Return what would be made of a form that is filled in so; None while it can't be."""
    if form.is_bound:
        return read_summary(form) if form.is_valid() else None
    sent = QueryDict(mutable=True)
    for name, value in _list_sent(form):
        sent.appendlist(name, value)
    if not str(sent["name"]).strip():
        sent["name"] = "…"
    filled = making.build(sent)
    return None if filled.find_faults(timezone.now()) else read_summary(filled)


def _list_sent(form: Any) -> Iterator[tuple[str, str]]:
    """Yield name and value of each field, as a browser would send it."""
    for name, about in form.fields.items():
        if form.is_foreign(name):
            continue
        value = form[name].value()
        if isinstance(about, forms.BooleanField):
            if value:
                yield name, "on"
            continue
        written = about.widget.format_value(value)
        for one in written if isinstance(written, list) else [written]:
            yield name, "" if one is None else str(one)
