"""Circuits counted by several at once (Y4), and filled by a series (Y3)."""

from datetime import datetime

import pytest
from django.core.management import CommandError, call_command

from players.models import Player
from tests.support.circuits import make_circuit, play_evening, read_totals
from tests.support.threads import run_for_codes
from tests.support.tournaments import KO, Opened, make_opened
from tournaments.circuits.totals import count_circuit, find_circuit_differences
from tournaments.core.circuit_marks import join_circuits
from tournaments.models import Circuit, Series, Tournament


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.rule("Y4")
def test_a_circuit_counted_by_several_at_once_has_each_row_once(organiser: Player, now: datetime) -> None:
    evening = play_evening(make_opened(organiser, now), ["Ada", "Bice"], now, base=KO)
    circuit = make_circuit(organiser, now, evening)
    circuit.totals.all().delete()
    circuit.stages.update(stale=True)
    run_for_codes(*[lambda: count_circuit(circuit_id=circuit.pk, now=now)] * 3)
    assert [name for _rank, name, _total in read_totals(circuit)] == ["Ada", "Bice"]
    assert not find_circuit_differences(circuit)


@pytest.mark.django_db
@pytest.mark.rule("Y3")
def test_new_tournaments_of_a_series_join_by_themselves_where_they_fit(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    series = Series.objects.create(
        organiser=organiser, settings={}, weekday=3, hour=now.time(), next_start=now, due_at=None
    )
    circuit, by_vp = make_circuit(organiser, now), make_circuit(organiser, now, table="vp")
    Circuit.objects.update(series=series)
    tournament = opened(KO)
    Tournament.objects.filter(pk=tournament.pk).update(series=series)
    tournament.refresh_from_db()
    join_circuits(tournament, now)
    assert [stage.tournament for stage in circuit.stages.all()] == [tournament]
    assert not by_vp.stages.exists(), "a knock-out has no VP"


@pytest.mark.django_db
@pytest.mark.rule("Y4")
def test_the_command_finds_and_mends_what_is_not_what_the_tournaments_give(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    evening = play_evening(opened, ["Ada", "Bice"], now, base=KO)
    circuit = make_circuit(organiser, now, evening)
    call_command("recompute", "--check", "--only", "circuiti")
    circuit.totals.update(total=9)
    with pytest.raises(CommandError):
        call_command("recompute", "--check", "--only", "circuiti")
    call_command("recompute", "--only", "circuiti")
    assert not find_circuit_differences(circuit)
