"""The pages of problems: the list with the problems of the day, one problem with its answer, another one.

The solution is on no page before the answer, nor whose match it was. Whoever isn't a member solves for themselves: what
they answered is kept in their session. Who has a card to play that counts is shown no problem (``games.study``).
"""

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import decks, study, wording
from games.rules import RULESETS
from players.converters import PUBLIC_ID
from players.models import Player
from players.selectors import player_for
from players.web.live import PageContext
from records.models import CardProblem
from records.problems import actions, queries
from records.problems.answers import build_answer
from records.problems.plots import build_level_plot
from records.problems.positions import read_position

KEPT = "problems"  # in a visitor's session: what they answered, by public id, the oldest first
MOST_KEPT = 60
SAMPLE_CARDS = ("7d", "3s", "Ac", "Rb", "Cd", "2s", "Fc", "5b")


@never_cache
@require_safe
@decks.name_cards_as_drawn
def list_problems(request: HttpRequest) -> HttpResponse:
    """List the games with today's problem of each, and one's own levels."""
    now, player = timezone.now(), player_for(request.user)
    refusal = _find_refusal(player)
    daily = actions.ensure_daily(now=now) if refusal is None else {}
    member = _find_member(player)
    results = _read_results(request, member, list(daily.values()))
    standings = {} if member is None else queries.read_standings(member, now)
    numbers = queries.count_by_ruleset()
    games = [
        {
            "id": ruleset,
            "name": wording.name_ruleset(ruleset),
            "card": SAMPLE_CARDS[place % len(SAMPLE_CARDS)],
            "number": numbers.get(ruleset, 0),
            "daily": daily.get(ruleset),
            "found": results.get(daily[ruleset].pk) if ruleset in daily else None,
            "standing": standings.get(ruleset),
            "plot": build_level_plot(ruleset, standings[ruleset]) if ruleset in standings else None,
        }
        for place, ruleset in enumerate(RULESETS)
    ]
    finished = request.GET.get("finiti", "")
    context = {
        "finished": wording.name_ruleset(finished) if finished in RULESETS else "",
        "games": games,
        "any": any(numbers.values()),
        "refusal": refusal and wording.describe_study_refusal(refusal),
        "member": member,
    }
    return render(request, "records/problems/index.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@decks.name_cards_as_drawn
def show_problem(request: HttpRequest, ruleset: str, public_id: str) -> HttpResponse:
    """Show a problem, take the answer to it, and show the solution to whoever has given one."""
    player = player_for(request.user)
    problem = queries.find_problem(ruleset, public_id)
    if problem is None or study.find_match_refusal(problem.match) is not None:
        raise Http404
    refusal = _find_refusal(player)
    if refusal is not None:
        context = {"refusal": wording.describe_study_refusal(refusal), "game": wording.name_ruleset(ruleset)}
        return render(request, "records/problems/refused.html", context, status=403)
    member, unclear = _find_member(player), False
    if request.method == "POST":
        try:
            _answer(request, problem, member, request.POST.get("carta", ""))
        except actions.NotAPlay:
            unclear = True
        else:
            return redirect("problem", ruleset, public_id)
    return _render_problem(request, problem, member, unclear=unclear)


@never_cache
@require_safe
def show_another(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Lead to a problem that the reader hasn't answered; ``?dopo=`` is the one they come from."""
    if ruleset not in RULESETS:
        raise Http404
    after = request.GET.get("dopo", "")
    but = [*request.session.get(KEPT, {}), *([after] if re.fullmatch(PUBLIC_ID, after) else [])]
    problem = queries.draw_problem(ruleset, _find_member(player_for(request.user)), but)
    if problem is None:
        return redirect(f"{reverse('problems')}?finiti={ruleset}#{ruleset}")
    return redirect("problem", ruleset, problem.public_id)


def _render_problem(
    request: HttpRequest, problem: CardProblem, member: Player | None, *, unclear: bool
) -> HttpResponse:
    position = read_position(problem)
    if position is None:
        raise Http404
    chosen = _read_chosen(request, problem, member)
    context: PageContext = {
        "problem": problem,
        "position": position,
        "game": wording.name_ruleset(problem.ruleset),
        "unclear": unclear,
        "member": member,
        "daily": queries.is_daily(problem, timezone.now()),
    }
    if chosen is not None:
        problem.refresh_from_db(fields=["tried", "solved", "mu", "sigma"])
        place = f"?posto={problem.seat}&mossa={problem.step}"
        context |= {
            "answer": build_answer(problem, chosen, position.names),
            "replay": reverse("match-replay", args=[problem.match.public_id, problem.deal]) + place,
            "problem_level": queries.show_level(problem.mu, problem.sigma),
            "standing": None if member is None else queries.read_standings(member, timezone.now()).get(problem.ruleset),
        }
    return render(request, "records/problems/problem.html", context)


def _find_refusal(player: Player | None) -> str | None:
    return None if player is None else study.find_refusal(player, timezone.now())


def _find_member(player: Player | None) -> Player | None:
    """Return who has a level in problems: members alone."""
    return player if player is not None and player.kind == Player.Kind.MEMBER else None


def _answer(request: HttpRequest, problem: CardProblem, member: Player | None, chosen: str) -> None:
    """Store the answer, a visitor's in their session. NotAPlay where it is none."""
    if member is not None:
        actions.answer_problem(problem_id=problem.pk, player=member, chosen=chosen, now=timezone.now())
        return
    actions.check_play(problem, chosen)
    kept = request.session.get(KEPT, {})
    kept.setdefault(problem.public_id, chosen)
    request.session[KEPT] = dict(list(kept.items())[-MOST_KEPT:])


def _read_chosen(request: HttpRequest, problem: CardProblem, member: Player | None) -> str | None:
    """Return what the reader has answered; None where they haven't."""
    if member is not None:
        attempt = queries.find_attempt(problem, member)
        return None if attempt is None else attempt.chosen
    chosen = request.session.get(KEPT, {}).get(problem.public_id)
    return chosen if chosen in {play["move"] for play in problem.plays} else None


def _read_results(request: HttpRequest, member: Player | None, problems: list[CardProblem]) -> dict[int, bool]:
    """Return which of these problems the reader has answered, and whether they found the card."""
    if member is not None:
        return queries.find_solved(member, problems)
    kept = request.session.get(KEPT, {})
    return {problem.pk: kept[problem.public_id] == problem.best for problem in problems if problem.public_id in kept}
