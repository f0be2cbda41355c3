"""The pages of the lessons: the list, a page a step, and what comes of the learner's cards.

A step's page says what to do without a script, too, and questions are answered there; the cards need one. How far a
browser has come is kept in a cookie of its own: no account, nothing stored.
"""

from collections.abc import Mapping
from datetime import timedelta

from allauth.core import ratelimit
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import decks, wording
from games.engine.game import IllegalMove
from games.engine.match import Progress
from games.engine.record import RecordError
from games.lessons import tutor
from games.lessons.catalogue import LESSONS
from games.lessons.steps import Lesson, Question, WholeDeal
from games.views import build_script, list_client_words
from players import caps
from players.web.requests import read_number
from players.wording import describe_throttling

SCRIPT = "js/lesson/main.js"
MODULES = (
    "aim", "calls", "cards", "choose", "chronicle", "count", "dom", "drag", "ghosts", "keys", "motion", "picks", "room",
    "scene", "steps", "taps", "words",
)  # fmt: skip
LIMIT = {"lesson_step": caps.LESSON_STEP_RATE}
MAX_MOVES = 60  # of a learner in one step
COOKIE = "lessons"  # "scopa.7-tresette.2": the steps done, one after the other
COOKIE_SECONDS = 365 * 24 * 3600


@never_cache
@require_safe
def list_lessons(request: HttpRequest) -> HttpResponse:
    """List the games, with how far this browser has come in each."""
    done = read_done(request)
    lessons = [
        {
            "id": lesson.ruleset,
            "name": wording.name_ruleset(lesson.ruleset),
            "what": wording.describe_ruleset(lesson.ruleset),
            "card": lesson.card,
            "steps": len(lesson.steps),
            "done": min(done.get(lesson.ruleset, 0), len(lesson.steps)),
        }
        for lesson in LESSONS.values()
    ]
    return render(request, "games/lessons/index.html", {"lessons": lessons})


@never_cache
@require_safe
def go_on(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Lead to the first step of a lesson that this browser hasn't done; to the first of all once all are."""
    lesson = _find_lesson(ruleset)
    done = read_done(request).get(ruleset, 0)
    return redirect("lesson-step", ruleset, done + 1 if done < len(lesson.steps) else 1)


@never_cache
@require_safe
@decks.name_cards_as_drawn
def show_step(request: HttpRequest, ruleset: str, number: int) -> HttpResponse:
    """Show a step, and what is to be said to an answer: ``?risposta=1``. 404 where there is no such step."""
    lesson = _find_lesson(ruleset)
    if not 1 <= number <= len(lesson.steps):
        raise Http404
    step = lesson.steps[number - 1]
    begun = tutor.begin(lesson, step)
    chosen = read_number(request.GET.get("risposta", ""), None, digits=1) if isinstance(step, Question) else None
    answers = step.answers if isinstance(step, Question) else ()
    reply = answers[chosen] if chosen is not None and chosen < len(answers) else None
    right = reply is not None and isinstance(step, Question) and chosen == step.right
    response = render(
        request,
        "games/lessons/step.html",
        {
            "lesson": lesson,
            "game": wording.name_ruleset(ruleset),
            "hands": len(lesson.names),
            "number": number,
            "steps": len(lesson.steps),
            "step": step,
            "answers": answers,
            "chosen": chosen,
            "said": reply and reply[1],
            "right": right,
            "turn": describe_turn(begun.turn) if isinstance(step, WholeDeal) else "",
            "is_last": number == len(lesson.steps),
            **build_script(SCRIPT, MODULES),
            "client": {
                "words": list_client_words(),
                **decks.build_script_data(request.user),
                "frames": begun.frames,
                "acts": not isinstance(step, Question),
                "hint": tutor.suggest(lesson, step, begun.turn),
                "fewest": begun.turn.terms.fewest_wins,
                "again": _("Non è arrivata risposta: riprova."),
            },
        },
    )
    if right:
        _note_done(request, response, ruleset, number)
    return response


@never_cache
@require_safe
@decks.name_cards_as_drawn
def answer_step(request: HttpRequest, ruleset: str, number: int) -> HttpResponse:
    """Answer the learner's moves so far, ``?mosse=play+7c&mosse=…``, with the frames since and what is said to it."""
    if ratelimit.consume_or_429(request, action="lesson_step", config=LIMIT, limit_get=True):
        words = describe_throttling(timedelta(minutes=1))
        return JsonResponse({"code": "throttled", "said": words}, status=429, headers={"Retry-After": "60"})
    lesson = _find_lesson(ruleset)
    moves = request.GET.getlist("mosse")
    if not 1 <= number <= len(lesson.steps) or not 1 <= len(moves) <= MAX_MOVES:
        raise Http404
    step = lesson.steps[number - 1]
    if isinstance(step, Question):
        raise Http404
    try:
        reply = tutor.answer(lesson, step, moves)
    except (IllegalMove, RecordError) as error:
        reason = wording.ILLEGAL_MOVES.get(error.code, wording.ILLEGAL_MOVE)
        return JsonResponse({"code": error.code, "said": str(reason)}, status=400)
    if isinstance(step, WholeDeal):
        comment = str(step.well) if reply.over else describe_turn(reply.turn)
    else:
        comment = str(step.well if reply.right else step.wrong)
    response = JsonResponse(
        {
            "frames": reply.frames,
            "right": reply.right,
            "over": reply.over,
            "said": comment,
            "hint": tutor.suggest(lesson, step, reply.turn) if isinstance(step, WholeDeal) else [],
        }
    )
    if reply.over and reply.right:
        _note_done(request, response, ruleset, number)
    return response


def describe_turn(progress: Progress) -> str:
    """Say what the learner has to do now in a whole deal."""
    code, suit = tutor.read_turn(progress)
    name = str(wording.SUIT_NAMES[suit]) if suit >= 0 else ""
    words = {
        "over": "",
        "take": _("Tocca a te, e puoi prendere: prima le carte dello stesso valore, poi le somme."),
        "put_down": _("Tocca a te. Non puoi prendere niente: metti giù una carta che serva poco a chi gioca dopo."),
        "lead": _("Tocca a te, e sei di mano: giochi per primo, la carta che vuoi."),
        "answer": _(
            "Tocca a te, e puoi giocare qualunque carta. Prendi con una più alta dello stesso seme o con una "
            "briscola, che qui è %(suit)s."
        ),
        "follow": _("Tocca a te. Il primo ha giocato %(suit)s: devi rispondere."),
        "discard": _(
            "Tocca a te. Il primo ha giocato %(suit)s e tu non ne hai: va bene qualunque carta, ma non prende."
        ),
    }
    return words[code] % {"suit": name}


def read_done(request: HttpRequest) -> Mapping[str, int]:
    """Return how many steps of each lesson this browser has done; what can't be read is none."""
    done = {}
    for part in request.COOKIES.get(COOKIE, "")[:400].split("-"):
        name, _dot, number = part.rpartition(".")
        ruleset = name.replace("_", "-")
        if ruleset in LESSONS:
            done[ruleset] = read_number(number, 0, digits=2)
    return done


def _note_done(request: HttpRequest, response: HttpResponse, ruleset: str, number: int) -> None:
    """Keep that a step was done; the steps before it count too."""
    done = {**read_done(request)}
    done[ruleset] = max(number, done.get(ruleset, 0))
    response.set_cookie(
        COOKIE,
        "-".join(f"{name.replace('-', '_')}.{count}" for name, count in done.items()),
        max_age=COOKIE_SECONDS,
        path=reverse("lessons"),
        httponly=True,
        secure=bool(settings.SESSION_COOKIE_SECURE),
        samesite="Lax",
    )


def _find_lesson(ruleset: str) -> Lesson:
    if ruleset not in LESSONS:
        raise Http404
    return LESSONS[ruleset]
