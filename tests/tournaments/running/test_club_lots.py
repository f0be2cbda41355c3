"""Protection of clubs (EV9) in tournaments: where clubs come from, what the draw did with them, and how it is told."""

import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings

from players.models import Player
from tests.support.entries import enter_all
from tests.support.html import read_text
from tests.support.keys import address_of, key_for, send
from tests.support.pages import tournament_url
from tests.support.people import sign_in
from tests.support.play import stored_equals_recomputed
from tests.support.real_tables import draw_present, list_round, open_real
from tests.support.tournaments import KO, Opened
from tests.support.transfer import change_file
from tournaments.core.draw_secret import read_drawn
from tournaments.entries.checkin import check_in_everybody
from tournaments.entries.typed_names import type_entries
from tournaments.lists.people_list import read_text as read_list
from tournaments.models import Club, ClubMember, EntryMember, Tournament
from tournaments.rounds import drafts
from tournaments.rounds.swaps import swap_entries
from tournaments.running.line_clubs import read_clubs
from tournaments.running.start import start_due
from tournaments.transfer.loans import take_in_file
from tournaments.transfer.outgoing import make_copy

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV9")]

CHECK = Path(__file__).resolve().parents[3] / "docs" / "examples" / "check_draw.mjs"
ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")
APART: dict[str, Any] = {"format": "ko", "format_options": {"apart": True}}


def type_list(tournament: Tournament, clubs: list[str], now: datetime) -> None:
    """Enter as many people as there are clubs, by a list with a column for them."""
    rows = [f"Ada {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[number]};{club}" for number, club in enumerate(clubs)]
    listed = read_list("\n".join(["Nome;Circolo", *rows]), kind=tournament.entry_kind, by_lot=False)
    assert not listed.problems
    by = tournament.organiser
    type_entries(tournament_id=tournament.pk, by=by, rows=listed.entries, now=now)


def list_met(tournament: Tournament) -> list[tuple[str, str]]:
    """The clubs of each first-round fixture."""
    club = dict(EntryMember.objects.filter(tournament=tournament).values_list("entry_id", "club"))
    return [(club[f.first_id], club[f.second_id]) for f in list_round(tournament, 1) if f.first_id and f.second_id]


def list_clubs(tournament: Tournament) -> list[str]:
    return sorted(EntryMember.objects.filter(tournament=tournament).values_list("club", flat=True))


def open_sixteen(opened: Opened, now: datetime, **changed: Any) -> Tournament:
    """A knockout of sixteen at real tables in the organiser's order, where 5 and 12, and 6 and 11 are of one club."""
    tournament = open_real(opened, **{**APART, "seeding": "organiser", **changed})
    clubs = {5: "Arci Tre Re", 12: "arci tre re", 6: "Bar Sport", 11: "Bar Sport"}
    type_list(tournament, [clubs.get(number, f"Casa {number}") for number in range(1, 17)], now)
    return tournament


def test_those_of_one_club_in_a_list_change_places_by_lot_and_the_page_says_so(opened: Opened, now: datetime) -> None:
    tournament = open_sixteen(opened, now)
    draw_present(tournament, now)
    assert all(one.casefold() != other.casefold() for one, other in list_met(tournament))
    drawn = read_drawn(Tournament.objects.get(pk=tournament.pk))
    assert drawn is not None
    assert drawn.of_one_club == (2, 0)
    assert len(drawn.parted) == 2
    numbers = [number for pair in drawn.parted for number in pair]
    assert min(numbers) > 4, "the first four stay"
    text = read_text(Client().get(tournament_url("draw", tournament)))
    assert "2 senza protezione, 0 con la protezione" in text
    assert "Hanno cambiato posto a sorte" in text
    assert stored_equals_recomputed(Tournament.objects.get(pk=tournament.pk))


def test_the_draw_is_checked_by_hand_with_the_changes_for_clubs_and_those_by_hand(
    opened: Opened, now: datetime, tmp_path: Path
) -> None:
    tournament = open_sixteen(opened, now, seeding="lot")
    check_in_everybody(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    draft = drafts.draw_round(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    desk = sign_in(tournament.organiser).get(tournament_url("tournament-rounds", tournament))
    assert "con la protezione" in read_text(desk), "who publishes it sees what was done"
    one, other = draft.order[0], draft.order[15]
    swap_entries(tournament_id=tournament.pk, first_id=one, second_id=other, by=tournament.organiser, now=now)
    kept = drafts.read_draft(Tournament.objects.get(pk=tournament.pk))
    assert kept is not None
    assert kept.apart == draft.apart
    drafts.publish_round(tournament_id=tournament.pk, number=1, by=tournament.organiser, now=now)
    whole = Client().get(tournament_url("draw-json", tournament))
    assert len(whole.json()["clubs"]) == 16
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    file = tmp_path / "draw.json"
    file.write_bytes(whole.content)
    subprocess.run([node, str(CHECK), str(file)], check=True, capture_output=True)


def test_accounts_are_of_the_clubs_they_are_members_of_and_of_the_one_that_the_list_says(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = opened(KO, format_options={"apart": True}, starts_at=now + timedelta(hours=1), max_entries=8)
    enter_all(tournament, four, now)
    clubs = [Club.objects.create(name=name, created_at=now) for name in ("Arci", "Bar Sport")]
    for player, club, confirmed in ((four[0], 0, True), (four[1], 0, True), (four[1], 1, True), (four[2], 1, False)):
        ClubMember.objects.create(player=player, club=clubs[club], confirmed=confirmed, since=now)
    EntryMember.objects.filter(tournament=tournament, person=four[3].person).update(club="BAR  SPORT")
    order = [tournament.entries.get(members__person=player.person).pk for player in four]
    first, second, third, fourth = read_clubs(tournament, order)
    assert first & second
    assert second & fourth
    assert not first & fourth
    assert third == frozenset(), "who only asks is no member"
    start_due(tournament_id=tournament.pk, now=now + timedelta(hours=1))
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    assert stored_equals_recomputed(tournament)


def test_a_danese_keeps_them_apart_in_its_first_round_and_is_recomputed(opened: Opened, now: datetime) -> None:
    options = {"rounds": 3, "apart": True, "apart_always": True}
    tournament = open_real(opened, format="danese", format_options=options, seeding="organiser")
    type_list(tournament, ["Arci", "Bar"] * 3, now)
    draw_present(tournament, now)
    assert all(one != other for one, other in list_met(tournament))
    assert stored_equals_recomputed(Tournament.objects.get(pk=tournament.pk))


def test_without_the_option_nobody_moves_and_the_page_says_nothing(opened: Opened, now: datetime) -> None:
    tournament = open_sixteen(opened, now, format_options={})
    draw_present(tournament, now)
    assert sum(one.casefold() == other.casefold() for one, other in list_met(tournament)) == 2
    assert "Protezione di circolo" not in read_text(Client().get(tournament_url("draw", tournament)))


def test_a_club_is_corrected_by_page_and_by_programs_and_travels_with_the_file(
    opened: Opened, now: datetime, referee: Player
) -> None:
    tournament = open_sixteen(opened, now)
    member = EntryMember.objects.filter(tournament=tournament).order_by("pk")[0]
    data = {"names": [{"name": "Ada A", "club": "Dopolavoro"}]}
    key = key_for(tournament)
    assert send(key, f"{address_of(tournament)}entries/{member.entry_id}/", data, method="patch").status_code == 200
    member.refresh_from_db()
    assert member.club == "Dopolavoro"
    with_number = {"names": [{"name": "Ada A", "club": "2"}]}
    send(key, f"{address_of(tournament)}entries/{member.entry_id}/", with_number, method="patch")
    member.refresh_from_db()
    assert member.club == "", "a number tells namesakes apart"


def test_clubs_and_what_was_done_with_them_travel_and_files_from_before_have_none(
    opened: Opened, now: datetime, referee: Player
) -> None:
    tournament = open_sixteen(opened, now)
    before = list_clubs(tournament)
    draw_present(tournament, now)
    data = make_copy(Tournament.objects.get(pk=tournament.pk), now)

    def forget(body: dict[str, Any]) -> None:
        for entry in body["entries"]:
            for member in entry["members"]:
                del member["club"]

    other = make_copy(open_sixteen(opened, now), now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        old = take_in_file(data=change_file(other, forget), by=referee, now=now)
    assert list_clubs(away) == before
    assert set(list_clubs(old)) == {""}
    there, here = read_drawn(away), read_drawn(tournament)
    assert there is not None
    assert here is not None
    assert (there.clubs, there.parted, there.of_one_club) == (here.clubs, here.parted, here.of_one_club)
