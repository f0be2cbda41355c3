"""Prizes of shared places that can't be divided (O10): given once, by the tournament's lot or by choice."""

from datetime import datetime
from hashlib import sha256

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from players.models import Player
from tests.support.desk import build_act
from tests.support.html import read_attribute, read_hooks
from tests.support.keys import key_for, send
from tests.support.people import sign_in
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import KO, Opened, catch_code
from tournaments.core.log_details import PrizeDetail, read_detail
from tournaments.core.reads import read_entries
from tournaments.desk.results import Decision, set_result
from tournaments.fees import actions
from tournaments.fees.queries import list_shared, read_shares
from tournaments.fees.shares import Prize
from tournaments.models import Tournament
from tournaments.transfer.loans import take_in_file
from tournaments.transfer.outgoing import make_copy

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O10")]


@pytest.fixture
def shared(opened: Opened, now: datetime) -> Tournament:
    """A KO of four that is over, with two third ex aequo and one ham for the third place."""
    tournament = draw_real(opened, 4, now, KO)
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    actions.set_fees(fee_cents=0, prizes=[Prize(100), Prize(50), Prize(20, "un prosciutto")], **about)  # type: ignore[arg-type]
    for number in (1, 2):
        for fixture in list_round(tournament, number):
            decision, act = Decision(points=(7, 4), winner=0), build_act(tournament.organiser, now)
            set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=act)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    return tournament


def read_third(tournament: Tournament) -> dict[int, tuple[str, ...]]:
    """Return who is third, with what they get that isn't money."""
    rows = read_shares(tournament, read_entries(tournament))
    return {row.entry.entry_id: row.share.what for row in rows if row.share.first == 3}


def find_drawn(tournament: Tournament) -> int:
    """Return who is drawn first of those who are third, reckoned from what is public."""
    third = tournament.entries.filter(rank=3)
    texts = {entry.pk: f"{tournament.lot}/prizes/{entry.seed}" for entry in third}
    return min(texts, key=lambda pk: sha256(texts[pk].encode()).hexdigest())


def test_one_ham_for_two_who_share_the_third_place_goes_to_one_by_the_published_lot(shared: Tournament) -> None:
    third, first = read_third(shared), find_drawn(shared)
    assert sorted(third.values()) == [(), ("un prosciutto",)]
    assert third[first] == ("un prosciutto",)
    rows = [row.share for row in read_shares(shared, read_entries(shared)) if row.share.first == 3]
    assert [share.cents for share in rows] == [10, 10], "the money stays shared"


def test_page_paper_and_api_say_who_was_drawn_and_how_to_draw_again(shared: Tournament) -> None:
    first = find_drawn(shared)
    name = read_entries(shared)[first].name
    (places,) = list_shared(shared, read_shares(shared, read_entries(shared)))
    page = sign_in(shared.organiser).get(reverse("tournament-fees", args=[shared.public_id]))
    paper = Client().get(reverse("tournament-print", args=[shared.public_id, "premi"]))
    for shown in (page, paper):
        assert read_attribute(shown, "data-given") == ["lot"]
        text = shown.content.decode()
        assert all(drawn.text in text and drawn.digest in text for drawn in places.drawn)
        assert name in text
    assert paper.content.decode().count("un prosciutto") == 2, "in the table once, and once where it says how"
    told = Client().get(f"/api/v1/tournaments/{shared.public_id}/prizes/").json()
    thing = {"place": 3, "what": "un prosciutto", "by": "lot", "reason": ""}
    assert {row["entry"]: row["things"] for row in told["shares"] if row["first_place"] == 3} == {
        pk: [thing] if pk == first else [] for pk in read_third(shared)
    }
    assert told["shared"][0]["drawn"][0]["entry"] == first
    assert shared.lot in told["shared"][0]["drawn"][0]["text"]


def test_the_organiser_chooses_with_a_reason_that_stays_in_the_log_and_on_the_list(
    shared: Tournament, anna: Player
) -> None:
    first = find_drawn(shared)
    (other,) = set(read_third(shared)) - {first}
    url = reverse("tournament-fees", args=[shared.public_id])
    client = sign_in(shared.organiser)
    typed = {"premio": "3", "premio-3-entry": str(other), "premio-3-reason": ""}
    refused = client.post(url, typed)
    assert refused.status_code == 200
    (form,) = refused.context["prize_forms"]
    assert set(form.errors) == {"reason"}
    assert form["entry"].value() == str(other), "what was typed stays"
    assert read_third(shared)[first] == ("un prosciutto",)
    assert sign_in(anna).post(url, typed).status_code == 404
    answer = client.post(url, {**typed, "premio-3-reason": "Ada è vegetariana"}, follow=True)
    assert read_hooks(answer, "notice") == ["prize_given"]
    assert read_third(shared) == {first: (), other: ("un prosciutto",)}
    paper = Client().get(reverse("tournament-print", args=[shared.public_id, "premi"]))
    assert read_attribute(paper, "data-given") == ["choice"]
    assert "Ada è vegetariana" in paper.content.decode()
    logged = shared.log.get(code="prize_given")
    assert read_detail(logged, PrizeDetail) == PrizeDetail(
        place=3, what="un prosciutto", reason="Ada è vegetariana", entry=other
    )
    diary = Client().get(reverse("tournament", args=[shared.public_id])).content.decode()
    assert "Ada è vegetariana" in diary
    answer = client.post(url, {**typed, "premio-3-entry": "", "premio-3-reason": "Ci ho ripensato"}, follow=True)
    assert read_third(shared)[first] == ("un prosciutto",)
    assert shared.log.filter(code="prize_given").count() == 2


def test_only_what_is_shared_and_only_among_those_who_share_it_can_be_chosen(shared: Tournament, now: datetime) -> None:
    about = {"tournament_id": shared.pk, "by": shared.organiser, "reason": "Perché sì", "now": now}
    third = next(iter(read_third(shared)))
    winner = shared.entries.get(rank=1).pk
    assert catch_code(actions.give_prize, place=1, entry_id=winner, **about) == "prize_not_shared"
    assert catch_code(actions.give_prize, place=9, entry_id=winner, **about) == "prize_not_shared"
    assert catch_code(actions.give_prize, place=3, entry_id=winner, **about) == "prize_not_among"
    assert catch_code(actions.give_prize, place=3, entry_id=third, **{**about, "reason": " "}) == "reason_missing"
    shared.state = Tournament.State.RUNNING
    shared.save(update_fields=["state"])
    assert catch_code(actions.give_prize, place=3, entry_id=third, **about) == "prizes_not_final"
    assert not shared.log.filter(code="prize_given").exists()


@pytest.mark.rule("O10", "O9")
def test_what_was_drawn_and_chosen_is_the_same_where_the_tournament_is_taken(
    shared: Tournament, referee: Player, now: datetime
) -> None:
    first = find_drawn(shared)
    (other,) = set(read_third(shared)) - {first}
    names = {pk: entry.name for pk, entry in read_entries(shared).items()}

    def take() -> dict[str, tuple[str, ...]]:
        """Take it to another site, and return who is third there."""
        shared.refresh_from_db()
        data = make_copy(shared, now)
        with override_settings(SECRET_KEY="another site's"):
            taken = take_in_file(data=data, by=referee, now=now)
        return {read_entries(taken)[pk].name: what for pk, what in read_third(taken).items()}

    assert take() == {names[first]: ("un prosciutto",), names[other]: ()}
    about = {"tournament_id": shared.pk, "by": shared.organiser, "now": now}
    actions.give_prize(place=3, entry_id=other, reason="D'accordo", **about)  # type: ignore[arg-type]
    assert take() == {names[first]: (), names[other]: ("un prosciutto",)}


@pytest.mark.rule("O10", "AP7")
def test_programs_choose_and_leave_it_to_the_lot_again(shared: Tournament) -> None:
    key = key_for(shared)
    first = find_drawn(shared)
    (other,) = set(read_third(shared)) - {first}
    url = f"/api/v1/tournaments/{shared.public_id}/prizes/give/"
    body = {"place": 3, "entry": other, "reason": "D'accordo fra loro"}
    given = send(key, url, body).json()
    things = [thing for row in given["shares"] for thing in row["things"]]
    assert things == [{"place": 3, "what": "un prosciutto", "by": "choice", "reason": "D'accordo fra loro"}]
    assert send(key, url, {**body, "entry": None}).status_code == 200
    assert read_third(shared)[first] == ("un prosciutto",)
    log = Client().get(f"/api/v1/tournaments/{shared.public_id}/log/").json()["results"]
    acts = [(row["reason"], row["entries"]) for row in log if row["code"] == "prize_given"]
    assert acts == [("D'accordo fra loro", []), ("D'accordo fra loro", [other])]
