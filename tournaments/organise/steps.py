"""The three steps of making a tournament: which field is asked in which, what a step carries of the others, and how
one gets from one to the next.

A step's page has the fields of its own and all that was typed in the others, hidden: the browser keeps the draft, so
nothing is lost by going back, by another tab or by an hour's pause, and the site keeps nothing that nobody sent off.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from games.forms import SHOW, FormValues, asks_for_options, read_typed
from tournaments.core.errors import TournamentError
from tournaments.models import Tournament
from tournaments.organise.forms import TournamentForm
from tournaments.organise.presets import PRESETS, Preset, find_preset
from tournaments.organise.step_fields import FIELD_STEP, PLAY_STEP, SUMMARY_STEP
from tournaments.organise.summary import read_summary

AT, TO, PRESET = "passo", "vai", "modello"  # the step one is at, the one one goes to, the preset one begins with


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


def answer_step(request: HttpRequest, making: Making) -> HttpResponse:
    """Answer with the step that one goes to; with the first that has a fault, if one goes on or stores it."""
    if request.method != "POST":
        asked = FIELD_STEP if _read_step(request.GET, AT) == FIELD_STEP else PLAY_STEP
        return _show_step(request, making, making.begin(making.initial), asked)
    typed, now = request.POST, timezone.now()
    at, to = _read_step(typed, AT) or PLAY_STEP, _read_step(typed, TO)
    preset = find_preset(typed.get(PRESET, ""))
    if preset is not None:
        held = preset.fill(read_typed(making.form, typed), timezone.localtime(now))
        return _show_step(request, making, making.begin(held), PLAY_STEP, preset)
    form = making.build(typed)
    if asks_for_options(typed) or (at == PLAY_STEP and form.leaves_unseen()):
        scripted = "HX-Request" in request.headers
        return _show_step(request, making, making.begin(read_typed(making.form, typed), scripted=scripted), PLAY_STEP)
    faulty = None if to is not None and to <= at else form.find_faulty_step(now)
    if to is not None and (faulty is None or faulty >= to):
        held = {name: value for name, value in read_typed(making.form, typed).items() if name != SHOW}
        return _show_step(request, making, form if to == SUMMARY_STEP else making.begin(held), to)
    if faulty is None:
        try:
            return making.save(form, now)
        except TournamentError as error:
            form.refuse(error)
            faulty = form.find_step_of_errors()
    return _show_step(request, making, form, faulty or PLAY_STEP)


def _read_step(typed: QueryDict, name: str) -> int | None:
    value = typed.get(name, "")
    return int(value) if value in ("1", "2", "3") else None


def _show_step(
    request: HttpRequest, making: Making, form: Any, step: int, applied: Preset | None = None
) -> HttpResponse:
    context = {
        "form": form,
        "step": step,
        "hidden": [(AT, str(step)), *_list_hidden(form, step)],
        "tournament": making.tournament,
        "is_new": making.is_new,
        "presets": PRESETS if making.is_new and step == PLAY_STEP and "weekday" not in form.fields else (),
        "applied": applied,  # the preset that has just filled in the steps
        "summary": read_summary(form) if step == SUMMARY_STEP else None,
    }
    return render(request, "tournaments/organise/form.html", context)


def _list_hidden(form: Any, step: int) -> Iterator[tuple[str, str]]:
    """Yield name and value of what the other steps' fields have, as a browser would send it."""
    if step != PLAY_STEP:
        yield "shown", form.memory
    for name, about in form.fields.items():
        if form.find_step(name) == step or form.is_foreign(name):
            continue
        value = form[name].value()
        if isinstance(about, forms.BooleanField):
            if value:
                yield name, "on"
            continue
        written = about.widget.format_value(value)
        for one in written if isinstance(written, list) else [written]:
            yield name, "" if one is None else str(one)
