"""The pages of problems (HP7): nothing of the solution before the answer, and no problem for whoever has a card to
play."""

import json
import re
from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from games import replays, selectors
from games.engine.cards import NAMES, list_cards
from games.models import Match, Move
from players.models import Player
from records.models import Attempt, CardProblem
from records.problems import actions, mining
from records.problems.search import read_sight
from tests.support.html import read_attribute, read_hooks, read_ways
from tests.support.people import sign_in
from tests.support.problems import FinishedMatch
from tests.support.tables import opened

pytestmark = [pytest.mark.django_db, pytest.mark.rule("HP7")]

DRAWN = re.compile(r"#(?:f-)?([A2-7FCR][dcbs])\b")


def find_address(problem: CardProblem) -> str:
    return reverse("problem", args=[problem.ruleset, problem.public_id])


def read(client: Client, problem: CardProblem) -> str:
    answer = client.get(find_address(problem))
    assert answer.status_code == 200
    return answer.content.decode()


def mine(finished: FinishedMatch, now: datetime) -> CardProblem:
    finished()
    mining.mine(now=now, seconds=600, most=10)
    return CardProblem.objects.get()


def test_before_the_answer_the_page_draws_what_the_seat_sees_and_nothing_else(
    finished: FinishedMatch, now: datetime
) -> None:
    problem = mine(finished, now)
    replayed = replays.replay_deal(selectors.build_record(problem.match), problem.deal)
    assert replayed is not None
    view, _memory = read_sight(replayed, problem.step, problem.seat)
    seen = {NAMES[card] for card in view.hands[problem.seat].cards} | {NAMES[card.card] for card in view.table}
    hidden = {NAMES[card] for card in list_cards(replayed.steps[problem.step].state.hands[1 - problem.seat])}
    page = read(Client(), problem)
    assert set(DRAWN.findall(page)) == seen
    assert hidden.isdisjoint(DRAWN.findall(page))
    for secret in (problem.match.public_id, "Anna", "Bruno", "Finale"):
        assert secret not in page
    assert read_hooks(page, "right") == []
    assert "points" not in page
    offered = [value for value in read_attribute(page, "value", "input") if value.startswith("play ")]
    assert offered == ["play 3d x 3s", "play 5b"], "by the cards, not by their worth"


def test_the_page_is_the_same_whatever_was_played_later(finished: FinishedMatch, now: datetime) -> None:
    problem = mine(finished, now)
    before = _drop_tokens(read(Client(), problem))
    later = Move.objects.filter(match=problem.match).order_by("version").values_list("pk", flat=True)[problem.step :]
    Move.objects.filter(pk__in=list(later)).delete()
    assert _drop_tokens(read(Client(), problem)) == before


def _drop_tokens(page: str) -> str:
    page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"|nonce="[^"]*"|"nonce": "[^"]*"', "", page)
    return re.sub(r'<meta name="server-time"[^>]*>', "", page)


def test_a_visitor_answers_without_a_level_and_sees_why(problem: CardProblem) -> None:
    client = Client()
    answer = client.post(find_address(problem), {"carta": problem.plays[-1]["move"]})
    assert answer.status_code == 302
    page = read(client, problem)
    assert read_hooks(page, "right") == ["false"]
    assert read_hooks(page, "move") == [str(number) for number in range(1, len(problem.plays) + 1)]
    assert reverse("match-replay", args=[problem.match.public_id, 1]) in {
        way.partition("?")[0] for way in read_ways(page)
    }
    assert read_hooks(page, "level") == []
    assert not Attempt.objects.exists()
    client.post(find_address(problem), {"carta": problem.best})
    assert read_hooks(read(client, problem), "right") == ["false"], "the first answer stands"
    assert read_hooks(read(Client(), problem), "right") == []


def test_a_member_gets_a_level(problem: CardProblem, carla: Player) -> None:
    client = sign_in(carla)
    client.post(find_address(problem), {"carta": problem.best})
    page = read(client, problem)
    assert read_hooks(page, "right") == ["true"]
    assert read_hooks(page, "level") == [str(actions.ProblemLevel.objects.count() and _shown_level(carla))]
    index = client.get(reverse("problems")).content.decode()
    assert read_hooks(index, "level") == [_shown_level(carla)]
    assert "daily-found" in read_hooks(index, "note")


def _shown_level(player: Player) -> str:
    from django.utils import timezone

    from records.problems.queries import read_standings

    return str(read_standings(player, timezone.now())["scopa"].level)


def test_a_guest_is_a_visitor_here(problem: CardProblem, anna: Player) -> None:
    Player.objects.filter(pk=anna.pk).update(kind=Player.Kind.GUEST)
    client = sign_in(Player.objects.get(pk=anna.pk))
    client.post(find_address(problem), {"carta": problem.best})
    assert read_hooks(read(client, problem), "right") == ["true"]
    assert not Attempt.objects.exists()


def test_no_card_is_no_answer(problem: CardProblem, carla: Player) -> None:
    for client in (Client(), sign_in(carla)):
        for junk in ({}, {"carta": ""}, {"carta": "a\x00b"}, {"carta": "x" * 5000}):
            answer = client.post(find_address(problem), junk)
            assert answer.status_code == 200
            assert "choose-a-card" in read_hooks(answer, "note")


def test_who_sits_at_a_table_is_shown_no_problem(
    problem: CardProblem, carla: Player, dino: Player, now: datetime
) -> None:
    opened([carla, dino], now)
    client = sign_in(carla)
    for answer in (client.get(find_address(problem)), client.post(find_address(problem), {"carta": problem.best})):
        assert answer.status_code == 403
        assert "study-refused" in read_hooks(answer, "note")
        assert DRAWN.findall(answer.content.decode()) == []
    index = client.get(reverse("problems"))
    assert "study-refused" in read_hooks(index, "note")
    assert find_address(problem) not in read_ways(index)
    assert not Attempt.objects.exists()


def test_a_problem_of_a_match_that_is_hidden_again_is_nowhere(problem: CardProblem) -> None:
    Match.objects.filter(pk=problem.match_id).update(withheld=True)
    assert Client().get(find_address(problem)).status_code == 404


def test_a_problem_stands_under_its_own_game_alone(problem: CardProblem) -> None:
    assert Client().get(reverse("problem", args=["briscola", problem.public_id])).status_code == 404
    assert Client().get(reverse("problem", args=["scopa", "nothere"])).status_code == 404


@pytest.mark.both_databases
def test_another_problem_takes_any_junk_for_the_one_before(problem: CardProblem) -> None:
    way = reverse("problem-another", args=["scopa"])
    for after in ("", "%00", "a%00b", "%ed%a0%80", "x" * 500, "'%22", "../.."):
        assert Client().get(f"{way}?dopo={after}").headers["Location"] == find_address(problem), after
    assert Client().get(f"{way}?dopo={problem.public_id}").headers["Location"].startswith(f"{reverse('problems')}?")


def test_whoever_has_had_them_all_is_told_so(problem: CardProblem, carla: Player) -> None:
    client = sign_in(carla)
    client.post(find_address(problem), {"carta": problem.best})
    answer = client.get(reverse("problem-another", args=["scopa"]), follow=True)
    assert "problems-finished" in read_hooks(answer, "note")
    assert "problems-finished" not in read_hooks(client.get("/problemi/?finiti=a%00b"), "note")
    assert client.get(reverse("problem-another", args=["nonesuch"])).status_code == 404


def test_a_site_without_problems_says_so() -> None:
    answer = Client().get(reverse("problems"))
    assert answer.status_code == 200
    assert "no-problems" in read_hooks(answer, "note")


def test_the_pages_speak_english_too(problem: CardProblem) -> None:
    client = Client(headers={"accept-language": "en"})
    assert "Which card do you play?" in client.get(reverse("problems")).content.decode()
    client.post(find_address(problem), {"carta": problem.best})
    assert "South" in read(client, problem)


def test_nothing_of_the_solution_is_kept_in_a_visitors_session_before_the_answer(problem: CardProblem) -> None:
    client = Client()
    read(client, problem)
    assert problem.best not in json.dumps(dict(client.session.items()))
