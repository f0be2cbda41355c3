"""Finals, series, loans and closed accounts of circuits (Y3, Y4)."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse

from players.models import Player
from players.services.close_account import close_account
from tests.support.arrangements import arrange_once
from tests.support.circuits import (
    add,
    find_person,
    make_circuit,
    play_evening,
    play_out,
    read_totals,
    sweep_circuits,
)
from tests.support.html import read_hooks
from tests.support.people import sign_in
from tests.support.real_tables import NAMES, draw_present, open_real, type_names
from tests.support.tournaments import KO, Opened
from tournaments.circuits.errors import CircuitError
from tournaments.circuits.exports import export_circuit_header
from tournaments.circuits.finals import drop_final, list_passed_over, prepare_final
from tournaments.circuits.totals import find_circuit_differences
from tournaments.models import Circuit, Register, RegisterCard, Tournament
from tournaments.register.merging import merge_cards
from tournaments.transfer.loans import lend_tournament, recall_tournament

pytestmark = pytest.mark.django_db


@arrange_once
def evening(opened: Opened, now: datetime) -> Tournament:
    """Four people, who end in this order."""
    return play_evening(opened, ["Ada", "Bice", "Ciro", "Dora"], now)


@arrange_once
def circuit(evening: Tournament, organiser: Player, now: datetime) -> Circuit:
    return make_circuit(organiser, now, evening)


@pytest.mark.rule("Y3")
def test_the_final_at_real_tables_has_the_first_of_the_ranking_with_their_seeds(
    circuit: Circuit, opened: Opened, organiser: Player, now: datetime
) -> None:
    final = open_real(opened, KO)
    made = prepare_final(circuit_id=circuit.pk, by=organiser, tournament=final.public_id, qualify=3, now=now)
    assert made == 3
    again = prepare_final(circuit_id=circuit.pk, by=organiser, tournament=final.public_id, qualify=4, now=now)
    assert again == 1, "who is in already isn't entered twice"
    final.refresh_from_db()
    assert final.seeding == "circuit"
    draw_present(final, now)
    seeds = [entry.members.get().person.name for entry in final.entries.order_by("seed")]
    assert seeds == ["Ada", "Bice", "Ciro", "Dora"]
    before = read_totals(circuit)
    play_out(final, now)
    sweep_circuits(now)
    assert read_totals(circuit) == before, "the final counts for no total"


@pytest.mark.rule("Y3")
def test_of_those_who_share_a_place_all_come_to_the_final_or_nobody(
    circuit: Circuit, opened: Opened, organiser: Player, now: datetime
) -> None:
    circuit.totals.filter(person__typed_name__in=("Ciro", "Dora")).update(rank=2)
    circuit.totals.filter(person__typed_name="Bice").update(rank=2)
    final = open_real(opened, KO, max_entries=3)
    about: dict[str, Any] = {"circuit_id": circuit.pk, "by": organiser, "tournament": final.public_id, "now": now}
    for qualify in (2, 3, 4):
        with pytest.raises(CircuitError) as refused:
            prepare_final(qualify=qualify, **about)
        assert (refused.value.code, refused.value.values) == ("final_level", {"rank": 2, "above": 1, "below": 4})
    assert prepare_final(qualify=1, **about) == 1
    Tournament.objects.filter(pk=final.pk).update(max_entries=4)
    assert prepare_final(qualify=2, **about) == 3, "all of them, where there is room"


@pytest.mark.rule("Y3", "E3")
def test_who_has_no_account_is_named_where_others_are_invited_in_their_place(
    circuit: Circuit, opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    for name, player in (("Bice", anna), ("Dora", bruno)):
        circuit.totals.filter(person__typed_name=name).update(person=player.person)
    final = opened(KO, starts_at=now + timedelta(days=1))
    assert prepare_final(circuit_id=circuit.pk, by=organiser, tournament=final.public_id, qualify=1, now=now) == 1
    circuit.refresh_from_db()
    assert list_passed_over(circuit) == ["Ada"], "Bice is invited for her"
    assert prepare_final(circuit_id=circuit.pk, by=organiser, tournament=final.public_id, qualify=1, now=now) == 1
    assert list_passed_over(circuit) == ["Ada", "Ciro"]
    page = sign_in(organiser).get(reverse("circuit-desk", args=[circuit.public_id]))
    assert "passed_over" in read_hooks(page, "note")


@pytest.mark.rule("Y3")
def test_no_file_names_a_final_that_is_a_draft(circuit: Circuit, opened: Opened, organiser: Player) -> None:
    final = open_real(opened, KO)
    for state, named in ((Tournament.State.DRAFT, None), (Tournament.State.OPEN, final.public_id)):
        Tournament.objects.filter(pk=final.pk).update(state=state)
        final.refresh_from_db()
        circuit.final = final
        assert export_circuit_header(circuit)["final"] == named


@pytest.mark.rule("Y3")
def test_a_final_that_is_let_go_is_drawn_by_lot_again(
    circuit: Circuit, opened: Opened, organiser: Player, now: datetime
) -> None:
    final = open_real(opened, KO)
    prepare_final(circuit_id=circuit.pk, by=organiser, tournament=final.public_id, qualify=0, now=now)
    drop_final(circuit_id=circuit.pk, by=organiser, now=now)
    final.refresh_from_db()
    assert final.seeding == "lot"
    assert not Circuit.objects.filter(final=final).exists()


@pytest.mark.rule("Y3", "O9")
def test_a_final_on_loan_stays_the_final_until_it_is_back(
    circuit: Circuit, opened: Opened, organiser: Player, now: datetime
) -> None:
    final, other = open_real(opened, KO), open_real(opened, KO)
    prepare_final(circuit_id=circuit.pk, by=organiser, tournament=final.public_id, qualify=0, now=now)
    lend_tournament(tournament_id=final.pk, by=organiser, to="Bar Sport", now=now)
    with pytest.raises(CircuitError, match=r"^final_lent$"):
        drop_final(circuit_id=circuit.pk, by=organiser, now=now)
    with pytest.raises(CircuitError, match=r"^final_lent$"):
        prepare_final(circuit_id=circuit.pk, by=organiser, tournament=other.public_id, qualify=0, now=now)
    final.refresh_from_db()
    assert final.seeding == "circuit"
    recall_tournament(tournament_id=final.pk, by=organiser, now=now)
    prepare_final(circuit_id=circuit.pk, by=organiser, tournament=other.public_id, qualify=0, now=now)
    final.refresh_from_db()
    assert final.seeding == "lot"
    assert Circuit.objects.get().final == other


@pytest.mark.rule("Y4")
def test_a_tournament_on_loan_keeps_its_place(
    circuit: Circuit, opened: Opened, organiser: Player, now: datetime
) -> None:
    running = open_real(opened, seeding="organiser")
    add(circuit, now, running)
    before = read_totals(circuit)
    lend_tournament(tournament_id=running.pk, by=organiser, to="Bar Sport", now=now)
    sweep_circuits(now)
    assert read_totals(circuit) == before
    recall_tournament(tournament_id=running.pk, by=organiser, now=now)
    sweep_circuits(now)
    assert circuit.stages.filter(tournament=running).exists()
    assert read_totals(circuit) == before
    assert not find_circuit_differences(circuit)


@pytest.mark.rule("Y3")
def test_a_final_that_is_drawn_where_its_circuit_isn_t_is_seeded_by_lot(opened: Opened, now: datetime) -> None:
    final = open_real(opened, KO, seeding="circuit")
    type_names(final, NAMES[:4], now)
    draw_present(final, now)
    assert sorted(final.entries.values_list("seed", flat=True)) == [1, 2, 3, 4]


@pytest.mark.rule("Y3")
def test_the_circuits_of_a_closed_account_end_and_stay_to_be_read(
    circuit: Circuit, organiser: Player, now: datetime
) -> None:
    empty = make_circuit(organiser, now, name="Vuoto")
    close_account(player_id=organiser.pk, now=now)
    circuit.refresh_from_db()
    assert circuit.ended_at == now
    assert len(read_totals(circuit)) == 4
    assert not Circuit.objects.filter(pk=empty.pk).exists()


@pytest.mark.rule("Y4")
def test_totals_follow_a_register_that_goes_with_its_account(
    circuit: Circuit, opened: Opened, organiser: Player, now: datetime
) -> None:
    second = play_evening(opened, ["Ada", "Elio"], now, base=KO)
    register = Register.objects.create(organiser=organiser)
    evening = circuit.stages.get().tournament
    card, double = (
        RegisterCard.objects.create(register=register, person=find_person(one, "Ada"), name_key="ada", created_at=now)
        for one in (evening, second)
    )
    merge_cards(register=register, by=organiser, card_id=card.public_id, double_id=double.public_id, now=now)
    add(circuit, now, second)
    assert [name for _rank, name, _total in read_totals(circuit)].count("Ada") == 1
    close_account(player_id=organiser.pk, now=now)
    sweep_circuits(now)
    assert [name for _rank, name, _total in read_totals(circuit)].count("Ada") == 2
    assert not find_circuit_differences(circuit)


def test_a_name_of_a_tournament_is_one_of_the_circuit(circuit: Circuit, evening: Tournament) -> None:
    assert circuit.totals.filter(person=find_person(evening, "Ada"), rank=1).exists()
