"""Totals of circuits (Y3, Y4): three evenings worked out by hand, corrected late, by every table, and who is who."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from players.models import Mail, Player
from tests.support.arrangements import arrange_once
from tests.support.circuits import (
    add,
    decide,
    find_person,
    link,
    make_circuit,
    play_evening,
    play_out,
    read_totals,
    sweep_circuits,
)
from tests.support.desk import build_act
from tests.support.mail import want_all_mail
from tests.support.people import give_address
from tests.support.real_tables import draw_present, list_round, open_real, type_names
from tests.support.tournaments import KO, PAIRS, Opened
from tournaments.circuits import actions
from tournaments.circuits.actions import CircuitTerms
from tournaments.circuits.errors import CircuitError
from tournaments.circuits.notices import tell_places
from tournaments.circuits.totals import count_circuit, find_circuit_differences, recompute_circuit
from tournaments.core.circuit_marks import mark_circuits
from tournaments.models import Circuit, Fixture, NameClaim, Register, RegisterCard, Tournament
from tournaments.organise.lifecycle import cancel_tournament
from tournaments.own_names.claims import answer_claim, claim_name
from tournaments.register.cards import renew_initials

pytestmark = pytest.mark.django_db
EVENINGS = (
    ("Ada", "Bice", "Ciro", "Dora"),
    ("Bice", "Ada", "Dora", "Ciro"),
    ("Ciro", "Dora", "Ada", "Bice"),
)
DAY = timedelta(days=1)


@arrange_once
def evenings(opened: Opened, now: datetime) -> list[Tournament]:
    """Three evenings of four people at real tables, each with the points 67, 33, 14 and 1 (Y2)."""
    return [play_evening(opened, [f"{name} Neri" for name in names], now) for names in EVENINGS]


@arrange_once
def circuit(evenings: list[Tournament], organiser: Player, now: datetime) -> Circuit:
    """The best two of the three evenings; whoever has the same name is the same, because the organiser says so."""
    made = make_circuit(organiser, now, *evenings, best_of=2)
    for name in sorted(EVENINGS[0]):
        for other in evenings[1:]:
            link(made, find_person(other, f"{name} Neri"), find_person(evenings[0], f"{name} Neri"), now)
    count_circuit(circuit_id=made.pk, now=now)
    return made


def find_meeting(tournament: Tournament, one: str, other: str) -> tuple[Fixture, int]:
    """The fixture in which the two meet, and the side of the first."""
    names = {one: find_person(tournament, one), other: find_person(tournament, other)}
    own = {name: person.memberships.get(tournament=tournament).entry_id for name, person in names.items()}
    fixture = Fixture.objects.of(tournament).get(first__in=own.values(), second__in=own.values())
    return fixture, 0 if fixture.first_id == own[one] else 1


@pytest.mark.rule("Y3")
def test_the_best_two_of_three_evenings_are_added_up_and_two_share_the_first_rank(circuit: Circuit) -> None:
    assert read_totals(circuit) == [
        (1, "Ada Neri", 100),
        (1, "Bice Neri", 100),
        (3, "Ciro Neri", 81),
        (4, "Dora Neri", 47),
    ]
    ada = circuit.totals.order_by("rank", "pk")[0]
    assert [tuple(result[1:]) for result in ada.results] == [(67, 1, 4, True), (33, 2, 4, True), (14, 3, 4, False)]
    assert ada.separation == {"code": "level", "nth": 0, "own": 0, "next": 0}
    assert not find_circuit_differences(circuit)


@pytest.mark.rule("Y3")
def test_equal_names_are_several_people_until_the_organiser_says_otherwise(
    evenings: list[Tournament], organiser: Player, now: datetime
) -> None:
    circuit = make_circuit(organiser, now, *evenings, best_of=2)
    assert [total for _rank, _name, total in read_totals(circuit)] == [67] * 3 + [33] * 3 + [14] * 3 + [1] * 3
    made = link(circuit, find_person(evenings[1], "Ada Neri"), find_person(evenings[0], "Ada Neri"), now)
    assert read_totals(circuit)[0] == (1, "Ada Neri", 100)
    assert len(read_totals(circuit)) == 11
    unlink(circuit, made.pk, now)
    assert len(read_totals(circuit)) == 12


def unlink(circuit: Circuit, link_id: int, now: datetime) -> None:
    from tournaments.circuits.links import unlink_people

    assert circuit.organiser is not None
    unlink_people(circuit_id=circuit.pk, by=circuit.organiser, link_id=link_id, now=now)
    sweep_circuits(now)


@pytest.mark.rule("Y4")
def test_a_late_correction_goes_through_to_totals_and_ranks(
    circuit: Circuit, evenings: list[Tournament], now: datetime
) -> None:
    later = now + 40 * DAY
    fixture, side = find_meeting(evenings[1], "Ada Neri", "Bice Neri")
    decide(fixture, side, later)
    assert find_circuit_differences(circuit), "nothing is patched: it waits to be counted"
    sweep_circuits(later)
    assert read_totals(circuit) == [
        (1, "Ada Neri", 134),
        (2, "Ciro Neri", 81),
        (3, "Bice Neri", 66),
        (4, "Dora Neri", 47),
    ]
    assert not find_circuit_differences(circuit)


@pytest.mark.rule("Y4")
def test_counting_again_changes_nothing_and_recomputing_mends_what_is_wrong(circuit: Circuit, now: datetime) -> None:
    assert not count_circuit(circuit_id=circuit.pk, now=now)
    circuit.totals.filter(total=100).update(total=99, rank=7)
    assert {difference.about.split()[0] for difference in find_circuit_differences(circuit)} == {"person"}
    assert recompute_circuit(circuit_id=circuit.pk, now=now)
    assert not find_circuit_differences(circuit)
    stage = circuit.stages.order_by("pk")[0]
    stage.results = []
    stage.save()
    assert recompute_circuit(circuit_id=circuit.pk, now=now)
    assert not recompute_circuit(circuit_id=circuit.pk, now=now)


@pytest.mark.rule("Y3")
def test_a_tournament_counts_once_it_is_over_and_one_that_is_reopened_or_taken_out_no_more(
    opened: Opened, organiser: Player, evenings: list[Tournament], now: datetime
) -> None:
    running = open_real(opened, seeding="organiser")
    type_names(running, ["Lino", "Mara", "Nora"], now)
    draw_present(running, now)
    circuit = make_circuit(organiser, now, evenings[0], running)
    assert len(read_totals(circuit)) == 4
    play_out(running, now)
    sweep_circuits(now)
    assert len(read_totals(circuit)) == 7
    assert read_totals(circuit)[4:] == [(5, "Lino", 0), (5, "Mara", 0), (5, "Nora", 0)], "three entries give no points"
    actions.remove_tournament(circuit_id=circuit.pk, by=organiser, tournament=running.public_id, now=now)
    sweep_circuits(now)
    assert len(read_totals(circuit)) == 4


@pytest.mark.rule("Y3")
@pytest.mark.parametrize(
    ("terms", "totals"),
    [
        ({"table": "places", "places": (10, 6), "taking_part": 2}, [10, 6, 2, 2]),
        ({"table": "places", "places": (10,), "taking_part": 0}, [10, 0, 0, 0]),
        ({"table": "mp"}, [9, 3, -3, -9]),
    ],
)
def test_places_and_mp_are_added_up_as_they_are(
    terms: dict[str, Any], totals: list[int], organiser: Player, evenings: list[Tournament], now: datetime
) -> None:
    circuit = make_circuit(organiser, now, evenings[0], **terms)
    assert [total for _rank, _name, total in read_totals(circuit)] == totals


@pytest.mark.rule("Y3")
def test_vp_are_those_of_the_tournament_and_a_ko_has_none(
    opened: Opened, organiser: Player, evenings: list[Tournament], now: datetime
) -> None:
    circuit = make_circuit(organiser, now, evenings[0], table="vp")
    stored = sorted(evenings[0].entries.values_list("vp", flat=True), reverse=True)
    assert [total for _rank, _name, total in read_totals(circuit)] == stored
    knockout = open_real(opened, KO)
    with pytest.raises(CircuitError, match=r"^no_vp$"):
        add(circuit, now, knockout)
    by_points = make_circuit(organiser, now, knockout)
    with pytest.raises(CircuitError, match=r"^no_vp$"):
        edit(by_points, now, table="mp")


def edit(circuit: Circuit, now: datetime, **changed: Any) -> Circuit:
    assert circuit.organiser is not None
    kept = {name: getattr(actions.read_terms(circuit), name) for name in CircuitTerms.__slots__}
    terms = CircuitTerms(**{**kept, **changed})
    return actions.edit_circuit(circuit_id=circuit.pk, by=circuit.organiser, terms=terms, now=now)


@pytest.mark.rule("Y3")
def test_shared_places_of_a_ko_get_the_mean(opened: Opened, organiser: Player, now: datetime) -> None:
    knockout = play_evening(opened, ["Ada", "Bice", "Ciro", "Dora"], now, base=KO)
    circuit = make_circuit(organiser, now, knockout, table="places", places=(10, 6, 4, 1))
    assert read_totals(circuit) == [(1, "Ada", 10), (2, "Bice", 6), (3, "Ciro", 3), (3, "Dora", 3)]


@pytest.mark.rule("Y3")
def test_people_of_a_pair_stand_alone_unless_the_circuit_is_for_fixed_pairs(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    couples = [("Ada", "Bice"), ("Ciro", "Dora"), ("Elio", "Fede"), ("Gino", "Ines")]
    tournament = play_evening(opened, couples, now, base=PAIRS)
    alone = make_circuit(organiser, now, tournament)
    assert read_totals(alone)[:3] == [(1, "Ada", 67), (1, "Bice", 67), (3, "Ciro", 33)]
    pairs = make_circuit(organiser, now, tournament, by_pairs=True)
    assert read_totals(pairs)[:2] == [(1, "Ada – Bice", 67), (2, "Ciro – Dora", 33)]
    assert len(read_totals(pairs)) == 4
    with pytest.raises(CircuitError, match=r"^no_pairs$"):
        add(pairs, now, play_evening(opened, ["Lino", "Mara", "Nora"], now))


@pytest.mark.rule("Y3")
def test_what_counts_how_stands_once_a_tournament_is_drawn(
    circuit: Circuit, opened: Opened, organiser: Player, now: datetime
) -> None:
    with pytest.raises(CircuitError, match=r"^terms_stand$"):
        edit(circuit, now, best_of=3)
    assert edit(circuit, now, name="Circuito d'estate", description="Il *giovedì*").name == "Circuito d'estate"
    early = make_circuit(organiser, now, open_real(opened))
    assert edit(early, now, best_of=5, table="vp").best_of == 5


@pytest.mark.rule("Y3", "O2")
def test_a_claimed_name_counts_for_its_account_also_where_another_evening_links_it(
    circuit: Circuit, evenings: list[Tournament], anna: Player, organiser: Player, now: datetime
) -> None:
    give_address(anna)
    person = find_person(evenings[0], "Ada Neri")
    claim = claim_name(tournament_id=evenings[0].pk, player=anna, person_id=person.pk, now=now)
    about: dict[str, Any] = {"tournament_id": evenings[0].pk, "claim_id": claim.pk, "by": organiser, "now": now}
    answer_claim(yes=True, reason="", **about)
    sweep_circuits(now)
    assert (1, anna.name, 100) in read_totals(circuit)
    answer_claim(yes=False, reason="Non è lei", **about)
    sweep_circuits(now)
    assert (1, "Ada Neri", 100) in read_totals(circuit)
    assert NameClaim.objects.get().state == "revoked"


@pytest.mark.rule("Y4", "I1")
def test_a_card_that_turns_out_to_be_a_minors_has_the_circuit_show_initials(
    circuit: Circuit, evenings: list[Tournament], organiser: Player, now: datetime
) -> None:
    """Under another of their names, which the organiser linked, they stood in full."""
    register = Register.objects.create(organiser=organiser)
    person = find_person(evenings[1], "Ada Neri")
    card = RegisterCard.objects.create(register=register, person=person, name_key="adaneri", created_at=now)
    card.minor = True
    renew_initials(card, now)
    sweep_circuits(now)
    names = {row.person.public_name for row in circuit.totals.select_related("person__player")}
    assert "Ada Neri" not in names
    assert len(names) == 4
    assert not find_circuit_differences(circuit)


@pytest.mark.rule("Y3")
def test_a_link_is_refused_between_accounts_between_who_met_and_for_who_is_no_part_of_it(
    circuit: Circuit, evenings: list[Tournament], organiser: Player, bruno: Player, now: datetime
) -> None:
    ada, bice = (find_person(evenings[0], f"{name} Neri") for name in ("Ada", "Bice"))
    for one, other, code in (
        (ada, bice, "played_together"),
        (ada, find_person(evenings[2], "Ada Neri"), "same_person"),
        (ada, organiser.person, "no_person"),
    ):
        with pytest.raises(CircuitError, match=f"^{code}$"):
            link(circuit, one, other, now)
    with pytest.raises(CircuitError, match=r"^not_yours$"):
        link(circuit, ada, bice, now, by=bruno)


@pytest.mark.rule("Y3")
def test_at_the_end_everybody_is_told_their_place_and_later_who_is_moved_by_a_correction(
    circuit: Circuit, evenings: list[Tournament], anna: Player, bruno: Player, organiser: Player, now: datetime
) -> None:
    want_all_mail(anna, bruno)
    for player, name in ((anna, "Ada"), (bruno, "Ciro")):
        person = find_person(evenings[0], f"{name} Neri")
        claim = claim_name(tournament_id=evenings[0].pk, player=player, person_id=person.pk, now=now)
        answer_claim(tournament_id=evenings[0].pk, claim_id=claim.pk, by=organiser, yes=True, reason="", now=now)
    Mail.objects.all().delete()
    actions.end_circuit(circuit_id=circuit.pk, by=organiser, now=now)
    assert read_places_told() == {(anna.user_id, 1), (bruno.user_id, 3)}
    Mail.objects.all().delete()
    later = now + DAY
    fixture, side = find_meeting(evenings[1], "Ada Neri", "Bice Neri")
    decide(fixture, side, later)
    Mail.objects.all().delete()  # of the ruling itself
    sweep_circuits(later)
    assert read_places_told() == {(bruno.user_id, 2)}, "Ada stays first"
    sweep_circuits(later)
    assert Mail.objects.count() == 1
    with pytest.raises(CircuitError, match=r"^ended$"):
        actions.remove_tournament(circuit_id=circuit.pk, by=organiser, tournament=evenings[0].public_id, now=later)


@pytest.mark.rule("Y3")
def test_who_stands_in_it_with_two_partners_is_told_the_better_place(
    organiser: Player, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    want_all_mail(anna, bruno, carla)
    circuit, ann = make_circuit(organiser, now, by_pairs=True), anna.person.pk
    tell_places(circuit, {(ann, bruno.person.pk): 1, (ann, carla.person.pk): 4}, now)
    assert read_places_told() == {(anna.user_id, 1), (bruno.user_id, 1), (carla.user_id, 4)}


def read_places_told() -> set[tuple[int | None, int]]:
    return {(mail.user_id, mail.values["rank"]) for mail in Mail.objects.filter(kind="circuit_place")}


@pytest.mark.rule("Y3")
def test_an_annulled_tournament_counts_for_nobody(opened: Opened, organiser: Player, now: datetime) -> None:
    running = open_real(opened, seeding="organiser")
    type_names(running, ["Lino", "Mara", "Nora"], now)
    draw_present(running, now)
    circuit = make_circuit(organiser, now, running)
    cancel_tournament(tournament_id=running.pk, by=organiser, now=now, reason="Manca la luce")
    sweep_circuits(now)
    assert read_totals(circuit) == []
    with pytest.raises(CircuitError, match=r"^empty$"):
        actions.end_circuit(circuit_id=circuit.pk, by=organiser, now=now)


@pytest.mark.rule("Y3")
def test_who_never_came_has_no_row(opened: Opened, organiser: Player, now: datetime) -> None:
    from tournaments.desk.results import declare_forfeit

    tournament = open_real(opened, seeding="organiser")
    type_names(tournament, ["Lino", "Mara", "Nora"], now)
    draw_present(tournament, now)
    absent = find_person(tournament, "Nora").memberships.get().entry_id
    for number in (1, 2, 3):
        for fixture in list_round(tournament, number):
            if absent in (fixture.first_id, fixture.second_id):
                lines = (0 if fixture.first_id == absent else 1,)
                act = build_act(organiser, now)
                declare_forfeit(tournament_id=tournament.pk, fixture_id=fixture.pk, lines=lines, act=act)
    play_out(tournament, now)
    circuit = make_circuit(organiser, now, tournament, table="places", places=(3, 2, 1))
    assert [name for _rank, name, _total in read_totals(circuit)] == ["Lino", "Mara"]


@pytest.mark.rule("Y4")
def test_a_mark_is_free_where_a_tournament_is_in_no_circuit(evenings: list[Tournament], now: datetime) -> None:
    mark_circuits(evenings[0], now)
    assert not Circuit.objects.filter(due_at__isnull=False).exists()
