"""Pages of equal deals: the organiser's form, the commitments and numbers, the travellers, the referee's form."""

from dataclasses import replace
from datetime import datetime

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support.desk import send_act
from tests.support.entries import enter_all
from tests.support.equal import EQUAL, add, begun, play_otherwise, promise
from tests.support.html import read_attribute, read_error_codes, read_hooks
from tests.support.pages import post_tournament
from tests.support.people import sign_in
from tests.support.play import OPENING, open_ready, play
from tests.support.tournaments import Opened
from tournaments.equal import secrets
from tournaments.models import EntryMember, Fixture, LogEntry, Tournament

GIRONE = {"format": "girone", "length_kind": "deals", "length_value": "2", "equal_deals": "on"}
HASHES = "equal-number"


@pytest.mark.rule("J9")
def test_an_organiser_chooses_equal_deals_in_the_form(organisers: Client) -> None:
    post_tournament(organisers, **GIRONE, tie_break="percentuale")
    tournament = Tournament.objects.get()
    assert (tournament.equal_deals, tournament.tie_break) == (True, "percentuale")
    assert tournament.round_secrets.count() == 7


@pytest.mark.rule("J9")
@pytest.mark.parametrize(
    ("changed", "field", "code"),
    [
        ({"format": "ko"}, "equal_deals", "equal_deals_ko"),
        ({"round_minutes": "60"}, "equal_deals", "equal_deals_hours"),
        ({"equal_deals": None, "tie_break": "percentuale"}, "tie_break", "percentage_without_equal_deals"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(
    organisers: Client, changed: dict[str, str], field: str, code: str
) -> None:
    answer = post_tournament(organisers, **{**GIRONE, **changed})
    assert read_error_codes(answer)[field] == [code]
    assert not Tournament.objects.exists()


@pytest.mark.rule("J9", "J2")
def test_a_browser_sends_its_number_and_the_page_shows_what_is_there(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(EQUAL, max_entries=4)
    enter_all(tournament, [anna], now)
    address, page = (reverse(name, args=[tournament.public_id]) for name in (HASHES, "equal-deals"))
    shown = sign_in(anna).get(page).content.decode()
    assert read_attribute(shown, "data-stage") == ["hashes"]
    assert read_attribute(shown, "data-commitment") == [row.digest for row in secrets.list_commitments(tournament)]
    assert sign_in(anna).post(address, {"hash": "zz"}).json()["code"] == "nonce_refused"
    assert sign_in(anna).post(address, {"hash": "ab" * 32}).status_code == 204
    assert sign_in(anna).post(address, {"hash": "ab" * 32}).status_code == 204, "safe to send again"
    assert sign_in(anna).post(address, {"nonce": "ab" * 16}).json()["code"] == "nonce_refused"
    assert sign_in(bruno).post(address, {"hash": "ab" * 32}).json()["code"] == "not_entered"
    assert Client().post(address, {"hash": "ab" * 32}).status_code == 404
    assert EntryMember.objects.get(tournament=tournament).nonce_hash == "ab" * 32
    visitor = Client().get(page).content.decode()
    assert read_attribute(visitor, "data-state") == ["hash"]
    assert read_attribute(visitor, "data-stage") == []


@pytest.mark.rule("J9", "J2")
def test_a_number_that_is_promised_is_shown_to_nobody_before_all_are_asked_for(
    opened: Opened, anna: Player, bruno: Player, now: datetime, settings: LazySettings
) -> None:
    settings.MIXING_SECONDS = 5
    tournament = opened(EQUAL, max_entries=2)
    enter_all(tournament, [anna], now)
    promise(tournament, anna, "a1" * 16, now)
    enter_all(tournament, [bruno], now)
    add(tournament, anna, "a1" * 16, now)
    page = Client().get(reverse("equal-deals", args=[tournament.public_id])).content.decode()
    assert read_attribute(page, "data-state") == ["nonce", "none"]
    assert "a1" * 16 in page


@pytest.mark.rule("J10", "J12")
def test_a_traveller_is_shown_when_its_round_is_over(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = begun(opened, four, now)
    first, second = open_ready(tournament, now + OPENING)
    page = reverse("traveller", args=[tournament.public_id, 1])
    play(first, now + OPENING)
    assert "withheld" in read_hooks(Client().get(page), "note")
    play_otherwise(second, now + OPENING)
    shown = Client().get(page).content.decode()
    assert "withheld" not in read_hooks(shown, "note")
    deals = second.deals.filter(void=False).count() + first.deals.filter(void=False).count()
    assert len(read_attribute(shown, "data-won")) == deals
    for match in (first, second):
        for place in (1, 2):
            assert reverse("match-replay", args=[match.public_id, place]) in shown
            assert Client().get(reverse("match-replay", args=[match.public_id, place])).status_code == 200
    assert Client().get(reverse("traveller", args=[tournament.public_id, 9])).status_code == 404


@pytest.mark.rule("J10", "F2", "F5")
def test_a_referee_corrects_the_confronto_at_the_desk(
    opened: Opened, organisers: Client, four: list[Player], now: datetime
) -> None:
    tournament = begun(opened, four, now, base=replace(EQUAL, tie_break="percentuale"))
    first, second = open_ready(tournament, now + OPENING)
    play(first, now + OPENING)
    play_otherwise(second, now + OPENING)
    fixture = Fixture.objects.get(match=first)
    desk = reverse("desk-fixture", args=[tournament.public_id, fixture.pk])
    sent = {"what": "confronto", "deals": "3-1 -", "percent_0": "55.5", "percent_1": "44.5", "reason": "carte viste"}
    wrong = organisers.post(desk, {**sent, "deals": "tre a uno", "percent_1": ""})
    (form,) = [form for form in wrong.context["acts"] if form.is_bound]
    assert {name: [error.code for error in errors.as_data()] for name, errors in form.errors.items()} == {
        "deals": ["deal_unread"],
        "percent_0": ["one_missing"],
    }
    assert send_act(organisers, desk, sent).status_code == 302
    fixture.refresh_from_db()
    assert (fixture.deal_points, fixture.percent_0, fixture.percent_1) == ([[3, 1], None], 5550, 4450)
    entry = fixture.first
    assert entry is not None
    assert entry.percentage == "111/200"
    assert LogEntry.objects.filter(tournament=tournament, code="ruling_comparison").count() == 1
    assert "3–1" in Client().get(reverse("tournament", args=[tournament.public_id])).content.decode()
