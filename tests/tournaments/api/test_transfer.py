"""A tournament that travels by programs (O9): copied, lent, recalled, and taken in at another site and back."""

import json
from datetime import datetime

import pytest
from django.test import Client, override_settings

from players import caps
from players.models import Player
from tests.support.keys import by_key, code, key_for, make_key, send
from tests.support.real_tables import draw_real
from tests.support.tournaments import Opened
from tournaments.transfer.document import MAX_FILE_BYTES

pytestmark = pytest.mark.django_db

LIST = "/api/v1/tournaments/"
ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")


@pytest.mark.rule("O9", "AP7")
def test_a_loan_goes_to_another_site_and_comes_back_o9_u7(opened: Opened, referee: Player, now: datetime) -> None:
    tournament = draw_real(opened, 4, now)
    key, own = key_for(tournament), f"{LIST}{tournament.public_id}/"
    lent = send(key, f"{own}lend/", {"to": "Bar Sport"})
    assert lent.status_code == 200, lent.content
    assert code(send(key, f"{own}roll-call/")) == (409, "lent")
    with ELSEWHERE:
        theirs = by_key(make_key(referee))
        there = send(theirs, f"{LIST}import/", lent.json())
        assert there.status_code == 201, there.content
        away = f"{LIST}{there.json()['public_id']}/"
        place = f"{away}fixtures/1-1/result/"
        entered = theirs.put(place, json.dumps({"points": [8, 3]}), "application/json")
        assert entered.status_code == 200, "the key organises what it has brought"
        back = send(theirs, f"{away}lend/", {"to": "a casa"}).json()
    assert code(send(by_key(make_key(tournament.organiser)), f"{LIST}import/", back)) == (403, "not_chosen")
    home = send(key, f"{LIST}import/", back)
    assert (home.status_code, home.json()["public_id"]) == (201, tournament.public_id)
    assert key.get(f"{own}fixtures/1-1/").json()["points"] == [8, 3]
    assert code(send(key, f"{LIST}import/", back))[0] == 409, "once"


@pytest.mark.rule("O9", "AP4")
def test_copies_are_for_who_runs_it_and_what_is_no_file_is_refused_o9_u4(
    opened: Opened, anna: Player, now: datetime
) -> None:
    tournament = draw_real(opened, 4, now)
    key, own = key_for(tournament), f"{LIST}{tournament.public_id}/"
    copy = key.get(f"{own}copy/").json()
    with ELSEWHERE:
        theirs = by_key(make_key(anna))
        broken = copy | {"revision": copy["revision"] + 1}
        refused = send(theirs, f"{LIST}import/", {"file": broken})
        assert (code(refused), refused.json()["values"]["problems"]) == (
            (409, "file_refused"),
            [{"code": "damaged", "place": ""}],
        )
        assert code(send(theirs, f"{LIST}import/", {"file": [1.5]})) == (409, "file_refused")
        assert send(theirs, f"{LIST}import/", {"file": copy}).status_code == 201
        unchosen = by_key(make_key(anna, targets=["own"]))
        assert code(send(unchosen, f"{LIST}import/", {"file": copy}))[0] in (403, 409)
    assert by_key(make_key(anna)).get(f"{own}copy/").status_code == 403
    assert Client().get(f"{own}copy/").status_code == 401
    send(key, f"{own}lend/", {"to": "Bar Sport"})
    assert send(key, f"{own}recall/").status_code == 200
    assert code(send(key, f"{own}recall/")) == (409, "not_lent")


@pytest.mark.rule("AP4", "O9")
def test_no_more_of_a_body_is_read_than_a_program_has_to_say_u4_o9(organiser: Player) -> None:
    key = by_key(make_key(organiser))
    long = {"name": "x" * caps.API_BODY_BYTES}
    assert code(send(key, LIST, long)) == (413, "too_long")
    assert send(key, LIST, long).json()["values"] == {"limit": caps.API_BODY_BYTES}
    assert code(send(key, f"{LIST}import/", {"file": long})) == (409, "file_refused"), "a file may be longer"
    assert code(send(key, f"{LIST}import/", {"file": "x" * MAX_FILE_BYTES + "x" * 1024})) == (413, "too_long")
