"""Tournaments of drawn pairs on their way (EV2, O9): before the draw and after, copied, lent and brought back."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client, override_settings

from players.models import Player
from tests.support.pages import tournament_url
from tests.support.play import stored_equals_recomputed
from tests.support.real_tables import draw_present, open_real, type_names
from tests.support.tournaments import PAIRS, Opened
from tests.support.transfer import change_file, finish, read_picture
from tournaments.core.draw_secret import find_reserve, read_drawn
from tournaments.entries import partners
from tournaments.fees import actions as fees
from tournaments.lists.typed_entries import TypedPerson
from tournaments.models import Payment, Tournament
from tournaments.own_names import self_entry
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import lend_tournament, take_in_file
from tournaments.transfer.outgoing import make_copy

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV2", "O9")]

ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")
DRAWN: dict[str, Any] = {"partners": "lists", "pairs_stay": True, "min_entries": 4}
NAMES = ("Ada", "Bice", "Ciro", "Dora", "Elio", "Fede", "Gino")


@pytest.fixture
def evening(opened: Opened, now: datetime) -> Tournament:
    """Seven people, of whom one is on a list and two stay a pair."""
    tournament = open_real(opened, PAIRS, **DRAWN)
    entries = type_names(tournament, NAMES, now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    partners.put_on_list(entry_id=entries[2].pk, side="B", **about)
    partners.tie_people(entry_ids=[entries[0].pk, entries[4].pk], **about)
    tournament.refresh_from_db()
    return tournament


def list_pairs(tournament: Tournament) -> set[frozenset[str]]:
    members = tournament.members.with_people().order_by("entry", "position")
    pairs: dict[int, set[str]] = {}
    for member in members:
        pairs.setdefault(member.entry_id, set()).add(member.person.name)
    return {frozenset(pair) for pair in pairs.values()}


def test_a_copy_before_the_draw_has_lists_and_ties_and_is_drawn_elsewhere(
    evening: Tournament, referee: Player, now: datetime
) -> None:
    data = make_copy(evening, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        assert read_picture(away)["entries"] == read_picture(evening)["entries"]
        assert (away.partners, away.pairs_stay) == ("lists", True)
        draw_present(away, now)
        assert frozenset(("Ada", "Elio")) in list_pairs(away)
        assert stored_equals_recomputed(away)


def test_a_copy_after_the_draw_has_the_pairs_and_how_they_were_drawn(
    evening: Tournament, referee: Player, now: datetime
) -> None:
    draw_present(evening, now)
    data = make_copy(evening, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        assert list_pairs(away) == list_pairs(evening)
        there, here = read_drawn(away), read_drawn(evening)
        assert there is not None
        assert here is not None
        assert there.partners is not None
        assert here.partners is not None
        assert there.partners.pairs == here.partners.pairs
        said = Client().get(tournament_url("draw-json", away)).json()
        assert said["partners"] == Client().get(tournament_url("draw-json", evening)).json()["partners"]
        reserve = find_reserve(away)
        assert reserve is not None
        assert reserve.name == "Gino"
        finish(away, referee, now)
        away.refresh_from_db()
        assert away.state == Tournament.State.FINISHED


def test_pairs_drawn_on_loan_come_home_with_payments_and_keys_of_each(
    evening: Tournament, referee: Player, now: datetime
) -> None:
    by = evening.organiser
    about: dict[str, Any] = {"tournament_id": evening.pk, "by": by, "now": now}
    self_entry.enter_by_name(
        tournament_id=evening.pk, player=None, people=(TypedPerson("Ines"),), own_key="I" * 22, address="192.0.2.7",
        now=now,
    )  # fmt: skip
    self_entry.enter_by_name(
        tournament_id=evening.pk, player=None, people=(TypedPerson("Lino"),), own_key="L" * 22, address="192.0.2.7",
        now=now,
    )  # fmt: skip
    fees.set_fees(fee_cents=500, prizes=[], **about)
    paying = {name: evening.members.get(person__typed_name=name).entry_id for name in ("Ada", "Elio", "Ines")}
    for entry_id in paying.values():
        fees.mark_paid(entry_id=entry_id, **about)
    data = lend_tournament(tournament_id=evening.pk, by=by, to="Sala", now=now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        draw_present(away, now)
        pairs = list_pairs(away)
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    home = take_in_file(data=back, by=by, now=now)
    assert home.pk == evening.pk
    assert list_pairs(home) == pairs
    paid = {payment.entry_id for payment in Payment.objects.filter(tournament=home)}
    assert paid == {home.members.get(person__typed_name=name).entry_id for name in paying}
    assert Payment.objects.filter(tournament=home, entry__isnull=True).count() == 0
    for key, name in (("I", "Ines"), ("L", "Lino")):
        entry = self_entry.find_entry(home, key * 22)
        inside = home.members.filter(person__typed_name=name).first()
        assert inside is None or entry == inside.entry
    assert stored_equals_recomputed(home)


def test_a_file_from_before_says_nothing_of_it_and_pairs_enter_as_they_did(
    opened: Opened, referee: Player, now: datetime
) -> None:
    tournament = open_real(opened, PAIRS)
    type_names(tournament, [("Ada", "Bice"), ("Ciro", "Dora")], now)

    def forget(body: dict[str, Any]) -> None:
        del body["tournament"]["partners"], body["tournament"]["pairs_stay"]
        for entry in body["entries"]:
            del entry["side"], entry["tie"]

    data = change_file(make_copy(tournament, now), forget)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
    assert away.partners == "entered"
    assert away.entry_kind.names_partner


@pytest.mark.parametrize("drawn", [False, True])
def test_entries_of_another_size_are_refused(
    evening: Tournament, referee: Player, now: datetime, *, drawn: bool
) -> None:
    if drawn:
        draw_present(evening, now)

    def spoil(body: dict[str, Any]) -> None:
        first, second = body["entries"][:2]
        first["members"].append(second["members"].pop())

    data = change_file(make_copy(evening, now), spoil)
    with ELSEWHERE, pytest.raises(FileRefused) as refused:
        take_in_file(data=data, by=referee, now=now)
    assert "other_size" in {fault.code for fault in refused.value.faults}
