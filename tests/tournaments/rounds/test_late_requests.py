"""Late requests, and players who say which rounds they sit out (D2, D3): accounts, and names at real tables."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from players.models import Person, Player
from tests.support.arrangements import arrange_once
from tests.support.entries import enter_all
from tests.support.html import read_attribute, read_hooks
from tests.support.pages import read_page, tournament_url
from tests.support.people import sign_in
from tests.support.real_tables import draw_present, open_real, publish_next, type_names
from tests.support.tournaments import PAIRS, Opened, catch_code
from tournaments.core.errors import TournamentError
from tournaments.lists.typed_entries import TypedPerson
from tournaments.models import Entry, LateRequest, RoundBye, Tournament
from tournaments.organise.lifecycle import cancel_tournament
from tournaments.own_names import self_entry
from tournaments.rounds import drafts, late_requests
from tournaments.rounds import wishes as round_wishes
from tournaments.rounds.late_requests import answer_late_request, ask_to_enter_late

pytestmark = pytest.mark.django_db

DANESE: dict[str, Any] = {"format": "danese", "format_options": {"rounds": 4, "late": 2}}


@arrange_once
def tournament(opened: Opened, now: datetime) -> Tournament:
    """A danese at real tables whose first round is played."""
    made = open_real(opened, **DANESE)
    type_names(made, ["Ada Neri", "Bice Neri", "Ciro Verdi"], now)
    enter_self(made, "Dora Verdi", now)
    draw_present(made, now)
    return made


def enter_self(tournament: Tournament, name: str, now: datetime) -> Entry:
    """Enter a name by itself; its key is the name."""
    return self_entry.enter_by_name(
        tournament_id=tournament.pk,
        player=None,
        people=(TypedPerson(name),),
        own_key=name,
        address="192.0.2.7",
        now=now,
    )


def ask(tournament: Tournament, now: datetime, *names: str, player: Player | None = None, **how: Any) -> LateRequest:
    people = tuple(map(TypedPerson, names))
    known: dict[str, Any] = {"own_key": "+".join(names), "address": "192.0.2.7", **how}
    return ask_to_enter_late(tournament_id=tournament.pk, player=player, people=people, now=now, **known)


def answer(asked: LateRequest, now: datetime, *, yes: bool = True, by: Player | None = None) -> None:
    about: dict[str, Any] = {"tournament_id": asked.tournament_id, "request_id": asked.pk, "now": now, "yes": yes}
    answer_late_request(by=by or asked.tournament.organiser, **about)


@pytest.mark.rule("D2")
def test_who_comes_late_asks_and_plays_once_the_organiser_lets_them_in(tournament: Tournament, now: datetime) -> None:
    asked = ask(tournament, now, "Zita Bo")
    assert tournament.entries.count() == 4
    assert not tournament.log.filter(code="joined_late").exists()
    answer(asked, now)
    entry = tournament.entries.get(members__person__typed_name="Zita Bo")
    assert (entry.vp, entry.seed, list(entry.byes.values_list("number", "kind"))) == (10, 5, [(1, "missed")])
    assert self_entry.find_entry(tournament, "Zita Bo") == entry, "the same key opens the entry now"
    assert not tournament.late_requests.exists()
    with pytest.raises(TournamentError, match=r"^list_refused$"):
        ask(tournament, now, "Zita Bo", own_key="two")
    other = ask(tournament, now, "Zita Bo", own_key="two", another=True)
    answer(other, now)
    assert tournament.entries.filter(members__person__suffix="2").count() == 1, "a namesake"


@pytest.mark.rule("D2")
def test_an_account_that_asks_has_agreed(tournament: Tournament, anna: Player, bruno: Player, now: datetime) -> None:
    asked = ask(tournament, now, player=anna)
    assert catch_code(ask, tournament=tournament, now=now, player=anna) == "late_asked_already"
    assert catch_code(answer, asked=asked, by=bruno, now=now) == "not_organiser"
    answer(asked, now)
    assert tournament.members.of_player(anna).exists()
    assert catch_code(ask, tournament=tournament, now=now, player=anna) == "already_entered"
    assert catch_code(answer, asked=asked, now=now) == "entry_gone"
    refused = ask(tournament, now, player=bruno)
    answer(refused, now, yes=False)
    assert not tournament.members.of_player(bruno).exists()
    late_requests.take_late_request_back(
        tournament_id=tournament.pk,
        player=ask(tournament, now, player=bruno).player,
        now=now,  # type: ignore[arg-type]
    )
    assert not tournament.late_requests.exists()


@pytest.mark.rule("D2")
def test_on_the_site_an_account_asks_too(opened: Opened, four: list[Player], now: datetime) -> None:
    made = enter_all(opened(**DANESE, publishes_rounds=True, max_entries=8), four[:3], now)
    about: dict[str, Any] = {"tournament_id": made.pk, "by": made.organiser, "now": now}
    draft = drafts.draw_round(**about)
    drafts.publish_round(number=draft.round, **about)
    assert catch_code(ask, tournament=made, now=now) == "not_signed_in"
    answer(ask(made, now, player=four[3]), now)
    assert made.members.of_player(four[3]).exists()


@pytest.mark.rule("D2", "O2")
def test_nobody_asks_where_late_entries_are_closed_or_not_theirs(
    tournament: Tournament, opened: Opened, anna: Player, now: datetime
) -> None:
    waiting = ask(tournament, now, player=anna)
    named = ask(tournament, now, "Zita Bo")
    members: dict[str, Any] = {"registration": "open", "guests_allowed": False}
    for settings, code in (({"registration": "list"}, "list_only"), (members, "account_needed")):
        Tournament.objects.filter(pk=tournament.pk).update(**settings)
        assert catch_code(ask, tournament=tournament, now=now) == code
    Tournament.objects.filter(pk=tournament.pk).update(format_options={"rounds": 4, "late": 1})
    assert catch_code(ask, tournament=tournament, now=now) == "late_closed"
    assert catch_code(answer, asked=waiting, now=now) == "late_closed"
    assert LateRequest.objects.filter(pk__in=(waiting.pk, named.pk)).count() == 2
    assert catch_code(ask, tournament=open_real(opened, name="Altro"), now=now) == "late_closed"


@pytest.mark.rule("D2")
def test_what_nobody_has_answered_ends_with_the_last_round_to_come_into(
    opened: Opened, anna: Player, now: datetime
) -> None:
    made = open_real(opened, **{**DANESE, "format_options": {"rounds": 4, "late": 2}})
    type_names(made, ["Ada Neri", "Bice Neri", "Ciro Verdi", "Dora Verdi"], now)
    draw_present(made, now)
    ask(made, now, player=anna)
    from tests.support.transfer import rule_ready

    rule_ready(made, made.organiser, now)
    assert made.late_requests.exists()
    publish_next(made, now)
    assert not made.late_requests.exists()


@pytest.mark.rule("D2", "E2")
def test_with_the_tournament_its_requests_end(tournament: Tournament, anna: Player, now: datetime) -> None:
    ask(tournament, now, player=anna)
    ask(tournament, now, "Zita Bo")
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    cancel_tournament(reason="piove", **about)
    assert not tournament.late_requests.exists()
    assert catch_code(ask, tournament=tournament, now=now) == "late_closed"


@pytest.mark.rule("D2", "O2")
def test_pairs_at_real_tables_ask_by_their_names(opened: Opened, anna: Player, now: datetime) -> None:
    made = open_real(opened, PAIRS, **DANESE)
    type_names(made, [("Ada Neri", "Bice Neri"), ("Ciro Verdi", "Dora Verdi"), ("Elio", "Fede")], now)
    draw_present(made, now)
    answer(ask(made, now, "Zita Bo", "Zoe Bo"), now)
    answer(ask(made, now, "Gino Bo", player=anna, own_key=""), now)
    names = {person.name for person in Person.objects.filter(memberships__tournament=made)}
    assert {"Zita Bo", "Zoe Bo", "Gino Bo", "Anna"} <= names


@pytest.mark.rule("D3", "O2")
def test_who_entered_by_name_says_which_round_they_sit_out(tournament: Tournament, now: datetime) -> None:
    entry = self_entry.find_entry(tournament, "Dora Verdi")
    assert entry is not None
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": None, "now": now}
    wish: dict[str, Any] = {**about, "entry_id": entry.pk, "number": 2, "kind": "absent"}
    for wrong in ("", "Ada Neri", "nobody"):
        assert catch_code(round_wishes.leave_out, own_key=wrong, **wish) == "not_organiser"
    round_wishes.leave_out(own_key="Dora Verdi", **wish)
    bye = RoundBye.objects.get(entry=entry)
    assert (bye.kind, bye.by_player) == ("absent", True)
    assert catch_code(round_wishes.take_bye_back, own_key="nobody", bye_id=bye.pk, **about) == "not_organiser"
    round_wishes.take_bye_back(own_key="Dora Verdi", bye_id=bye.pk, **about)
    assert not RoundBye.objects.exists()


@pytest.mark.rule("D3")
def test_players_say_that_they_are_absent_and_undo_only_what_they_said(
    tournament: Tournament, anna: Player, now: datetime
) -> None:
    answer(ask(tournament, now, player=anna), now)
    entry = tournament.entries.of_player(anna).get()
    about: dict[str, Any] = {"tournament_id": tournament.pk, "now": now}
    round_wishes.leave_out(entry_id=entry.pk, number=2, kind="absent", by=anna, **about)
    round_wishes.leave_out(entry_id=entry.pk, number=3, kind="absent", by=tournament.organiser, **about)
    own, organisers = entry.byes.exclude(kind="missed").order_by("number")
    assert catch_code(round_wishes.take_bye_back, bye_id=organisers.pk, by=anna, **about) == "not_organiser"
    round_wishes.take_bye_back(bye_id=own.pk, by=anna, **about)
    assert list(entry.byes.values_list("number", flat=True)) == [1, 3]


# --- Pages ------------------------------------------------------------------------------------------------------------


def send(client: Client, address: str, **typed: str) -> Any:
    names = read_attribute(client.get(address), "name", "input")
    assert not typed or set(typed) <= set(names) | {"kind", "number"}
    return client.post(address, typed, follow=True)


@pytest.mark.rule("D2", "O2")
def test_the_pages_of_who_comes_late(tournament: Tournament, anna: Player, now: datetime) -> None:
    page, late, rounds = (
        tournament_url(name, tournament) for name in ("tournament", "tournament-late", "tournament-rounds")
    )
    organiser, member, visitor = sign_in(tournament.organiser), sign_in(anna), Client()
    for reader in (member, visitor):
        assert "late" in read_hooks(reader.get(page), "action")
    assert "asked_late" in read_hooks(send(visitor, late, player="Zita Bo"), "note")
    assert "late_asked" in read_hooks(member.post(late, follow=True), "notice")
    assert "asked_late" in read_hooks(member.get(late), "note")
    first, second = read_hooks(organiser.get(rounds), "asking")
    assert "late" not in read_hooks(organiser.get(page), "action")
    assert organiser.get(page).context["page"].viewer.late_asked == 2
    done = organiser.post(rounds, {"act": "late-answer", "request": first, "si": "1"}, follow=True)
    assert "joined_late" in read_hooks(done, "notice")
    done = organiser.post(rounds, {"act": "late-answer", "request": second, "no": "1"}, follow=True)
    assert "late_declined" in read_hooks(done, "notice")
    assert "Zita Bo" in read_page(visitor.get(page))
    assert "own_entry" in read_hooks(visitor.get(page), "note")
    assert "late_taken_back" not in read_hooks(member.post(late, {"ritira": "1"}, follow=True), "notice")


@pytest.mark.rule("D2", "O2")
def test_another_name_over_a_form_that_was_sent_is_another_request(tournament: Tournament) -> None:
    late, key = tournament_url("tournament-late", tournament), {"key": "a" * 22}
    sent = [Client().post(late, key | {"player": name})["Location"] for name in ("Zita Bo", "Zita Bo", "Ugo Bo")]
    assert sent[0] == sent[1] != sent[2]
    assert [asked.people[0][0] for asked in tournament.late_requests.order_by("pk")] == ["Zita Bo", "Ugo Bo"]


@pytest.mark.rule("D3", "O2")
def test_the_page_of_rounds_that_an_entry_sits_out(tournament: Tournament, now: datetime) -> None:
    own = tournament_url("own-entry", tournament, "Dora Verdi".replace(" ", "_"))
    assert Client().get(own).status_code == 302, "another key"
    entry = self_entry.find_entry(tournament, "Dora Verdi")
    assert entry is not None
    entry.link_digest = self_entry.compute_key_digest("k" * 22)
    entry.save()
    own, byes = (tournament_url(name, tournament, "k" * 22) for name in ("own-entry", "own-bye"))
    assert "bye" in read_hooks(Client().get(own), "action")
    done = Client().post(byes, {"number": "3", "kind": "absent"}, follow=True)
    assert ("bye_absent" in read_hooks(done, "notice"), read_hooks(done, "bye")) == (True, ["3"])
    done = Client().post(byes, {"number": "2", "kind": "asked"}, follow=True)
    assert read_hooks(done, "kind") == ["asked", "absent"]
    assert "kind-asked" not in read_attribute(done, "id", "input"), "once"
    done = Client().post(byes, {"bye": str(entry.byes.get(number=3).pk)}, follow=True)
    assert read_hooks(done, "bye") == ["2"]


@pytest.mark.rule("D2")
def test_who_may_see_the_pages_of_late_entries(
    tournament: Tournament, opened: Opened, anna: Player, now: datetime
) -> None:
    other = open_real(opened, name="Altro")
    seen = {
        (reader, made.name): sign_in(who).get(tournament_url("tournament-late", made)).status_code
        for reader, who in (("visitor", None), ("member", anna), ("organiser", tournament.organiser))
        for made in (tournament, other)
    }
    assert seen == {
        ("visitor", tournament.name): 200, ("visitor", other.name): 302,
        ("member", tournament.name): 200, ("member", other.name): 302,
        ("organiser", tournament.name): 200, ("organiser", other.name): 302,
    }  # fmt: skip
    wrong = tournament_url("own-bye", tournament, "x" * 22)
    assert Client().get(wrong).status_code == 302
    answer_url = tournament_url("tournament-rounds", tournament)
    for who in (None, anna):
        assert sign_in(who).post(answer_url, {"act": "late-answer", "request": "1", "si": "1"}).status_code == 404
