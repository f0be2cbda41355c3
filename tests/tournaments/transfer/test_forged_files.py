"""Files that somebody wrote by hand, with the digest of what they wrote: what no tournament has, or what another has
played (O9)."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import override_settings

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.desk import build_act
from tests.support.real_tables import draw_real, open_real
from tests.support.standings import create_field
from tests.support.tournaments import GIRONE, Opened
from tests.support.transfer import change_file, finish, rule_ready
from tournaments.desk.substitution import replace_typed_person
from tournaments.fees.actions import set_fees
from tournaments.fees.shares import Prize
from tournaments.models import Tournament
from tournaments.transfer.document import MAX_REVISION, Document
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import lend_tournament, take_in_file
from tournaments.transfer.outgoing import make_copy

pytestmark = [pytest.mark.django_db]

DANESE = replace(GIRONE, name="Danese in piazza", format="danese", max_entries=8)
ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")


def refuse(data: bytes, by: Player, now: datetime) -> list[tuple[str, str]]:
    """The faults of a refused file, of which nothing was written."""
    before = Tournament.objects.count()
    with ELSEWHERE, pytest.raises(FileRefused) as refused:
        take_in_file(data=data, by=by, now=now)
    assert Tournament.objects.count() == before
    return [(fault.code, fault.place) for fault in refused.value.faults]


def change_header(data: bytes, **values: Any) -> bytes:
    """The file with another header, and the digest of that."""
    whole = json.loads(data) | values
    return Document(**{name: whole[name] for name in Document.__slots__}).encode()


@pytest.mark.rule("O9", "O10")
@pytest.mark.parametrize(
    "prizes",
    [
        ["coppa"],
        [[1]],
        [[True, "coppa"]],
        [[-1, "coppa"]],
        [[10**9, "coppa"]],
        [[100, ["coppa"]]],
        [[100, "coppa\u202e"]],
        [[100, "x" * 81]],
    ],
)
def test_prizes_that_nobody_can_give_are_refused_o9(
    opened: Opened, referee: Player, now: datetime, prizes: Any
) -> None:
    data = make_copy(open_real(opened), now)
    forged = change_file(data, lambda body: body["tournament"].update(prizes=prizes))
    assert refuse(forged, referee, now) == [("wrong_kind", "tournament.prizes[1]")]


@pytest.mark.rule("O9")
def test_more_prizes_than_there_can_be_are_refused_o9(opened: Opened, referee: Player, now: datetime) -> None:
    data = make_copy(open_real(opened), now)
    forged = change_file(data, lambda body: body["tournament"].update(prizes=[[1, ""]] * 65))
    assert refuse(forged, referee, now) == [("wrong_kind", "tournament.prizes[65]")]


@pytest.mark.rule("O9")
def test_nothing_has_happened_in_the_future_o9(
    field: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    finish(field, organiser, now)
    late = (now + timedelta(days=2)).isoformat()
    for name in ("created_at", "drawn_at", "finished_at"):
        forged = change_file(make_copy(field, now), lambda body, name=name: body["tournament"].update({name: late}))
        assert refuse(forged, referee, now) == [("in_future", f"tournament.{name}")]


@pytest.mark.rule("O9")
@pytest.mark.parametrize(
    ("name", "seconds"), [("turn_timeout", 0), ("match_clock", 2**31 - 1), ("noshow_after", 0), ("pause", 10**6)]
)
def test_clocks_that_nobody_could_play_by_are_refused_o9(
    opened: Opened, referee: Player, now: datetime, name: str, seconds: int
) -> None:
    data = make_copy(create_field(opened, GIRONE, 4, now, draw=False), now)
    forged = change_file(data, lambda body: body["tournament"].update({name: seconds}))
    assert refuse(forged, referee, now) == [("out_of_range", f"tournament.{name}")]


@pytest.mark.rule("O9")
def test_a_revision_leaves_room_to_go_on_o9(opened: Opened, referee: Player, now: datetime) -> None:
    data = make_copy(open_real(opened), now)
    assert refuse(change_header(data, revision=MAX_REVISION + 1), referee, now) == [("out_of_range", "revision")]


@arrange_once
def lent(opened: Opened, organiser: Player, now: datetime) -> Tournament:
    """A danese at real tables whose first round has been played, before it is lent."""
    tournament = draw_real(opened, 4, now, DANESE)
    rule_ready(tournament, organiser, now)
    return tournament


def lend(tournament: Tournament, now: datetime) -> bytes:
    return lend_tournament(tournament_id=tournament.pk, by=tournament.organiser, to="Sala", now=now)


def swap_sides(body: Any) -> None:
    """Swap two who met, with all that the result gave them: the loser has won."""
    fixture = body["rounds"][0]["fixtures"][0]
    fixture["first"], fixture["second"] = fixture["second"], fixture["first"]
    pair = [entry for entry in body["entries"] if entry["id"] in (fixture["first"], fixture["second"])]
    for name in ("rank", "played", "won", "drawn", "mp", "vp", "separation"):
        pair[0][name], pair[1][name] = pair[1][name], pair[0][name]


def swap_people(body: Any) -> None:
    first, second = body["entries"][:2]
    first["members"], second["members"] = second["members"], first["members"]


def name_players(body: Any) -> None:
    fixture = body["rounds"][0]["fixtures"][0]
    other = body["rounds"][0]["fixtures"][1]
    members = {entry["id"]: [member["person"] for member in entry["members"]] for entry in body["entries"]}
    fixture["line_ups"] = [members[other["first"]], members[other["second"]]]


@pytest.mark.rule("O9")
@pytest.mark.parametrize(
    ("forge", "places"),
    [
        (swap_sides, ["rounds[1].fixtures[1]"]),
        (swap_people, ["entries: 1", "entries: 2"]),
        (name_players, ["rounds[1].fixtures[1]"]),
    ],
)
def test_a_file_that_returns_gives_nobodys_result_to_another_o9(
    lent: Tournament, organiser: Player, now: datetime, forge: Callable[[Any], None], places: list[str]
) -> None:
    forged = change_file(lend(lent, now), forge)
    with pytest.raises(FileRefused) as refused:
        take_in_file(data=forged, by=organiser, now=now)
    assert [(fault.code, fault.place) for fault in refused.value.faults] == [("no_act", place) for place in places]


@pytest.mark.rule("O9", "O10", "F2")
def test_who_was_replaced_elsewhere_and_prizes_set_there_come_back_o9(
    lent: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    data = lend(lent, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        member = away.members.order_by("entry__seed")[0]
        replace_typed_person(
            tournament_id=away.pk, entry_id=member.entry_id, person_id=member.person_id, name="Zoe Zeta",
            act=build_act(referee, now),
        )  # fmt: skip
        set_fees(tournament_id=away.pk, by=referee, fee_cents=0, prizes=[Prize(5000, "coppa")], now=now)
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    take_in_file(data=back, by=organiser, now=now)
    lent.refresh_from_db()
    assert lent.prizes == [[5000, "coppa"]]
    assert lent.members.order_by("entry__seed")[0].person.name == "Zoe Zeta"
