"""People at real tables who enter themselves by name, without an account (O2): the services."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from players import caps
from players.models import Person, Player
from tests.support.entries import list_placed, list_waiting
from tests.support.real_tables import draw_present, open_real, type_names
from tests.support.tournaments import PAIRS, Opened, catch_code
from tournaments.core.errors import TournamentError
from tournaments.core.reads import read_all_entries
from tournaments.entries import approvals, join
from tournaments.lists.typed_entries import TypedPerson
from tournaments.models import Entry, LogEntry, Tournament
from tournaments.own_names import self_entry

pytestmark = pytest.mark.django_db

HALL = "192.0.2.7"


def enter(tournament: Tournament, *names: str, now: datetime, key: str = "", **how: Any) -> Entry:
    """Enter these names; the key is made of them, unless another is given."""
    known: dict[str, Any] = {"player": None, "address": HALL, **how}
    people = tuple(name if isinstance(name, TypedPerson) else TypedPerson(name) for name in names)
    return self_entry.enter_by_name(
        tournament_id=tournament.pk, people=people, own_key=key or "+".join(names), now=now, **known
    )


def list_typed() -> list[str]:
    """The names of all people without an account."""
    return sorted(Person.objects.filter(player=None).values_list("typed_name", flat=True))


def catch_problems(tournament: Tournament, *names: str, now: datetime, **how: Any) -> list[str]:
    with pytest.raises(TournamentError) as refused:
        enter(tournament, *names, now=now, **how)
    return [problem.code for problem in refused.value.values["problems"]]


@pytest.mark.rule("O2")
def test_who_writes_a_name_is_entered_without_an_account(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    entry = enter(tournament, "Ada Neri", now=now)
    assert list_placed(tournament) == ["Ada Neri"]
    assert entry.members.get().person.player is None
    assert "Ada Neri" not in entry.link_digest
    (row,) = read_all_entries(tournament)
    assert row.by_self
    assert LogEntry.objects.get(tournament=tournament, code="self_joined").player is None


@pytest.mark.rule("O2")
def test_the_same_form_sent_twice_makes_one_entry(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    first = enter(tournament, "Ada Neri", now=now, key="one")
    assert enter(tournament, "Ada Neri", now=now, key="one") == first
    assert catch_problems(tournament, "ada  neri", now=now, key="two") == ["in_already"]
    assert enter(tournament, "Ada Neri", now=now, key="two", another=True) != first
    assert list_placed(tournament) == ["Ada Neri", "Ada Neri (2)"]


@pytest.mark.rule("O2")
def test_names_are_checked_as_those_the_organiser_types(opened: Opened, now: datetime) -> None:
    alone, pairs = open_real(opened), open_real(opened, PAIRS, name="Coppie")
    assert catch_problems(alone, "Staff Smazzata", now=now) == ["name_reserved"]
    assert catch_problems(alone, "Ad@ma", now=now) == ["name_characters"]
    assert catch_problems(pairs, "Ada Neri", now=now) == ["partner_missing"]
    assert catch_problems(pairs, "Ada Neri", "ada neri", now=now) == ["same_person"]
    enter(pairs, "Ada Neri", "Bice Neri", now=now)
    assert catch_problems(pairs, "Bice Neri", "Ada Neri", now=now) == ["in_already"]
    assert catch_problems(pairs, "Ciro Neri", "Ada Neri", now=now) == ["in_already"], "with another partner"
    assert not alone.entries.exists()
    assert pairs.entries.count() == 1
    enter(pairs, "Ada Neri", "Ada Neri", now=now, another=True, key="father and son")
    assert list_placed(pairs) == ["Ada Neri+Bice Neri", "Ada Neri (2)+Ada Neri (3)"]


@pytest.mark.rule("O2", "I1")
def test_a_minor_is_shown_by_initials(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    enter(tournament, TypedPerson("Ada Neri", minor=True), now=now, key="one")  # type: ignore[arg-type]
    assert [row.name for row in read_all_entries(tournament)] == ["A. N."]


@pytest.mark.rule("O2", "I1")
def test_no_suffix_and_no_refusal_tells_a_minors_name(opened: Opened, now: datetime) -> None:
    alone, pairs = open_real(opened), open_real(opened, PAIRS, name="Coppie")
    minor = TypedPerson("Ada Neri", minor=True)
    enter(alone, minor, now=now, key="one")  # type: ignore[arg-type]
    enter(alone, "Ada Neri", now=now, key="two")
    enter(alone, TypedPerson("Anna Nardi", minor=True), now=now, key="three")  # type: ignore[arg-type]
    assert [row.name for row in read_all_entries(alone)] == ["A. N.", "Ada Neri", "A. N. (2)"]
    enter(pairs, minor, "Bice Neri", now=now, key="one")  # type: ignore[arg-type]
    assert catch_problems(pairs, "Ada Neri", "Bice Neri", now=now, key="two") == ["in_already"], "of the other one"
    assert enter(pairs, "Ada Neri", "Dora Neri", now=now, key="three"), "nobody is told that she is in"


@pytest.mark.rule("O2", "E3")
def test_nobody_enters_by_name_where_it_is_not_open_to_them(opened: Opened, now: datetime) -> None:
    for settings, code in (
        ({"registration": "list"}, "list_only"),
        ({"guests_allowed": False}, "account_needed"),
        ({"registration": "link"}, "link_needed"),
        ({"registration": "code"}, "code_needed"),
    ):
        tournament = open_real(opened, **settings)
        assert catch_code(enter, tournament=tournament, now=now, key="one") == code
    by_code = Tournament.objects.get(registration="code")
    enter(by_code, "Ada Neri", now=now, join_key=by_code.join_code.lower())
    assert list_placed(by_code) == ["Ada Neri"]
    assert catch_code(enter, tournament=opened(), now=now, key="one") == "not_real"
    begun = open_real(opened, name="Altro")
    type_names(begun, ["Ada", "Bice"], now)
    draw_present(begun, now)
    assert catch_code(enter, tournament=begun, now=now, key="one") == "registration_closed"


@pytest.mark.rule("O2", "E3")
def test_where_entries_are_approved_the_organiser_answers(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, registration="approval", guests_allowed=True)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    good, bad = enter(tournament, "Ada Neri", now=now), enter(tournament, "Zeta Bianchi", now=now)
    assert list_placed(tournament) == []
    approvals.approve_entries(entry_id=good.pk, **about)
    approvals.turn_down_entries(entry_id=bad.pk, **about)
    assert list_placed(tournament) == ["Ada Neri"]
    assert list_typed() == ["Ada Neri"], "nothing stays of whoever was turned down"
    approvals.remove_entry(entry_id=good.pk, **about)
    assert not Person.objects.filter(player=None).exists()


@pytest.mark.rule("O2", "E3")
def test_in_a_full_tournament_a_name_waits_and_moves_up(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, max_entries=2)
    enter(tournament, "Ada Neri", now=now)
    enter(tournament, "Bice Neri", now=now)
    assert catch_full(tournament, now) == "full"
    enter(tournament, "Ciro Verdi", now=now, wait=True)
    assert (list_placed(tournament), list_waiting(tournament)) == (["Ada Neri", "Bice Neri"], ["Ciro Verdi"])
    self_entry.leave_by_key(tournament_id=tournament.pk, own_key="Ada Neri", now=now)
    assert list_placed(tournament) == ["Bice Neri", "Ciro Verdi"]
    assert not Person.objects.filter(typed_name="Ada Neri").exists()


def catch_full(tournament: Tournament, now: datetime) -> str:
    with pytest.raises(TournamentError) as refused:
        enter(tournament, "Dora Verdi", now=now)
    return refused.value.code


@pytest.mark.rule("O2")
def test_the_key_opens_its_own_entry_until_the_end(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    other = open_real(opened, name="Altro")
    entry = enter(tournament, "Ada Neri", now=now)
    type_names(tournament, ["Bice"], now)
    leave: Any = self_entry.leave_by_key
    assert self_entry.find_entry(tournament, "Ada Neri") == entry
    assert self_entry.find_entry(other, "Ada Neri") is None
    assert self_entry.find_entry(tournament, "") is None, "typed names have no key"
    assert catch_code(leave, tournament_id=other.pk, own_key="Ada Neri", now=now) == "entry_gone"
    draw_present(tournament, now)
    assert self_entry.find_entry(tournament, "Ada Neri") == entry
    assert catch_code(leave, tournament_id=tournament.pk, own_key="Ada Neri", now=now) == "drawn"
    tournament.state = Tournament.State.FINISHED
    assert self_entry.find_entry(tournament, "Ada Neri") is None


@pytest.mark.rule("O2")
def test_an_account_enters_with_a_partner_who_has_none(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = open_real(opened, PAIRS)
    entry = enter(tournament, "Bice Neri", now=now, player=anna)
    assert tournament.members.of_player(anna).get().entry == entry
    assert list_placed(tournament) == ["Anna+Bice Neri"]
    again: Any = {"tournament": tournament, "now": now, "player": anna, "key": "two"}
    assert catch_code(enter, **again) == "already_entered"
    join.leave_tournament(tournament_id=tournament.pk, player=anna, now=now)
    assert not Person.objects.filter(player=None).exists(), "the partner's name goes too"
    alone = open_real(opened, name="Altro")
    assert catch_code(enter, **{**again, "tournament": alone}) == "not_pairs"


@pytest.mark.rule("O2")
def test_who_waited_in_vain_leaves_no_name(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, max_entries=2)
    for name in ("Ada Neri", "Bice Neri", "Ciro Verdi"):
        enter(tournament, name, now=now, wait=True)
    draw_present(tournament, now)
    assert list_typed() == ["Ada Neri", "Bice Neri"]


@pytest.mark.rule("O2")
def test_one_address_may_fill_a_tournament_and_no_more_than_twice(opened: Opened, now: datetime) -> None:
    tournament, other = open_real(opened, max_entries=4), open_real(opened, name="Altro")
    most = caps.SELF_ENTRIES_A_PLACE * tournament.max_entries
    for number in range(most):
        enter(tournament, "Ada Neri", now=now, key=f"key {number}", wait=True)
        self_entry.leave_by_key(tournament_id=tournament.pk, own_key=f"key {number}", now=now)
    with pytest.raises(TournamentError) as refused:
        enter(tournament, "Ada Neri", now=now)
    assert refused.value.code == "self_often"
    assert not tournament.entries.exists()
    enter(tournament, "Ada Neri", now=now, address="198.51.100.1")
    enter(other, "Ada Neri", now=now)
    enter(tournament, "Bice Neri", now=now + timedelta(days=1, seconds=1))


@pytest.mark.rule("O2")
def test_one_address_is_counted_over_all_tournaments(
    opened: Opened, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "SELF_ENTRIES_AN_ADDRESS", (caps.Cap(1, caps.DAY),))
    enter(open_real(opened), "Ada Neri", now=now)
    with pytest.raises(TournamentError) as refused:
        enter(open_real(opened, name="Altro"), "Ada Neri", now=now)
    assert refused.value.code == "self_often"
