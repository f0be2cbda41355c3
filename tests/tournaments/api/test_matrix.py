"""Every address of the API by every role: what each may do there, told by the status alone.

Roles: a visitor, a session, a player's key, a key that only reads, an organiser's key for this tournament, their key
for another one, a stranger's key that names this tournament, an organiser's key for what hangs on none. A write that
isn't in the table fails the test.
"""

import json
from datetime import datetime
from typing import Any, NamedTuple

import pytest
from django.core.cache import cache
from django.test import Client

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.entries import enter_all
from tests.support.keys import by_key, make_key
from tests.support.people import create_person, sign_in
from tests.support.routes import list_api_operations
from tests.support.thorough import THOROUGH
from tests.support.tournaments import GIRONE, Opened
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

PUBLIC = frozenset(
    {
        ("get", "/api/v1/matches/{public_id}/"),
        ("post", "/api/v1/records/replay/"),
        ("get", "/api/v1/tournaments/"),
        ("get", "/api/v1/tournaments/{public_id}/"),
        ("get", "/api/v1/tournaments/{public_id}/entries/"),
        ("get", "/api/v1/tournaments/{public_id}/fixtures/"),
        ("get", "/api/v1/tournaments/{public_id}/fixtures/{place}/"),
        ("get", "/api/v1/tournaments/{public_id}/standings/"),
        ("get", "/api/v1/tournaments/{public_id}/log/"),
        ("get", "/api/v1/tournaments/{public_id}/clocks/"),
        ("get", "/api/v1/tournaments/{public_id}/travellers/{round}/"),
        ("get", "/api/v1/tournaments/{public_id}/prizes/"),
        ("get", "/api/v1/tournaments/{public_id}/play-offs/"),
        ("get", "/api/v1/tournaments/{public_id}/play-offs/{number}/"),
        ("get", "/api/v1/tables/"),
        ("get", "/api/v1/tables/{table}/"),
        ("get", "/api/v1/lobby/"),
        ("get", "/api/v1/seeks/"),
        ("get", "/api/v1/tables/{table}/rematch/"),
        ("get", "/api/v1/tournaments/{public_id}/referees/"),
        ("get", "/api/v1/people/{person}/levels/"),
        ("get", "/api/v1/archive/"),
        ("get", "/api/v1/rankings/"),
        ("get", "/api/v1/rankings/people/"),
        ("get", "/api/v1/people/{person}/"),
        ("get", "/api/v1/people/{person}/matches/"),
        ("get", "/api/v1/clubs/"),
        ("get", "/api/v1/clubs/{public_id}/"),
        ("get", "/api/v1/clubs/{public_id}/members/"),
        ("get", "/api/v1/circuits/"),
        ("get", "/api/v1/circuits/{circuit}/"),
        ("get", "/api/v1/circuits/{circuit}/totals/"),
    }
)
OF_PLAYERS = frozenset(
    {
        f"/api/v1/tournaments/{{public_id}}/{act}/"
        for act in (
            "join",
            "pair/accept",
            "pair/house",
            "team",
            "team/house",
            "pair/decline",
            "leave",
            "check-in",
            "withdraw",
            "bye",
            "bye/cancel",
            "fixtures/{place}/play-early",
        )
    }
)
OF_PLAYERS |= {f"/api/v1/clubs/{{public_id}}/{act}/" for act in ("join", "leave", "answer", "consent")}
OF_PLAYERS |= {"/api/v1/invitations/{invitation}/answer/", "/api/v1/tables/"}
OF_PLAYERS |= {"/api/v1/seeks/", "/api/v1/seeks/{seek}/join/"}
OF_PLAYERS |= {f"/api/v1/seeks/{act}/" for act in ("heartbeat", "house", "end")}
OF_PLAYERS |= {"/api/v1/me/unblock/", "/api/v1/me/moderation/{act}/appeal/"}
OF_PLAYERS |= {f"/api/v1/me/{what}/{one}" for what in ("follows", "blocks") for one in ("", "{player}/")}
OF_PLAYERS |= {"/api/v1/me/follows/{player}/call/", "/api/v1/me/audience/", "/api/v1/me/pairs/"}
OF_PLAYERS |= {f"/api/v1/me/pairs/{{pair}}/{act}/" for act in ("accept", "decline", "leave", "name")}
OWN = frozenset({f"/api/v1/me/{part}" for part in ("", "matches/", "clubs/", "blocked/")})
OWN |= {f"/api/v1/me/{part}/" for part in ("follows", "follows/calls", "blocks", "moderation", "moderation/conduct")}
OF_PLAYERS |= {f"/api/v1/tables/{{table}}/{act}/" for act in ("sit", "leave", "house", "rematch")}
OF_PLAYERS |= {"/api/v1/chips/top-up/", "/api/v1/chips/show/"}
OWN |= {"/api/v1/chips/", "/api/v1/chips/entries/"}
OWN |= {f"/api/v1/me/{part}/" for part in ("audience", "pairs", "export")}
OWN |= {"/api/v1/me/training/", "/api/v1/me/training/{training}/"}
OWN |= {"/api/v1/invitations/", "/api/v1/invitations/partners/"}  # of whoever has a key
PRIVATE = frozenset(  # of whoever runs or referees it
    f"/api/v1/tournaments/{{public_id}}/{part}/"
    for part in (
        "last-entry",
        "rounds/draft",
        "rounds/stuck",
        "byes",
        "bans",
        "calls",
        "fees",
        "claims",
        "copy",
        "entries/partners",
    )
)
KEPT = ("/api/v1/registers/", "/api/v1/webhooks/", "/api/v1/series/")  # by a key that was made for them
MODERATION = "/api/v1/moderation/"  # of the staff, by a key that was made for it: nobody here
NAMES = ("get", "/api/v1/circuits/{circuit}/names/")  # of whoever runs the circuit, which nobody does here
IMPORTING = ("post", "/api/v1/tournaments/import/")
MAKING = ("post", "/api/v1/tournaments/")  # about no tournament yet: the key's own choice decides


# Whom a read of everybody's can tell apart: by a session, a key that is none, one that doesn't read, one that does.
READERS = {"visitor", "session", "wrong key", "player", "writer"}

ROLES = (
    "visitor", "session", "wrong key", "player", "reader", "writer", "organiser", "elsewhere", "stranger", "keeper",
)  # fmt: skip


class Role(NamedTuple):
    """Reader of the API: their client, and the least that a read and the acts of players and organisers answer."""

    client: Client
    reads: bool  # what everybody may
    play: int | None  # the status of every such write; None: they may, and the service answers
    organise: int | None
    private: int = 403  # what a read of the organiser's alone answers
    own: int = 403  # what a read of what hangs on no tournament answers


@arrange_once
def tournament(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    return enter_all(opened(GIRONE), four, now)


@pytest.fixture
def roles(tournament: Tournament, organiser: Player, anna: Player, now: datetime) -> dict[str, Role]:
    stranger = create_person("Zeno", now)
    this = [f"tournament:{tournament.public_id}", "new"]
    return {
        "visitor": Role(Client(), True, 401, 401, 401, 401),
        "session": Role(sign_in(organiser), True, 401, 401, 200, 200),
        "wrong key": Role(by_key("smz_nothing"), False, 401, 401, 401, 401),
        "player": Role(by_key(make_key(anna, scopes=["read", "play"])), True, None, 403),
        "reader": Role(by_key(make_key(organiser, scopes=["read"])), True, 403, 403),
        "writer": Role(by_key(make_key(organiser, scopes=["organise"], targets=this)), False, 403, None),
        "organiser": Role(by_key(make_key(organiser, scopes=["read", "organise"], targets=this)), True, 403, None, 200),
        "elsewhere": Role(by_key(make_key(organiser, targets=["club:nothing"])), True, None, 403),
        "stranger": Role(by_key(make_key(stranger, targets=this[:1])), True, None, 403),
        "keeper": Role(by_key(make_key(organiser, targets=["own"])), True, None, 403, 403, 200),
    }


def fill(path: str, tournament: Tournament) -> str:
    entry = tournament.entries.order_by("pk").values_list("pk", flat=True)[0]
    tail = {"{invitation}": "1", "{player}": "nobodyhere", "{clock}": "1-1", "{register}": "mine"}
    tail |= {"{card}": "nobodyhere", "{webhook}": "nobodyhere", "{series}": "nobodyhere", "{table}": "nobodyhere"}
    tail |= {"{training}": "nobodyhere", "{act}": "nobodyhere", "{person}": "nobodyhere"}
    tail |= {"{seek}": "1", "{pair}": "nobodyhere", "{circuit}": "nobodyhere", "{report}": "nobodyhere"}
    tail |= {"{bye}": "1", "{ban}": "1", "{call}": "1", "{claim}": "1", "{round}": "1", "{number}": "1"}
    values = tail | {"{public_id}": tournament.public_id, "{entry}": str(entry), "{place}": "1-1"}
    for name, value in values.items():
        path = path.replace(name, value)
    assert "{" not in path, f"say what {path} is about"
    return path


def has_act_of_organisers(method: str, path: str) -> bool:
    """Return whether it is the organiser's of a tournament alone."""
    if (method, path) in PUBLIC or path in OF_PLAYERS | OWN or (method, path) in (MAKING, IMPORTING):
        return False
    elsewhere = ("/api/v1/clubs/", "/api/v1/circuits/", "/api/v1/invitations/", MODERATION, *KEPT)
    return not path.startswith(elsewhere)  # in the tests of these


def is_told_elsewhere(role: str, method: str, path: str) -> bool:
    """Return whether another role tells the same, or the next test, whose bodies would do."""
    if (method, path) in PUBLIC:
        return role not in READERS
    return role in ("elsewhere", "stranger") and has_act_of_organisers(method, path)


def ask(client: Client, method: str, address: str, body: Any) -> Any:
    return client.generic(method.upper(), address, json.dumps(body), "application/json")


@pytest.mark.rule("AP2")
@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_do_what_the_table_says_at_every_address_u2(
    roles: dict[str, Role], tournament: Tournament, role: str
) -> None:
    who, before = roles[role], list(tournament.log.values_list("pk", flat=True))
    assert tuple(roles) == ROLES
    for method, path in list_api_operations():
        if not THOROUGH and is_told_elsewhere(role, method, path):
            continue
        cache.clear()  # nobody is refused for asking often here
        address = fill(path, tournament)
        # What nobody has: a body with an unknown field changes nothing, and is looked at after who asks.
        status = ask(who.client, method, address, {"nobodys_field": 1}).status_code
        place = f"{role}: {method} {path}"
        if (method, path) in PUBLIC:
            expected = {200, 404} if who.reads or path.endswith("replay/") else {401, 403}
        elif (method, path) == NAMES:
            expected = {401} if role in ("visitor", "wrong key") else {403, 404}
        elif method == "get" and path.startswith(MODERATION):
            expected = {401} if role in ("visitor", "wrong key") else {403}
        elif method == "get" and path.startswith(KEPT):
            expected = {200, 404} if who.own == 200 else {who.own}
        elif method == "get" and path in PRIVATE:
            expected = {200, 404} if who.private == 200 else {who.private}
        elif path in OWN:
            expected = {404 if path.endswith("}/") else 200, 400, 403} if who.play != 401 else {401}
        elif path in OF_PLAYERS:
            expected = {400} if who.play is None else {who.play}
        elif who.organise is None or (role in ("elsewhere", "stranger", "keeper")):
            expected = {400, 403}  # their key organises, and the body is looked at first
        else:
            expected = {who.organise}
        assert status in expected, place
    assert list(tournament.log.values_list("pk", flat=True)) == before


@pytest.mark.rule("AP2")
def test_no_organisers_act_is_open_to_a_key_for_something_else_u2(
    roles: dict[str, Role], tournament: Tournament
) -> None:
    """With bodies that would do: by the document's own required fields."""
    bodies: dict[str, Any] = {
        "play-offs/": {"entries": [1, 2], "length_kind": "deals", "length_value": 1},
        "{number}/result/": {"round": 1, "board": 1, "points": [1, 0]},
        "{number}/forfeit/": {"round": 1, "board": 1, "forfeit_by": [0]},
        "{number}/clear/": {"round": 1, "board": 1, "reason": "x"},
        "{number}/preview/": {"act": "drop", "body": {"reason": "x"}},
        "entries/": {"entries": [{"player": "Anna"}]},
        "rounds/publish/": {"round": 1},
        "seeds/": {"seeds": []},
        "replace/": {"reason": "x", "player": "Anna", "name": "Bruno"},
        "result/": {"reason": "x", "points": [1, 0]},
        "forfeit/": {"reason": "x", "forfeit_by": [0]},
        "referees/": {"name": "Anna"},
        "time/": {"reason": "x", "player": "Anna", "minutes": 1},
        "entries/late/": {"player": "Anna"},
        "entries/tie/": {"entries": [1, 2]},
        "{entry}/side/": {"side": "A"},
        "entries/from-register/": {"cards": ["nobodyhere"]},
        "forget/": {"name": "Anna"},
        "take-over/": {"tournament": "nobodyhere"},
        "last-entry/undo/": {"entry": 1},
        "{claim}/answer/": {"accept": True},
        "extend/": {"minutes": 1},
        "{place}/line-up/": {"people": ["Anna"], "side": 0},
        "{entry}/line-up/": {"people": ["Anna"]},
        "rounds/swap/": {"first": 1, "second": 2},
        "rounds/hours/": {"hours": [{"round": 2, "opens_at": "2030-01-01T20:00:00Z"}]},
        "rounds/way/": {"round": 2, "way": "bye", "reason": "x"},
        "rounds/way/cancel/": {"round": 2, "reason": "x"},
        "rounds/preview/": {"act": "cancel", "body": {"round": 2, "reason": "x"}},
        "byes/preview/": {"act": "byes", "body": {"entry": 1, "round": 1, "kind": "asked"}},
        "byes/": {"entry": 1, "round": 1, "kind": "asked"},
        "bans/": {"entries": [1, 2]},
        "fees/": {"fee_cents": 1, "prizes": []},
        "refund/": {"cents": 1},
        "prizes/give/": {"place": 1, "entry": 1, "reason": "x"},
        "lend/": {"to": "Bar Sport"},
        "{place}/preview/": {"act": "annul", "body": {"reason": "x"}},
        "{entry}/preview/": {"act": "reinstate", "body": {"reason": "x"}},
    }
    plain = (
        "publish/",
        "cancel/",
        "house/",
        "link/",
        "rounds/draw/",
        "approve/",
        "turn-down/",
        "check-in/",
        "{public_id}/",
        "{entry}/",
        "{player}/",
        "roll-call/",
        "roll-call/undo/",
        "last-entry/",
        "copy/",
        "recall/",
        "rounds/draft/",
        "rounds/stuck/",
        "{bye}/",
        "{ban}/",
        "close/",
        "reopen/",
        "calls/",
        "seen/",
        "pay/",
        "unpay/",
        "untie/",
        "entries/partners/",
        "claims/",
        "start/",
        "{clock}/pause/",
        "{clock}/resume/",
    )
    for method, path in list_api_operations():
        if not has_act_of_organisers(method, path):
            continue
        ending = next((end for end in bodies if path.endswith(end)), "")
        body = bodies[ending] if ending else {} if path.endswith(plain) else {"reason": "x"}
        for role in ("elsewhere", "stranger"):
            cache.clear()
            answer = ask(roles[role].client, method, fill(path, tournament), body)
            codes = ("not_chosen",) if role == "elsewhere" else ("not_organiser",)
            assert (answer.status_code, answer.json()["code"] in codes) == (403, True), (
                role,
                method,
                path,
                answer.content,
            )
    making = ask(
        roles["elsewhere"].client,
        *MAKING,
        {"name": "x", "format": "ko", "ruleset": "scopa", "length_kind": "deals", "length_value": 1},
    )
    assert (making.status_code, making.json()["code"]) == (403, "not_chosen")
