"""Prepared decks of real tables (J5, J9): one named person who doesn't play, logged in public, and nobody else before
the round is over; results deal by deal, the confronto and the reveal after it."""

import hashlib
import re
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from games.engine import shuffling
from games.engine.cards import NAMES
from games.models import Commitment
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.equal import EQUAL, EQUAL_DANESE, add, promise
from tests.support.html import read_attribute, read_hooks
from tests.support.keys import by_key, make_key
from tests.support.people import create_person, give_address, sign_in
from tests.support.real_tables import (
    draw_present,
    draw_real,
    enter_deals,
    list_round,
    open_real,
    publish_next,
    type_names,
)
from tests.support.routes import read_api_document
from tests.support.tournaments import Opened, catch_code
from tournaments.desk import results
from tournaments.desk.act import Act
from tournaments.desk.results import Decision
from tournaments.entries import checkin, join
from tournaments.equal import nonces, prepared_decks, secrets
from tournaments.hall.phone_results import TypedResult, type_result
from tournaments.hall.slip_codes import compute_code_digest, print_slips
from tournaments.models import LogEntry, NameClaim, Referee, Round, ScoreSlip, Tournament
from tournaments.organise import lifecycle
from tournaments.own_names import claims
from tournaments.rounds import drafts
from tournaments.venues import HALL

pytestmark = pytest.mark.django_db
GIRONE = replace(EQUAL, ruleset="tresette", tie_break="percentuale")


def make_address(tournament: Tournament, number: int = 1) -> str:
    return reverse("prepared-decks", args=[tournament.public_id, number])


def read_cards(answer: Any) -> list[str]:
    return read_attribute(answer.content.decode(), "data-card")


def open_them(tournament: Tournament, by: Player, now: datetime, number: int = 1) -> None:
    prepared_decks.open_decks(tournament_id=tournament.pk, number=number, by=by, now=now)


@arrange_once
def hall(opened: Opened, now: datetime) -> Tournament:
    """A girone at real tables with equal deals: its first round of two tables is published."""
    return draw_real(opened, 4, now, GIRONE)


@pytest.mark.rule("J9", "O1")
def test_a_tournament_at_real_tables_may_have_equal_deals_but_not_two_tables_a_fixture(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = open_real(opened, GIRONE, max_entries=4)
    assert [row.scope for row in secrets.list_commitments(tournament)] == [
        f"{tournament.public_id}/{number}" for number in (1, 2, 3)
    ]
    settings = replace(GIRONE, venue=HALL, team_size=4, team_tables=2, publishes_rounds=True)
    code = catch_code(lifecycle.create_tournament, organiser=organiser, settings=settings, now=now)
    assert code == "equal_deals_two_tables"


@pytest.mark.rule("J5", "J9")
def test_who_opens_the_decks_is_in_the_log_and_on_the_page_and_sees_the_decks_of_the_scheme(
    hall: Tournament, organisers: Client, organiser: Player
) -> None:
    page = make_address(hall)
    before = organisers.get(page)
    assert read_cards(before) == []
    assert "open_decks" in read_hooks(before.content.decode(), "action")
    assert not LogEntry.objects.filter(tournament=hall, code="decks_prepared").exists(), "reading opens nothing"
    shown = organisers.post(page, follow=True)
    commitment = Commitment.objects.get(scope=f"{hall.public_id}/1")
    decks = prepared_decks.shuffles.list_decks(commitment, 2)
    assert read_cards(shown) == [NAMES[card] for deck in decks for card in deck]
    assert all(sorted(deck) == list(range(40)) for deck in decks)
    assert decks[0] != decks[1]
    organisers.post(page)
    assert read_cards(organisers.get(page)) == read_cards(shown)
    (logged,) = LogEntry.objects.filter(tournament=hall, code="decks_prepared")
    assert (logged.player, logged.detail["round"]) == (organiser, ["round", 1])
    public = Client().get(reverse("equal-deals", args=[hall.public_id])).content.decode()
    assert read_attribute(public, "data-preparer") == [organiser.name]
    assert [row["round"] for row in _read_log(hall) if row["code"] == "decks_prepared"] == [1]
    assert "aperti i mazzi" in Client().get(reverse("tournament", args=[hall.public_id])).content.decode()


def _read_log(tournament: Tournament) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = Client().get(f"/api/v1/tournaments/{tournament.public_id}/log/").json()["results"]
    return rows


@pytest.mark.rule("J5")
def test_no_cache_keeps_the_page_and_no_repr_shows_a_card(hall: Tournament, organisers: Client) -> None:
    for answer in (organisers.get(make_address(hall)), organisers.post(make_address(hall), follow=True)):
        assert "no-store" in answer.headers["Cache-Control"]
    round_ = Round.objects.get(tournament=hall, number=1)
    made = prepared_decks.read_decks(hall, round_)
    assert made is not None
    assert "cards" not in repr(made)


@pytest.mark.rule("J5", "F1")
def test_everybody_else_finds_no_page_and_no_card(
    hall: Tournament, organisers: Client, anna: Player, now: datetime
) -> None:
    organisers.post(make_address(hall))
    readers = [Client(), sign_in(anna), by_key(make_key(anna)), by_key(make_key(hall.organiser))]
    for reader in readers:
        for number in (1, 2, 9):
            assert reader.get(make_address(hall, number)).status_code == 404
            assert reader.post(make_address(hall, number)).status_code == 404
    assert LogEntry.objects.filter(tournament=hall, code="decks_prepared").count() == 1
    assert "mazzi" not in str(read_api_document())


@pytest.mark.rule("J5", "F1")
@pytest.mark.parametrize("how", ["entered", "claims", "asks"])
def test_a_player_who_is_staff_is_refused_however_they_are_known(
    opened: Opened, anna: Player, now: datetime, how: str
) -> None:
    tournament = open_real(opened, GIRONE, max_entries=4, seeding="organiser")
    Referee.objects.create(tournament=tournament, player=anna)
    if how == "entered":
        join.enter_player(tournament_id=tournament.pk, player=anna, now=now)
    (entry, *_others) = type_names(tournament, ["Ada", "Bice", "Ciro"], now)
    if how != "entered":
        state = NameClaim.State.ACCEPTED if how == "claims" else NameClaim.State.WAITING
        person = entry.members.get().person
        NameClaim.objects.create(tournament=tournament, player=anna, person=person, state=state, asked_at=now)
    draw_present(tournament, now)
    answer = sign_in(anna).get(make_address(tournament))
    assert (answer.status_code, read_cards(answer)) == (403, [])
    assert "decks_of_player" in read_hooks(answer.content.decode(), "note")
    sign_in(anna).post(make_address(tournament))
    assert catch_code(prepared_decks.open_decks, tournament_id=tournament.pk, number=1, by=anna, now=now) == (
        "decks_of_player"
    )
    assert not LogEntry.objects.filter(tournament=tournament, code="decks_prepared").exists()


@pytest.mark.rule("J5")
def test_who_saw_the_decks_and_plays_after_all_sees_them_no_more(hall: Tournament, anna: Player, now: datetime) -> None:
    Referee.objects.create(tournament=hall, player=anna)
    open_them(hall, anna, now)
    assert len(read_cards(sign_in(anna).get(make_address(hall)))) == 80
    person = hall.members.order_by("pk").first()
    assert person is not None
    about = {"tournament": hall, "player": anna, "person": person.person, "asked_at": now}
    NameClaim.objects.create(state=NameClaim.State.WAITING, **about)
    assert read_cards(sign_in(anna).get(make_address(hall))) == []


@pytest.mark.rule("J5", "O2")
def test_who_saw_the_decks_is_nobody_who_plays(hall: Tournament, anna: Player, now: datetime) -> None:
    give_address(anna)
    Referee.objects.create(tournament=hall, player=anna)
    person = hall.members.order_by("pk").first()
    assert person is not None
    asks = {"tournament_id": hall.pk, "player": anna, "person_id": person.person_id, "now": now}
    claim = claims.claim_name(**asks)
    yes = {"tournament_id": hall.pk, "by": hall.organiser, "claim_id": claim.pk, "yes": True, "reason": "", "now": now}
    NameClaim.objects.update(state=NameClaim.State.REFUSED)  # now they may open the decks, which a yes would give them
    open_them(hall, anna, now)
    assert catch_code(claims.answer_claim, **yes) == "claim_of_preparer"
    claim.delete()
    assert catch_code(claims.claim_name, **asks) == "claim_of_preparer"
    assert "claim_of_preparer" in read_hooks(
        sign_in(anna).get(reverse("tournament-claim", args=[hall.public_id])).content.decode(), "note"
    )
    assert not NameClaim.objects.exists()


@pytest.mark.rule("J5")
def test_two_who_open_them_are_both_named(hall: Tournament, organisers: Client, now: datetime) -> None:
    helper = create_person("Zeno", now)
    Referee.objects.create(tournament=hall, player=helper)
    organisers.post(make_address(hall))
    assert read_cards(sign_in(helper).get(make_address(hall))) == [], "another's act opens nothing for them"
    sign_in(helper).post(make_address(hall))
    assert len(read_cards(sign_in(helper).get(make_address(hall)))) == 80
    public = Client().get(reverse("equal-deals", args=[hall.public_id])).content.decode()
    assert read_attribute(public, "data-preparer") == [hall.organiser.name, "Zeno"]


@pytest.mark.rule("J5", "D4")
def test_decks_are_opened_no_earlier_than_their_round(hall: Tournament, organisers: Client, now: datetime) -> None:
    answer = organisers.get(make_address(hall, 2))
    assert (answer.status_code, read_cards(answer)) == (403, [])
    assert "decks_closed" in read_hooks(answer.content.decode(), "note")
    organisers.post(make_address(hall, 2))
    assert read_cards(organisers.get(make_address(hall, 2))) == []
    assert catch_code(prepared_decks.open_decks, tournament_id=hall.pk, number=2, by=hall.organiser, now=now) == (
        "decks_closed"
    )


@pytest.mark.rule("J9", "J10", "J12")
def test_deals_are_typed_compared_and_shown_with_the_secret_when_the_round_is_over(
    hall: Tournament, organisers: Client, now: datetime
) -> None:
    open_them(hall, hall.organiser, now)
    first, second = list_round(hall, 1)
    enter_deals(hall, first, ((7, 4), (6, 5)), now)
    commitment = Commitment.objects.get(scope=f"{hall.public_id}/1")
    assert commitment.secret == ""
    tournament_page = Client().get(reverse("tournament", args=[hall.public_id])).content.decode()
    assert not re.search(r"13\s*[–-]\s*9", tournament_page), "withheld while a table plays"
    assert Client().get(f"/api/v1/tournaments/{hall.public_id}/travellers/1/").json()["code"] == "withheld"
    enter_deals(hall, second, ((5, 6), (8, 3)), now)
    commitment.refresh_from_db()
    assert commitment.reason == Commitment.Reason.PLAYED
    secret = bytes.fromhex(commitment.secret)
    committed = b"\0".join((b"smazzata-1", b"commit", commitment.scope.encode(), secret))
    assert hashlib.sha256(committed).hexdigest() == commitment.digest
    shown = Client().get(make_address(hall))
    decks = [shuffling.shuffle_deck(secret, commitment.scope, commitment.nonces, number) for number in (0, 1)]
    assert read_cards(shown) == [NAMES[card] for deck in decks for card in deck], "anybody checks"
    assert read_attribute(shown.content.decode(), "data-secret") == [commitment.secret]
    given = shown.context["deck_check"]
    assert [deal["deck"].split() for deal in given["deals"]] == [[NAMES[card] for card in deck] for deck in decks]
    assert given["shuffle"] == {
        "scheme": "smazzata-1",
        "scope": commitment.scope,
        "commitment": commitment.digest,
        "nonces": commitment.nonces,
        "secret": commitment.secret,
        "dealer": "given",
    }
    told = Client().get(f"/api/v1/tournaments/{hall.public_id}/travellers/1/").json()
    assert [[row["won"] for row in deal["tables"]] for deal in told["deals"]] == [[[2, 0], [0, 2]], [[2, 0], [0, 2]]]
    assert [table["rounded"] for table in told["tables"]] == [["50.00", "50.00"], ["50.00", "50.00"]]


@pytest.mark.rule("J10", "O4")
def test_a_result_without_its_deals_is_refused_in_quick_entry(
    hall: Tournament, organisers: Client, now: datetime
) -> None:
    first, second = list_round(hall, 1)
    page = reverse("tournament-results", args=[hall.public_id])
    sent = {"fixture": first.pk, "points_0": "13", "points_1": "9", "how": "", "stamp": ""}
    refused = organisers.post(page, sent | {"part": "1"})
    assert refused.status_code == 422
    first.refresh_from_db()
    assert first.result_at is None
    entered = organisers.post(page, sent | {"points_0": "7+6", "points_1": "4+5", "part": "1"})
    assert entered.status_code == 200
    first.with_results().refresh_from_db()
    assert first.deal_points == [[7, 4], [6, 5]]
    assert first.points_0 == 13
    forfeit = {**sent, "fixture": second.pk, "points_0": "", "points_1": "", "how": "0:forfeit", "part": "1"}
    assert organisers.post(page, forfeit).status_code == 200, "a forfeit has no deals"


@pytest.mark.rule("J10", "O4")
@pytest.mark.parametrize(("others", "called"), [(((7, 4), (6, 5)), ""), (((6, 5), (7, 4)), "different")])
def test_two_telephones_agree_if_each_of_their_deals_does(
    hall: Tournament, now: datetime, others: tuple[tuple[int, int], ...], called: str
) -> None:
    first, _second = list_round(hall, 1)
    printed = print_slips(tournament_id=hall.pk, by=hall.organiser, now=now)
    codes = next(one.codes for one in printed if one.fixture.pk == first.pk)
    own, other = ({"tournament_id": hall.pk, "digest": compute_code_digest(hall, code), "now": now} for code in codes)
    total = TypedResult((), Decision(points=(13, 9), winner=0))
    assert catch_code(type_result, typed=total, **own) == "deals_needed"
    for side, deals in ((own, ((7, 4), (6, 5))), (other, others)):
        type_result(typed=TypedResult((), Decision(points=(13, 9), winner=0, deals=deals)), **side)
    first.with_results().refresh_from_db()
    assert first.deal_points == (None if called else [[7, 4], [6, 5]])
    assert ScoreSlip.objects.get(fixture=first).called == called


@pytest.mark.rule("J9")
def test_what_is_played_anew_has_other_cards_and_is_not_compared(hall: Tournament, now: datetime) -> None:
    first, _second = list_round(hall, 1)
    enter_deals(hall, first, ((7, 4), (6, 5)), now)
    about = {"tournament_id": hall.pk, "fixture_id": first.pk}
    results.order_replay(act=Act(hall.organiser, "mazzo sbagliato", now), **about)
    first.refresh_from_db()
    assert (first.own_cards, first.deal_points) == (True, None)
    enter_deals(hall, first, ((7, 4), (6, 5)), now)
    first.with_results().refresh_from_db()
    assert first.deal_points is None


@pytest.mark.rule("J10", "F2")
def test_a_correction_without_deals_takes_those_of_before_away(hall: Tournament, now: datetime) -> None:
    first, _second = list_round(hall, 1)
    enter_deals(hall, first, ((7, 4), (6, 5)), now)
    about = {"tournament_id": hall.pk, "fixture_id": first.pk, "act": Act(hall.organiser, "letto male", now)}
    results.set_result(decision=Decision(points=(12, 10), winner=0), **about)
    first.with_results().refresh_from_db()
    assert first.deal_points is None


@pytest.mark.rule("J2", "J9", "O1")
def test_browsers_of_who_is_present_with_an_account_add_numbers_the_others_none(
    opened: Opened, anna: Player, now: datetime, settings: LazySettings
) -> None:
    tournament = open_real(opened, GIRONE, max_entries=4, seeding="organiser")
    join.enter_player(tournament_id=tournament.pk, player=anna, now=now)
    type_names(tournament, ["Ada", "Bice", "Ciro"], now)
    digest = hashlib.sha256(bytes.fromhex("a1" * 16)).hexdigest()
    about = {"tournament_id": tournament.pk, "player": anna, "digest": digest, "now": now}
    assert catch_code(nonces.add_hash, **about) == "nonces_over"
    checkin.check_in_everybody(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    promise(tournament, anna, "a1" * 16, now)
    settings.MIXING_SECONDS = 5
    drafts.draw_round(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    add(tournament, anna, "a1" * 16, now)
    publish_next(tournament, now)
    assert Commitment.objects.get(scope=f"{tournament.public_id}/1").nonces == ["a1" * 16, "", "", ""]


@pytest.mark.rule("J9")
def test_a_danese_goes_on_round_by_round(opened: Opened, now: datetime) -> None:
    hall = draw_real(opened, 4, now, replace(EQUAL_DANESE, ruleset="tresette"))
    for number in (1, 2):
        open_them(hall, hall.organiser, now, number)
        for fixture, deal in zip(list_round(hall, number), ((7, 4), (4, 7)), strict=True):
            enter_deals(hall, fixture, (deal, deal), now)
        if number == 1:
            publish_next(hall, now)
    hall.refresh_from_db()
    assert hall.state == Tournament.State.FINISHED
    assert not Commitment.objects.filter(round_secret__tournament=hall, secret="").exists()
    assert catch_code(prepared_decks.open_decks, tournament_id=hall.pk, number=2, by=hall.organiser, now=now) == (
        "decks_closed"
    )


@pytest.mark.rule("J5")
def test_decks_that_nobody_prepared_were_never_dealt(hall: Tournament, now: datetime) -> None:
    for fixture in list_round(hall, 1):
        enter_deals(hall, fixture, ((7, 4), (6, 5)), now)
    assert Commitment.objects.get(scope=f"{hall.public_id}/1").reason == Commitment.Reason.NEVER_DEALT
